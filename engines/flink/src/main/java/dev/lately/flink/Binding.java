package dev.lately.flink;

import dev.lately.Filter;

import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

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
 *  lately.jar in the jar of a job    its classes are loaded by a class loader that all jobs find among the MBeans, by a hash
 *                                    of the build of the binding; the first job makes it, of a copy of the classes
 * </pre>
 *
 * <p>So the classes here may not be those that the compiler sees: they are called by their names, and those of the calls for
 * records by method handles, which cost what a call costs.
 */
final class Binding {
    /** One of the two is null. */
    private static final ClassLoader LOADER;
    private static final Throwable FAILURE;

    static {
        ClassLoader loader = null;
        Throwable failure = null;
        try {
            loader = loader();
        } catch (RuntimeException | LinkageError e) {
            failure = e;
        }
        LOADER = loader;
        FAILURE = failure;
    }

    private Binding() {
    }

    /** A class of the binding. */
    static Class<?> type(String name) {
        expectLoaded();
        return type(name, LOADER);
    }

    private static Class<?> type(String name, ClassLoader loader) {
        try {
            return Class.forName("dev.lately." + name, true, loader);
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

    /** Throws what kept the binding from being loaded, as often as it is asked: a class that failed reports it once only. */
    static void expectLoaded() {
        if (FAILURE != null) {
            throw new IllegalStateException("the native library of lately cannot be loaded: " + FAILURE.getMessage(), FAILURE);
        }
    }

    private static ClassLoader loader() {
        ClassLoader ours = Filter.class.getClassLoader();
        for (ClassLoader l = ClassLoader.getSystemClassLoader(); l != null; l = l.getParent()) {
            if (l == ours) {
                return tried(ours);
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
        BindingJar jar = new BindingJar(new File(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
        ObjectName name = new ObjectName("dev.lately:type=Binding,build=" + jar.build());
        MBeanServer registry = ManagementFactory.getPlatformMBeanServer();
        synchronized (ClassLoader.getSystemClassLoader()) {
            if (!registry.isRegistered(name)) {
                register(registry, name, jar.copy().toUri().toURL());
            }
        }
        return (ClassLoader) registry.invoke(name, "get", new Object[0], new String[0]);
    }

    /**
     * All that is registered is of the JDK, so that it does not hold the class loader of the job that came first. A class
     * loader that cannot load the native library is not registered: the next job tries again.
     */
    private static void register(MBeanServer registry, ObjectName name, URL copy) throws JMException, IOException {
        URLClassLoader loader = new URLClassLoader(new URL[] {copy}, ClassLoader.getPlatformClassLoader());
        boolean registered = false;
        try {
            tried(loader);
            registry.registerMBean(new StandardMBean(CompletableFuture.completedFuture(loader), Future.class, false), name);
            registered = true;
        } catch (InstanceAlreadyExistsException e) {
            // Another class of this name was faster, and its class loader does.
        } finally {
            if (!registered) {
                loader.close();
            }
        }
    }

    /** The same class loader, once a call of its native library has come back. */
    private static ClassLoader tried(ClassLoader loader) {
        call(type("Lately", loader), "hash64", new Class<?>[] {byte[].class, long.class}, new byte[0], 0L);
        return loader;
    }
}
