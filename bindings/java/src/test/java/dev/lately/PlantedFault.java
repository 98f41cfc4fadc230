package dev.lately;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/**
 * Passes although its native code is wrong. No run has it but the one that must fail for it: {@code mvn verify
 * -Dtest=PlantedFault}, by which the build tries its own check.
 */
class PlantedFault {
    private static native void callWithPendingException();

    @Test
    @SuppressWarnings("restricted")
    void passesAlthoughItIsWrong() {
        System.load(Try.path("lately.faulty").toString());
        assertThrows(IllegalStateException.class, PlantedFault::callWithPendingException);
        System.out.println("checked by -Xcheck:jni");
    }
}
