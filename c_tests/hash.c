/* lately_hash64: published values of XXH3-64, and the same hash by way of a filter. */
#include "check.h"

static void values_are_the_published_ones(void) {
    CHECK(lately_hash64(NULL, 0, 0) == UINT64_C(0x2D06800538D394C2));
    CHECK(lately_hash64(bytes_of(""), 0, 0) == UINT64_C(0x2D06800538D394C2));
    CHECK(lately_hash64(bytes_of("a"), 1, 0) == UINT64_C(0xE6C632B61E964E1F));
    CHECK(lately_hash64(bytes_of("abc"), 3, 0) == UINT64_C(0x78AF5F94892F3950));
    CHECK(lately_hash64(bytes_of("abc"), 3, 1) != UINT64_C(0x78AF5F94892F3950));
}

static void null_is_no_crash(void) {
    CHECK(lately_hash64(NULL, 5, 0) == 0);
    CHECK(lately_hash64(bytes_of("a"), SIZE_MAX, 0) == 0);
}

static void filters_hash_the_same(void) {
    lately_options options = manual_options();
    uint64_t hash = 0;
    options.seed = 42;
    lately_filter *filter = new_filter(&options);
    OK(lately_filter_hash(filter, bytes_of("abc"), 3, &hash));
    CHECK(hash == lately_hash64(bytes_of("abc"), 3, 42));
    OK(lately_filter_hash(filter, NULL, 0, &hash));
    CHECK(hash == lately_hash64(NULL, 0, 42));
    lately_filter_free(filter);
}

int main(void) {
    values_are_the_published_ones();
    null_is_no_crash();
    filters_hash_the_same();
    return check_done("hash");
}
