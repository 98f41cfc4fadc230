package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.function.Executable;

/** What most tests need: small filters, buffers, the source tree, and the status of a failure. */
final class Try {
    private Try() {
    }

    /** A filter of some words, quickly built, whose clock the test sets. */
    static Options.Builder manual() {
        return Options.timeLimited(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).k(4).l(3).fill(0.5);
    }

    static Filter filter() {
        return EitherHandle.SHARED.filter();
    }

    /** A system property that the build must pass; nothing is skipped without it. */
    static Path path(String property) {
        return Path.of(Objects.requireNonNull(System.getProperty(property), property));
    }

    /** A file of the source tree. */
    static Path source(String name) {
        return path("lately.root").resolve(name);
    }

    static LatelyException fails(Status status, Executable call) {
        LatelyException error = assertThrows(LatelyException.class, call);
        assertEquals(status, error.status(), error.getMessage());
        return error;
    }

    static ByteBuffer direct(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(bytes).flip();
        return buffer;
    }

    static LongBuffer direct(long[] words) {
        LongBuffer buffer = ByteBuffer.allocateDirect(words.length * 8).order(ByteOrder.nativeOrder()).asLongBuffer();
        buffer.put(words).flip();
        return buffer;
    }
}
