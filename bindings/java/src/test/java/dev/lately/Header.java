package dev.lately;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code include/lately.h} declares, read from its text. */
final class Header {
    private final String text;

    Header() throws IOException {
        String all = Files.readString(Try.source("include/lately.h"), StandardCharsets.UTF_8);
        text = all.replaceAll("(?s)/\\*.*?\\*/", " ");
    }

    /** Every function, such as "lately_filter_observe". */
    List<String> functions() {
        return all("LATELY_API\\s[^;{]*?\\b(lately_\\w+)\\s*\\(", 1);
    }

    /** The functions of which a tick is a parameter. */
    List<String> timed() {
        return all("LATELY_API\\s[^;{(]*?\\b(lately_\\w+)\\s*\\([^;{]*\\buint64_t tick\\b", 1);
    }

    /** The members of a struct after its size, in order. */
    List<String> members(String struct) {
        Matcher body = Pattern.compile("typedef struct " + struct + " \\{(.*?)\\}", Pattern.DOTALL).matcher(text);
        if (!body.find()) {
            throw new AssertionError("no struct " + struct);
        }
        List<String> members = new ArrayList<>();
        Matcher member = Pattern.compile("\\w+ (\\w+)(?:\\[\\w+\\])?;").matcher(body.group(1));
        while (member.find()) {
            members.add(member.group(1));
        }
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

    private List<String> all(String pattern, int group) {
        List<String> found = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(group));
        }
        return found;
    }

    /** observe_at becomes observeAt. */
    static String camel(String name) {
        Matcher part = Pattern.compile("_(\\w)").matcher(name);
        return part.replaceAll(match -> match.group(1).toUpperCase(java.util.Locale.ROOT));
    }
}
