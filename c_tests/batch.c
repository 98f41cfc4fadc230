/* The batches: n keys in one call are n single calls, and offsets, ticks and lengths are checked. */
#include "check.h"

#define KEYS 400

/* Keys of 0 to 6 bytes, with repeats, and their ticks, now and then late. */
typedef struct {
    uint8_t bytes[KEYS * 8];
    uint64_t offsets[KEYS + 1];
    uint64_t hashes[KEYS];
    uint64_t ticks[KEYS];
} stream;

static stream sample(void) {
    stream s;
    uint32_t random = 1;
    s.offsets[0] = 0;
    for (size_t i = 0; i < KEYS; i++) {
        char text[16];
        random = random * 1664525u + 1013904223u;
        int length = snprintf(text, sizeof text, "%u", (unsigned)((random >> 16) % 300));
        size_t used = (random >> 8) % 16 == 0 ? 0 : (size_t)length;
        memcpy(s.bytes + s.offsets[i], text, used);
        s.offsets[i + 1] = s.offsets[i] + used;
        s.hashes[i] = lately_hash64(s.bytes + s.offsets[i], used, 0);
        s.ticks[i] = SECOND + i * (SECOND / 10) - (i % 7 == 3 ? SECOND / 2 : 0);
    }
    return s;
}

static const uint8_t *key_of(const stream *s, size_t i, size_t *len) {
    *len = (size_t)(s->offsets[i + 1] - s->offsets[i]);
    return s->bytes + s->offsets[i];
}

static int equal(const lately_filter *a, const lately_filter *b) {
    lately_stats one = stats_of(a), other = stats_of(b);
    return memcmp(&one, &other, sizeof one) == 0;
}

static void observing_in_batches_is_observing(const stream *s) {
    lately_filter *single = new_manual(), *batch = new_manual(), *hashed = new_manual();
    uint8_t one[KEYS], many[KEYS], more[KEYS];
    size_t done = UNTOUCHED, len;
    for (size_t i = 0; i < KEYS; i++) {
        const uint8_t *key = key_of(s, i, &len);
        OK(lately_filter_observe(single, key, len, s->ticks[i], &one[i]));
    }
    OK(observe_packed(batch, s->bytes, sizeof s->bytes, s->offsets, s->ticks, KEYS, many, &done));
    CHECK(done == KEYS && memcmp(one, many, KEYS) == 0 && equal(single, batch));
    OK(observe_hashes(hashed, s->hashes, s->ticks, KEYS, more, &done));
    CHECK(done == KEYS && memcmp(one, more, KEYS) == 0 && equal(single, hashed));
    CHECK(memchr(one, LATELY_NEW, KEYS) != NULL && memchr(one, LATELY_DUPLICATE, KEYS) != NULL);
    CHECK(stats_of(single).late_ticks > 0);
    lately_filter_free(single);
    lately_filter_free(batch);
    lately_filter_free(hashed);
}

static void inserting_in_batches_is_inserting(const stream *s) {
    lately_filter *single = new_manual(), *batch = new_manual(), *hashed = new_manual();
    size_t done = UNTOUCHED, len;
    for (size_t i = 0; i < KEYS; i++) {
        const uint8_t *key = key_of(s, i, &len);
        OK(lately_filter_insert(single, key, len, s->ticks[i]));
    }
    OK(insert_packed(batch, s->bytes, sizeof s->bytes, s->offsets, s->ticks, KEYS, &done));
    CHECK(done == KEYS && equal(single, batch));
    OK(insert_hashes(hashed, s->hashes, s->ticks, KEYS, &done));
    CHECK(done == KEYS && equal(single, hashed));
    lately_filter_free(single);
    lately_filter_free(batch);
    lately_filter_free(hashed);
}

static void asking_in_batches_is_asking(const stream *s) {
    lately_filter *filter = new_manual();
    uint8_t one[KEYS], many[KEYS], more[KEYS];
    size_t done = UNTOUCHED, len;
    OK(insert_hashes(filter, s->hashes, s->ticks, KEYS / 4, &done));
    lately_stats before = stats_of(filter);
    for (size_t i = 0; i < KEYS; i++) {
        const uint8_t *key = key_of(s, i, &len);
        OK(lately_filter_contains(filter, key, len, s->ticks[i], &one[i]));
    }
    OK(contains_packed(filter, s->bytes, sizeof s->bytes, s->offsets, s->ticks, KEYS, many, &done));
    CHECK(done == KEYS && memcmp(one, many, KEYS) == 0);
    OK(contains_hashes(filter, s->hashes, s->ticks, KEYS, more, &done));
    CHECK(done == KEYS && memcmp(one, more, KEYS) == 0);
    lately_stats after = stats_of(filter);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK(memchr(one, LATELY_NEW, KEYS) != NULL && memchr(one, LATELY_DUPLICATE, KEYS) != NULL);
    lately_filter_free(filter);
}

/* Without ticks a manual clock stands, and the system's is read. */
static void ticks_may_be_missing(const stream *s) {
    lately_options options = manual_options();
    uint8_t verdicts[KEYS];
    size_t done = UNTOUCHED;
    for (options.clock = LATELY_CLOCK_SYSTEM; options.clock <= LATELY_CLOCK_MANUAL_NS; options.clock++) {
        lately_filter *f = new_started(&options);
        OK(insert_packed(f, s->bytes, sizeof s->bytes, s->offsets, NULL, KEYS, &done));
        OK(contains_hashes(f, s->hashes, NULL, KEYS, verdicts, &done));
        CHECK(done == KEYS && memchr(verdicts, LATELY_NEW, KEYS) == NULL);
        OK(insert_hashes(f, s->hashes, NULL, KEYS, &done));
        OK(observe_hashes(f, s->hashes, NULL, KEYS, verdicts, &done));
        OK(observe_packed(f, s->bytes, sizeof s->bytes, s->offsets, NULL, KEYS, verdicts, &done));
        OK(contains_packed(f, s->bytes, sizeof s->bytes, s->offsets, NULL, KEYS, verdicts, &done));
        CHECK(done == KEYS && memchr(verdicts, LATELY_NEW, KEYS) == NULL);
        CHECK(options.clock == LATELY_CLOCK_SYSTEM || stats_of(f).clock == 0);
        lately_filter_free(f);
    }
}

static void nothing_is_a_batch_too(void) {
    static const uint64_t end[1] = {0};
    lately_filter *f = new_manual();
    size_t done = UNTOUCHED;
    OK(observe_packed(f, NULL, 0, end, NULL, 0, NULL, &done));
    CHECK(done == 0);
    OK(insert_packed(f, NULL, 0, end, NULL, 0, &done));
    OK(contains_packed(f, NULL, 0, end, end, 0, NULL, &done));
    done = UNTOUCHED;
    OK(observe_hashes(f, NULL, NULL, 0, NULL, &done));
    CHECK(done == 0);
    OK(insert_hashes(f, NULL, NULL, 0, &done));
    OK(contains_hashes(f, NULL, end, 0, NULL, &done));
    lately_filter_free(f);
}

/* Offsets are all checked before the first key: nothing of the batch has happened. */
static void bad_offsets(const uint64_t *offsets, size_t n) {
    lately_filter *f = new_manual();
    uint8_t v[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_OFFSETS, observe_packed(f, bytes_of("abcd"), 4, offsets, NULL, n, v, &done));
    CHECK(done == 0);
    done = UNTOUCHED;
    STATUS(LATELY_ERR_OFFSETS, insert_packed(f, bytes_of("abcd"), 4, offsets, NULL, n, &done));
    CHECK(done == 0);
    done = UNTOUCHED;
    STATUS(LATELY_ERR_OFFSETS, contains_packed(f, bytes_of("abcd"), 4, offsets, NULL, n, v, &done));
    CHECK(done == 0 && v[0] == UNTOUCHED && stats_of(f).items == 0);
    lately_filter_free(f);
}

static void offsets_do_not_decrease_or_leave_the_bytes(void) {
    static const uint64_t back[4] = {0, 2, 1, 4};
    static const uint64_t decreasing_first[3] = {3, 0, 4};
    static const uint64_t beyond[3] = {0, 1, 5};
    static const uint64_t far_beyond[3] = {0, 1, UINT64_MAX};
    static const uint64_t none_but_beyond[1] = {5};
    bad_offsets(back, 3);
    bad_offsets(decreasing_first, 2);
    bad_offsets(beyond, 2);
    bad_offsets(far_beyond, 2);
    bad_offsets(none_but_beyond, 0);
}

/* Offsets need not begin at 0 nor end at the end. */
static void offsets_may_leave_bytes_out(void) {
    static const uint64_t offsets[3] = {1, 1, 3};
    lately_filter *f = new_manual();
    uint8_t verdict = UNTOUCHED;
    size_t done = UNTOUCHED;
    OK(insert_packed(f, bytes_of("abcd"), 4, offsets, NULL, 2, &done));
    OK(lately_filter_contains(f, bytes_of("bc"), 2, LATELY_NOW, &verdict));
    CHECK(done == 2 && verdict == LATELY_DUPLICATE);
    OK(lately_filter_contains(f, NULL, 0, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
    OK(lately_filter_contains(f, bytes_of("abcd"), 4, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_NEW);
    lately_filter_free(f);
}

/* Counts that exceed the address space are refused before anything is read. */
static void impossible_counts_are_refused(void) {
    static const uint64_t some[2] = {0, 1};
    const uint8_t *b = bytes_of("a");
    lately_filter *f = new_manual();
    uint8_t v[1] = {UNTOUCHED};
    size_t done = UNTOUCHED, most = SIZE_MAX, many = SIZE_MAX / 8;
    STATUS(LATELY_ERR_OFFSETS, observe_packed(f, b, 1, some, NULL, most, v, &done));
    STATUS(LATELY_ERR_OFFSETS, observe_packed(f, b, 1, some, NULL, many, v, &done));
    STATUS(LATELY_ERR_OFFSETS, observe_packed(f, b, most, some, NULL, 1, v, &done));
    STATUS(LATELY_ERR_OFFSETS, insert_packed(f, b, 1, some, NULL, most, &done));
    STATUS(LATELY_ERR_OFFSETS, contains_packed(f, b, 1, some, NULL, many, v, &done));
    STATUS(LATELY_ERR_OFFSETS, observe_hashes(f, some, NULL, most, v, &done));
    STATUS(LATELY_ERR_OFFSETS, insert_hashes(f, some, some, many, &done));
    STATUS(LATELY_ERR_OFFSETS, contains_hashes(f, some, NULL, many, v, &done));
    CHECK(done == 0 && v[0] == UNTOUCHED);
    lately_filter_free(f);
}

/* A refused tick stops a batch; what came before it stays. */
static void a_batch_stops_at_a_refused_tick(const stream *s) {
    static const uint64_t ticks[4] = {SECOND, SECOND + 1, 100 * SECOND, SECOND + 2};
    lately_options options = manual_options();
    options.max_step_ns = SECOND;
    lately_filter *f = new_started(&options), *asked = new_started(&options);
    uint8_t v[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_TICK, observe_hashes(f, s->hashes, ticks, 4, v, &done));
    CHECK(done == 2 && v[1] != UNTOUCHED && v[2] == UNTOUCHED && stats_of(f).refused_ticks == 1);
    STATUS(LATELY_ERR_TICK, insert_hashes(f, s->hashes, ticks, 4, &done));
    CHECK(done == 2 && stats_of(f).refused_ticks == 2);
    STATUS(LATELY_ERR_TICK, insert_packed(f, s->bytes, 64, s->offsets, ticks, 4, &done));
    CHECK(done == 2);
    OK(lately_filter_advance(asked, SECOND));
    v[0] = v[1] = UNTOUCHED;
    STATUS(LATELY_ERR_TICK, contains_hashes(asked, s->hashes, ticks, 4, v, &done));
    CHECK(done == 2 && v[0] == LATELY_NEW && v[1] == LATELY_NEW && v[2] == UNTOUCHED);
    CHECK(stats_of(asked).refused_ticks == 0);
    lately_filter_free(f);
    lately_filter_free(asked);
}

static void the_system_clock_takes_no_ticks(const stream *s) {
    lately_options options = manual_options();
    options.clock = LATELY_CLOCK_SYSTEM;
    lately_filter *f = new_started(&options);
    uint8_t v[1] = {UNTOUCHED};
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_CLOCK, observe_hashes(f, s->hashes, s->ticks, 1, v, &done));
    STATUS(LATELY_ERR_CLOCK, insert_packed(f, s->bytes, 64, s->offsets, s->ticks, 1, &done));
    STATUS(LATELY_ERR_CLOCK, contains_hashes(f, s->hashes, s->ticks, 1, v, &done));
    CHECK(done == 0 && v[0] == UNTOUCHED);
    lately_filter_free(f);
}

static void a_keyed_filter_takes_no_hashes(const stream *s) {
    lately_options options = manual_options();
    options.keyed = 1;
    lately_filter *f = new_started(&options);
    uint8_t v[KEYS];
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_UNSUPPORTED, observe_hashes(f, s->hashes, NULL, 1, v, &done));
    STATUS(LATELY_ERR_UNSUPPORTED, insert_hashes(f, s->hashes, NULL, 1, &done));
    STATUS(LATELY_ERR_UNSUPPORTED, contains_hashes(f, s->hashes, NULL, 1, v, &done));
    CHECK(done == 0);
    OK(observe_packed(f, s->bytes, sizeof s->bytes, s->offsets, s->ticks, KEYS, v, &done));
    CHECK(done == KEYS);
    lately_filter_free(f);
}

int main(void) {
    stream s = sample();
    observing_in_batches_is_observing(&s);
    inserting_in_batches_is_inserting(&s);
    asking_in_batches_is_asking(&s);
    ticks_may_be_missing(&s);
    nothing_is_a_batch_too();
    offsets_do_not_decrease_or_leave_the_bytes();
    offsets_may_leave_bytes_out();
    impossible_counts_are_refused();
    a_batch_stops_at_a_refused_tick(&s);
    the_system_clock_takes_no_ticks(&s);
    a_keyed_filter_takes_no_hashes(&s);
    return check_done("batch");
}
