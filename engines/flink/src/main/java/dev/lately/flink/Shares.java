package dev.lately.flink;

/**
 * How the memory of a subtask is divided over its key groups. Each has {@link #LEAST} in any case, so that one that gets its
 * first key has somewhere to put it; the rest is divided over those that hold keys.
 *
 * <pre>
 *  8 groups, memory 100 KiB: 8 KiB are theirs, 92 KiB are the rest
 *  groups with keys    1        2        3 or 4    5 to 8
 *  share of each       93 KiB   47 KiB   24 KiB    12.5 KiB
 * </pre>
 *
 * <p>The rest is divided by powers of two, so that the shares of a subtask change a few times and not with every group. What a
 * filter has in use is not taken from it: it keeps that, and less is left for others. So all that is granted is never more
 * than the memory.
 */
final class Shares {
    /** With less a filter is too coarse to hold a window at all. */
    static final long LEAST = 1024;

    final long memory;
    private final int groups;

    /** `memory` 0: no limit. */
    Shares(long memory, int groups) {
        this.memory = memory;
        this.groups = groups;
        if (memory > 0 && memory / groups < LEAST) {
            throw SettingException.outOfRange("memoryPerSubtask", memory + " bytes", "0 (no limit) or at least "
                + LEAST * groups + " bytes, which is " + LEAST + " bytes for each of the " + groups + " key groups of this subtask");
        }
    }

    boolean isLimited() {
        return memory > 0;
    }

    /** The share of a group when that number of groups has keys. */
    long share(int held) {
        return LEAST + (memory - LEAST * groups) / parts(held);
    }

    /** A power of two that is not less than the number of groups with keys, or all groups. */
    private int parts(int held) {
        return held <= 1 ? 1 : Math.min(groups, Integer.highestOneBit(held - 1) << 1);
    }

    /** The share when all hold keys, which is the least share. */
    long even() {
        return share(groups);
    }

    /** Whether the share is another since there is one group more with keys. */
    boolean changes(int held) {
        return parts(held) != parts(held - 1);
    }

    /** What is left for one group more, by the number of groups with keys, itself included, and the memory of the others. */
    long left(int held, long others) {
        return memory - others - LEAST * (groups - held);
    }

    /** What each group may have, by what it has in use (0 if it has no filter yet) and the number of groups with keys. */
    long[] divide(long[] used, int held) {
        long[] granted = new long[groups];
        int withFilter = 0;
        long all = 0;
        for (int i = 0; i < groups; i++) {
            granted[i] = used[i] == 0 ? 0 : Math.max(LEAST, used[i]);
            withFilter += used[i] == 0 ? 0 : 1;
            all += granted[i];
        }
        long left = left(withFilter, all);
        for (int i = 0; i < groups; i++) {
            long more = granted[i] == 0 ? 0 : Math.max(0, Math.min(left, share(held) - granted[i]));
            granted[i] += more;
            left -= more;
        }
        return granted;
    }
}
