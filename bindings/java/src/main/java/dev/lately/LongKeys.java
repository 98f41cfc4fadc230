package dev.lately;

/** Keys of one number each: their 8 bytes, or their hashes. */
final class LongKeys extends Keys {
    private final long[] words;
    private final long[] ticks;
    private final boolean areHashes;

    LongKeys(long[] words, long[] ticks, boolean areHashes) {
        this.words = words;
        this.ticks = ticks;
        this.areHashes = areHashes;
    }

    @Override
    public Keys at(long[] when) {
        checkTicks(when.length);
        return new LongKeys(words, when, areHashes);
    }

    @Override
    public int count() {
        return words.length;
    }

    @Override
    void into(long handle, int verb, byte[] verdicts) {
        if (verdicts != null) {
            checkVerdicts(verb, verdicts.length);
        }
        Native.words(handle, verb, areHashes, words, ticks, verdicts);
    }
}
