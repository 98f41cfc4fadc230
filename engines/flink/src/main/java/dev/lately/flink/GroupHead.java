package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.zip.CRC32;

/**
 * What precedes the snapshot of a key group in a checkpoint: what it was written for, and what time it was. Numbers are
 * big-endian.
 *
 * <pre>
 *  0   u32   magic "LtFl"                   27  u8    what follows: 0 nothing, no key was seen; 3 a snapshot as Pieces
 *  4   u32   version, 9                     28  i64   clock of the operator, ms
 *  8   i64   window, ns                     36  i64   its watermark, ms
 *  16  f64   error rate                     44  i64   allowed lateness, ns
 *  24  u8    1 event, 0 processing time     52  i64   the log has a line for records this far behind, ms
 *  25  u8    1 keepFirst                    60  u32   CRC-32 of all before it
 *  26  u8    form of the key: 1 bytes, 2 a number, 3 as Flink serialises it
 * </pre>
 *
 * <p>Versions 1 to 5 have filters whose tables are of another form, which the library does not read any more. Filters of version
 * 6 had a longer window where records may be late, and no lateness. Version 7 did not know what the log has. Version 8 had tables
 * of lines, sorted and deflated.
 */
final class GroupHead {
    static final int BYTES = 64;

    private static final int MAGIC = 0x4C74466C;
    private static final int VERSION = 9;
    private static final int PIECES = 3;
    private static final int CHECKED = 60;
    private static final int NUMBERED = 8;

    private final Settings settings;
    private final int keyForm;
    final long clock;
    final long watermark;
    final long logged;
    final boolean hasSnapshot;

    GroupHead(Settings settings, int keyForm, long clock, long watermark, long logged, boolean hasSnapshot) {
        this.settings = settings;
        this.keyForm = keyForm;
        this.clock = clock;
        this.watermark = watermark;
        this.logged = logged;
        this.hasSnapshot = hasSnapshot;
    }

    byte[] bytes() {
        ByteBuffer head = ByteBuffer.allocate(BYTES);
        head.putInt(MAGIC).putInt(VERSION).putLong(settings.window).putDouble(settings.errorRate);
        head.put(flag(settings.eventTime)).put(flag(settings.keepFirst)).put((byte) keyForm).put((byte) (hasSnapshot ? PIECES : 0));
        head.putLong(clock).putLong(watermark).putLong(settings.lateness).putLong(logged);
        head.putInt(checksum(head.array(), CHECKED));
        return head.array();
    }

    private static byte flag(boolean on) {
        return (byte) (on ? 1 : 0);
    }

    private static int checksum(byte[] head, int length) {
        CRC32 crc = new CRC32();
        crc.update(head, 0, length);
        return (int) crc.getValue();
    }

    /** Reads a head. What it was written for is not compared with anything yet. */
    static GroupHead read(InputStream in) throws IOException {
        byte[] bytes = new byte[BYTES];
        int read = in.readNBytes(bytes, 0, NUMBERED);
        expectWhole(read, NUMBERED);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        int magic = head.getInt();
        int version = head.getInt();
        if (magic != MAGIC) {
            throw StateException.damaged("it does not begin as a state of this operator does");
        }
        expectVersion(version);
        read += in.readNBytes(bytes, NUMBERED, BYTES - NUMBERED);
        expectWhole(read, BYTES);
        if (head.getInt(CHECKED) != checksum(bytes, CHECKED)) {
            throw StateException.damaged("the checksum of its head does not fit");
        }
        return of(head);
    }

    private static void expectVersion(int version) {
        String found = "version " + Integer.toUnsignedString(version) + " of this operator's state; this jar reads version " + VERSION;
        if (version > 0 && version < VERSION) {
            throw StateException.older(found);
        }
        if (version != VERSION) {
            throw StateException.newer(found);
        }
    }

    private static void expectWhole(int read, int length) {
        if (read < length) {
            throw StateException.damaged("it is cut off in its head, after " + read + " of " + length + " bytes");
        }
    }

    private static GroupHead of(ByteBuffer head) {
        Settings.Asked asked = new Settings.Asked(Duration.ofNanos(head.getLong()));
        asked.errorRate = head.getDouble();
        asked.eventTime = head.get() == 1;
        asked.keepFirst = head.get() == 1;
        int keyForm = head.get();
        int follows = head.get();
        if (follows != 0 && follows != PIECES) {
            throw StateException.damaged("what follows its head is said to be " + follows);
        }
        long clock = head.getLong();
        long watermark = head.getLong();
        asked.lateness = Duration.ofNanos(head.getLong());
        return new GroupHead(new Settings(asked), keyForm, clock, watermark, head.getLong(), follows != 0);
    }

    /** Refuses a state that was written for something else than the job asks for, and names what differs. */
    void expect(Settings asked, int askedKeyForm) {
        differ("window", Duration.ofNanos(settings.window), Duration.ofNanos(asked.window));
        differ("allowedLateness", Duration.ofNanos(settings.lateness), Duration.ofNanos(asked.lateness));
        differ("errorRate", settings.errorRate, asked.errorRate);
        differ("time", time(settings), time(asked));
        differ("repeat", repeat(settings), repeat(asked));
        differ("key", form(keyForm), form(askedKeyForm));
    }

    private static void differ(String name, Object written, Object asked) {
        if (!written.equals(asked)) {
            throw StateException.other(name, written, asked);
        }
    }

    private static String time(Settings settings) {
        return settings.eventTime ? "eventTime()" : "processingTime()";
    }

    private static String repeat(Settings settings) {
        return settings.keepFirst ? "keepFirst()" : "not keepFirst()";
    }

    private static String form(int keyForm) {
        switch (keyForm) {
            case 1:
                return "bytes or text";
            case 2:
                return "a number";
            case 3:
                return "as Flink serialises it";
            default:
                return "form " + keyForm;
        }
    }
}
