/** Duplicate detection in unbounded streams, in bounded memory: {@link dev.lately.Filter}. */
module dev.lately {
    // Where the JVM has a flight recorder, it gets the memory of the filters.
    requires static jdk.jfr;

    exports dev.lately;
}
