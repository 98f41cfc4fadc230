package dev.lately;

/**
 * What a {@link DuplicateFilter} can do in later versions of Java alone. In Java 24 and later it is another interface of this name
 * in the jar ({@code src/main/java24}), which makes gatherers.
 */
interface LaterVerbs {
    /** Tests and inserts in one step, now: whether the key is new. */
    boolean first(CharSequence key);
}
