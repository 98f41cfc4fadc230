package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is shipped, in processes of its own: what is in it, and that it is enough. */
class PackedJarIT {
    private static final Path JAR = Try.path("lately.jar");
    private static final Path TESTS = Child.classesOf(PackedJarIT.class);

    @Test
    void theJarIsEnough(@TempDir Path temp) throws Exception {
        Child child = Child.java(List.of(JAR, TESTS), "-Djava.io.tmpdir=" + temp, Hello.class.getName());
        assertEquals("NEW DUPLICATE", child.output.trim(), child.toString());
        assertEquals(0, child.exit);
    }

    @Test
    void twoClassLoadersHaveItApart() throws Exception {
        Child child = Child.java(List.of(TESTS), TwoLoaders.class.getName(), JAR.toString(), TESTS + "/");
        assertEquals(List.of("NEW DUPLICATE", "NEW DUPLICATE", "apart: true", "collected: true", "NEW DUPLICATE"),
            child.output.lines().collect(Collectors.toList()), child.toString());
        assertEquals(0, child.exit);
    }

    @Test
    void itHasClassesAndTwoLibrariesAndAName() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertEquals("dev.lately", jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
            String folder = Platform.here().folder().substring(1);
            Set<String> natives = jar.stream().map(entry -> entry.getName())
                .filter(name -> name.startsWith("native/") && !name.endsWith("/"))
                .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(new TreeSet<>(List.of(folder + Platform.here().core(), folder + Platform.here().glue())),
                natives);
            List<String> others = jar.stream().map(entry -> entry.getName())
                .filter(name -> !name.startsWith("native/") && !name.startsWith("META-INF/") && !name.endsWith("/"))
                .filter(name -> !name.matches("dev/lately/[\\w-]+(\\$\\w+)?\\.class")).collect(Collectors.toList());
            assertEquals(List.of(), others);
        }
    }

    /** By the system's own tool, on the library in the jar: what Java looks up, and nothing else. */
    @Test
    void theGlueShowsItsFunctionsOnly(@TempDir Path temp) throws Exception {
        Path glue = temp.resolve(Platform.here().glue());
        try (JarFile jar = new JarFile(JAR.toFile())) {
            Files.copy(jar.getInputStream(jar.getEntry(Platform.here().folder().substring(1) + Platform.here().glue())),
                glue);
        }
        Process nm = new ProcessBuilder("nm", "-D", "--defined-only", glue.toString()).start();
        String[] lines = new String(nm.getInputStream().readAllBytes(), "UTF-8").trim().split("\n");
        assertEquals(0, nm.waitFor());
        Set<String> shown = Arrays.stream(lines).map(line -> line.replaceAll(".* ", "")).collect(Collectors.toSet());
        Set<String> natives = Arrays.stream(Native.class.getDeclaredMethods())
            .filter(method -> java.lang.reflect.Modifier.isNative(method.getModifiers()))
            .map(method -> "Java_dev_lately_Native_" + method.getName()).collect(Collectors.toSet());
        assertTrue(natives.size() > 20);
        assertEquals(new TreeSet<>(natives), new TreeSet<>(shown));
    }
}
