package dev.lately;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The file of a filter between two runs of a program.
 *
 * <pre>
 *  FILE                the snapshot, and nothing else
 *  FILE.RANDOM.new     its draft, the next one, until it is whole and on the disk; then it takes the place of FILE;
 *                      RANDOM is 16 hex digits in every language
 * </pre>
 *
 * <p>Law: a program that is killed at any moment leaves the old state or the new one, whole. The time that passed is from the last
 * change of the file to now. A file from the future counts as changed now, and a line in the log of {@code dev.lately} tells so.
 * A filter with a manual clock gets no time at all: its next tick shows what passed. The draft of a killed program goes with a
 * later save.
 */
final class StateFile {
    /** Bytes in which a snapshot tells what it is. */
    private static final int START = 24;

    /** The saver of a draft that was not written for so long was killed. */
    private static final Duration GIVEN_UP = Duration.ofMinutes(10);

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

    /** The filter in the file, which must have been made with these options; a new one if there is no file, or an empty one. */
    Filter open(Options options) throws IOException {
        if (options.isKeyed() && options.secret().equals(new Secret(0, 0))) {
            throw new LatelyException(Status.OPTION, Field.SECRET_LO,
                "secret: required to open a file: one that is drawn is not in it");
        }
        expectNotMounted();
        if (isEmpty()) {
            return new Filter(options);
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            return read(in, options);
        } catch (NoSuchFileException e) {
            expectFolder();
            return new Filter(options);
        }
    }

    /** Whether the file has only its name. */
    private boolean isEmpty() throws IOException {
        return Files.isRegularFile(path) && Files.size(path) == 0;
    }

    /** An error where no file can be made: better at the start than when all work is done. */
    private void expectFolder() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
    }

    /** What is there must be empty, or begin as a filter: what could not be read is never replaced. */
    private void expectReplaceable() throws IOException {
        if (!Files.exists(path) || isEmpty()) {
            return;
        }
        if (!Files.isRegularFile(path)) {
            throw new FileSystemException(path.toString(), null, "not replaced: not a file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            Filter.readFrom(new ByteArrayInputStream(in.readNBytes(START)), Duration.ZERO, new LoadOptions()).close();
        } catch (LatelyException e) {
            if (e.status() != Status.CORRUPT) {
                throw new FileSystemException(path.toString(), null, "not replaced: " + e.getMessage());
            }
        } catch (EOFException e) {
            // It begins as a filter does.
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

    /** Writes a draft in the same folder, on the disk, and lets that take the place of the file. */
    void save(Filter filter) throws IOException {
        expectNotMounted();
        expectReplaceable();
        removeOldDrafts();
        Path draft = draft();
        try {
            write(filter, Files.createFile(draft));
            replaceBy(draft);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(draft);
            throw e;
        }
        force(folder());
    }

    private Path folder() {
        return path.toAbsolutePath().getParent();
    }

    /** A name that no other saver draws. */
    Path draft() {
        return folder().resolve(String.format("%s.%016x.new", path.getFileName(), new SecureRandom().nextLong()));
    }

    /** The names of all drafts of this file, from any language. */
    Pattern drafts() {
        return Pattern.compile(Pattern.quote(path.getFileName().toString()) + "\\.[0-9a-f]{16}\\.new");
    }

    /**
     * Removes the drafts that were not written for ten minutes: their savers were killed. The save needs none of this: what
     * cannot be listed or removed stays.
     */
    private void removeOldDrafts() {
        Pattern drafts = drafts();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder())) {
            for (Path file : files) {
                if (drafts.matcher(file.getFileName().toString()).matches()) {
                    removeIfGivenUp(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The next save tries again.
        }
    }

    private static void removeIfGivenUp(Path draft) {
        try {
            BasicFileAttributes facts = Files.readAttributes(draft, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Instant end = facts.lastModifiedTime().toInstant().plus(GIVEN_UP);
            if (facts.isRegularFile() && end.isBefore(Instant.now())) {
                Files.delete(draft);
            }
        } catch (IOException e) {
            // The next save tries again.
        }
    }

    /** Gives the draft the name of the file. */
    void replaceBy(Path draft) throws IOException {
        try {
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            throw new FileSystemException(path.toString(), null,
                "not saved: its draft is gone: a save removes drafts that were not written for ten minutes");
        }
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
