package dev.lately.field;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentMap;

/** Caffeine: a cache whose entries expire a time after they were written. */
record CaffeineRival() implements Rival {
    private static final long SECOND = 1_000_000_000;

    @Override
    public String name() {
        return "caffeine";
    }

    @Override
    public String version() {
        return "com.github.ben-manes.caffeine:caffeine " + Caffeine.class.getPackage().getImplementationVersion();
    }

    @Override
    public String base() {
        return "lately-1e-6";
    }

    @Override
    public String error() {
        return "0";
    }

    @Override
    public String bytes() {
        return "used heap after a full collection";
    }

    @Override
    public String what() {
        return "putIfAbsent of a boxed long, expireAfterWrite the window, no maximum size";
    }

    @Override
    public boolean ofRecords() {
        return false;
    }

    @Override
    public Subject make(Workload workload) {
        return new Entries(workload.window());
    }

    @Override
    public List<Line> documented() {
        return List.of(new Line()
                .with("rival", name())
                .with("what", "age at which a key of a time of 1 s is new again")
                .with("unit", "ns")
                .raw("documented", SECOND)
                .raw("measured", ageWhenNew(new Entries(SECOND)))
                .with("law", "about")
                // The lowest bit of a time is no part of it.
                .raw("slack", 1)
                .with("source", "Caffeine.expireAfterWrite: an entry is removed once a fixed duration has elapsed after its creation"));
    }

    /** The least age at which a key is new again, up to twice a second. Each try has a key of its own. */
    static long ageWhenNew(Subject subject) {
        long low = 0;
        long high = 2 * SECOND;
        long now = 0;
        for (long key = 0; low + 1 < high; key++) {
            long age = (low + high) / 2;
            subject.observe(key, now);
            now += age;
            if (subject.observe(key, now)) {
                low = age;
            } else {
                high = age;
            }
        }
        return high;
    }

    private static final class Entries implements Subject {
        private final ConcurrentMap<Long, Boolean> seen;
        private long now;

        Entries(long window) {
            seen = Caffeine.newBuilder()
                    .ticker(() -> now)
                    .expireAfterWrite(Duration.ofNanos(window))
                    .<Long, Boolean>build()
                    .asMap();
        }

        @Override
        public boolean observe(long key, long tick) {
            now = tick;
            return seen.putIfAbsent(key, Boolean.TRUE) != null;
        }
    }
}
