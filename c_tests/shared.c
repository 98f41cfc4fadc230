/* lately_filter: its holders, and many threads on one handle. What one thread sees is tested by the tests of
 * lately_filter, compiled for both. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 8, KEYS = 4000, ROUNDS = 2000 };

static lately_filter *new_shared(lately_options options) {
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *shared = NULL;
    OK(lately_shared_new(&options, &shared, &error));
    start(shared, &options);
    return shared;
}

static void the_last_holder_frees(void) {
    uint8_t verdict = UNTOUCHED;
    lately_filter *shared = new_shared(manual_options());
    STATUS(LATELY_ERR_NULL, lately_filter_retain(NULL));
    OK(lately_filter_retain(shared));
    OK(lately_filter_retain(shared));
    lately_filter_free(shared);
    OK(lately_filter_observe(shared, bytes_of("k"), 1, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_NEW);
    lately_filter_free(shared);
    OK(lately_filter_observe(shared, bytes_of("k"), 1, LATELY_NOW, &verdict));
    CHECK(verdict == LATELY_DUPLICATE);
    lately_filter_free(shared);
    lately_filter_free(NULL);
}

/* One thread of several: what it shares, and what it counts for itself. */
typedef struct {
    lately_filter *shared;
    pthread_t thread;
    uint64_t new_count, removed, failures;
} worker;

static worker workers[THREADS];

static void count(worker *w, lately_status status, uint8_t verdict) {
    w->failures += status != LATELY_OK;
    w->new_count += status == LATELY_OK && verdict == LATELY_NEW;
}

/* Runs `body` in every thread on one handle, and adds up what they counted. */
static worker together(lately_filter *shared, void *(*body)(void *)) {
    worker sum = {shared, pthread_self(), 0, 0, 0};
    for (int t = 0; t < THREADS; t++) {
        workers[t].shared = shared;
        workers[t].new_count = workers[t].removed = workers[t].failures = 0;
        CHECK(pthread_create(&workers[t].thread, NULL, body, &workers[t]) == 0);
    }
    for (int t = 0; t < THREADS; t++) {
        CHECK(pthread_join(workers[t].thread, NULL) == 0);
        sum.new_count += workers[t].new_count;
        sum.removed += workers[t].removed;
        sum.failures += workers[t].failures;
    }
    return sum;
}

static void *observe_all(void *arg) {
    worker *w = (worker *)arg;
    for (uint64_t key = 0; key < KEYS; key++) {
        uint8_t bytes[8], verdict = UNTOUCHED;
        memcpy(bytes, &key, sizeof key);
        lately_status status = lately_filter_observe(w->shared, bytes, sizeof bytes, SECOND, &verdict);
        count(w, status, verdict);
    }
    return NULL;
}

static void *observe_all_in_batches(void *arg) {
    enum { BATCH = 250 };
    worker *w = (worker *)arg;
    for (uint64_t first = 0; first < KEYS; first += BATCH) {
        uint64_t hashes[BATCH];
        uint8_t verdicts[BATCH];
        size_t done = 0;
        for (uint64_t i = 0; i < BATCH; i++) {
            uint64_t key = first + i;
            hashes[i] = lately_hash64((const uint8_t *)&key, sizeof key, 0);
        }
        lately_keys keys = lately_keys_hashes(hashes, BATCH);
        lately_status status = lately_filter_observe_many(w->shared, &keys, NULL, verdicts, &done);
        for (size_t i = 0; i < BATCH; i++) {
            count(w, status, verdicts[i]);
        }
        w->failures += done != BATCH;
    }
    return NULL;
}

/* Of all threads that observe one new key, one is told so; no key is new to two. A false duplicate may be new to none. */
static void every_key_is_new_to_one_thread(void *(*body)(void *)) {
    lately_options options = manual_options();
    options.capacity = KEYS;
    options.error_rate = 1e-6;
    lately_filter *shared = new_shared(options);
    worker sum = together(shared, body);
    CHECK(sum.failures == 0);
    CHECK(sum.new_count <= KEYS && sum.new_count + 3 >= KEYS);
    lately_stats stats = LATELY_STATS_INIT;
    OK(lately_filter_stats(shared, &stats));
    CHECK(stats.new_count == sum.new_count && stats.new_count + stats.duplicate_count == (uint64_t)THREADS * KEYS);
    lately_filter_free(shared);
}

/* Whether a snapshot taken now, beside the calls of others, is one; it may have to be tried again. */
static int restores(const lately_filter *shared) {
    lately_load_options plain = LATELY_LOAD_OPTIONS_INIT;
    lately_filter *restored = NULL;
    size_t size = 0;
    uint8_t *bytes = NULL;
    lately_status status = lately_filter_snapshot_size(shared, &size);
    while (status == LATELY_OK || status == LATELY_ERR_SHORT_BUFFER) {
        free(bytes);
        bytes = (uint8_t *)malloc(size);
        status = lately_filter_snapshot_write(shared, bytes, size, &size);
        if (status == LATELY_OK) {
            status = lately_filter_load(bytes, size, 0, &plain, &restored, NULL);
            break;
        }
    }
    free(bytes);
    lately_filter_free(restored);
    return status == LATELY_OK;
}

/* All verbs at once, beside time that passes, clearing, copies, and holders that come and go. */
static void *anything(void *arg) {
    worker *w = (worker *)arg;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint8_t key[2] = {(uint8_t)(i % 97), 'k'}, verdict = UNTOUCHED;
        uint64_t hash = 0;
        lately_stats stats = LATELY_STATS_INIT;
        lately_filter *copy = NULL;
        w->failures += lately_filter_retain(w->shared) != LATELY_OK;
        /* No call is without a tick: another thread may have cleared the filter, whose clock then has no time. */
        uint64_t tick = i * SECOND / 100;
        w->failures += lately_filter_observe(w->shared, key, 2, tick, &verdict) != LATELY_OK;
        w->failures += lately_filter_insert(w->shared, key, 1, tick) != LATELY_OK;
        w->failures += lately_filter_contains(w->shared, key, 1, tick, &verdict) != LATELY_OK;
        w->failures += lately_filter_hash(w->shared, key, 2, &hash) != LATELY_OK;
        w->failures += i % 64 == 0 && lately_filter_stats(w->shared, &stats) != LATELY_OK;
        w->failures += i % 512 == 1 && lately_filter_advance(w->shared, i * SECOND) != LATELY_OK;
        w->failures += i % 512 == 2 && lately_filter_clear(w->shared) != LATELY_OK;
        w->failures += i % 512 == 3 && lately_filter_copy(w->shared, &copy) != LATELY_OK;
        w->failures += i % 512 == 4 && !restores(w->shared);
        lately_filter_free(copy);
        lately_filter_free(w->shared);
    }
    return NULL;
}

static void every_verb_runs_while_any_other_runs(void) {
    lately_filter *shared = new_shared(manual_options());
    CHECK(together(shared, anything).failures == 0);
    lately_filter_free(shared);
}

/* A window of the default kind, which removes, and takes claims if it has a lease. */
static lately_options of_time(uint64_t lease_ns) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, 10 * SECOND));
    options.clock = LATELY_CLOCK_MANUAL_NS;
    options.error_rate = 1e-9;
    options.lease_ns = lease_ns;
    return options;
}

enum { FEW = 97 };

/* Keys come and go, one at a time and eight at a time. */
static void *observe_and_remove(void *arg) {
    worker *w = (worker *)arg;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t key = i % FEW, many[8];
        uint8_t bytes[8], verdict = UNTOUCHED, removed = 0, verdicts[8], all_removed[8];
        size_t done = 0;
        memcpy(bytes, &key, sizeof key);
        for (uint64_t j = 0; j < 8; j++) {
            many[j] = (i + j) % FEW;
        }
        lately_keys keys = lately_keys_u64s(many, 8);
        lately_status status = lately_filter_observe(w->shared, bytes, sizeof bytes, SECOND, &verdict);
        count(w, status, verdict);
        if (i % 3 == 0) {
            w->failures += lately_filter_remove(w->shared, bytes, sizeof bytes, LATELY_NOW, &removed) != LATELY_OK;
            w->removed += removed;
        }
        if (i % 16 == 0) {
            status = lately_filter_observe_many(w->shared, &keys, NULL, verdicts, &done);
            for (size_t j = 0; j < 8; j++) {
                count(w, status, verdicts[j]);
            }
            w->failures += lately_filter_remove_many(w->shared, &keys, NULL, all_removed, &done) != LATELY_OK || done != 8;
            for (size_t j = 0; j < 8; j++) {
                w->removed += all_removed[j];
            }
        }
    }
    return NULL;
}

/* What was new and was not removed is there, whichever thread did it. */
static void every_removal_is_of_one_sighting(void) {
    lately_filter *shared = new_shared(of_time(0));
    worker sum = together(shared, observe_and_remove);
    uint64_t present = 0;
    for (uint64_t key = 0; key < FEW; key++) {
        uint8_t verdict = UNTOUCHED;
        OK(lately_filter_contains(shared, (const uint8_t *)&key, sizeof key, LATELY_NOW, &verdict));
        present += verdict == LATELY_DUPLICATE;
    }
    CHECK(sum.failures == 0 && sum.removed > 0 && sum.new_count == sum.removed + present);
    lately_filter_free(shared);
}

/* Claims each key until it is done; gives up the first claim of every second one. */
static void *claim_all(void *arg) {
    worker *w = (worker *)arg;
    for (uint64_t key = 0; key < ROUNDS; key++) {
        uint8_t bytes[8], verdict = UNTOUCHED, found = UNTOUCHED;
        uint64_t token = 0;
        memcpy(bytes, &key, sizeof key);
        lately_status status = lately_filter_claim(w->shared, bytes, sizeof bytes, SECOND, &verdict, &token);
        if (status == LATELY_OK && verdict == LATELY_NEW && key % 2 == 1) {
            w->failures += lately_filter_abandon(w->shared, bytes, sizeof bytes, token) != LATELY_OK;
            status = lately_filter_claim(w->shared, bytes, sizeof bytes, SECOND, &verdict, &token);
        }
        if (status == LATELY_OK && verdict == LATELY_NEW) {
            status = lately_filter_commit(w->shared, bytes, sizeof bytes, token, SECOND, &found);
            w->failures += found != LATELY_COMMIT_IN_TIME;
            w->new_count++;
        }
        w->failures += status != LATELY_OK;
    }
    return NULL;
}

static void every_key_is_done_by_one_thread(void) {
    lately_filter *shared = new_shared(of_time(SECOND));
    worker sum = together(shared, claim_all);
    CHECK(sum.failures == 0 && sum.new_count == ROUNDS);
    lately_filter_free(shared);
}

static void *hold_to_the_last(void *arg) {
    worker *w = (worker *)arg;
    uint8_t verdict = UNTOUCHED;
    lately_status status = lately_filter_observe(w->shared, bytes_of("last"), 4, LATELY_NOW, &verdict);
    count(w, status, verdict);
    lately_filter_free(w->shared);
    return NULL;
}

/* Each thread owns a holder and gives it back when it is done: whoever is last frees, and nobody has to wait. */
static void threads_each_with_a_handle(void) {
    for (int round = 0; round < 100; round++) {
        lately_filter *shared = new_shared(manual_options());
        for (int t = 1; t < THREADS; t++) {
            OK(lately_filter_retain(shared));
        }
        worker sum = together(shared, hold_to_the_last);
        CHECK(sum.new_count == 1 && sum.failures == 0);
    }
}

int main(void) {
    the_last_holder_frees();
    every_key_is_new_to_one_thread(observe_all);
    every_key_is_new_to_one_thread(observe_all_in_batches);
    every_verb_runs_while_any_other_runs();
    every_removal_is_of_one_sighting();
    every_key_is_done_by_one_thread();
    threads_each_with_a_handle();
    return check_done("shared");
}
