package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A setting of the job that cannot work, with what is allowed. No restart mends it, so Flink tries none: the job fails.
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
}
