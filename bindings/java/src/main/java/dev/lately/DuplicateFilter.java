package dev.lately;

import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The interface to "have I seen this lately?": {@link Filter} implements it, and a test may have its own implementation. It has
 * the calls that most programs need; {@link Filter} has the others.
 *
 * <pre>{@code
 * DuplicateFilter never = key -> Verdict.NEW;
 * }</pre>
 */
@FunctionalInterface
public interface DuplicateFilter extends LaterVerbs, AutoCloseable {
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
     * @param key the key, as its 16 bytes in the order of its text
     * @return whether the key was seen within the window
     */
    default Verdict observe(UUID key) {
        return observe(Bytes.of(key));
    }

    /**
     * Tests and inserts in one step, now: {@link #observe(byte[])} as a condition.
     *
     * @param key the key
     * @return whether the key is new
     */
    default boolean first(byte[] key) {
        return observe(key) == Verdict.NEW;
    }

    /**
     * Tests and inserts in one step, now: {@link #observe(CharSequence)} as a condition.
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether the key is new
     */
    @Override
    default boolean first(CharSequence key) {
        return observe(key) == Verdict.NEW;
    }

    /**
     * Tests and inserts in one step, now: {@link #observe(long)} as a condition.
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key is new
     */
    default boolean first(long key) {
        return observe(key) == Verdict.NEW;
    }

    /**
     * Tests and inserts in one step, now: {@link #observe(UUID)} as a condition.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return whether the key is new
     */
    default boolean first(UUID key) {
        return observe(key) == Verdict.NEW;
    }

    /**
     * What passes on the items whose key is new: {@code orders.stream().filter(seen.firstBy(Order::id))}. Each call observes.
     *
     * @param <T> the items
     * @param key makes the key of an item, which counts as its bytes in UTF-8
     * @return whether an item is new
     */
    default <T> Predicate<T> firstBy(Function<? super T, ? extends CharSequence> key) {
        Objects.requireNonNull(key, "key");
        return item -> first(key.apply(item));
    }

    /**
     * Asks for a key and changes nothing.
     *
     * @param key the key
     * @return the verdict that {@link #observe(byte[])} would give
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Verdict contains(byte[] key) {
        throw new UnsupportedOperationException("contains: this DuplicateFilter has observe alone");
    }

    /**
     * Asks for a key and changes nothing.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the verdict that {@link #observe(CharSequence)} would give
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Verdict contains(CharSequence key) {
        return contains(Bytes.of(key));
    }

    /**
     * Asks for a key and changes nothing.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict that {@link #observe(long)} would give
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Verdict contains(long key) {
        return contains(Bytes.of(key));
    }

    /**
     * Claims a key whose work can fail, as {@link Filter#claim(byte[])}.
     *
     * @param key the key
     * @return the claim, to be committed or closed
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Claim claim(byte[] key) {
        throw new UnsupportedOperationException("claim: this DuplicateFilter has observe alone");
    }

    /**
     * Claims a key whose work can fail, as {@link Filter#claim(CharSequence)}.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the claim, to be committed or closed
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Claim claim(CharSequence key) {
        return claim(Bytes.of(key));
    }

    /**
     * The statistics, as {@link Filter#stats()}.
     *
     * @return the statistics now
     * @throws UnsupportedOperationException if this implementation has no such call
     */
    default Stats stats() {
        throw new UnsupportedOperationException("stats: this DuplicateFilter has observe alone");
    }

    /** Frees its resources; here nothing. */
    @Override
    default void close() {
    }
}
