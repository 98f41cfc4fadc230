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

typedef lately_status verb(lately_filter *filter, lately_filter **made);

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

static lately_status observe(lately_filter *filter, lately_filter **made) {
    uint8_t verdict = UNTOUCHED;
    (void)made;
    return has_ticks ? lately_filter_observe(filter, key_of(now), 8, now, &verdict)
                     : lately_filter_observe(filter, key_of(now), 8, LATELY_NOW, &verdict);
}

static lately_status insert(lately_filter *filter, lately_filter **made) {
    (void)made;
    return has_ticks ? lately_filter_insert(filter, key_of(now), 8, now) : lately_filter_insert(filter, key_of(now), 8, LATELY_NOW);
}

static lately_status contains(lately_filter *filter, lately_filter **made) {
    uint8_t verdict = UNTOUCHED;
    (void)made;
    return lately_filter_contains(filter, key_of(now), 8, LATELY_NOW, &verdict);
}

static lately_status take_out(lately_filter *filter, lately_filter **made) {
    uint8_t removed = UNTOUCHED;
    (void)made;
    lately_status status = lately_filter_remove(filter, key_of(now), 8, LATELY_NOW, &removed);
    return status == LATELY_ERR_UNSUPPORTED ? LATELY_OK : status;
}

static lately_status first_failure(const lately_status *statuses, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (statuses[i] != LATELY_OK) {
            return statuses[i];
        }
    }
    return LATELY_OK;
}

static lately_status batches(lately_filter *filter, lately_filter **made) {
    static uint8_t keys[BATCH * 8], verdicts[BATCH];
    static uint64_t offsets[BATCH + 1], hashes[BATCH];
    size_t done = 0;
    (void)made;
    for (unsigned i = 0; i < BATCH; i++) {
        memcpy(keys + 8 * i, key_of(now + i), 8);
        offsets[i + 1] = offsets[i] + 8;
        lately_status status = lately_filter_hash(filter, keys + 8 * i, 8, &hashes[i]);
        if (status != LATELY_OK) {
            return status;
        }
    }
    lately_status statuses[] = {
        observe_packed(filter, keys, sizeof keys, offsets, NULL, BATCH, verdicts, &done),
        contains_packed(filter, keys, sizeof keys, offsets, NULL, BATCH, verdicts, &done),
        insert_packed(filter, keys, sizeof keys, offsets, NULL, BATCH, &done),
        observe_hashes(filter, hashes, NULL, BATCH, verdicts, &done),
        contains_hashes(filter, hashes, NULL, BATCH, verdicts, &done),
        insert_hashes(filter, hashes, NULL, BATCH, &done),
    };
    return first_failure(statuses, sizeof statuses / sizeof *statuses);
}

static lately_status in_place(lately_filter *filter, lately_filter **made) {
    static uint8_t bytes[BATCH * 8], verdicts[BATCH];
    /* Three keys of four are present. */
    static const uint8_t bits[] = {0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77};
    static int32_t offsets[BATCH + 1];
    static lately_slice keys[BATCH];
    lately_keys column = NO_COLUMN;
    size_t done = 0;
    (void)made;
    for (unsigned i = 0; i < BATCH; i++) {
        memcpy(bytes + 8 * i, key_of(now + i), 8);
        offsets[i + 1] = offsets[i] + 8;
        keys[i].data = bytes + 8 * i;
        keys[i].len = 8;
    }
    column.data = bytes;
    column.data_len = sizeof bytes;
    column.offsets = offsets;
    column.validity = bits;
    lately_status statuses[] = {
        observe_slices(filter, keys, NULL, BATCH, verdicts, &done),
        contains_slices(filter, keys, NULL, BATCH, verdicts, &done),
        insert_slices(filter, keys, NULL, BATCH, &done),
        observe_column(filter, &column, NULL, BATCH, verdicts, &done),
        contains_column(filter, &column, NULL, BATCH, verdicts, &done),
        insert_column(filter, &column, NULL, BATCH, &done),
    };
    return first_failure(statuses, sizeof statuses / sizeof *statuses);
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
    verb *call;
    /* Whether a window of time may grow by it: without memory it forgets, or errs more, and the answer is OK. */
    int grows;
} VERBS[] = {
    {"plan", plan_it, 0},   {"a wrong plan", plan_nothing, 0}, {"new", build, 0},        {"copy", copy, 0},
    {"save", save, 0},      {"load", load, 0},                 {"contains", contains, 0}, {"remove", take_out, 0},
    {"count", count, 0},    {"observe", observe, 1},           {"insert", insert, 1},    {"batches", batches, 1},
    {"slices and columns", in_place, 1}, {"advance", advance, 1}, {"clear", clear, 1},
};

/* So many calls to both come to the same. */
static void agree(lately_filter *filter, lately_filter *oracle, unsigned calls) {
    unsigned differ = 0;
    for (unsigned i = 0; i < calls; i++) {
        uint8_t one = UNTOUCHED, other = UNTOUCHED;
        now += 100000;
        lately_status status, want;
        if (has_ticks) {
            status = lately_filter_observe(filter, key_of(now), 8, now, &one);
            want = lately_filter_observe(oracle, key_of(now), 8, now, &other);
        } else {
            status = lately_filter_observe(filter, key_of(i), 8, LATELY_NOW, &one);
            want = lately_filter_observe(oracle, key_of(i), 8, LATELY_NOW, &other);
        }
        differ += status != LATELY_OK || want != LATELY_OK || one != other;
    }
    lately_stats a = stats_of(filter), b = stats_of(oracle);
    CHECK(differ == 0 && a.items == b.items);
}

/* Refuses the n-th request of a verb, of two filters that are alike; whether there was one. */
static int refuse_nth(size_t verb, int64_t n, lately_filter **filter, lately_filter **oracle) {
    lately_filter *made = NULL;
    now += VERBS[verb].grows ? 2 * SECOND : 0;
    asked = 0;
    left = n;
    lately_status status = VERBS[verb].call(*filter, &made);
    left = -1;
    int was = asked > n;
    refused += was;
    no_memory += status == LATELY_ERR_NO_MEMORY;
    CHECK(status == LATELY_OK || (was && status == LATELY_ERR_NO_MEMORY && made == NULL));
    lately_filter_free(made);
    made = NULL;
    if (status == LATELY_OK) {
        OK(VERBS[verb].call(*oracle, &made));
        lately_filter_free(made);
    }
    if (was && VERBS[verb].grows && has_ticks) {
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
    options = request_of(&row);
    has_ticks = strcmp(row.words[1], "time") == 0;
    now = SECOND;
    for (size_t verb = 0; verb < sizeof VERBS / sizeof *VERBS; verb++) {
        lately_filter *filter = new_filter(&options), *oracle = new_filter(&options);
        agree(filter, oracle, SOME);
        int64_t n = 0;
        while (refuse_nth(verb, n, &filter, &oracle)) {
            n++;
        }
        agree(filter, oracle, KEYS);
        if (check_failures != before) {
            fprintf(stderr, "    %s of %s\n", VERBS[verb].name, row.words[0]);
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
