package dev.lately.flink;

import java.io.Serializable;
import java.util.function.ToLongFunction;

/**
 * What makes two records the same, as a number.
 *
 * @param <T> the records
 */
@FunctionalInterface
public interface LongKey<T> extends ToLongFunction<T>, Serializable {
}
