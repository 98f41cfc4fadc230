package dev.lately;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The messages of the library in the words of this package: options by their setters, choices by their constants. */
final class Messages {
    /** A word before " = ", or one with an underscore, which no other word has: an option. */
    private static final Pattern OPTION = Pattern.compile("\\b[a-z]+(?:_[a-z]+)+\\b|\\b[a-z]+(?= = )");

    /** What the library calls a choice: words that begin with capitals, joined. */
    private static final Pattern CHOICE = Pattern.compile("\\b(?:[A-Z][a-z]+)+\\b");

    private static final Map<String, String> OPTIONS = Stream.of(Field.values())
        .collect(Collectors.toMap(field -> field.name().toLowerCase(Locale.ROOT), Field::option));

    private static final Map<String, String> CHOICES = Stream.of(Field.values())
        .flatMap(field -> Stream.of(field.choices()))
        .collect(Collectors.toMap(choice -> joined(choice.name()), Enum::name, (one, same) -> one));

    /** Nanoseconds: the value of an option of time, a range, or a number before "ns". */
    private static final Pattern SPAN = Pattern.compile("\\b[a-z_]+_ns = \\d+|\\b\\d+ to \\d+ ns\\b|\\b\\d+ ns\\b");

    private static final Pattern NUMBER = Pattern.compile("\\b\\d+\\b");

    private Messages() {
    }

    static String inJava(String message) {
        String spans = replaced(SPAN, message, Messages::inDurations);
        String options = replaced(OPTION, spans, word -> OPTIONS.getOrDefault(word, word));
        return replaced(CHOICE, options, word -> CHOICES.getOrDefault(word, word))
            .replace("1 to " + Kind.values().length + ", one of LATELY_KIND_*", "one of Kind");
    }

    /** The message on the value of an option that is not in its range. */
    static String outOfRange(Field field, Object value, String range) {
        return outOfRange(field.option(), value + (field == Field.MEMORY ? " bytes" : ""), range);
    }

    /** The message on a value that is not in its range. */
    static String outOfRange(String name, Object value, String range) {
        return name + " = " + value + ": must be " + range;
    }

    /** Nanoseconds in the form that a {@link java.time.Duration} has. */
    private static String inDurations(String found) {
        String numbers = found.endsWith(" ns") ? found.substring(0, found.length() - 3) : found;
        return replaced(NUMBER, numbers, ns -> Ticks.duration(Long.parseUnsignedLong(ns)).toString());
    }

    private static String replaced(Pattern pattern, String text, Function<String, String> word) {
        return pattern.matcher(text).replaceAll(found -> Matcher.quoteReplacement(word.apply(found.group())));
    }

    /** KEEP_FIRST becomes KeepFirst. */
    private static String joined(String constant) {
        return Stream.of(constant.split("_"))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
    }
}
