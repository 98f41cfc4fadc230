// must fail with: (ignoring return value|nodiscard)
// Whoever wants no verdict says insert.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.insert("a");
#else
    filter.observe("a");
#endif
}
