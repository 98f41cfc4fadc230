/* The batches: what is wrong with keys of any form is found before the first of them. That n keys in one call are n single calls is
 * tested by the scripts of adversarial/ and the lines of tests/vectors. */
#include "check.h"

#include <stddef.h>

/* The forms of keys. */
enum { COLUMN32, COLUMN64, PACKED, SLICES, U64S, HASHES, FORMS };

/* A window of the default kind, which has every verb, of 10 s on a manual clock. */
static lately_options of_time(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, 10 * SECOND));
    options.clock = LATELY_CLOCK_MANUAL_NS;
    options.error_rate = 1e-9;
    return options;
}

static lately_filter *new_table(void) {
    lately_options options = of_time();
    return new_started(&options);
}

/* The batch comes to `want` by every verb, and no key of it was processed. */
static void refused(lately_status want, lately_keys keys) {
    lately_filter *f = new_table();
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        size_t done = UNTOUCHED;
        uint8_t out[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
        STATUS(want, many(v, f, &keys, NULL, out, &done));
        CHECK(done == 0 && out[0] == UNTOUCHED && stats_of(f).items == 0);
    }
    lately_filter_free(f);
}

/* It inserts `n` keys. */
static void accepted(const lately_keys *keys, size_t n) {
    lately_filter *f = new_table();
    size_t done = UNTOUCHED;
    OK(lately_filter_insert_many(f, keys, NULL, &done));
    CHECK(done == n && stats_of(f).items == n);
    lately_filter_free(f);
}

static const uint64_t packed[3] = {0, 1, 2};
static const int32_t narrow[3] = {0, 1, 2};
static const int64_t wide[3] = {0, 1, 2};

static lately_keys two_keys(void) {
    return lately_keys_column32("ab", 2, narrow, NULL, 0, 2);
}

static void offsets_do_not_decrease_or_leave_the_bytes(void) {
    static const uint64_t bad[5][4] = {{0, 2, 1, 4}, {3, 0, 4, 4}, {0, 1, 5, 5}, {0, 1, 2, UINT64_MAX}, {0, 1, 2, 5}};
    static const int32_t small[4][3] = {{-1, 0, 1}, {0, -1, 1}, {1, 2, 1}, {0, 1, 3}};
    static const int64_t large[4][3] = {{-1, 0, 1}, {0, INT64_MIN, 1}, {1, 2, 1}, {0, 1, INT64_MAX}};
    static const uint64_t none_but_beyond[1] = {5};
    for (size_t i = 0; i < 5; i++) {
        refused(LATELY_ERR_OFFSETS, lately_keys_packed("abcd", 4, bad[i], 3));
    }
    for (size_t i = 0; i < 4; i++) {
        refused(LATELY_ERR_OFFSETS, lately_keys_column32("ab", 2, small[i], NULL, 0, 2));
        refused(LATELY_ERR_OFFSETS, lately_keys_column64("ab", 2, large[i], NULL, 0, 2));
    }
    refused(LATELY_ERR_OFFSETS, lately_keys_packed("abcd", 4, none_but_beyond, 0));
}

/* C does not know the type of the offsets, so the library looks at their alignment. */
static void offsets_are_aligned(void) {
    static const int64_t room[4] = {0, 0, 0, 0};
    lately_keys keys = two_keys();
    keys.offsets = (const uint8_t *)room + 2;
    refused(LATELY_ERR_OFFSETS, keys);
    keys.offsets = (const uint8_t *)room + 4;
    keys.form = LATELY_KEYS_COLUMN64;
    refused(LATELY_ERR_OFFSETS, keys);
    refused(LATELY_ERR_OFFSETS, lately_keys_u64s((const uint64_t *)(const void *)((const uint8_t *)room + 1), 1));
    keys.form = LATELY_KEYS_COLUMN32;
    lately_filter *f = new_table();
    size_t done = UNTOUCHED;
    OK(lately_filter_insert_many(f, &keys, NULL, &done));
    CHECK(done == 2);
    lately_filter_free(f);
}

static void fields_have_their_ranges(void) {
    static const uint32_t no_form[5] = {0, 7, 32, 64, UINT32_MAX};
    /* A struct that ends before the form has a 0 there. */
    static const size_t sizes[4] = {0, sizeof(lately_keys) + 1, 1 << 20, offsetof(lately_keys, form)};
    lately_keys keys = two_keys();
    for (size_t i = 0; i < 5; i++) {
        keys.form = no_form[i];
        refused(LATELY_ERR_OPTION, keys);
    }
    keys = two_keys();
    keys.reserved = 1;
    refused(LATELY_ERR_OPTION, keys);
    keys = two_keys();
    for (size_t i = 0; i < 4; i++) {
        keys.struct_size = sizes[i];
        refused(i < 3 ? LATELY_ERR_STRUCT_SIZE : LATELY_ERR_OPTION, keys);
    }
}

/* A struct of a later version, whose new fields are not given, is read; one whose are is not. */
static void a_larger_struct_is_read_while_its_tail_is_zero(void) {
    struct {
        lately_keys keys;
        uint64_t later;
    } larger;
    lately_filter *f = new_table();
    size_t done = UNTOUCHED;
    larger.keys = two_keys();
    larger.keys.struct_size = sizeof larger;
    larger.later = 1;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_insert_many(f, &larger.keys, NULL, &done));
    larger.later = 0;
    accepted(&larger.keys, 2);
    lately_filter_free(f);
}

/* A buffer that is missing, and counts and lengths that exceed the address space, are found before anything is read. */
static void buffers_are_there_and_possible(void) {
    static const uint64_t numbers[2] = {1, 2};
    static const uint8_t bits[1] = {0xff};
    const lately_slice no_bytes[2] = {{"a", 1}, {NULL, 1}}, too_long[2] = {{"a", 1}, {"b", SIZE_MAX}};
    const lately_keys forms[FORMS] = {
        two_keys(), lately_keys_column64("ab", 2, wide, NULL, 0, 2), lately_keys_packed("ab", 2, packed, 2),
        lately_keys_slices(no_bytes, 2), lately_keys_u64s(numbers, 2), lately_keys_hashes(numbers, 2)};
    for (int form = 0; form < FORMS; form++) {
        lately_keys keys = forms[form];
        keys.data = NULL;
        refused(LATELY_ERR_NULL, keys);
        keys = forms[form];
        keys.count = SIZE_MAX;
        refused(LATELY_ERR_OFFSETS, keys);
        keys.count = SIZE_MAX / 4;
        refused(LATELY_ERR_OFFSETS, keys);
        if (form < SLICES) {
            keys = forms[form];
            keys.offsets = NULL;
            refused(LATELY_ERR_NULL, keys);
            keys = forms[form];
            keys.data_len = SIZE_MAX;
            refused(LATELY_ERR_OFFSETS, keys);
        }
    }
    refused(LATELY_ERR_NULL, forms[SLICES]);
    refused(LATELY_ERR_OFFSETS, lately_keys_slices(too_long, 2));
    refused(LATELY_ERR_OFFSETS, lately_keys_column32("ab", 2, narrow, bits, SIZE_MAX, 2));
}

/* Offsets need not begin at 0 nor end at the end; no bitmap: all keys are there; a number is 8 bytes, the lowest first. */
static void bytes_may_be_left_out(void) {
    static const uint64_t offsets[3] = {1, 1, 3}, number[1] = {UINT64_C(0x0102030405060708)};
    static const int32_t behind[3] = {1, 1, 3};
    const uint8_t octets[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    const lately_keys keys[2] = {lately_keys_packed("abcd", 4, offsets, 2),
                                 lately_keys_column32("abcd", 4, behind, NULL, 0, 2)};
    const lately_keys of_number = lately_keys_u64s(number, 1);
    size_t done = UNTOUCHED;
    for (size_t i = 0; i < 2; i++) {
        lately_filter *f = new_table();
        uint8_t verdict = UNTOUCHED, removed[2] = {UNTOUCHED, UNTOUCHED};
        OK(lately_filter_insert_many(f, &keys[i], NULL, &done));
        CHECK(done == 2 && contains_at(f, "bc", 0) == LATELY_DUPLICATE && contains_at(f, "", 0) == LATELY_DUPLICATE);
        CHECK(contains_at(f, "abcd", 0) == LATELY_NEW && stats_of(f).items == 2);
        OK(lately_filter_insert_many(f, &of_number, NULL, &done));
        OK(lately_filter_contains(f, octets, 8, 0, &verdict));
        CHECK(verdict == LATELY_DUPLICATE);
        OK(lately_filter_remove_many(f, &keys[i], NULL, removed, &done));
        CHECK(done == 2 && removed[0] == 1 && removed[1] == 1 && stats_of(f).removed == 2);
        lately_filter_free(f);
    }
}

static void nothing_is_a_batch_too(void) {
    static const uint64_t end[1] = {0};
    static const int32_t narrow_end[1] = {0};
    const lately_keys none[5] = {lately_keys_packed(NULL, 0, end, 0), lately_keys_slices(NULL, 0), lately_keys_u64s(NULL, 0),
                                 lately_keys_hashes(NULL, 0), lately_keys_column32(NULL, 0, narrow_end, NULL, 0, 0)};
    lately_filter *f = new_table();
    for (size_t i = 0; i < 5; i++) {
        for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
            size_t done = UNTOUCHED;
            OK(many(v, f, &none[i], v == CONTAINS ? end : NULL, NULL, &done));
            CHECK(done == 0);
        }
    }
    lately_filter_free(f);
}

/* What came before the tick stays. An absent key before it is done and has its verdict; nothing behind it is touched. */
static void a_batch_stops_at_a_refused_tick(void) {
    static const int64_t offsets[5] = {0, 1, 2, 3, 4};
    static const uint64_t ticks[4] = {SECOND, 99 * SECOND, 99 * SECOND, SECOND};
    static const uint8_t bits[1] = {0x05};
    const lately_keys keys = lately_keys_column64("abcd", 4, offsets, bits, 0, 4);
    lately_options options = of_time();
    options.max_step_ns = SECOND;
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        lately_filter *f = new_started(&options);
        uint8_t out[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
        size_t done = UNTOUCHED;
        STATUS(LATELY_ERR_TICK, many(v, f, &keys, ticks, out, &done));
        CHECK(done == 2 && out[2] == UNTOUCHED && out[3] == UNTOUCHED);
        CHECK(out[0] == (v == INSERT ? UNTOUCHED : 0));
        CHECK(out[1] == (v == INSERT ? UNTOUCHED : v == REMOVE ? 0 : LATELY_ABSENT_KEY));
        CHECK(stats_of(f).refused_ticks == (v == OBSERVE || v == INSERT));
        lately_filter_free(f);
    }
}

/* One reading of the system's clock, which takes no ticks; a keyed filter takes no hashes, nor does one with claims. */
static void clocks_and_hashes(void) {
    static const uint64_t one_number[1] = {7};
    const lately_keys number = lately_keys_u64s(one_number, 1), hash = lately_keys_hashes(one_number, 1);
    lately_options by_system = of_time(), keyed = of_time(), claiming = of_time();
    by_system.clock = LATELY_CLOCK_SYSTEM;
    keyed.keyed = 1;
    claiming.lease_ns = SECOND;
    lately_filter *system = new_filter(&by_system), *waiting = new_filter(&keyed), *with_claims = new_started(&claiming);
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        uint8_t out[1] = {UNTOUCHED};
        size_t done = UNTOUCHED;
        STATUS(LATELY_ERR_CLOCK, many(v, system, &number, one_number, out, &done));
        STATUS(LATELY_ERR_CLOCK, many(v, waiting, &number, NULL, out, &done));
        STATUS(LATELY_ERR_UNSUPPORTED, many(v, waiting, &hash, one_number, out, &done));
        STATUS(LATELY_ERR_UNSUPPORTED, many(v, with_claims, &hash, NULL, out, &done));
        CHECK(done == 0 && out[0] == UNTOUCHED);
        OK(many(v, system, &number, NULL, out, &done));
        CHECK(done == 1);
    }
    lately_filter_free(system);
    lately_filter_free(waiting);
    lately_filter_free(with_claims);
}

int main(void) {
    offsets_do_not_decrease_or_leave_the_bytes();
    offsets_are_aligned();
    fields_have_their_ranges();
    a_larger_struct_is_read_while_its_tail_is_zero();
    buffers_are_there_and_possible();
    bytes_may_be_left_out();
    nothing_is_a_batch_too();
    a_batch_stops_at_a_refused_tick();
    clocks_and_hashes();
    return check_done("batch");
}
