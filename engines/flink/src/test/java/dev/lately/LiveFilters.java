package dev.lately;

/** How many native filters of this process are not freed yet; the binding counts them for its own tests. */
public final class LiveFilters {
    private LiveFilters() {
    }

    public static long count() {
        return Handle.live();
    }
}
