package dev.lately.flink;

import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The filters of a subtask, one for each of its key groups that has seen a key. The task thread alone changes it; others may
 * ask for {@link #figures} meanwhile.
 *
 * <pre>
 *  key --hash--&gt; key group --&gt; filter          128 groups, say, over all subtasks; a group and its filter move as one
 *  memory --{@link Shares}--&gt; limit of each filter     a filter gets another limit by being saved and loaded
 * </pre>
 *
 * <p>A filter with little memory takes all of it at once, and keeps it. So it begins with no more than its share would be if all
 * groups had keys, which nobody else needs, and gets the limit that it has now by being loaded: up to that it grows.
 */
final class FilterBank implements Seen, AutoCloseable {

    private final Settings settings;
    private final OperatorClock clock;
    final KeyGroupRange groups;
    private final int maxParallelism;
    private final MemoryShare memory;
    private final Shares shares;
    private final AtomicReferenceArray<NativeFilter> filters;
    /** The limit of each filter, in bytes; 0: none, or no filter. */
    private final long[] granted;
    private long grantedInAll;
    private int held;
    /** What the filters have in use that were loaded. */
    private long loaded;

    FilterBank(Settings settings, OperatorClock clock, MemoryShare memory, KeyGroupRange groups, int maxParallelism) {
        int count = groups.getNumberOfKeyGroups();
        this.settings = settings;
        this.clock = clock;
        this.groups = groups;
        this.maxParallelism = maxParallelism;
        this.memory = memory;
        this.shares = new Shares(memory.limit, count);
        this.filters = new AtomicReferenceArray<>(count);
        this.granted = new long[count];
    }

    /**
     * Makes a filter as the first key would, and gives it back: what cannot work, a native library that is missing or settings
     * that no filter can have, fails the start of a job and not its first record.
     */
    void tryOne() {
        Binding.expectLoaded();
        try {
            first(shares.isLimited() ? shares.even() : 0).close();
        } catch (RuntimeException e) {
            throw Binding.type("LatelyException").isInstance(e) || e instanceof IllegalArgumentException
                ? new SettingException("no filter can be made of these settings for a key group: " + e.getMessage(), e) : e;
        }
    }

    /** Bytes that all filters may take, with what sets them. */
    String memory() {
        return memory.name + " = " + shares.memory;
    }

    @Override
    public boolean isNew(int hash, byte[] key) {
        return of(hash).isNew(key, clock.tickOfRecord());
    }

    @Override
    public boolean isNew(int hash, long key) {
        return of(hash).isNew(key, clock.tickOfRecord());
    }

    /** The filter of the group that Flink puts this hash of a key into. */
    NativeFilter of(int keyHash) {
        int at = KeyGroupRangeAssignment.computeKeyGroupForKeyHash(keyHash, maxParallelism) - groups.getStartKeyGroup();
        if (at < 0 || at >= filters.length()) {
            throw new SettingException("a record came to the subtask of key groups " + groups.getStartKeyGroup() + " to "
                + groups.getEndKeyGroup() + ", and its key group is " + (at + groups.getStartKeyGroup())
                + ": key the stream by Deduplicate.keySelector(), and give the same key for the same record every time");
        }
        NativeFilter filter = filters.get(at);
        return filter == null ? begin(at) : filter;
    }

    private NativeFilter begin(int at) {
        held++;
        if (!shares.isLimited()) {
            return put(at, first(0), 0);
        }
        long limit = limitOfAnother();
        long begins = Math.min(limit, shares.even());
        NativeFilter filter = put(at, first(begins), begins);
        return limit > begins ? limit(at, limit) : filter;
    }

    /** A filter without keys. A load that raises its limit keeps its error within the rate. */
    private NativeFilter first(long limit) {
        return NativeFilter.of(settings, limit, settings.expectedKeysOf(maxParallelism));
    }

    private long limitOfAnother() {
        if (shares.changes(held)) {
            divide();
        }
        return Math.min(shares.share(held), shares.left(held, grantedInAll));
    }

    /** Gives every filter its share, as far as what others have in use allows. */
    private void divide() {
        long[] used = new long[granted.length];
        for (int at = 0; at < used.length; at++) {
            used[at] = filters.get(at) == null ? 0 : Math.max(1, filters.get(at).figures().bytes);
        }
        long[] shared = shares.divide(used, held);
        for (int at = 0; at < used.length; at++) {
            if (shared[at] != granted[at]) {
                limit(at, shared[at]);
            }
        }
    }

    /**
     * There is another limit only for what is loaded. Where a larger one would need wider cells and has no room for them, the filter
     * keeps the one that it has.
     */
    private NativeFilter limit(int at, long limit) {
        NativeFilter before = filters.get(at);
        NativeFilter filter;
        try {
            filter = NativeFilter.of(before.snapshot(), limit);
        } catch (RuntimeException e) {
            if (!StateException.hasStatus(e, "OPTION")) {
                throw e;
            }
            return before;
        }
        before.close();
        return put(at, filter, limit);
    }

    private NativeFilter put(int at, NativeFilter filter, long limit) {
        grantedInAll += limit - granted[at];
        granted[at] = limit;
        filters.set(at, filter);
        return filter;
    }

    /** The filter of a group, null if it has seen no key. */
    NativeFilter ofGroup(int group) {
        return filters.get(group - groups.getStartKeyGroup());
    }

    /**
     * Loads the filter of a group. How many hold keys is not known yet, nor what its table takes, since a snapshot has no free
     * cells: until {@link #loaded} it may take what those before it left.
     */
    void load(int group, InputStream snapshot) throws IOException {
        held++;
        long limit = shares.isLimited() ? shares.left(held, loaded) : 0;
        NativeFilter filter = NativeFilter.read(snapshot, limit);
        loaded += Math.max(Shares.LEAST, filter.figures().bytes);
        put(group - groups.getStartKeyGroup(), filter, limit);
    }

    /** All groups were loaded. */
    void loaded() {
        if (shares.isLimited()) {
            divide();
        }
    }

    /** Lets time pass for all of them. */
    void advance(long tick) {
        forEach(filter -> filter.advance(tick));
    }

    /** What all of them come to, for metrics: from any thread, also while the bank is closed. */
    Figures figures() {
        Figures sum = new Figures();
        forEach(filter -> {
            try {
                sum.add(filter.figures());
            } catch (IllegalStateException e) {
                // It was closed since; the job has ended, and its figures are not needed.
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
        /** Bytes of all filters. */
        long bytes;
        /** The most bytes that they may take; 0: no limit. */
        final long memory = shares.memory;
        /** Keys that were forgotten because memory was short. */
        long forgotten;
        /** How far back the shortest window of a group reaches, in nanoseconds. */
        long reach = settings.window;
        private double errorRates;

        private void add(NativeFilter.Figures one) {
            bytes += one.bytes;
            forgotten += one.forgotten;
            reach = Math.min(reach, one.reach.toNanos());
            errorRates += one.errorRate;
        }

        /** The chance that a key that was not seen is held back: keys fall into all groups alike. */
        double errorRate() {
            return errorRates / filters.length();
        }
    }
}
