package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden files of {@code tests/golden}: read, answered, written again and regenerated, as its README says. */
class GoldenTest {
    @TestFactory
    Stream<DynamicTest> everyFileOfEveryVersion() throws IOException {
        try (Stream<Path> versions = Files.list(Try.source("tests/golden"))) {
            List<DynamicTest> tests = versions.filter(Files::isDirectory).flatMap(GoldenTest::ofVersion)
                .collect(Collectors.toList());
            assertTrue(tests.size() >= 2 * 2 * 26, tests.size() + " tests");
            return tests.stream();
        }
    }

    private static Stream<DynamicTest> ofVersion(Path version) {
        Map<String, String[]> recipes = new HashMap<>();
        table(version.resolve("filters.tsv")).forEach(row -> recipes.put(row[0], row));
        Stream<DynamicTest> made = recipes.values().stream().flatMap(recipe -> held(recipe[0] + ", regenerated",
            held -> madeAnew(version, recipe, held)));
        Stream<DynamicTest> read = table(version.resolve("answers.tsv")).flatMap(answer -> held(
            answer[0] + " after " + answer[1] + " ns", held -> answers(version, recipes.get(answer[0]), answer, held)));
        return Stream.concat(made, read);
    }

    private interface Check {
        void of(EitherHandle held) throws IOException;
    }

    private static Stream<DynamicTest> held(String name, Check check) {
        return Arrays.stream(EitherHandle.values()).map(held -> DynamicTest.dynamicTest(name + ", " + held, () -> check.of(held)));
    }

    /** The lines of a table but the first, cut at tabs. */
    private static Stream<String[]> table(Path path) {
        try {
            return Files.readAllLines(path).stream().skip(1).map(line -> line.split("\t"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static byte[] golden(Path version, String name) throws IOException {
        return Files.readAllBytes(version.resolve(name + ".lately"));
    }

    /** A recipe is: name, options, keys, calls, start, step, removed. */
    private static void madeAnew(Path version, String[] recipe, EitherHandle held) throws IOException {
        List<String> options = Arrays.asList(recipe[1].split(" "));
        long[] numbers = Arrays.stream(recipe).skip(2).mapToLong(Script::number).toArray();
        try (Filter filter = held.make(Script.options(options).build())) {
            for (long i = 0; i < numbers[1]; i++) {
                long key = i % numbers[0];
                if (options.contains("clock=2")) {
                    filter.at(numbers[2] + i * numbers[3]).observe(key);
                } else {
                    filter.observe(key);
                }
            }
            for (long i = 0; i < numbers[4]; i++) {
                assertTrue(filter.remove(i));
            }
            assertArrayEquals(golden(version, recipe[0]), filter.snapshot());
        }
    }

    /** An answer is: name, elapsed_ns, a digit for each key. */
    private static void answers(Path version, String[] recipe, String[] answer, EitherHandle held) throws IOException {
        byte[] bytes = golden(version, answer[0]);
        Duration elapsed = Duration.ofNanos(Script.number(answer[1]));
        LoadOptions options = held == EitherHandle.SHARED ? new LoadOptions() : new LoadOptions().unshared();
        try (Filter filter = Filter.load(bytes, elapsed, options.secret(secret(recipe[1])))) {
            boolean manual = recipe[1].contains("clock=2");
            StringBuilder said = new StringBuilder();
            for (long key = 0; key < answer[2].length(); key++) {
                said.append((manual ? filter.at(0).contains(key) : filter.contains(key)) == Verdict.DUPLICATE ? '1' : '0');
            }
            assertEquals(answer[2], said.toString());
            if (elapsed.isZero()) {
                assertArrayEquals(bytes, filter.snapshot());
            }
        }
    }

    private static Secret secret(String options) {
        return new Secret(word(options, "secret_lo="), word(options, "secret_hi="));
    }

    private static long word(String options, String name) {
        return Arrays.stream(options.split(" ")).filter(word -> word.startsWith(name)).findFirst()
            .map(word -> Script.number(word.substring(name.length()))).orElse(0L);
    }
}
