package dev.lately;

/** The smallest program: what two sightings of one key are called. */
public final class Hello {
    private Hello() {
    }

    /**
     * Prints "NEW DUPLICATE".
     *
     * @param args none
     */
    public static void main(String[] args) {
        try (Filter filter = Try.filter()) {
            System.out.println(filter.observe("key") + " " + filter.observe("key"));
        }
    }
}
