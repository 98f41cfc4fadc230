package dev.lately.flink;

import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The filters of a subtask, one for each of its key groups that has seen a key. The task thread alone changes it; others may
 * ask for {@link #figures} meanwhile.
 *
 * <pre>
 *  key --hash--&gt; key group --&gt; filter          128 groups, say, over all subtasks; a group and its filter move as one
 * </pre>
 */
final class FilterBank implements AutoCloseable {
    /** With less a filter is too coarse to hold a window at all. */
    private static final long LEAST_SHARE = 1024;

    private final Settings settings;
    private final KeyGroupRange groups;
    private final int maxParallelism;
    private final long share;
    private final AtomicReferenceArray<NativeFilter> filters;

    FilterBank(Settings settings, KeyGroupRange groups, int maxParallelism) {
        this.settings = settings;
        this.groups = groups;
        this.maxParallelism = maxParallelism;
        this.share = share(settings.memory, groups.getNumberOfKeyGroups());
        this.filters = new AtomicReferenceArray<>(groups.getNumberOfKeyGroups());
    }

    private static long share(long memory, int groups) {
        if (memory > 0 && memory / groups < LEAST_SHARE) {
            throw new IllegalArgumentException("memoryPerSubtask = " + memory + ": allowed is 0 (no limit) or at least "
                + LEAST_SHARE * groups + ", which is " + LEAST_SHARE + " for each of the " + groups
                + " key groups of this subtask");
        }
        return memory / groups;
    }

    /** Bytes that the filter of one group may take; 0: no limit. */
    long share() {
        return share;
    }

    KeyGroupRange groups() {
        return groups;
    }

    /** The filter of the group that Flink puts this hash of a key into. */
    NativeFilter of(int keyHash) {
        int at = KeyGroupRangeAssignment.computeKeyGroupForKeyHash(keyHash, maxParallelism) - groups.getStartKeyGroup();
        if (at < 0 || at >= filters.length()) {
            throw new IllegalStateException("a record came to the subtask of key groups " + groups.getStartKeyGroup() + " to "
                + groups.getEndKeyGroup() + ", and its key group is " + (at + groups.getStartKeyGroup())
                + ": key the stream by Deduplicate.keySelector(), and give the same key for the same record every time");
        }
        NativeFilter filter = filters.get(at);
        return filter == null ? begin(at) : filter;
    }

    private NativeFilter begin(int at) {
        NativeFilter filter = NativeFilter.of(settings, share);
        filters.set(at, filter);
        return filter;
    }

    /** The filter of a group, null if it has seen no key. */
    NativeFilter ofGroup(int group) {
        return filters.get(group - groups.getStartKeyGroup());
    }

    /** Takes over a filter that was loaded. */
    void put(int group, NativeFilter filter) {
        NativeFilter before = filters.getAndSet(group - groups.getStartKeyGroup(), filter);
        if (before != null) {
            before.close();
        }
    }

    /** Lets time pass for all of them. */
    void advance(long tick) {
        forEach(filter -> filter.advance(tick));
    }

    /** What all of them come to, for metrics: from any thread, also while the bank is closed. */
    Figures figures() {
        Figures sum = new Figures(settings.window);
        forEach(filter -> {
            try {
                sum.add(filter.figures());
            } catch (IllegalStateException e) {
                // It was closed since; the job has ended, and nobody needs its figures.
            }
        });
        return sum;
    }

    private void forEach(Consumer<NativeFilter> what) {
        for (int at = 0; at < filters.length(); at++) {
            NativeFilter filter = filters.get(at);
            if (filter != null) {
                what.accept(filter);
            }
        }
    }

    @Override
    public void close() {
        forEach(NativeFilter::close);
    }

    /** Figures of a subtask. */
    final class Figures {
        private long bytes;
        private long forgotten;
        private long reach;
        private double errorRates;

        private Figures(long window) {
            this.reach = window;
        }

        private void add(NativeFilter.Figures one) {
            bytes += one.bytes;
            forgotten += one.forgotten;
            reach = Math.min(reach, one.reach.toNanos());
            errorRates += one.errorRate;
        }

        /** Bytes of all filters. */
        long bytes() {
            return bytes;
        }

        /** Keys that had to go for want of memory. */
        long forgotten() {
            return forgotten;
        }

        /** How far back the shortest window of a group reaches, in nanoseconds. */
        long reach() {
            return reach;
        }

        /** The chance that a key that was not seen is held back: keys fall into all groups alike. */
        double errorRate() {
            return errorRates / filters.length();
        }
    }
}
