package dev.lately;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** A batch of {@code tests/vectors/vectors.txt}: arrays, or a column in direct buffers. */
final class BatchLine {
    private final String verb;
    private final Keys keys;

    private BatchLine(String verb, Keys keys) {
        this.verb = verb;
        this.keys = keys;
    }

    static boolean is(String instruction) {
        return instruction.endsWith("_slices") || instruction.endsWith("_column");
    }

    /** {@code VERB_slices TICKS KEYS} or {@code VERB_column OFFSET_BITS BEFORE BIT TICKS KEYS}. */
    static BatchLine of(String[] words) {
        String[] parts = words[0].split("_");
        if (parts[1].equals("slices")) {
            Keys arrays = Keys.of(keys(words[2]));
            return new BatchLine(parts[0], given(words[1]) ? arrays.at(ticks(words[1])) : arrays);
        }
        Keys column = column(words, keys(words[5]));
        return new BatchLine(parts[0], given(words[4]) ? column.at(Try.direct(ticks(words[4]))) : column);
    }

    /** A digit for each key; empty of an insertion. */
    String ask(Filter filter) {
        if (verb.equals("insert")) {
            filter.insertAll(keys);
            return "";
        }
        StringBuilder digits = new StringBuilder();
        for (Verdict verdict : verb.equals("observe") ? filter.observeAll(keys) : filter.containsAll(keys)) {
            digits.append(verdict.code());
        }
        return digits.toString();
    }

    /** Bits of no key are 1, and an absent key has bytes. */
    private static Keys column(String[] words, byte[][] keys) {
        int bit = given(words[3]) ? Integer.parseInt(words[3]) : 0;
        byte[] bits = new byte[(bit + keys.length + 7) / 8];
        Arrays.fill(bits, (byte) 0xff);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[Integer.parseInt(words[2])]);
        long[] ends = new long[keys.length + 1];
        ends[0] = bytes.size();
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == null) {
                bits[(bit + i) / 8] &= (byte) ~(1 << (bit + i) % 8);
            }
            bytes.writeBytes(keys[i] == null ? new byte[] {1, 2, 3} : keys[i]);
            ends[i + 1] = bytes.size();
        }
        ByteBuffer values = past(bytes.toByteArray());
        ByteBuffer validity = given(words[3]) ? past(bits) : null;
        return words[1].equals("32")
            ? Keys.column(values, ints(ends), validity, bit)
            : Keys.column(values, Try.direct(ends), validity, bit);
    }

    /** A buffer whose position is not its start. */
    private static ByteBuffer past(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length + 3).position(3).put(bytes).position(3);
    }

    private static IntBuffer ints(long[] words) {
        LongBuffer longs = LongBuffer.wrap(words);
        IntBuffer ints = ByteBuffer.allocateDirect(words.length * 4).order(ByteOrder.nativeOrder()).asIntBuffer();
        while (longs.hasRemaining()) {
            ints.put((int) longs.get());
        }
        return ints.flip();
    }

    private static boolean given(String word) {
        return !word.equals("-");
    }

    private static long[] ticks(String words) {
        return Arrays.stream(words.split(",")).mapToLong(Script::number).toArray();
    }

    private static byte[][] keys(String words) {
        return Arrays.stream(words.split(",")).map(w -> w.equals("null") ? null : Script.bytes(w)).toArray(byte[][]::new);
    }
}
