package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots: the bytes of a filter, from and into both handles, by arrays, buffers and streams; and any other bytes. */
class SnapshotTest {
    private static final Duration NOTHING = Duration.ZERO;
    private static final LoadOptions PLAIN = new LoadOptions();

    /** Where the format says how many bytes there are. */
    private static final int LENGTH_AT = 16;

    private static LoadOptions options(EitherHandle held) {
        return held == EitherHandle.SHARED ? PLAIN : PLAIN.unshared();
    }

    /** By every way out and every way in. */
    @ParameterizedTest
    @EnumSource
    void aRestoredFilterContinuesAsTheOriginal(EitherHandle held) throws IOException {
        Secret secret = new Secret(3, 4);
        LoadOptions options = options(held).secret(secret);
        try (Filter filter = held.filter(Options.window(Duration.ofHours(1)).clock(ClockSource.MANUAL).keyed(true).secret(secret).build())) {
            filter.insertAll(Keys.of(LongStream.range(0, 300).toArray()));
            byte[] bytes = filter.snapshot();
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            assertEquals(bytes.length, filter.writeTo(stream));
            assertArrayEquals(bytes, stream.toByteArray());
            ByteBuffer direct = Try.direct(bytes);
            try (Filter array = Filter.load(bytes, NOTHING, options);
                Filter buffer = Filter.load(direct, NOTHING, options);
                Filter read = Filter.readFrom(new ByteArrayInputStream(bytes), NOTHING, options)) {
                assertEquals(bytes.length, direct.remaining());
                for (Filter loaded : List.of(array, buffer, read)) {
                    assertArrayEquals(bytes, loaded.snapshot());
                    assertEquals(secret, loaded.secret());
                    assertEquals(Verdict.DUPLICATE, loaded.observe(299));
                    assertEquals(held == EitherHandle.SHARED, isShared(loaded));
                }
            }
            Try.fails(Status.SECRET, () -> Filter.load(bytes, NOTHING, PLAIN));
            Try.fails(Status.SECRET, () -> Filter.load(bytes, NOTHING, PLAIN.secret(new Secret(4, 3))));
        }
    }

    private static boolean isShared(Filter filter) {
        try (Filter other = filter.retain()) {
            return true;
        } catch (LatelyException unsupported) {
            return false;
        }
    }

    @Test
    void timePassesOnTheDisk() {
        try (Filter filter = Try.filter()) {
            filter.at(5_000_000_000L).observe("a");
            byte[] bytes = filter.snapshot();
            try (Filter soon = Filter.load(bytes, Duration.ofSeconds(10), PLAIN);
                Filter late = Filter.load(bytes, Duration.ofSeconds(100), PLAIN)) {
                assertEquals(Verdict.DUPLICATE, soon.contains("a"));
                assertEquals(15_000_000_000L, soon.stats().clock());
                assertEquals(Verdict.NEW, late.contains("a"));
            }
        }
    }

    @Test
    void theTimeThatPassedIsKnownAndNotNegative() {
        try (Filter filter = Try.filter()) {
            byte[] bytes = filter.snapshot();
            assertEquals("ELAPSED: elapsed = PT-1H: must be at least PT0S",
                Try.fails(Status.ELAPSED, () -> Filter.load(bytes, Duration.ofHours(-1), PLAIN)).getMessage());
            Try.fails(Status.ELAPSED, () -> Filter.load(bytes, Duration.ofDays(200_000), PLAIN));
            assertThrows(NullPointerException.class, () -> Filter.load(bytes, null, PLAIN));
            assertThrows(NullPointerException.class, () -> Filter.load(bytes, NOTHING, null));
            assertThrows(NullPointerException.class, () -> Filter.readFrom(null, NOTHING, PLAIN));
            assertThrows(NullPointerException.class, () -> filter.writeTo(null));
        }
    }

    /** Which limits there are is tested in c_tests/snapshot.c. */
    @Test
    void bothLimitsOfMemoryAreGivenOn() {
        try (Filter filter = new Filter(Options.window(Duration.ofMinutes(1)).memory(2048).build())) {
            byte[] bytes = filter.snapshot();
            long cells = filter.stats().bytes();
            Try.fails(Status.TOO_LARGE, () -> Filter.load(bytes, NOTHING, PLAIN.newMemory(1 << 20).memory(cells - 1)));
            InputStream stream = new ByteArrayInputStream(bytes);
            Try.fails(Status.TOO_LARGE, () -> Filter.readFrom(stream, NOTHING, PLAIN.memory(cells).newMemory(1)));
            try (Filter raised = Filter.load(bytes, NOTHING, PLAIN.newMemory(4096));
                Filter free = Filter.load(bytes, NOTHING, PLAIN.newMemory(-1))) {
                assertEquals(List.of(4096L, 0L), List.of(raised.options().memory(), free.options().memory()));
            }
        }
    }

    /** Every length of a small snapshot, from an array and from a stream; nothing of them stays. */
    @Test
    void anyOtherBytesAreAnException() throws IOException {
        long before = Handle.live();
        try (Filter filter = Try.filter()) {
            filter.at(1).observe("a");
            byte[] bytes = filter.snapshot();
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThrows(LatelyException.class, () -> Filter.load(cut, NOTHING, PLAIN));
                assertThrows(EOFException.class, () -> read(cut));
            }
            bytes[bytes.length - 9] ^= 1;
            Try.fails(Status.CHECKSUM, () -> Filter.load(bytes, NOTHING, PLAIN));
            Try.fails(Status.CHECKSUM, () -> read(bytes));
            bytes[bytes.length - 9] ^= 1;
            read(bytes);
        }
        assertEquals(before, Handle.live());
    }

    private static void read(byte[] bytes) throws IOException {
        Filter.readFrom(new ByteArrayInputStream(bytes), NOTHING, PLAIN).close();
    }

    /** An announced length takes nothing: memory grows with what comes. */
    @Test
    void aLyingLengthTakesNoMemory() {
        try (Filter filter = Try.filter()) {
            for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 1L << 32, 57, 24, 1, 0}) {
                byte[] bytes = filter.snapshot();
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(LENGTH_AT, length);
                Try.fails(Status.CORRUPT, () -> Filter.load(bytes, NOTHING, PLAIN));
                assertThrows(Exception.class, () -> read(bytes));
                if (Long.compareUnsigned(length, 1 << 20) > 0) {
                    InputStream stream = new ByteArrayInputStream(bytes);
                    Try.fails(Status.TOO_LARGE, () -> Filter.readFrom(stream, NOTHING, PLAIN.memory(1 << 16)));
                }
            }
        }
    }

    @Test
    void whatIsNoSnapshotIsNotReadToItsEnd() throws IOException {
        AtomicLong read = new AtomicLong();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                read.incrementAndGet();
                return 'x';
            }
        };
        Try.fails(Status.MAGIC, () -> Filter.readFrom(endless, NOTHING, PLAIN));
        assertTrue(read.get() < 100, read + " bytes");
    }

    /** A stream is read up to the last byte of a snapshot and no further. */
    @Test
    void oneStreamHoldsSeveral() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Filter filter = Try.filter()) {
            for (int i = 0; i < 10; i++) {
                filter.observe(i);
                filter.writeTo(out);
            }
        }
        InputStream in = new ByteArrayInputStream(out.toByteArray());
        for (int i = 0; i < 10; i++) {
            try (Filter restored = Filter.readFrom(in, NOTHING, PLAIN)) {
                assertEquals(Verdict.DUPLICATE, restored.contains(i));
                assertEquals(i + 1, restored.stats().newCount());
            }
        }
        assertEquals(-1, in.read());
    }

    @Test
    void aStreamThatFailsIsTold() {
        IOException full = new IOException("full");
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw full;
            }
        };
        InputStream in = new InputStream() {
            @Override
            public int read() throws IOException {
                throw full;
            }
        };
        try (Filter filter = Try.filter()) {
            assertSame(full, assertThrows(IOException.class, () -> filter.writeTo(out)));
            assertSame(full, assertThrows(IOException.class, () -> Filter.readFrom(in, NOTHING, PLAIN)));
            assertEquals(Verdict.NEW, filter.observe("continues"));
        }
    }

    /** A stream may wait, or call the filter: nothing is held while it writes. */
    @Test
    void theFilterGoesOnWhileTheStreamTakesItsTime() throws IOException {
        for (EitherHandle held : EitherHandle.values()) {
            try (Filter filter = held.filter()) {
                filter.writeTo(new OutputStream() {
                    @Override
                    public void write(int b) {
                        filter.observe(b);
                    }
                });
                assertTrue(filter.stats().newCount() > 0);
            }
        }
    }

    /** A filter grows while its snapshot is written; what was observed before that began is in it. */
    @Test
    void aSnapshotIsWholeWhileThreadsObserve() throws InterruptedException {
        AtomicLong done = new AtomicLong();
        try (Filter filter = new Filter(Options.window(Duration.ofHours(1)).build())) {
            Crew.of(2, (thread, crew) -> {
                crew.meet(1);
                for (long i = 0; thread == 0 && i < 60_000; i++) {
                    filter.observe(i);
                    done.set(i + 1);
                }
                while (thread == 1 && done.get() < 60_000) {
                    long before = done.get();
                    try (Filter restored = Filter.load(filter.snapshot(), NOTHING, PLAIN)) {
                        long missing = LongStream.range(0, before).filter(i -> restored.contains(i) == Verdict.NEW).count();
                        assertEquals(0, missing, "of " + before);
                    }
                }
            });
        }
    }
}
