/*
 * lately 0.1: "have I seen this lately?", duplicate detection in unbounded streams, in bounded memory.
 *
 *     lately_options options = LATELY_OPTIONS_INIT;
 *     lately_error error = LATELY_ERROR_INIT;
 *     lately_filter *filter;
 *     uint8_t first;
 *
 *     if (lately_options_window(&options, 10 * LATELY_MINUTE) != LATELY_OK) { return 1; }
 *     options.memory = 64u << 20;
 *     if (lately_filter_new(&options, &filter, &error) != LATELY_OK) { puts(error.message); return 1; }
 *     if (lately_filter_first(filter, key, len, LATELY_NOW, &first) == LATELY_OK && first) { process(key); }
 *     lately_filter_free(filter);
 *
 * Without `memory` a filter with a window of time grows with its traffic. With it, the window shortens at the limit or
 * the error rate of one that keeps its window rises (`on_limit`), and `lately_filter_stats` reports by how much.
 * Without `max_step_ns` one tick from the far future moves a manual clock there, and later keys are judged at that
 * time until real time catches up.
 *
 * Conventions
 *   Comments  "As `f`" tells only what differs from f. WT, TL, AP, TS and Q are the kinds (lately_options). What holds
 *             for every function is said here alone. All are there since 0.1.0.
 *   Status    Every function that can fail returns a lately_status, which is LATELY_OK, what its comment names, or:
 *             ERR_NULL for a pointer that may not be NULL, ERR_OFFSETS for a length beyond the address space,
 *             ERR_STRUCT_SIZE, ERR_POISONED, ERR_PANIC. Answers are out-parameters, written only on LATELY_OK (except
 *             `done` and the verdicts before it).
 *   Pointers  None is kept, and none may be NULL, except a key, an array or a buffer of length 0, `ticks`, `error`, and
 *             what is freed. They are aligned for their type, and what a call writes does not overlap what it reads.
 *   Structs   Begin with their size, which the caller sets; LATELY_*_INIT does. An option that is 0 is not given.
 *   Memory    The library returns handles, which it frees itself, and strings that live as long as the program. It
 *             starts no thread, and calls back only the writer and the reader of a snapshot in pieces. It ends the
 *             process in one case: if there is no memory to note that a sixth thread waits for a lock.
 *   Panics    A bug in the library becomes LATELY_ERR_PANIC. The handle is then poisoned: every call except freeing it
 *             returns LATELY_ERR_POISONED.
 *   Time      Ticks count the unit of the clock (LATELY_CLOCK_MANUAL_*) from an origin that the caller chooses (for
 *             dates: 1970-01-01 UTC). Options that end in _ns, and ages, are nanoseconds. A tick below
 *             the clock counts as the clock, unless `lateness_ns` covers it.
 *   Misses    A key inserted within the window is never LATELY_NEW; a key past it may still be LATELY_DUPLICATE for up
 *             to one generation (WT: window / (2^age_bits - 1); TL, AP: window / l), and now and then for one more.
 *
 * Threads: what may run concurrently
 *   made by                              calls without that handle    const calls on it      other calls on it
 *   lately_filter_new, _load: const      yes                          yes                    no
 *   lately_filter_new, _load: others     yes                          no                     no
 *   lately_shared_new, _load: all        yes                          yes                    yes
 *   its lately_filter_free, a holder     yes                          yes, of others         yes, of others
 * A copy is as its original. A debug build of the library detects two threads in a filter of lately_filter_new.
 *
 * Generated from the library's sources: change them, not this file. License: MIT OR Apache-2.0.
 */

#ifndef LATELY_H
#define LATELY_H

#include <stddef.h>
#include <stdint.h>
#if defined(_WIN32) && defined(LATELY_DLL)
#define LATELY_API __declspec(dllimport)
#else
#define LATELY_API
#endif

/** Warns about ignored statuses. Define it empty before including this header to disable that. */
#ifndef LATELY_NODISCARD
#if defined(__cplusplus) ? __cplusplus >= 201703L : defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define LATELY_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define LATELY_NODISCARD __attribute__((warn_unused_result))
#else
#define LATELY_NODISCARD
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ----------------------------------------------------------------------------------------------------- */

/** The outcome of a call: LATELY_OK or one of LATELY_ERR_*. A verdict is never a status; it is an out-parameter. */
typedef int32_t lately_status;

#define LATELY_OK 0 /**< Done. */
#define LATELY_ERR_NULL 1 /**< A required pointer is NULL. */
/** A `struct_size` that no version of the struct has, or a non-zero byte past the part that this library knows. */
#define LATELY_ERR_STRUCT_SIZE 2
/** An option is missing, out of range, contradicts another, or is not one of this kind; `lately_error.field` names
 * it. */
#define LATELY_ERR_OPTION 3
/** Offsets that decrease or leave the bytes, or a length that exceeds the address space. */
#define LATELY_ERR_OFFSETS 4
/** This filter does not support the call: its kind does not, or hashes and a keyed filter were mixed. */
#define LATELY_ERR_UNSUPPORTED 5
#define LATELY_ERR_CLOCK 6 /**< Ticks were given to a filter that reads the system's clock, or that has no time. */
#define LATELY_ERR_TICK 7 /**< A tick leads the filter's clock by more than `max_step_ns`. */
#define LATELY_ERR_CLAIM 8 /**< The token of a commit was never given out for this key. */
/** `max_claims` claims are open. Or the filter is full: a removable set has no room left in the block of a key. That
 * is no sign of overload: far past its capacity nearly every key is a duplicate and nothing is stored. Watch
 * `stats.error_rate`. */
#define LATELY_ERR_FULL 100
#define LATELY_ERR_POISONED 101 /**< An earlier call on this handle returned LATELY_ERR_PANIC; only freeing it works. */
#define LATELY_ERR_CLOSED 102 /**< The object was closed. For bindings; no function here returns it. */
#define LATELY_ERR_SHORT_BUFFER 200 /**< The buffer is too short; the size needed was written. */
#define LATELY_ERR_MAGIC 201 /**< The bytes are not a snapshot. */
#define LATELY_ERR_VERSION 202 /**< The snapshot has a format version that this library does not read. */
#define LATELY_ERR_CHECKSUM 203 /**< The checksum of the snapshot is wrong. */
#define LATELY_ERR_CORRUPT 204 /**< The snapshot contradicts itself. */
#define LATELY_ERR_TOO_LARGE 205 /**< The snapshot needs more memory than the caller allows. */
#define LATELY_ERR_SECRET 206 /**< The secret of a keyed filter is missing or wrong. */
#define LATELY_ERR_ELAPSED 207 /**< The time that passed since the snapshot is missing or impossible. */
/** The options of the filter are others than those expected; `lately_error.field` names the first that differs. */
#define LATELY_ERR_OPTIONS_DIFFER 208
#define LATELY_ERR_IO 300 /**< The caller's writer or reader failed, or a file could not be opened, read or written. */
/** A bug in the library: a panic was caught before it reached C. The handle is poisoned. */
#define LATELY_ERR_PANIC 900
#define LATELY_ERR_NO_MEMORY 901 /**< The system gave no memory or no randomness. */

/** The name of a status: that of its constant without LATELY_ or LATELY_ERR_, such as "STRUCT_SIZE".
 * - `status` (in): any number.
 * Returns: a string that ends in NUL and lives as long as the program, "UNKNOWN" for a number that this library
 * does not have; never NULL. Never fails. Cost: none. */
LATELY_API const char *lately_status_name(lately_status status);
/** What a status means, in a sentence without its full stop, for a message. `lately_error.message` says more, where
 * there is one.
 * - `status` (in): any number.
 * Returns: a string that ends in NUL and lives as long as the program; never NULL. Never fails. Cost: none. */
LATELY_API const char *lately_status_text(lately_status status);

/* ---- Options: what is asked of a filter ------------------------------------------------------------------------- */

#define LATELY_KIND_TIME_LIMITED 1 /**< The last `window_ns` of time: no key seen within it is new. */
#define LATELY_KIND_AGE_PARTITIONED 2 /**< The last `window_keys` insertions: none of them is new. */
#define LATELY_KIND_TINY_SET 3 /**< A set, with removal if `removable`: a key that is in is never new. */
#define LATELY_KIND_QUOTIENT 4 /**< Fixed memory for an endless stream: false and missed duplicates, at known rates. */
#define LATELY_KIND_WINDOW_TABLE 5 /**< The default: the last `window_ns`, or the last `window_keys` observations. */

/** Spans of time in nanoseconds, the unit of every option that ends in _ns. */
#define LATELY_NANOSECOND UINT64_C(1)
#define LATELY_MICROSECOND (1000 * LATELY_NANOSECOND)
#define LATELY_MILLISECOND (1000 * LATELY_MICROSECOND)
#define LATELY_SECOND (1000 * LATELY_MILLISECOND)
#define LATELY_MINUTE (60 * LATELY_SECOND)
#define LATELY_HOUR (60 * LATELY_MINUTE)
#define LATELY_DAY (24 * LATELY_HOUR)

#define LATELY_CLOCK_SYSTEM 1 /**< `clock`: the system's monotonic clock, read once per call or batch (default). */
#define LATELY_CLOCK_MANUAL_NS 2 /**< `clock`: the caller passes the time of each call as a tick, in nanoseconds. */
#define LATELY_CLOCK_MANUAL_US 3 /**< `clock`: the same, in microseconds. */
#define LATELY_CLOCK_MANUAL_MS 4 /**< `clock`: the same, in milliseconds. */
#define LATELY_CLOCK_MANUAL_S 5 /**< `clock`: the same, in seconds. */
#define LATELY_REPEAT_REFRESH 1 /**< `repeat`: every sighting is stored, so age counts from the last one (default). */
#define LATELY_REPEAT_KEEP_FIRST 2 /**< `repeat`: only what is new is stored: age counts from that sighting. */
#define LATELY_ON_LIMIT_FORGET_OLDEST 1 /**< `on_limit`: the window shortens, to `stats.reach_ns` (default). */
#define LATELY_ON_LIMIT_RAISE_ERROR_RATE 2 /**< `on_limit`, TL only: the error rate rises, to `stats.error_rate`. */
#define LATELY_VARIANT_QHT 1 /**< `variant`: quotient hash table. */
#define LATELY_VARIANT_QHTD 2 /**< `variant`: the same, storing duplicates. */
#define LATELY_VARIANT_QQHT 3 /**< `variant`: queued. */
#define LATELY_VARIANT_QQHTD 4 /**< `variant`: queued, storing duplicates (default). */

/** A request for a filter: one struct for every kind. Fill it with `lately_options_init` (or LATELY_OPTIONS_INIT),
 * then set what you know; 0 means "not given" in every field, and the plan finds the rest. Nothing is clamped: an
 * option that is out of range, is not one of the kind, or contradicts another is LATELY_ERR_OPTION, and
 * `lately_error.field` names it. Later versions append fields and change none.
 *
 * Kinds: WT window table, TL time-limited, AP age-partitioned, TS TinySet, Q quotient. `lately_options_window` and
 * `lately_options_last` ask for the default of a window, WT. */
typedef struct lately_options {
    size_t struct_size; /**< sizeof(lately_options). A smaller one reads as 0 beyond its end. */
    uint32_t kind; /**< All kinds, required: one of LATELY_KIND_*. */
    uint32_t clock; /**< WT with `window_ns`, TL: one of LATELY_CLOCK_*. */
    uint32_t repeat; /**< WT, TL, AP: one of LATELY_REPEAT_*. */
    uint32_t on_limit; /**< WT with `window_ns`, TL: one of LATELY_ON_LIMIT_*. */
    uint64_t window_ns; /**< TL, required: the window, in nanoseconds. WT: this or `window_keys`, and not both. */
    /** WT: the window in observations and insertions, whatever their verdicts. AP, required unless `memory` is
     * given: the window in insertions. Q: the distance, in keys, to which `miss_rate` applies. */
    uint64_t window_keys;
    /** WT with `window_ns`, TL: keys expected in the first window; without it the filter finds out. TS, required
     * unless `memory` is given: planned load. */
    uint64_t capacity;
    /** All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (Q: 1e-3) where nothing else fixes it. */
    double error_rate;
    double miss_rate; /**< Q: rate of missed duplicates, in (0, 1). */
    /** All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an
     * error. Without it a filter with a window of time grows with its traffic. */
    uint64_t memory;
    /** WT and TL, with a manual clock: the most that a tick may lead the filter's clock by, in nanoseconds. After a
     * longer pause every tick is refused until the caller calls `lately_filter_advance`. Without it one record from
     * the far future moves the clock there, and later keys are judged at that time until real time catches up. */
    uint64_t max_step_ns;
    uint32_t k; /**< TL, AP: bits per key. Q: cells per row. */
    /** TL, AP: full generations in the window. TL, with fewer than `k`: the first two windows of a stream can be
     * above `error_rate`, with 1 later ones too; no plan chooses that. */
    uint32_t l;
    /** TL, AP: bound of the search on `k` + `l`, 2 to 1024, default 32; live slices can be more. */
    uint32_t max_slices;
    uint32_t reserved_0; /**< Must be 0. */
    double fill; /**< TL, AP: fill of a full slice, in [0.1, 0.9]. */
    uint32_t variant; /**< Q: one of LATELY_VARIANT_*. */
    uint32_t fingerprint_bits; /**< Q: bits of a fingerprint, 1 to 16. */
    uint32_t semi_sort; /**< Q: 1 if rows are sorted to save bits. */
    /** TS: 1 if keys can be removed. Then the plan is for endless churn: at the planned load the mean rate stays
     * within `error_rate`, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2 to
     * 1e-6). Keys that never leave raise the rate: `stats.error_rate` is the current one, and
     * docs/reference/costs.md has the law. */
    uint32_t removable;
    uint32_t block_bytes; /**< TS: bytes of a block, 32 or 64 (default). */
    uint32_t chains; /**< TS: chains of a block. */
    double load; /**< TS: keys per chain. */
    uint32_t keyed; /**< All kinds: 1 if keys are hashed under a secret, so that no one can aim at collisions. */
    uint32_t reserved_1; /**< Must be 0. */
    uint64_t seed; /**< All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere. */
    uint64_t secret_lo; /**< All kinds, keyed: low word of the secret; both words 0: one is drawn from the system. */
    uint64_t secret_hi; /**< All kinds, keyed: high word of the secret. */
    /** WT: bits of the age of a key, 2 to 5, default 3, with `lateness_ns` 4 or 5. The window (and the lateness) is
     * 2^`age_bits` - 1 generations, and a key is found one generation too long at most. */
    uint32_t age_bits;
    uint32_t reserved_2; /**< Must be 0. */
    /** WT with `window_ns` and a manual clock: how late a record may be, in nanoseconds, 0 to 24/7 of `window_ns`. A
     * record that is at most this far below the clock is judged at its own time: never LATELY_NEW if its key was
     * seen within the window before that, or later. It takes the memory of a window that is longer by as much. */
    uint64_t lateness_ns;
    /** WT, TL, AP: how long a claim stays open, in nanoseconds, 1 to the window. With `window_keys` it is up to 365
     * days, by the system's clock. A filter without a lease takes no claims, one with it no hashes. */
    uint64_t lease_ns;
    /** WT, TL, AP, with `lease_ns`: the most open claims, 1 to 2^24, default 65,536. They take at most 40 bytes
     * each, from the start and within `memory`. */
    uint64_t max_claims;
} lately_options;

#define LATELY_OPTIONS_INIT \
    { sizeof(lately_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Sets `options` to "nothing given", for a caller whose struct has `struct_size` bytes.
 * - `options` (out): not NULL.
 * - `struct_size` (in, bytes): sizeof(lately_options).
 * Status: LATELY_ERR_STRUCT_SIZE, nothing is written then. Cost: one write of the struct. */
LATELY_NODISCARD LATELY_API lately_status lately_options_init(lately_options *options, size_t struct_size);

/** Asks for the default filter of a window of time, a window table: sets `kind` and `window_ns`, leaves
 * `window_keys` not given, and everything else as it is.
 * - `options` (in, out): not NULL, set up by `lately_options_init` (or LATELY_OPTIONS_INIT).
 * - `window_ns` (in, ns): the window. 0 is "not given", which `lately_filter_new` refuses by name.
 * Status: LATELY_ERR_STRUCT_SIZE, nothing is written then. Cost: a few writes. */
LATELY_NODISCARD LATELY_API lately_status lately_options_window(lately_options *options, uint64_t window_ns);
/** As `lately_options_window`, for the last `keys` observations and insertions: sets `kind` and `window_keys`, and
 * leaves `window_ns` not given.
 * - `keys` (in, observations and insertions): the window. 0 is "not given", which `lately_filter_new` refuses by
 *   name. */
LATELY_NODISCARD LATELY_API lately_status lately_options_last(lately_options *options, uint64_t keys);

/** Why `lately_plan`, `lately_filter_new` or `lately_filter_load` failed. Set `struct_size` (LATELY_ERROR_INIT does)
 * and pass its address; it is filled on every failure and emptied on success. */
typedef struct lately_error {
    size_t struct_size; /**< sizeof(lately_error), set by the caller. */
    lately_status code; /**< The status that the call returned. */
    uint32_t field; /**< The option at fault, one of LATELY_FIELD_*; 0 if none is. */
    char message[256]; /**< What is wrong, and the range or the reason: UTF-8, ends in NUL, empty on success. */
} lately_error;

#define LATELY_ERROR_INIT { sizeof(lately_error), 0, 0, { 0 } }

#define LATELY_FIELD_KIND 1 /**< `lately_options.kind`. */
#define LATELY_FIELD_CLOCK 2 /**< `lately_options.clock`. */
#define LATELY_FIELD_REPEAT 3 /**< `lately_options.repeat`. */
#define LATELY_FIELD_ON_LIMIT 4 /**< `lately_options.on_limit`. */
#define LATELY_FIELD_WINDOW_NS 5 /**< `lately_options.window_ns`. */
#define LATELY_FIELD_WINDOW_KEYS 6 /**< `lately_options.window_keys`. */
#define LATELY_FIELD_CAPACITY 7 /**< `lately_options.capacity`. */
#define LATELY_FIELD_ERROR_RATE 8 /**< `lately_options.error_rate`. */
#define LATELY_FIELD_MISS_RATE 9 /**< `lately_options.miss_rate`. */
#define LATELY_FIELD_MEMORY 10 /**< `lately_options.memory`. */
#define LATELY_FIELD_MAX_STEP_NS 11 /**< `lately_options.max_step_ns`. */
#define LATELY_FIELD_K 12 /**< `lately_options.k`. */
#define LATELY_FIELD_L 13 /**< `lately_options.l`. */
#define LATELY_FIELD_MAX_SLICES 14 /**< `lately_options.max_slices`. */
#define LATELY_FIELD_FILL 15 /**< `lately_options.fill`. */
#define LATELY_FIELD_VARIANT 16 /**< `lately_options.variant`. */
#define LATELY_FIELD_FINGERPRINT_BITS 17 /**< `lately_options.fingerprint_bits`. */
#define LATELY_FIELD_SEMI_SORT 18 /**< `lately_options.semi_sort`. */
#define LATELY_FIELD_REMOVABLE 19 /**< `lately_options.removable`. */
#define LATELY_FIELD_BLOCK_BYTES 20 /**< `lately_options.block_bytes`. */
#define LATELY_FIELD_CHAINS 21 /**< `lately_options.chains`. */
#define LATELY_FIELD_LOAD 22 /**< `lately_options.load`. */
#define LATELY_FIELD_KEYED 23 /**< `lately_options.keyed`. */
#define LATELY_FIELD_SEED 24 /**< `lately_options.seed`. */
#define LATELY_FIELD_SECRET_LO 25 /**< `lately_options.secret_lo`. */
#define LATELY_FIELD_SECRET_HI 26 /**< `lately_options.secret_hi`. */
#define LATELY_FIELD_AGE_BITS 27 /**< `lately_options.age_bits`. */
#define LATELY_FIELD_LATENESS_NS 28 /**< `lately_options.lateness_ns`. */
#define LATELY_FIELD_LEASE_NS 29 /**< `lately_options.lease_ns`. */
#define LATELY_FIELD_MAX_CLAIMS 30 /**< `lately_options.max_claims`. */

/* ---- Keys of a batch -------------------------------------------------------------------------------------------- */

/** A key where it lies. The shape of POSIX's `struct iovec`. */
typedef struct lately_slice {
    const void *data; /**< Its first byte; NULL only if `len` is 0. */
    size_t len; /**< How many bytes. */
} lately_slice;

/** `form`: byte strings back to back: `data` and `data_len` are the bytes, `offsets` has `count` + 1 uint64_t. */
#define LATELY_KEYS_PACKED 1
#define LATELY_KEYS_SLICES 2 /**< `form`: byte strings where they lie: `data` is an array of `count` lately_slice. */
/** `form`: a column of Apache Arrow whose `offsets` are `count` + 1 int32_t, in which keys may be absent. */
#define LATELY_KEYS_COLUMN32 3
#define LATELY_KEYS_COLUMN64 4 /**< `form`: the same with int64_t. */
/** `form`: numbers: `data` is an array of `count` uint64_t; a key is 8 bytes, the lowest first, on every machine. */
#define LATELY_KEYS_U64S 5
/** `form`: hashes of `lately_filter_hash` or `lately_hash64`: `data` is an array of `count` uint64_t. */
#define LATELY_KEYS_HASHES 6

/** The keys of a batch. `lately_keys_packed` and its neighbours make one; later versions append fields and change
 * none. */
typedef struct lately_keys {
    size_t struct_size; /**< sizeof(lately_keys). A smaller one reads as 0 beyond its end. */
    size_t count; /**< How many keys. */
    const void *data; /**< Bytes, slices, numbers or hashes; NULL only if there are none. */
    size_t data_len; /**< PACKED, COLUMN*: the size of `data` in bytes. */
    /** PACKED, COLUMN*: `count` + 1 numbers, aligned for their type, that do not decrease, none below 0 or beyond
     * `data_len`. Key i is the bytes from number i up to, not including, number i + 1. The first need not be 0. */
    const void *offsets;
    /** COLUMN*: the bitmap of present keys, the lowest bit of a byte first: key i is absent, and gets
     * LATELY_ABSENT_KEY, if bit `validity_offset` + i is 0. NULL if all are present. */
    const uint8_t *validity;
    size_t validity_offset; /**< COLUMN*: the bit of key 0. */
    uint32_t form; /**< One of LATELY_KEYS_*. */
    uint32_t reserved; /**< Must be 0. */
} lately_keys;

/** Keys back to back: key i is the bytes from `offsets[i]` up to, not including, `offsets[i + 1]`. */
static inline lately_keys lately_keys_packed(const void *bytes, size_t len, const uint64_t *offsets, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, NULL, 0, LATELY_KEYS_PACKED, 0 };
    return keys;
}
/** Keys where they lie. */
static inline lately_keys lately_keys_slices(const lately_slice *slices, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, slices, 0, NULL, NULL, 0, LATELY_KEYS_SLICES, 0 };
    return keys;
}
/** A column of Apache Arrow with offsets of 32 bits. `validity`, from bit `bit` on, is NULL if all keys are present. */
static inline lately_keys lately_keys_column32(const void *bytes, size_t len, const int32_t *offsets,
                                               const uint8_t *validity, size_t bit, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, validity, bit, LATELY_KEYS_COLUMN32, 0 };
    return keys;
}
/** The same with offsets of 64 bits. */
static inline lately_keys lately_keys_column64(const void *bytes, size_t len, const int64_t *offsets,
                                               const uint8_t *validity, size_t bit, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, bytes, len, offsets, validity, bit, LATELY_KEYS_COLUMN64, 0 };
    return keys;
}
/** Numbers: a key is the 8 bytes of one, the lowest first. */
static inline lately_keys lately_keys_u64s(const uint64_t *numbers, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, numbers, 0, NULL, NULL, 0, LATELY_KEYS_U64S, 0 };
    return keys;
}
/** Hashes of `lately_filter_hash` or `lately_hash64`. */
static inline lately_keys lately_keys_hashes(const uint64_t *hashes, size_t count) {
    lately_keys keys = { sizeof(lately_keys), count, hashes, 0, NULL, NULL, 0, LATELY_KEYS_HASHES, 0 };
    return keys;
}

/* ---- Filter ----------------------------------------------------------------------------------------------------- */

/** A filter. `lately_filter_new` and `lately_filter_load` make one for one owner at a time, `lately_shared_new` and
 * `lately_shared_load` one that any number of threads use concurrently: of all that observe one new key at the same
 * time, exactly one gets LATELY_NEW, and window, error rate, memory and verbs are the same. Its holders are
 * counted: `lately_filter_retain` adds one, `lately_filter_free` takes one away, and the last one frees the memory.
 * Calls of other threads may come between the keys of a batch. A child of a fork() during another thread's call
 * must not use it: it may never return. */
typedef struct lately_filter lately_filter;

/** `tick`: now, by the filter's clock; or a filter without time. */
#define LATELY_NOW UINT64_MAX

#define LATELY_NEW 0 /**< Verdict: not seen within the window. */
#define LATELY_DUPLICATE 1 /**< Verdict: seen, or, with at most the error rate, believed to be. */
#define LATELY_PENDING 2 /**< Verdict of a claim: claimed already, and neither committed nor abandoned yet. */
#define LATELY_ABSENT_KEY 3 /**< Verdict: an absent key of a column, which was not observed. */

/** Builds the filter that the options ask for, for one owner at a time.
 * - `options` (in): not NULL, set up by `lately_options_init`.
 * - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
 * - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
 * Status: LATELY_ERR_OPTION, with `error->field`; LATELY_ERR_NO_MEMORY, also when the operating system gives no
 * secret. Ownership: the caller owns the handle and passes it to `lately_filter_free` once. Cost: that of
 * `lately_plan`, and the first slices. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_new(const lately_options *options, lately_filter **filter,
    lately_error *error);
/** As `lately_filter_new`, for any number of threads at once. The locks take 8 to 40 KiB, 119 with rows of 200
 * cells.
 * Status: LATELY_ERR_OPTION also if they would take more than 2 MiB and more than the cells. */
LATELY_NODISCARD LATELY_API lately_status lately_shared_new(const lately_options *options, lately_filter **filter,
    lately_error *error);

/** Adds a holder, who calls `lately_filter_free` once, to a handle of `lately_shared_new` or `lately_shared_load`.
 * Status: LATELY_ERR_UNSUPPORTED if the filter has one owner. Ownership: one more, of the caller. Cost: an atomic
 * addition. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_retain(const lately_filter *filter);
/** Gives a handle back: frees the filter and all its memory, unless it has other holders. Never fails, not even when
 * the handle is poisoned.
 * - `filter` (in): the handle, or NULL, which does nothing. This holder must not use it again.
 * Ownership: ends the caller's. Cost: returns its memory. */
LATELY_API void lately_filter_free(lately_filter *filter);

/** Tests and inserts a key in one step: "have I seen this lately?"
 * - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0, which is a key like any other.
 * - `tick` (in, unit of the clock): LATELY_NOW, for the system's clock, the manual clock as it is, or a filter
 *   without time. Else the time by a manual clock, from an origin that the caller chose and keeps; below the clock
 *   it counts as the clock.
 * - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
 * Status: LATELY_ERR_CLOCK for a tick unless the clock is manual, and for LATELY_NOW before its first tick;
 * LATELY_ERR_TICK if the tick leads the clock by more than `max_step_ns`, which changes nothing but
 * `lately_stats.refused_ticks`, or exceeds 2^64 - 1 ns; LATELY_ERR_FULL if the key is new and a removable filter
 * has no room left in its block. Cost: a hash of the key and about `lately_plan_result.cache_lines_per_observe`
 * cache lines; a shift when one is due. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_observe(lately_filter *filter, const void *key, size_t len,
    uint64_t tick, uint8_t *verdict);
/** As `lately_filter_observe`, without a verdict. WT, TL, AP: inserts always, even under LATELY_REPEAT_KEEP_FIRST,
 * so that the age is renewed. Q: as `lately_filter_observe` would. TS: if `removable`, one more entry each time, so
 * that two insertions need two removals; else unless an entry matches. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_insert(lately_filter *filter, const void *key, size_t len,
    uint64_t tick);
/** Returns the verdict that `lately_filter_observe` would give. Changes nothing at all: neither the clock nor the
 * counts of late and refused ticks. As `lately_filter_observe` for the rest.
 * - `verdict` (out): not NULL; LATELY_DUPLICATE if the key is present, else LATELY_NEW; written only on LATELY_OK.
 * Status: LATELY_ERR_FULL never. Cost: a hash of the key and a cache line for every slice that is examined. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_contains(const lately_filter *filter, const void *key,
    size_t len, uint64_t tick, uint8_t *verdict);
/** Forgets a key of a window of the default kind (and another, with a chance of at most the error rate) or of a
 * `removable` set, from which remove only what was inserted or called LATELY_NEW: else another may be forgotten. An
 * open claim stays open, and its commit stores the key.
 * - `key` (in), `len` (in, bytes), `tick` (in): as of `lately_filter_contains`; a removal moves no clock.
 * - `removed` (out): not NULL; 1 if the key was there (of a window: within it), else 0; written only on LATELY_OK.
 * Status: LATELY_ERR_UNSUPPORTED if the filter has no removal; else as `lately_filter_contains`. Cost: a hash of
 * the key, and one block or two lines. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_remove(lately_filter *filter, const void *key, size_t len,
    uint64_t tick, uint8_t *removed);

/** How long ago a key was seen last: between `at_least` and `at_most`, in nanoseconds where the window is a span of
 * time, else in observations and insertions, where the last one was 1 ago. Both are 0 with LATELY_NEW.
 *
 * They are a generation apart, the window / (2^age_bits - 1); of a window of observations, an eighth of a
 * generation more. For one key in some thousands, whose cell had to move, the true age may be above `at_most`, by
 * less than a generation for each such move. For a false duplicate they mean nothing. This struct never grows. */
typedef struct lately_age {
    uint64_t at_least; /**< Lower bound on the age. */
    uint64_t at_most; /**< Upper bound on the age. */
} lately_age;

/** As `lately_filter_observe`, and returns how long ago a duplicate was last seen. WT only.
 * - `age` (out): not NULL; 0 and 0 with LATELY_NEW, written only on LATELY_OK.
 * Status: also LATELY_ERR_UNSUPPORTED if the kind has no `age_bits`; nothing was observed then. Cost: about twice
 * that of `lately_filter_observe`. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_observe_age(lately_filter *filter, const void *key, size_t len,
    uint64_t tick, uint8_t *verdict, lately_age *age);
/** As `lately_filter_observe_age`, but changes nothing at all, as `lately_filter_contains`. WT only. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_contains_age(const lately_filter *filter, const void *key,
    size_t len, uint64_t tick, uint8_t *verdict, lately_age *age);

/** Tests and inserts every key in order: `count` single calls in one.
 * - `keys` (in): not NULL; of one of the functions `lately_keys_...`.
 * - `ticks` (in, unit of the clock): NULL, for one reading of the system's clock or the manual clock as it is; else
 *   a tick of a manual clock for every key, applied in order by the rules of single calls.
 * - `verdicts` (out): room for `count`; NULL only if that is 0. The first `*done` are written, also on a failure.
 * - `done` (out): not NULL; how many keys were processed, written also on a failure.
 * Status: LATELY_ERR_OPTION for an unknown `form`; LATELY_ERR_OFFSETS for bad offsets, lengths or alignment, found
 * before the first key; LATELY_ERR_UNSUPPORTED for hashes, if the filter is keyed or takes claims; LATELY_ERR_CLOCK
 * if there are ticks and the clock is not manual, or none and it had none before; LATELY_ERR_TICK, `*done` is then
 * the index of the tick; LATELY_ERR_FULL as from a single call, `*done` is then the index of the key. Cost: that of
 * `count` single calls, minus per-call overhead. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_observe_many(lately_filter *filter, const lately_keys *keys,
    const uint64_t *ticks, uint8_t *verdicts, size_t *done);
/** As `lately_filter_observe_many`, but inserts as `lately_filter_insert` does, without verdicts. After
 * LATELY_ERR_PANIC `*done` is 0. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_insert_many(lately_filter *filter, const lately_keys *keys,
    const uint64_t *ticks, size_t *done);
/** As `lately_filter_observe_many`, but the verdicts are those of `lately_filter_contains`. Changes nothing at all,
 * and never fails with LATELY_ERR_FULL. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_contains_many(const lately_filter *filter,
    const lately_keys *keys, const uint64_t *ticks, uint8_t *verdicts, size_t *done);
/** As `lately_filter_observe_many`, but removes as `lately_filter_remove` does; a key given twice is there once.
 * - `removed` (out): room for `count`, NULL only if that is 0; as of `lately_filter_remove`, 0 for an absent key.
 * Status: also LATELY_ERR_UNSUPPORTED if the filter has no removal; LATELY_ERR_FULL never. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_remove_many(lately_filter *filter, const lately_keys *keys,
    const uint64_t *ticks, uint8_t *removed, size_t *done);

/** As `lately_filter_observe`, with 1 in `first` for a key that was not seen, else 0. */
LATELY_NODISCARD static inline lately_status lately_filter_first(lately_filter *filter, const void *key, size_t len,
                                                                 uint64_t tick, uint8_t *first) {
    uint8_t verdict = LATELY_DUPLICATE;
    lately_status status = lately_filter_observe(filter, key, len, tick, first == NULL ? NULL : &verdict);
    if (status == LATELY_OK) {
        *first = verdict == LATELY_NEW;
    }
    return status;
}

/** Moves a manual clock to `tick`, however far: `max_step_ns` does not apply, so this is the way across a real gap.
 * Whatever has left the window is forgotten and its memory freed. A tick below the clock changes nothing.
 * - `tick` (in, unit of the clock): the time.
 * Status: LATELY_ERR_CLOCK unless the clock is manual, and for LATELY_NOW; LATELY_ERR_TICK if the tick exceeds 2^64
 * - 1 ns. Cost: O(slices), however long the gap. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_advance(lately_filter *filter, uint64_t tick);
/** Empties the filter and resets clock and counters; options, seed and secret stay. Cost: returns its memory. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_clear(lately_filter *filter);
/** Makes a second filter, of the same sort of handle, that equals the first in everything: content, clock, counters,
 * seed and secret.
 * - `copy` (out): not NULL; the new handle, written only on LATELY_OK.
 * Status: LATELY_ERR_NO_MEMORY. Ownership: the caller owns the copy and passes it to `lately_filter_free` once.
 * Cost: a copy of its memory. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_copy(const lately_filter *filter, lately_filter **copy);

/** Returns the options that make a filter like this one, with what its plan chose: `k`, `fill`, `error_rate` and so
 * on. 0 is what the kind does not take. No secret is among them.
 * - `options` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
 * Cost: some reads. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_options(const lately_filter *filter, lately_options *options);
/** Asks whether the options would make a filter like this one, whatever is in it and whatever its secret.
 * - `options` (in): not NULL, set up by `lately_options_init`.
 * - `error` (out): the difference; may be NULL, else with `struct_size` set.
 * Status: LATELY_OK if they would; LATELY_ERR_OPTIONS_DIFFER, and `error->field` is the first option that differs;
 * else as `lately_plan`. Cost: that of `lately_filter_new`. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_expect(const lately_filter *filter,
    const lately_options *options, lately_error *error);

/** The hash of every unkeyed filter: XXH3-64 under `seed`. Frozen; it never changes.
 * - `bytes` (in), `len` (in, bytes): what to hash; NULL only if `len` is 0.
 * - `seed` (in): any number; 0 is that of a filter without `seed`.
 * Returns: the hash; 0 if `bytes` is NULL and `len` is not 0, or `len` exceeds the address space. Never fails
 * otherwise. Ownership: the bytes are not kept. Cost: some ns and a fraction of one per byte. */
LATELY_API uint64_t lately_hash64(const void *bytes, size_t len, uint64_t seed);
/** Returns the hash of the key, the same in this filter and in every other unkeyed one with the same seed.
 * - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
 * - `hash` (out): not NULL; that of `lately_hash64` with the filter's seed; written only on LATELY_OK.
 * Status: LATELY_ERR_UNSUPPORTED if the filter is keyed, since its hashes would reveal what the secret hides. Cost:
 * a hash of the key. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_hash(const lately_filter *filter, const void *key, size_t len,
    uint64_t *hash);
/** Returns the secret of a keyed filter, given or drawn. Keep it as you would a password: no snapshot contains it.
 * - `lo` (out), `hi` (out): not NULL; the low and the high word; written only on LATELY_OK.
 * Status: LATELY_ERR_UNSUPPORTED if the filter is not keyed. Cost: two reads. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_secret(const lately_filter *filter, uint64_t *lo, uint64_t *hi);

/* ---- Claims: observed in two steps, so that the record whose work failed is not lost ---------------------------- */

#define LATELY_COMMIT_IN_TIME 0 /**< The outcome of a commit: the claim was open. The key is stored now. */
/** The outcome of a commit: the lease had run out, or the claim was closed, and no other caller had stored the key.
 * It is stored now. */
#define LATELY_COMMIT_LATE 1
/** The outcome of a commit: the claim was not open any more, and the filter contains the key. Nothing changed. */
#define LATELY_COMMIT_ALREADY 2

/** As `lately_filter_observe`, but claims a key that was not seen. LATELY_NEW is for one caller, who does the
 * record's work and passes the token to `lately_filter_commit`. Until then every other claim of the key is
 * LATELY_PENDING, and observations are LATELY_DUPLICATE. Nothing is stored before the commit: abandoned, or once
 * `lease_ns` is over, the key is new again. A duplicate is treated as `lately_filter_observe` treats it. WT, TL or
 * AP with `lease_ns`.
 * - `verdict` (out): not NULL; LATELY_NEW, LATELY_DUPLICATE or LATELY_PENDING, written only on LATELY_OK.
 * - `token` (out): not NULL; names the claim with LATELY_NEW, else 0; written only on LATELY_OK.
 * Status: also LATELY_ERR_UNSUPPORTED without `lease_ns`; LATELY_ERR_FULL if `max_claims` claims are open, and
 * nothing was claimed then. Cost: that of `lately_filter_observe`, a second hash and two cache lines or more; while
 * the table is nearly full, now and then a pass over it. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_claim(lately_filter *filter, const void *key, size_t len,
    uint64_t tick, uint8_t *verdict, uint64_t *token);
/** As `lately_filter_claim`, for a claim whose work is done: stores its key and closes it. After the lease it is
 * stored too, unless somebody else did: then another did the same work.
 * - `token` (in): that of the claim of this key.
 * - `found` (out): not NULL; one of LATELY_COMMIT_*, written only on LATELY_OK.
 * Status: also LATELY_ERR_CLAIM if the token was never given out for this key; LATELY_ERR_FULL never. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_commit(lately_filter *filter, const void *key, size_t len,
    uint64_t token, uint64_t tick, uint8_t *found);
/** As `lately_filter_commit`, for a claim whose work failed: closes it without a trace, so that the next claim is
 * LATELY_NEW. If the claim is not open any more, nothing changes. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_abandon(lately_filter *filter, const void *key, size_t len,
    uint64_t token);

/* ---- Snapshots: a filter as bytes, whole or in pieces ----------------------------------------------------------- */

/** Returns the size of the filter's snapshot. The next call may change it: a window of time grows and shrinks.
 * - `size` (out, bytes): not NULL; written only on LATELY_OK.
 * Cost: O(1). */
LATELY_NODISCARD LATELY_API lately_status lately_filter_snapshot_size(const lately_filter *filter, size_t *size);
/** Writes the filter as bytes that every language and machine reads alike (docs/reference/format.md). The same state
 * gives the same bytes, except for the present reading of a system clock. They contain no secret: keep that of a
 * keyed filter (`lately_filter_secret`), and the time of writing, to know at loading how much time has passed.
 * - `buffer` (out): room for `len` bytes; NULL only if `len` is 0; written only on LATELY_OK.
 * - `len` (in, bytes): at least `lately_filter_snapshot_size`; bytes beyond the snapshot are left as they are.
 * - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER.
 * Status: LATELY_ERR_SHORT_BUFFER. Cost: a copy of the filter's memory, and a checksum. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_snapshot_write(const lately_filter *filter, void *buffer,
    size_t len, size_t *written);

#define LATELY_ELAPSED_UNKNOWN (-1) /**< `elapsed_ns`: unknown, as any number below 0; every filter refuses it. */

/** The options for loading a snapshot, apart from bytes and elapsed time; 0 means "not given". Set `struct_size`
 * (LATELY_LOAD_OPTIONS_INIT does); later versions append fields and change none. */
typedef struct lately_load_options {
    size_t struct_size; /**< sizeof(lately_load_options). A smaller one reads as 0 beyond its end. */
    /** The most bytes that the cells may take, as `lately_options.memory` counts them; 0: no limit but the
     * snapshot's own. For a window of time it becomes the permanent limit if it is lower than the saved one;
     * `new_memory` can raise that. */
    uint64_t memory;
    uint64_t secret_lo; /**< Of a keyed filter, required: low word of the secret, which no snapshot contains. */
    uint64_t secret_hi; /**< Of a keyed filter, required: high word of the secret. */
    /** Bytes that bind a filter with a window of time from now on in place of its own limit, less or more;
     * UINT64_MAX: no limit. What was forgotten does not come back. Cells that take more already are
     * LATELY_ERR_TOO_LARGE. */
    uint64_t new_memory;
} lately_load_options;

#define LATELY_LOAD_OPTIONS_INIT { sizeof(lately_load_options), 0, 0, 0, 0 }

/** As `lately_options_init`, for the options of loading. */
LATELY_NODISCARD LATELY_API lately_status lately_load_options_init(lately_load_options *options, size_t struct_size);

/** Makes a filter from the bytes of a snapshot, of any handle, for one owner at a time. It continues where the
 * original stopped: a manual clock at its tick + `elapsed_ns`, a system clock with every age grown by `elapsed_ns`.
 * Any bytes give a filter or a status, and never more memory than `options->memory` allows: that much for the
 * cells, and as much again, or 64 KiB, for tables.
 * - `bytes` (in): the snapshot, whole and alone; NULL only if `len` is 0.
 * - `len` (in, bytes): its size.
 * - `elapsed_ns` (in, ns): the time that passed since it was written. Use 0 where the ticks themselves show what
 *   passed. A filter without a window of time ignores it, unless it is below 0.
 * - `options` (in): not NULL; LATELY_LOAD_OPTIONS_INIT, and whatever is to be set.
 * - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
 * - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
 * Status: LATELY_ERR_ELAPSED if `elapsed_ns` is below 0 or leads past the last tick; LATELY_ERR_MAGIC;
 * LATELY_ERR_VERSION; LATELY_ERR_CHECKSUM; LATELY_ERR_CORRUPT, also if bytes are missing or left over;
 * LATELY_ERR_SECRET if the filter is keyed and the secret is missing or wrong, or if it is not keyed and there is
 * one; LATELY_ERR_TOO_LARGE, `error->message` then names the bytes that it needs; LATELY_ERR_NO_MEMORY. Ownership:
 * the bytes are not kept; the caller owns the handle and passes it to `lately_filter_free` once. Cost: two
 * checksums, a copy, and a count of all cells. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_load(const void *bytes, size_t len, int64_t elapsed_ns,
    const lately_load_options *options, lately_filter **filter, lately_error *error);
/** As `lately_filter_load`, for any number of threads at once. */
LATELY_NODISCARD LATELY_API lately_status lately_shared_load(const void *bytes, size_t len, int64_t elapsed_ns,
    const lately_load_options *options, lately_filter **filter, lately_error *error);

/** Takes the next `len` bytes of a snapshot; returns `len`, or anything else if it failed. `context` is what the
 * caller passed. It must not call the handle, and must return. */
typedef size_t (*lately_writer)(void *context, const void *bytes, size_t len);
/** Gives up to `len` of the next bytes of a snapshot; returns how many, 0 at their end, or more than `len` if it
 * failed. `context` is what the caller passed. It must not call the handle, and must return. */
typedef size_t (*lately_reader)(void *context, void *buffer, size_t len);

/** As `lately_filter_snapshot_write`, in pieces: no memory for the whole is needed, except for a copy of a filter
 * for many threads.
 * - `writer` (in): not NULL; gets the bytes in order, a few KiB at a time or fewer.
 * - `context` (in): anything, for `writer`.
 * Status: also LATELY_ERR_IO if the writer failed; LATELY_ERR_NO_MEMORY without memory for the copy. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_snapshot_pieces(const lately_filter *filter,
    lately_writer writer, void *context);
/** As `lately_filter_load`, from pieces, which are read up to the last byte of the snapshot and no further, straight
 * into the cells.
 * - `reader` (in): not NULL; is asked for few bytes at a time: a FILE of C buffers them.
 * - `context` (in): anything, for `reader`.
 * Status: also LATELY_ERR_IO if the reader failed. The checksum comes last: changed bytes may have been found
 * CORRUPT or TOO_LARGE before. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_load_pieces(lately_reader reader, void *context,
    int64_t elapsed_ns, const lately_load_options *options, lately_filter **filter, lately_error *error);
/** As `lately_filter_load_pieces`, for any number of threads at once. */
LATELY_NODISCARD LATELY_API lately_status lately_shared_load_pieces(lately_reader reader, void *context,
    int64_t elapsed_ns, const lately_load_options *options, lately_filter **filter, lately_error *error);

/* ---- Stats: counters and current rates of a filter -------------------------------------------------------------- */

/** The statistics of a filter. Fields that do not apply to a kind are 0. Set `struct_size` (LATELY_STATS_INIT does);
 * later versions append fields and change none. */
typedef struct lately_stats {
    size_t struct_size; /**< sizeof(lately_stats), set by the caller. */
    /** Bytes of the cells, and of the table of claims, now; a copy or a loaded filter may have fewer (WT). */
    uint64_t bytes;
    uint64_t bytes_peak; /**< The most bytes of the cells so far; a loaded filter counts its lines alone (WT). */
    uint64_t slices; /**< Slices (TL, AP) that are allocated; 1 (WT). */
    uint64_t newest_slice_bits; /**< Bits of the newest slice (TL, AP) or of all lines (WT). */
    /** Keys that the generations within the window have counted (TL, AP), cells in use within it (WT), entries (TS),
     * filled cells (Q). */
    uint64_t items;
    /** Keys that all allocated generations but the k oldest have counted (TL), or what `items` is: 8 x bytes /
     * stored is the price per key. */
    uint64_t stored;
    /** How far back the promise reaches now, in nanoseconds: the window, unless `memory` shortened it. */
    uint64_t reach_ns;
    double error_rate; /**< The chance that an absent key is called a duplicate now, from the real fills. */
    uint64_t shifts; /**< Shifts so far (TL, AP). */
    uint64_t forgotten; /**< Slices (TL) or cells (WT) that `memory` made the filter forget before their time. */
    /** Shifts that `memory` made the filter put off, so that the error rate rises (TL); the times that memory
     * refused a line (WT). */
    uint64_t deferred;
    uint64_t new_count; /**< Observations answered LATELY_NEW since the last reset. */
    uint64_t duplicate_count; /**< Observations answered LATELY_DUPLICATE since the last reset. */
    uint64_t late_ticks; /**< Ticks more than `lateness_ns` below the clock, judged at it, since the last reset. */
    uint64_t refused_ticks; /**< Ticks refused by `max_step_ns` since the last reset. */
    uint64_t clock; /**< The filter's clock, as a tick. */
    uint64_t rows_full; /**< Rows all of whose cells are filled (Q). */
    double miss_rate; /**< The chance that a key seen very long ago is called new now (Q). */
    uint64_t moved; /**< Cells that moved to their other line so far, to make room (WT). */
    uint64_t stashed; /**< Keys that found no room in their lines and are in the stash (WT). */
    /** The most that a tick was below the clock since the last reset, in nanoseconds: the `lateness_ns` that takes
     * them all. */
    uint64_t max_lateness_ns;
    uint64_t last_refused_tick; /**< The last tick refused by `max_step_ns` since the last reset; 0 if none was. */
    /** Claims that are open now: neither committed nor abandoned, and their lease is not over. */
    uint64_t open_claims;
    uint64_t max_claims; /**< The option `max_claims`; 0 without claims. */
    uint64_t expired_claims; /**< Claims whose lease ran out since the last reset. */
    uint64_t pending; /**< Claims answered LATELY_PENDING since the last reset. */
    uint64_t removed; /**< Keys that `lately_filter_remove` forgot so far (WT). */
} lately_stats;

#define LATELY_STATS_INIT \
    { sizeof(lately_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      0, 0, 0, 0, 0 }

/** Returns the statistics of the filter now.
 * - `stats` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
 * Cost: O(slices); nothing is scanned. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_stats(const lately_filter *filter, lately_stats *stats);
/** Sets the counters of verdicts and of late and refused ticks to 0. Cost: a few writes. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_stats_reset(lately_filter *filter);
/** Writes the filter in one line, for a log: kind, window, bytes, error rate. It contains no key and no secret, and
 * its words may change from version to version.
 * - `text` (out): not NULL; room for `len` bytes, of which 128 are always enough. Ends in NUL; written only on
 *   LATELY_OK.
 * - `len` (in, bytes): how much room there is.
 * Status: LATELY_ERR_SHORT_BUFFER if the line and its NUL do not fit. Ownership: the text is the caller's. Cost:
 * that of `lately_filter_stats`. */
LATELY_NODISCARD LATELY_API lately_status lately_filter_describe(const lately_filter *filter, char *text, size_t len);

/* ---- Plan: what a request comes to, before anything is allocated ------------------------------------------------ */

/** The plan for a request, before anything is allocated. Fields that do not apply to a kind are 0, and a rate that
 * nothing fixes is NaN. Set `struct_size` (LATELY_PLAN_RESULT_INIT does); later versions append fields and change
 * none. */
typedef struct lately_plan_result {
    size_t struct_size; /**< sizeof(lately_plan_result), set by the caller. */
    uint64_t bytes; /**< Bytes of the cells at the planned number of keys; 0 when the request names none. */
    double bits_per_key; /**< Bits per key of the window, margin included. */
    uint64_t k; /**< Bits per key (TL, AP), or cells per row (Q) or line (WT). */
    uint64_t l; /**< Full generations in the window. */
    double fill; /**< Fill of a full slice, or of a table (WT). */
    uint64_t slices; /**< Slices in the steady state, k + l; 1 (WT). */
    uint64_t blocks; /**< Blocks (TS). */
    uint64_t rows; /**< Rows (Q), lines (WT), or bits of a slice (AP). */
    double load; /**< Keys per chain (TS). */
    double margin; /**< The share of the size that allows for uneven arrivals. */
    /** Rate of false duplicates at the worst instant; TS with `removable`: the mean under endless churn. */
    double error_rate_worst;
    double error_rate_mean; /**< Rate of false duplicates averaged over a generation. */
    double miss_rate; /**< Rate of missed duplicates at `window_keys`, of QQHT at most; NaN when that is not given. */
    /** The window in keys, or the keys that fit into `memory`; 0 when the request names neither. */
    uint64_t window_keys;
    double cache_lines_per_observe; /**< Cache lines that one observation of a new key touches, about. */
    uint64_t fingerprint_bits; /**< Bits of a fingerprint (Q, WT). */
    uint64_t chains; /**< Chains of a block (TS). */
    uint64_t block_bytes; /**< Bytes of a block (TS) or line (WT). */
    double bits_per_key_peak; /**< WT with `window_ns`: bits per key at the peak of growth; else `bits_per_key`. */
} lately_plan_result;

#define LATELY_PLAN_RESULT_INIT { sizeof(lately_plan_result), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Plans a request: the integers, bytes and rates that follow from it. Builds no filter.
 * - `options` (in): not NULL, set up by `lately_options_init`.
 * - `plan` (out): not NULL, with `struct_size` set; written only on LATELY_OK.
 * - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
 * Status: LATELY_ERR_OPTION, with `error->field`. Cost: a search, up to some milliseconds. */
LATELY_NODISCARD LATELY_API lately_status lately_plan(const lately_options *options, lately_plan_result *plan,
    lately_error *error);

/* ---- Versions --------------------------------------------------------------------------------------------------- */

/** The version of this header, as text. */
#define LATELY_VERSION_STRING "0.1.0"

#define LATELY_VERSION_MAJOR 0 /**< Major version of the release that this header belongs to. */
#define LATELY_VERSION_MINOR 1 /**< Minor version of the release that this header belongs to. */
#define LATELY_VERSION_PATCH 0 /**< Patch version of the release that this header belongs to. */
#define LATELY_VERSION_NUMBER 1000 /**< The version as one number, major x 1,000,000 + minor x 1,000 + patch. */
/** Version of the binary interface: grows when programs must be rebuilt; also the number in the SONAME. */
#define LATELY_ABI_VERSION 0

/** Returns the version of the running library, such as "0.1.0"; LATELY_VERSION_STRING is that of the header.
 * Returns: a string that ends in NUL and lives as long as the program; never NULL. Never fails. Cost: none. */
LATELY_API const char *lately_version_string(void);
/** Returns: the version of the running library, as LATELY_VERSION_NUMBER is that of the header: major x 1,000,000 +
 * minor x 1,000 + patch. Never fails. Cost: none. */
LATELY_API uint32_t lately_version_number(void);
/** Returns: the binary interface of the running library, as LATELY_ABI_VERSION is that of the header; a program
 * whose header has another one must not call anything else. Never fails. Cost: none. */
LATELY_API uint32_t lately_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif /* LATELY_H */
