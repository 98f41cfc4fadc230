package dev.lately.flink;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read. */
final class CountedInput extends FilterInputStream {
    private long count;

    CountedInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        count += one < 0 ? 0 : 1;
        return one;
    }

    @Override
    public int read(byte[] into, int start, int length) throws IOException {
        int read = super.read(into, start, length);
        count += Math.max(0, read);
        return read;
    }
}
