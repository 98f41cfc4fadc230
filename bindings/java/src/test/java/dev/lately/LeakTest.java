package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A filter that was never closed is named on request. */
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
}
