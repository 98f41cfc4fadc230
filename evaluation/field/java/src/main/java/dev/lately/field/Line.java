package dev.lately.field;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A line of JSON: fields in the order in which they were given. */
final class Line {
    private final Map<String, String> fields = new LinkedHashMap<>();

    /** A text. */
    Line with(String name, String value) {
        return raw(name, text(value));
    }

    /** What is JSON already: a number, a list or null. */
    Line raw(String name, Object value) {
        fields.put(name, String.valueOf(value));
        return this;
    }

    static String text(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder("{");
        for (Iterator<Map.Entry<String, String>> all = fields.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, String> field = all.next();
            line.append(text(field.getKey())).append(':').append(field.getValue()).append(all.hasNext() ? "," : "");
        }
        return line.append('}').toString();
    }
}
