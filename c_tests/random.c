/* Random calls of every function with sound and unsound arguments: each comes to a status that the header names, an
 * unsound one writes nothing, and what was stored is found. Half a million calls from fixed seeds, or as many as
 * LATELY_CALLS says. */
#include "run_line.h"

enum { CALLS = 500000, HANDLES = 4, MOST_KEYS = 16 };

static uint64_t state;

static uint64_t next(void) {
    return run_next(&state);
}

static uint64_t below(uint64_t n) {
    return next() % n;
}

static int once_in(uint64_t n) {
    return below(n) == 0;
}

#define ROWS_MAX 32

static script rows[ROWS_MAX];
static size_t row_count;

static lately_filter *handles[HANDLES];
static lately_options asked[HANDLES];
static uint64_t calls, good, bad;

/* Whether any function may come to this status. */
static int is_named(lately_status status) {
    return (status >= LATELY_OK && status <= LATELY_ERR_TICK) || status == LATELY_ERR_FULL ||
           (status >= LATELY_ERR_SHORT_BUFFER && status <= LATELY_ERR_ELAPSED) || status == LATELY_ERR_NO_MEMORY;
}

/* Counts a call, and says whether it was taken. A panic, a poisoned handle and a number without a name are failures;
 * so is success where `unsound` arguments had to be refused. */
static int taken(lately_status status, int unsound) {
    calls++;
    good += status == LATELY_OK;
    bad += unsound && status != LATELY_OK;
    if (!is_named(status) || (unsound && status == LATELY_OK)) {
        fprintf(stderr, "call %" PRIu64 ": %s, %s\n", calls, lately_status_name(status), unsound ? "unsound" : "sound");
        CHECK(!"a status that this call cannot have");
    }
    return status == LATELY_OK;
}

/* A small request that has a filter: a row of kinds.txt in any small size, with the options of time here and there. */
static lately_options sound_options(void) {
    const script *row = &rows[below(row_count)];
    lately_options o = request_for(row, 1 + below(500));
    o.seed = below(3);
    o.keyed = (uint32_t)once_in(8);
    o.secret_lo = o.keyed;
    o.memory = o.memory == 0 ? 0 : 64 + below(2000);
    if (strcmp(row->words[1], "time") == 0) {
        o.window_ns = 1 + (next() >> below(64));
        o.capacity = once_in(2) ? 0 : o.capacity;
        o.repeat = (uint32_t)below(3);
        o.on_limit = (uint32_t)below(o.kind == LATELY_KIND_WINDOW_TABLE ? 2 : 3);
        o.max_step_ns = once_in(2) ? 0 : 1 + (next() >> below(64));
        o.memory = once_in(2) ? 0 : 4096;
    }
    return o;
}

/* Random bytes where options should be: here and there a word, or all of them. The size stays that of the struct. */
static lately_options unsound_options(void) {
    lately_options o = sound_options();
    unsigned char *bytes = (unsigned char *)&o;
    size_t at = sizeof(size_t), end = sizeof o;
    if (once_in(3)) {
        for (; at < end; at++) {
            bytes[at] = (unsigned char)next();
        }
    } else {
        uint64_t word = once_in(2) ? next() : UINT64_MAX << below(64);
        at += 4 * below((end - at - 8) / 4);
        memcpy(bytes + at, &word, sizeof word);
    }
    if (once_in(20)) {
        o.struct_size = below(sizeof o);
    }
    return o;
}

/* What is built of random bytes may want memory: this much is had, and then given back. */
#define MOST_BYTES (UINT64_C(1) << 20)

static void random_requests(void) {
    lately_options o = once_in(4) ? sound_options() : unsound_options();
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;
    int is_plan = taken(lately_plan(&o, &plan, &error), 0);
    CHECK(is_plan || error.message[0] != 0);
    if (is_plan && plan.bytes > MOST_BYTES) {
        return;
    }
    if (taken(lately_filter_new(&o, &filter, once_in(2) ? &error : NULL), !is_plan)) {
        lately_filter_free(filter);
    } else {
        CHECK(filter == NULL);
    }
}

static void renew(size_t i) {
    lately_filter_free(handles[i]);
    handles[i] = NULL;
    do {
        asked[i] = sound_options();
    } while (!taken(lately_filter_new(&asked[i], &handles[i], NULL), 0));
}

/* A handle becomes the copy of another, or what its snapshot is, in which a bit may be wrong. */
static void copy_or_load(size_t from, size_t to) {
    static uint8_t bytes[1 << 16];
    lately_load_options options = LATELY_LOAD_OPTIONS_INIT;
    lately_filter *filter = NULL;
    size_t size = 0;
    options.secret_lo = asked[from].secret_lo;
    options.new_memory = once_in(2) ? 0 : UINT64_MAX - below(2);
    if (once_in(2)) {
        taken(lately_filter_copy(handles[from], &filter), 0);
    } else if (taken(lately_filter_snapshot_write(handles[from], bytes, sizeof bytes, &size), 0)) {
        int is_wrong = once_in(2);
        bytes[below(size)] ^= (uint8_t)(is_wrong << below(8));
        taken(lately_filter_load(bytes, size, 0, &options, &filter, NULL), is_wrong);
        CHECK((filter == NULL) == is_wrong);
    }
    if (filter != NULL) {
        lately_filter_free(handles[to]);
        handles[to] = filter;
        asked[to] = asked[from];
    }
}

/* The arguments of a call, of which one may be unsound. */
typedef struct {
    lately_filter *filter;
    const uint8_t *bytes;
    size_t len;
    uint8_t *out;
    size_t *done;
} arguments;

/* Takes one pointer away or makes the length impossible; returns whether it did. */
static int spoil(arguments *a, int has_out, int has_done) {
    switch (below(24)) {
    case 0:
        a->filter = NULL;
        return 1;
    case 1:
        a->len += a->len == 0;
        a->bytes = NULL;
        return 1;
    case 2:
        a->len = SIZE_MAX - (size_t)below(1000);
        return 1;
    case 3:
        a->out = NULL;
        return has_out;
    case 4:
        a->done = NULL;
        return has_done;
    default:
        return 0;
    }
}

static uint8_t key[8];
static uint8_t verdicts[MOST_KEYS];
static size_t done;

/* What was stored is found at once, by the handle as it stands. */
static void expect_found(const lately_filter *filter, size_t len) {
    uint8_t verdict = UNTOUCHED;
    CHECK(taken(lately_filter_contains(filter, key, len, LATELY_NOW, &verdict), 0) && verdict == LATELY_DUPLICATE);
}

/* The calls that write no verdict. */
static void without_verdict(const arguments *a, uint64_t which, uint64_t tick, int unsound) {
    uint64_t number = 0, *out = a->out == NULL ? NULL : &number;
    switch (which) {
    case 0: taken(lately_filter_hash(a->filter, a->bytes, a->len, out), unsound); break;
    case 1: taken(lately_filter_secret(a->filter, &number, out), a->filter == NULL || out == NULL); break;
    case 2: taken(lately_filter_advance(a->filter, tick), a->filter == NULL); break;
    default: taken(lately_filter_stats_reset(a->filter), a->filter == NULL);
    }
}

static void single(size_t i) {
    uint64_t tick = once_in(9) ? next() >> below(64) : stats_of(handles[i]).clock + below(100), bytes = below(2000);
    arguments a = {handles[i], key, (size_t)below(sizeof key + 1), verdicts, &done};
    uint64_t which = below(VERBS + 4);
    memcpy(key, &bytes, sizeof key);
    int unsound = spoil(&a, which != INSERT, 0), stored = 0, wrote = 0;
    verdicts[0] = UNTOUCHED;
    if (which < VERBS) {
        int is_ok = taken(one((verb)which, a.filter, a.bytes, a.len, once_in(2) ? LATELY_NOW : tick, a.out), unsound);
        stored = is_ok && (which == OBSERVE || which == INSERT);
        wrote = is_ok && which != INSERT;
    } else {
        without_verdict(&a, which - VERBS, tick, unsound);
    }
    CHECK((verdicts[0] != UNTOUCHED) == wrote);
    if (stored) {
        expect_found(handles[i], a.len);
    }
}

/* Keys of any form, which begin behind some bytes and, of a column, behind some bits. */
static lately_slice slices[MOST_KEYS];
static int32_t narrow[MOST_KEYS + 1];
static int64_t wide[MOST_KEYS + 1];
static uint64_t packed[MOST_KEYS + 1], numbers[MOST_KEYS];
static uint8_t bits[8];

static lately_keys lay_keys(size_t n) {
    static uint8_t bytes[4 + 8 * MOST_KEYS];
    size_t end = (size_t)below(4), bit = (size_t)below(40);
    packed[0] = end;
    for (size_t j = 0; j < MOST_KEYS; j++) {
        size_t len = (size_t)below(9);
        bytes[end] = (uint8_t)below(250);
        slices[j].data = len == 0 ? NULL : bytes + end;
        slices[j].len = len;
        numbers[j] = below(1000) << 54;
        packed[j + 1] = end += len;
    }
    for (size_t j = 0; j <= MOST_KEYS; j++) {
        narrow[j] = (int32_t)packed[j];
        wide[j] = (int64_t)packed[j];
    }
    for (size_t j = 0; j < sizeof bits; j++) {
        bits[j] = (uint8_t)next();
    }
    switch (below(6)) {
    case 0: return lately_keys_packed(bytes, end, packed, n);
    case 1: return lately_keys_slices(slices, n);
    case 2: return lately_keys_column32(bytes, end, narrow, once_in(4) ? NULL : bits, bit, n);
    case 3: return lately_keys_column64(bytes, end, wide, once_in(4) ? NULL : bits, bit, n);
    case 4: return lately_keys_u64s(numbers, n);
    default: return lately_keys_hashes(numbers, n);
    }
}

/* Whether key j is absent. */
static int is_absent(const lately_keys *keys, size_t j) {
    size_t place = keys->validity_offset + j;
    return keys->validity != NULL && (bits[place / 8] >> (place % 8) & 1) == 0;
}

/* Makes one field, offset or slice of keys unsound; returns whether it did. */
static int spoil_keys(lately_keys *keys) {
    size_t n = keys->count, j = (size_t)below(n + 1);
    int has_offsets = keys->offsets != NULL;
    switch (below(20)) {
    case 0:
        keys->form = 7 + (uint32_t)(next() % 32);
        return 1;
    case 1:
        keys->reserved = 1 + (uint32_t)below(1000);
        return 1;
    case 2:
        keys->struct_size = sizeof *keys + 1 + (size_t)(next() >> below(63)) % 100000 * 8;
        return 1;
    case 3:
        keys->offsets = NULL;
        return has_offsets;
    case 4:
        keys->data = NULL;
        keys->data_len += keys->data_len == 0;
        return 1;
    case 5:
        narrow[j] = -1 - (int32_t)below(1000);
        wide[j] = INT64_MIN + (int64_t)below(1000);
        packed[j] = UINT64_MAX - below(1000);
        return has_offsets;
    case 6:
        narrow[n] = INT32_MAX - (int32_t)below(1000);
        wide[n] = INT64_MAX - (int64_t)below(1000);
        packed[n] += 1 + keys->data_len + (next() >> below(64)) % 1000;
        return has_offsets;
    case 7:
        slices[j % n].len = SIZE_MAX - (size_t)below(1000);
        return keys->form == LATELY_KEYS_SLICES;
    case 8:
        slices[j % n].data = NULL;
        slices[j % n].len += slices[j % n].len == 0;
        return keys->form == LATELY_KEYS_SLICES;
    default:
        return 0;
    }
}

static void batch(size_t i) {
    uint64_t ticks[MOST_KEYS], clock = stats_of(handles[i]).clock;
    verb v = (verb)below(VERBS);
    size_t n = 1 + (size_t)below(MOST_KEYS);
    lately_keys keys = lay_keys(n);
    for (size_t j = 0; j < MOST_KEYS; j++) {
        ticks[j] = clock + j * below(50);
    }
    arguments a = {handles[i], key, sizeof key, verdicts, &done};
    /* `bytes` is used for the keys; there is no length. */
    int unsound = spoil(&a, v != INSERT, 1) && a.len == sizeof key;
    int checked = !unsound && spoil_keys(&keys);
    memset(verdicts, UNTOUCHED, sizeof verdicts);
    done = UNTOUCHED;
    lately_status status = many(v, a.filter, a.bytes == NULL ? NULL : &keys, once_in(2) ? ticks : NULL, a.out, a.done);
    int was_taken = taken(status, unsound || checked);
    CHECK(was_taken ? done == n : unsound || done <= (checked ? 0 : n));
    for (size_t j = 0; v != INSERT && a.out != NULL && !unsound && j < MOST_KEYS; j++) {
        CHECK((verdicts[j] == UNTOUCHED) == (j >= done));
        CHECK(j >= done || v == REMOVE || (verdicts[j] == LATELY_ABSENT_KEY) == is_absent(&keys, j));
    }
}

static void one_call(void) {
    size_t i = (size_t)below(HANDLES);
    uint64_t which = below(1000);
    if (which < 600) {
        single(i);
    } else if (which < 990) {
        batch(i);
    } else if (which < 992) {
        random_requests();
    } else if (which < 995) {
        copy_or_load(i, (size_t)below(HANDLES));
    } else if (which < 997) {
        renew(i);
    } else {
        taken(lately_filter_clear(once_in(4) ? NULL : handles[i]), 0);
        lately_filter_free(NULL);
    }
}

int main(void) {
    const char *said = getenv("LATELY_CALLS");
    uint64_t wanted = said ? (uint64_t)strtoul(said, NULL, 10) : (uint64_t)CALLS;
    row_count = read_rows(rows, ROWS_MAX);
    state = sizeof(handles);
    for (size_t i = 0; i < HANDLES; i++) {
        renew(i);
    }
    while (calls < wanted) {
        one_call();
    }
    for (size_t i = 0; i < HANDLES; i++) {
        lately_filter_free(handles[i]);
    }
    printf("%" PRIu64 " calls, %" PRIu64 " taken, %" PRIu64 " unsound and refused\n", calls, good, bad);
    CHECK(wanted >= 10000 && good > wanted / 3 && bad > wanted / 20);
    return check_done("random");
}
