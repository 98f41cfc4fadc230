/* The header alone and twice: it needs no other one, and its structs have no padding (lately_options: capi/src/options.rs). */
#include "lately.h"
#include "lately.h"

#include "check.h"

#if defined(__cplusplus)
#define SAME(name, size) static_assert(sizeof(name) == (size), #name)
#else
#define SAME(name, size) _Static_assert(sizeof(name) == (size), #name)
#endif

SAME(lately_plan_result, sizeof(size_t) + 10 * sizeof(uint64_t) + 9 * sizeof(double));
SAME(lately_stats, sizeof(size_t) + 25 * sizeof(uint64_t) + 2 * sizeof(double));
SAME(lately_error, sizeof(size_t) + sizeof(int32_t) + sizeof(uint32_t) + 256);
SAME(lately_status, sizeof(int32_t));
SAME(lately_age, 2 * sizeof(uint64_t));

int main(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_stats stats = LATELY_STATS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    CHECK(options.struct_size == sizeof options);
    CHECK(plan.struct_size == sizeof plan);
    CHECK(stats.struct_size == sizeof stats);
    CHECK(error.struct_size == sizeof error);
    CHECK(lately_abi_version() == LATELY_ABI_VERSION);
    CHECK(options.max_claims == 0 && stats.pending == 0 && error.message[0] == 0);
    return check_done("header");
}
