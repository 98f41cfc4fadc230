// must fail with: use of deleted function|deleted
// No key is not the empty key.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.insert(lately::bytes());
#else
    filter.insert(nullptr);
#endif
}
