package dev.lately;

import java.util.UUID;

/**
 * The interface to "have I seen this lately?": {@link Filter} implements it, and a test may have its own implementation. It has
 * the calls that most programs need; {@link Filter} has the others.
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
    default Verdict observe(CharSequence key) {
        return observe(Bytes.of(key));
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key was seen within the window
     */
    default Verdict observe(long key) {
        return observe(Bytes.of(key));
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

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return whether the key was seen within the window
     */
    default Verdict observe(UUID key) {
        return observe(Bytes.of(key));
    }

    /** Frees its resources; here nothing. */
    @Override
    default void close() {
    }
}
