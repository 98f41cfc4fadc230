package dev.lately;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The verbs of claims, by all that a key may be: of a {@link Filter} now, of a {@link FilterAt} at its moment. A claim is an
 * observation in two steps, so that the record whose work failed is not lost. It needs {@link Options.Builder#lease}: without
 * one its verbs are a {@link LatelyException} with {@link Status#UNSUPPORTED}. They fail further as those of {@link KeyVerbs}.
 */
public abstract class ClaimVerbs extends KeyVerbs {
    ClaimVerbs(Calls calls, long tick) {
        super(calls, tick);
    }

    /**
     * Tests a key, and claims it if it was not seen: {@link Verdict#NEW} is for one caller, who does the record's work and
     * commits. Until then every other claim of the key is {@link Verdict#PENDING}, and {@code observe} is
     * {@link Verdict#DUPLICATE} and stores nothing. After the lease the key is new again.
     *
     * @throws LatelyException with {@link Status#FULL} if {@link Options.Builder#maxClaims} claims are open
     */
    public Claim claim(byte[] key) {
        return calls.claim(CLAIM, key.clone(), tick);
    }

    /** {@link #claim(byte[])} of a buffer. */
    public Claim claim(ByteBuffer key) {
        return calls.claim(CLAIM, Bytes.of(key), tick);
    }

    /** {@link #claim(byte[])} of a text. */
    public Claim claim(CharSequence key) {
        return calls.claim(CLAIM, Bytes.of(key), tick);
    }

    /** {@link #claim(byte[])} of a number. */
    public Claim claim(long key) {
        return calls.claim(CLAIM, Bytes.of(key), tick);
    }

    /** {@link #claim(byte[])} of a UUID. */
    public Claim claim(UUID key) {
        return calls.claim(CLAIM, Bytes.of(key), tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key
     */
    public Committed commit(byte[] key, long token) {
        return calls.commit(COMMIT, key, token, tick);
    }

    /** {@link #commit(byte[], long)} of a buffer. */
    public Committed commit(ByteBuffer key, long token) {
        return calls.commit(COMMIT, Bytes.of(key), token, tick);
    }

    /** {@link #commit(byte[], long)} of a text. */
    public Committed commit(CharSequence key, long token) {
        return calls.commit(COMMIT, Bytes.of(key), token, tick);
    }

    /** {@link #commit(byte[], long)} of a number. */
    public Committed commit(long key, long token) {
        return calls.commit(COMMIT, Bytes.of(key), token, tick);
    }

    /** {@link #commit(byte[], long)} of a UUID. */
    public Committed commit(UUID key, long token) {
        return calls.commit(COMMIT, Bytes.of(key), token, tick);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter. Its token and its failure are those of {@link #commit(byte[], long)}.
     */
    public void abandon(byte[] key, long token) {
        calls.abandon(key, token);
    }

    /** {@link #abandon(byte[], long)} of a buffer. */
    public void abandon(ByteBuffer key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /** {@link #abandon(byte[], long)} of a text. */
    public void abandon(CharSequence key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /** {@link #abandon(byte[], long)} of a number. */
    public void abandon(long key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /** {@link #abandon(byte[], long)} of a UUID. */
    public void abandon(UUID key, long token) {
        calls.abandon(Bytes.of(key), token);
    }
}
