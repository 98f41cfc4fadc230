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

    Filter filter(Options options) {
        return make.apply(options);
    }

    Filter filter() {
        return filter(Try.manual().build());
    }
}
