/* Memory that cannot be had: plans of every kind for 2^48 keys, and under `ulimit -v` one of more than the limit, are a
 * status; the process lives on, and what it had before continues. */
#include "script.h"

#include <sys/resource.h>

/* AddressSanitizer would rather end the process than answer NULL. One for both handles: they may be parts of one program. */
#if defined __SANITIZE_ADDRESS__ && !defined SHARED
#ifdef __cplusplus
extern "C"
#endif
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
#endif

/* The most keys that a plan is made for: no machine has room for them. */
#define HUGE_KEYS (UINT64_C(1) << 47)

#define ROWS_MAX 32

static script rows[ROWS_MAX];

/* A filter of fixed memory. */
static lately_options of_bytes(uint64_t bytes) {
    lately_options options = LATELY_OPTIONS_INIT;
    options.kind = LATELY_KIND_QUOTIENT;
    options.memory = bytes;
    return options;
}

static void refused(const lately_options *options) {
    lately_error error = LATELY_ERROR_INIT;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_filter *filter = NULL;
    OK(lately_plan(options, &plan, &error));
    STATUS(LATELY_ERR_NO_MEMORY, lately_filter_new(options, &filter, &error));
    CHECK(filter == NULL && error.code == LATELY_ERR_NO_MEMORY && error.field == 0);
    CHECK(strncmp(error.message, "out of memory: ", 15) == 0);
}

static void goes_on(lately_filter *filter, uint64_t from) {
    for (uint64_t i = from; i < from + 1000; i++) {
        char key[24];
        snprintf(key, sizeof key, "%" PRIu64, i);
        CHECK(observe_at(filter, key, SECOND + i) == LATELY_NEW);
        CHECK(contains_at(filter, key, SECOND + i) == LATELY_DUPLICATE);
    }
}

/* Beside it a filter lives that was there before. */
static void memory_no_machine_has_is_an_error(void) {
    size_t count = read_rows(rows, ROWS_MAX), vast = 0;
    lately_options small = manual_options();
    small.error_rate = 1e-9;
    small.capacity = 20000;
    lately_filter *before = new_started(&small);
    for (size_t i = 0; i < count; i++) {
        lately_options options = request_for(&rows[i], HUGE_KEYS);
        lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
        goes_on(before, 1000 * i);
        /* Some kinds plan for so few keys at most that there is memory for them. */
        if (lately_plan(&options, &plan, NULL) == LATELY_OK) {
            refused(&options);
            vast++;
        }
    }
    goes_on(before, 1000 * count);
    CHECK(vast >= 5);
    lately_filter_free(before);
}

/* Under a limit on the address space: more than it is refused, an eighth of it is had, and a copy that would pass it is
 * refused too while the original continues. */
static void memory_above_the_limit_is_refused(uint64_t limit) {
    lately_options too_much = of_bytes(limit), enough = of_bytes(limit / 8);
    lately_filter *held[16] = {NULL};
    size_t count = 0;
    refused(&too_much);
    held[count++] = new_started(&enough);
    lately_status status = LATELY_OK;
    while (status == LATELY_OK && count < sizeof held / sizeof *held) {
        status = lately_filter_copy(held[0], &held[count]);
        count += status == LATELY_OK;
    }
    STATUS(LATELY_ERR_NO_MEMORY, status);
    CHECK(count > 1 && held[count] == NULL);
    printf("%zu filters under a limit of %" PRIu64 "\n", count, limit);
    for (size_t i = 0; i < count; i++) {
        uint8_t verdict = UNTOUCHED;
        OK(lately_filter_observe(held[i], bytes_of("k"), 1, LATELY_NOW, &verdict));
        CHECK(verdict == LATELY_NEW);
        lately_filter_free(held[i]);
    }
}

int main(void) {
    struct rlimit limit;
    memory_no_machine_has_is_an_error();
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    if (limit.rlim_cur != RLIM_INFINITY) {
        memory_above_the_limit_is_refused((uint64_t)limit.rlim_cur);
    }
    return check_done("memory");
}
