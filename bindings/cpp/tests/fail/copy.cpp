// must fail with: use of deleted function|call to (implicitly-)?deleted|implicitly-deleted
// A filter does not copy by accident.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    lately::filter other = filter.copy(); (void)other;
#else
    lately::filter other = filter; (void)other;
#endif
}
