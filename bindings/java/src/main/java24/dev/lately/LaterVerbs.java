package dev.lately;

import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Gatherer;
import java.util.stream.Gatherer.Integrator;

/**
 * What a {@link DuplicateFilter} can do in Java 24 and later. Documented in docs/reference/java.md: the interface that the compiler of
 * Java 11 sees makes no gatherers.
 */
interface LaterVerbs {
    /** Tests and inserts in one step, now: whether the key is new. */
    boolean first(CharSequence key);

    /**
     * A gatherer of the items whose key is new: {@code orders.stream().gather(seen.gatherBy(Order::id))}. It observes in the order of
     * the stream, also of a parallel one, and no item that the stream does not ask for. Each stream that it is given to observes.
     *
     * @param key makes the key of an item, which counts as its bytes in UTF-8
     */
    default <T> Gatherer<T, ?, T> gatherBy(Function<? super T, ? extends CharSequence> key) {
        Objects.requireNonNull(key, "key");
        return Gatherer.ofSequential(Integrator.<Void, T, T>ofGreedy(
            (none, item, next) -> !first(key.apply(item)) || next.push(item)));
    }
}
