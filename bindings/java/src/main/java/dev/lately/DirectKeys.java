package dev.lately;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Keys back to back in a direct buffer, some of which may be absent. What lies between position and limit during a call counts. */
final class DirectKeys extends Keys {
    private final ByteBuffer bytes;
    /** The offsets: ints or longs. */
    private final Buffer offsets;
    private final int offsetBits;
    /** null if all keys are present. */
    private final ByteBuffer validity;
    private final int firstBit;
    private final LongBuffer ticks;

    DirectKeys(ByteBuffer bytes, IntBuffer offsets, ByteBuffer validity, int firstBit, LongBuffer ticks) {
        this(bytes, offsets, offsets.order(), Integer.SIZE, validity, firstBit, ticks);
    }

    DirectKeys(ByteBuffer bytes, LongBuffer offsets, ByteBuffer validity, int firstBit, LongBuffer ticks) {
        this(bytes, offsets, offsets.order(), Long.SIZE, validity, firstBit, ticks);
    }

    private DirectKeys(ByteBuffer bytes, Buffer offsets, ByteOrder order, int offsetBits, ByteBuffer validity, int firstBit,
        LongBuffer ticks) {
        check(bytes.isDirect(), "bytes must be a direct buffer");
        checkNumbers("offsets must be a direct buffer in native byte order", offsets, order);
        checkOffsets(offsets.remaining());
        check(validity == null || validity.isDirect(), "validity must be a direct buffer");
        check(firstBit >= 0, "firstBit must not be below 0");
        this.bytes = bytes;
        this.offsets = offsets;
        this.offsetBits = offsetBits;
        this.validity = validity;
        this.firstBit = firstBit;
        this.ticks = ticks;
        checkValidity();
    }

    @Override
    public Keys at(LongBuffer when) {
        checkNumbers("ticks must be a direct buffer in native byte order", when, when.order());
        checkTicks(when.remaining());
        return new DirectKeys(bytes, offsets, ByteOrder.nativeOrder(), offsetBits, validity, firstBit, when);
    }

    /** If a position is moved afterwards, the keys are those between position and limit then. */
    @Override
    public int count() {
        return Math.max(0, offsets.remaining() - 1);
    }

    @Override
    void into(long handle, int verb, byte[] verdicts) {
        check(verdicts == null, "the verdicts of keys in direct buffers must be in a direct buffer");
        call(handle, verb, null);
    }

    @Override
    void into(long handle, int verb, ByteBuffer verdicts) {
        check(verdicts.isDirect() && !verdicts.isReadOnly(), "verdicts must be a direct buffer to write to");
        checkVerdicts(verb, verdicts.remaining());
        call(handle, verb, verdicts);
    }

    private void call(long handle, int verb, ByteBuffer verdicts) {
        checkOffsets(offsets.remaining());
        checkValidity();
        if (ticks != null) {
            checkTicks(ticks.remaining());
        }
        Bytes.expectAlive(bytes);
        Bytes.expectAlive(offsets);
        Bytes.expectAlive(validity);
        Bytes.expectAlive(ticks);
        Bytes.expectAlive(verdicts);
        Native.column(handle, verb, bytes, bytes.position(), bytes.remaining(), offsets, offsets.position(), offsetBits,
            validity, validity == null ? 0 : Byte.SIZE * (long) validity.position() + firstBit, count(),
            ticks, ticks == null ? 0 : ticks.position(), verdicts, verdicts == null ? 0 : verdicts.position());
    }

    @Override
    byte[] codes(Calls calls, int verb) {
        ByteBuffer outside = ByteBuffer.allocateDirect(count());
        calls.batch(verb, this, outside);
        byte[] codes = new byte[outside.remaining()];
        outside.get(codes);
        return codes;
    }

    private void checkValidity() {
        check(validity == null || Byte.SIZE * (long) validity.remaining() >= (long) firstBit + count(),
            "validity must have a bit for each key");
    }

    private static void checkNumbers(String rule, Buffer buffer, ByteOrder order) {
        check(buffer.isDirect() && order == ByteOrder.nativeOrder(), rule);
    }
}
