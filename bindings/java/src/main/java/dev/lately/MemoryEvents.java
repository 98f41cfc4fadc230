package dev.lately;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Reports the memory of all open filters to the flight recorder, at times of its choice. Nothing happens until somebody records.
 * The recorder calls back under a lock of its own, so nothing here waits for one of ours.
 */
final class MemoryEvents implements FlightRecorderListener, Runnable {
    private static volatile MemoryEvents current;

    private MemoryEvents() {
    }

    static boolean isPossible() {
        return FlightRecorder.isAvailable();
    }

    static boolean areOn() {
        return current != null;
    }

    /** Turns the events on or off; to be called by one thread at a time. */
    static void turn(boolean on) {
        MemoryEvents before = current;
        if (on && before == null) {
            MemoryEvents now = new MemoryEvents();
            current = now;
            FlightRecorder.addListener(now);
        } else if (!on && before != null) {
            current = null;
            FlightRecorder.removeListener(before);
            FlightRecorder.removePeriodicEvent(before);
        }
    }

    /** There is a recorder: now, or since before. */
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        FlightRecorder.addPeriodicEvent(NativeMemoryEvent.class, this);
    }

    /** One event. Whoever was turned off while a recorder began takes itself away here. */
    @Override
    public void run() {
        if (current != this) {
            FlightRecorder.removePeriodicEvent(this);
            return;
        }
        NativeMemoryEvent event = new NativeMemoryEvent();
        event.bytes = OpenFilters.bytes();
        event.filters = OpenFilters.count();
        event.commit();
    }
}
