package dev.lately.flink;

/** Which keys were seen: asking shows the key, too. The hash of a key is the one that its records are keyed by. */
interface Seen {
    boolean isNew(int hash, byte[] key);

    boolean isNew(int hash, long key);
}
