// must fail with: nodiscard
// What a setter of a temporary returns is the request.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    lately::options request = lately::options::window(std::chrono::seconds(600));
    request.k(3);
#else
    lately::options::window(std::chrono::seconds(600)).k(3);
#endif
}
