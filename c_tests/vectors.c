/* The vectors that every language reads, those of claims, and what every language refuses: the files of tests/vectors. */
#include "batch_line.h"
#include "run_line.h"

/* What an instruction came to: a status, the field at fault, and the words of its answer. */
typedef struct {
    lately_status status;
    uint32_t field;
    char said[256];
} outcome;

static lately_filter *filter;
static lately_options options;
static uint8_t key[LINE_MAX_BYTES / 2];

static outcome failed_or(lately_status status, const char *said) {
    outcome o = {status, 0, ""};
    if (status == LATELY_OK) {
        snprintf(o.said, sizeof o.said, "%s", said);
    }
    return o;
}

static outcome verdict_or(lately_status status, uint8_t verdict) {
    return failed_or(status, verdict == 0 ? "0" : verdict == 1 ? "1" : "neither");
}

static outcome number_or(lately_status status, const char *format, uint64_t number) {
    char said[32];
    snprintf(said, sizeof said, format, number);
    return failed_or(status, said);
}

static outcome build(char **words, int count) {
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *built = NULL;
    lately_options asked = options_of(words + 1, count - 1);
    outcome o = failed_or(lately_filter_new(&asked, &built, &error), "");
    o.field = error.field;
    if (o.status == LATELY_OK) {
        lately_filter_free(filter);
        filter = built;
        options = asked;
    }
    return o;
}

static outcome plan(void) {
    char said[256];
    lately_plan_result p = LATELY_PLAN_RESULT_INIT;
    lately_status status = lately_plan(&options, &p, NULL);
    snprintf(said, sizeof said, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
             " %" PRIu64 " %" PRIu64 " %" PRIu64,
             p.bytes, p.k, p.l, p.slices, p.blocks, p.rows, p.window_keys, p.fingerprint_bits, p.chains, p.block_bytes);
    return failed_or(status, said);
}

/* A filter that takes claims has other figures. */
static outcome figures(void) {
    char said[256];
    lately_stats s = LATELY_STATS_INIT;
    lately_status status = lately_filter_stats(filter, &s);
    if (s.max_claims > 0) {
        snprintf(said, sizeof said, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, s.open_claims,
                 s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count);
        return failed_or(status, said);
    }
    snprintf(said, sizeof said,
             "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
             " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
             s.new_count, s.duplicate_count, s.late_ticks, s.refused_ticks, s.clock, s.bytes, s.items, s.shifts, s.rows_full,
             s.moved, s.stashed, s.max_lateness_ns, s.last_refused_tick);
    return failed_or(status, said);
}

static outcome secret(void) {
    char said[64];
    uint64_t lo = 0, hi = 0;
    lately_status status = lately_filter_secret(filter, &lo, &hi);
    snprintf(said, sizeof said, "%" PRIu64 " %" PRIu64, lo, hi);
    return failed_or(status, said);
}

static outcome copy(void) {
    lately_filter *copied = NULL;
    outcome o = failed_or(lately_filter_copy(filter, &copied), "");
    if (o.status == LATELY_OK) {
        lately_filter_free(filter);
        filter = copied;
    }
    return o;
}

/* The verdicts of a batch that was taken: a digit for each key. */
static outcome verdicts_or(lately_status status, const batch_line *b, const uint8_t *verdicts, size_t done) {
    char said[BATCH_MOST + 1] = "";
    for (size_t i = 0; i < b->count; i++) {
        said[i] = (char)('0' + verdicts[i]);
    }
    CHECK(status == LATELY_OK ? done == b->count : done < b->count);
    return failed_or(status, said);
}

/* VERB_slices TICKS KEYS, and VERB_column OFFSET_BITS BEFORE BIT TICKS KEYS. */
static outcome obey_batch(verb v, int is_column, char **words) {
    static batch_line b;
    uint8_t verdicts[BATCH_MOST] = {0};
    size_t done = UNTOUCHED;
    if (is_column) {
        read_batch(&b, words[4], words[5], (size_t)number_of(words[2]), (size_t)number_of(words[3]));
    } else {
        read_batch(&b, words[1], words[2], 0, 0);
    }
    const lately_keys keys = is_column ? column_of(&b, number_of(words[1]), words[3]) : lately_keys_slices(b.slices, b.count);
    lately_status status = many(v, filter, &keys, b.times, verdicts, &done);
    outcome answers = verdicts_or(status, &b, verdicts, done);
    return v == INSERT ? failed_or(status, "") : answers;
}

/* Instructions that are a verb and how it is called: VERB KEY, VERB_at TICK KEY, and batches. */
static int obey_verb(char **words, outcome *o) {
    static const char *const names[VERBS] = {"observe", "contains", "remove", "insert"};
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        size_t len = strlen(names[v]);
        const char *form = words[0] + len;
        if (strncmp(words[0], names[v], len) != 0) {
            continue;
        }
        if (strcmp(form, "_slices") == 0 || strcmp(form, "_column") == 0) {
            *o = obey_batch(v, form[1] == 'c', words);
        } else {
            int is_timed = strcmp(form, "_at") == 0;
            uint8_t verdict = UNTOUCHED;
            size_t key_len = unhex(words[1 + is_timed], key);
            uint64_t tick = is_timed ? number_of(words[1]) : LATELY_NOW;
            lately_status status = one(v, filter, key, key_len, tick, &verdict);
            *o = v == INSERT ? failed_or(status, "") : verdict_or(status, verdict);
        }
        return 1;
    }
    return 0;
}

static outcome hash_of(const char *word) {
    uint64_t hash = 0;
    lately_status status = lately_filter_hash(filter, key, unhex(word, key), &hash);
    return number_or(status, "%016" PRIx64, hash);
}

/* claim_at TICK KEY, commit_at TICK KEY TOKEN and abandon KEY TOKEN. */
static int obey_claim(char **words, outcome *o) {
    uint8_t verdict = UNTOUCHED;
    uint64_t token = UNTOUCHED;
    char said[64];
    if (strcmp(words[0], "claim_at") == 0) {
        lately_status status = lately_filter_claim(filter, key, unhex(words[2], key), number_of(words[1]), &verdict, &token);
        snprintf(said, sizeof said, "%u %" PRIu64, (unsigned)verdict, token);
        *o = failed_or(status, said);
    } else if (strcmp(words[0], "commit_at") == 0) {
        token = number_of(words[3]);
        lately_status status = lately_filter_commit(filter, key, unhex(words[2], key), token, number_of(words[1]), &verdict);
        *o = number_or(status, "%" PRIu64, verdict);
    } else if (strcmp(words[0], "abandon") == 0) {
        *o = failed_or(lately_filter_abandon(filter, key, unhex(words[1], key), number_of(words[2])), "");
    } else {
        return 0;
    }
    return 1;
}

static outcome obey(char **words, int count) {
    outcome o = {LATELY_ERR_PANIC, 0, "no such instruction"};
    const char *name = words[0];
    if (obey_verb(words, &o) || obey_claim(words, &o)) {
        return o;
    }
    if (strcmp(name, "filter") == 0) {
        return build(words, count);
    } else if (strcmp(name, "plan") == 0) {
        return plan();
    } else if (strcmp(name, "stats") == 0) {
        return figures();
    } else if (strcmp(name, "secret") == 0) {
        return secret();
    } else if (strcmp(name, "copy") == 0) {
        return copy();
    } else if (strcmp(name, "clear") == 0) {
        return failed_or(lately_filter_clear(filter), "");
    } else if (strcmp(name, "advance") == 0) {
        return failed_or(lately_filter_advance(filter, number_of(words[1])), "");
    } else if (strcmp(name, "hash_of") == 0) {
        return hash_of(words[1]);
    } else if (strcmp(name, "hash") == 0) {
        return number_or(LATELY_OK, "%016" PRIx64, lately_hash64(key, unhex(words[2], key), number_of(words[1])));
    }
    CHECK(!"a known instruction");
    return o;
}

/* Whether the line ends in these words. */
static int ends_with(const script *s, const char *said) {
    char line[LINE_MAX_BYTES] = "";
    size_t len = 0;
    for (int i = 1; i < s->count; i++) {
        len += (size_t)snprintf(line + len, sizeof line - len, " %s", s->words[i]);
    }
    size_t end = strlen(said);
    return end == 0 || (len > end && line[len - end - 1] == ' ' && strcmp(line + len - end, said) == 0);
}

static uint32_t field_of(const char *name) {
    return strcmp(name, "-") == 0 ? 0 : member_of(name, strlen(name))->field;
}

/* fails STATUS FIELD INSTRUCTION; of claims no field is at fault, and none is given. */
static void check_line(const script *s) {
    int fails = strcmp(s->words[0], "fails") == 0;
    int has_field = fails && strstr(s->words[2], "_at") == NULL;
    int from = fails ? 2 + has_field : 0;
    outcome o = obey((char **)s->words + from, s->count - from);
    uint32_t field = has_field ? field_of(s->words[2]) : 0;
    int holds = fails ? strcmp(lately_status_name(o.status), s->words[1]) == 0 && o.field == field
                      : o.status == LATELY_OK && ends_with(s, o.said);
    if (!CHECK(holds)) {
        fprintf(stderr, "    line %u, %s %s: status %s, field %u, answer \"%s\"\n", s->number, s->words[0],
                s->count > 1 ? s->words[1] : "", lately_status_name(o.status), o.field, o.said);
    }
}

/* Checks the calls of a run; how many rounds. */
static unsigned check_run(script *s) {
    static script call;
    run_line r = read_run(s->words);
    call.number = s->number;
    for (uint64_t i = 0; i < r.rounds; i++) {
        run_round(&r, &call, check_line);
    }
    CHECK(strlen(r.answers) == (r.asked + 3) / 4);
    return (unsigned)r.rounds;
}

static unsigned read_all(const char *name) {
    static script s;
    FILE *file = script_open(name);
    unsigned lines = 0;
    s.number = 0;
    while (script_next(&s, file)) {
        if (strcmp(s.words[0], "run") == 0) {
            lines += check_run(&s);
        } else {
            check_line(&s);
            lines++;
        }
    }
    fclose(file);
    return lines;
}

int main(void) {
    CHECK(read_all("vectors.txt") > 25000);
    CHECK(read_all("errors.txt") > 50);
    CHECK(read_all("claims.txt") > 200);
    lately_filter_free(filter);
    filter = NULL;
    return check_done("vectors");
}
