/*
 * What a call costs, in C: the program that the others are compared with (table.py runs all of them).
 *
 * For every line that comes in, one line goes out: nanoseconds of this thread's CPU time for each key in each row, those
 * of an empty call, and how many keys were duplicates so far. A row is a filter of its own. The rows are, in this order:
 * windows of keys, then of time by the system's clock; in each a filter of one owner, then one for many
 * threads; in each the nine of `forms`. All programs send the same keys to the same filters, so all of them find the same number of duplicates.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lately.h>

enum { KEYS = 1 << 16, DISTINCT = 40000, WINDOW = 20000, LONGEST = 40, FORMS = 9, BATCH = 256 };

/* The same numbers as keys of `length` bytes, back to back, and where each lies. */
struct keys {
    size_t length;
    uint8_t bytes[KEYS * LONGEST];
    uint64_t offsets[KEYS + 1];
    lately_slice slices[KEYS];
};

static uint64_t numbers[KEYS];
static struct keys words = {.length = 8}, pairs = {.length = 16}, texts = {.length = LONGEST};
static uint64_t duplicates;

/* What a row calls: `size` keys at a time, one by one, as numbers, packed or where they lie. */
static const struct form {
    const struct keys *keys;
    size_t size;
    enum { SINGLE, NUMBERS, PACKED, SLICES } how;
} forms[FORMS] = {
    {&words, 1, SINGLE},      {&words, BATCH, NUMBERS}, {&pairs, 1, SINGLE},
    {&pairs, 32, PACKED},     {&pairs, BATCH, PACKED},  {&pairs, BATCH, SLICES},
    {&texts, 1, SINGLE},      {&texts, BATCH, PACKED},  {&texts, BATCH, SLICES},
};

static void expect(lately_status status)
{
    if (status != LATELY_OK) {
        fprintf(stderr, "calls.c: %s\n", lately_status_name(status));
        exit(1);
    }
}

static void put_little_endian(uint8_t *at, uint64_t number)
{
    for (int b = 0; b < 8; b++) {
        at[b] = (uint8_t)(number >> (8 * b));
    }
}

static void point_at(struct keys *keys)
{
    for (size_t i = 0; i < KEYS; i++) {
        keys->slices[i] = (lately_slice){keys->bytes + i * keys->length, keys->length};
        keys->offsets[i + 1] = (i + 1) * keys->length;
    }
}

/* Key i is one of DISTINCT numbers, drawn by a fixed law: as 8 bytes, as those and their complement, as 40 digits. */
static void fill_keys(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < KEYS; i++) {
        char text[LONGEST + 1];
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        numbers[i] = (state >> 33) % DISTINCT;
        put_little_endian(words.bytes + i * 8, numbers[i]);
        put_little_endian(pairs.bytes + i * 16, numbers[i]);
        put_little_endian(pairs.bytes + i * 16 + 8, ~numbers[i]);
        snprintf(text, sizeof text, "%0*llu", LONGEST, (unsigned long long)numbers[i]);
        memcpy(texts.bytes + i * LONGEST, text, LONGEST);
    }
    point_at(&words);
    point_at(&pairs);
    point_at(&texts);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void singles(lately_filter *filter, const struct keys *keys)
{
    uint8_t verdict;
    for (size_t i = 0; i < KEYS; i++) {
        expect(lately_filter_observe(filter, keys->bytes + i * keys->length, keys->length, LATELY_NOW, &verdict));
        duplicates += verdict;
    }
}

static lately_keys batch(const struct form *form, size_t first)
{
    const struct keys *keys = form->keys;
    switch (form->how) {
    case NUMBERS:
        return lately_keys_u64s(numbers + first, form->size);
    case PACKED:
        return lately_keys_packed(keys->bytes, KEYS * keys->length, keys->offsets + first, form->size);
    default:
        return lately_keys_slices(keys->slices + first, form->size);
    }
}

static void batches(lately_filter *filter, const struct form *form)
{
    uint8_t verdicts[BATCH];
    size_t done;
    for (size_t i = 0; i < KEYS; i += form->size) {
        lately_keys keys = batch(form, i);
        expect(lately_filter_observe_many(filter, &keys, NULL, verdicts, &done));
        for (size_t j = 0; j < form->size; j++) {
            duplicates += verdicts[j];
        }
    }
}

static void rows(lately_filter **filters)
{
    for (int i = 0; i < FORMS; i++) {
        double start = now();
        if (forms[i].how == SINGLE) {
            singles(filters[i], forms[i].keys);
        } else {
            batches(filters[i], &forms[i]);
        }
        printf("%.3f ", (now() - start) / KEYS);
    }
}

static void empty_row(void)
{
    uint32_t sum = 0;
    double start = now();
    for (int i = 0; i < KEYS; i++) {
        sum += lately_abi_version();
    }
    printf("%.3f ", (now() - start) / KEYS);
    expect(sum == KEYS * lately_abi_version() ? LATELY_OK : LATELY_ERR_PANIC);
}

int main(void)
{
    lately_filter *filters[2][FORMS];
    lately_filter *shared[2][FORMS];
    lately_options options[2] = {LATELY_OPTIONS_INIT, LATELY_OPTIONS_INIT};
    expect(lately_options_last(&options[0], WINDOW));
    expect(lately_options_window(&options[1], LATELY_HOUR));
    fill_keys();
    for (int i = 0; i < 2 * FORMS; i++) {
        expect(lately_filter_new(&options[i / FORMS], &filters[i / FORMS][i % FORMS], NULL));
        expect(lately_shared_new(&options[i / FORMS], &shared[i / FORMS][i % FORMS], NULL));
    }
    while (getchar() != EOF) {
        for (int i = 0; i < 2; i++) {
            rows(filters[i]);
            rows(shared[i]);
        }
        empty_row();
        printf("%llu\n", (unsigned long long)duplicates);
        fflush(stdout);
    }
    for (int i = 0; i < 2 * FORMS; i++) {
        lately_filter_free(filters[i / FORMS][i % FORMS]);
        lately_filter_free(shared[i / FORMS][i % FORMS]);
    }
    return 0;
}
