package dev.lately.field;

import dev.lately.ClockSource;
import dev.lately.Filter;
import dev.lately.Options;
import dev.lately.Verdict;
import java.time.Duration;
import java.util.List;

/** lately itself, by its Java binding: what the rivals in Java are compared with. */
record LatelyRival(String error) implements Rival {
    @Override
    public String name() {
        return "lately-" + error;
    }

    @Override
    public String version() {
        return "dev.lately:lately " + Filter.class.getPackage().getImplementationVersion();
    }

    @Override
    public String base() {
        return name();
    }

    @Override
    public String bytes() {
        return "used heap after a full collection, and the bytes of the cells by its statistics";
    }

    @Override
    public String what() {
        return "window table, unshared, one key of the type long a call, no capacity given";
    }

    @Override
    public boolean ofRecords() {
        return true;
    }

    @Override
    public List<Line> documented() {
        return List.of();
    }

    @Override
    public Subject make(Workload workload) {
        Options.Builder options = workload.timed()
                ? Options.window(Duration.ofNanos(workload.window())).clock(ClockSource.MANUAL)
                : Options.last(workload.records());
        Filter filter = Filter.unshared(options.errorRate(Double.parseDouble(error)).build());
        return workload.timed() ? new Timed(filter) : new Last(filter);
    }

    private record Timed(Filter filter) implements OfFilter {
        @Override
        public boolean observe(long key, long tick) {
            return filter.at(tick).observe(key) == Verdict.DUPLICATE;
        }
    }

    private record Last(Filter filter) implements OfFilter {
        @Override
        public boolean observe(long key, long tick) {
            return filter.observe(key) == Verdict.DUPLICATE;
        }
    }

    private interface OfFilter extends Subject {
        Filter filter();

        @Override
        default long nativeBytes() {
            return filter().stats().bytes();
        }

        @Override
        default Long peakBytes() {
            return filter().stats().bytesPeak();
        }

        @Override
        default void close() {
            filter().close();
        }
    }
}
