/* lately_filter from new to free: every verb for one key, on a manual and on the system's clock. */
#include "check.h"

static uint8_t present(const lately_filter *filter, const char *key) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_contains(filter, bytes_of(key), strlen(key), LATELY_NOW, &verdict));
    return verdict;
}

static void a_key_lives_for_its_window(void) {
    lately_filter *filter = new_manual();
    CHECK(observe_at(filter, "a", SECOND) == LATELY_NEW);
    CHECK(observe_at(filter, "b", 2 * SECOND) == LATELY_NEW);
    CHECK(observe_at(filter, "b", 3 * SECOND) == LATELY_DUPLICATE);
    CHECK(contains_at(filter, "a", 11 * SECOND) == LATELY_DUPLICATE);
    CHECK(contains_at(filter, "a", 100 * SECOND) == LATELY_NEW);
    CHECK(observe_at(filter, "a", 100 * SECOND) == LATELY_NEW);
    lately_filter_free(filter);
}

static void the_empty_key_is_a_key(void) {
    lately_filter *filter = new_manual();
    uint8_t verdict = UNTOUCHED;
    CHECK(contains_at(filter, "", 1) == LATELY_NEW);
    OK(lately_filter_observe(filter, NULL, 0, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_NEW);
    OK(lately_filter_observe(filter, NULL, 0, 1, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
    OK(lately_filter_contains(filter, NULL, 0, LATELY_NOW, &verdict));
    OK(lately_filter_contains(filter, NULL, 0, 1, &verdict));
    CHECK(verdict == LATELY_DUPLICATE && present(filter, "") == LATELY_DUPLICATE);
    OK(lately_filter_insert(filter, NULL, 0, LATELY_NOW));
    OK(lately_filter_insert(filter, NULL, 0, 2));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_remove(filter, NULL, 0, LATELY_NOW, &verdict));
    lately_filter_free(filter);
}

/* A key that no memory can hold is refused before it is read. */
static void an_impossible_length_is_refused(void) {
    lately_filter *f = new_manual();
    const uint8_t *key = bytes_of("k");
    uint8_t verdict = UNTOUCHED;
    uint64_t hash = UNTOUCHED;
    STATUS(LATELY_ERR_OFFSETS, lately_filter_observe(f, key, SIZE_MAX, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_observe(f, key, SIZE_MAX, 1, &verdict));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_insert(f, key, SIZE_MAX, LATELY_NOW));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_insert(f, key, SIZE_MAX, 1));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_contains(f, key, SIZE_MAX, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_contains(f, key, SIZE_MAX / 2 + 1, 1, &verdict));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_remove(f, key, SIZE_MAX, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_OFFSETS, lately_filter_hash(f, key, SIZE_MAX, &hash));
    CHECK(verdict == UNTOUCHED && hash == UNTOUCHED);
    lately_filter_free(f);
}

/* Ticks may be dates: a key that was observed at 0 would be forgotten at the first of them. */
static void a_manual_clock_has_no_now_before_its_first_tick(void) {
    lately_options options = manual_options();
    lately_filter *f = new_filter(&options);
    static const uint64_t offsets[2] = {0, 1};
    lately_keys keys = lately_keys_packed("k", 1, offsets, 1);
    uint8_t verdict = UNTOUCHED;
    size_t done = UNTOUCHED;
    STATUS(LATELY_ERR_CLOCK, lately_filter_observe(f, "k", 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_insert(f, "k", 1, LATELY_NOW));
    STATUS(LATELY_ERR_CLOCK, lately_filter_contains(f, "k", 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_first(f, "k", 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_observe_many(f, &keys, NULL, &verdict, &done));
    STATUS(LATELY_ERR_CLOCK, lately_filter_insert_many(f, &keys, NULL, &done));
    STATUS(LATELY_ERR_CLOCK, lately_filter_contains_many(f, &keys, NULL, &verdict, &done));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_remove_many(f, &keys, NULL, &verdict, &done));
    STATUS(LATELY_ERR_CLOCK, lately_filter_advance(f, LATELY_NOW));
    CHECK(verdict == UNTOUCHED && done == 0);
    CHECK(observe_at(f, "k", 0) == LATELY_NEW);
    OK(lately_filter_first(f, "k", 1, LATELY_NOW, &verdict));
    CHECK(verdict == 0);
    OK(lately_filter_first(f, "l", 1, LATELY_NOW, &verdict));
    CHECK(verdict == 1);
    OK(lately_filter_clear(f));
    STATUS(LATELY_ERR_CLOCK, lately_filter_observe(f, "k", 1, LATELY_NOW, &verdict));
    lately_filter_free(f);
}

/* What 600 ticks are: a span that lasts 10 minutes with a clock in s, and 600 ns with one in ns. */
static void the_clock_counts_in_its_unit(void) {
    static const uint64_t units[4] = {LATELY_NANOSECOND, LATELY_MICROSECOND, LATELY_MILLISECOND, LATELY_SECOND};
    lately_options options = manual_options();
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t unit = units[i], ticks[3], most = UINT64_MAX / unit;
        uint64_t hashes[3] = {1, 2, 3};
        uint8_t verdicts[3] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
        size_t done = UNTOUCHED;
        options.clock = LATELY_CLOCK_MANUAL_NS + i;
        options.window_ns = 600 * unit;
        lately_filter *f = new_filter(&options);
        CHECK(observe_at(f, "k", 1000) == LATELY_NEW);
        CHECK(observe_at(f, "k", 1600) == LATELY_DUPLICATE);
        CHECK(contains_at(f, "k", 2200) == LATELY_DUPLICATE && contains_at(f, "k", 6000) == LATELY_NEW);
        CHECK(stats_of(f).clock == 1600);
        OK(lately_filter_advance(f, 1700));
        CHECK(stats_of(f).clock == 1700);
        ticks[0] = 1800;
        ticks[1] = 6000;
        ticks[2] = most + 1;
        if (unit > 1) {
            STATUS(LATELY_ERR_TICK, observe_hashes(f, hashes, ticks, 3, verdicts, &done));
            CHECK(done == 2 && verdicts[1] == LATELY_NEW && verdicts[2] == UNTOUCHED && stats_of(f).clock == 6000);
            STATUS(LATELY_ERR_TICK, lately_filter_observe(f, "k", 1, most + 1, verdicts));
            STATUS(LATELY_ERR_TICK, lately_filter_contains(f, "k", 1, most + 1, verdicts));
            STATUS(LATELY_ERR_TICK, lately_filter_advance(f, most + 1));
            OK(lately_filter_advance(f, most));
            CHECK(stats_of(f).clock == most);
        }
        lately_filter_free(f);
    }
}

static void insert_gives_no_verdict_but_stores(void) {
    lately_filter *filter = new_manual();
    OK(lately_filter_insert(filter, bytes_of("now"), 3, LATELY_NOW));
    OK(lately_filter_insert(filter, bytes_of("then"), 4, 5 * SECOND));
    CHECK(present(filter, "now") == LATELY_DUPLICATE);
    CHECK(present(filter, "then") == LATELY_DUPLICATE);
    CHECK(present(filter, "never") == LATELY_NEW);
    CHECK(stats_of(filter).new_count == 0 && stats_of(filter).clock == 5 * SECOND);
    lately_filter_free(filter);
}

static void contains_changes_nothing(void) {
    lately_options options = manual_options();
    options.max_step_ns = SECOND;
    lately_filter *filter = new_filter(&options);
    uint8_t verdict = UNTOUCHED;
    CHECK(observe_at(filter, "a", 5 * SECOND) == LATELY_NEW);
    lately_stats before = stats_of(filter);
    CHECK(contains_at(filter, "a", 6 * SECOND) == LATELY_DUPLICATE);
    CHECK(contains_at(filter, "a", 1) == LATELY_DUPLICATE);
    STATUS(LATELY_ERR_TICK, lately_filter_contains(filter, bytes_of("a"), 1, 7 * SECOND, &verdict));
    lately_stats after = stats_of(filter);
    CHECK(memcmp(&before, &after, sizeof before) == 0 && verdict == UNTOUCHED);
    lately_filter_free(filter);
}

static void a_windowed_filter_removes_nothing(void) {
    lately_filter *filter = new_manual();
    uint8_t removed = UNTOUCHED;
    OK(lately_filter_insert(filter, bytes_of("a"), 1, LATELY_NOW));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_remove(filter, bytes_of("a"), 1, LATELY_NOW, &removed));
    CHECK(removed == UNTOUCHED && present(filter, "a") == LATELY_DUPLICATE);
    lately_filter_free(filter);
}

static void ticks_may_be_late_but_not_far_ahead(void) {
    lately_options options = manual_options();
    options.max_step_ns = SECOND;
    lately_filter *filter = new_filter(&options);
    uint8_t verdict = UNTOUCHED;
    CHECK(observe_at(filter, "first", 100 * SECOND) == LATELY_NEW);
    CHECK(observe_at(filter, "late", 99 * SECOND) == LATELY_NEW);
    STATUS(LATELY_ERR_TICK, lately_filter_observe(filter, bytes_of("x"), 1, 101 * SECOND + 1, &verdict));
    STATUS(LATELY_ERR_TICK, lately_filter_insert(filter, bytes_of("x"), 1, 101 * SECOND + 1));
    CHECK(verdict == UNTOUCHED && present(filter, "x") == LATELY_NEW);
    CHECK(stats_of(filter).late_ticks == 1 && stats_of(filter).refused_ticks == 2);
    OK(lately_filter_advance(filter, 500 * SECOND));
    CHECK(stats_of(filter).clock == 500 * SECOND && present(filter, "first") == LATELY_NEW);
    OK(lately_filter_insert(filter, bytes_of("x"), 1, 501 * SECOND));
    lately_filter_free(filter);
}

static void the_system_clock_takes_no_ticks(void) {
    lately_options options = manual_options();
    options.clock = LATELY_CLOCK_SYSTEM;
    options.window_ns = 3600 * SECOND;
    lately_filter *filter = new_filter(&options);
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_observe(filter, bytes_of("a"), 1, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_NEW);
    OK(lately_filter_observe(filter, bytes_of("a"), 1, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
    STATUS(LATELY_ERR_CLOCK, lately_filter_observe(filter, bytes_of("a"), 1, 1, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_insert(filter, bytes_of("a"), 1, 1));
    STATUS(LATELY_ERR_CLOCK, lately_filter_contains(filter, bytes_of("a"), 1, 1, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_advance(filter, 1));
    lately_filter_free(filter);
}

static void keep_first_counts_from_the_first(void) {
    lately_options options = manual_options();
    options.repeat = LATELY_REPEAT_KEEP_FIRST;
    lately_filter *first = new_filter(&options);
    options.repeat = LATELY_REPEAT_REFRESH;
    lately_filter *refresh = new_filter(&options);
    for (uint64_t second = 1; second <= 25; second++) {
        OK(lately_filter_insert(first, bytes_of("other"), 5, second * SECOND));
        CHECK(observe_at(refresh, "a", second * SECOND) == (second == 1 ? LATELY_NEW : LATELY_DUPLICATE));
    }
    OK(lately_filter_clear(first));
    CHECK(observe_at(first, "a", SECOND) == LATELY_NEW);
    CHECK(observe_at(first, "a", 11 * SECOND) == LATELY_DUPLICATE);
    CHECK(observe_at(first, "a", 100 * SECOND) == LATELY_NEW);
    lately_filter_free(refresh);
    lately_filter_free(first);
}

static void clear_forgets_keys_clock_and_counters(void) {
    lately_filter *filter = new_manual();
    CHECK(observe_at(filter, "a", 50 * SECOND) == LATELY_NEW);
    OK(lately_filter_clear(filter));
    lately_stats stats = stats_of(filter);
    CHECK(stats.new_count == 0 && stats.clock == 0 && stats.items == 0);
    CHECK(observe_at(filter, "a", SECOND) == LATELY_NEW);
    CHECK(stats_of(filter).clock == SECOND);
    lately_filter_free(filter);
}

static void a_copy_goes_its_own_way(void) {
    lately_filter *filter = new_manual();
    lately_filter *copy = NULL;
    CHECK(observe_at(filter, "a", SECOND) == LATELY_NEW);
    OK(lately_filter_copy(filter, &copy));
    lately_stats here = stats_of(filter), there = stats_of(copy);
    CHECK(memcmp(&here, &there, sizeof here) == 0);
    CHECK(observe_at(filter, "b", 2 * SECOND) == LATELY_NEW);
    lately_filter_free(filter);
    CHECK(present(copy, "a") == LATELY_DUPLICATE && present(copy, "b") == LATELY_NEW);
    lately_filter_free(copy);
}

static void secrets_are_given_or_drawn(void) {
    lately_options options = manual_options();
    uint64_t lo = UNTOUCHED, hi = UNTOUCHED, again = 0;
    lately_filter *plain = new_filter(&options);
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_secret(plain, &lo, &hi));
    CHECK(lo == UNTOUCHED && hi == UNTOUCHED);
    options.keyed = 1;
    lately_filter *drawn = new_filter(&options);
    OK(lately_filter_secret(drawn, &lo, &hi));
    CHECK(lo != 0 || hi != 0);
    options.secret_lo = 7;
    lately_filter *given = new_filter(&options);
    OK(lately_filter_secret(given, &lo, &hi));
    CHECK(lo == 7 && hi == 0);
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_hash(given, bytes_of("a"), 1, &again));
    CHECK(again == 0 && observe_at(given, "a", 1) == LATELY_NEW && observe_at(given, "a", 1) == LATELY_DUPLICATE);
    lately_filter_free(plain);
    lately_filter_free(drawn);
    lately_filter_free(given);
}

int main(void) {
    a_key_lives_for_its_window();
    the_empty_key_is_a_key();
    an_impossible_length_is_refused();
    a_manual_clock_has_no_now_before_its_first_tick();
    the_clock_counts_in_its_unit();
    insert_gives_no_verdict_but_stores();
    contains_changes_nothing();
    a_windowed_filter_removes_nothing();
    ticks_may_be_late_but_not_far_ahead();
    the_system_clock_takes_no_ticks();
    keep_first_counts_from_the_first();
    clear_forgets_keys_clock_and_counters();
    a_copy_goes_its_own_way();
    secrets_are_given_or_drawn();
    return check_done("filter");
}
