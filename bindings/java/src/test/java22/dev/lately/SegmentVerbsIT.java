package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
        List<MemorySegment> all = new ArrayList<>();
        all.add(arena.allocateFrom(ValueLayout.JAVA_BYTE, key));
        all.add(MemorySegment.ofArray(key));
        all.add(MemorySegment.ofArray(key).asReadOnly());
        MemorySegment wide = arena.allocate(key.length + 10);
        all.add(wide.asSlice(3, key.length).copyFrom(MemorySegment.ofArray(key)));
        all.add(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(key.length).put(key).flip()));
        MemorySegment longs = MemorySegment.ofArray(new long[key.length / 8 + 1]).asSlice(0, key.length);
        all.add(longs.copyFrom(MemorySegment.ofArray(key)));
        return all;
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
                    }
                }
            }
        }
    }

    @Test
    void timesAndRefusalsAreThoseOfAnyKey() {
        try (Filter filter = Try.filter(); Filter set = new Filter(Options.tinySet(100).removable(true).build())) {
            MemorySegment key = MemorySegment.ofArray(key(9));
            assertEquals(Verdict.NEW, filter.at(1).observe(key));
            assertEquals(Verdict.DUPLICATE, filter.at(10_000_000_001L).contains(key));
            filter.at(5_000_000_000L).insert(key);
            assertEquals(Verdict.DUPLICATE, filter.at(15_000_000_000L).observe(key(9)));
            Try.fails(Status.CLOCK, () -> set.at(1).observe(key));
            Try.fails(Status.CLOCK, () -> set.at(1).observe(7L));
            Try.fails(Status.CLOCK, () -> set.at(1).observeHash(7L));
            Try.fails(Status.CLOCK, () -> set.at(1).observe(key(9)));
            set.insert(key);
            assertTrue(set.remove(key(9)));
            assertFalse(set.remove(key(9)));
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

    /** Before Java 24 the JVM complains of who takes native access without being given it: then it is JNI. */
    @Test
    void withoutNativeAccessItIsJni() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(SegmentVerbsIT.class));
        Child child = Child.java(classes, Way.class.getName());
        String given = Runtime.version().feature() >= 24 ? "true" : "false";
        assertEquals(given + " NEW DUPLICATE", child.output.trim(), child.toString());
    }

    /** As on a platform that the JVM has no foreign functions for. */
    @Test
    void withoutForeignFunctionsItIsJni() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(SegmentVerbsIT.class));
        Child child = Child.java(classes, "-Djdk.internal.foreign.CABI=UNSUPPORTED", Way.class.getName());
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
