/* Claims: the vectors that every language reads, tests/vectors/claims.txt, whose first lines describe it; and what C alone sees. */
#include "script.h"

/* The words of an answer, and the status of what gave it. */
typedef struct {
    lately_status status;
    char said[160];
} answer;

static lately_filter *filter;
static uint8_t key[LINE_MAX_BYTES / 2];

static answer build(const script *s) {
    lately_options options = options_of(s, 1);
    lately_filter_free(filter);
    filter = NULL;
    answer a = {lately_filter_new(&options, &filter, NULL), ""};
    return a;
}

static answer figures(void) {
    lately_stats s = LATELY_STATS_INIT;
    answer a = {lately_filter_stats(filter, &s), ""};
    snprintf(a.said, sizeof a.said, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, s.open_claims,
             s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count);
    return a;
}

static answer claim_at(uint64_t now, size_t len) {
    uint8_t verdict = UNTOUCHED;
    uint64_t token = UNTOUCHED;
    answer a = {lately_filter_claim(filter, key, len, now, &verdict, &token), ""};
    snprintf(a.said, sizeof a.said, "%u %" PRIu64, (unsigned)verdict, token);
    return a;
}

static answer commit_at(uint64_t now, size_t len, uint64_t token) {
    uint8_t found = UNTOUCHED;
    answer a = {lately_filter_commit(filter, key, len, token, now, &found), ""};
    snprintf(a.said, sizeof a.said, "%u", (unsigned)found);
    return a;
}

static answer observed_at(uint64_t now, size_t len) {
    uint8_t verdict = UNTOUCHED;
    answer a = {lately_filter_observe(filter, key, len, now, &verdict), ""};
    snprintf(a.said, sizeof a.said, "%u", (unsigned)verdict);
    return a;
}

/* The answer to the words from `first` on; `end` is the word where the line's own answer begins. */
static answer obey(const script *s, int first, int *end) {
    char *const *w = s->words + first;
    answer unknown = {LATELY_ERR_PANIC, "no such instruction"};
    if (strcmp(w[0], "filter") == 0) {
        *end = s->count;
        return build(s);
    } else if (strcmp(w[0], "stats") == 0) {
        *end = first + 1;
        return figures();
    } else if (strcmp(w[0], "abandon") == 0) {
        *end = first + 3;
        answer a = {lately_filter_abandon(filter, key, unhex(w[1], key), number_of(w[2])), ""};
        return a;
    } else if (strcmp(w[0], "claim_at") == 0) {
        *end = first + 3;
        return claim_at(number_of(w[1]), unhex(w[2], key));
    } else if (strcmp(w[0], "commit_at") == 0) {
        *end = first + 4;
        return commit_at(number_of(w[1]), unhex(w[2], key), number_of(w[3]));
    } else if (strcmp(w[0], "observe_at") == 0) {
        *end = first + 3;
        return observed_at(number_of(w[1]), unhex(w[2], key));
    }
    return unknown;
}

/* Whether the words from `first` to the end of the line are these. */
static int ends_with(const script *s, int first, const char *said) {
    char rest[160] = "";
    size_t len = 0;
    for (int i = first; i < s->count && len < sizeof rest; i++) {
        len += (size_t)snprintf(rest + len, sizeof rest - len, "%s%s", i == first ? "" : " ", s->words[i]);
    }
    return strcmp(rest, said) == 0;
}

static void check_line(const script *s) {
    int fails = strcmp(s->words[0], "fails") == 0, end = 0;
    answer a = obey(s, fails ? 2 : 0, &end);
    int right = fails ? strcmp(lately_status_name(a.status), s->words[1]) == 0 && end == s->count
                      : a.status == LATELY_OK && ends_with(s, end, a.said);
    if (!CHECK(right)) {
        fprintf(stderr, "    line %u: status %s, answer \"%s\"\n", s->number, lately_status_name(a.status), a.said);
    }
}

/* What the vectors do not have: untouched outputs, kinds without claims, a window of keys, whose leases go by the system's clock. */
static void refused_claims_write_nothing(void) {
    lately_options last = LATELY_OPTIONS_INIT;
    lately_filter *without = new_manual();
    uint64_t token = UNTOUCHED, other = UNTOUCHED;
    uint8_t verdict = UNTOUCHED, found = UNTOUCHED;
    STATUS(LATELY_ERR_UNSUPPORTED, lately_filter_claim(without, "a", 1, LATELY_NOW, &verdict, &token));
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
    static script s;
    FILE *file = script_open("claims.txt");
    unsigned lines = 0;
    s.number = 0;
    while (script_next(&s, file)) {
        check_line(&s);
        lines++;
    }
    fclose(file);
    lately_filter_free(filter);
    filter = NULL;
    CHECK(lines > 400);
    refused_claims_write_nothing();
    return check_done("claim");
}
