// must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
// Time is not rounded in silence.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.advance(std::chrono::milliseconds(500));
#else
    filter.advance(std::chrono::duration<double>(0.5));
#endif
}
