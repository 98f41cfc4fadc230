package dev.lately;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the file systems of this process are mounted, as Linux reports it. */
final class Mounts {
    /** A line for each: device, folder, type, options, and two numbers. */
    private static final Path TABLE = Path.of("/proc/self/mounts");

    /** A blank, a tab, a line's end or a backslash in a name. */
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

    private Mounts() {
    }

    /** Whether no program and no library may run from this folder; false if that is unknown. */
    static boolean isNoexec(Path folder) {
        try {
            return isNoexec(folder.toRealPath(), Files.readAllLines(TABLE, StandardCharsets.ISO_8859_1));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** By the innermost of the mounts that the folder is in, of which the last counts where there are several. */
    static boolean isNoexec(Path folder, List<String> table) {
        int depth = -1;
        boolean noexec = false;
        for (String line : table) {
            String[] words = line.split(" ");
            Path mount = words.length < 4 ? null : Path.of(unescaped(words[1]));
            if (mount != null && folder.startsWith(mount) && mount.getNameCount() >= depth) {
                depth = mount.getNameCount();
                noexec = List.of(words[3].split(",")).contains("noexec");
            }
        }
        return noexec;
    }

    private static String unescaped(String name) {
        return OCTAL.matcher(name)
            .replaceAll(found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }
}
