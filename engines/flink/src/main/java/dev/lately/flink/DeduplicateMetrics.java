package dev.lately.flink;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a subtask, in the group {@code lately} of its operator. Counters begin at 0 with each start; what else there
 * is, is asked of the filters when somebody looks.
 */
final class DeduplicateMetrics {
    private static final long NANOS = 1_000_000;

    final Counter fresh;
    final Counter duplicates;
    final Counter late;

    DeduplicateMetrics(MetricGroup operator, FilterBank filters, OperatorClock clock) {
        MetricGroup group = operator.addGroup("lately");
        fresh = group.counter("new");
        duplicates = group.counter("duplicates");
        late = group.counter("late");
        group.<Long, Gauge<Long>>gauge("refusedTimes", clock::refused);
        group.<Long, Gauge<Long>>gauge("skewMs", clock::mostAhead);
        group.<Long, Gauge<Long>>gauge("behindMs", clock::mostBehind);
        group.<Long, Gauge<Long>>gauge("bytes", () -> filters.figures().bytes());
        group.<Long, Gauge<Long>>gauge("memoryBytes", () -> filters.figures().memory());
        group.<Long, Gauge<Long>>gauge("reachMs", () -> filters.figures().reach() / NANOS);
        group.<Double, Gauge<Double>>gauge("errorRate", () -> filters.figures().errorRate());
        group.<Long, Gauge<Long>>gauge("forgotten", () -> filters.figures().forgotten());
    }
}
