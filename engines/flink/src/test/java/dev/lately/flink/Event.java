package dev.lately.flink;

/** A record of the tests: a POJO, as Flink likes it. */
public class Event {
    public long id;
    public long time;

    public Event() {
    }

    Event(long id, long time) {
        this.id = id;
        this.time = time;
    }

    /** 36 characters, as many ids have. */
    String text() {
        return String.format("%016x-%019d", id * 0x9E3779B97F4A7C15L, id);
    }

    @Override
    public String toString() {
        return "event " + id + " of " + time;
    }
}
