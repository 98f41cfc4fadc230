package dev.lately;

/** What gives way when a filter with a window of time has used its {@link Options.Builder#memory}. */
public enum OnLimit {
    /** The window shortens to {@link Stats#reach} (default). */
    FORGET_OLDEST,
    /** The error rate rises to {@link Stats#errorRate}. A kind that cannot is refused by an error that names one that can. */
    RAISE_ERROR_RATE;

    /** The number of this value in the C header. */
    public int number() {
        return ordinal() + 1;
    }
}
