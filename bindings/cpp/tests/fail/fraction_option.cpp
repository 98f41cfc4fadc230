// must fail with: no matching (member )?function
// A count is whole.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)lately::options(lately::kind::time_limited).k(3).fill(0.5);
#else
    lately::options(lately::kind::time_limited).k(3.5);
#endif
}
