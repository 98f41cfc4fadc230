package dev.lately;

import java.time.Clock;
import java.util.UUID;

/** A filter whose manual clock follows a clock of Java: each call is made at its present instant. Closing it closes nothing. */
final class ByClock implements DuplicateFilter {
    private final Filter filter;
    private final Clock clock;

    ByClock(Filter filter, Clock clock) {
        this.filter = filter;
        this.clock = clock;
    }

    private FilterAt now() {
        return filter.at(clock.instant());
    }

    @Override
    public Verdict observe(byte[] key) {
        return now().observe(key);
    }

    @Override
    public Verdict observe(CharSequence key) {
        return now().observe(key);
    }

    @Override
    public Verdict observe(long key) {
        return now().observe(key);
    }

    @Override
    public Verdict observe(UUID key) {
        return now().observe(key);
    }

    @Override
    public Verdict contains(byte[] key) {
        return now().contains(key);
    }

    @Override
    public Claim claim(byte[] key) {
        return now().claim(key);
    }

    @Override
    public Stats stats() {
        return filter.stats();
    }
}
