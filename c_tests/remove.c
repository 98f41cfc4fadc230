/* Removal from a window of the default kind: one key at a tick, many keys of every form, and what stats.removed counts. */
#include "check.h"
#include "many.h"

/* A window of the default kind, of 10 s on a manual clock. */
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

static uint8_t remove_at(lately_filter *filter, const char *key, uint64_t now) {
    uint8_t removed = UNTOUCHED;
    OK(lately_filter_remove(filter, bytes_of(key), strlen(key), now, &removed));
    return removed;
}

static void a_removal_is_judged_at_its_tick_and_moves_no_clock(void) {
    lately_filter *filter = new_table();
    CHECK(observe_at(filter, "a", SECOND) == LATELY_NEW);
    CHECK(observe_at(filter, "b", SECOND) == LATELY_NEW);
    CHECK(remove_at(filter, "a", 11 * SECOND) == 1 && remove_at(filter, "b", 13 * SECOND) == 0);
    CHECK(stats_of(filter).clock == SECOND && stats_of(filter).removed == 1);
    CHECK(contains_at(filter, "a", SECOND) == LATELY_NEW && remove_at(filter, "a", LATELY_NOW) == 0);
    CHECK(observe_at(filter, "a", SECOND) == LATELY_NEW && remove_at(filter, "a", LATELY_NOW) == 1);
    CHECK(stats_of(filter).removed == 2 && stats_of(filter).new_count == 3);
    lately_filter_free(filter);
}

/* The keys of a batch in each of the six forms, of which key 1 is given twice and key 3 is not there. */
static void a_batch_of_any_form_is_so_many_removals(void) {
    static const uint64_t numbers[4] = {1, 2, 1, 3}, offsets[5] = {0, 8, 16, 24, 32};
    static const int32_t narrow[5] = {0, 8, 16, 24, 32};
    static const int64_t wide[5] = {0, 8, 16, 24, 32};
    static const uint64_t ticks[4] = {SECOND, 2 * SECOND, 3 * SECOND, 3 * SECOND};
    uint8_t bytes[32] = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3};
    lately_slice slices[4];
    uint64_t hashes[4];
    for (size_t i = 0; i < 4; i++) {
        slices[i].data = bytes + 8 * i;
        slices[i].len = 8;
        hashes[i] = lately_hash64(bytes + 8 * i, 8, 0);
    }
    const lately_keys forms[6] = {
        lately_keys_packed(bytes, 32, offsets, 4),         lately_keys_slices(slices, 4),
        lately_keys_column32(bytes, 32, narrow, NULL, 0, 4), lately_keys_column64(bytes, 32, wide, NULL, 0, 4),
        lately_keys_u64s(numbers, 4),                      lately_keys_hashes(hashes, 4),
    };
    lately_filter *filter = new_table();
    size_t done = UNTOUCHED;
    for (size_t form = 0; form < 6; form++) {
        for (int timed = 0; timed < 2; timed++) {
            uint8_t removed[5] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
            OK(insert_u64s(filter, numbers, NULL, 3, &done));
            OK(lately_filter_remove_many(filter, &forms[form], timed ? ticks : NULL, removed, &done));
            CHECK(done == 4 && removed[0] == 1 && removed[1] == 1 && removed[2] == 0 && removed[3] == 0);
            CHECK(removed[4] == UNTOUCHED);
            CHECK(stats_of(filter).removed == 2 * (2 * form + (uint64_t)timed + 1) && stats_of(filter).items == 0);
        }
    }
    CHECK(stats_of(filter).clock == 0);
    lately_filter_free(filter);
}

static void an_absent_key_is_not_there(void) {
    static const int32_t offsets[3] = {0, 0, 1};
    static const uint8_t validity[1] = {2};
    lately_filter *filter = new_table();
    lately_keys keys = lately_keys_column32("a", 1, offsets, validity, 0, 2);
    uint8_t removed[2] = {UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    CHECK(observe_at(filter, "", 0) == LATELY_NEW && observe_at(filter, "a", 0) == LATELY_NEW);
    OK(lately_filter_remove_many(filter, &keys, NULL, removed, &done));
    CHECK(done == 2 && removed[0] == 0 && removed[1] == 1 && contains_at(filter, "", 0) == LATELY_DUPLICATE);
    lately_filter_free(filter);
}

static void unsound_batches_are_refused(void) {
    static const uint64_t numbers[3] = {1, 2, 3}, bad[2] = {0, 9};
    const uint64_t ticks[3] = {0, 11 * SECOND, 0};
    lately_options options = of_time();
    options.max_step_ns = 10 * SECOND;
    lately_filter *filter = new_filter(&options);
    uint8_t removed[3] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_CLOCK, lately_filter_remove(filter, "k", 1, LATELY_NOW, removed));
    STATUS(LATELY_ERR_CLOCK, remove_u64s(filter, numbers, NULL, 3, removed, &done));
    start(filter, &options);
    STATUS(LATELY_ERR_OFFSETS, remove_packed(filter, "k", 1, bad, NULL, 1, removed, &done));
    STATUS(LATELY_ERR_OFFSETS, remove_u64s(filter, numbers, NULL, SIZE_MAX, removed, &done));
    CHECK(removed[0] == UNTOUCHED && done == 0);
    OK(remove_u64s(filter, NULL, NULL, 0, NULL, &done));
    OK(insert_u64s(filter, numbers, NULL, 3, &done));
    STATUS(LATELY_ERR_TICK, remove_u64s(filter, numbers, ticks, 3, removed, &done));
    CHECK(done == 1 && removed[0] == 1 && removed[1] == UNTOUCHED && stats_of(filter).removed == 1);
    lately_filter_free(filter);
}

static void claims_stay_open(void) {
    lately_options options = of_time();
    options.lease_ns = 5 * SECOND;
    lately_filter *filter = new_started(&options);
    static const uint64_t one[1] = {7};
    uint8_t verdict = UNTOUCHED, removed = UNTOUCHED, found = UNTOUCHED;
    const uint8_t key[8] = {7};
    uint64_t token = 0;
    size_t done = UNTOUCHED;
    OK(lately_filter_claim(filter, key, 8, LATELY_NOW, &verdict, &token));
    OK(remove_u64s(filter, one, NULL, 1, &removed, &done));
    CHECK(verdict == LATELY_NEW && removed == 0 && stats_of(filter).open_claims == 1);
    OK(lately_filter_commit(filter, key, 8, token, LATELY_NOW, &found));
    OK(remove_u64s(filter, one, NULL, 1, &removed, &done));
    CHECK(found == LATELY_COMMIT_IN_TIME && removed == 1);
    STATUS(LATELY_ERR_UNSUPPORTED, remove_hashes(filter, one, NULL, 1, &removed, &done));
    lately_filter_free(filter);
}

int main(void) {
    a_removal_is_judged_at_its_tick_and_moves_no_clock();
    a_batch_of_any_form_is_so_many_removals();
    an_absent_key_is_not_there();
    unsound_batches_are_refused();
    claims_stay_open();
    return check_done("remove");
}
