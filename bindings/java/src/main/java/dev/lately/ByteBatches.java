package dev.lately;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Objects;

/** The verbs on many keys of bytes: an array of arrays, or all bytes back to back. Documented in {@link Filter}. */
abstract class ByteBatches extends LongBatches {
    ByteBatches(Handle handle) {
        super(handle);
    }

    /**
     * Tests and inserts every key in order. For convenience: it copies the keys.
     *
     * @param keys the keys
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] observeAll(byte[][] keys) {
        byte[] verdicts = new byte[keys.length];
        packed(Native.OBSERVE, Packing.bytes(keys), Packing.offsets(keys), null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * Tests and inserts every key in order. For convenience: it copies the keys.
     *
     * @param keys the keys
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] observeAllAt(byte[][] keys, long[] ticks) {
        byte[] verdicts = new byte[keys.length];
        packed(Native.OBSERVE, Packing.bytes(keys), Packing.offsets(keys),
            Objects.requireNonNull(ticks, "ticks"), verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * Inserts every key in order, without verdicts. For convenience: it copies the keys.
     *
     * @param keys the keys
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAll(byte[][] keys) {
        packed(Native.INSERT, Packing.bytes(keys), Packing.offsets(keys), null, null);
    }

    /**
     * Inserts every key in order, without verdicts. For convenience: it copies the keys.
     *
     * @param keys the keys
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAllAt(byte[][] keys, long[] ticks) {
        packed(Native.INSERT, Packing.bytes(keys), Packing.offsets(keys), Objects.requireNonNull(ticks, "ticks"), null);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all. For convenience: it
     * copies the keys.
     *
     * @param keys the keys
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] containsAll(byte[][] keys) {
        byte[] verdicts = new byte[keys.length];
        packed(Native.CONTAINS, Packing.bytes(keys), Packing.offsets(keys), null, verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all. For convenience: it
     * copies the keys.
     *
     * @param keys the keys
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict[] containsAllAt(byte[][] keys, long[] ticks) {
        byte[] verdicts = new byte[keys.length];
        packed(Native.CONTAINS, Packing.bytes(keys), Packing.offsets(keys),
            Objects.requireNonNull(ticks, "ticks"), verdicts);
        return Verdict.all(verdicts);
    }

    /**
     * Tests and inserts every key in order, from arrays, which are copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeBatch(byte[] bytes, long[] offsets, byte[] verdicts) {
        packed(Native.OBSERVE, bytes, offsets, null,
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, from arrays, which are copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void observeBatchAt(byte[] bytes, long[] offsets, long[] ticks, byte[] verdicts) {
        packed(Native.OBSERVE, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, from direct buffers, which are not copied; each counts from its position
     * to its limit, which stay as they are. Nothing may write to them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void observeBatch(ByteBuffer bytes, LongBuffer offsets, ByteBuffer verdicts) {
        direct(Native.OBSERVE, bytes, offsets, null,
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Tests and inserts every key in order, from direct buffers, which are not copied; each counts from its position
     * to its limit, which stay as they are. Nothing may write to them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void observeBatchAt(ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks, ByteBuffer verdicts) {
        direct(Native.OBSERVE, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * Inserts every key in order, without verdicts, from arrays, which are copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void insertBatch(byte[] bytes, long[] offsets) {
        packed(Native.INSERT, bytes, offsets, null, null);
    }

    /**
     * Inserts every key in order, without verdicts, from arrays, which are copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void insertBatchAt(byte[] bytes, long[] offsets, long[] ticks) {
        packed(Native.INSERT, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            null);
    }

    /**
     * Inserts every key in order, without verdicts, from direct buffers, which are not copied; each counts from its
     * position to its limit, which stay as they are. Nothing may write to them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void insertBatch(ByteBuffer bytes, LongBuffer offsets) {
        direct(Native.INSERT, bytes, offsets, null, null);
    }

    /**
     * Inserts every key in order, without verdicts, from direct buffers, which are not copied; each counts from its
     * position to its limit, which stay as they are. Nothing may write to them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void insertBatchAt(ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks) {
        direct(Native.INSERT, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            null);
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, from arrays, which are
     * copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsBatch(byte[] bytes, long[] offsets, byte[] verdicts) {
        packed(Native.CONTAINS, bytes, offsets, null,
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, from arrays, which are
     * copied out of Java's memory.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if the arrays do not fit each other
     * @throws IllegalStateException if the filter is closed
     */
    public void containsBatchAt(byte[] bytes, long[] offsets, long[] ticks, byte[] verdicts) {
        packed(Native.CONTAINS, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, from direct buffers,
     * which are not copied; each counts from its position to its limit, which stay as they are. Nothing may write to
     * them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void containsBatch(ByteBuffer bytes, LongBuffer offsets, ByteBuffer verdicts) {
        direct(Native.CONTAINS, bytes, offsets, null,
            Objects.requireNonNull(verdicts, "verdicts"));
    }

    /**
     * The verdict for every key, as {@code contains} would give it; changes nothing at all, from direct buffers,
     * which are not copied; each counts from its position to its limit, which stay as they are. Nothing may write to
     * them meanwhile.
     *
     * @param bytes (in) the bytes of all keys back to back
     * @param offsets (in) one more than there are keys, not decreasing: key i is the bytes from offsets[i] to before
     *     offsets[i + 1]
     * @param ticks (in) a tick of a manual clock for each key, applied in order by the rules of single calls
     * @param verdicts (out) a code for each key, see {@link Verdict#of}; valid for the keys done also if the batch
     *     stops
     * @throws LatelyException with {@link Status#OFFSETS} before the first key if the offsets are wrong, or if the
     *     batch stops; {@link LatelyException#done} says how many keys were processed
     * @throws IllegalArgumentException if a buffer is not direct, not in native byte order, too short, or overlaps
     *     verdicts
     * @throws IllegalStateException if the filter is closed
     */
    public void containsBatchAt(ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks, ByteBuffer verdicts) {
        direct(Native.CONTAINS, bytes, offsets, Objects.requireNonNull(ticks, "ticks"),
            Objects.requireNonNull(verdicts, "verdicts"));
    }
}
