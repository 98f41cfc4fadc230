package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The gatherer of new items, by the jar. */
class GathererIT {
    /** An order, whose id may be that of another one. */
    record Order(String id, int number) {
    }

    private static List<Order> orders() {
        Random random = new Random(1);
        return IntStream.range(0, 5000).mapToObj(i -> new Order("order-" + random.nextInt(2000), i)).toList();
    }

    private static Filter filter() {
        return new Filter(Options.last(100_000).build());
    }

    /** Those that a set takes, in the same order, also where the filter is used by a stream of many threads. */
    @Test
    void itemsAreThoseThatASetTakes() {
        Set<String> set = new HashSet<>();
        List<Order> want = orders().stream().filter(order -> set.add(order.id())).collect(Collectors.toList());
        for (boolean parallel : new boolean[] {false, true}) {
            try (Filter seen = filter()) {
                Stream<Order> stream = parallel ? orders().parallelStream() : orders().stream();
                assertEquals(want, stream.gather(seen.gatherBy(Order::id)).toList());
                assertEquals(List.of(), orders().stream().gather(seen.gatherBy(Order::id)).toList());
                assertEquals(want.size(), seen.stats().newCount());
            }
        }
    }

    @Test
    void itemsThatAreNotAskedForAreNotObserved() {
        try (Filter seen = filter()) {
            Stream<String> endless = Stream.iterate(0, i -> i + 1).map(i -> "key-" + i / 2);
            assertEquals(List.of("key-0", "key-1"), endless.gather(seen.gatherBy(key -> key)).limit(2).toList());
            assertEquals(Verdict.DUPLICATE, seen.contains("key-1"));
            assertEquals(Verdict.NEW, seen.contains("key-2"));
            Stream.of("x").gather(seen.gatherBy(key -> key)); // A stream that is never run.
            assertEquals(Verdict.NEW, seen.contains("x"));
        }
    }

    @Test
    void gatherersComposeAndComeFromAnyDuplicateFilter() {
        try (Filter seen = filter()) {
            var chained = seen.<String>gatherBy(key -> key).andThen(java.util.stream.Gatherers.windowFixed(2));
            assertEquals(List.of(List.of("a", "b"), List.of("c")), Stream.of("a", "a", "b", "c").gather(chained).toList());
        }
        DuplicateFilter never = key -> Verdict.NEW;
        assertEquals(List.of("a", "a"), Stream.of("a", "a").gather(never.gatherBy(key -> key)).toList());
        try (Filter seen = new Filter(Options.window(Duration.ofMinutes(1)).clock(ClockSource.MANUAL).build())) {
            var clock = java.time.Clock.fixed(java.time.Instant.EPOCH, java.time.ZoneOffset.UTC);
            assertEquals(List.of("a"), Stream.of("a", "a").gather(seen.by(clock).gatherBy(key -> key)).toList());
        }
    }

    @Test
    void errorsComeOutOfTheStream() {
        try (Filter open = filter()) {
            assertThrows(NullPointerException.class, () -> open.gatherBy(null));
            assertThrows(ArithmeticException.class,
                () -> Stream.of(1, 0).gather(open.gatherBy(n -> "" + 1 / n)).toList());
            assertTrue(open.contains("1") == Verdict.DUPLICATE && open.stats().newCount() == 1);
            assertFalse(open.first("1"));
        }
    }
}
