package dev.lately.micrometer;

import dev.lately.Filter;
import dev.lately.LatelyException;
import dev.lately.Options;
import dev.lately.Stats;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

import java.util.List;
import java.util.Objects;

/**
 * The statistics of a filter as meters, with the tag {@code filter}:
 *
 * <pre>{@code
 * Options options = Options.window(Duration.ofMinutes(10)).build();
 * Filter seen = new Filter(options);
 * new FilterMetrics(seen, "orders", options).bindTo(registry);
 * }</pre>
 *
 * <p>In Prometheus they have the names of docs/reference/metrics.md. As with all meters the registry does not keep the filter alive; a
 * filter that was closed, or that a panic broke, gives {@code NaN}.
 */
public final class FilterMetrics implements MeterBinder {
    private final Filter filter;
    private final Asked asked;
    private final Tags tags;

    /** {@link #FilterMetrics(Filter, String, Options, Iterable)} without more tags. */
    public FilterMetrics(Filter filter, String name, Options options) {
        this(filter, name, options, List.of());
    }

    /**
     * The meters of a filter.
     *
     * @param filter the filter
     * @param name the value of the tag {@code filter}
     * @param options those that made it: they show what was asked for next to the current figures
     * @param tags what else is said of it
     */
    public FilterMetrics(Filter filter, String name, Options options, Iterable<Tag> tags) {
        this.filter = Objects.requireNonNull(filter, "filter");
        this.asked = new Asked(options);
        this.tags = Tags.of(tags).and("filter", name);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Metric<Stats> metric : Table.STATS) {
            if (metric.isCounter) {
                FunctionCounter.builder(metric.name, filter, f -> figure(f, metric))
                    .tags(tags).description(metric.help).baseUnit(metric.unit).register(registry);
            } else {
                Gauge.builder(metric.name, filter, f -> figure(f, metric))
                    .tags(tags).description(metric.help).baseUnit(metric.unit).register(registry);
            }
        }
        for (Metric<Asked> metric : Table.ASKED) {
            double value = metric.value.applyAsDouble(asked);
            if (value != 0) {
                Gauge.builder(metric.name, () -> value)
                    .tags(tags).description(metric.help).baseUnit(metric.unit).register(registry);
            }
        }
    }

    private static double figure(Filter filter, Metric<Stats> metric) {
        try {
            return metric.value.applyAsDouble(filter.stats());
        } catch (IllegalStateException | LatelyException e) {
            // It is closed, or a panic broke it: the other meters of the registry are none the worse.
            return Double.NaN;
        }
    }
}
