// Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
// and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
//
//     java -cp lately.jar examples/dedup.java < records

import dev.lately.ClockSource;
import dev.lately.Filter;
import dev.lately.Options;
import dev.lately.Stats;
import dev.lately.Verdict;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

final class Dedup {
    private static final long MILLISECOND = 1_000_000;

    public static void main(String[] args) throws IOException {
        Options options = Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).errorRate(1e-3).build();
        try (Filter filter = new Filter(options); OutputStream out = new BufferedOutputStream(System.out, 1 << 16)) {
            copyFirst(filter, new BufferedInputStream(System.in, 1 << 16), out);
            out.write(figures(filter.stats()).getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Copies the lines that are new. */
    private static void copyFirst(Filter filter, InputStream in, OutputStream out) throws IOException {
        long record = 1;
        for (byte[] key = line(in); key != null; key = line(in)) {
            if (filter.at(record * MILLISECOND).observe(key) == Verdict.NEW) {
                out.write(key);
                out.write('\n');
            }
            record++;
        }
    }

    /** A line without its newline, which the last one may lack; null at the end. */
    private static byte[] line(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            return null;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (next >= 0 && next != '\n') {
            line.write(next);
            next = in.read();
        }
        return line.toByteArray();
    }

    private static String figures(Stats stats) {
        return String.format("read=%d new=%d duplicate=%d bytes=%d\n", stats.newCount() + stats.duplicateCount(), stats.newCount(),
            stats.duplicateCount(), stats.bytes());
    }
}
