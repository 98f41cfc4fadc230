package dev.lately.flink;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a subtask, in the group {@code lately} of its operator. Counters begin at 0 with each start; what else there
 * is, is asked of the filters when somebody looks. Names are the rows {@code flink} of packaging/metrics/metrics.tsv.
 */
final class DeduplicateMetrics {
    private static final long NANOS = 1_000_000;

    final Counter fresh;
    final Counter duplicates;
    final Counter late;
    final Counter nullKeys;

    DeduplicateMetrics(MetricGroup operator, Settings settings, FilterBank filters, OperatorClock clock) {
        MetricGroup group = operator.addGroup("lately");
        fresh = group.counter("new");
        duplicates = group.counter("duplicates");
        late = group.counter("tooLateRecords");
        nullKeys = group.counter("nullKeyRecords");
        group.<Long, Gauge<Long>>gauge("untimedRecords", clock::untimed);
        group.<Long, Gauge<Long>>gauge("refusedTicks", clock::refused);
        group.<Long, Gauge<Long>>gauge("maxLeadMs", clock::mostAhead);
        group.<Long, Gauge<Long>>gauge("maxLatenessMs", clock::mostBehind);
        group.<Long, Gauge<Long>>gauge("memoryBytes", () -> filters.figures().bytes);
        group.<Long, Gauge<Long>>gauge("memoryLimitBytes", () -> filters.figures().memory);
        group.<Long, Gauge<Long>>gauge("reachMs", () -> filters.figures().reach / NANOS);
        group.<Long, Gauge<Long>>gauge("windowMs", settings::windowMillis);
        group.<Double, Gauge<Double>>gauge("errorRatio", () -> filters.figures().errorRate());
        group.<Double, Gauge<Double>>gauge("errorLimitRatio", () -> settings.errorRate);
        group.<Long, Gauge<Long>>gauge("forgotten", () -> filters.figures().forgotten);
    }
}
