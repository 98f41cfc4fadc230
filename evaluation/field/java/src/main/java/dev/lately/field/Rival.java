package dev.lately.field;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A way to detect duplicates. */
interface Rival {
    String name();

    /** Its coordinates and version. */
    String version();

    /** The lately that it is compared with. */
    String base();

    /** The promised chance of a false duplicate. */
    String error();

    /** What its bytes are. */
    String bytes();

    /** How it is set up. */
    String what();

    /** Whether it has a window of the last records too, not of time alone. */
    boolean ofRecords();

    Subject make(Workload workload);

    /** Lines of what it documents and what was measured. */
    List<Line> documented();

    static Rival find(String name) {
        Rival[] all = all();
        return Arrays.stream(all)
                .filter(rival -> rival.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rival " + name + ": allowed are "
                        + Arrays.stream(all).map(Rival::name).collect(Collectors.joining(", "))));
    }

    static Rival[] all() {
        return new Rival[] {new LatelyRival("1e-3"), new LatelyRival("1e-6"), new CaffeineRival()};
    }

    default boolean takes(Workload workload) {
        return workload.timed() || ofRecords();
    }

    default Line listed() {
        return new Line()
                .with("rival", name())
                .with("version", version())
                .with("language", "Java")
                .raw("workloads", '[' + Workload.names(ofRecords()) + ']')
                .with("base", base())
                .raw("error", error())
                .raw("misses", false)
                .with("bytes", bytes())
                .with("what", what());
    }
}
