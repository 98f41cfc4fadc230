/* What the C tests read in tests/vectors: lines of words, requests of OPTION=NUMBER, keys in hexadecimal. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "check.h"

#include <stddef.h>
#include <stdlib.h>

/* The longest line, and the most words on one. */
#define LINE_MAX_BYTES 8192
#define WORDS_MAX 32

typedef struct {
    char line[LINE_MAX_BYTES];
    char *words[WORDS_MAX];
    int count;
    unsigned number; /* of the line */
} script;

/* A file of tests/vectors; stops the program if there is none. */
static inline FILE *script_open(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", VECTORS, name);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) {
        perror(path);
        exit(1);
    }
    return file;
}

/* Takes the line apart. */
static inline void script_split(script *s) {
    s->count = 0;
    for (char *word = strtok(s->line, " "); word != NULL && s->count < WORDS_MAX; word = strtok(NULL, " ")) {
        s->words[s->count++] = word;
    }
}

/* The next line that says something, as words; 0 at the end. */
static inline int script_next(script *s, FILE *file) {
    while (fgets(s->line, sizeof s->line, file) != NULL) {
        s->number++;
        s->line[strcspn(s->line, "\n")] = 0;
        if (s->line[0] == 0 || s->line[0] == '#') {
            continue;
        }
        script_split(s);
        return 1;
    }
    return 0;
}

static inline uint64_t number_of(const char *word) {
    return strtoull(word, NULL, 10);
}

/* The bytes of a key in hexadecimal, into `bytes`; how many. */
static inline size_t unhex(const char *word, uint8_t *bytes) {
    size_t len = strcmp(word, "-") == 0 ? 0 : strlen(word) / 2;
    for (size_t i = 0; i < len; i++) {
        const char digits[3] = {word[2 * i], word[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return len;
}

/* A member of lately_options: a number of 32 or 64 bits, or a fraction. */
typedef struct {
    const char *name;
    size_t offset;
    char type;
    uint32_t field;
} member;

#define MEMBER(name, type, field) {#name, offsetof(lately_options, name), type, LATELY_FIELD_##field}

static const member MEMBERS[] = {
    /* <options> */
    MEMBER(kind, 'u', KIND),
    MEMBER(clock, 'u', CLOCK),
    MEMBER(repeat, 'u', REPEAT),
    MEMBER(on_limit, 'u', ON_LIMIT),
    MEMBER(window_ns, 'w', WINDOW_NS),
    MEMBER(window_keys, 'w', WINDOW_KEYS),
    MEMBER(capacity, 'w', CAPACITY),
    MEMBER(error_rate, 'd', ERROR_RATE),
    MEMBER(miss_rate, 'd', MISS_RATE),
    MEMBER(memory, 'w', MEMORY),
    MEMBER(max_step_ns, 'w', MAX_STEP_NS),
    MEMBER(k, 'u', K),
    MEMBER(l, 'u', L),
    MEMBER(max_slices, 'u', MAX_SLICES),
    MEMBER(fill, 'd', FILL),
    MEMBER(variant, 'u', VARIANT),
    MEMBER(fingerprint_bits, 'u', FINGERPRINT_BITS),
    MEMBER(semi_sort, 'u', SEMI_SORT),
    MEMBER(removable, 'u', REMOVABLE),
    MEMBER(block_bytes, 'u', BLOCK_BYTES),
    MEMBER(chains, 'u', CHAINS),
    MEMBER(load, 'd', LOAD),
    MEMBER(keyed, 'u', KEYED),
    MEMBER(seed, 'w', SEED),
    MEMBER(secret_lo, 'w', SECRET_LO),
    MEMBER(secret_hi, 'w', SECRET_HI),
    MEMBER(age_bits, 'u', AGE_BITS),
    MEMBER(lateness_ns, 'w', LATENESS_NS),
    MEMBER(lease_ns, 'w', LEASE_NS),
    MEMBER(max_claims, 'w', MAX_CLAIMS),
    /* </options> */
};

#define MEMBERS_COUNT (sizeof MEMBERS / sizeof *MEMBERS)

/* The member with this name; stops the program if there is none. */
static inline const member *member_of(const char *name, size_t len) {
    for (size_t i = 0; i < MEMBERS_COUNT; i++) {
        if (strlen(MEMBERS[i].name) == len && strncmp(MEMBERS[i].name, name, len) == 0) {
            return &MEMBERS[i];
        }
    }
    fprintf(stderr, "no such option: %s\n", name);
    exit(1);
}

/* Sets one member from the text of its value. */
static inline void set_member(lately_options *options, const member *member, const char *value) {
    char *at = (char *)options + member->offset;
    double fraction = strtod(value, NULL);
    uint64_t wide = number_of(value);
    uint32_t narrow = (uint32_t)wide;
    switch (member->type) {
        case 'd': memcpy(at, &fraction, sizeof fraction); break;
        case 'w': memcpy(at, &wide, sizeof wide); break;
        default: memcpy(at, &narrow, sizeof narrow);
    }
}

/* Builds options from an array of `count` words of the form OPTION=NUMBER. */
static inline lately_options options_of(char *const *words, int count) {
    lately_options options = LATELY_OPTIONS_INIT;
    for (int i = 0; i < count; i++) {
        size_t len = strcspn(words[i], "=");
        set_member(&options, member_of(words[i], len), words[i] + len + 1);
    }
    return options;
}

#endif
