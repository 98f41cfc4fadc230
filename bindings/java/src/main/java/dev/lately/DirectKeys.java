package dev.lately;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** Keys back to back in a direct buffer. What lies between position and limit when a call is made counts. */
final class DirectKeys extends Keys {
    private final ByteBuffer bytes;
    private final LongBuffer offsets;
    private final LongBuffer ticks;

    DirectKeys(ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks) {
        check(bytes.isDirect(), "bytes must be a direct buffer");
        checkLongs("offsets must be a direct buffer in native byte order", offsets);
        checkOffsets(offsets.remaining());
        this.bytes = bytes;
        this.offsets = offsets;
        this.ticks = ticks;
    }

    @Override
    public Keys at(LongBuffer when) {
        checkLongs("ticks must be a direct buffer in native byte order", when);
        checkTicks(when.remaining());
        return new DirectKeys(bytes, offsets, when);
    }

    /** Whoever moves a position afterwards has as many keys as there are then. */
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
        checkVerdicts(verdicts.remaining());
        call(handle, verb, verdicts);
    }

    private void call(long handle, int verb, ByteBuffer verdicts) {
        checkOffsets(offsets.remaining());
        if (ticks != null) {
            checkTicks(ticks.remaining());
        }
        Native.directBatch(handle, verb, bytes, bytes.position(), bytes.remaining(), offsets, offsets.position(), count(),
            ticks, ticks == null ? 0 : ticks.position(), verdicts, verdicts == null ? 0 : verdicts.position());
    }

    @Override
    Verdict[] verdicts(Calls calls, int verb) {
        ByteBuffer outside = ByteBuffer.allocateDirect(count());
        calls.batch(verb, this, outside);
        byte[] codes = new byte[outside.remaining()];
        outside.get(codes);
        return Verdict.all(codes);
    }

    private static void checkLongs(String rule, LongBuffer buffer) {
        check(buffer.isDirect() && buffer.order() == ByteOrder.nativeOrder(), rule);
    }
}
