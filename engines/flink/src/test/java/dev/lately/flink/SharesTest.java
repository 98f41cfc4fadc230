package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** How the memory of a subtask is divided over its key groups. */
@Tag("once")
class SharesTest {
    @Test
    void theRestIsDividedOverTheGroupsThatHoldKeys() {
        Shares shares = new Shares(100 << 10, 8);
        long[] kibibytes = {93, 47, 24, 24};
        for (int held = 1; held <= 8; held++) {
            assertEquals(held == 2 || held == 3 || held == 5, shares.changes(held), held + " groups");
            assertEquals(held <= 4 ? kibibytes[held - 1] << 10 : 25 << 9, shares.share(held));
        }
        assertEquals(shares.share(8), shares.even());
    }

    @Test
    void whatIsInUseIsKeptAndTheOthersHaveLess() {
        Shares shares = new Shares(100 << 10, 8);
        assertArrayEquals(new long[] {47 << 10, 0, 47 << 10, 0, 0, 0, 0, 0},
            shares.divide(new long[] {1, 0, 47 << 10, 0, 0, 0, 0, 0}, 2));
        assertArrayEquals(new long[] {80 << 10, 14 << 10, 0, 0, 0, 0, 0, 0},
            shares.divide(new long[] {80 << 10, 1 << 10, 0, 0, 0, 0, 0, 0}, 2));
        assertArrayEquals(new long[] {93 << 10, 1 << 10, 0, 0, 0, 0, 0, 0},
            shares.divide(new long[] {93 << 10, 1, 0, 0, 0, 0, 0, 0}, 2));
    }

    /** Whatever the groups have in use: the sum stays, and each with keys has what it uses, and the least. */
    @Test
    void whatIsGrantedIsNeverMoreThanTheMemory() {
        Random random = new Random(5);
        for (int round = 0; round < 1000; round++) {
            int groups = 1 + random.nextInt(40);
            long memory = Shares.LEAST * groups + random.nextInt(1 << 20);
            Shares shares = new Shares(memory, groups);
            long[] used = new long[groups];
            for (int held = 1; held <= groups; held++) {
                long[] granted = shares.divide(used, held);
                long others = Arrays.stream(granted).sum();
                long mine = Math.min(shares.share(held), shares.left(held, others));
                assertTrue(mine >= Shares.LEAST);
                assertTrue(others + mine + Shares.LEAST * (groups - held) <= memory, memory + ": " + others + " and " + mine);
                used[held - 1] = 1 + (long) (random.nextDouble() * mine);
                for (int i = 0; i < held - 1; i++) {
                    assertTrue(granted[i] >= Math.max(used[i], Shares.LEAST));
                    used[i] = 1 + (long) (random.nextDouble() * granted[i]);
                }
            }
        }
    }
}
