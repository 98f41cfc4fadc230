package dev.lately.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.ClockSource;
import dev.lately.Filter;
import dev.lately.LatelyException;
import dev.lately.Options;
import dev.lately.Stats;
import dev.lately.Status;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What Prometheus scrapes of a filter is what {@link Stats} says. */
class FilterMetricsTest {
    private static final Options OPTIONS = Options.window(Duration.ofMinutes(10)).clock(ClockSource.MANUAL)
        .maxStep(Duration.ofSeconds(1)).lateness(Duration.ofMillis(1)).memory(4096).errorRate(1e-4)
        .lease(Duration.ofMillis(1)).maxClaims(7).build();

    /** The rows of the table that every exporter has. */
    private static List<String[]> rows() throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(System.getProperty("lately.root"), "packaging/metrics/metrics.tsv"))) {
            String[] cells = line.split("\t");
            List<String> places = Arrays.asList(cells[4].split(" "));
            if (places.contains("all") || places.contains("java")) {
                rows.add(cells);
            }
        }
        assertTrue(rows.size() > 20, "the table has lost its rows");
        return rows;
    }

    /** The figure that C calls by this name, in the unit of C. */
    private static double figure(Stats stats, String source) throws ReflectiveOperationException {
        StringBuilder getter = new StringBuilder();
        for (String word : source.replaceAll("_ns$", "").split("_")) {
            getter.append(getter.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        Object value = Stats.class.getMethod(getter.toString()).invoke(stats);
        return value instanceof Duration ? ((Duration) value).toNanos() : ((Number) value).doubleValue();
    }

    /** Values by series. */
    private static Map<String, Double> samples(PrometheusMeterRegistry registry) {
        Map<String, Double> samples = new HashMap<>();
        for (String line : registry.scrape().split("\n")) {
            if (!line.startsWith("#")) {
                int blank = line.lastIndexOf(' ');
                samples.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1)));
            }
        }
        return samples;
    }

    private static PrometheusMeterRegistry bound(Filter filter, String name, Options options) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new FilterMetrics(filter, name, options).bindTo(registry);
        return registry;
    }

    /** A filter in which most counts of a window table are not 0. */
    private static Filter busy() {
        Filter filter = new Filter(OPTIONS);
        for (int i = 0; i < 20_000; i++) {
            filter.at(5_000_000 + i * 1000L).observe(Integer.toString(i % 15_000));
        }
        filter.at(1).observe("late");
        LatelyException refused = assertThrows(LatelyException.class, () -> filter.at(1L << 62).observe("refused"));
        assertEquals(Status.TICK, refused.status());
        assertTrue(filter.remove(Integer.toString(19_999 % 15_000)), "the last key is there");
        filter.at(30_000_000).claim("expires");
        filter.at(40_000_000).claim("a");
        for (int i = 0; i < 4; i++) {
            filter.at(40_000_000).claim("b");
        }
        return filter;
    }

    @Test
    void scrape_everyMetric_isTheFigureOfStats() throws Exception {
        try (Filter filter = busy()) {
            PrometheusMeterRegistry registry = bound(filter, "orders", OPTIONS);
            Stats stats = filter.stats();
            assertTrue(stats.lateTicks() > 0 && stats.refusedTicks() > 0 && stats.duplicateCount() > 0 && stats.forgotten() > 0,
                "a count is 0, and shows nothing: " + stats);
            assertEquals(List.of(2L, 7L, 1L, 3L, 1L),
                List.of(stats.openClaims(), stats.maxClaims(), stats.expiredClaims(), stats.pending(), stats.removed()));
            Map<String, Double> asked = Map.of("options.memory", 4096.0, "options.window_ns", 600e9, "options.error_rate", 1e-4);
            Map<String, Double> samples = samples(registry);
            String text = registry.scrape();
            for (String[] row : rows()) {
                double value = asked.containsKey(row[2]) ? asked.get(row[2]) : figure(stats, row[2]);
                Double scraped = samples.get(row[0] + "{filter=\"orders\"}");
                assertEquals(Double.valueOf(value / Double.parseDouble(row[3])), scraped, row[0]);
                assertTrue(text.contains("# HELP " + row[0] + " " + row[5] + "\n"), "the help of " + row[0]);
                assertTrue(text.contains("# TYPE " + row[0] + " " + row[1] + "\n"), "the type of " + row[0]);
            }
            assertEquals(rows().size(), samples.size(), text);
        }
    }

    @Test
    void scrape_limitsNotAskedFor_areAbsent() {
        Options options = Options.last(10_000).build();
        try (Filter filter = new Filter(options)) {
            Map<String, Double> samples = samples(bound(filter, "last", options));
            assertTrue(samples.keySet().stream().noneMatch(name -> name.startsWith("lately_window_seconds")));
            assertTrue(samples.keySet().stream().noneMatch(name -> name.startsWith("lately_memory_limit_bytes")));
            assertEquals(options.plan().errorRateWorst(), samples.get("lately_error_limit_ratio{filter=\"last\"}"));
        }
    }

    @Test
    void scrape_closedFilter_isNaN() {
        Options options = Options.last(1000).build();
        Filter filter = new Filter(options);
        PrometheusMeterRegistry registry = bound(filter, "closed", options);
        filter.close();
        assertEquals(Double.NaN, samples(registry).get("lately_new_total{filter=\"closed\"}"));
        assertEquals(Double.NaN, samples(registry).get("lately_items{filter=\"closed\"}"));
    }

    @Test
    void bindTo_withMoreTags_hasThem() {
        Options options = Options.last(1000).build();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Filter filter = new Filter(options)) {
            filter.observe("a");
            new FilterMetrics(filter, "orders", options, Tags.of("shop", "north")).bindTo(registry);
            assertEquals(1, registry.get("lately.new").tags("filter", "orders", "shop", "north").functionCounter().count());
        }
    }

    @Test
    void constructor_optionsOfNoFilter_throws() {
        try (Filter filter = new Filter(Options.last(1000).build())) {
            Options wrong = Options.last(9).k(3).build();
            LatelyException refused = assertThrows(LatelyException.class, () -> new FilterMetrics(filter, "none", wrong));
            assertEquals(Status.OPTION, refused.status());
        }
    }
}
