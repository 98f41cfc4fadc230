// must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
// The origin of a steady clock is not 1970.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.advance(std::chrono::steady_clock::now().time_since_epoch());
#else
    filter.advance(std::chrono::steady_clock::now());
#endif
}
