/* lately_filter: its holders, and many threads on one handle. What one thread sees is tested by the tests of
 * lately_filter, compiled for both; that calls of many threads are calls one after the other, by orders.rs. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 2000 };

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
    uint64_t new_count, failures;
} worker;

static worker workers[THREADS];

static void count(worker *w, lately_status status, uint8_t verdict) {
    w->failures += status != LATELY_OK;
    w->new_count += status == LATELY_OK && verdict == LATELY_NEW;
}

/* Runs `body` in every thread on one handle, and adds up what they counted. */
static worker together(lately_filter *shared, void *(*body)(void *)) {
    worker sum = {shared, pthread_self(), 0, 0};
    for (int t = 0; t < THREADS; t++) {
        workers[t].shared = shared;
        workers[t].new_count = workers[t].failures = 0;
        CHECK(pthread_create(&workers[t].thread, NULL, body, &workers[t]) == 0);
    }
    for (int t = 0; t < THREADS; t++) {
        CHECK(pthread_join(workers[t].thread, NULL) == 0);
        sum.new_count += workers[t].new_count;
        sum.failures += workers[t].failures;
    }
    return sum;
}

/* A snapshot that is written nowhere. */
static size_t drop(void *context, const void *bytes, size_t len) {
    (void)context, (void)bytes;
    return len;
}

/* All verbs at once, beside time that passes, clearing, copies, and holders that come and go. */
static void *anything(void *arg) {
    static const uint64_t numbers[3] = {1, 2, 3};
    const lately_keys keys = lately_keys_u64s(numbers, 3);
    uint8_t verdicts[3];
    worker *w = (worker *)arg;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint8_t key[2] = {(uint8_t)(i % 97), 'k'}, verdict = UNTOUCHED;
        uint64_t hash = 0, token = 0;
        size_t done = 0;
        lately_stats stats = LATELY_STATS_INIT;
        lately_filter *copy = NULL;
        w->failures += lately_filter_retain(w->shared) != LATELY_OK;
        /* No call is without a tick: another thread may have cleared the filter, whose clock then has no time. */
        uint64_t tick = i * SECOND / 100;
        w->failures += lately_filter_observe(w->shared, key, 2, tick, &verdict) != LATELY_OK;
        w->failures += lately_filter_insert(w->shared, key, 1, tick) != LATELY_OK;
        w->failures += lately_filter_contains(w->shared, key, 1, tick, &verdict) != LATELY_OK;
        w->failures += lately_filter_hash(w->shared, key, 2, &hash) != LATELY_OK;
        w->failures += lately_filter_remove(w->shared, key, 2, tick, &verdict) != LATELY_OK;
        w->failures += lately_filter_claim(w->shared, key, 2, tick, &verdict, &token) != LATELY_OK;
        w->failures += lately_filter_observe_many(w->shared, &keys, NULL, verdicts, &done) == LATELY_ERR_PANIC;
        w->failures += i % 64 == 0 && lately_filter_stats(w->shared, &stats) != LATELY_OK;
        w->failures += i % 512 == 1 && lately_filter_advance(w->shared, i * SECOND) != LATELY_OK;
        w->failures += i % 512 == 2 && lately_filter_clear(w->shared) != LATELY_OK;
        w->failures += i % 512 == 3 && lately_filter_copy(w->shared, &copy) != LATELY_OK;
        w->failures += i % 512 == 4 && lately_filter_snapshot_pieces(w->shared, drop, NULL) != LATELY_OK;
        lately_filter_free(copy);
        lately_filter_free(w->shared);
    }
    return NULL;
}

static void every_verb_runs_while_any_other_runs(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, 10 * SECOND));
    options.clock = LATELY_CLOCK_MANUAL_NS;
    options.lease_ns = SECOND;
    lately_filter *shared = new_shared(options);
    CHECK(together(shared, anything).failures == 0);
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
    every_verb_runs_while_any_other_runs();
    threads_each_with_a_handle();
    return check_done("shared");
}
