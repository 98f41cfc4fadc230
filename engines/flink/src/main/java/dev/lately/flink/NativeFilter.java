package dev.lately.flink;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;

/**
 * The filter of one key group, outside of Java's heap: a {@code dev.lately.Filter} of the one {@link Binding}. The task thread
 * uses it, the thread of a checkpoint writes a copy, and those of the metrics ask for figures.
 */
final class NativeFilter implements AutoCloseable {
    /** The largest unsigned number, as the binding says it. */
    private static final long NO_LIMIT = -1;
    private static final Object NEW = Binding.constant("Verdict", "NEW");
    private static final MethodHandle AT = Binding.handle("Filter", "at",
        MethodType.methodType(Binding.type("FilterAt"), long.class),
        MethodType.methodType(Object.class, Object.class, long.class));
    private static final MethodHandle BYTES = observe(byte[].class);
    private static final MethodHandle NUMBER = observe(long.class);
    private static final MethodHandle AGE_OF_BYTES = observeAge(byte[].class);
    private static final MethodHandle AGE_OF_NUMBER = observeAge(long.class);
    private static final MethodHandle VERDICT = ofSighting("verdict", Binding.type("Verdict"), Object.class);
    private static final MethodHandle AT_LEAST = ofSighting("atLeast", long.class, long.class);
    /** The age of a key that was not seen: older than any, as an unsigned number. */
    static final long NEVER = -1;

    private final Object filter;

    private NativeFilter(Object filter) {
        this.filter = filter;
    }

    private static MethodHandle observe(Class<?> key) {
        return atMoment("observe", "Verdict", key);
    }

    private static MethodHandle observeAge(Class<?> key) {
        return atMoment("observeAge", "Sighting", key);
    }

    /** {@code filter.at(tick).verb(key)} as one call of filter, key and tick. */
    private static MethodHandle atMoment(String verb, String returned, Class<?> key) {
        MethodHandle call = Binding.handle("FilterAt", verb, MethodType.methodType(Binding.type(returned), key),
            MethodType.methodType(Object.class, Object.class, key));
        MethodHandle inOrder = MethodHandles.collectArguments(call, 0, AT);
        MethodType shape = MethodType.methodType(Object.class, Object.class, key, long.class);
        return MethodHandles.permuteArguments(inOrder, shape, 0, 2, 1);
    }

    private static MethodHandle ofSighting(String name, Class<?> type, Class<?> as) {
        return Binding.handle("Sighting", name, MethodType.methodType(type), MethodType.methodType(as, Object.class));
    }

    /** A filter that has seen nothing; `memory` 0 is no limit, and `keys` 0 that nobody knows how many a window has. */
    static NativeFilter of(Settings settings, long memory, long keys) {
        Object builder = Binding.call(Binding.type("Options"), "window", new Class<?>[] {Duration.class},
            Duration.ofNanos(settings.remembered()));
        Binding.call(builder, "ageBits", new Class<?>[] {int.class}, settings.ageBits());
        Binding.call(builder, "errorRate", new Class<?>[] {double.class}, settings.errorRate);
        Binding.call(builder, "clock", new Class<?>[] {Binding.type("ClockSource")}, Binding.constant("ClockSource", "MANUAL"));
        Binding.call(builder, "repeat", new Class<?>[] {Binding.type("Repeat")},
            Binding.constant("Repeat", settings.keepFirst ? "KEEP_FIRST" : "REFRESH"));
        if (memory > 0) {
            Binding.call(builder, "memory", new Class<?>[] {long.class}, memory);
        }
        if (keys > 0) {
            Binding.call(builder, "capacity", new Class<?>[] {long.class}, keys);
        }
        return new NativeFilter(Binding.call(Binding.type("Filter"), "unshared", new Class<?>[] {Binding.type("Options")},
            Binding.call(builder, "build")));
    }

    /**
     * A filter of the bytes of a snapshot. `memory` is its limit from now on, 0 for none, whatever it was: a subtask that gets
     * fewer key groups has more memory for each. Its ticks tell how much time passed.
     */
    static NativeFilter of(byte[] snapshot, long memory) {
        Class<?> type = Binding.type("LoadOptions");
        try {
            Object options = type.getConstructor().newInstance();
            options = Binding.call(options, "newMemory", new Class<?>[] {long.class}, memory == 0 ? NO_LIMIT : memory);
            options = Binding.call(options, "unshared");
            return new NativeFilter(Binding.call(Binding.type("Filter"), "load",
                new Class<?>[] {byte[].class, Duration.class, type}, snapshot, Duration.ZERO, options));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isNew(byte[] key, long tick) {
        try {
            return (Object) BYTES.invokeExact(filter, key, tick) == NEW;
        } catch (Throwable e) {
            throw Binding.rethrown(e);
        }
    }

    boolean isNew(long key, long tick) {
        try {
            return (Object) NUMBER.invokeExact(filter, key, tick) == NEW;
        } catch (Throwable e) {
            throw Binding.rethrown(e);
        }
    }

    /** Shows a key; how long ago it was seen at least, in nanoseconds, unsigned, or {@link #NEVER}. */
    long age(byte[] key, long tick) {
        try {
            return age((Object) AGE_OF_BYTES.invokeExact(filter, key, tick));
        } catch (Throwable e) {
            throw Binding.rethrown(e);
        }
    }

    long age(long key, long tick) {
        try {
            return age((Object) AGE_OF_NUMBER.invokeExact(filter, key, tick));
        } catch (Throwable e) {
            throw Binding.rethrown(e);
        }
    }

    private static long age(Object sighting) throws Throwable {
        return (Object) VERDICT.invokeExact(sighting) == NEW ? NEVER : (long) AT_LEAST.invokeExact(sighting);
    }

    /** Makes a key as young as one that is seen for the first time; `K` is the type of the key. */
    <K> void renew(Class<K> type, K key, long tick) {
        Binding.call(Binding.call(filter, "at", new Class<?>[] {long.class}, tick), "insert", new Class<?>[] {type}, key);
    }

    /** Lets time pass, so that what is too old gives its memory back also where no records come. */
    void advance(long tick) {
        Binding.call(filter, "advance", new Class<?>[] {long.class}, tick);
    }

    /** What the filter knows of itself. */
    Figures figures() {
        return new Figures(Binding.call(filter, "stats"));
    }

    byte[] snapshot() {
        return (byte[]) Binding.call(filter, "snapshot");
    }

    NativeFilter copy() {
        return new NativeFilter(Binding.call(filter, "copy"));
    }

    void writeTo(OutputStream out) throws IOException {
        Binding.call(filter, "writeTo", new Class<?>[] {OutputStream.class}, out);
    }

    @Override
    public void close() {
        Binding.call(filter, "close");
    }

    /** Figures of one filter. */
    static final class Figures {
        final long bytes;
        final long forgotten;
        final Duration reach;
        final double errorRate;

        private Figures(Object stats) {
            bytes = (Long) Binding.call(stats, "bytes");
            forgotten = (Long) Binding.call(stats, "forgotten");
            reach = (Duration) Binding.call(stats, "reach");
            errorRate = (Double) Binding.call(stats, "errorRate");
        }
    }
}
