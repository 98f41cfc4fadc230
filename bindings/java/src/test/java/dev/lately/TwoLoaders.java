package dev.lately;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * A program that has the jar in two class loaders at once, as servers do. Each loader unpacks and loads libraries of
 * its own; one can go and be collected while the other works on.
 */
public final class TwoLoaders {
    private TwoLoaders() {
    }

    /**
     * Prints what each loader sees, and whether the first could be collected.
     *
     * @param args the class path of each loader
     * @throws Exception if a loader cannot run the smallest program
     */
    public static void main(String[] args) throws Exception {
        URLClassLoader first = loader(args);
        URLClassLoader second = loader(args);
        hello(first);
        hello(second);
        System.out.println("apart: " + (first.loadClass("dev.lately.Filter") != second.loadClass("dev.lately.Filter")));
        WeakReference<URLClassLoader> gone = new WeakReference<>(first);
        first.close();
        first = null;
        for (int i = 0; i < 500 && gone.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("collected: " + (gone.get() == null));
        hello(second);
    }

    private static URLClassLoader loader(String[] paths) throws Exception {
        URL[] urls = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            urls[i] = Path.of(paths[i]).toUri().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static void hello(ClassLoader loader) throws Exception {
        loader.loadClass("dev.lately.Hello").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }
}
