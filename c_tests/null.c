/* NULL in every pointer of every function, one at a time: a status, never a crash, and nothing else is written. */
#include "check.h"

static lately_filter *filter;
static lately_options options;
static uint8_t verdict = UNTOUCHED;
static uint8_t verdicts[2] = {UNTOUCHED, UNTOUCHED};
static uint64_t number = UNTOUCHED;
static lately_age age = {UNTOUCHED, UNTOUCHED};
static size_t done;

static const uint8_t key[2] = {'k', 'l'};
static const uint64_t offsets[3] = {0, 1, 2};

static void options_and_plan(void) {
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_error error = LATELY_ERROR_INIT;
    STATUS(LATELY_ERR_NULL, lately_options_init(NULL, sizeof(lately_options)));
    STATUS(LATELY_ERR_NULL, lately_options_window(NULL, 1));
    STATUS(LATELY_ERR_NULL, lately_options_last(NULL, 1));
    STATUS(LATELY_ERR_NULL, lately_plan(NULL, &plan, &error));
    CHECK(error.code == LATELY_ERR_NULL && strstr(error.message, "lately_options") != NULL);
    STATUS(LATELY_ERR_NULL, lately_plan(&options, NULL, &error));
    CHECK(error.code == LATELY_ERR_NULL && strstr(error.message, "lately_plan_result") != NULL);
    OK(lately_plan(&options, &plan, NULL));
}

static void life(void) {
    lately_filter *other = NULL;
    lately_error error = LATELY_ERROR_INIT;
    STATUS(LATELY_ERR_NULL, lately_filter_new(NULL, &other, &error));
    STATUS(LATELY_ERR_NULL, lately_filter_new(&options, NULL, &error));
    CHECK(strcmp(error.message, "filter is NULL") == 0);
    OK(lately_filter_new(&options, &other, NULL));
    lately_filter_free(other);
    lately_filter_free(NULL);
    other = NULL;
    STATUS(LATELY_ERR_NULL, lately_filter_copy(NULL, &other));
    STATUS(LATELY_ERR_NULL, lately_filter_copy(filter, NULL));
    CHECK(other == NULL);
    STATUS(LATELY_ERR_NULL, lately_filter_clear(NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_advance(NULL, 1));
}

static void single_keys(void) {
    STATUS(LATELY_ERR_NULL, lately_filter_observe(NULL, key, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_observe(filter, NULL, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_observe(filter, key, 1, LATELY_NOW, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_first(NULL, key, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_first(filter, NULL, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_first(filter, key, 1, LATELY_NOW, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_insert(NULL, key, 1, LATELY_NOW));
    STATUS(LATELY_ERR_NULL, lately_filter_insert(filter, NULL, 1, LATELY_NOW));
    STATUS(LATELY_ERR_NULL, lately_filter_contains(NULL, key, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_contains(filter, NULL, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_contains(filter, key, 1, LATELY_NOW, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_remove(NULL, key, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_remove(filter, NULL, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_remove(filter, key, 1, LATELY_NOW, NULL));
}

static void claims(void) {
    STATUS(LATELY_ERR_NULL, lately_filter_claim(NULL, key, 1, LATELY_NOW, &verdict, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_claim(filter, NULL, 1, LATELY_NOW, &verdict, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_claim(filter, key, 1, LATELY_NOW, NULL, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_claim(filter, key, 1, LATELY_NOW, &verdict, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_commit(NULL, key, 1, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_commit(filter, NULL, 1, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_NULL, lately_filter_commit(filter, key, 1, 1, LATELY_NOW, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_abandon(NULL, key, 1, 1));
    STATUS(LATELY_ERR_NULL, lately_filter_abandon(filter, NULL, 1, 1));
}

static void ages(void) {
    STATUS(LATELY_ERR_NULL, lately_filter_observe_age(NULL, key, 1, LATELY_NOW, &verdict, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_observe_age(filter, NULL, 1, LATELY_NOW, &verdict, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_observe_age(filter, key, 1, LATELY_NOW, NULL, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_observe_age(filter, key, 1, LATELY_NOW, &verdict, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_contains_age(NULL, key, 1, LATELY_NOW, &verdict, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_contains_age(filter, NULL, 1, LATELY_NOW, &verdict, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_contains_age(filter, key, 1, LATELY_NOW, NULL, &age));
    STATUS(LATELY_ERR_NULL, lately_filter_contains_age(filter, key, 1, LATELY_NOW, &verdict, NULL));
    CHECK(age.at_least == UNTOUCHED && age.at_most == UNTOUCHED);
}

static void snapshots(void) {
    lately_load_options loading = LATELY_LOAD_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *other = NULL;
    uint8_t bytes[1000];
    size_t size = UNTOUCHED;
    STATUS(LATELY_ERR_NULL, lately_load_options_init(NULL, sizeof(lately_load_options)));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_size(NULL, &size));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_size(filter, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_write(NULL, bytes, sizeof bytes, &size));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_write(filter, NULL, sizeof bytes, &size));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_write(filter, bytes, sizeof bytes, NULL));
    CHECK(size == UNTOUCHED);
    OK(lately_filter_snapshot_write(filter, bytes, sizeof bytes, &size));
    STATUS(LATELY_ERR_NULL, lately_filter_load(NULL, size, 0, &loading, &other, &error));
    CHECK(strcmp(error.message, "bytes is NULL") == 0);
    STATUS(LATELY_ERR_NULL, lately_filter_load(bytes, size, 0, NULL, &other, &error));
    CHECK(strcmp(error.message, "lately_load_options is NULL") == 0);
    STATUS(LATELY_ERR_NULL, lately_filter_load(bytes, size, 0, &loading, NULL, &error));
    CHECK(strcmp(error.message, "filter is NULL") == 0);
    STATUS(LATELY_ERR_MAGIC, lately_filter_load(NULL, 0, 0, &loading, &other, NULL));
    CHECK(other == NULL);
    OK(lately_filter_load(bytes, size, 0, &loading, &other, NULL));
    lately_filter_free(other);
}

static void answers(void) {
    char text[128];
    lately_stats stats = LATELY_STATS_INIT;
    STATUS(LATELY_ERR_NULL, lately_filter_stats(NULL, &stats));
    STATUS(LATELY_ERR_NULL, lately_filter_stats(filter, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_stats_reset(NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_hash(NULL, key, 1, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_hash(filter, NULL, 1, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_hash(filter, key, 1, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_secret(NULL, &number, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_secret(filter, NULL, &number));
    STATUS(LATELY_ERR_NULL, lately_filter_secret(filter, &number, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_describe(NULL, text, sizeof text));
    STATUS(LATELY_ERR_NULL, lately_filter_describe(filter, NULL, sizeof text));
    STATUS(LATELY_ERR_NULL, lately_filter_describe(filter, NULL, 0));
    CHECK(lately_hash64(NULL, 1, 0) == 0 && lately_hash64(key, SIZE_MAX, 0) == 0);
}

/* A failed batch has processed no key, and says so. */
static void batch(lately_status want, lately_status have) {
    STATUS(want, have);
    CHECK(done == 0);
    done = UNTOUCHED;
}

/* What the keys themselves lack is tried in batch.c. */
static void batches(void) {
    lately_keys k = lately_keys_packed(key, 2, offsets, 2);
    lately_keys alone = lately_keys_hashes(offsets, 1); /* which the library takes by a way of its own */
    lately_filter *f = filter;
    uint8_t *v = verdicts;
    done = UNTOUCHED;
    batch(LATELY_ERR_NULL, lately_filter_observe_many(NULL, &k, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_observe_many(f, NULL, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_observe_many(f, &k, NULL, NULL, &done));
    STATUS(LATELY_ERR_NULL, lately_filter_observe_many(f, &k, NULL, v, NULL));
    batch(LATELY_ERR_NULL, lately_filter_observe_many(NULL, &alone, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_observe_many(f, &alone, NULL, NULL, &done));
    batch(LATELY_ERR_NULL, lately_filter_insert_many(NULL, &k, NULL, &done));
    batch(LATELY_ERR_NULL, lately_filter_insert_many(f, NULL, NULL, &done));
    STATUS(LATELY_ERR_NULL, lately_filter_insert_many(f, &k, NULL, NULL));
    batch(LATELY_ERR_NULL, lately_filter_contains_many(NULL, &k, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_contains_many(f, NULL, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_contains_many(f, &k, NULL, NULL, &done));
    STATUS(LATELY_ERR_NULL, lately_filter_contains_many(f, &k, NULL, v, NULL));
    batch(LATELY_ERR_NULL, lately_filter_remove_many(NULL, &k, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_remove_many(f, NULL, NULL, v, &done));
    batch(LATELY_ERR_NULL, lately_filter_remove_many(f, &k, NULL, NULL, &done));
    STATUS(LATELY_ERR_NULL, lately_filter_remove_many(f, &k, NULL, v, NULL));
}

static size_t write_nothing(void *context, const void *bytes, size_t len) {
    (void)bytes;
    *(unsigned *)context += 1;
    return len - 1;
}

static size_t read_nothing(void *context, void *buffer, size_t len) {
    (void)buffer;
    *(unsigned *)context += 1;
    return len + 1;
}

static void whole_and_pieces(void) {
    lately_load_options loading = LATELY_LOAD_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_options asked = LATELY_OPTIONS_INIT;
    lately_filter *other = NULL;
    unsigned calls = 0;
    STATUS(LATELY_ERR_NULL, lately_filter_options(NULL, &asked));
    STATUS(LATELY_ERR_NULL, lately_filter_options(filter, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_expect(NULL, &options, &error));
    STATUS(LATELY_ERR_NULL, lately_filter_expect(filter, NULL, &error));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_pieces(NULL, write_nothing, &calls));
    STATUS(LATELY_ERR_NULL, lately_filter_snapshot_pieces(filter, NULL, &calls));
    STATUS(LATELY_ERR_NULL, lately_filter_load_pieces(NULL, &calls, 0, &loading, &other, &error));
    STATUS(LATELY_ERR_NULL, lately_filter_load_pieces(read_nothing, &calls, 0, NULL, &other, &error));
    STATUS(LATELY_ERR_NULL, lately_filter_load_pieces(read_nothing, &calls, 0, &loading, NULL, &error));
    CHECK(calls == 0 && other == NULL);
    STATUS(LATELY_ERR_IO, lately_filter_snapshot_pieces(filter, write_nothing, &calls));
    STATUS(LATELY_ERR_IO, lately_filter_load_pieces(read_nothing, &calls, 0, &loading, &other, &error));
    CHECK(calls == 2 && other == NULL && strcmp(error.message, "the reader failed") == 0);
}

/* None of it changed the filter or an answer. */
static void nothing_happened(void) {
    lately_stats stats = stats_of(filter);
    CHECK(stats.new_count == 0 && stats.duplicate_count == 0 && stats.items == 0 && stats.clock == 0);
    CHECK(verdict == UNTOUCHED && number == UNTOUCHED);
    CHECK(verdicts[0] == UNTOUCHED && verdicts[1] == UNTOUCHED);
}

int main(void) {
    options = manual_options();
    filter = new_started(&options);
    options_and_plan();
    life();
    single_keys();
    claims();
    ages();
    snapshots();
    answers();
    batches();
    whole_and_pieces();
    nothing_happened();
    lately_filter_free(filter);
    return check_done("null");
}
