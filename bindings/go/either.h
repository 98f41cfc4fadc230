// One set of calls for both handles of lately.h: the shared one and the unshared one. Each verb is written once here,
// and compiles only if both have it.
#ifndef LATELY_GO_EITHER_H
#define LATELY_GO_EITHER_H

#if defined(__has_include)
#if !__has_include(<lately.h>)
#error lately.h is missing: install liblately-dev, or the library by cmake --install, and name its lib/pkgconfig in PKG_CONFIG_PATH
#endif
#endif
#include <lately.h>

// Bytes and offsets come as uint8_t *, also where lately.h has void *: of what an unsafe.Pointer leads into, cgo asks in each
// call whether there is a pointer of Go in it, and panics if there is: a key may lie in a struct that has one.

// A filter of either sort; the other word is 0. They are words, because cgo checks the pointers in an argument in each call:
// 3 ns of 32.
typedef struct {
    uintptr_t shared;
    uintptr_t unshared;
} either;

static inline lately_shared *shared_of(either f) {
    return (lately_shared *)f.shared;
}

static inline lately_filter *unshared_of(either f) {
    return (lately_filter *)f.unshared;
}

#define EITHER(verb, ...)                                                                                              \
    (f.shared != 0 ? lately_shared_##verb(shared_of(f), ##__VA_ARGS__) : lately_filter_##verb(unshared_of(f), ##__VA_ARGS__))

static inline void either_free(either f) {
    lately_shared_free(shared_of(f));
    lately_filter_free(unshared_of(f));
}

static inline lately_status either_retain(either f) {
    return f.shared != 0 ? lately_shared_retain(shared_of(f)) : LATELY_ERR_UNSUPPORTED;
}

static inline lately_status either_copy(either f, either *copy) {
    lately_shared *shared = NULL;
    lately_filter *unshared = NULL;
    lately_status status = f.shared != 0 ? lately_shared_copy(shared_of(f), &shared)
                                         : lately_filter_copy(unshared_of(f), &unshared);
    copy->shared = (uintptr_t)shared;
    copy->unshared = (uintptr_t)unshared;
    return status;
}

// Verdicts of Go are one more than those of C: 0 is no verdict, so that the result of a call that failed is not New.
static inline lately_status judged(lately_status status, uint8_t *verdict) {
    *verdict = (uint8_t)(status == LATELY_OK ? *verdict + 1 : 0);
    return status;
}

static inline lately_status judged_all(lately_status status, uint8_t *verdicts, const size_t *done) {
    for (size_t i = 0; i < *done; i++) {
        verdicts[i]++;
    }
    return status;
}

static inline lately_status either_observe(either f, const uint8_t *key, size_t len, uint8_t *verdict) {
    return judged(EITHER(observe, key, len, verdict), verdict);
}

static inline lately_status either_observe_at(either f, const uint8_t *key, size_t len, uint64_t now,
                                              uint8_t *verdict) {
    return judged(EITHER(observe_at, key, len, now, verdict), verdict);
}

static inline lately_status either_insert(either f, const uint8_t *key, size_t len) {
    return EITHER(insert, key, len);
}

static inline lately_status either_insert_at(either f, const uint8_t *key, size_t len, uint64_t now) {
    return EITHER(insert_at, key, len, now);
}

static inline lately_status either_contains(either f, const uint8_t *key, size_t len, uint8_t *verdict) {
    return judged(EITHER(contains, key, len, verdict), verdict);
}

static inline lately_status either_contains_at(either f, const uint8_t *key, size_t len, uint64_t now,
                                               uint8_t *verdict) {
    return judged(EITHER(contains_at, key, len, now, verdict), verdict);
}

static inline lately_status either_observe_age(either f, const uint8_t *key, size_t len, uint8_t *verdict,
                                               lately_age *age) {
    return judged(EITHER(observe_age, key, len, verdict, age), verdict);
}

static inline lately_status either_observe_age_at(either f, const uint8_t *key, size_t len, uint64_t now,
                                                  uint8_t *verdict, lately_age *age) {
    return judged(EITHER(observe_age_at, key, len, now, verdict, age), verdict);
}

static inline lately_status either_contains_age(either f, const uint8_t *key, size_t len, uint8_t *verdict,
                                                lately_age *age) {
    return judged(EITHER(contains_age, key, len, verdict, age), verdict);
}

static inline lately_status either_contains_age_at(either f, const uint8_t *key, size_t len, uint64_t now,
                                                   uint8_t *verdict, lately_age *age) {
    return judged(EITHER(contains_age_at, key, len, now, verdict, age), verdict);
}

static inline lately_status either_claim(either f, const uint8_t *key, size_t len, uint8_t *verdict, uint64_t *token) {
    return judged(EITHER(claim, key, len, verdict, token), verdict);
}

static inline lately_status either_claim_at(either f, const uint8_t *key, size_t len, uint64_t now, uint8_t *verdict,
                                            uint64_t *token) {
    return judged(EITHER(claim_at, key, len, now, verdict, token), verdict);
}

static inline lately_status either_commit(either f, const uint8_t *key, size_t len, uint64_t token, uint8_t *found) {
    return EITHER(commit, key, len, token, found);
}

static inline lately_status either_commit_at(either f, const uint8_t *key, size_t len, uint64_t token, uint64_t now,
                                             uint8_t *found) {
    return EITHER(commit_at, key, len, token, now, found);
}

static inline lately_status either_abandon(either f, const uint8_t *key, size_t len, uint64_t token) {
    return EITHER(abandon, key, len, token);
}

static inline lately_status either_remove(either f, const uint8_t *key, size_t len, uint8_t *removed) {
    return EITHER(remove, key, len, removed);
}

static inline lately_status either_observe_batch(either f, const uint8_t *bytes, size_t bytes_len,
                                                 const uint64_t *offsets, const uint64_t *ticks, size_t n,
                                                 uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(observe_batch, bytes, bytes_len, offsets, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_insert_batch(either f, const uint8_t *bytes, size_t bytes_len,
                                                const uint64_t *offsets, const uint64_t *ticks, size_t n,
                                                size_t *done) {
    return EITHER(insert_batch, bytes, bytes_len, offsets, ticks, n, done);
}

static inline lately_status either_contains_batch(either f, const uint8_t *bytes, size_t bytes_len,
                                                  const uint64_t *offsets, const uint64_t *ticks, size_t n,
                                                  uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(contains_batch, bytes, bytes_len, offsets, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_observe_hashes(either f, const uint64_t *hashes, const uint64_t *ticks, size_t n,
                                                  uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(observe_hashes, hashes, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_insert_hashes(either f, const uint64_t *hashes, const uint64_t *ticks, size_t n,
                                                 size_t *done) {
    return EITHER(insert_hashes, hashes, ticks, n, done);
}

static inline lately_status either_contains_hashes(either f, const uint64_t *hashes, const uint64_t *ticks, size_t n,
                                                   uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(contains_hashes, hashes, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_observe_hash(either f, uint64_t hash, uint8_t *verdict) {
    return judged(EITHER(observe_hash, hash, verdict), verdict);
}

static inline lately_status either_observe_hash_at(either f, uint64_t hash, uint64_t now, uint8_t *verdict) {
    return judged(EITHER(observe_hash_at, hash, now, verdict), verdict);
}

static inline lately_status either_observe_u64s(either f, const uint64_t *keys, const uint64_t *ticks, size_t n,
                                                uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(observe_u64s, keys, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_insert_hash(either f, uint64_t hash) {
    return EITHER(insert_hash, hash);
}

static inline lately_status either_insert_hash_at(either f, uint64_t hash, uint64_t now) {
    return EITHER(insert_hash_at, hash, now);
}

static inline lately_status either_insert_u64s(either f, const uint64_t *keys, const uint64_t *ticks, size_t n,
                                               size_t *done) {
    return EITHER(insert_u64s, keys, ticks, n, done);
}

static inline lately_status either_contains_hash(either f, uint64_t hash, uint8_t *verdict) {
    return judged(EITHER(contains_hash, hash, verdict), verdict);
}

static inline lately_status either_contains_hash_at(either f, uint64_t hash, uint64_t now, uint8_t *verdict) {
    return judged(EITHER(contains_hash_at, hash, now, verdict), verdict);
}

static inline lately_status either_contains_u64s(either f, const uint64_t *keys, const uint64_t *ticks, size_t n,
                                                 uint8_t *verdicts, size_t *done) {
    return judged_all(EITHER(contains_u64s, keys, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_column column_of(const uint8_t *bytes, size_t bytes_len, const uint8_t *offsets, uint32_t offset_bits,
                                      const uint8_t *validity, size_t validity_offset) {
    lately_column keys = LATELY_COLUMN_INIT;
    keys.bytes = bytes;
    keys.bytes_len = bytes_len;
    keys.offsets = offsets;
    keys.offset_bits = offset_bits;
    keys.validity = validity;
    keys.validity_offset = validity_offset;
    return keys;
}

// The struct is made here: one of Go may not have pointers to Go's memory in it.
static inline lately_status either_observe_column(either f, const uint8_t *bytes, size_t bytes_len, const uint8_t *offsets,
                                                  uint32_t offset_bits, const uint8_t *validity, size_t validity_offset,
                                                  const uint64_t *ticks, size_t n, uint8_t *verdicts, size_t *done) {
    lately_column keys = column_of(bytes, bytes_len, offsets, offset_bits, validity, validity_offset);
    return judged_all(EITHER(observe_column, &keys, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_insert_column(either f, const uint8_t *bytes, size_t bytes_len, const uint8_t *offsets,
                                                 uint32_t offset_bits, const uint8_t *validity, size_t validity_offset,
                                                 const uint64_t *ticks, size_t n, size_t *done) {
    lately_column keys = column_of(bytes, bytes_len, offsets, offset_bits, validity, validity_offset);
    return EITHER(insert_column, &keys, ticks, n, done);
}

static inline lately_status either_contains_column(either f, const uint8_t *bytes, size_t bytes_len,
                                                   const uint8_t *offsets, uint32_t offset_bits, const uint8_t *validity,
                                                   size_t validity_offset, const uint64_t *ticks, size_t n,
                                                   uint8_t *verdicts, size_t *done) {
    lately_column keys = column_of(bytes, bytes_len, offsets, offset_bits, validity, validity_offset);
    return judged_all(EITHER(contains_column, &keys, ticks, n, verdicts, done), verdicts, done);
}

static inline lately_status either_advance(either f, uint64_t now) {
    return EITHER(advance, now);
}

static inline lately_status either_clear(either f) {
    return EITHER(clear);
}

static inline lately_status either_snapshot_size(either f, size_t *size) {
    return EITHER(snapshot_size, size);
}

static inline lately_status either_snapshot_write(either f, uint8_t *buffer, size_t len, size_t *written) {
    return EITHER(snapshot_write, buffer, len, written);
}

static inline lately_status either_stats(either f, lately_stats *stats) {
    return EITHER(stats, stats);
}

static inline lately_status either_describe(either f, char *text, size_t len) {
    return EITHER(describe, text, len);
}

static inline lately_status either_stats_reset(either f) {
    return EITHER(stats_reset);
}

static inline lately_status either_hash(either f, const uint8_t *key, size_t len, uint64_t *hash) {
    return EITHER(hash, key, len, hash);
}

static inline lately_status either_secret(either f, uint64_t *lo, uint64_t *hi) {
    return EITHER(secret, lo, hi);
}

static inline uint64_t either_hash64(const uint8_t *bytes, size_t len, uint64_t seed) {
    return lately_hash64(bytes, len, seed);
}

static inline lately_status either_shared_load(const uint8_t *bytes, size_t len, int64_t elapsed_ns,
                                               const lately_load_options *options, lately_shared **filter,
                                               lately_error *error) {
    return lately_shared_load(bytes, len, elapsed_ns, options, filter, error);
}

static inline lately_status either_filter_load(const uint8_t *bytes, size_t len, int64_t elapsed_ns,
                                               const lately_load_options *options, lately_filter **filter,
                                               lately_error *error) {
    return lately_filter_load(bytes, len, elapsed_ns, options, filter, error);
}

#endif
