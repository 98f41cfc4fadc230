package dev.lately;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A Java process of its own, by the JVM that runs the tests: how it ended, and all that it printed. */
final class Child {
    /** Options that the JVM needs where the tests run, such as under Wine. */
    private static final List<String> FURTHER = Arrays.stream(System.getProperty("lately.child.options", "").split(" "))
        .filter(option -> !option.isEmpty()).collect(Collectors.toList());

    final int exit;
    final String output;

    private Child(int exit, String output) {
        this.exit = exit;
        this.output = output;
    }

    /** Runs {@code java -Xcheck:jni -cp CLASSPATH ARGUMENTS}. */
    static Child java(List<Path> classPath, String... arguments) throws IOException, InterruptedException {
        return java(List.of(), classPath, arguments);
    }

    /** The same as the last arguments of another program. */
    static Child java(List<String> before, List<Path> classPath, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xcheck:jni");
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(FURTHER);
        command.add("-cp");
        command.add(join(classPath));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process.getInputStream()));
        if (!process.waitFor(240, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end after 240 s: " + command);
        }
        return new Child(process.exitValue(), output.join());
    }

    /** All that comes; Windows ends lines with two characters. */
    private static String read(InputStream from) {
        try {
            return new String(from.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String join(List<Path> paths) {
        List<String> names = new ArrayList<>();
        paths.forEach(path -> names.add(path.toString()));
        return String.join(File.pathSeparator, names);
    }

    /** Where a class of the tests was loaded from. */
    static Path classesOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "exit " + exit + "\n" + output;
    }
}
