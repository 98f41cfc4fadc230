// What cgo cannot call as lately.h has it, or only at a price:
//
//   bytes    uint8_t * in place of void *: of what an unsafe.Pointer leads into, cgo asks in each call whether there is
//            a pointer of Go in it, and panics if there is: a key may lie in a struct that has one.
//   filter   a word in the calls on one key, because cgo checks the pointers in an argument: 3 ns of 32.
//   verdict  one more than that of C: 0 is no verdict, so that the result of a call that failed is not New.
//   keys     the struct is made here: one of Go may not have pointers to Go's memory in it.
#ifndef LATELY_GO_CALL_H
#define LATELY_GO_CALL_H

#if defined(__has_include)
#if !__has_include(<lately.h>)
#error lately.h is missing: install liblately-dev, or the library by cmake --install, and name its lib/pkgconfig in PKG_CONFIG_PATH
#endif
#endif
#include <lately.h>

static inline lately_filter *go_filter(uintptr_t f) {
    return (lately_filter *)f;
}

static inline lately_status go_judged(lately_status status, uint8_t *verdict) {
    *verdict = (uint8_t)(status == LATELY_OK ? *verdict + 1 : 0);
    return status;
}

static inline lately_status go_observe(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *verdict) {
    return go_judged(lately_filter_observe(go_filter(f), key, len, tick, verdict), verdict);
}

static inline lately_status go_insert(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick) {
    return lately_filter_insert(go_filter(f), key, len, tick);
}

static inline lately_status go_contains(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *verdict) {
    return go_judged(lately_filter_contains(go_filter(f), key, len, tick, verdict), verdict);
}

static inline lately_status go_remove(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *removed) {
    return lately_filter_remove(go_filter(f), key, len, tick, removed);
}

static inline lately_status go_observe_age(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *verdict,
                                           lately_age *age) {
    return go_judged(lately_filter_observe_age(go_filter(f), key, len, tick, verdict, age), verdict);
}

static inline lately_status go_contains_age(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *verdict,
                                            lately_age *age) {
    return go_judged(lately_filter_contains_age(go_filter(f), key, len, tick, verdict, age), verdict);
}

static inline lately_status go_claim(uintptr_t f, const uint8_t *key, size_t len, uint64_t tick, uint8_t *verdict,
                                     uint64_t *token) {
    return go_judged(lately_filter_claim(go_filter(f), key, len, tick, verdict, token), verdict);
}

static inline lately_status go_commit(uintptr_t f, const uint8_t *key, size_t len, uint64_t token, uint64_t tick,
                                      uint8_t *found) {
    return lately_filter_commit(go_filter(f), key, len, token, tick, found);
}

static inline lately_status go_abandon(uintptr_t f, const uint8_t *key, size_t len, uint64_t token) {
    return lately_filter_abandon(go_filter(f), key, len, token);
}

static inline lately_status go_hash(uintptr_t f, const uint8_t *key, size_t len, uint64_t *hash) {
    return lately_filter_hash(go_filter(f), key, len, hash);
}

static inline uint64_t go_hash64(const uint8_t *bytes, size_t len, uint64_t seed) {
    return lately_hash64(bytes, len, seed);
}

// What a batch does: the numbers of work in cgo.go.
enum { GO_OBSERVE, GO_INSERT, GO_CONTAINS, GO_REMOVE };

static inline lately_status go_many(uintptr_t f, int work, uint32_t form, size_t count, const uint8_t *data, size_t data_len,
                                    const uint8_t *offsets, const uint8_t *validity, size_t bit, const uint64_t *ticks,
                                    uint8_t *verdicts, size_t *done) {
    lately_keys keys = { sizeof(lately_keys), count, data, data_len, offsets, validity, bit, form, 0 };
    lately_status status;
    if (work == GO_INSERT) {
        return lately_filter_insert_many(go_filter(f), &keys, ticks, done);
    }
    if (work == GO_REMOVE) { // 0 and 1, which are the bools of Go
        return lately_filter_remove_many(go_filter(f), &keys, ticks, verdicts, done);
    }
    status = work == GO_OBSERVE ? lately_filter_observe_many(go_filter(f), &keys, ticks, verdicts, done)
                                : lately_filter_contains_many(go_filter(f), &keys, ticks, verdicts, done);
    for (size_t i = 0; i < *done; i++) {
        verdicts[i]++;
    }
    return status;
}

static inline lately_status go_load(int shared, const uint8_t *bytes, size_t len, int64_t elapsed_ns,
                                    const lately_load_options *options, lately_filter **filter, lately_error *error) {
    return shared ? lately_shared_load(bytes, len, elapsed_ns, options, filter, error)
                  : lately_filter_load(bytes, len, elapsed_ns, options, filter, error);
}

#endif
