package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Keys in memory segments, and single calls by the foreign functions of Java 22, by the jar. */
class SegmentVerbsIT {
    private static final int[] LENGTHS = {0, 1, 8, 255, 256, 257, 5000};

    /** Bytes that differ from length to length. */
    private static byte[] key(int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (i * 31 + length);
        }
        return key;
    }

    /** The same bytes in native memory, on the heap, in the middle of others, and of an array of longs. */
    private static List<MemorySegment> segments(Arena arena, byte[] key) {
        MemorySegment bytes = MemorySegment.ofArray(key);
        MemorySegment longs = MemorySegment.ofArray(new long[key.length / 8 + 1]).asSlice(0, key.length);
        return List.of(bytes, bytes.asReadOnly(), arena.allocateFrom(ValueLayout.JAVA_BYTE, key),
            arena.allocate(key.length + 10).asSlice(3, key.length).copyFrom(bytes),
            MemorySegment.ofBuffer(Try.direct(key)), longs.copyFrom(bytes));
    }

    @Test
    void callsGoTheWayOfJava22() {
        assertTrue(SingleCalls.areForeign());
    }

    @Test
    void aSegmentIsTheKeyOfItsBytes() {
        for (EitherHandle held : EitherHandle.values()) {
            for (int length : LENGTHS) {
                try (Arena arena = Arena.ofConfined(); Filter filter = held.filter()) {
                    byte[] key = key(length);
                    for (MemorySegment segment : segments(arena, key)) {
                        filter.clear();
                        filter.advance(0);
                        assertEquals(Verdict.NEW, filter.contains(segment));
                        assertEquals(Verdict.NEW, filter.observe(segment), held + " " + segment);
                        assertEquals(Verdict.DUPLICATE, filter.observe(key));
                        assertEquals(Verdict.DUPLICATE, filter.contains(segment));
                        filter.clear();
                        filter.advance(0);
                        filter.insert(segment);
                        assertEquals(Verdict.DUPLICATE, filter.contains(key));
                        filter.at(5).observe(segment);
                        assertEquals(5, filter.stats().clock());
                    }
                }
            }
        }
        // A failure of each of the three functions.
        try (Filter set = new Filter(Options.tinySet(100).build())) {
            Try.fails(Status.CLOCK, () -> set.at(1).observe(MemorySegment.ofArray(key(99))));
            Try.fails(Status.CLOCK, () -> set.at(1).observe(key(9)));
            Try.fails(Status.CLOCK, () -> set.at(1).observeHash(7L));
        }
    }

    @Test
    void whatIsClosedIsNotRead() {
        Filter filter = Try.filter();
        MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(8);
        }
        assertThrows(IllegalStateException.class, () -> filter.observe(gone));
        assertEquals(0, filter.stats().newCount());
        filter.close();
        assertThrows(IllegalStateException.class, () -> filter.observe(MemorySegment.ofArray(key(3))));
        assertThrows(IllegalStateException.class, () -> filter.observe(key(3)));
    }

    /** Room of an arena, of 64 bytes; with `isGone` the arena is closed. */
    private static ByteBuffer room(boolean isGone) {
        Arena arena = Arena.ofConfined();
        ByteBuffer room = arena.allocate(64, 8).asByteBuffer().order(ByteOrder.nativeOrder());
        if (isGone) {
            arena.close();
        }
        return room;
    }

    /** Native code reads a direct buffer at its address, and would not notice. */
    @Test
    void aBufferOfAClosedArenaIsNotRead() {
        try (Filter filter = Try.filter()) {
            ByteBuffer gone = room(true);
            assertThrows(IllegalStateException.class, () -> filter.observe(gone));
            assertThrows(IllegalStateException.class, () -> filter.insert(gone));
            assertThrows(IllegalStateException.class, () -> filter.contains(gone));
            assertThrows(IllegalStateException.class, () -> filter.hash(gone));
            for (int i = -1; i < 5; i++) {
                LongBuffer offsets = room(i == 0).asLongBuffer().limit(3);
                Keys keys = Keys.column(room(i == 1), offsets, room(i == 2), 0).at(room(i == 3).asLongBuffer().limit(2));
                ByteBuffer verdicts = room(i == 4);
                if (i < 0) {
                    filter.observeAll(keys, verdicts);
                    filter.insertAll(keys);
                } else {
                    assertThrows(IllegalStateException.class, () -> filter.observeAll(keys, verdicts), "buffer " + i);
                }
            }
            assertEquals(0, filter.stats().newCount());
        }
    }

    /** Threads have each a room of their own; virtual ones go by JNI. One in several finds a key new. */
    @Test
    void threadsOfBothSortsDoNotMixTheirKeys() throws InterruptedException {
        try (Filter filter = new Filter(Options.last(100_000).build())) {
            AtomicInteger news = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Runnable observe = () -> {
                    for (int n = 0; n < 5_000; n++) {
                        String key = "key " + n + " of all threads";
                        byte[] bytes = key.getBytes();
                        news.addAndGet((n % 2 == 0 ? filter.observe(key) : filter.observe(bytes)) == Verdict.NEW ? 1 : 0);
                    }
                };
                threads.add(i % 2 == 0 ? Thread.ofPlatform().start(observe) : Thread.ofVirtual().start(observe));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            // Of 5,000 keys some 5 are taken for duplicates when they are new.
            assertTrue(news.get() <= 5_000 && news.get() > 4_950, news + " new");
        }
    }

    /** Before Java 24 the JVM complains of who takes native access without being given it; and some platforms have no such functions. */
    @Test
    void whereForeignFunctionsCannotBeUsedItIsJni() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(SegmentVerbsIT.class));
        Child child = Child.java(classes, Way.class.getName());
        String given = Runtime.version().feature() >= 24 ? "true" : "false";
        assertEquals(given + " NEW DUPLICATE", child.output.trim(), child.toString());
        child = Child.java(classes, "-Djdk.internal.foreign.CABI=UNSUPPORTED", Way.class.getName());
        assertEquals("false NEW DUPLICATE", child.output.trim(), child.toString());
    }

    /** Says which way its calls go, and what came of them. */
    public static final class Way {
        public static void main(String[] arguments) {
            try (Filter filter = new Filter(Options.last(10).build())) {
                Verdict first = filter.observe(MemorySegment.ofArray(new byte[] {1}));
                System.out.println(SingleCalls.areForeign() + " " + first + " " + filter.observe(new byte[] {1}));
            }
        }
    }
}
