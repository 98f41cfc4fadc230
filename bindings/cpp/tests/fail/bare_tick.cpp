// must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
// A number has no unit.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.advance(lately::tick::from_ns(5));
#else
    filter.advance(5);
#endif
}
