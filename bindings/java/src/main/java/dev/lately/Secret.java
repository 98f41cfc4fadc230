package dev.lately;

/** The 128-bit secret of a keyed filter. Keep it as you would a password. */
public final class Secret {
    private final long lo;
    private final long hi;

    /** A secret of two words; both 0 is no secret. */
    public Secret(long lo, long hi) {
        this.lo = lo;
        this.hi = hi;
    }

    /**
     * The secret whose 16 bytes are these 32 hexadecimal digits, the lowest of the low word first, as the other languages have it.
     *
     * @throws LatelyException with {@link Status#SECRET} if the text is anything else
     */
    public static Secret ofHex(String hex) {
        if (!hex.matches("[0-9A-Fa-f]{32}")) {
            throw new LatelyException(Status.SECRET, Field.SECRET_LO,
                Messages.outOfRange("secret", "(" + hex.length() + " characters)", "32 hexadecimal digits"));
        }
        return new Secret(
            Long.reverseBytes(Long.parseUnsignedLong(hex.substring(0, 16), 16)),
            Long.reverseBytes(Long.parseUnsignedLong(hex.substring(16), 16)));
    }

    /** The low word. */
    public long lo() {
        return lo;
    }

    /** The high word. */
    public long hi() {
        return hi;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret && ((Secret) other).lo == lo && ((Secret) other).hi == hi;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(lo) * 31 + Long.hashCode(hi);
    }

    /** Does not show the words, so that no log contains them. */
    @Override
    public String toString() {
        return "Secret[hidden]";
    }
}
