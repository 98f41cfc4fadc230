/* lately_filter, one key at a time: what the arguments of the ABI do. What the verbs answer is in the files of tests/vectors. */
#include "check.h"

static void the_empty_key_is_a_key(void) {
    lately_filter *filter = new_manual();
    uint8_t verdict = UNTOUCHED;
    uint64_t hash = 0;
    OK(lately_filter_observe(filter, NULL, 0, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_NEW && contains_at(filter, "", 1) == LATELY_DUPLICATE);
    OK(lately_filter_contains(filter, NULL, 0, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
    OK(lately_filter_insert(filter, NULL, 0, 2));
    OK(lately_filter_hash(filter, NULL, 0, &hash));
    CHECK(hash == lately_hash64(NULL, 0, 0));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_remove(filter, NULL, 0, LATELY_NOW, &verdict));
    lately_filter_free(filter);
}

/* A key that no memory can hold is refused before it is read. */
static void an_impossible_length_is_refused(void) {
    static const size_t lengths[2] = {SIZE_MAX, SIZE_MAX / 2 + 1};
    lately_filter *f = new_manual();
    uint8_t verdict = UNTOUCHED;
    uint64_t number = UNTOUCHED;
    for (size_t i = 0; i < 2; i++) {
        for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
            STATUS(LATELY_ERR_OFFSETS, one(v, f, "k", lengths[i], LATELY_NOW, &verdict));
            STATUS(LATELY_ERR_OFFSETS, one(v, f, "k", lengths[i], 1, &verdict));
        }
        STATUS(LATELY_ERR_OFFSETS, lately_filter_hash(f, "k", lengths[i], &number));
        STATUS(LATELY_ERR_OFFSETS, lately_filter_claim(f, "k", lengths[i], 1, &verdict, &number));
    }
    CHECK(verdict == UNTOUCHED && number == UNTOUCHED);
    lately_filter_free(f);
}

/* The question that most callers have. What the other verbs say of a clock is tested by the scripts of adversarial/. */
static void first_says_yes_or_no(void) {
    lately_options options = manual_options();
    lately_filter *f = new_filter(&options);
    uint8_t is_first = UNTOUCHED;
    STATUS(LATELY_ERR_CLOCK, lately_filter_first(f, "k", 1, LATELY_NOW, &is_first));
    CHECK(is_first == UNTOUCHED);
    OK(lately_filter_first(f, "k", 1, 0, &is_first));
    CHECK(is_first == 1);
    OK(lately_filter_first(f, "k", 1, LATELY_NOW, &is_first));
    CHECK(is_first == 0);
    STATUS(LATELY_ERR_CLOCK, lately_filter_advance(f, LATELY_NOW));
    lately_filter_free(f);
}

/* Ages, and a removal at its tick, which moves no clock: of a window of the default kind. */
static void ages_and_removals_have_their_ticks(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, 70 * SECOND));
    options.clock = LATELY_CLOCK_MANUAL_NS;
    lately_filter *filter = new_started(&options);
    lately_age age = {UNTOUCHED, UNTOUCHED};
    uint8_t verdict = UNTOUCHED, removed = UNTOUCHED;
    OK(lately_filter_observe_age(filter, "a", 1, 100 * SECOND, &verdict, &age));
    CHECK(verdict == LATELY_NEW && age.at_least == 0 && age.at_most == 0);
    OK(lately_filter_contains_age(filter, "a", 1, 130 * SECOND, &verdict, &age));
    CHECK(verdict == LATELY_DUPLICATE && age.at_least > 0 && age.at_least <= 30 * SECOND && 30 * SECOND <= age.at_most);
    CHECK(age.at_most - age.at_least <= 11 * SECOND && stats_of(filter).clock == 100 * SECOND);
    OK(lately_filter_observe_age(filter, "a", 1, 130 * SECOND, &verdict, &age));
    CHECK(age.at_least <= 30 * SECOND && 30 * SECOND <= age.at_most && stats_of(filter).clock == 130 * SECOND);
    CHECK(observe_at(filter, "b", LATELY_NOW) == LATELY_NEW);
    OK(lately_filter_remove(filter, "b", 1, 300 * SECOND, &removed));
    CHECK(removed == 0);
    OK(lately_filter_remove(filter, "a", 1, 180 * SECOND, &removed));
    CHECK(removed == 1 && stats_of(filter).clock == 130 * SECOND && stats_of(filter).removed == 1);
    lately_filter_free(filter);
    filter = new_manual();
    age.at_most = verdict = removed = UNTOUCHED;
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_contains_age(filter, "a", 1, 1, &verdict, &age));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_observe_age(filter, "a", 1, 1, &verdict, &age));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_remove(filter, "a", 1, 1, &removed));
    CHECK(age.at_most == UNTOUCHED && verdict == UNTOUCHED && removed == UNTOUCHED && stats_of(filter).new_count == 0);
    lately_filter_free(filter);
}

/* What the vectors do not have: untouched outputs, kinds without claims, a window of keys, whose leases go by the system's clock. */
static void refused_claims_write_nothing(void) {
    lately_options last = LATELY_OPTIONS_INIT;
    lately_filter *without = new_manual();
    uint64_t token = UNTOUCHED, other = UNTOUCHED;
    uint8_t verdict = UNTOUCHED, found = UNTOUCHED;
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_claim(without, "a", 1, LATELY_NOW, &verdict, &token));
    CHECK(strstr(lately_status_text(LATELY_ERR_UNSUPPORTED), "no lease for claims") != NULL);
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_commit(without, "a", 1, 1, LATELY_NOW, &found));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_abandon(without, "a", 1, 1));
    CHECK(verdict == UNTOUCHED && token == UNTOUCHED && stats_of(without).max_claims == 0);
    OK(lately_options_last(&last, 1000));
    last.lease_ns = 3600 * SECOND;
    last.max_claims = 1;
    lately_filter *calls = new_filter(&last);
    STATUS(LATELY_ERR_CLOCK, lately_filter_claim(calls, "a", 1, 1, &verdict, &token));
    CHECK(verdict == UNTOUCHED && token == UNTOUCHED);
    OK(lately_filter_claim(calls, "a", 1, LATELY_NOW, &verdict, &token));
    CHECK(verdict == LATELY_NEW && token != 0 && stats_of(calls).open_claims == 1);
    verdict = UNTOUCHED;
    STATUS(LATELY_ERR_FULL, lately_filter_claim(calls, "b", 1, LATELY_NOW, &verdict, &other));
    STATUS(LATELY_ERR_CLAIM, lately_filter_abandon(calls, "b", 1, token));
    STATUS(LATELY_ERR_CLAIM, lately_filter_commit(calls, "b", 1, token, LATELY_NOW, &found));
    STATUS(LATELY_ERR_CLOCK, lately_filter_commit(calls, "a", 1, token, 1, &found));
    CHECK(verdict == UNTOUCHED && other == UNTOUCHED && found == UNTOUCHED);
    OK(lately_filter_commit(calls, "a", 1, token, LATELY_NOW, &found));
    CHECK(found == LATELY_COMMIT_IN_TIME);
    lately_filter_free(without);
    lately_filter_free(calls);
}

int main(void) {
    the_empty_key_is_a_key();
    an_impossible_length_is_refused();
    first_says_yes_or_no();
    ages_and_removals_have_their_ticks();
    refused_claims_write_nothing();
    return check_done("filter");
}
