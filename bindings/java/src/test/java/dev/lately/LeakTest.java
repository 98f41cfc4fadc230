package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A filter that nobody closed is named on request; an interface replaces a filter in tests. */
class LeakTest {
    private static final List<Path> CLASSES =
        List.of(Child.classesOf(Filter.class), Child.classesOf(LeakTest.class));

    /** Makes a filter and forgets it, or closes it; then waits for the cleaner. */
    public static final class Forgets {
        public static void main(String[] arguments) throws InterruptedException {
            boolean closes = arguments[0].equals("closes");
            forget(closes);
            for (int i = 0; i < 3_000 && Handle.live() > 0; i++) {
                System.gc();
                Thread.sleep(20);
            }
            System.out.println("live " + Handle.live());
        }

        private static void forget(boolean closes) {
            Filter filter = new Filter(Options.last(10).build());
            filter.observe("a");
            if (closes) {
                filter.close();
            }
        }
    }

    private static String run(String detection, String what) throws Exception {
        Child child = Child.java(CLASSES, "-Dlately.leakDetection=" + detection, Forgets.class.getName(), what);
        assertEquals(0, child.exit, child.output);
        assertTrue(child.output.contains("live 0"), child.output);
        return child.output;
    }

    @Test
    void aFilterThatNobodyClosedIsNamedOnRequest() throws Exception {
        String said = run("true", "forgets");
        assertTrue(said.contains("never closed") && said.contains("Forgets.forget"), said);
        assertFalse(run("true", "closes").contains("never closed"));
        assertFalse(run("false", "forgets").contains("never closed"));
    }

    private static int firstSightings(DuplicateFilter filter, String... keys) {
        int count = 0;
        for (String key : keys) {
            count += filter.observe(key) == Verdict.NEW ? 1 : 0;
        }
        return count;
    }

    @Test
    void anInterfaceStandsForAFilter() {
        DuplicateFilter never = key -> Verdict.NEW;
        assertEquals(3, firstSightings(never, "a", "b", "a"));
        List<String> seen = new ArrayList<>();
        DuplicateFilter exact = key -> {
            String text = Arrays.toString(key);
            boolean before = seen.contains(text);
            seen.add(text);
            return before ? Verdict.DUPLICATE : Verdict.NEW;
        };
        try (DuplicateFilter filter = new Filter(Options.last(10).build())) {
            assertEquals(2, firstSightings(filter, "a", "b", "a"));
            assertEquals(2, firstSightings(exact, "a", "b", "a"));
            assertEquals(exact.observe(0x0102030405060708L), filter.observe(0x0102030405060708L));
            assertEquals(Verdict.DUPLICATE, filter.observe(new byte[] {8, 7, 6, 5, 4, 3, 2, 1}));
            assertEquals(Verdict.DUPLICATE, exact.observe(new byte[] {8, 7, 6, 5, 4, 3, 2, 1}));
        }
        never.close();
    }
}
