package dev.lately;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The value of {@link Filter#nativeBytes}, from time to time, in a recording of the JVM. */
@Name("dev.lately.NativeMemory")
@Label("Memory of Filters")
@Category("lately")
@Description("Memory of all open filters, which is outside of Java's heap")
@Period("10 s")
@StackTrace(false)
final class NativeMemoryEvent extends Event {
    @Label("Cells")
    @DataAmount
    long bytes;

    @Label("Open Filters")
    long filters;
}
