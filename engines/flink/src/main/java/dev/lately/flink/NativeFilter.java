package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
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
    /** The largest unsigned number, as the binding writes it. */
    private static final long NO_LIMIT = -1;
    private static final Object NEW = Binding.constant("Verdict", "NEW");
    private static final MethodHandle AT = Binding.handle("Filter", "at",
        MethodType.methodType(Binding.type("FilterAt"), long.class),
        MethodType.methodType(Object.class, Object.class, long.class));
    private static final MethodHandle BYTES = observe(byte[].class);
    private static final MethodHandle NUMBER = observe(long.class);

    private final Object filter;

    private NativeFilter(Object filter) {
        this.filter = filter;
    }

    /** {@code filter.at(tick).observe(key)} as one call of filter, key and tick. */
    private static MethodHandle observe(Class<?> key) {
        MethodHandle call = Binding.handle("FilterAt", "observe", MethodType.methodType(Binding.type("Verdict"), key),
            MethodType.methodType(Object.class, Object.class, key));
        MethodHandle inOrder = MethodHandles.collectArguments(call, 0, AT);
        MethodType shape = MethodType.methodType(Object.class, Object.class, key, long.class);
        return MethodHandles.permuteArguments(inOrder, shape, 0, 2, 1);
    }

    /** A filter that has seen nothing; `memory` 0 is no limit, and `keys` 0 that the keys of a window are not known. */
    static NativeFilter of(Settings settings, long memory, long keys) {
        Object builder = Binding.call(Binding.type("Options"), "window", new Class<?>[] {Duration.class},
            Duration.ofNanos(settings.window));
        Binding.call(builder, "lateness", new Class<?>[] {Duration.class}, Duration.ofNanos(settings.lateness));
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
        return loaded("load", byte[].class, snapshot, memory);
    }

    /** The same from a stream, which is read up to the end of the snapshot. */
    static NativeFilter read(InputStream snapshot, long memory) throws IOException {
        return loaded("readFrom", InputStream.class, snapshot, memory);
    }

    private static NativeFilter loaded(String how, Class<?> from, Object snapshot, long memory) {
        Class<?> type = Binding.type("LoadOptions");
        try {
            Object options = type.getConstructor().newInstance();
            options = Binding.call(options, "newMemory", new Class<?>[] {long.class}, memory == 0 ? NO_LIMIT : memory);
            options = Binding.call(options, "unshared");
            return new NativeFilter(Binding.call(Binding.type("Filter"), how, new Class<?>[] {from, Duration.class, type},
                snapshot, Duration.ZERO, options));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Shows a key at the tick of its record, which may be below that of an earlier one by the lateness. */
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

    /** Lets time pass, so that what is too old gives its memory back also where no records come. */
    void advance(long tick) {
        Binding.call(filter, "advance", new Class<?>[] {long.class}, tick);
    }

    /** The statistics of the filter. */
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
