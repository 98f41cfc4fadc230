package dev.lately.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlayTest {
    private static final Workload SMALL = Workload.find("time-2000");

    /** The digests of the protocol: every language has the same streams. */
    @Test
    void keys_seedOne_haveTheDigestOfTheOtherLanguages() {
        assertEquals("b44206624972d0e6", Long.toHexString(Workload.digest(Workload.find("last-2000").keys(1))));
        assertEquals("e74d251a5e807a4d", Long.toHexString(Workload.digest(SMALL.keys(1))));
    }

    @Test
    void play_everyRival_missesNothing() {
        for (Rival rival : Rival.all()) {
            String line = Play.of(rival, SMALL, 1).line().toString();
            assertTrue(line.contains("\"missed\":0,"), line);
        }
    }

    @Test
    void play_subjectThatForgetsAll_missesEveryRepeat() {
        Play play = Play.of(new Forgetful(), SMALL, 1);
        assertTrue(play.line().toString().contains("\"false\":0,\"missed\":4000,"), play.line().toString());
        assertEquals(0, play.packed()[0]);
    }

    /** A rival that calls every key new. */
    private record Forgetful() implements Rival {
        @Override
        public String name() {
            return "forgetful";
        }

        @Override
        public String version() {
            return "";
        }

        @Override
        public String base() {
            return "";
        }

        @Override
        public String error() {
            return "null";
        }

        @Override
        public String bytes() {
            return "";
        }

        @Override
        public String what() {
            return "";
        }

        @Override
        public boolean ofRecords() {
            return true;
        }

        @Override
        public Subject make(Workload workload) {
            return (key, tick) -> false;
        }

        @Override
        public java.util.List<Line> documented() {
            return java.util.List.of();
        }
    }
}
