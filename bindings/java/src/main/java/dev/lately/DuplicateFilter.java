package dev.lately;

/**
 * "Have I seen this lately?", as a program asks it: {@link Filter} answers it, and a test may have its own answer. It has
 * the calls that most programs need; whoever needs more takes a {@link Filter}.
 *
 * <pre>{@code
 * DuplicateFilter never = key -> Verdict.NEW;
 * }</pre>
 */
@FunctionalInterface
public interface DuplicateFilter extends AutoCloseable {
    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key
     * @return whether the key was seen within the window
     */
    Verdict observe(byte[] key);

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether the key was seen within the window
     */
    default Verdict observe(String key) {
        return observe(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key was seen within the window
     */
    default Verdict observe(long key) {
        byte[] bytes = new byte[8];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (key >>> 8 * i);
        }
        return observe(bytes);
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @return whether the key was seen within the window
     */
    default Verdict observe(char key) {
        return observe(String.valueOf(key));
    }

    /** Gives back what it holds; here nothing. */
    @Override
    default void close() {
    }
}
