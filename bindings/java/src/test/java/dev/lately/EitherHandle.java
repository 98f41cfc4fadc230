package dev.lately;

import java.util.function.Function;

/** The two handles of a filter: what is true of one of them in one thread is true of the other. */
enum EitherHandle {
    SHARED(Filter::new),
    UNSHARED(Filter::unshared);

    private final Function<Options, Filter> make;

    EitherHandle(Function<Options, Filter> make) {
        this.make = make;
    }

    /** As it is made. */
    Filter make(Options options) {
        return make.apply(options);
    }

    /** A manual clock is set to 0: without a first tick it has no now. */
    Filter filter(Options options) {
        Filter filter = make(options);
        if (options.words()[Field.CLOCK.number()] == ClockSource.MANUAL.number()) {
            filter.advance(0);
        }
        return filter;
    }

    Filter filter() {
        return filter(Try.manual().build());
    }
}
