package dev.lately.flink;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The binding in a jar, which may be that of a whole job: its classes and native libraries, and which build they are. */
final class BindingJar {
    private final File file;

    BindingJar(File file) {
        this.file = file;
    }

    /**
     * A hash of all that belongs to the binding, so that two builds are told apart. The jar of a job does not say which release
     * of the binding is in it: a manifest has room for one version, and that is the job's.
     */
    String build() throws IOException {
        try (JarFile jar = new JarFile(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            entries(jar).map(entry -> entry.getName() + ' ' + entry.getSize() + ' ' + entry.getCrc() + '\n').sorted()
                .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            return new BigInteger(1, digest.digest()).toString(Character.MAX_RADIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The binding in a file of its own: Flink deletes the jar of a job that has ended. */
    Path copy() throws IOException {
        Path to = Files.createTempFile("lately-binding-", ".jar");
        to.toFile().deleteOnExit();
        try (JarFile jar = new JarFile(file); JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry : (Iterable<ZipEntry>) entries(jar)::iterator) {
                out.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream in = jar.getInputStream(entry)) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
        return to;
    }

    private static Stream<ZipEntry> entries(JarFile jar) {
        return jar.stream().filter(entry -> !entry.isDirectory() && isOfBinding(entry.getName())).map(entry -> entry);
    }

    private static boolean isOfBinding(String name) {
        return name.startsWith("dev/lately/") && !name.startsWith("dev/lately/flink/") || name.startsWith("native/");
    }
}
