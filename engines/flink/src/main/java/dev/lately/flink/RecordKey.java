package dev.lately.flink;

import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.util.function.SerializableFunction;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What makes two records the same: bytes or a number. Flink sees a hash of it, which decides the key group, and the
 * filter of that group sees all of it. The hashes are those that Java specifies, so they are the same on every JVM.
 */
abstract class RecordKey<T> implements KeySelector<T, Integer> {
    private static final long serialVersionUID = 1;

    /** Asks whether the key of a record was seen, and shows it. */
    abstract boolean isNew(Seen seen, T record);

    /** How keys are given, for the state: a number that stays. */
    abstract int form();

    static <T> RecordKey<T> bytes(SerializableFunction<T, byte[]> of) {
        return new Bytes<>(of);
    }

    static <T> RecordKey<T> string(SerializableFunction<T, String> of) {
        return new Bytes<>(record -> given(of.apply(record), record).getBytes(StandardCharsets.UTF_8));
    }

    static <T> RecordKey<T> number(LongKey<T> of) {
        return new Number<>(of);
    }

    private static <K> K given(K key, Object record) {
        if (key == null) {
            throw new IllegalArgumentException("the key of this record is null: " + record);
        }
        return key;
    }

    private static final class Bytes<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final SerializableFunction<T, byte[]> of;

        Bytes(SerializableFunction<T, byte[]> of) {
            this.of = of;
        }

        @Override
        public Integer getKey(T record) {
            return Arrays.hashCode(given(of.apply(record), record));
        }

        @Override
        boolean isNew(Seen seen, T record) {
            byte[] key = given(of.apply(record), record);
            return seen.isNew(Arrays.hashCode(key), key);
        }

        @Override
        int form() {
            return 1;
        }
    }

    private static final class Number<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final LongKey<T> of;

        Number(LongKey<T> of) {
            this.of = of;
        }

        @Override
        public Integer getKey(T record) {
            return Long.hashCode(of.applyAsLong(record));
        }

        @Override
        boolean isNew(Seen seen, T record) {
            long key = of.applyAsLong(record);
            return seen.isNew(Long.hashCode(key), key);
        }

        @Override
        int form() {
            return 2;
        }
    }
}
