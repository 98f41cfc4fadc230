package dev.lately;

/** Many arrays made one: all bytes back to back, and where each begins and ends. */
final class Packing {
    private Packing() {
    }

    static long[] offsets(byte[][] keys) {
        long[] offsets = new long[keys.length + 1];
        for (int i = 0; i < keys.length; i++) {
            offsets[i + 1] = offsets[i] + keys[i].length;
        }
        return offsets;
    }

    static byte[] bytes(byte[][] keys) {
        byte[] bytes = new byte[total(keys)];
        int end = 0;
        for (byte[] key : keys) {
            System.arraycopy(key, 0, bytes, end, key.length);
            end += key.length;
        }
        return bytes;
    }

    private static int total(byte[][] keys) {
        long total = 0;
        for (byte[] key : keys) {
            total += key.length;
        }
        if (total > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the keys have " + total + " bytes in all: allowed is 2147483647");
        }
        return (int) total;
    }
}
