/* Claims from C: a key is claimed, committed or abandoned; leases, tokens, statuses and statistics. */
#include "check.h"

#define LEASE (2 * SECOND)

static lately_filter *new_claiming(uint64_t max_claims) {
    lately_options options = manual_options();
    options.lease_ns = LEASE;
    options.max_claims = max_claims;
    return new_started(&options);
}

/* The verdict of a claim at `now`; its token goes to `token`. */
static uint8_t claim_at(lately_filter *filter, const char *key, uint64_t now, uint64_t *token) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_claim(filter, bytes_of(key), strlen(key), now, &verdict, token));
    CHECK((verdict == LATELY_NEW) == (*token != 0));
    return verdict;
}

/* What a commit at `now` found. */
static uint8_t commit_at(lately_filter *filter, const char *key, uint64_t token, uint64_t now) {
    uint8_t found = UNTOUCHED;
    OK(lately_filter_commit(filter, bytes_of(key), strlen(key), token, now, &found));
    return found;
}

static void a_claim_is_pending_until_it_is_committed(void) {
    lately_filter *filter = new_claiming(0);
    uint64_t token = UNTOUCHED, none = UNTOUCHED;
    CHECK(claim_at(filter, "a", SECOND, &token) == LATELY_NEW);
    CHECK(claim_at(filter, "a", SECOND, &none) == LATELY_PENDING);
    CHECK(observe_at(filter, "a", SECOND) == LATELY_DUPLICATE);
    CHECK(contains_at(filter, "a", SECOND) == LATELY_DUPLICATE);
    CHECK(commit_at(filter, "a", token, SECOND + LEASE) == LATELY_COMMIT_IN_TIME);
    CHECK(commit_at(filter, "a", token, SECOND + LEASE) == LATELY_COMMIT_ALREADY);
    CHECK(claim_at(filter, "a", 12 * SECOND, &none) == LATELY_DUPLICATE);
    lately_filter_free(filter);
}

static void an_abandoned_claim_leaves_no_trace(void) {
    lately_filter *filter = new_claiming(0);
    uint64_t first = 0, second = 0;
    CHECK(claim_at(filter, "a", SECOND, &first) == LATELY_NEW);
    OK(lately_filter_abandon(filter, bytes_of("a"), 1, first));
    CHECK(contains_at(filter, "a", SECOND) == LATELY_NEW);
    CHECK(claim_at(filter, "a", SECOND, &second) == LATELY_NEW && second != first);
    /* The first owner's claim is closed: this changes nothing. */
    OK(lately_filter_abandon(filter, bytes_of("a"), 1, first));
    CHECK(contains_at(filter, "a", SECOND) == LATELY_DUPLICATE);
    lately_filter_free(filter);
}

static void a_late_commit_wins_over_the_next_owner(void) {
    lately_filter *filter = new_claiming(0);
    uint64_t first = 0, second = 0;
    CHECK(claim_at(filter, "a", SECOND, &first) == LATELY_NEW);
    CHECK(claim_at(filter, "a", SECOND + LEASE, &second) == LATELY_PENDING);
    CHECK(claim_at(filter, "a", SECOND + LEASE + 1, &second) == LATELY_NEW);
    CHECK(commit_at(filter, "a", first, SECOND + LEASE + 2) == LATELY_COMMIT_LATE);
    CHECK(commit_at(filter, "a", second, SECOND + LEASE + 3) == LATELY_COMMIT_ALREADY);
    CHECK(stats_of(filter).expired_claims == 1 && stats_of(filter).open_claims == 0);
    lately_filter_free(filter);
}

static void a_token_belongs_to_its_key(void) {
    lately_filter *filter = new_claiming(0);
    uint64_t token = 0;
    uint8_t found = UNTOUCHED;
    CHECK(claim_at(filter, "a", SECOND, &token) == LATELY_NEW);
    STATUS(LATELY_ERR_CLAIM, lately_filter_commit(filter, bytes_of("b"), 1, token, LATELY_NOW, &found));
    STATUS(LATELY_ERR_CLAIM, lately_filter_commit(filter, bytes_of("a"), 1, token ^ 1, LATELY_NOW, &found));
    STATUS(LATELY_ERR_CLAIM, lately_filter_commit(filter, bytes_of("a"), 1, 0, LATELY_NOW, &found));
    STATUS(LATELY_ERR_CLAIM, lately_filter_abandon(filter, bytes_of("b"), 1, token));
    CHECK(found == UNTOUCHED && strcmp(lately_status_name(LATELY_ERR_CLAIM), "CLAIM") == 0);
    OK(lately_filter_commit(filter, bytes_of("a"), 1, token, LATELY_NOW, &found));
    CHECK(found == LATELY_COMMIT_IN_TIME);
    lately_filter_free(filter);
}

static void a_full_table_refuses_until_a_lease_is_over(void) {
    lately_filter *filter = new_claiming(2);
    uint64_t token = 0;
    uint8_t verdict = UNTOUCHED;
    lately_stats stats;
    CHECK(claim_at(filter, "a", SECOND, &token) == LATELY_NEW);
    CHECK(claim_at(filter, "b", 2 * SECOND, &token) == LATELY_NEW);
    STATUS(LATELY_ERR_FULL,
           lately_filter_claim(filter, bytes_of("c"), 1, SECOND + LEASE, &verdict, &token));
    CHECK(verdict == UNTOUCHED && contains_at(filter, "c", SECOND + LEASE) == LATELY_NEW);
    CHECK(claim_at(filter, "c", SECOND + LEASE + 1, &token) == LATELY_NEW);
    stats = stats_of(filter);
    CHECK(stats.open_claims == 2 && stats.max_claims == 2 && stats.expired_claims == 1 && stats.pending == 0);
    lately_filter_free(filter);
}

static void other_filters_have_no_claims(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = new_manual();
    uint64_t token = UNTOUCHED;
    uint8_t verdict = UNTOUCHED;
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_claim(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &token));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_commit(filter, bytes_of("a"), 1, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_abandon(filter, bytes_of("a"), 1, 1));
    CHECK(token == UNTOUCHED && verdict == UNTOUCHED && stats_of(filter).max_claims == 0);
    lately_filter_free(filter);
    options.kind = 3; /* A set has no window. */
    options.capacity = 1000;
    options.lease_ns = 1;
    STATUS(LATELY_ERR_OPTION, lately_filter_new(&options, &filter, &error));
    CHECK(error.field == LATELY_FIELD_LEASE_NS);
    options = manual_options();
    options.max_claims = 5;
    STATUS(LATELY_ERR_OPTION, lately_filter_new(&options, &filter, &error));
    CHECK(error.field == LATELY_FIELD_MAX_CLAIMS);
}

/* A window of keys: its leases go by the system's clock, and it takes no ticks. */
static void a_window_of_keys_takes_claims_without_ticks(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_filter *filter = NULL;
    uint64_t token = 0, none = 0;
    uint8_t verdict = UNTOUCHED, found = UNTOUCHED;
    OK(lately_options_last(&options, 1000));
    options.lease_ns = 3600 * SECOND;
    filter = new_started(&options);
    OK(lately_filter_claim(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &token));
    CHECK(verdict == LATELY_NEW);
    OK(lately_filter_claim(filter, bytes_of("a"), 1, LATELY_NOW, &verdict, &none));
    CHECK(verdict == LATELY_PENDING && none == 0);
    STATUS(LATELY_ERR_CLOCK, lately_filter_claim(filter, bytes_of("b"), 1, 1, &verdict, &none));
    OK(lately_filter_commit(filter, bytes_of("a"), 1, token, LATELY_NOW, &found));
    CHECK(found == LATELY_COMMIT_IN_TIME);
    STATUS(LATELY_ERR_UNSUPPORTED, observe_hash(filter, 1, LATELY_NOW, &verdict));
    STATUS(LATELY_ERR_CLOCK, lately_filter_commit(filter, bytes_of("a"), 1, token, 1, &found));
    lately_filter_free(filter);
}

int main(void) {
    a_claim_is_pending_until_it_is_committed();
    an_abandoned_claim_leaves_no_trace();
    a_late_commit_wins_over_the_next_owner();
    a_token_belongs_to_its_key();
    a_full_table_refuses_until_a_lease_is_over();
    other_filters_have_no_claims();
    a_window_of_keys_takes_claims_without_ticks();
    return check_done("claim");
}
