package dev.lately;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The verbs of claims, by all that a key may be: of a {@link Filter} now, of a {@link FilterAt} at its moment. A claim is an
 * observation in two steps, so that the record whose work failed is not lost. It needs {@link Options.Builder#lease}.
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
     * @param key the key; no bytes are a key like any other
     * @return the verdict, and the claim
     * @throws LatelyException with {@link Status#UNSUPPORTED} without a lease; {@link Status#FULL} if
     *     {@link Options.Builder#maxClaims} claims are open; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Claim claim(byte[] key) {
        return calls.claim(Native.CLAIM, key.clone(), tick);
    }

    /**
     * Tests a key, and claims it if it was not seen: {@link Verdict#NEW} is for one caller, who does the record's work and
     * commits. Until then every other claim of the key is {@link Verdict#PENDING}, and {@code observe} is
     * {@link Verdict#DUPLICATE} and stores nothing. After the lease the key is new again.
     *
     * @param key the key, from position to limit, which stay as they are
     * @return the verdict, and the claim
     * @throws LatelyException with {@link Status#UNSUPPORTED} without a lease; {@link Status#FULL} if
     *     {@link Options.Builder#maxClaims} claims are open; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Claim claim(ByteBuffer key) {
        return calls.claim(Native.CLAIM, Bytes.of(key), tick);
    }

    /**
     * Tests a key, and claims it if it was not seen: {@link Verdict#NEW} is for one caller, who does the record's work and
     * commits. Until then every other claim of the key is {@link Verdict#PENDING}, and {@code observe} is
     * {@link Verdict#DUPLICATE} and stores nothing. After the lease the key is new again.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return the verdict, and the claim
     * @throws LatelyException with {@link Status#UNSUPPORTED} without a lease; {@link Status#FULL} if
     *     {@link Options.Builder#maxClaims} claims are open; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Claim claim(CharSequence key) {
        return calls.claim(Native.CLAIM, Bytes.of(key), tick);
    }

    /**
     * Tests a key, and claims it if it was not seen: {@link Verdict#NEW} is for one caller, who does the record's work and
     * commits. Until then every other claim of the key is {@link Verdict#PENDING}, and {@code observe} is
     * {@link Verdict#DUPLICATE} and stores nothing. After the lease the key is new again.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict, and the claim
     * @throws LatelyException with {@link Status#UNSUPPORTED} without a lease; {@link Status#FULL} if
     *     {@link Options.Builder#maxClaims} claims are open; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Claim claim(long key) {
        return calls.claim(Native.CLAIM, Bytes.of(key), tick);
    }

    /**
     * Tests a key, and claims it if it was not seen: {@link Verdict#NEW} is for one caller, who does the record's work and
     * commits. Until then every other claim of the key is {@link Verdict#PENDING}, and {@code observe} is
     * {@link Verdict#DUPLICATE} and stores nothing. After the lease the key is new again.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return the verdict, and the claim
     * @throws LatelyException with {@link Status#UNSUPPORTED} without a lease; {@link Status#FULL} if
     *     {@link Options.Builder#maxClaims} claims are open; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Claim claim(UUID key) {
        return calls.claim(Native.CLAIM, Bytes.of(key), tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param key the key; no bytes are a key like any other
     * @param token that of the claim: {@link Claim#token}
     * @return what the commit found
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Committed commit(byte[] key, long token) {
        return calls.commit(Native.COMMIT, key, token, tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param token that of the claim: {@link Claim#token}
     * @return what the commit found
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Committed commit(ByteBuffer key, long token) {
        return calls.commit(Native.COMMIT, Bytes.of(key), token, tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @param token that of the claim: {@link Claim#token}
     * @return what the commit found
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Committed commit(CharSequence key, long token) {
        return calls.commit(Native.COMMIT, Bytes.of(key), token, tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param key the key, as 8 bytes little-endian
     * @param token that of the claim: {@link Claim#token}
     * @return what the commit found
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Committed commit(long key, long token) {
        return calls.commit(Native.COMMIT, Bytes.of(key), token, tick);
    }

    /**
     * Stores the key of a claim whose work is done, by its token, and closes the claim, which may be of another process. After
     * the lease the key is stored too, unless the filter contains it.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @param token that of the claim: {@link Claim#token}
     * @return what the commit found
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease; if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Committed commit(UUID key, long token) {
        return calls.commit(Native.COMMIT, Bytes.of(key), token, tick);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter.
     *
     * @param key the key; no bytes are a key like any other
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease
     * @throws IllegalStateException if the filter is closed
     */
    public void abandon(byte[] key, long token) {
        calls.abandon(key, token);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease
     * @throws IllegalStateException if the filter is closed
     */
    public void abandon(ByteBuffer key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease
     * @throws IllegalStateException if the filter is closed
     */
    public void abandon(CharSequence key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter.
     *
     * @param key the key, as 8 bytes little-endian
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease
     * @throws IllegalStateException if the filter is closed
     */
    public void abandon(long key, long token) {
        calls.abandon(Bytes.of(key), token);
    }

    /**
     * Closes the claim of work that failed, by its token, so that the next claim of the key is new. Nothing changes if it is not
     * open any more. The moment does not matter.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @param token that of the claim: {@link Claim#token}
     * @throws LatelyException with {@link Status#CLAIM} if the token was never given out for this key;
     *     {@link Status#UNSUPPORTED} without a lease
     * @throws IllegalStateException if the filter is closed
     */
    public void abandon(UUID key, long token) {
        calls.abandon(Bytes.of(key), token);
    }
}
