package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything that the C header has is in Java: a function, figure or number that is missing fails here. The list of options is
 * generated (packaging).
 */
class HeaderTest {
    /** Functions that the glue does not call, and what there is instead. */
    private static final Map<String, String> INSTEAD = Map.of(
        "lately_options_init", "LATELY_OPTIONS_INIT",
        "lately_load_options_init", "LATELY_LOAD_OPTIONS_INIT",
        "lately_options_window", "Options fills in",
        "lately_options_last", "Options fills in",
        "lately_status_text", "Status.meaning",
        "lately_filter_expect", "lately_shared_open",
        // A stream of Java may call the filter, whose gate is closed to others while a piece is written.
        "lately_filter_snapshot_pieces", "Snapshot.of",
        "lately_filter_load_pieces", "Snapshot.load",
        "lately_shared_load_pieces", "Snapshot.load");

    private final Header header;

    HeaderTest() throws IOException {
        header = new Header();
    }

    /** Every public class, method and constant: javadoc is not asked for missing ones. */
    @Test
    void everythingPublicHasAComment() throws IOException {
        try (Stream<Path> files = Files.walk(Try.source("bindings/java/src/main"))) {
            for (Path file : (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                List<String> lines = Files.readAllLines(file);
                for (int i = 1; i < lines.size(); i++) {
                    if (lines.get(i).matches(" *(public|default) .*|    [A-Z_]+(\\(.*\\))?[,;]")) {
                        assertTrue(lines.get(i - 1).matches(".*\\*/| *@.*"), file + ": " + lines.get(i));
                    }
                }
            }
        }
    }

    /** By the source of the glue: what is linked into it has no names. */
    @Test
    void everyFunctionIsCalledByTheGlue() throws IOException {
        String glue = Files.readString(Try.source("bindings/java/src/main/native/lately_jni.c")).replaceAll("(?s)/\\*.*?\\*/", " ");
        assertTrue(header.functions().size() >= 44, header.functions().toString());
        Set<String> missing = new TreeSet<>(header.functions());
        missing.removeIf(function -> Pattern.compile("\\b" + function + "(\\(| :|\\)\\()").matcher(glue).find());
        assertEquals(INSTEAD.keySet(), missing, "functions of the core that the glue does not call");
    }

    @Test
    void everyStatusHasItsNumberAndName() {
        Map<String, Integer> statuses = new LinkedHashMap<>(Map.of("OK", header.constants("LATELY_").get("OK")));
        statuses.putAll(header.constants("LATELY_ERR_"));
        Map<String, Integer> ours = numbers(Status.values(), Status::code);
        assertEquals(-1, ours.remove("UNKNOWN"));
        assertEquals(statuses, ours);
        statuses.forEach((name, code) -> assertEquals(name, Lately.statusName(code)));
    }

    @Test
    void everyEnumHasItsNumbers() {
        assertEquals(header.constants("LATELY_KIND_"), numbers(Kind.values(), Kind::number));
        Map<String, Integer> clocks = header.constants("LATELY_CLOCK_");
        clocks.keySet().removeAll(Set.of("MANUAL_US", "MANUAL_MS", "MANUAL_S"));
        clocks.put("MANUAL", clocks.remove("MANUAL_NS"));
        assertEquals(clocks, numbers(ClockSource.values(), ClockSource::number));
        assertEquals(header.constants("LATELY_REPEAT_"), numbers(Repeat.values(), Repeat::number));
        assertEquals(header.constants("LATELY_ON_LIMIT_"), numbers(OnLimit.values(), OnLimit::number));
        assertEquals(header.constants("LATELY_VARIANT_"), numbers(Variant.values(), Variant::number));
        assertEquals(header.constants("LATELY_").get("NEW"), Verdict.NEW.code());
        assertEquals(header.constants("LATELY_").get("DUPLICATE"), Verdict.DUPLICATE.code());
        assertEquals(header.constants("LATELY_").get("PENDING"), Verdict.PENDING.code());
        assertEquals(header.constants("LATELY_").get("ABSENT_KEY"), Verdict.ABSENT_KEY.code());
        assertEquals(header.constants("LATELY_COMMIT_"), numbers(Committed.values(), Committed::code));
    }

    /** A group of constants that no test above knows of would be a new enum of the header. */
    @Test
    void noGroupOfConstantsIsForgotten() {
        Set<String> unknown = new TreeSet<>(header.constants("LATELY_").keySet());
        unknown.removeIf(name -> Pattern.compile("^(FIELD|ERR|COMMIT|KEYS|KIND|CLOCK|REPEAT|ON_LIMIT|VARIANT|VERSION)_").matcher(name)
            .find());
        assertEquals(Set.of("OK", "NEW", "DUPLICATE", "PENDING", "ABSENT_KEY", "ABI_VERSION"), unknown);
    }

    @Test
    void everyStatisticHasItsFigure() throws ReflectiveOperationException {
        List<String> members = header.members("lately_stats");
        assertEquals(members.size(), Stats.WORDS);
        checkFigures(members, new Stats(counting(Stats.WORDS)));
    }

    @Test
    void everyFigureOfThePlanHasItsMethod() throws ReflectiveOperationException {
        List<String> members = header.members("lately_plan_result");
        assertEquals(members.size(), Plan.WORDS);
        checkFigures(members, new Plan(counting(Plan.WORDS)));
    }

    @Test
    void versionsAreThoseOfTheHeader() {
        Map<String, Integer> versions = header.constants("LATELY_VERSION_");
        assertEquals(versions.get("NUMBER"), Lately.versionNumber());
        assertEquals(versions.get("MAJOR") + "." + versions.get("MINOR") + "." + versions.get("PATCH"),
            Lately.versionString());
        int abi = header.constants("LATELY_").get("ABI_VERSION");
        assertEquals(abi, Lately.abiVersion());
    }

    /** Word i is i + 1, so a method that reads another word is found out. */
    private static void checkFigures(List<String> members, Object figures) throws ReflectiveOperationException {
        for (int i = 0; i < members.size(); i++) {
            String name = Header.camel(members.get(i).replaceAll("_ns$", ""));
            Object value = figures.getClass().getMethod(name).invoke(figures);
            Map<Class<?>, Object> expected = new HashMap<>();
            expected.put(Long.class, i + 1L);
            expected.put(Double.class, Double.longBitsToDouble(i + 1L));
            expected.put(Duration.class, Duration.ofNanos(i + 1L));
            assertEquals(expected.get(value.getClass()), value, name);
            assertTrue(figures.toString().contains(name + "=" + value), name);
        }
    }

    private static long[] counting(int count) {
        long[] words = new long[count];
        Arrays.setAll(words, i -> i + 1L);
        return words;
    }

    private static <E extends Enum<E>> Map<String, Integer> numbers(E[] values, ToIntFunction<E> number) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (E value : values) {
            numbers.put(value.name(), number.applyAsInt(value));
        }
        return numbers;
    }

    /** What {@code include/lately.h} declares, read from its text. */
    static final class Header {
        private final String text;

        Header() throws IOException {
            String all = Files.readString(Try.source("include/lately.h"), StandardCharsets.UTF_8);
            text = all.replaceAll("(?s)/\\*.*?\\*/", " ");
        }

        /** Every function, such as "lately_filter_observe". */
        List<String> functions() {
            return all("LATELY_API\\s[^;{]*?\\b(lately_\\w+)\\s*\\(", text);
        }

        /** The members of a struct after its size, in order. */
        List<String> members(String struct) {
            Matcher body = Pattern.compile("typedef struct " + struct + " \\{(.*?)\\}", Pattern.DOTALL).matcher(text);
            if (!body.find()) {
                throw new AssertionError("no struct " + struct);
            }
            List<String> members = all("\\w+ (\\w+)(?:\\[\\w+\\])?;", body.group(1));
            members.remove("struct_size");
            return members;
        }

        /** The constants whose names begin so, without that beginning, and their numbers. */
        Map<String, Integer> constants(String prefix) {
            Map<String, Integer> constants = new LinkedHashMap<>();
            Matcher define = Pattern.compile("#define " + prefix + "(\\w+) (\\d+)\\s").matcher(text);
            while (define.find()) {
                constants.put(define.group(1), Integer.valueOf(define.group(2)));
            }
            return constants;
        }

        /** What the one group of a pattern finds, in order. */
        private static List<String> all(String pattern, String in) {
            return Pattern.compile(pattern).matcher(in).results().map(found -> found.group(1)).collect(Collectors.toList());
        }

        /** observe_at becomes observeAt. */
        static String camel(String name) {
            Matcher part = Pattern.compile("_(\\w)").matcher(name);
            return part.replaceAll(match -> match.group(1).toUpperCase(java.util.Locale.ROOT));
        }
    }
}
