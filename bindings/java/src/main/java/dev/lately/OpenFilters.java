package dev.lately;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The filters that are open, by their handles, and what they hold together. While there are any, the flight recorder of
 * the JVM reports it, if the JVM has one.
 */
final class OpenFilters {
    private static final Set<Handle> OPEN = ConcurrentHashMap.newKeySet();

    /** Whether this JVM has a flight recorder: a runtime image may come without. */
    private static final boolean HAS_RECORDER = hasRecorder();

    private OpenFilters() {
    }

    static void add(Handle handle) {
        OPEN.add(handle);
        follow();
    }

    static void remove(Handle handle) {
        OPEN.remove(handle);
        follow();
    }

    static int count() {
        return OPEN.size();
    }

    /** The cells of all of them, each memory once however many owners it has. */
    static long bytes() {
        Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        long bytes = 0;
        for (Handle handle : OPEN) {
            if (counted.add(handle.memory)) {
                bytes += bytesOf(handle, counted);
            }
        }
        return bytes;
    }

    /** Adds nothing for a handle that was closed just now; another owner of its memory may still count it. */
    private static long bytesOf(Handle handle, Set<Object> counted) {
        long bytes = handle.bytes();
        if (bytes < 0) {
            counted.remove(handle.memory);
            return 0;
        }
        return bytes;
    }

    /**
     * Begins with the first filter to follow the recorder, and ends with the last: what it knows of us would keep these
     * classes in memory. It looks again, for a filter may have come or gone meanwhile.
     */
    private static void follow() {
        while (HAS_RECORDER && MemoryEvents.areOn() == OPEN.isEmpty()) {
            synchronized (OPEN) {
                MemoryEvents.turn(!OPEN.isEmpty());
            }
        }
    }

    private static boolean hasRecorder() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, OpenFilters.class.getClassLoader());
            return MemoryEvents.isPossible();
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
