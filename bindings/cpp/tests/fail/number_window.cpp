// must fail with: no matching (member )?function
// A window has a unit.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)lately::options::last(1000).window_ns(std::chrono::seconds(600));
#else
    lately::options::last(1000).window_ns(600);
#endif
}
