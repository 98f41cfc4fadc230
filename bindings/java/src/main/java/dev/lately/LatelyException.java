package dev.lately;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Why a call failed: a {@link Status}, and the option at fault where there is one. The filter is as it was before the
 * call, except the part of a batch that {@link #done} counts.
 *
 * <p>Plain mistakes in a call have Java's own exceptions: {@link NullPointerException},
 * {@link IllegalArgumentException} for arrays that do not fit each other, {@link IllegalStateException} for a closed
 * filter.
 */
public final class LatelyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The number of the status, also one that {@link Status} does not know. */
    private final int code;

    /** The option at fault, or null. */
    private final Field field;

    /** The keys of the batch that were processed. */
    private final long done;

    /** Called by the native glue; an empty detail gives way to the meaning of the status. */
    LatelyException(int code, int field, byte[] detail, long done) {
        this(code, Field.of(field), Messages.inJava(new String(detail, StandardCharsets.UTF_8)), done);
    }

    /** For what only Java can see, such as a date without a tick. */
    LatelyException(Status status, Field field, String detail) {
        this(status.code(), field, detail, 0);
    }

    private LatelyException(int code, Field field, String detail, long done) {
        super(text(code, field, detail, done));
        this.code = code;
        this.field = field;
        this.done = done;
    }

    private static String text(int code, Field field, String detail, long done) {
        Status status = Status.of(code);
        String name = status == Status.UNKNOWN ? "status " + code : status.name();
        String option = field == null ? "" : " (option " + field.option() + ")";
        String after = done == 0 ? "" : " (after " + done + " keys of the batch)";
        return name + option + ": " + (detail.isEmpty() ? status.meaning() : detail) + after;
    }

    /** The outcome of the call. */
    public Status status() {
        return Status.of(code);
    }

    /** The number of the status, also one that this version does not know. */
    public int code() {
        return code;
    }

    /** The option at fault. Empty unless the status is {@link Status#OPTION}. */
    public Optional<Field> field() {
        return Optional.ofNullable(field);
    }

    /** How many keys of a batch were processed before the failure; their verdicts are valid. 0 outside of batches. */
    public long done() {
        return done;
    }
}
