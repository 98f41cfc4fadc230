/* Random calls of every function with sound and unsound arguments: each comes to a status that the header names, an
 * unsound one writes nothing, and what was stored is found. Half a million calls from fixed seeds, or as many as
 * LATELY_CALLS says. */
#include "script.h"

enum { CALLS = 500000, HANDLES = 4, MOST_KEYS = 16 };

static uint64_t state;

/* SplitMix64. */
static uint64_t next(void) {
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
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

static void copy_or_load(size_t from, size_t to) {
    static uint8_t bytes[1 << 16];
    lately_load_options options = LATELY_LOAD_OPTIONS_INIT;
    lately_filter *filter = NULL;
    size_t size = 0, written = 0;
    options.secret_lo = asked[from].secret_lo;
    options.new_memory = once_in(2) ? 0 : UINT64_MAX - below(2);
    if (once_in(2)) {
        taken(lately_filter_copy(handles[from], &filter), 0);
    } else if (taken(lately_filter_snapshot_size(handles[from], &size), 0) && size <= sizeof bytes) {
        taken(lately_filter_snapshot_write(handles[from], bytes, below(size), &written), 1);
        CHECK(written == size);
        taken(lately_filter_snapshot_write(handles[from], bytes, size, &written), 0);
        if (once_in(2)) {
            bytes[below(size)] ^= (uint8_t)(1u << below(8));
            taken(lately_filter_load(bytes, once_in(2) ? size : below(size), 0, &options, &filter, NULL), 1);
        } else {
            taken(lately_filter_load(bytes, size, 0, &options, &filter, NULL), 0);
            CHECK(filter != NULL);
        }
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
    uint64_t *numbers;
    uint8_t *out;
    size_t *done;
} arguments;

/* Takes one pointer away or makes the length impossible; returns whether it did. */
static int spoil(arguments *a, int has_out, int has_numbers) {
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
        a->numbers = NULL;
        return has_numbers;
    case 5:
        a->done = NULL;
        return has_numbers;
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

/* The calls that write no verdict; 0. */
static int without_verdict(const arguments *a, uint64_t which, uint64_t tick, int unsound) {
    uint64_t number = 0, *out = a->out == NULL ? NULL : &number;
    switch (which) {
    case 7: taken(lately_filter_hash(a->filter, a->bytes, a->len, out), unsound); break;
    case 8: taken(lately_filter_secret(a->filter, &number, out), a->filter == NULL || out == NULL); break;
    case 9: taken(lately_filter_advance(a->filter, tick), a->filter == NULL); break;
    default: taken(lately_filter_stats_reset(a->filter), a->filter == NULL);
    }
    return 0;
}

static void single(size_t i) {
    uint64_t tick = once_in(9) ? next() >> below(64) : stats_of(handles[i]).clock + below(100), number = 0;
    arguments a = {handles[i], key, (size_t)below(sizeof key + 1), &number, verdicts, &done};
    uint64_t which = below(11), bytes = below(2000);
    memcpy(key, &bytes, sizeof key);
    int unsound = spoil(&a, which != 2 && which != 3, 0);
    verdicts[0] = UNTOUCHED;
    int stored = 0, wrote = 1;
    switch (which) {
    case 0: stored = taken(lately_filter_observe(a.filter, a.bytes, a.len, LATELY_NOW, a.out), unsound); break;
    case 1: stored = taken(lately_filter_observe(a.filter, a.bytes, a.len, tick, a.out), unsound); break;
    case 2: stored = taken(lately_filter_insert(a.filter, a.bytes, a.len, LATELY_NOW), unsound); wrote = 0; break;
    case 3: stored = taken(lately_filter_insert(a.filter, a.bytes, a.len, tick), unsound); wrote = 0; break;
    case 4: wrote = taken(lately_filter_remove(a.filter, a.bytes, a.len, LATELY_NOW, a.out), unsound); break;
    case 5: wrote = taken(lately_filter_contains(a.filter, a.bytes, a.len, LATELY_NOW, a.out), unsound); break;
    case 6: wrote = taken(lately_filter_contains(a.filter, a.bytes, a.len, tick, a.out), unsound); break;
    default: wrote = without_verdict(&a, which, tick, unsound);
    }
    wrote = wrote && (which > 1 || stored);
    CHECK((verdicts[0] != UNTOUCHED) == wrote);
    if (stored) {
        expect_found(handles[i], a.len);
    }
}

static void batch(size_t i) {
    uint64_t offsets[MOST_KEYS + 1], hashes[MOST_KEYS], ticks[MOST_KEYS], clock = stats_of(handles[i]).clock;
    static uint8_t bytes[8 * MOST_KEYS];
    size_t n = (size_t)below(MOST_KEYS + 1);
    for (size_t j = 0; j < MOST_KEYS; j++) {
        bytes[8 * j] = (uint8_t)below(250);
        offsets[j] = 8 * j;
        hashes[j] = below(1000) << 54;
        ticks[j] = clock + j * below(50);
    }
    offsets[MOST_KEYS] = sizeof bytes;
    arguments a = {handles[i], bytes, sizeof bytes, offsets, verdicts, &done};
    uint64_t which = below(6);
    int by_hash = which >= 3, has_out = which % 3 != 1;
    int unsound = n > 0 && spoil(&a, has_out, 1);
    if (by_hash) {
        unsound = unsound && a.bytes != NULL && a.len == sizeof bytes;
        a.numbers = a.numbers == NULL ? NULL : hashes;
    }
    if (!by_hash && !unsound && once_in(6)) {
        offsets[n] = sizeof bytes + 1 + (next() >> below(64)) % 1000;
        unsound = 1;
    }
    const uint64_t *times = once_in(2) ? ticks : NULL;
    memset(verdicts, UNTOUCHED, sizeof verdicts);
    done = UNTOUCHED;
    lately_status status;
    switch (which) {
    case 0: status = observe_packed(a.filter, a.bytes, a.len, a.numbers, times, n, a.out, a.done); break;
    case 1: status = insert_packed(a.filter, a.bytes, a.len, a.numbers, times, n, a.done); break;
    case 2: status = contains_packed(a.filter, a.bytes, a.len, a.numbers, times, n, a.out, a.done); break;
    case 3: status = observe_hashes(a.filter, a.numbers, times, n, a.out, a.done); break;
    case 4: status = insert_hashes(a.filter, a.numbers, times, n, a.done); break;
    default: status = contains_hashes(a.filter, a.numbers, times, n, a.out, a.done); break;
    }
    int was_taken = taken(status, unsound);
    CHECK(a.done == NULL || (was_taken ? done == n : done <= n));
    for (size_t j = 0; has_out && a.out != NULL && a.done != NULL && j < MOST_KEYS; j++) {
        CHECK((verdicts[j] == UNTOUCHED) == (j >= done));
    }
}

/* Keys where they lie: as slices and as a column, which begins behind some bytes and some bits. */
static lately_slice slices[MOST_KEYS];
static int32_t small[MOST_KEYS + 1];
static int64_t large[MOST_KEYS + 1];
static uint8_t bits[8];
static lately_keys column;

static void lay_keys(void) {
    static uint8_t bytes[4 + 8 * MOST_KEYS];
    const lately_keys empty = NO_COLUMN;
    size_t end = (size_t)below(4);
    for (size_t j = 0; j < MOST_KEYS; j++) {
        size_t len = (size_t)below(9);
        small[j] = (int32_t)end;
        large[j] = (int64_t)end;
        bytes[end] = (uint8_t)below(250);
        slices[j].data = len == 0 ? NULL : bytes + end;
        slices[j].len = len;
        end += len;
    }
    small[MOST_KEYS] = (int32_t)end;
    large[MOST_KEYS] = (int64_t)end;
    for (size_t j = 0; j < sizeof bits; j++) {
        bits[j] = (uint8_t)next();
    }
    column = empty;
    column.data = bytes;
    column.data_len = end;
    column.form = once_in(2) ? LATELY_KEYS_COLUMN32 : LATELY_KEYS_COLUMN64;
    column.offsets = column.form == LATELY_KEYS_COLUMN32 ? (const void *)small : (const void *)large;
    column.validity = once_in(4) ? NULL : bits;
    column.validity_offset = (size_t)below(40);
}

/* Whether key j of the column is absent. */
static int is_absent(size_t j) {
    size_t place = column.validity_offset + j;
    return column.validity != NULL && (bits[place / 8] >> (place % 8) & 1) == 0;
}

/* Makes one slice of n unsound; returns whether it did. */
static int spoil_slices(size_t n) {
    lately_slice *slice = &slices[below(n)];
    switch (below(8)) {
    case 0:
        slice->data = NULL;
        slice->len += slice->len == 0;
        return 1;
    case 1:
        slice->len = SIZE_MAX - (size_t)below(1000);
        return 1;
    default:
        return 0;
    }
}

/* Makes one field or offset of a column of n keys unsound; returns whether it did. */
static int spoil_column(size_t n) {
    size_t j = (size_t)below(n + 1);
    switch (below(20)) {
    case 0:
        column.form = 7 + (uint32_t)(next() % 32);
        return 1;
    case 1:
        column.reserved = 1 + (uint32_t)below(1000);
        return 1;
    case 2:
        column.struct_size = sizeof column + 1 + (size_t)(next() >> below(63)) % 100000 * 8;
        return 1;
    case 3:
        column.offsets = NULL;
        return 1;
    case 4:
        column.data = NULL;
        column.data_len += column.data_len == 0;
        return 1;
    case 5:
        small[j] = -1 - (int32_t)below(1000);
        large[j] = INT64_MIN + (int64_t)below(1000);
        return 1;
    case 6:
        small[n] = INT32_MAX - (int32_t)below(1000);
        large[n] = INT64_MAX - (int64_t)below(1000);
        return 1;
    default:
        return 0;
    }
}

static lately_status call_in_place(const arguments *a, uint64_t which, const lately_slice *keys, lately_keys *all,
                                   const uint64_t *times, size_t n) {
    switch (which) {
    case 0: return observe_slices(a->filter, keys, times, n, a->out, a->done);
    case 1: return insert_slices(a->filter, keys, times, n, a->done);
    case 2: return contains_slices(a->filter, keys, times, n, a->out, a->done);
    case 3: return observe_column(a->filter, all, times, n, a->out, a->done);
    case 4: return insert_column(a->filter, all, times, n, a->done);
    default: return contains_column(a->filter, all, times, n, a->out, a->done);
    }
}

static void batch_in_place(size_t i) {
    uint64_t ticks[MOST_KEYS], clock = stats_of(handles[i]).clock, which = below(6);
    size_t n = 1 + (size_t)below(MOST_KEYS);
    int has_out = which % 3 != 1, is_column = which >= 3;
    arguments a = {handles[i], key, sizeof key, ticks, verdicts, &done};
    for (size_t j = 0; j < MOST_KEYS; j++) {
        ticks[j] = clock + j * below(50);
    }
    lay_keys();
    /* `bytes` is used for the keys; there is no length, and no number that is needed. */
    int unsound = spoil(&a, has_out, 1) && a.len == sizeof key && a.numbers != NULL;
    const lately_slice *keys = a.bytes == NULL ? NULL : slices;
    lately_keys *all = a.bytes == NULL ? NULL : &column;
    int checked = !unsound && (is_column ? spoil_column(n) : spoil_slices(n));
    memset(verdicts, UNTOUCHED, sizeof verdicts);
    done = UNTOUCHED;
    int was_taken = taken(call_in_place(&a, which, keys, all, once_in(2) ? ticks : NULL, n), unsound || checked);
    CHECK(was_taken ? done == n : unsound || done <= (checked ? 0 : n));
    for (size_t j = 0; has_out && a.out != NULL && !unsound && j < MOST_KEYS; j++) {
        CHECK((verdicts[j] == UNTOUCHED) == (j >= done));
        CHECK(j >= done || (verdicts[j] == LATELY_ABSENT_KEY) == (is_column && is_absent(j)));
    }
}

static void one_call(void) {
    size_t i = (size_t)below(HANDLES);
    uint64_t which = below(1000);
    if (which < 600) {
        single(i);
    } else if (which < 800) {
        batch(i);
    } else if (which < 990) {
        batch_in_place(i);
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
