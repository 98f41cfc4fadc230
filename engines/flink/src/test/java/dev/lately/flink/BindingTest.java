package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.Filter;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Class loaders of jobs, each with the jars of lately in it. */
class BindingTest {
    /** As Flink's for a job: its own classes first, where those of Flink are the system's. */
    private static final class OfAJob extends URLClassLoader {
        OfAJob() throws Exception {
            super(new URL[] {
                new File(System.getProperty("lately.classes") + "/").toURI().toURL(),
                Filter.class.getProtectionDomain().getCodeSource().getLocation()});
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

        /** Whether a filter of this job finds a key again. */
        boolean works() throws Exception {
            Constructor<?> asked = ours("Settings$Asked").getDeclaredConstructor(Duration.class);
            asked.setAccessible(true);
            Constructor<?> settings = ours("Settings").getDeclaredConstructor(ours("Settings$Asked"));
            settings.setAccessible(true);
            Method of = ours("NativeFilter").getDeclaredMethod("of", ours("Settings"), long.class,
                long.class);
            of.setAccessible(true);
            Object filter = of.invoke(null, settings.newInstance(asked.newInstance(Duration.ofMinutes(1))), 0L, 0L);
            Method isNew = ours("NativeFilter").getDeclaredMethod("isNew", long.class, long.class);
            isNew.setAccessible(true);
            boolean works = (Boolean) isNew.invoke(filter, 1L, 1L) && !(Boolean) isNew.invoke(filter, 1L, 1L);
            Method close = ours("NativeFilter").getDeclaredMethod("close");
            close.setAccessible(true);
            close.invoke(filter);
            return works;
        }

        Class<?> binding() throws Exception {
            Method type = ours("Binding").getDeclaredMethod("type", String.class);
            type.setAccessible(true);
            return (Class<?>) type.invoke(null, "Filter");
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
