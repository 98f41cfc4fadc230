/*
 * What a call costs, in C: the program that the others are held against (table.py runs all of them).
 *
 * For every line that comes in, one line goes out: nanoseconds for each key of `lately_filter` and then `lately_shared`, by
 * single calls, in batches of 32 and of 256; those of an empty call; and how many keys were duplicates so far. All programs
 * ask for the same keys of the same filters, so that number is the same for all of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <lately.h>

enum { KEYS = 1 << 16, DISTINCT = 40000, WINDOW = 20000, LENGTH = 16 };

static uint8_t bytes[KEYS * LENGTH];
static uint64_t offsets[KEYS + 1];
static uint64_t duplicates;

static void expect(lately_status status)
{
    if (status != LATELY_OK) {
        fprintf(stderr, "calls.c: %s\n", lately_status_name(status));
        exit(1);
    }
}

/* Key i is one of DISTINCT numbers, drawn by a fixed law, as 8 bytes and their complement. */
static void fill_keys(void)
{
    uint64_t state = 1;
    for (int i = 0; i < KEYS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t number = (state >> 33) % DISTINCT;
        for (int b = 0; b < 8; b++) {
            bytes[i * LENGTH + b] = (uint8_t)(number >> (8 * b));
            bytes[i * LENGTH + 8 + b] = (uint8_t)(~number >> (8 * b));
        }
        offsets[i + 1] = (uint64_t)(i + 1) * LENGTH;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Both handles have the same verbs: nanoseconds for each key, `size` keys in a call. */
#define ROUNDS_OF(HANDLE)                                                                                              \
    static void HANDLE##_round(HANDLE *filter, size_t size, uint64_t *seen)                                            \
    {                                                                                                                  \
        uint8_t verdicts[256];                                                                                         \
        size_t done;                                                                                                   \
        for (size_t i = 0; i < KEYS; i += size) {                                                                      \
            if (size == 1) {                                                                                           \
                expect(HANDLE##_observe(filter, bytes + i * LENGTH, LENGTH, verdicts));                                \
            } else {                                                                                                   \
                expect(HANDLE##_observe_batch(filter, bytes, sizeof bytes, offsets + i, NULL, size, verdicts, &done)); \
            }                                                                                                          \
            for (size_t j = 0; j < size; j++) {                                                                        \
                *seen += verdicts[j];                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static HANDLE *HANDLE##_of(const lately_options *options)                                                          \
    {                                                                                                                  \
        HANDLE *filter;                                                                                                \
        expect(HANDLE##_new(options, &filter, NULL));                                                                  \
        return filter;                                                                                                 \
    }                                                                                                                  \
    static void HANDLE##_cell(HANDLE *filter, size_t size)                                                             \
    {                                                                                                                  \
        double start = now();                                                                                          \
        HANDLE##_round(filter, size, &duplicates);                                                                     \
        printf("%.3f ", (now() - start) / KEYS);                                                                       \
    }

ROUNDS_OF(lately_filter)
ROUNDS_OF(lately_shared)

static void empty_cell(void)
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
    static const size_t sizes[] = {1, 32, 256};
    lately_filter *filters[3];
    lately_shared *shared[3];
    lately_options options = LATELY_OPTIONS_INIT;
    expect(lately_options_last(&options, WINDOW));
    options.error_rate = 1e-3;
    fill_keys();
    for (int i = 0; i < 3; i++) {
        filters[i] = lately_filter_of(&options);
        shared[i] = lately_shared_of(&options);
    }
    while (getchar() != EOF) {
        for (int i = 0; i < 3; i++) {
            lately_filter_cell(filters[i], sizes[i]);
        }
        for (int i = 0; i < 3; i++) {
            lately_shared_cell(shared[i], sizes[i]);
        }
        empty_cell();
        printf("%llu\n", (unsigned long long)duplicates);
        fflush(stdout);
    }
    for (int i = 0; i < 3; i++) {
        lately_filter_free(filters[i]);
        lately_shared_free(shared[i]);
    }
    return 0;
}
