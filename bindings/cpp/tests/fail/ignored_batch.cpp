// must fail with: (ignoring return(ed)? value|nodiscard)
// The outcome of a batch is looked at.
#include <lately.hpp>

void probe(lately::filter& filter, const lately::filter& read_only) {
    (void)filter, (void)read_only;
#ifdef MENDED
    filter.insert_many(lately::batch());
#else
    filter.try_insert_many(lately::batch());
#endif
}
