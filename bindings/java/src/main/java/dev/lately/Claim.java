package dev.lately;

import java.time.Instant;

/**
 * The answer to a claim: a verdict, and, if it is {@link Verdict#NEW}, the claim that the caller has now. It counts the key as
 * seen only once its work is done: closed before {@link #commit}, it is abandoned, and the next claim of the key is new.
 *
 * <pre>{@code
 * try (Claim claim = seen.claim("order-17")) {
 *     if (claim.isNew()) {
 *         work();          // throws: the claim is abandoned
 *         claim.commit();
 *     }
 * }
 * }</pre>
 *
 * <p>It has a copy of the key. One thread at a time.
 */
public final class Claim implements AutoCloseable {
    private final Calls calls;
    private final byte[] key;
    private final Verdict verdict;
    private final long token;
    private boolean open;

    Claim(Calls calls, byte[] key, Verdict verdict, long token) {
        this.calls = calls;
        this.key = key;
        this.verdict = verdict;
        this.token = token;
        this.open = verdict == Verdict.NEW;
    }

    /**
     * Who does the work: with {@link Verdict#NEW} the caller; with {@link Verdict#DUPLICATE} it is done; with
     * {@link Verdict#PENDING} another caller is doing it.
     */
    public Verdict verdict() {
        return verdict;
    }

    /** Whether the work is the caller's. */
    public boolean isNew() {
        return verdict == Verdict.NEW;
    }

    /**
     * The token for {@code commit} and {@code abandon} of every filter that has the claim, also of one from a snapshot. 64
     * bits without a sign; 0 unless the verdict is {@link Verdict#NEW}.
     */
    public long token() {
        return token;
    }

    /**
     * Stores the key: the work is done. With a manual clock, at the clock as it is.
     *
     * @throws LatelyException with {@link Status#CLAIM} if the claim was ended here, or was not new
     */
    public Committed commit() {
        return end(Native.NOW);
    }

    /**
     * Stores the key, at a tick of a manual clock.
     *
     * @param tick unsigned nanoseconds
     * @throws LatelyException as {@link #commit}; if the clock is not manual, or the tick is refused, and then the claim is still open
     */
    public Committed commitAt(long tick) {
        return end(Ticks.expect(tick));
    }

    /** {@link #commitAt(long)} of a date: {@link Ticks#of}. */
    public Committed commitAt(Instant when) {
        return commitAt(Ticks.of(when));
    }

    /** A commit that failed leaves the claim as it was. */
    private Committed end(long tick) {
        if (!open) {
            throw new LatelyException(Status.CLAIM, null, "the claim was committed or abandoned before, or was not new");
        }
        Committed found = calls.commit(KeyVerbs.COMMIT, key, token, tick);
        open = false;
        return found;
    }

    /**
     * Closes the claim of work that failed, so that the next claim of the key is new. Nothing happens to one that was ended, or
     * that was not new.
     */
    public void abandon() {
        if (open) {
            calls.abandon(key, token);
            open = false;
        }
    }

    /** As {@link #abandon}, and never throws: if the filter cannot do it, the lease ends the claim. */
    @Override
    public void close() {
        try {
            abandon();
        } catch (LatelyException | IllegalStateException e) {
            open = false;
        }
    }

    /** Verdict and token, for a log; the key is not shown. */
    @Override
    public String toString() {
        return "Claim[verdict=" + verdict + ", token=" + Long.toUnsignedString(token) + "]";
    }
}
