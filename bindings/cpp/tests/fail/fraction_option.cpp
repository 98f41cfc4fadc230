// must fail with: no matching (member )?function
// A count is whole.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    (void)lately::options::window(std::chrono::seconds(600)).k(3).fill(0.5);
#else
    lately::options::window(std::chrono::seconds(600)).k(3.5);
#endif
}
