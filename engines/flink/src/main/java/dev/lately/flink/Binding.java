package dev.lately.flink;

import dev.lately.Filter;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * The Java binding, loaded once in a process. Flink gives each start of a job a class loader of its own, and a native library
 * belongs to one class loader; so the classes of the binding are not taken from there.
 *
 * <pre>
 *  lately.jar in Flink's lib/        its classes are the system's: they are used as they are
 *  lately.jar in the jar of a job    its classes are loaded by a class loader that all jobs find among the MBeans, by the
 *                                    version of the binding; the first job makes it, of a copy of the classes
 * </pre>
 *
 * <p>So the classes here may not be those that the compiler sees: they are called by their names, and those of the calls for
 * records by method handles, which cost what a call costs.
 */
final class Binding {
    private static final ClassLoader LOADER = loader();

    private Binding() {
    }

    /** A class of the binding. */
    static Class<?> type(String name) {
        try {
            return Class.forName("dev.lately." + name, true, LOADER);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A constant of an enum of the binding. */
    static Object constant(String type, String name) {
        try {
            return type(type).getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A public method of a class of the binding, with the filter as an object. */
    static MethodHandle handle(String type, String name, MethodType shape, MethodType as) {
        try {
            return MethodHandles.publicLookup().findVirtual(type(type), name, shape).asType(as);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls a public method, of an object or of a class; for calls that are not made for each record. */
    static Object call(Object target, String name, Class<?>[] types, Object... arguments) {
        boolean isStatic = target instanceof Class;
        try {
            Class<?> type = isStatic ? (Class<?>) target : target.getClass();
            return type.getMethod(name, types).invoke(isStatic ? null : target, arguments);
        } catch (InvocationTargetException e) {
            throw rethrown(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object call(Object target, String name) {
        return call(target, name, new Class<?>[0]);
    }

    /** Throws what a call threw, as it is. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException rethrown(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static ClassLoader loader() {
        ClassLoader ours = Filter.class.getClassLoader();
        for (ClassLoader l = ClassLoader.getSystemClassLoader(); l != null; l = l.getParent()) {
            if (l == ours) {
                return ours;
            }
        }
        try {
            return ofTheProcess();
        } catch (JMException | IOException | URISyntaxException e) {
            throw new IllegalStateException("the binding of lately cannot be loaded for all jobs: " + e
                + ". Put lately.jar into Flink's lib/ folder", e);
        }
    }

    private static ClassLoader ofTheProcess() throws JMException, IOException, URISyntaxException {
        String version = Filter.class.getPackage().getImplementationVersion();
        ObjectName name = new ObjectName("dev.lately:type=Binding,version=" + ObjectName.quote(String.valueOf(version)));
        MBeanServer registry = ManagementFactory.getPlatformMBeanServer();
        synchronized (ClassLoader.getSystemClassLoader()) {
            if (!registry.isRegistered(name)) {
                register(registry, name);
            }
        }
        return (ClassLoader) registry.invoke(name, "get", new Object[0], new String[0]);
    }

    /** All that is registered is of the JDK, so that it does not hold the class loader of the job that came first. */
    private static void register(MBeanServer registry, ObjectName name) throws JMException, IOException, URISyntaxException {
        URL copy = copy().toUri().toURL();
        ClassLoader loader = new URLClassLoader(new URL[] {copy}, ClassLoader.getPlatformClassLoader());
        try {
            registry.registerMBean(new StandardMBean(CompletableFuture.completedFuture(loader), Future.class, false), name);
        } catch (InstanceAlreadyExistsException e) {
            ((URLClassLoader) loader).close();
        }
    }

    /** The binding in a file of its own: Flink deletes the jar of a job that has ended. */
    private static Path copy() throws IOException, URISyntaxException {
        File from = new File(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path to = Files.createTempFile("lately-binding-", ".jar");
        to.toFile().deleteOnExit();
        try (JarFile jar = new JarFile(from); JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                copy(jar, entries.nextElement(), out);
            }
        }
        return to;
    }

    private static void copy(JarFile jar, JarEntry entry, JarOutputStream out) throws IOException {
        String name = entry.getName();
        boolean isBinding = name.startsWith("dev/lately/") && !name.startsWith("dev/lately/flink/");
        if (!entry.isDirectory() && (isBinding || name.startsWith("native/"))) {
            out.putNextEntry(new JarEntry(name));
            try (InputStream in = jar.getInputStream(entry)) {
                in.transferTo(out);
            }
            out.closeEntry();
        }
    }
}
