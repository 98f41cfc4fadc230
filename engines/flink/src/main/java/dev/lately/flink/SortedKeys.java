package dev.lately.flink;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of a stream that Flink sorted: BATCH. Records come by the hash of their key, and those of one hash by their time. So
 * no filter is needed: the keys of one hash are kept as they are, with the time of each, and forgotten with the next hash.
 *
 * <pre>
 *  hash  2112              2112              2112              2113
 *  key   Aa, 10:00:00      BB, 10:00:01      Aa, 10:00:02      Ab, 09:00:00
 *        new               new               seen 2 s ago      new; Aa and BB are forgotten
 * </pre>
 *
 * <p>Keys that are older than the window go, too: what is kept are those of one hash and one window, the oldest first.
 */
final class SortedKeys implements Seen {
    /** A larger map is not emptied for the next hash, but made again: to empty it takes as long as it once was large. */
    private static final int SMALL = 32;

    private final long window;
    private final boolean keepFirst;
    private Map<Object, Long> times = new LinkedHashMap<>();
    private int most;
    private int hash;
    private long now;

    /** The window is in milliseconds. */
    SortedKeys(long window, boolean keepFirst) {
        this.window = window;
        this.keepFirst = keepFirst;
    }

    /** The time of the record whose key comes next, in milliseconds. */
    void at(long time) {
        now = time;
    }

    @Override
    public boolean isNew(int hash, byte[] key) {
        // A copy: the array may be that of the next record, too.
        return isNew(hash, ByteBuffer.wrap(key.clone()));
    }

    @Override
    public boolean isNew(int hash, long key) {
        return isNew(hash, (Object) key);
    }

    private boolean isNew(int hash, Object key) {
        if (hash != this.hash) {
            forgetAll();
            this.hash = hash;
        }
        forgetOld();
        boolean isNew = !times.containsKey(key);
        if (isNew || !keepFirst) {
            // Behind all others, wherever it was.
            times.remove(key);
            times.put(key, now);
            most = Math.max(most, times.size());
        }
        return isNew;
    }

    private void forgetAll() {
        if (most > SMALL) {
            times = new LinkedHashMap<>();
            most = 0;
        } else {
            times.clear();
        }
    }

    private void forgetOld() {
        Iterator<Long> oldest = times.values().iterator();
        while (oldest.hasNext() && isOld(oldest.next())) {
            oldest.remove();
        }
    }

    /** Times of a hash do not run back, and what lies between any two is an unsigned number. */
    private boolean isOld(long time) {
        return now > time && Long.compareUnsigned(now - time, window) > 0;
    }

    /** For tests. */
    int kept() {
        return times.size();
    }
}
