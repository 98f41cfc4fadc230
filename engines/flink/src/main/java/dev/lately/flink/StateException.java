package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A state that cannot be restored, with the reason and how to continue.
 *
 * <p>Where no restart can mend it (another setting, a later release, too little memory) Flink tries none: the job fails. A state that
 * is damaged is read again with each restart: a storage that read it wrongly may heal, and a job that has failed for good
 * gives up checkpoints that are not retained.
 */
@PublicEvolving
public class StateException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private static final String WITHOUT = "To start without it, give the operator another uid and start with "
        + "--allowNonRestoredState: it then begins with no key seen, and for one window lets through what was seen before";

    private StateException(String message, Throwable cause) {
        super(message, cause);
    }

    /** One that every restart would meet again. */
    @ThrowableAnnotation(ThrowableType.NonRecoverableError)
    private static final class Lasting extends StateException {
        private static final long serialVersionUID = 1;

        private Lasting(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The state was written with another setting. */
    static StateException other(String name, Object written, Object asked) {
        return new Lasting("the state was written with " + name + " = " + written + ", and this job asks for " + name
            + " = " + asked + ". Keep " + written + ". " + WITHOUT, null);
    }

    /** Bytes are missing or changed. */
    static StateException damaged(String how) {
        return damaged(how, null);
    }

    private static StateException damaged(String how, Throwable cause) {
        return new StateException("the state is damaged: " + how + ". Restore from another checkpoint or savepoint. " + WITHOUT,
            cause);
    }

    /** It is of an earlier release, whose filters are not read any more. */
    static StateException older(String what) {
        return new Lasting("the state is of an older release: " + what + ". Run the job with that release, or begin without the "
            + "state. " + WITHOUT, null);
    }

    /** It is of a later release. */
    static StateException newer(String what) {
        return new Lasting("the state is of a newer release: " + what + ". Run the job with that release or a later one. "
            + WITHOUT, null);
    }

    /** The filters of the groups so far do not fit into the memory of the subtask. */
    private static StateException tooLarge(String memory, Throwable cause) {
        return new Lasting("the state does not fit into " + memory + " with what the key groups "
            + "before it have. Give the subtasks more memory, or the operator a larger parallelism. " + WITHOUT, cause);
    }

    /** The library's error for the snapshot of a group. */
    static RuntimeException of(RuntimeException e, String memory) {
        if (!Binding.type("LatelyException").isInstance(e)) {
            return e;
        }
        switch (Binding.call(e, "status").toString()) {
            case "TOO_LARGE":
            case "OPTION": // more memory than before, and too little for the wider cells that this takes
                return tooLarge(memory, e);
            case "VERSION":
                return newer(e.getMessage());
            case "NO_MEMORY":
                return e;
            default:
                return damaged(e.getMessage(), e);
        }
    }

    /** Whether it is the library's error of this status. */
    static boolean hasStatus(RuntimeException e, String status) {
        return Binding.type("LatelyException").isInstance(e) && Binding.call(e, "status").toString().equals(status);
    }

    /** The same, with the key group named. */
    StateException inGroup(int group) {
        String message = "key group " + group + ": " + getMessage();
        return this instanceof Lasting ? new Lasting(message, this) : new StateException(message, this);
    }
}
