package dev.lately.flink;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/** The streams of the tests. */
final class Streams {
    static final long BEGIN = 1_767_621_600_000L;

    private Streams() {
    }

    /** 30 % repeats of all ages, bursts, 5 % of the records behind their time, a few of them far behind. */
    static List<Event> generated(int count, long window) {
        Random random = new Random(20);
        List<Event> events = new ArrayList<>(count);
        long time = BEGIN;
        long fresh = 0;
        for (int i = 0; i < count; i++) {
            boolean burst = i / 20_000 % 5 == 0;
            time += !burst || random.nextInt(20) == 0 ? 1 : 0;
            boolean repeat = fresh > 0 && random.nextInt(10) < 3;
            long back = repeat ? (long) (fresh * Math.pow(random.nextDouble(), 4)) : 0;
            long id = repeat ? fresh - 1 - Math.min(back, fresh - 1) : fresh++;
            boolean behind = random.nextInt(20) == 0;
            long delay = behind ? (long) (2 * window * Math.pow(random.nextDouble(), 6)) : 0;
            events.add(new Event(id, time - delay));
        }
        return events;
    }

    /** DNS queries of a real network, in their order; where the data is not there, generated ones. */
    static List<Event> dns() throws IOException {
        Path file = Path.of(System.getProperty("lately.root"), "..", "shared", "data", "zeek-dns.log.gz");
        if (!Files.exists(file)) {
            return generated(53_615, 60_000);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            Map<String, Long> ids = new HashMap<>();
            List<Event> events = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    String[] f = line.split("\t");
                    String key = f[2] + '|' + f[3] + '|' + f[7] + '|' + f[9];
                    long id = ids.computeIfAbsent(key, k -> (long) ids.size());
                    events.add(new Event(id, (long) (Double.parseDouble(f[0]) * 1000)));
                }
            }
            return events;
        }
    }
}
