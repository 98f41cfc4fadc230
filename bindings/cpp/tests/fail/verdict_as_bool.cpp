// must fail with: (could not convert|cannot convert|no viable conversion|not contextually convertible|contextually convertible)
// A verdict is no bool: half of the world means the opposite by true.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    if (filter.observe("a") == lately::verdict::duplicate) {}
#else
    if (filter.observe("a")) {}
#endif
}
