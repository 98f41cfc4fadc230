package dev.lately;

import java.util.Arrays;

/** Keys back to back in an array, some of which may be absent. */
final class PackedKeys extends Keys {
    private final byte[] bytes;
    private final long[] offsets;
    /** A bit for each key, from the low bit of the first byte, which absent keys have not; null if all are present. */
    private final byte[] present;
    private final long[] ticks;

    PackedKeys(byte[] bytes, long[] offsets, byte[] present, long[] ticks) {
        this.bytes = bytes;
        this.offsets = offsets;
        this.present = present;
        this.ticks = ticks;
    }

    @Override
    public Keys at(long[] when) {
        checkTicks(when.length);
        return new PackedKeys(bytes, offsets, present, when);
    }

    @Override
    public int count() {
        return offsets.length - 1;
    }

    @Override
    void into(long handle, int verb, byte[] verdicts) {
        if (verdicts != null) {
            checkVerdicts(verb, verdicts.length);
        }
        Native.packed(handle, verb, bytes, offsets, present, ticks, verdicts);
    }

    /** Many arrays made one. */
    static final class Packer {
        /** The most that an array can have on every JVM. */
        private static final int MOST = Integer.MAX_VALUE - 8;

        private byte[] bytes;
        private final long[] offsets;
        private byte[] present;
        private int count;
        private int end;

        Packer(int keys) {
            bytes = new byte[(int) Math.min(MOST, 16L * keys)];
            offsets = new long[keys + 1];
        }

        /** Takes the next key; null is an absent one. */
        void add(byte[] key) {
            if (key == null) {
                beginAbsence();
                present[count / 8] &= (byte) ~(1 << count % 8);
            } else {
                grow((long) end + key.length);
                System.arraycopy(key, 0, bytes, end, key.length);
                end += key.length;
            }
            count++;
            offsets[count] = end;
        }

        private void beginAbsence() {
            if (present == null) {
                present = new byte[offsets.length / 8 + 1];
                Arrays.fill(present, (byte) -1);
            }
        }

        private void grow(long size) {
            if (size > MOST) {
                throw new IllegalArgumentException("the keys have more than " + MOST + " bytes in all");
            }
            if (size > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(MOST, Math.max(size, 2L * bytes.length)));
            }
        }

        Keys keys() {
            return new PackedKeys(bytes, offsets, present, null);
        }
    }
}
