package dev.lately.flink;

import java.util.HashMap;
import java.util.Map;

/** The exact answer: when each key was seen last, by the operator's clock. What it may say wrong is counted. */
final class Oracle {
    private final long window;
    private final Map<Long, Long> last = new HashMap<>();
    private long clock = Long.MIN_VALUE;
    private long watermark = Long.MIN_VALUE;

    /** Records whose key was not seen, and those of them that were held back. */
    long unseen;
    long heldBack;
    /** Records whose key was seen within the window; those that passed; those before the window. */
    long repeats;
    long missed;
    long late;

    Oracle(long window) {
        this.window = window;
    }

    void watermark(long time) {
        watermark = Math.max(watermark, time);
        clock = Math.max(clock, time);
    }

    boolean isLate(long time) {
        return watermark != Long.MIN_VALUE && time < watermark - window;
    }

    /** Takes what the operator said of a record that is not late. */
    void judge(long id, long time, boolean passed) {
        clock = Math.max(clock, time);
        Long before = last.get(id);
        long age = before == null ? Long.MAX_VALUE : clock - before;
        if (age <= window) {
            repeats++;
            missed += passed ? 1 : 0;
        } else if (age > window + window / 7) {
            unseen++;
            heldBack += passed ? 0 : 1;
        }
        last.put(id, clock);
    }

    /** The most that may be held back: the rate, and what chance adds in one case of two hundred. */
    double most(double rate) {
        return unseen * rate + 2.58 * Math.sqrt(unseen * rate);
    }
}
