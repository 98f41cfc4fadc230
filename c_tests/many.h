/* Batches by the form of their keys: one call each, with the keys made on the way. */
#ifndef MANY_H
#define MANY_H

#include "handle.h"
#include "lately.h"

/* The verbs on `keys`, made by `make`, for the parameters that come before the ticks. */
#define MANY(form, make, ...)                                                                                         \
    static inline lately_status observe_##form(lately_filter *f, __VA_ARGS__, const uint64_t *ticks, size_t n,       \
                                               uint8_t *verdicts, size_t *done) {                                    \
        lately_keys keys = make;                                                                                     \
        return lately_filter_observe_many(f, &keys, ticks, verdicts, done);                                          \
    }                                                                                                                 \
    static inline lately_status insert_##form(lately_filter *f, __VA_ARGS__, const uint64_t *ticks, size_t n,        \
                                              size_t *done) {                                                        \
        lately_keys keys = make;                                                                                     \
        return lately_filter_insert_many(f, &keys, ticks, done);                                                     \
    }                                                                                                                 \
    static inline lately_status contains_##form(const lately_filter *f, __VA_ARGS__, const uint64_t *ticks, size_t n, \
                                                uint8_t *verdicts, size_t *done) {                                   \
        lately_keys keys = make;                                                                                     \
        return lately_filter_contains_many(f, &keys, ticks, verdicts, done);                                         \
    }                                                                                                                 \
    static inline lately_status remove_##form(lately_filter *f, __VA_ARGS__, const uint64_t *ticks, size_t n,        \
                                              uint8_t *removed, size_t *done) {                                      \
        lately_keys keys = make;                                                                                     \
        return lately_filter_remove_many(f, &keys, ticks, removed, done);                                            \
    }

MANY(packed, lately_keys_packed(bytes, len, offsets, n), const void *bytes, size_t len, const uint64_t *offsets)
MANY(slices, lately_keys_slices(slices, n), const lately_slice *slices)
MANY(u64s, lately_keys_u64s(numbers, n), const uint64_t *numbers)
MANY(hashes, lately_keys_hashes(hashes, n), const uint64_t *hashes)

/* One key by its hash. */
static inline lately_status observe_hash(lately_filter *f, uint64_t hash, uint64_t tick, uint8_t *verdict) {
    size_t done = 0;
    return observe_hashes(f, &hash, tick == LATELY_NOW ? NULL : &tick, 1, verdict, &done);
}

static inline lately_status insert_hash(lately_filter *f, uint64_t hash, uint64_t tick) {
    size_t done = 0;
    return insert_hashes(f, &hash, tick == LATELY_NOW ? NULL : &tick, 1, &done);
}

static inline lately_status contains_hash(const lately_filter *f, uint64_t hash, uint64_t tick, uint8_t *verdict) {
    size_t done = 0;
    return contains_hashes(f, &hash, tick == LATELY_NOW ? NULL : &tick, 1, verdict, &done);
}

/* A column that has nothing yet, and its verbs, which set how many keys it has. */
#define NO_COLUMN {sizeof(lately_keys), 0, NULL, 0, NULL, NULL, 0, LATELY_KEYS_COLUMN32, 0}

static inline lately_keys *counted(lately_keys *keys, size_t n) {
    if (keys != NULL) {
        keys->count = n;
    }
    return keys;
}

static inline lately_status observe_column(lately_filter *f, lately_keys *keys, const uint64_t *ticks, size_t n,
                                           uint8_t *verdicts, size_t *done) {
    return lately_filter_observe_many(f, counted(keys, n), ticks, verdicts, done);
}

static inline lately_status insert_column(lately_filter *f, lately_keys *keys, const uint64_t *ticks, size_t n,
                                          size_t *done) {
    return lately_filter_insert_many(f, counted(keys, n), ticks, done);
}

static inline lately_status contains_column(const lately_filter *f, lately_keys *keys, const uint64_t *ticks, size_t n,
                                            uint8_t *verdicts, size_t *done) {
    return lately_filter_contains_many(f, counted(keys, n), ticks, verdicts, done);
}

static inline lately_status remove_column(lately_filter *f, lately_keys *keys, const uint64_t *ticks, size_t n,
                                          uint8_t *removed, size_t *done) {
    return lately_filter_remove_many(f, counted(keys, n), ticks, removed, done);
}

#endif
