package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A setting of the job that cannot work, with its range or what it conflicts with. No restart mends it, so Flink tries none: the job fails.
 */
@PublicEvolving
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    SettingException(String message) {
        super(message);
    }

    SettingException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The setting {@code name} has {@code value}, which must be in {@code range}. */
    static SettingException outOfRange(String name, Object value, String range) {
        return new SettingException(name + " = " + value + ": must be " + range);
    }

    /** The setting {@code name} has {@code value}, which another setting excludes. */
    static SettingException conflict(String name, Object value, String why) {
        return new SettingException(name + " = " + value + ": " + why);
    }
}
