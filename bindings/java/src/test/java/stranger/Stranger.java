package stranger;

import dev.lately.Filter;
import dev.lately.Options;
import java.time.Duration;

/** A program of somebody else, in a package of its own, so that the jar can be a module or not. */
public final class Stranger {
    private Stranger() {
    }

    /**
     * Prints what two sightings of a key are called, and by which module.
     *
     * @param args none
     */
    public static void main(String[] args) {
        try (Filter filter = new Filter(Options.window(Duration.ofMinutes(10)).memory(1 << 20).build())) {
            System.out.println(filter.observe("key") + " " + filter.observe("key"));
            System.out.println(Filter.class.getModule());
        }
    }
}
