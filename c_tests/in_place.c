/* Batches of keys where they lie, slices and columns, are n single calls; what is wrong with them is found first. */
#include "check.h"

#define KEYS 100
#define ROOM 2000

/* Keys of 0 to 3 bytes with repeats, some absent, and their ticks; the same keys as slices and as columns. */
typedef struct {
    char text[KEYS][8];
    lately_slice slices[KEYS];
    int absent[KEYS];
    uint64_t ticks[KEYS];
    uint8_t bytes[ROOM];
    int32_t small[KEYS + 1];
    int64_t large[KEYS + 1];
    uint8_t bits[16];
    size_t bit;
} sample;

/* One key in `one_in` is absent; 0: none. The bitmap begins at `bit`, the buffer of values has bytes before the first key. */
static void make_keys(sample *s, uint32_t one_in, size_t bit) {
    uint32_t random = 7 + (uint32_t)bit;
    size_t end = 3 * bit;
    memset(s, 0xff, sizeof *s);
    s->bit = bit;
    for (size_t i = 0; i < KEYS; i++) {
        size_t len;
        random = random * 1664525u + 1013904223u;
        len = (size_t)snprintf(s->text[i], sizeof s->text[i], "%u", (unsigned)((random >> 16) % 150));
        len = random >> 28 == 0 ? 0 : len;
        s->slices[i].data = len == 0 ? NULL : s->text[i];
        s->slices[i].len = len;
        s->absent[i] = one_in != 0 && (random >> 8) % one_in == 0;
        s->ticks[i] = SECOND + i * (SECOND / 10) - (i % 7 == 3 ? SECOND / 2 : 0);
        s->small[i] = (int32_t)end;
        s->large[i] = (int64_t)end;
        memcpy(s->bytes + end, s->text[i], len);
        end += len;
        if (s->absent[i]) {
            s->bits[(bit + i) / 8] = (uint8_t)(s->bits[(bit + i) / 8] & ~(1u << ((bit + i) % 8)));
        }
    }
    s->small[KEYS] = (int32_t)end;
    s->large[KEYS] = (int64_t)end;
}

static lately_keys column_of(const sample *s, uint32_t offset_bits) {
    lately_keys column = NO_COLUMN;
    column.data = s->bytes;
    column.data_len = sizeof s->bytes;
    column.offsets = offset_bits == 32 ? (const void *)s->small : (const void *)s->large;
    column.form = offset_bits == 32 ? LATELY_KEYS_COLUMN32 : LATELY_KEYS_COLUMN64;
    column.validity = s->bits;
    column.validity_offset = s->bit;
    return column;
}

static int equal(const lately_filter *a, const lately_filter *b) {
    lately_stats one = stats_of(a), other = stats_of(b);
    return memcmp(&one, &other, sizeof one) == 0;
}

typedef enum { OBSERVE, INSERT, CONTAINS, VERBS } verb;

/* The answers of single calls; an absent key is left out. */
static void singly(lately_filter *f, verb v, const sample *s, uint8_t *verdicts) {
    for (size_t i = 0; i < KEYS; i++) {
        const lately_slice key = s->slices[i];
        verdicts[i] = UNTOUCHED;
        if (s->absent[i]) {
            verdicts[i] = LATELY_ABSENT_KEY;
        } else if (v == OBSERVE) {
            OK(lately_filter_observe(f, key.data, key.len, s->ticks[i], &verdicts[i]));
        } else if (v == INSERT) {
            OK(lately_filter_insert(f, key.data, key.len, s->ticks[i]));
        } else {
            OK(lately_filter_contains(f, key.data, key.len, s->ticks[i], &verdicts[i]));
        }
    }
}

static lately_status by_slices(lately_filter *f, verb v, const sample *s, uint8_t *verdicts, size_t *done) {
    if (v == OBSERVE) {
        return observe_slices(f, s->slices, s->ticks, KEYS, verdicts, done);
    }
    if (v == INSERT) {
        return insert_slices(f, s->slices, s->ticks, KEYS, done);
    }
    return contains_slices(f, s->slices, s->ticks, KEYS, verdicts, done);
}

static lately_status by_column(lately_filter *f, verb v, lately_keys *keys, const uint64_t *ticks, size_t n,
                               uint8_t *verdicts, size_t *done) {
    if (v == OBSERVE) {
        return observe_column(f, keys, ticks, n, verdicts, done);
    }
    if (v == INSERT) {
        return insert_column(f, keys, ticks, n, done);
    }
    return contains_column(f, keys, ticks, n, verdicts, done);
}

static lately_filter *new_of(uint32_t keyed) {
    lately_options options = manual_options();
    options.keyed = keyed;
    options.secret_lo = keyed;
    return new_started(&options);
}

static void slices_are_single_calls(uint32_t keyed) {
    sample s;
    lately_filter *single = new_of(keyed), *batch = new_of(keyed);
    uint8_t one[KEYS], many[KEYS];
    make_keys(&s, 0, 0);
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        size_t done = UNTOUCHED;
        memset(many, UNTOUCHED, KEYS);
        singly(single, v, &s, one);
        OK(by_slices(batch, v, &s, many, &done));
        CHECK(done == KEYS && memcmp(one, many, KEYS) == 0 && equal(single, batch));
    }
    lately_filter_free(single);
    lately_filter_free(batch);
}

static void columns_are_single_calls(uint32_t keyed, uint32_t offset_bits, uint32_t absent, size_t bit) {
    sample s;
    lately_keys keys;
    lately_filter *single = new_of(keyed), *batch = new_of(keyed);
    uint8_t one[KEYS], many[KEYS];
    make_keys(&s, absent, bit);
    keys = column_of(&s, offset_bits);
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        size_t done = UNTOUCHED;
        memset(many, UNTOUCHED, KEYS);
        singly(single, v, &s, one);
        OK(by_column(batch, v, &keys, s.ticks, KEYS, many, &done));
        CHECK(done == KEYS && (v == INSERT || memcmp(one, many, KEYS) == 0) && equal(single, batch));
    }
    CHECK(memchr(one, LATELY_ABSENT_KEY, KEYS) != NULL || absent == 0);
    lately_filter_free(single);
    lately_filter_free(batch);
}

static void columns_at_every_bit(void) {
    for (size_t bit = 0; bit < 16; bit++) {
        for (uint32_t absent = 0; absent < 12; absent += 4) {
            columns_are_single_calls(0, 32, absent, bit);
            columns_are_single_calls(0, 64, absent, bit);
        }
    }
    columns_are_single_calls(1, 32, 3, 5);
}

/* Without ticks, and without a bitmap; the first key does not begin at 0. */
static void a_column_without_a_bitmap_has_all_its_keys(void) {
    static const int32_t offsets[4] = {1, 3, 5, 5};
    lately_keys keys = NO_COLUMN;
    lately_filter *f = new_manual();
    uint8_t v[3] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    keys.data = "xabab";
    keys.data_len = 5;
    keys.offsets = offsets;
    keys.form = LATELY_KEYS_COLUMN32;
    OK(observe_column(f, &keys, NULL, 3, v, &done));
    CHECK(done == 3 && v[0] == LATELY_NEW && v[1] == LATELY_DUPLICATE && v[2] == LATELY_NEW);
    lately_filter_free(f);
}

/* An absent key before the one that fails is done and has its verdict; nothing behind that is touched. */
static void a_refused_tick_stops_behind_the_absent_keys(void) {
    static const int64_t offsets[5] = {0, 1, 2, 3, 4};
    static const uint64_t ticks[4] = {SECOND, 99 * SECOND, 99 * SECOND, SECOND};
    static const uint8_t bits[1] = {0x05};
    lately_options options = manual_options();
    lately_keys keys = NO_COLUMN;
    keys.data = "abcd";
    keys.data_len = 4;
    keys.offsets = offsets;
    keys.form = LATELY_KEYS_COLUMN64;
    keys.validity = bits;
    options.max_step_ns = SECOND;
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        lately_filter *f = new_started(&options);
        uint8_t verdicts[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
        size_t done = UNTOUCHED;
        OK(lately_filter_advance(f, SECOND));
        STATUS(LATELY_ERR_TICK, by_column(f, v, &keys, ticks, 4, verdicts, &done));
        CHECK(done == 2 && verdicts[2] == UNTOUCHED && verdicts[3] == UNTOUCHED);
        CHECK(v == INSERT || (verdicts[0] == LATELY_NEW && verdicts[1] == LATELY_ABSENT_KEY));
        lately_filter_free(f);
    }
}

static void nothing_is_a_batch_too(void) {
    static const int32_t end[1] = {0};
    lately_filter *f = new_manual();
    lately_keys keys = NO_COLUMN;
    size_t done = UNTOUCHED;
    OK(observe_slices(f, NULL, NULL, 0, NULL, &done));
    CHECK(done == 0);
    OK(insert_slices(f, NULL, NULL, 0, &done));
    OK(contains_slices(f, NULL, NULL, 0, NULL, &done));
    keys.offsets = end;
    keys.form = LATELY_KEYS_COLUMN32;
    done = UNTOUCHED;
    OK(observe_column(f, &keys, NULL, 0, NULL, &done));
    CHECK(done == 0);
    OK(insert_column(f, &keys, NULL, 0, &done));
    OK(contains_column(f, &keys, NULL, 0, NULL, &done));
    lately_filter_free(f);
}

/* The batch comes to `want`, and no key of it was processed. */
static void refused_column(lately_status want, lately_keys *keys, size_t n) {
    lately_filter *f = new_manual();
    uint8_t verdicts[2] = {UNTOUCHED, UNTOUCHED};
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        size_t done = UNTOUCHED;
        STATUS(want, by_column(f, v, keys, NULL, n, verdicts, &done));
        CHECK(done == 0 && verdicts[0] == UNTOUCHED && stats_of(f).items == 0);
    }
    lately_filter_free(f);
}

static const int32_t sound[3] = {0, 1, 2};

static lately_keys two_keys(void) {
    lately_keys keys = NO_COLUMN;
    keys.data = "ab";
    keys.data_len = 2;
    keys.offsets = sound;
    keys.form = LATELY_KEYS_COLUMN32;
    return keys;
}

static void offsets_do_not_decrease_or_leave_the_bytes(void) {
    static const int32_t small[4][3] = {{-1, 0, 1}, {0, -1, 1}, {1, 2, 1}, {0, 1, 3}};
    static const int64_t large[4][3] = {{-1, 0, 1}, {0, INT64_MIN, 1}, {1, 2, 1}, {0, 1, INT64_MAX}};
    lately_keys keys = two_keys();
    for (size_t i = 0; i < 4; i++) {
        keys.offsets = small[i];
        keys.form = LATELY_KEYS_COLUMN32;
        refused_column(LATELY_ERR_OFFSETS, &keys, 2);
        keys.offsets = large[i];
        keys.form = LATELY_KEYS_COLUMN64;
        refused_column(LATELY_ERR_OFFSETS, &keys, 2);
    }
}

/* C does not know the type of the offsets, so the library looks at their alignment. */
static void offsets_are_aligned(void) {
    static const int64_t room[4] = {0, 0, 0, 0};
    lately_keys keys = two_keys();
    keys.offsets = (const uint8_t *)room + 2;
    refused_column(LATELY_ERR_OFFSETS, &keys, 2);
    keys.offsets = (const uint8_t *)room + 4;
    keys.form = LATELY_KEYS_COLUMN64;
    refused_column(LATELY_ERR_OFFSETS, &keys, 2);
    keys.form = LATELY_KEYS_COLUMN32;
    {
        lately_filter *f = new_manual();
        size_t done = UNTOUCHED;
        OK(insert_column(f, &keys, NULL, 2, &done));
        lately_filter_free(f);
    }
}

static void fields_have_their_ranges(void) {
    static const uint32_t no_form[5] = {0, 7, 32, 64, UINT32_MAX};
    lately_keys keys = two_keys();
    for (size_t i = 0; i < 5; i++) {
        keys.form = no_form[i];
        refused_column(LATELY_ERR_OPTION, &keys, 2);
    }
    keys = two_keys();
    keys.reserved = 1;
    refused_column(LATELY_ERR_OPTION, &keys, 2);
    keys = two_keys();
    keys.struct_size = 0;
    refused_column(LATELY_ERR_STRUCT_SIZE, &keys, 2);
    keys.struct_size = sizeof keys + 1;
    refused_column(LATELY_ERR_STRUCT_SIZE, &keys, 2);
    keys.struct_size = 1 << 20;
    refused_column(LATELY_ERR_STRUCT_SIZE, &keys, 2);
    /* A struct that ends before the field has a 0 there. */
    keys.struct_size = offsetof(lately_keys, form);
    refused_column(LATELY_ERR_OPTION, &keys, 2);
}

/* A struct of a later version, whose new fields are not given, is read; one whose are is not. */
static void a_larger_struct_is_read_while_its_tail_is_zero(void) {
    struct {
        lately_keys column;
        uint64_t later;
    } larger;
    larger.column = two_keys();
    larger.column.struct_size = sizeof larger;
    larger.later = 1;
    refused_column(LATELY_ERR_STRUCT_SIZE, &larger.column, 2);
    larger.later = 0;
    {
        lately_filter *f = new_manual();
        size_t done = UNTOUCHED;
        OK(insert_column(f, &larger.column, NULL, 2, &done));
        CHECK(done == 2);
        lately_filter_free(f);
    }
}

static void a_buffer_that_is_missing_is_null(void) {
    lately_keys keys = two_keys();
    keys.data = NULL;
    refused_column(LATELY_ERR_NULL, &keys, 2);
    keys = two_keys();
    keys.offsets = NULL;
    refused_column(LATELY_ERR_NULL, &keys, 2);
}

static void impossible_counts_are_refused(void) {
    static const uint8_t bits[1] = {0xff};
    lately_keys keys = two_keys();
    refused_column(LATELY_ERR_OFFSETS, &keys, SIZE_MAX);
    refused_column(LATELY_ERR_OFFSETS, &keys, SIZE_MAX / 4);
    keys.data_len = SIZE_MAX;
    refused_column(LATELY_ERR_OFFSETS, &keys, 2);
    keys = two_keys();
    keys.validity = bits;
    keys.validity_offset = SIZE_MAX;
    refused_column(LATELY_ERR_OFFSETS, &keys, 2);
}

/* The second of two slices is wrong, and the first is not processed. */
static void refused_slices(lately_status want, lately_slice wrong) {
    lately_slice keys[2];
    lately_filter *f = new_manual();
    uint8_t v[2] = {UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    keys[0].data = "a";
    keys[0].len = 1;
    keys[1] = wrong;
    STATUS(want, observe_slices(f, keys, NULL, 2, v, &done));
    CHECK(done == 0);
    done = UNTOUCHED;
    STATUS(want, insert_slices(f, keys, NULL, 2, &done));
    CHECK(done == 0);
    done = UNTOUCHED;
    STATUS(want, contains_slices(f, keys, NULL, 2, v, &done));
    CHECK(done == 0 && v[0] == UNTOUCHED && stats_of(f).items == 0);
    lately_filter_free(f);
}

static void slices_are_checked_before_the_first_key(void) {
    lately_slice wrong;
    wrong.data = NULL;
    wrong.len = 1;
    refused_slices(LATELY_ERR_NULL, wrong);
    wrong.data = "b";
    wrong.len = SIZE_MAX;
    refused_slices(LATELY_ERR_OFFSETS, wrong);
}

static void impossible_numbers_of_slices_are_refused(void) {
    sample s;
    lately_filter *f = new_manual();
    uint8_t v[1] = {UNTOUCHED};
    size_t done = UNTOUCHED, most = SIZE_MAX, many = SIZE_MAX / 16;
    make_keys(&s, 0, 0);
    STATUS(LATELY_ERR_OFFSETS, observe_slices(f, s.slices, NULL, most, v, &done));
    STATUS(LATELY_ERR_OFFSETS, insert_slices(f, s.slices, NULL, many, &done));
    STATUS(LATELY_ERR_OFFSETS, contains_slices(f, s.slices, NULL, many, v, &done));
    CHECK(done == 0 && v[0] == UNTOUCHED);
    lately_filter_free(f);
}

static void the_system_clock_takes_no_ticks(void) {
    sample s;
    lately_keys keys;
    lately_options options = manual_options();
    lately_filter *f;
    uint8_t v[KEYS];
    size_t done = UNTOUCHED;
    make_keys(&s, 3, 1);
    keys = column_of(&s, 32);
    options.clock = LATELY_CLOCK_SYSTEM;
    f = new_started(&options);
    STATUS(LATELY_ERR_CLOCK, observe_slices(f, s.slices, s.ticks, KEYS, v, &done));
    STATUS(LATELY_ERR_CLOCK, observe_column(f, &keys, s.ticks, KEYS, v, &done));
    CHECK(done == 0);
    OK(observe_column(f, &keys, NULL, KEYS, v, &done));
    CHECK(done == KEYS);
    lately_filter_free(f);
}

int main(void) {
    slices_are_single_calls(0);
    slices_are_single_calls(1);
    columns_at_every_bit();
    a_column_without_a_bitmap_has_all_its_keys();
    a_refused_tick_stops_behind_the_absent_keys();
    nothing_is_a_batch_too();
    offsets_do_not_decrease_or_leave_the_bytes();
    offsets_are_aligned();
    fields_have_their_ranges();
    a_larger_struct_is_read_while_its_tail_is_zero();
    a_buffer_that_is_missing_is_null();
    impossible_counts_are_refused();
    slices_are_checked_before_the_first_key();
    impossible_numbers_of_slices_are_refused();
    the_system_clock_takes_no_ticks();
    return check_done("in_place");
}
