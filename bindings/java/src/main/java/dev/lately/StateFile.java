package dev.lately;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** The file of a filter between two runs: C opens and saves it, and its errors become those of {@link java.nio.file} here. */
final class StateFile {
    /** What C calls two reasons of the system. */
    private static final long ENOENT = 2;

    private static final long EACCES = 13;

    private final Path path;
    private final byte[] name;
    /** What C says of the file: see {@link Native#open}. */
    private final long[] words = new long[2];

    /** {@link Path#toFile} refuses a path of another file system than the default. */
    StateFile(Path path) {
        this.path = path;
        this.name = path.toFile().getPath().getBytes(StandardCharsets.UTF_8);
    }

    Handle open(Options options) throws IOException {
        Handle opened;
        try {
            opened = Handle.of(true, () -> Native.open(name, options.words(), words));
        } catch (LatelyException e) {
            throw ofSystem(e);
        }
        if (words[0] > 0) {
            System.getLogger("dev.lately").log(System.Logger.Level.WARNING,
                "{0} was changed {1} from now: no time counts as passed since", path, Duration.ofNanos(words[0]));
        }
        return opened;
    }

    void save(Calls calls) throws IOException {
        try {
            calls.act(address -> Native.save(address, name, words));
        } catch (LatelyException e) {
            throw ofSystem(e);
        }
    }

    /** What the system refused, as an exception that Java has for it; other errors are thrown as they are. */
    private FileSystemException ofSystem(LatelyException e) {
        if (e.status() != Status.IO) {
            throw e;
        }
        String[] said = e.getMessage().split(": ", 3); // the status, the file, the reason
        String file = path.toString();
        return words[1] == ENOENT ? new NoSuchFileException(file, null, said[2])
            : words[1] == EACCES ? new AccessDeniedException(file, null, said[2])
            : new FileSystemException(file, null, said[2]);
    }
}
