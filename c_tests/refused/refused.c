/* When the n-th request for memory is refused, for every n: each verb of each kind comes to a status, and the filter
 * agrees with one that was never short, for 10,000 calls in the end. The program stands between the library and malloc; glibc
 * only. */
#include "script.h"

/* Calls after all that was refused of a verb, and after each refusal. */
#define KEYS 10000
#define SOME 200
#define BATCH 50

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

/* Requests that are still met, none is refused below 0; and all that there were. */
static int64_t left = -1;
static int64_t asked;

static int refuses(void) {
    asked++;
    int64_t now = left;
    left -= left >= 0;
    return now == 0;
}

void *malloc(size_t size) {
    return refuses() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return refuses() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size) {
    return refuses() ? NULL : __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t align, size_t size) {
    *block = refuses() ? NULL : __libc_memalign(align, size);
    return *block == NULL ? 12 : 0;
}

static script row;
static lately_options options;
static int has_ticks;
static uint64_t now;
static uint8_t image[1 << 22];
static size_t image_size;
/* Requests that were refused, and those that came to NO_MEMORY. */
static unsigned refused, no_memory;

static const uint8_t *key_of(uint64_t i) {
    static uint8_t key[8];
    for (unsigned byte = 0; byte < 8; byte++) {
        key[byte] = (uint8_t)((i * i % 997) >> (8 * byte));
    }
    return key;
}

/* A call; what it makes is freed. */
typedef lately_status action(lately_filter *filter, lately_filter **made);

/* What a call of ACTIONS that is a verb on one key is. */
static verb single_verb;

static lately_status plan_it(lately_filter *filter, lately_filter **made) {
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    (void)filter, (void)made;
    return lately_plan(&options, &plan, NULL);
}

static lately_status plan_nothing(lately_filter *filter, lately_filter **made) {
    lately_options wrong = options;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_error error = LATELY_ERROR_INIT;
    (void)filter, (void)made;
    wrong.error_rate = 7;
    lately_status status = lately_plan(&wrong, &plan, &error);
    CHECK(status == LATELY_ERR_OPTION && error.message[0] != 0);
    return LATELY_OK;
}

static lately_status build(lately_filter *filter, lately_filter **made) {
    lately_error error = LATELY_ERROR_INIT;
    (void)filter;
    return lately_filter_new(&options, made, &error);
}

static lately_status copy(lately_filter *filter, lately_filter **made) {
    return lately_filter_copy(filter, made);
}

static lately_status load(lately_filter *filter, lately_filter **made) {
    lately_load_options asks = LATELY_LOAD_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    (void)filter;
    return lately_filter_load(image, image_size, 0, &asks, made, &error);
}

static lately_status save(lately_filter *filter, lately_filter **made) {
    (void)made;
    lately_status status = lately_filter_snapshot_size(filter, &image_size);
    return status != LATELY_OK ? status : lately_filter_snapshot_write(filter, image, sizeof image, &image_size);
}

/* One verb on the key of now. A removal that a kind lacks counts as done. */
static lately_status single(lately_filter *filter, lately_filter **made) {
    uint8_t out = UNTOUCHED;
    int is_timed = has_ticks && (single_verb == OBSERVE || single_verb == INSERT);
    (void)made;
    lately_status status = one(single_verb, filter, key_of(now), 8, is_timed ? now : LATELY_NOW, &out);
    return status == LATELY_ERR_UNSUPPORTED ? LATELY_OK : status;
}

/* Each verb on keys in the forms that the library treats differently. */
static lately_status batches(lately_filter *filter, lately_filter **made) {
    static const verb verbs[] = {OBSERVE, CONTAINS, INSERT};
    /* Three keys of four are present. */
    static const uint8_t bits[] = {0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77};
    static uint8_t bytes[BATCH * 8], out[BATCH];
    static uint64_t offsets[BATCH + 1], hashes[BATCH];
    static int32_t narrow[BATCH + 1];
    static lately_slice slices[BATCH];
    lately_status status = LATELY_OK;
    size_t done = 0;
    (void)made;
    for (unsigned i = 0; i < BATCH && status == LATELY_OK; i++) {
        memcpy(bytes + 8 * i, key_of(now + i), 8);
        offsets[i + 1] = offsets[i] + 8;
        narrow[i + 1] = narrow[i] + 8;
        slices[i].data = bytes + 8 * i;
        slices[i].len = 8;
        status = lately_filter_hash(filter, bytes + 8 * i, 8, &hashes[i]);
    }
    const lately_keys forms[] = {
        lately_keys_packed(bytes, sizeof bytes, offsets, BATCH), lately_keys_hashes(hashes, BATCH),
        lately_keys_slices(slices, BATCH), lately_keys_column32(bytes, sizeof bytes, narrow, bits, 0, BATCH)};
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs && status == LATELY_OK; v++) {
            status = many(verbs[v], filter, &forms[form], NULL, out, &done);
        }
    }
    return status;
}

static lately_status count(lately_filter *filter, lately_filter **made) {
    lately_stats stats = LATELY_STATS_INIT;
    (void)made;
    lately_status status = lately_filter_stats(filter, &stats);
    return status != LATELY_OK ? status : lately_filter_stats_reset(filter);
}

static lately_status advance(lately_filter *filter, lately_filter **made) {
    (void)made;
    return has_ticks ? lately_filter_advance(filter, now) : LATELY_OK;
}

static lately_status clear(lately_filter *filter, lately_filter **made) {
    (void)made;
    return lately_filter_clear(filter);
}

static const struct {
    const char *name;
    action *call;
    verb of;
    /* Whether a window of time may grow by it: without memory it forgets, or errs more, and the answer is OK. */
    int grows;
} ACTIONS[] = {
    {"plan", plan_it, VERBS, 0},     {"a wrong plan", plan_nothing, VERBS, 0}, {"new", build, VERBS, 0},
    {"copy", copy, VERBS, 0},        {"save", save, VERBS, 0},                 {"load", load, VERBS, 0},
    {"contains", single, CONTAINS, 0}, {"remove", single, REMOVE, 0},          {"count", count, VERBS, 0},
    {"observe", single, OBSERVE, 1}, {"insert", single, INSERT, 1},            {"batches", batches, VERBS, 1},
    {"advance", advance, VERBS, 1},  {"clear", clear, VERBS, 1},
};

/* So many calls to both come to the same. */
static void agree(lately_filter *filter, lately_filter *oracle, unsigned calls) {
    unsigned differ = 0;
    for (unsigned i = 0; i < calls; i++) {
        uint8_t have = UNTOUCHED, want = UNTOUCHED;
        now += 100000;
        const uint8_t *key = key_of(has_ticks ? now : i);
        uint64_t tick = has_ticks ? now : LATELY_NOW;
        differ += lately_filter_observe(filter, key, 8, tick, &have) != LATELY_OK;
        differ += lately_filter_observe(oracle, key, 8, tick, &want) != LATELY_OK || have != want;
    }
    lately_stats a = stats_of(filter), b = stats_of(oracle);
    CHECK(differ == 0 && a.items == b.items);
}

/* Refuses the n-th request of a verb, of two filters that are alike; whether there was one. */
static int refuse_nth(size_t number, int64_t n, lately_filter **filter, lately_filter **oracle) {
    lately_filter *made = NULL;
    single_verb = ACTIONS[number].of;
    now += ACTIONS[number].grows ? 2 * SECOND : 0;
    asked = 0;
    left = n;
    lately_status status = ACTIONS[number].call(*filter, &made);
    left = -1;
    int was = asked > n;
    refused += was;
    no_memory += status == LATELY_ERR_NO_MEMORY;
    CHECK(status == LATELY_OK || (was && status == LATELY_ERR_NO_MEMORY && made == NULL));
    lately_filter_free(made);
    made = NULL;
    if (status == LATELY_OK) {
        OK(ACTIONS[number].call(*oracle, &made));
        lately_filter_free(made);
    }
    if (was && ACTIONS[number].grows && has_ticks) {
        /* It may have forgotten. It lives, and a copy of it is its equal. */
        lately_filter_free(*oracle);
        *oracle = NULL;
        OK(lately_filter_copy(*filter, oracle));
    }
    agree(*filter, *oracle, SOME);
    return was;
}

static void run_row(void) {
    unsigned before = check_failures, refused_before = refused;
    options = options_of(row.words + 4, row.count - 4); /* behind NAME FINDS REMOVES SIZE*UNITS */
    has_ticks = strcmp(row.words[1], "time") == 0;
    now = SECOND;
    for (size_t number = 0; number < sizeof ACTIONS / sizeof *ACTIONS; number++) {
        lately_filter *filter = new_filter(&options), *oracle = new_filter(&options);
        agree(filter, oracle, SOME);
        int64_t n = 0;
        while (refuse_nth(number, n, &filter, &oracle)) {
            n++;
        }
        agree(filter, oracle, KEYS);
        if (check_failures != before) {
            fprintf(stderr, "    %s of %s\n", ACTIONS[number].name, row.words[0]);
            break;
        }
        lately_filter_free(filter);
        lately_filter_free(oracle);
    }
    printf("%s %s: %u requests\n", check_failures == before ? "ok    " : "FAILED", row.words[0], refused - refused_before);
    fflush(stdout);
}

/* Whether a plan of this row takes so long, by the law of misses, that thousands of them take minutes: tests/refused.rs
 * has such a row. */
static int plans_for_misses(void) {
    for (int i = 0; i < row.count; i++) {
        if (strncmp(row.words[i], "miss_rate=", 10) == 0) {
            return 1;
        }
    }
    return 0;
}

int main(void) {
    FILE *file = script_open("kinds.txt");
    while (script_next(&row, file)) {
        if (!plans_for_misses()) {
            run_row();
        }
    }
    fclose(file);
    CHECK(refused > 100 && no_memory > 100);
    return check_done("refused");
}
