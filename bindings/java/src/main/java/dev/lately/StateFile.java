package dev.lately;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The file of a filter between two runs of a program.
 *
 * <pre>
 *  FILE                the snapshot, and nothing else
 *  FILE.RANDOM.new     the next one, until it is whole and on the disk; then it takes the place of FILE
 * </pre>
 *
 * <p>Law: a program that is killed at any moment leaves the old state or the new one, whole. The time that passed is from the last
 * change of the file to now. A file from the future counts as changed now, and a line in the log of {@code dev.lately} tells so.
 * A filter with a manual clock gets no time at all: its next tick shows what passed.
 */
final class StateFile {
    private final Path path;

    /** A link is followed, also one to where nothing is yet: all names of a file are one state. */
    StateFile(Path path) throws IOException {
        this.path = followed(path);
    }

    private static Path followed(Path path) throws IOException {
        if (!Files.isSymbolicLink(path)) {
            return path;
        }
        return Files.exists(path) ? path.toRealPath() : followed(path.resolveSibling(Files.readSymbolicLink(path)));
    }

    /** The filter in the file, which must have been made with these options; a new one if there is no file. */
    Filter open(Options options) throws IOException {
        expectNotMounted();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            return read(in, options);
        } catch (NoSuchFileException e) {
            return new Filter(options);
        }
    }

    /**
     * An error if the file is a place where something is mounted, as a container has a single file of its host: no other file can
     * take its name.
     */
    private void expectNotMounted() throws IOException {
        Path mounts = Path.of("/proc/self/mountinfo");
        if (!Files.exists(path) || !Files.isReadable(mounts)) {
            return;
        }
        String place = path.toRealPath().toString();
        String list = new String(Files.readAllBytes(mounts), StandardCharsets.UTF_8);
        if (list.lines().anyMatch(line -> place.equals(unescaped(line.split(" ")[4])))) {
            throw new FileSystemException(path.toString(), null,
                "the file is mounted by itself, and a saved filter replaces it: mount its folder");
        }
    }

    /** A name of the list of mounts, whose blanks and backslashes are octal numbers. */
    static String unescaped(String name) {
        return name.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
    }

    private Filter read(InputStream in, Options options) throws IOException {
        LoadOptions load = new LoadOptions().secret(options.secret());
        Filter filter = Filter.readFrom(in, options.isManual() ? Duration.ZERO : elapsed(), load);
        try {
            if (in.read() >= 0) {
                throw new LatelyException(Status.CORRUPT, null, path + " has more bytes than the snapshot at its beginning;"
                    + " that of lately --state is for the shell alone");
            }
            return filter.expect(options);
        } catch (IOException | RuntimeException e) {
            filter.close();
            throw e;
        }
    }

    private Duration elapsed() throws IOException {
        Duration elapsed = Duration.between(Files.getLastModifiedTime(path).toInstant(), Instant.now());
        if (!elapsed.isNegative()) {
            return elapsed;
        }
        System.getLogger("dev.lately").log(System.Logger.Level.WARNING,
            "{0} was changed {1} from now: no time counts as passed since", path, elapsed.negated());
        return Duration.ZERO;
    }

    /** Writes a new file in the same folder, on the disk, and lets that take its place. */
    void save(Filter filter) throws IOException {
        expectNotMounted();
        Path folder = path.toAbsolutePath().getParent();
        Path fresh = folder.resolve(path.getFileName() + "." + UUID.randomUUID() + ".new");
        try {
            write(filter, Files.createFile(fresh));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
        force(folder);
    }

    private void write(Filter filter, Path to) throws IOException {
        keepOwner(to);
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            filter.writeTo(out);
            out.flush();
            channel.force(true);
        }
    }

    /** Mode, owner and group of the file that is there, where the system has such. */
    private void keepOwner(Path fresh) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
        if (view == null || !Files.exists(path)) {
            return;
        }
        PosixFileAttributes old = Files.readAttributes(path, PosixFileAttributes.class);
        PosixFileAttributes ours = view.readAttributes();
        if (!old.owner().equals(ours.owner())) {
            view.setOwner(old.owner());
        }
        if (!old.group().equals(ours.group())) {
            view.setGroup(old.group());
        }
        view.setPermissions(old.permissions());
    }

    /** That the file has this name now is on the disk too, where a folder can be opened. */
    private static void force(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder);
        } catch (FileSystemException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }
}
