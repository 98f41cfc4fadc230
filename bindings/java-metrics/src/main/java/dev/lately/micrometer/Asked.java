package dev.lately.micrometer;

import dev.lately.Options;

/** What was asked of a filter, in the units of the metrics; 0 is not. */
final class Asked {
    private static final double NANOS = 1e9;

    final double memory;
    final double window;
    final double errorRate;

    Asked(Options options) {
        memory = options.memory();
        window = Figures.number(options.window()) / NANOS;
        double planned = options.plan().errorRateWorst();
        errorRate = options.errorRate() == 0 && !Double.isNaN(planned) ? planned : options.errorRate();
    }
}
