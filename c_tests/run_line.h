/* A run of calls as vectors.txt has it, made again from its seed: lines of single calls with their answers. */
#ifndef RUN_LINE_H
#define RUN_LINE_H

#include "script.h"

typedef struct {
    uint64_t seed, rounds, tick, step, late;
    char *verbs[WORDS_MAX];
    int verbs_count;
    const char *answers; /* hexadecimal digits */
    unsigned asked;      /* answers that were read */
} run_line;

/* SplitMix64. */
static inline uint64_t run_next(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* run SEED CALLS VERBS TICK STEP LATE VERDICTS; the verbs are taken apart. */
static inline run_line read_run(char **words) {
    run_line r = {number_of(words[1]), number_of(words[2]), number_of(words[4]), number_of(words[5]), number_of(words[6]),
                  {NULL}, 0, words[7], 0};
    for (char *verb = strtok(words[3], ","); verb != NULL && r.verbs_count < WORDS_MAX; verb = strtok(NULL, ",")) {
        r.verbs[r.verbs_count++] = verb;
    }
    return r;
}

/* Makes the key of one round, in hexadecimal. */
static inline void run_key(run_line *r, char key[33]) {
    uint64_t one = run_next(&r->seed) % 300, other = run_next(&r->seed) % 300;
    uint64_t n = one < other ? one : other, digits = n;
    uint64_t first = run_next(&digits), second = run_next(&digits);
    snprintf(key, 33, "%016" PRIx64 "%016" PRIx64, first, second);
    strcpy(n == 0 ? key : key + 2 * (n % 12 + 1), n == 0 ? "-" : "");
}

/* Writes one call of a round as a line of its own: VERB [TICK] KEY [ANSWER]. */
static inline void run_call(run_line *r, script *call, const char *verb, uint64_t tick, const char *key) {
    size_t len = strcspn(verb, "+");
    int timed = len > 3 && strncmp(verb + len - 3, "_at", 3) == 0;
    int at = snprintf(call->line, sizeof call->line, "%.*s", (int)len, verb);
    at += timed ? snprintf(call->line + at, 32, " %" PRIu64, tick) : 0;
    at += snprintf(call->line + at, 64, " %s", key);
    if (strncmp(verb, "insert", 6) != 0) {
        const char digit[2] = {r->answers[r->asked / 4], 0};
        snprintf(call->line + at, 8, " %lu", strtoul(digit, NULL, 16) >> (3 - r->asked % 4) & 1);
        r->asked++;
    }
    script_split(call);
}

/* Checks every call of the next round. */
static inline void run_round(run_line *r, script *call, void (*check)(const script *)) {
    char key[33];
    r->tick += run_next(&r->seed) % r->step;
    const char *verb = r->verbs[run_next(&r->seed) % (uint64_t)r->verbs_count];
    uint64_t tick = r->tick - (run_next(&r->seed) % 16 == 0 ? run_next(&r->seed) % r->late : 0);
    run_key(r, key);
    for (; verb != NULL; verb = strchr(verb, '+') == NULL ? NULL : strchr(verb, '+') + 1) {
        run_call(r, call, verb, tick, key);
        check(call);
    }
}

#endif
