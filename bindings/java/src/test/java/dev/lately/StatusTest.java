package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Numbers that this version does not know are carried, not lost. */
class StatusTest {
    @Test
    void anUnknownStatusKeepsItsNumber() {
        LatelyException error = new LatelyException(777, 99, "weiß nicht".getBytes(StandardCharsets.UTF_8), 3);
        assertEquals(777, error.code());
        assertEquals(Status.UNKNOWN, error.status());
        assertEquals(Optional.empty(), error.field());
        assertEquals(3, error.done());
        assertEquals("status 777: weiß nicht (after 3 keys of the batch)", error.getMessage());
        assertEquals("UNKNOWN", Lately.statusName(777));
    }

    @Test
    void aStatusWithoutDetailExplainsItself() {
        LatelyException error = new LatelyException(Status.POISONED.code(), 0, new byte[0], 0);
        assertEquals("POISONED: an earlier call met a bug in the library; this filter can only be closed",
            error.getMessage());
    }

    @Test
    void aVerdictIsOneOfFour() {
        assertEquals("verdict = 4: must be 0 to 3",
            assertThrows(IllegalArgumentException.class, () -> Verdict.of(4)).getMessage());
        for (Verdict verdict : Verdict.values()) {
            assertEquals(verdict, Verdict.of(verdict.code()));
        }
    }
}
