package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.function.ToLongFunction;

/**
 * What makes two records the same, as a number.
 *
 * @param <T> the records
 */
@PublicEvolving
@FunctionalInterface
public interface LongKey<T> extends ToLongFunction<T>, Serializable {
}
