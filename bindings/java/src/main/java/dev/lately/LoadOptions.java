package dev.lately;

import java.util.Objects;

/**
 * The options for loading a snapshot, apart from its bytes and the time that passed. Immutable: every method that sets something
 * returns another one.
 *
 * <pre>{@code
 * LoadOptions options = new LoadOptions().memory(64 << 20).secret(secret);
 * }</pre>
 */
public final class LoadOptions {
    private static final Secret NONE = new Secret(0, 0);
    /** As newMemory takes it. */
    private static final long NO_LIMIT = -1;

    private final long memory;
    private final long newMemory;
    private final Secret secret;
    private final boolean shared;

    /** No limit of memory except the snapshot's own size, no secret, a filter for any number of threads. */
    public LoadOptions() {
        this(0, 0, NONE, true);
    }

    private LoadOptions(long memory, long newMemory, Secret secret, boolean shared) {
        this.memory = memory;
        this.newMemory = newMemory;
        this.secret = secret;
        this.shared = shared;
    }

    /**
     * The most bytes that the cells of the filter may take, as {@link Options.Builder#memory} counts them: for bytes
     * that come from outside. For a window of time it becomes the permanent limit if it is lower than the saved one; a
     * window of keys is bound by it until it is saved; other filters do not grow.
     *
     * @param bytes 1 or more; leave it out for no limit
     */
    public LoadOptions memory(long bytes) {
        return new LoadOptions(Options.Builder.checkedSize(Field.MEMORY, bytes), newMemory, secret, shared);
    }

    /**
     * The limit of a filter with a window of time from now on, in place of the one that it was saved with: less or more than
     * that. What was forgotten under the old limit does not come back: the window reaches as far as it should once a
     * window has passed. Cells that take more already are {@link Status#TOO_LARGE}. A filter of another window does not
     * grow: of that this is checked and nothing else. With it, {@link #memory} binds only what is loaded.
     *
     * @param bytes 1 or more; -1, which is 2^64 - 1, takes the limit away
     */
    public LoadOptions newMemory(long bytes) {
        if (bytes == 0 || bytes < NO_LIMIT) {
            throw new LatelyException(Status.OPTION, Field.MEMORY,
                Messages.outOfRange("newMemory", bytes + " bytes", "at least 1 byte, or -1 for no limit"));
        }
        return new LoadOptions(memory, bytes, secret, shared);
    }

    /** The secret of a keyed filter, which no snapshot contains. */
    public LoadOptions secret(Secret of) {
        return new LoadOptions(memory, newMemory, Objects.requireNonNull(of, "secret"), shared);
    }

    /** A filter for one thread at a time, as {@link Filter#unshared} builds it. */
    public LoadOptions unshared() {
        return new LoadOptions(memory, newMemory, secret, false);
    }

    long memory() {
        return memory;
    }

    long newMemory() {
        return newMemory;
    }

    /** The most bytes that the cells of the snapshot may take, unsigned; 0 is no limit. */
    long limit() {
        return Long.compareUnsigned(newMemory - 1, memory - 1) < 0 ? newMemory : memory;
    }

    Secret secret() {
        return secret;
    }

    boolean isShared() {
        return shared;
    }

    /** The given options; a secret is not shown. */
    @Override
    public String toString() {
        return "LoadOptions[" + shown("memory", memory) + shown("newMemory", newMemory) + (secret.equals(NONE) ? "" : "secret=hidden, ") + "shared=" + shared + "]";
    }

    private static String shown(String name, long bytes) {
        return bytes == 0 ? "" : name + "=" + Long.toUnsignedString(bytes) + ", ";
    }
}
