// must fail with: use of deleted function|overload resolution selected deleted|implicitly-deleted
// Nor by assignment.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    lately::filter other; other = std::move(filter);
#else
    lately::filter other; other = filter;
#endif
}
