package dev.lately;

import java.nio.file.Path;

/** A program that has a core of another version in its process before it makes a filter. */
public final class BesideAnotherCore {
    private BesideAnotherCore() {
    }

    /**
     * Prints what two sightings of a key are called; the other core has nothing but a version.
     *
     * @param args the other core
     */
    @SuppressWarnings("restricted")
    public static void main(String[] args) {
        System.load(Path.of(args[0]).toAbsolutePath().toString());
        Hello.main(args);
    }
}
