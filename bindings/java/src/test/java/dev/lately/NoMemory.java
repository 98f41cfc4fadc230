package dev.lately;

import java.util.ArrayDeque;
import java.util.Deque;

/** A program whose system has little memory to give: it takes what there is, is refused more, and works on. */
public final class NoMemory {
    private static final long UNIT = 64L << 20;

    /** So small that some of them are room for Java and less than a large batch needs. */
    private static final long SMALL = 4L << 20;

    private NoMemory() {
    }

    /**
     * Prints what each refusal comes to, and what is heard after it.
     *
     * @param args none
     */
    public static void main(String[] args) {
        // More keys than the system can have a copy of in one batch, in this heap.
        long[] keys = new long[4_000_000];
        byte[] verdicts = new byte[keys.length];
        // More bytes than the system can have a copy of; one key comes first.
        byte[] wide = new byte[70_000_000];
        try (Filter filter = Try.filter()) {
            say("build", () -> new Filter(Options.quotient(1L << 40).build()));
            Deque<Filter> taken = new ArrayDeque<>();
            say("take", () -> {
                while (true) {
                    taken.push(new Filter(Options.quotient(UNIT).build()));
                }
            });
            // Room for Java itself, and for a small batch but not for one of all keys.
            taken.pop().close();
            say("copy", () -> {
                while (true) {
                    taken.push(taken.peek().copy());
                }
            });
            taken.pop().close();
            Deque<Filter> small = takeTheRest();
            for (int i = 0; i < 4; i++) {
                small.pop().close();
            }
            say("batch", () -> filter.observeAll(Keys.of(keys), verdicts));
            say("wide", () -> filter.observeAll(Keys.packed(wide, new long[] {0, wide.length}), verdicts));
            say("front", () -> filter.observeAll(Keys.packed(wide, new long[] {0, 16}), verdicts));
            filter.clear();
            filter.advance(0);
            System.out.println(filter.observe("key") + " " + filter.observe("key") + " " + filter.stats().newCount());
            taken.forEach(Filter::close);
            small.forEach(Filter::close);
            System.out.println("units: " + (taken.size() > 1 ? "some" : "none") + ", live: " + Handle.live());
        }
    }

    /** Fills the memory that is too little for a large filter with small ones. */
    private static Deque<Filter> takeTheRest() {
        Deque<Filter> small = new ArrayDeque<>();
        try {
            while (true) {
                small.push(new Filter(Options.quotient(SMALL).build()));
            }
        } catch (LatelyException full) {
            return small;
        }
    }

    private static void say(String what, Runnable call) {
        try {
            call.run();
            System.out.println(what + ": no failure");
        } catch (LatelyException e) {
            System.out.println(what + ": " + e.status() + " " + e.done());
        }
    }
}
