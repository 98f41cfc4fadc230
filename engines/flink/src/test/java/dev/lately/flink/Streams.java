package dev.lately.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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
}
