package dev.lately;

import java.util.Locale;

/** What the native libraries of a platform are called, and where the jar has them. */
final class Platform {
    private final String os;
    private final String arch;

    /** A platform by the system properties {@code os.name} and {@code os.arch}. */
    Platform(String osName, String osArch) {
        this.os = os(osName.toLowerCase(Locale.ROOT));
        this.arch = arch(osArch.toLowerCase(Locale.ROOT));
    }

    static Platform here() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** The folder in the jar. */
    String folder() {
        return "/native/" + os + "-" + arch + "/";
    }

    /** The core's file, named as the glue asks the system for it; the number is the ABI's. */
    String core() {
        switch (os) {
            case "windows":
                return "lately.dll";
            case "macos":
                return "liblately.0.dylib";
            default:
                return "liblately.so.0";
        }
    }

    /** The glue's file. */
    String glue() {
        switch (os) {
            case "windows":
                return "lately_jni.dll";
            case "macos":
                return "liblately_jni.dylib";
            default:
                return "liblately_jni.so";
        }
    }

    private static String os(String name) {
        if (name.startsWith("windows")) {
            return "windows";
        }
        return name.startsWith("mac") ? "macos" : name;
    }

    private static String arch(String name) {
        switch (name) {
            case "amd64":
            case "x86-64":
                return "x86_64";
            case "arm64":
                return "aarch64";
            default:
                return name;
        }
    }
}
