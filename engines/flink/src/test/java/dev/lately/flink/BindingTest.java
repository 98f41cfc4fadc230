package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.Filter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Class loaders of jobs, each with the jars of lately in it. */
class BindingTest {
    @TempDir
    Path folder;

    /** As Flink's for a job: its own classes first, where those of Flink are the system's. */
    private static final class OfAJob extends URLClassLoader {
        OfAJob() throws Exception {
            this(Path.of(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }

        /** One with the binding in this jar. */
        OfAJob(Path binding) throws Exception {
            super(new URL[] {new File(System.getProperty("lately.classes") + "/").toURI().toURL(), binding.toUri().toURL()});
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.startsWith("dev.lately.")) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }

        private Class<?> ours(String name) throws Exception {
            return Class.forName("dev.lately.flink." + name, true, this);
        }

        /** Calls a method that is not public. */
        private Object call(String type, String name, Object on, Class<?>[] types, Object... arguments) throws Exception {
            Method method = ours(type).getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(on, arguments);
        }

        private Object made(String type, Class<?> from, Object argument) throws Exception {
            Constructor<?> constructor = ours(type).getDeclaredConstructor(from);
            constructor.setAccessible(true);
            return constructor.newInstance(argument);
        }

        /** Whether a filter of this job finds a key again. */
        boolean works() throws Exception {
            Object settings = made("Settings", ours("Settings$Asked"), made("Settings$Asked", Duration.class, Duration.ofMinutes(1)));
            Object filter = call("NativeFilter", "of", null, new Class<?>[] {ours("Settings"), long.class, long.class}, settings, 0L, 0L);
            Class<?>[] keyAndTick = {long.class, long.class};
            boolean works = (Boolean) call("NativeFilter", "isNew", filter, keyAndTick, 1L, 1L)
                && !(Boolean) call("NativeFilter", "isNew", filter, keyAndTick, 1L, 1L);
            call("NativeFilter", "close", filter, new Class<?>[0]);
            return works;
        }

        /** What every start of a subtask does first. */
        void start() throws Exception {
            call("Binding", "expectLoaded", null, new Class<?>[0]);
        }

        Class<?> binding() throws Exception {
            return (Class<?>) call("Binding", "type", null, new Class<?>[] {String.class}, "Filter");
        }
    }

    @Test
    void theNativeLibraryIsLoadedOnceForAllJobs() throws Exception {
        Class<?> first;
        try (OfAJob job = new OfAJob()) {
            assertNotSame(NativeFilter.class, job.ours("NativeFilter"));
            assertTrue(job.works());
            first = job.binding();
            assertNotSame(job, first.getClassLoader());
        }
        long loaded = libraries();
        assertTrue(loaded > 0);
        for (int i = 0; i < 20; i++) {
            try (OfAJob job = new OfAJob()) {
                assertTrue(job.works());
                assertSame(first, job.binding());
            }
        }
        assertEquals(loaded, libraries());
    }

    /** Jars of whole jobs: none says which release of the binding is in it. */
    @Test
    void jarsOfJobsWithTwoReleasesHaveABindingEach() throws Exception {
        Path one = fat("one.jar", name -> true, "");
        Path same = fat("same.jar", name -> true, "");
        Path later = fat("later.jar", name -> true, "a later release");
        try (OfAJob first = new OfAJob(one); OfAJob second = new OfAJob(same); OfAJob third = new OfAJob(later)) {
            assertTrue(first.works() && second.works() && third.works());
            assertSame(first.binding(), second.binding());
            assertNotSame(first.binding(), third.binding());
        }
    }

    @Test
    void aNativeLibraryThatIsMissingIsSaidEveryTime() throws Exception {
        Path without = fat("without.jar", name -> !name.startsWith("native/"), "");
        for (int job = 0; job < 2; job++) {
            try (OfAJob one = new OfAJob(without)) {
                for (int start = 0; start < 3; start++) {
                    Exception e = assertThrows(InvocationTargetException.class, one::start);
                    assertTrue(e.getCause().getMessage().contains("this jar has no /native/"), job + ", " + start + ": " + e.getCause());
                }
            }
        }
    }

    /** The binding in another jar, without its manifest, and one more file of it. */
    private Path fat(String name, Predicate<String> isIn, String more) throws Exception {
        Path to = folder.resolve(name);
        File from = new File(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile jar = new JarFile(from); JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().startsWith("META-INF") && isIn.test(entry.getName())) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    jar.getInputStream(entry).transferTo(out);
                }
            }
            out.putNextEntry(new JarEntry("dev/lately/release"));
            out.write(more.getBytes(StandardCharsets.UTF_8));
        }
        return to;
    }

    @Test
    void theClassesOfTheSystemAreUsedWhereTheyAre() {
        assertSame(Filter.class, Binding.type("Filter"));
    }

    /** Copies of the glue that are loaded, each from a folder of its own. */
    private static long libraries() throws Exception {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("liblately_jni")).map(line -> line.replaceFirst("^.*? /", "/"))
                .distinct().count();
        }
    }
}
