// must fail with: (no matching function|cannot convert|could not convert|no viable conversion)
// An integer has no bytes before it is said which.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.insert(lately::le64(17));
#else
    filter.insert(17);
#endif
}
