/**
 * "Have I seen this lately?": duplicate detection in unbounded streams, in bounded memory.
 *
 * <pre>{@code
 * Options options = Options.window(Duration.ofMinutes(10)).memory(64 << 20).build();
 * try (Filter filter = new Filter(options)) {
 *     if (filter.observe("order-17") == Verdict.NEW) {
 *         // the first sighting within ten minutes
 *     }
 * }
 * }</pre>
 *
 * <p>The work is done by the native library {@code liblately}, which the jar carries. How it is found, and what a
 * program passes to Java 24 and later, is described at {@link dev.lately.Lately}.
 */
package dev.lately;
