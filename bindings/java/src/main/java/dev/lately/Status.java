package dev.lately;

/** The outcome of a call of the library. */
public enum Status {
    /** Done. */
    OK(0, "done"),
    /** A required pointer was null. */
    NULL(1, "a required pointer is null"),
    /** A struct of a size that the library does not know. */
    STRUCT_SIZE(2, "a struct of a size that the library does not know"),
    /** An option is missing, out of range, contradicts another, or is not one of this kind. */
    OPTION(3, "an option is missing, out of range, contradicts another, or is not one of this kind"),
    /** Offsets of a batch decrease or leave the bytes. */
    OFFSETS(4, "the offsets decrease or leave the bytes"),
    /** This kind of filter has no such verb, or hashes and a keyed filter were mixed. */
    UNSUPPORTED(5, "this filter cannot do that: its kind cannot, it has no lease for claims, or it is keyed and takes no hashes"),
    /** Ticks were given to a filter that reads the system's clock, or that has no time. */
    CLOCK(6, "a tick needs a filter with ClockSource.MANUAL, and a call without a tick one whose clock was set"),
    /** A tick leads the filter's clock by more than {@link Options.Builder#maxStep}, or a date has no tick. */
    TICK(7, "the tick is more than maxStep ahead of the filter's clock"),
    /** The token of a commit or of an abandonment was never given out for this key. */
    CLAIM(8, "the token was never given out for this key"),
    /**
     * {@link Options.Builder#maxClaims} claims are open. Or a removable set has no room left in the block of the key.
     * That is not a sign of overload: far past its capacity nearly every key is a duplicate and nothing is stored, so
     * watch {@link Stats#errorRate}.
     */
    FULL(100, "the filter is full: the block of the key has no room left, or maxClaims claims are open"),
    /** A bug in the library broke this filter in an earlier call; only closing it works. */
    POISONED(101, "an earlier call met a bug in the library; this filter can only be closed"),
    /** The filter was closed. Java throws {@link IllegalStateException} instead. */
    CLOSED(102, "the filter is closed"),
    /** A buffer is too short for a snapshot. */
    SHORT_BUFFER(200, "the buffer is too short"),
    /** The bytes are not a snapshot. */
    MAGIC(201, "the bytes are not a snapshot"),
    /** The snapshot has a format version that the library does not read. */
    VERSION(202, "a snapshot of a version that the library does not read"),
    /** The checksum of the snapshot does not match its bytes. */
    CHECKSUM(203, "the checksum of the snapshot does not match its bytes"),
    /** The snapshot has contents that no filter writes. */
    CORRUPT(204, "the snapshot is corrupt"),
    /** The snapshot needs more memory than the caller allows. */
    TOO_LARGE(205, "the snapshot needs more memory than is allowed"),
    /** The secret of a keyed filter is missing or wrong. */
    SECRET(206, "the secret is missing or wrong"),
    /** The time that passed since the snapshot is missing or impossible. */
    ELAPSED(207, "the time since the snapshot is missing or impossible"),
    /** The options of the filter are others than those expected; {@link LatelyException#field} is the first that differs. */
    OPTIONS_DIFFER(208, "the options of the filter are others than those expected"),
    /** A file or a stream could not be read or written. Java throws {@link java.io.IOException} instead. */
    IO(300, "a file or a stream could not be read or written"),
    /** A bug in the library was stopped at its border; the filter can only be closed. */
    PANIC(900, "a bug in the library; this filter can only be closed"),
    /** The system has no memory, or no randomness, to give. */
    NO_MEMORY(901, "the system has no memory, or no randomness, to give"),
    /** A status of a library that is newer than this class; {@link LatelyException#code} has its number. */
    UNKNOWN(-1, "a status that this version does not know");

    private final int code;
    private final String meaning;

    Status(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The number of this status in the C header. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The status with a number. {@link #UNKNOWN} if this version does not know it. */
    public static Status of(int code) {
        for (Status status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        return UNKNOWN;
    }

    /** One sentence for the reader of the exception. */
    String meaning() {
        return meaning;
    }
}
