/* What every C test uses: checks that continue after a failure, and a closing line. C11 and C++17. */
#ifndef CHECK_H
#define CHECK_H

#include "lately.h"

#include "handle.h"
#include "many.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned check_count;
static unsigned check_failures;

/* Counts a condition; says where it failed. */
static inline int check_that(int holds, const char *what, const char *file, int line) {
    check_count++;
    if (!holds) {
        check_failures++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
    return holds;
}

/* Counts a call that must come to `want`. */
static inline int check_status(lately_status want, lately_status have, const char *what, const char *file, int line) {
    int holds = check_that(want == have, what, file, line);
    if (!holds) {
        fprintf(stderr, "    wanted %s, got %s\n", lately_status_name(want), lately_status_name(have));
    }
    return holds;
}

#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)
#define STATUS(want, call) check_status((want), (call), #call, __FILE__, __LINE__)
#define OK(call) STATUS(LATELY_OK, call)

/* The closing line, and the exit code of main. */
static inline int check_done(const char *name) {
    printf("%s: %u checks, %u failed\n", name, check_count, check_failures);
    return check_failures == 0 && check_count > 0 ? 0 : 1;
}

#define SECOND UINT64_C(1000000000)

/* A request for a time-limited filter with a window of 10 s and a manual clock. */
static inline lately_options manual_options(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    options.kind = LATELY_KIND_TIME_LIMITED;
    options.clock = LATELY_CLOCK_MANUAL_NS;
    options.window_ns = 10 * SECOND;
    return options;
}

/* The filter of `options`; stops the program if there is none. */
static inline lately_filter *new_filter(const lately_options *options) {
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;
    lately_status status = lately_filter_new(options, &filter, &error);
    if (status != LATELY_OK || filter == NULL) {
        fprintf(stderr, "no filter: %s: %s\n", lately_status_name(status), error.message);
        fflush(NULL);
    }
    CHECK(status == LATELY_OK && filter != NULL);
    return filter;
}

/* Sets a manual clock to 0. */
static inline void start(lately_filter *filter, const lately_options *options) {
    if (options->clock > LATELY_CLOCK_SYSTEM) {
        OK(lately_filter_advance(filter, 0));
    }
}

/* The filter of `options`, whose manual clock stands at 0. */
static inline lately_filter *new_started(const lately_options *options) {
    lately_filter *filter = new_filter(options);
    start(filter, options);
    return filter;
}

static inline lately_filter *new_manual(void) {
    lately_options options = manual_options();
    return new_started(&options);
}

static inline const uint8_t *bytes_of(const char *text) {
    return (const uint8_t *)text;
}

/* A verdict that no call gives, to see whether one was written. */
#define UNTOUCHED 77

/* The verdict of a single observation at `now`. */
static inline uint8_t observe_at(lately_filter *filter, const char *key, uint64_t now) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_observe(filter, bytes_of(key), strlen(key), now, &verdict));
    return verdict;
}

/* The verdict that an observation at `now` would have. */
static inline uint8_t contains_at(const lately_filter *filter, const char *key, uint64_t now) {
    uint8_t verdict = UNTOUCHED;
    OK(lately_filter_contains(filter, bytes_of(key), strlen(key), now, &verdict));
    return verdict;
}

static inline lately_stats stats_of(const lately_filter *filter) {
    lately_stats stats = LATELY_STATS_INIT;
    OK(lately_filter_stats(filter, &stats));
    return stats;
}

#endif
