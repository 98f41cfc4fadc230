// must fail with: nodiscard
// What a setter of a temporary returns is the request.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    lately::options request(lately::kind::time_limited);
    request.k(3);
#else
    lately::options(lately::kind::time_limited).k(3);
#endif
}
