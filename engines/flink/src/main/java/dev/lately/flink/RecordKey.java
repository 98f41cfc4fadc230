package dev.lately.flink;

import org.apache.flink.api.java.functions.KeySelector;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What makes two records the same: bytes or a number. Flink sees a hash of it, which decides the key group, and the
 * filter of that group sees all of it. The hashes are those that Java specifies, so they are the same on every JVM.
 */
abstract class RecordKey<T> implements KeySelector<T, Integer> {
    private static final long serialVersionUID = 1;

    /** Asks whether the key of a record was seen, and shows it. */
    abstract boolean isNew(Seen seen, T record) throws Exception;

    /** How keys are given, for the state: a number that stays. */
    abstract int form();

    static <T> RecordKey<T> bytes(KeySelector<T, byte[]> of) {
        return new Bytes<>(of);
    }

    static <T> RecordKey<T> string(KeySelector<T, String> of) {
        return new Bytes<>(record -> given(of.getKey(record), record).getBytes(StandardCharsets.UTF_8));
    }

    static <T> RecordKey<T> boxed(KeySelector<T, Long> of) {
        return new Number<>(record -> given(of.getKey(record), record));
    }

    static <T> RecordKey<T> number(LongKey<T> of) {
        return new Number<>(of::applyAsLong);
    }

    static <K> K given(K key, Object record) {
        if (key == null) {
            throw new IllegalArgumentException("the key of this record is null: " + record);
        }
        return key;
    }

    private static final class Bytes<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final KeySelector<T, byte[]> of;

        Bytes(KeySelector<T, byte[]> of) {
            this.of = of;
        }

        @Override
        public Integer getKey(T record) throws Exception {
            return Arrays.hashCode(given(of.getKey(record), record));
        }

        @Override
        boolean isNew(Seen seen, T record) throws Exception {
            byte[] key = given(of.getKey(record), record);
            return seen.isNew(Arrays.hashCode(key), key);
        }

        @Override
        int form() {
            return 1;
        }
    }

    /** As {@link LongKey}, and may throw. */
    private interface NumberOf<T> extends Serializable {
        long of(T record) throws Exception;
    }

    private static final class Number<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final NumberOf<T> key;

        Number(NumberOf<T> key) {
            this.key = key;
        }

        @Override
        public Integer getKey(T record) throws Exception {
            return Long.hashCode(key.of(record));
        }

        @Override
        boolean isNew(Seen seen, T record) throws Exception {
            long number = key.of(record);
            return seen.isNew(Long.hashCode(number), number);
        }

        @Override
        int form() {
            return 2;
        }
    }
}
