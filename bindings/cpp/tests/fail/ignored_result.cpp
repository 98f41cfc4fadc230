// must fail with: (ignoring return(ed)? value|nodiscard)
// A result is looked at.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)filter.try_observe("a");
#else
    filter.try_observe("a");
#endif
}
