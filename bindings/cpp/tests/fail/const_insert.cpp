// must fail with: (discards qualifiers|const)
// What changes a filter needs it alone.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)read_only.contains("a");
#else
    read_only.insert("a");
#endif
}
