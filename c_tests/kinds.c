/* Every kind of filter through every verb: the rows of tests/vectors/kinds.txt. */
#include "script.h"

#define KEYS 2000
#define BATCH 100

static script row;
static lately_options options;
static int has_ticks, removes, is_exact;

/* A key of 8 bytes; some come again soon, some late. Written byte by byte: a machine of the other byte order sees the
 * same keys, and so the same verdicts of filters that may err. */
static size_t stream_key(unsigned i, uint8_t *key) {
    uint64_t number = (uint64_t)i * i % 997;
    for (unsigned byte = 0; byte < 8; byte++) {
        key[byte] = (uint8_t)(number >> (8 * byte));
    }
    return 8;
}

static uint8_t observe(lately_filter *filter, const char *key) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_observe(filter, bytes_of(key), strlen(key), LATELY_NOW, &verdict));
    return verdict;
}

static uint8_t contains(const lately_filter *filter, const char *key) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_contains(filter, bytes_of(key), strlen(key), LATELY_NOW, &verdict));
    return verdict;
}

static int same_stats(const lately_filter *one, const lately_filter *other) {
    lately_stats a = stats_of(one), b = stats_of(other);
    return memcmp(&a, &b, sizeof a) == 0;
}

static void plan_matches_the_built_filter(void) {
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_filter *filter = new_started(&options);
    OK(lately_plan(&options, &plan, NULL));
    CHECK(plan.error_rate_worst > 0 && plan.error_rate_worst <= 0.5);
    CHECK(plan.error_rate_mean > 0 && plan.error_rate_mean <= plan.error_rate_worst);
    CHECK(plan.cache_lines_per_observe >= 1);
    CHECK(plan.bytes == 0 || plan.bytes == stats_of(filter).bytes);
    CHECK(plan.slices + plan.blocks + plan.rows > 0);
    lately_filter_free(filter);
}

static void a_key_is_new_once(void) {
    lately_filter *filter = new_started(&options);
    CHECK(contains(filter, "a") == LATELY_NEW);
    CHECK(observe(filter, "a") == LATELY_NEW);
    CHECK(observe(filter, "a") == LATELY_DUPLICATE);
    CHECK(contains(filter, "a") == LATELY_DUPLICATE);
    OK(lately_filter_insert(filter, bytes_of("b"), 1, LATELY_NOW));
    CHECK(contains(filter, "b") == LATELY_DUPLICATE);
    CHECK(observe(filter, "") == LATELY_NEW && contains(filter, "") == LATELY_DUPLICATE);
    lately_stats stats = stats_of(filter);
    CHECK(stats.new_count == 2 && stats.duplicate_count == 1 && stats.bytes > 0);
    CHECK(stats.items == 3 || stats.items == 4); /* Some kinds store a duplicate again. */
    CHECK(stats.bytes_peak >= stats.bytes && (is_exact || stats.error_rate > 0) && stats.error_rate < 0.5);
    OK(lately_filter_stats_reset(filter));
    CHECK(stats_of(filter).new_count == 0 && stats_of(filter).duplicate_count == 0 && stats_of(filter).items == stats.items);
    lately_filter_free(filter);
}

/* The filters of one stream: by single calls, by batches of keys, by batches of hashes, by hashes one at a time, and by
 * batches of numbers. */
typedef struct {
    lately_filter *single, *bytes, *hashes, *hash, *numbers;
} forms;

/* The number whose 8 bytes, the lowest first, are the key. */
static uint64_t number_in(const uint8_t *key) {
    uint64_t number = 0;
    for (unsigned byte = 0; byte < 8; byte++) {
        number |= (uint64_t)key[byte] << (8 * byte);
    }
    return number;
}

static void play_part(forms *f, unsigned from) {
    uint8_t keys[BATCH * 8], want[BATCH], have[BATCH], by_hash[BATCH], by_number[BATCH], alone = UNTOUCHED;
    uint64_t offsets[BATCH + 1] = {0}, hashes[BATCH], numbers[BATCH];
    size_t done = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        uint8_t *key = keys + offsets[i];
        size_t len = stream_key(from + i, key);
        offsets[i + 1] = offsets[i] + len;
        OK(lately_filter_observe(f->single, key, len, LATELY_NOW, &want[i]));
        OK(lately_filter_hash(f->single, key, len, &hashes[i]));
        OK(contains_hash(f->hash, hashes[i], LATELY_NOW, &by_hash[i]));
        OK(observe_hash(f->hash, hashes[i], LATELY_NOW, &alone));
        CHECK(alone == want[i] && by_hash[i] == want[i]);
        numbers[i] = number_in(key);
    }
    OK(observe_packed(f->bytes, keys, sizeof keys, offsets, NULL, BATCH, have, &done));
    CHECK(done == BATCH && memcmp(want, have, BATCH) == 0);
    OK(observe_hashes(f->hashes, hashes, NULL, BATCH, by_hash, &done));
    CHECK(done == BATCH && memcmp(want, by_hash, BATCH) == 0);
    OK(observe_u64s(f->numbers, numbers, NULL, BATCH, by_number, &done));
    CHECK(done == BATCH && memcmp(want, by_number, BATCH) == 0);
    OK(contains_u64s(f->numbers, numbers, NULL, BATCH, by_number, &done));
    CHECK(done == BATCH && memchr(by_number, LATELY_NEW, BATCH) == NULL);
    OK(contains_packed(f->bytes, keys, sizeof keys, offsets, NULL, BATCH, have, &done));
    OK(contains_hashes(f->hashes, hashes, NULL, BATCH, by_hash, &done));
    CHECK(memcmp(have, by_hash, BATCH) == 0 && memchr(have, LATELY_NEW, BATCH) == NULL);
}

static void a_batch_is_single_calls(void) {
    forms f = {new_started(&options), new_started(&options), new_started(&options), new_started(&options),
               new_started(&options)};
    for (unsigned from = 0; from < KEYS; from += BATCH) {
        play_part(&f, from);
    }
    lately_stats stats = stats_of(f.single);
    CHECK(stats.new_count > 400 && stats.duplicate_count > 1000 && stats.new_count + stats.duplicate_count == KEYS);
    CHECK(same_stats(f.single, f.bytes) && same_stats(f.single, f.hashes));
    CHECK(same_stats(f.single, f.hash) && same_stats(f.single, f.numbers));
    lately_filter_free(f.hash);
    lately_filter_free(f.numbers);
    lately_filter_free(f.single);
    lately_filter_free(f.bytes);
    lately_filter_free(f.hashes);
}

static void insert_batches_store(void) {
    lately_filter *bytes = new_started(&options), *hashes = new_started(&options);
    uint64_t offsets[] = {0, 1, 1, 3}, hashed[3];
    size_t done = 0;
    for (size_t i = 0; i < 3; i++) {
        OK(lately_filter_hash(bytes, bytes_of("abc") + offsets[i], offsets[i + 1] - offsets[i], &hashed[i]));
    }
    OK(insert_packed(bytes, bytes_of("abc"), 3, offsets, NULL, 3, &done));
    OK(insert_hashes(hashes, hashed, NULL, 3, &done));
    CHECK(done == 3 && same_stats(bytes, hashes) && stats_of(bytes).items == 3);
    CHECK(contains(hashes, "a") && contains(hashes, "") && contains(bytes, "bc") && !contains(bytes, "c"));
    lately_filter_free(bytes);
    lately_filter_free(hashes);
}

/* Insertions by every form, of numbers; the bytes of a number are the same on every machine. */
static void numbers_and_hashes_are_keys(void) {
    const uint64_t numbers[] = {1, UINT64_C(0x0102030405060708), UINT64_MAX};
    const uint8_t second[] = {8, 7, 6, 5, 4, 3, 2, 1};
    uint8_t verdicts[3] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    lately_filter *filter = new_started(&options), *hashed = new_started(&options);
    size_t done = 0;
    OK(insert_u64s(filter, numbers, NULL, 3, &done));
    CHECK(done == 3 && stats_of(filter).items == 3);
    OK(lately_filter_contains(filter, second, 8, LATELY_NOW, verdicts));
    CHECK(verdicts[0] == LATELY_DUPLICATE);
    OK(insert_hash(hashed, lately_hash64(second, 8, options.seed), LATELY_NOW));
    OK(contains_u64s(hashed, numbers, NULL, 3, verdicts, &done));
    CHECK(verdicts[0] == LATELY_NEW && verdicts[1] == LATELY_DUPLICATE && verdicts[2] == LATELY_NEW);
    OK(observe_u64s(filter, NULL, NULL, 0, NULL, &done));
    CHECK(done == 0);
    STATUS(LATELY_ERR_OFFSETS, observe_u64s(filter, numbers, NULL, SIZE_MAX / 4, verdicts, &done));
    lately_filter_free(filter);
    lately_filter_free(hashed);
}

/* A keyed filter takes numbers, which it hashes itself, and no hashes. */
static void a_keyed_filter_takes_no_hash(void) {
    lately_options keyed = options;
    keyed.keyed = 1;
    lately_filter *filter = new_started(&keyed);
    uint8_t verdict = UNTOUCHED;
    const uint64_t number = 5;
    size_t done = 0;
    STATUS(LATELY_ERR_UNSUPPORTED, observe_hash(filter, 5, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_UNSUPPORTED, insert_hash(filter, 5, LATELY_NOW));
    STATUS(LATELY_ERR_UNSUPPORTED, contains_hash(filter, 5, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_UNSUPPORTED, observe_hash(filter, 5, 1, &verdict));
    STATUS(LATELY_ERR_UNSUPPORTED, insert_hash(filter, 5, 1));
    STATUS(LATELY_ERR_UNSUPPORTED, contains_hash(filter, 5, 1, &verdict));
    CHECK(verdict == UNTOUCHED && stats_of(filter).items == 0);
    OK(observe_u64s(filter, &number, NULL, 1, &verdict, &done));
    CHECK(verdict == LATELY_NEW && done == 1);
    lately_filter_free(filter);
}

static void clear_and_copy(void) {
    lately_filter *filter = new_started(&options), *fresh = new_started(&options), *copy = NULL;
    uint8_t key[8], one = UNTOUCHED, other = UNTOUCHED;
    for (unsigned i = 0; i < KEYS; i++) {
        OK(lately_filter_insert(filter, key, stream_key(i, key), LATELY_NOW));
    }
    OK(lately_filter_copy(filter, &copy));
    CHECK(same_stats(filter, copy));
    OK(lately_filter_clear(filter));
    CHECK(same_stats(filter, fresh) && !same_stats(filter, copy));
    start(filter, &options);
    for (unsigned i = 0; i < KEYS; i++) {
        size_t len = stream_key(i, key);
        OK(lately_filter_contains(copy, key, len, LATELY_NOW, &one));
        CHECK(one == LATELY_DUPLICATE);
        OK(lately_filter_observe(filter, key, len, LATELY_NOW, &one));
        OK(lately_filter_observe(fresh, key, len, LATELY_NOW, &other));
        CHECK(one == other);
    }
    lately_filter_free(filter);
    lately_filter_free(fresh);
    lately_filter_free(copy);
}

/* Each insertion takes room until there is none, and a removal makes some. */
static void a_full_block_refuses(lately_filter *filter) {
    lately_status status = LATELY_OK;
    uint64_t held = 0;
    uint8_t removed = UNTOUCHED;
    while (held < KEYS && status == LATELY_OK) {
        status = lately_filter_insert(filter, bytes_of("a"), 1, LATELY_NOW);
        held += status == LATELY_OK;
    }
    STATUS(LATELY_ERR_FULL, status);
    CHECK(held > 20 && stats_of(filter).items == held);
    OK(lately_filter_remove(filter, bytes_of("a"), 1, LATELY_NOW, &removed));
    CHECK(removed == 1 && stats_of(filter).items == held - 1);
    const uint64_t offsets[] = {0, 1, 2};
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_FULL, insert_packed(filter, bytes_of("aa"), 2, offsets, NULL, 2, &done));
    CHECK(done == 1 && stats_of(filter).items == held);
}

static void remove_works_or_is_unsupported(void) {
    lately_filter *filter = new_started(&options);
    uint8_t removed = UNTOUCHED;
    OK(lately_filter_insert(filter, bytes_of("a"), 1, LATELY_NOW));
    lately_status status = lately_filter_remove(filter, bytes_of("a"), 1, LATELY_NOW, &removed);
    if (removes) {
        CHECK(status == LATELY_OK && removed == 1 && contains(filter, "a") == LATELY_NEW);
        OK(lately_filter_remove(filter, bytes_of("a"), 1, LATELY_NOW, &removed));
        CHECK(removed == 0 && stats_of(filter).removed == (is_exact ? 1 : 0));
        if (!is_exact) {
            a_full_block_refuses(filter);
        }
    } else {
        CHECK(status == LATELY_ERR_UNSUPPORTED && removed == UNTOUCHED && contains(filter, "a") == LATELY_DUPLICATE);
    }
    lately_filter_free(filter);
}

static void ticks_are_taken_or_refused(void) {
    lately_status want = has_ticks ? LATELY_OK : LATELY_ERR_CLOCK;
    lately_filter *filter = new_started(&options);
    const uint64_t offsets[] = {0, 1}, ticks[] = {7};
    uint8_t verdict = UNTOUCHED;
    uint64_t hash = 5;
    size_t done = UNTOUCHED;
    STATUS(want, lately_filter_contains(filter, bytes_of("a"), 1, 5, &verdict));
    STATUS(want, lately_filter_insert(filter, bytes_of("a"), 1, 5));
    STATUS(want, lately_filter_observe(filter, bytes_of("a"), 1, 6, &verdict));
    STATUS(want, observe_packed(filter, bytes_of("a"), 1, offsets, ticks, 1, &verdict, &done));
    STATUS(want, insert_hashes(filter, &hash, ticks, 1, &done));
    CHECK(done == (has_ticks ? 1 : 0) && (verdict == UNTOUCHED) == !has_ticks);
    STATUS(want, observe_hash(filter, 5, 7, &verdict));
    STATUS(want, insert_hash(filter, 5, 7));
    STATUS(want, contains_hash(filter, 5, 7, &verdict));
    STATUS(want, observe_u64s(filter, &hash, ticks, 1, &verdict, &done));
    STATUS(want, insert_u64s(filter, &hash, ticks, 1, &done));
    STATUS(want, contains_u64s(filter, &hash, ticks, 1, &verdict, &done));
    STATUS(want, lately_filter_advance(filter, 8));
    CHECK(stats_of(filter).clock == (has_ticks ? 8 : 0) && contains(filter, "a") == has_ticks);
    lately_filter_free(filter);
}

/* Which rows know ages is asked of the filter; what they say is held against what the stream did. */
static void ages_are_returned_or_refused(void) {
    lately_filter *filter = new_started(&options);
    lately_age age = {UNTOUCHED, UNTOUCHED};
    uint8_t verdict = UNTOUCHED;
    uint64_t window = options.window_ns + options.window_keys, apart = 0;
    lately_status status = lately_filter_contains_age(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &age);
    CHECK((status == LATELY_OK) == (options.kind == LATELY_KIND_WINDOW_TABLE));
    if (status != LATELY_OK) {
        STATUS(LATELY_ERR_UNSUPPORTED, status);
        STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_observe_age(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &age));
        CHECK(verdict == UNTOUCHED && age.at_least == UNTOUCHED && age.at_most == UNTOUCHED);
        CHECK(contains(filter, "a") == LATELY_NEW && stats_of(filter).new_count == 0);
        lately_filter_free(filter);
        return;
    }
    CHECK(verdict == LATELY_NEW && age.at_least == 0 && age.at_most == 0);
    age.at_least = age.at_most = UNTOUCHED;
    OK(lately_filter_observe_age(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &age));
    CHECK(verdict == LATELY_NEW && age.at_least == 0 && age.at_most == 0);
    if (has_ticks) {
        apart = options.window_ns / 2;
        STATUS(LATELY_OK, lately_filter_contains_age(filter, bytes_of("a"), 1, apart, &verdict, &age));
        CHECK(verdict == LATELY_DUPLICATE && age.at_least <= apart && apart <= age.at_most && stats_of(filter).clock == 0);
        OK(lately_filter_observe_age(filter, bytes_of("a"), 1, apart, &verdict, &age));
        CHECK(stats_of(filter).clock == apart);
    } else {
        STATUS(LATELY_ERR_CLOCK, lately_filter_contains_age(filter, bytes_of("a"), 1, 5, &verdict, &age));
        STATUS(LATELY_ERR_CLOCK, lately_filter_observe_age(filter, bytes_of("a"), 1, 5, &verdict, &age));
        uint8_t key[8];
        for (unsigned i = 0; i < KEYS; i++) {
            OK(lately_filter_insert(filter, key, stream_key(i, key), LATELY_NOW));
        }
        apart = KEYS + 1;
        OK(lately_filter_observe_age(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &age));
    }
    CHECK(verdict == LATELY_DUPLICATE && age.at_least <= apart && apart <= age.at_most && age.at_most - age.at_least < window / 5);
    CHECK(age.at_least > 0);
    OK(lately_filter_contains_age(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &age));
    CHECK(verdict == LATELY_DUPLICATE && age.at_least <= 1 && age.at_most < apart);
    lately_filter_free(filter);
}

static void seeds_and_secrets(void) {
    lately_options other = options;
    uint64_t hash = 0, lo = 0, hi = 0;
    other.seed = 42;
    lately_filter *seeded = new_started(&other);
    OK(lately_filter_hash(seeded, bytes_of("a"), 1, &hash));
    CHECK(hash == lately_hash64(bytes_of("a"), 1, 42));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_secret(seeded, &lo, &hi));
    other.keyed = 1;
    other.secret_lo = 7;
    lately_filter *keyed = new_started(&other);
    OK(lately_filter_secret(keyed, &lo, &hi));
    CHECK(lo == 7 && hi == 0 && observe(keyed, "a") == LATELY_NEW && observe(keyed, "a") == LATELY_DUPLICATE);
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_hash(keyed, bytes_of("a"), 1, &hash));
    lately_filter_free(seeded);
    lately_filter_free(keyed);
}

/* Once per row. */
static void run_row(void) {
    unsigned before = check_failures;
    options = request_of(&row);
    has_ticks = strcmp(row.words[1], "time") == 0;
    removes = strcmp(row.words[2], "keeps") != 0;
    is_exact = strcmp(row.words[2], "forgets") == 0; /* Of few keys. */
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    if (!OK(lately_plan(&options, &plan, NULL))) {
        fprintf(stderr, "    with %s\n", row.words[0]);
        return;
    }
    plan_matches_the_built_filter();
    a_key_is_new_once();
    a_batch_is_single_calls();
    insert_batches_store();
    numbers_and_hashes_are_keys();
    a_keyed_filter_takes_no_hash();
    clear_and_copy();
    remove_works_or_is_unsupported();
    ticks_are_taken_or_refused();
    ages_are_returned_or_refused();
    seeds_and_secrets();
    printf("%s %s\n", check_failures == before ? "ok    " : "FAILED", row.words[0]);
}

/* Every kind that the library builds has a row: they are numbered from 1. */
static void every_kind_has_a_row(unsigned rows) {
    lately_error error = LATELY_ERROR_INIT;
    lately_options bare = LATELY_OPTIONS_INIT;
    for (bare.kind = 1; error.field != LATELY_FIELD_KIND && bare.kind < 32; bare.kind++) {
        lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
        lately_status status = lately_plan(&bare, &plan, &error);
        CHECK(status == error.code && (rows >> bare.kind & 1) == (error.field != LATELY_FIELD_KIND));
    }
    CHECK(bare.kind > 2 && bare.kind < 32);
}

int main(void) {
    FILE *file = script_open("kinds.txt");
    unsigned rows = 0;
    while (script_next(&row, file)) {
        run_row();
        rows |= 1u << options.kind;
    }
    fclose(file);
    every_kind_has_a_row(rows);
    return check_done("kinds");
}
