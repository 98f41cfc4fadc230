// must fail with: has no member named .observe.|no member named .observe.
// flags: -std=c++17 -fno-exceptions
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)filter.try_observe("a");
#else
    (void)filter.observe("a");
#endif
}
