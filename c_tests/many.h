/* The verbs on many keys, chosen by a number, for tests that try them all in turn. */
#ifndef MANY_H
#define MANY_H

#include "handle.h"
#include "lately.h"

typedef enum { OBSERVE, CONTAINS, REMOVE, INSERT, VERBS } verb;

/* The one call that a batch is. An insertion has no answers. */
static inline lately_status many(verb v, lately_filter *f, const lately_keys *keys, const uint64_t *ticks, uint8_t *out,
                                 size_t *done) {
    switch (v) {
    case OBSERVE: return lately_filter_observe_many(f, keys, ticks, out, done);
    case CONTAINS: return lately_filter_contains_many(f, keys, ticks, out, done);
    case REMOVE: return lately_filter_remove_many(f, keys, ticks, out, done);
    default: return lately_filter_insert_many(f, keys, ticks, done);
    }
}

/* The same with one key. */
static inline lately_status one(verb v, lately_filter *f, const void *key, size_t len, uint64_t tick, uint8_t *out) {
    switch (v) {
    case OBSERVE: return lately_filter_observe(f, key, len, tick, out);
    case CONTAINS: return lately_filter_contains(f, key, len, tick, out);
    case REMOVE: return lately_filter_remove(f, key, len, tick, out);
    default: return lately_filter_insert(f, key, len, tick);
    }
}

#endif
