/* lately_plan_result, lately_stats and lately_error: what they say, and callers older and newer than the library. */
#include "check.h"

#include <math.h>
#include <stddef.h>

static lately_options sized(uint32_t kind) {
    lately_options options = LATELY_OPTIONS_INIT;
    options.kind = kind;
    if (kind == LATELY_KIND_TINY_SET) {
        options.capacity = 1000;
    } else {
        options.memory = 4096;
    }
    return options;
}

static void a_plan_states_the_shape(void) {
    lately_options options = manual_options();
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    options.capacity = 100000;
    OK(lately_plan(&options, &plan, NULL));
    CHECK(plan.k >= 1 && plan.l >= 1 && plan.slices == plan.k + plan.l);
    CHECK(plan.error_rate_worst > 0.9e-6 && plan.error_rate_worst <= 1e-6);
    CHECK(plan.error_rate_mean > 0 && plan.error_rate_mean <= plan.error_rate_worst);
    CHECK(plan.window_keys == 100000 && plan.bits_per_key > 10 && plan.bits_per_key < 100);
    CHECK(fabs((double)plan.bytes * 8 / 100000 / plan.bits_per_key - 1) < 0.05);
    CHECK(plan.fill >= 0.1 && plan.fill <= 0.9 && plan.margin > 0 && plan.margin < 0.1);
    CHECK(plan.blocks == 0 && plan.rows == 0 && plan.cache_lines_per_observe >= 1);
    CHECK(plan.bits_per_key_peak >= plan.bits_per_key && plan.miss_rate == 0 && plan.load == 0);
    options = sized(LATELY_KIND_TINY_SET);
    OK(lately_plan(&options, &plan, NULL));
    CHECK(plan.load > 0 && plan.load < 1 && plan.blocks > 0 && plan.block_bytes == 64 && plan.chains > 0);
    options = sized(LATELY_KIND_QUOTIENT);
    options.window_keys = 500;
    OK(lately_plan(&options, &plan, NULL));
    CHECK(plan.miss_rate > 0 && plan.miss_rate < 1 && plan.rows > 0 && plan.fingerprint_bits > 0 && plan.load == 0);
}

/* Which sizes are none is tested with those of lately_options. */
static void outputs_of_no_size_are_refused(void) {
    lately_filter *filter = new_manual();
    lately_options options = manual_options();
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_stats stats = LATELY_STATS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    plan.struct_size = stats.struct_size = sizeof(size_t) + 1;
    plan.k = stats.slices = UNTOUCHED;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_plan(&options, &plan, &error));
    CHECK(plan.k == UNTOUCHED && strstr(error.message, "lately_plan_result.struct_size") != NULL);
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_stats(filter, &stats));
    CHECK(stats.slices == UNTOUCHED);
    lately_filter_free(filter);
}

/* An older caller's struct ends early: nothing is written past its end. */
static void older_callers_get_the_fields_that_they_know(void) {
    lately_filter *filter = new_manual();
    lately_options options = manual_options();
    lately_stats stats = LATELY_STATS_INIT;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    stats.struct_size = offsetof(lately_stats, newest_slice_bits);
    plan.struct_size = offsetof(lately_plan_result, l);
    stats.newest_slice_bits = stats.clock = plan.l = UNTOUCHED;
    OK(lately_filter_stats(filter, &stats));
    OK(lately_plan(&options, &plan, NULL));
    CHECK(stats.slices > 0 && stats.newest_slice_bits == UNTOUCHED && stats.clock == UNTOUCHED);
    CHECK(plan.k > 0 && plan.l == UNTOUCHED);
    CHECK(stats.struct_size == offsetof(lately_stats, newest_slice_bits));
    lately_filter_free(filter);
}

/* A later caller's struct is longer: what this library does not know is 0. */
static void newer_callers_get_zeros(void) {
    struct {
        lately_stats known;
        uint64_t unknown[2];
    } later;
    lately_filter *filter = new_manual();
    memset(&later, 0xFF, sizeof later);
    later.known.struct_size = sizeof later;
    OK(lately_filter_stats(filter, &later.known));
    CHECK(later.known.struct_size == sizeof later && later.known.slices > 0);
    CHECK(later.unknown[0] == 0 && later.unknown[1] == 0);
    lately_filter_free(filter);
}

static void a_filter_is_one_line(void) {
    lately_filter *filter = new_manual();
    char text[128], cut[128];
    OK(lately_filter_describe(filter, text, sizeof text));
    CHECK(strncmp(text, "time-limited, window 10s, ", 26) == 0 && strstr(text, " bytes, error rate ") != NULL);
    CHECK(strchr(text, '\n') == NULL);
    size_t need = strlen(text) + 1;
    memset(cut, 'x', sizeof cut);
    for (size_t len = 0; len < need; len++) {
        STATUS(LATELY_ERR_SHORT_BUFFER, lately_filter_describe(filter, cut, len));
    }
    STATUS(LATELY_ERR_OFFSETS, lately_filter_describe(filter, cut, SIZE_MAX));
    CHECK(cut[0] == 'x');
    OK(lately_filter_describe(filter, cut, need));
    CHECK(strcmp(cut, text) == 0 && cut[need] == 'x');
    lately_filter_free(filter);
}

/* Where there is no room for the reason, the call does nothing at all. */
static void an_error_of_no_size_is_refused(void) {
    lately_options options = manual_options();
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_filter *filter = NULL;
    lately_error error = LATELY_ERROR_INIT;
    error.struct_size = 0;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_plan(&options, &plan, &error));
    error.struct_size = sizeof error - 8;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_new(&options, &filter, &error));
    CHECK(error.code == 0 && filter == NULL && plan.k == 0);
}

int main(void) {
    a_plan_states_the_shape();
    outputs_of_no_size_are_refused();
    older_callers_get_the_fields_that_they_know();
    newer_callers_get_zeros();
    a_filter_is_one_line();
    an_error_of_no_size_is_refused();
    return check_done("outputs");
}
