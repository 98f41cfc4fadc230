package dev.lately;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells for which platform a library is, from the beginning of its file: ELF for Linux, PE for Windows; and what a DLL
 * shows to others, for which not every machine has a tool.
 */
final class Binary {
    private static final int ELF = 0x7F454C46;
    private static final int SHARED_OBJECT = 3;
    private static final int MACHINE_IN_ELF = 18;
    private static final int START_OF_PE = 0x3C;
    private static final int EXPORTS_IN_HEADER = 112;

    private Binary() {
    }

    /** Such as "linux-x86_64", as the jar names its folders. */
    static String platformOf(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (ByteBuffer.wrap(file).getInt(0) == ELF && bytes.getShort(MACHINE_IN_ELF - 2) == SHARED_OBJECT) {
            // A library for glibc asks for its C library by this name; musl's is libc.so.
            boolean glibc = new String(file, StandardCharsets.ISO_8859_1).contains("\0libc.so.6\0");
            return "linux-" + machine(bytes.getShort(MACHINE_IN_ELF), 0x3E, 0xB7) + (glibc ? "" : "-musl");
        }
        int header = bytes.getInt(START_OF_PE);
        if (file[0] == 'M' && file[1] == 'Z' && bytes.getInt(header) == 0x4550) {
            return "windows-" + machine(bytes.getShort(header + 4), 0x8664, 0xAA64);
        }
        throw new AssertionError("neither ELF nor PE");
    }

    /** The names that a DLL of 64 bits exports. */
    static Set<String> exportsOf(byte[] file) {
        ByteBuffer dll = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int header = dll.getInt(START_OF_PE) + 24;
        int table = place(dll, dll.getInt(header + EXPORTS_IN_HEADER));
        int names = place(dll, dll.getInt(table + 32));
        Set<String> exports = new TreeSet<>();
        for (int i = 0; i < dll.getInt(table + 24); i++) {
            int name = place(dll, dll.getInt(names + 4 * i));
            exports.add(text(file, name));
        }
        return exports;
    }

    /** Where in the file an address of the loaded DLL is: in the section that has it. */
    private static int place(ByteBuffer dll, int address) {
        int coff = dll.getInt(START_OF_PE) + 4;
        int section = coff + 20 + dll.getShort(coff + 16);
        for (int i = 0; i < dll.getShort(coff + 2); i++, section += 40) {
            int offset = address - dll.getInt(section + 12);
            if (offset >= 0 && offset < dll.getInt(section + 16)) {
                return dll.getInt(section + 20) + offset;
            }
        }
        throw new AssertionError("no section has the address " + address);
    }

    private static String text(byte[] file, int from) {
        int end = from;
        while (file[end] != 0) {
            end++;
        }
        return new String(file, from, end - from, StandardCharsets.US_ASCII);
    }

    private static String machine(short number, int x86, int arm) {
        if ((number & 0xFFFF) == x86) {
            return "x86_64";
        }
        return (number & 0xFFFF) == arm ? "aarch64" : "machine " + number;
    }
}
