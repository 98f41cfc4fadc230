package dev.lately.micrometer;

import java.util.function.ToDoubleFunction;

/** A row of the table: a figure of {@code T}, by the name that it has in Micrometer. */
final class Metric<T> {
    final String name;
    final boolean isCounter;
    /** Null: things are counted. */
    final String unit;
    final ToDoubleFunction<T> value;
    final String help;

    Metric(String name, boolean isCounter, String unit, ToDoubleFunction<T> value, String help) {
        this.name = name;
        this.isCounter = isCounter;
        this.unit = unit;
        this.value = value;
        this.help = help;
    }
}
