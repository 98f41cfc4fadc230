package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The law of the gates, without a filter, so often that a gap of nanoseconds is met. */
@Timeout(300)
class GateTest {
    private static final int ROUNDS = "1".equals(System.getenv("LATELY_LONG")) ? 3_000 : 300;

    private volatile Gate gate;
    /** The last round whose gate has been closed. */
    private volatile int ended;

    static Stream<Supplier<Gate>> gates() {
        return Stream.of(SharedGate::new, UnsharedGate::new);
    }

    @ParameterizedTest
    @MethodSource("gates")
    void nobodyIsInsideAfterTheEnd(Supplier<Gate> make) throws InterruptedException {
        ended = 0;
        Crew.of(3, (thread, crew) -> {
            for (int round = 1; round <= ROUNDS; round++) {
                if (thread == 0) {
                    gate = make.get();
                }
                crew.meet(2 * round - 1);
                if (thread == 0) {
                    end(round);
                } else {
                    comeAndGo(round);
                }
                crew.meet(2 * round);
            }
        });
        assertEquals(ROUNDS, ended);
    }

    private void end(int round) {
        for (int i = 0; i < round % 500; i++) {
            Thread.onSpinWait();
        }
        gate.close();
        ended = round;
    }

    private void comeAndGo(int round) {
        Gate here = gate;
        for (int lane = here.enter(); lane != Gate.CLOSED; lane = here.enter()) {
            for (int stay = 0; stay < 30; stay++) {
                assertFalse(ended >= round, "inside of a gate that was closed");
            }
            here.leave(lane);
        }
    }

    /** The end waits for who is inside, and neither loses the interruption nor ends early by it. */
    @ParameterizedTest
    @MethodSource("gates")
    void anInterruptedEndWaits(Supplier<Gate> make) throws InterruptedException {
        Gate here = make.get();
        int lane = here.enter();
        AtomicBoolean left = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        Thread end = new Thread(() -> {
            Thread.currentThread().interrupt();
            here.close();
            seen.set(left.get() && Thread.interrupted());
        });
        end.start();
        // Until it waits.
        while (end.getState() == Thread.State.RUNNABLE || end.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        left.set(true);
        here.leave(lane);
        end.join();
        assertTrue(seen.get(), "the end came early, or lost the interruption");
    }

    @ParameterizedTest
    @MethodSource("gates")
    void anotherGateIsOpen(Supplier<Gate> make) {
        Gate first = make.get();
        first.close();
        assertEquals(Gate.CLOSED, first.enter());
        Gate second = first.another();
        assertEquals(first.getClass(), second.getClass());
        int lane = second.enter();
        assertNotEquals(Gate.CLOSED, lane);
        second.leave(lane);
        second.close();
    }
}
