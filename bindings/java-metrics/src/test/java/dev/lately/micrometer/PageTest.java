package dev.lately.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The program of docs/reference/metrics.md compiles as it is printed, and prints the lines below it. */
class PageTest {
    private static final Pattern PROGRAM =
        Pattern.compile("```java\n(.*?class (\\w+) .*?)```\n.*?```text\n(.*?)```\n", Pattern.DOTALL);

    @Test
    void thePagesProgramPrintsThePagesMetrics(@TempDir Path folder) throws Exception {
        Matcher page = PROGRAM.matcher(Files.readString(Path.of(System.getProperty("lately.root"), "docs/reference/metrics.md")));
        assertTrue(page.find(), "the page has no program in Java with a text below it");
        Path source = Files.writeString(folder.resolve(page.group(2) + ".java"), page.group(1));
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null,
            "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
        assertEquals(0, failed, "the page's program does not compile");
        List<String> lines = Arrays.asList(printed(folder, page.group(2)).split("\n"));
        for (String line : page.group(3).split("\n")) {
            assertTrue(line.startsWith("lately_") && lines.contains(line), () -> "no line " + line + " in " + lines);
        }
    }

    /** What the program prints, in this JVM. */
    private static String printed(Path folder, String name) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Method main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            System.setOut(new PrintStream(bytes, true));
            main.invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return bytes.toString();
    }
}
