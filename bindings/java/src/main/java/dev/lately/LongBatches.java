package dev.lately;

import java.util.Objects;

/** The verbs on arrays of numbers: keys of 8 bytes, or hashes. Documented in {@link Filter}, which has them. */
abstract class LongBatches extends Ages {
    LongBatches(Handle handle) {
        super(handle);
    }

    /**
     * Tests and inserts every key in order, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] observeAll(long[] keys) {
        byte[] verdicts = new byte[keys.length];
        words(Native.OBSERVE, keys, null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * Tests and inserts every key in order, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeAll(long[] keys, byte[] verdicts) {
        words(Native.OBSERVE, keys, null, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeAllAt(long[] keys, long[] ticks, byte[] verdicts) {
        words(Native.OBSERVE, keys, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Inserts every key in order, without verdicts, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAll(long[] keys) {
        words(Native.INSERT, keys, null, null);
    }

    /**
     * Inserts every key in order, without verdicts, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAllAt(long[] keys, long[] ticks) {
        words(Native.INSERT, keys, Objects.requireNonNull(ticks, "ticks"), null);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] containsAll(long[] keys) {
        byte[] verdicts = new byte[keys.length];
        words(Native.CONTAINS, keys, null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsAll(long[] keys, byte[] verdicts) {
        words(Native.CONTAINS, keys, null, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, each a number of 8 bytes.
     *
     * @param keys the keys, each as 8 bytes little-endian
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsAllAt(long[] keys, long[] ticks, byte[] verdicts) {
        words(Native.CONTAINS, keys, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] observeHashes(long[] hashes) {
        byte[] verdicts = new byte[hashes.length];
        hashes(Native.OBSERVE, hashes, null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * Tests and inserts every key in order, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeHashes(long[] hashes, byte[] verdicts) {
        hashes(Native.OBSERVE, hashes, null, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeHashesAt(long[] hashes, long[] ticks, byte[] verdicts) {
        hashes(Native.OBSERVE, hashes, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Inserts every key in order, without verdicts, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHashes(long[] hashes) {
        hashes(Native.INSERT, hashes, null, null);
    }

    /**
     * Inserts every key in order, without verdicts, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHashesAt(long[] hashes, long[] ticks) {
        hashes(Native.INSERT, hashes, Objects.requireNonNull(ticks, "ticks"), null);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] containsHashes(long[] hashes) {
        byte[] verdicts = new byte[hashes.length];
        hashes(Native.CONTAINS, hashes, null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsHashes(long[] hashes, byte[] verdicts) {
        hashes(Native.CONTAINS, hashes, null, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, by hashes.
     *
     * @param hashes hashes that {@link Filter#hash(byte[])} or {@link Lately#hash64} made
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsHashesAt(long[] hashes, long[] ticks, byte[] verdicts) {
        hashes(Native.CONTAINS, hashes, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }
}
