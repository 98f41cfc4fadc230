package dev.lately.flink;

import org.apache.flink.api.java.functions.KeySelector;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What makes two records the same: bytes or a number. Flink sees a hash of it, which decides the key group, and the
 * filter of that group sees all of it. The hashes are those that Java specifies, so they are the same on every JVM. A key that is
 * null has the hash 0, and no filter sees it.
 */
abstract class RecordKey<T> implements KeySelector<T, Integer> {
    private static final long serialVersionUID = 1;

    private static final int NUMBERS = 2;

    /** The result of reading a record's key. */
    enum Found {
        NEW, SEEN, NO_KEY;

        static Found of(boolean isNew) {
            return isNew ? NEW : SEEN;
        }
    }

    /** Asks whether the key of a record was seen, and shows it. */
    abstract Found look(Seen seen, T record) throws Exception;

    /** How keys are given, for the state: a number that stays. */
    abstract int form();

    static <T> RecordKey<T> bytes(KeySelector<T, byte[]> of) {
        return new Bytes<>(of);
    }

    static <T> RecordKey<T> string(KeySelector<T, String> of) {
        return new Bytes<>(record -> {
            String key = of.getKey(record);
            return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        });
    }

    static <T> RecordKey<T> boxed(KeySelector<T, Long> of) {
        return new Boxed<>(of);
    }

    static <T> RecordKey<T> number(LongKey<T> of) {
        return new Number<>(of);
    }

    private static final class Bytes<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final KeySelector<T, byte[]> of;

        Bytes(KeySelector<T, byte[]> of) {
            this.of = of;
        }

        @Override
        public Integer getKey(T record) throws Exception {
            return Arrays.hashCode(of.getKey(record));
        }

        @Override
        Found look(Seen seen, T record) throws Exception {
            byte[] key = of.getKey(record);
            return key == null ? Found.NO_KEY : Found.of(seen.isNew(Arrays.hashCode(key), key));
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
        Found look(Seen seen, T record) {
            long key = of.applyAsLong(record);
            return Found.of(seen.isNew(Long.hashCode(key), key));
        }

        @Override
        int form() {
            return NUMBERS;
        }
    }

    /** The same key, which may be null. */
    private static final class Boxed<T> extends RecordKey<T> {
        private static final long serialVersionUID = 1;

        private final KeySelector<T, Long> of;

        Boxed(KeySelector<T, Long> of) {
            this.of = of;
        }

        @Override
        public Integer getKey(T record) throws Exception {
            Long key = of.getKey(record);
            return key == null ? 0 : Long.hashCode(key);
        }

        @Override
        Found look(Seen seen, T record) throws Exception {
            Long key = of.getKey(record);
            return key == null ? Found.NO_KEY : Found.of(seen.isNew(Long.hashCode(key), (long) key));
        }

        @Override
        int form() {
            return NUMBERS;
        }
    }
}
