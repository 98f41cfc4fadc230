package dev.lately;

import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The interface to "have I seen this lately?": {@link Filter} implements it, and a test may have its own implementation. It has
 * the calls that most programs need; {@link Filter} has the others. A key is bytes, in the forms that {@link KeyVerbs} lists.
 *
 * <pre>{@code
 * DuplicateFilter never = key -> Verdict.NEW;
 * }</pre>
 *
 * <p>{@code contains}, {@code claim} and {@code stats} of an implementation that has {@code observe} alone are an
 * {@link UnsupportedOperationException}.
 */
@FunctionalInterface
public interface DuplicateFilter extends LaterVerbs, AutoCloseable {
    /** Tests and inserts in one step, now. */
    Verdict observe(byte[] key);

    /** {@link #observe(byte[])} of a text. */
    default Verdict observe(CharSequence key) {
        return observe(Bytes.of(key));
    }

    /** {@link #observe(byte[])} of a number. */
    default Verdict observe(long key) {
        return observe(Bytes.of(key));
    }

    /** {@link #observe(byte[])} of a UUID. */
    default Verdict observe(UUID key) {
        return observe(Bytes.of(key));
    }

    /** {@link #observe(byte[])} as a condition: whether the key is new. */
    default boolean first(byte[] key) {
        return observe(key) == Verdict.NEW;
    }

    /** {@link #observe(CharSequence)} as a condition: whether the key is new. */
    @Override
    default boolean first(CharSequence key) {
        return observe(key) == Verdict.NEW;
    }

    /** {@link #observe(long)} as a condition: whether the key is new. */
    default boolean first(long key) {
        return observe(key) == Verdict.NEW;
    }

    /** {@link #observe(UUID)} as a condition: whether the key is new. */
    default boolean first(UUID key) {
        return observe(key) == Verdict.NEW;
    }

    /**
     * A predicate for the items whose key is new: {@code orders.stream().filter(seen.firstBy(Order::id))}. Each call observes.
     *
     * @param key makes the key of an item, which counts as its bytes in UTF-8
     */
    default <T> Predicate<T> firstBy(Function<? super T, ? extends CharSequence> key) {
        Objects.requireNonNull(key, "key");
        return item -> first(key.apply(item));
    }

    /** Asks for a key and changes nothing: the verdict that {@link #observe(byte[])} would give. */
    default Verdict contains(byte[] key) {
        throw new UnsupportedOperationException("contains: this DuplicateFilter has observe alone");
    }

    /** {@link #contains(byte[])} of a text. */
    default Verdict contains(CharSequence key) {
        return contains(Bytes.of(key));
    }

    /** {@link #contains(byte[])} of a number. */
    default Verdict contains(long key) {
        return contains(Bytes.of(key));
    }

    /** Claims a key whose work can fail, as {@link Filter#claim(byte[])}: the claim is to be committed or closed. */
    default Claim claim(byte[] key) {
        throw new UnsupportedOperationException("claim: this DuplicateFilter has observe alone");
    }

    /** {@link #claim(byte[])} of a text. */
    default Claim claim(CharSequence key) {
        return claim(Bytes.of(key));
    }

    /** The statistics now, as {@link Filter#stats()}. */
    default Stats stats() {
        throw new UnsupportedOperationException("stats: this DuplicateFilter has observe alone");
    }

    /** Frees its resources; here nothing. */
    @Override
    default void close() {
    }
}
