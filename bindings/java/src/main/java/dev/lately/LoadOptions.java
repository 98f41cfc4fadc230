package dev.lately;

import java.util.Objects;

/**
 * What loading a snapshot needs beside its bytes and the time that passed. Immutable: every method that sets something
 * returns another one.
 *
 * <pre>{@code
 * LoadOptions options = new LoadOptions().memory(64 << 20).secret(secret);
 * }</pre>
 */
public final class LoadOptions {
    private static final Secret NONE = new Secret(0, 0);

    private final long memory;
    private final Secret secret;
    private final boolean shared;

    /** No limit of memory but the snapshot's own size, no secret, a filter for any number of threads. */
    public LoadOptions() {
        this(0, NONE, true);
    }

    private LoadOptions(long memory, Secret secret, boolean shared) {
        this.memory = memory;
        this.secret = secret;
        this.shared = shared;
    }

    /**
     * The most bytes that the cells of the filter may take, as {@link Options.Builder#memory} counts them: for bytes
     * that come from outside.
     *
     * @param bytes unsigned; 0 is no limit
     * @return options with that limit
     */
    public LoadOptions memory(long bytes) {
        return new LoadOptions(Options.Builder.given(Field.MEMORY, bytes), secret, shared);
    }

    /**
     * The secret of a keyed filter, which a snapshot does not hold.
     *
     * @param of what {@link Filter#secret} said
     * @return options with that secret
     */
    public LoadOptions secret(Secret of) {
        return new LoadOptions(memory, Objects.requireNonNull(of, "secret"), shared);
    }

    /**
     * A filter for one thread at a time, as {@link Filter#unshared} builds it.
     *
     * @return options for such a filter
     */
    public LoadOptions unshared() {
        return new LoadOptions(memory, secret, false);
    }

    long memory() {
        return memory;
    }

    Secret secret() {
        return secret;
    }

    boolean isShared() {
        return shared;
    }

    /** What was given; a secret is not shown. */
    @Override
    public String toString() {
        String limit = memory == 0 ? "" : "memory=" + Long.toUnsignedString(memory) + ", ";
        return "LoadOptions[" + limit + (secret.equals(NONE) ? "" : "secret=hidden, ") + "shared=" + shared + "]";
    }
}
