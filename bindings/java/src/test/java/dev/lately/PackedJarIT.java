package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    void itHasClassesALibraryAndADescriptor() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertTrue(jar.getEntry("module-info.class") != null);
            assertEquals(Set.of("dev.lately"), ModuleFinder.of(JAR).findAll().stream()
                .map(module -> module.descriptor().toNameAndVersion().replaceFirst("@.*", "")).collect(Collectors.toSet()));
            Set<String> natives = jar.stream().map(entry -> entry.getName())
                .filter(name -> name.startsWith("native/") && !name.endsWith("/"))
                .collect(Collectors.toCollection(TreeSet::new));
            Set<String> expected = platforms().stream()
                .flatMap(platform -> Stream.of(libraryOf(platform), platform.folder().substring(1) + "THIRD-PARTY.txt"))
                .collect(Collectors.toSet());
            assertEquals(expected, natives);
            assertTrue(jar.getEntry("META-INF/LICENSE-MIT") != null && jar.getEntry("META-INF/LICENSE-APACHE") != null);
            List<String> others = jar.stream().map(entry -> entry.getName())
                .filter(name -> !name.startsWith("native/") && !name.startsWith("META-INF/") && !name.endsWith("/"))
                .filter(name -> !name.matches("module-info\\.class|dev/lately/[\\w-]+(\\$\\w+)?\\.class")).collect(Collectors.toList());
            assertEquals(List.of(), others);
        }
    }

    /** What Java 22 and later have instead is there if the build can make it, and replaces a class that is there. */
    @Test
    void itHasWhatLaterJavaHasInstead() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertEquals("true", jar.getManifest().getMainAttributes().getValue("Multi-Release"));
            Set<String> later = jar.stream().map(entry -> entry.getName())
                .filter(name -> name.startsWith("META-INF/versions/") && name.endsWith(".class"))
                .collect(Collectors.toCollection(TreeSet::new));
            Set<String> want = new TreeSet<>();
            if (Runtime.version().feature() >= 22) {
                want.add("META-INF/versions/22/dev/lately/SegmentVerbs.class");
                want.add("META-INF/versions/22/dev/lately/SingleCalls.class");
            }
            if (Runtime.version().feature() >= 24) {
                want.add("META-INF/versions/24/dev/lately/LaterVerbs.class");
            }
            assertEquals(want, later);
            assertTrue(later.stream().allMatch(name -> jar.getEntry(name.replaceAll("META-INF/versions/\\d+/", "")) != null));
        }
    }

    /** The platforms that the build has put in, as it says; if it says none, the one that this is. */
    private static List<Platform> platforms() {
        String names = System.getProperty("lately.platforms");
        if (names == null || names.isEmpty()) {
            return List.of(Platform.here());
        }
        return Arrays.stream(names.split(",")).map(name -> name.split("-"))
            .map(parts -> new Platform(parts[0], parts[1], parts.length > 2)).collect(Collectors.toList());
    }

    private static String libraryOf(Platform platform) {
        return platform.folder().substring(1) + platform.library();
    }

    /** What Java looks up, and nothing else: in a DLL by its table, in the others by a tool that reads all of them. */
    @Test
    void theGluesShowTheirFunctionsOnly(@TempDir Path temp) throws Exception {
        Set<String> natives = Arrays.stream(Native.class.getDeclaredMethods())
            .filter(method -> java.lang.reflect.Modifier.isNative(method.getModifiers()))
            .map(method -> "Java_dev_lately_Native_" + method.getName()).collect(Collectors.toCollection(TreeSet::new));
        natives.addAll(List.of("lately_jni_key", "lately_jni_short", "lately_jni_hash"));
        assertTrue(natives.size() > 20);
        try (JarFile jar = new JarFile(JAR.toFile())) {
            for (Platform platform : platforms()) {
                String name = libraryOf(platform);
                byte[] glue = jar.getInputStream(jar.getEntry(name)).readAllBytes();
                Set<String> shown = name.endsWith(".dll") ? Binary.exportsOf(glue) : shownBy(glue, temp);
                assertEquals(natives, shown, name);
            }
        }
    }

    /**
     * Each file is a library of the system and the machine that its folder names, by the first bytes of its format. The core is in
     * it: no library of that name is asked of the system, whose other one might be of another version.
     */
    @Test
    void theLibrariesAreThoseOfTheirPlatformsAndAskForNoOtherCore() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            for (Platform platform : platforms()) {
                byte[] bytes = jar.getInputStream(jar.getEntry(libraryOf(platform))).readAllBytes();
                assertEquals(platform.folder(), "/native/" + Binary.platformOf(bytes) + "/");
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                assertFalse(text.contains("liblately.") || text.contains("\0lately.dll"), platform.folder());
            }
        }
    }

    private static Set<String> shownBy(byte[] library, Path temp) throws Exception {
        Path file = Files.write(temp.resolve("library.so"), library);
        Process readelf = new ProcessBuilder("readelf", "-W", "--dyn-syms", file.toString()).start();
        String text = new String(readelf.getInputStream().readAllBytes(), "UTF-8");
        assertEquals(0, readelf.waitFor());
        return text.lines().filter(line -> line.matches(".* (GLOBAL|WEAK) .*") && !line.contains(" UND "))
            .map(line -> line.replaceAll(".* ", "")).collect(Collectors.toCollection(TreeSet::new));
    }
}
