/* The header alone and twice: it needs no other one, its structs have no padding (of lately_options: capi/src/options.rs), and what has both a macro and a function has
 * one value. */
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

static void structs_begin_with_their_size(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_stats stats = LATELY_STATS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    CHECK(options.struct_size == sizeof options && options.max_claims == 0);
    CHECK(plan.struct_size == sizeof plan && plan.bits_per_key_peak == 0);
    CHECK(stats.struct_size == sizeof stats && stats.removed == 0);
    CHECK(error.struct_size == sizeof error && error.message[0] == 0);
}

static void versions_agree(void) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LATELY_VERSION_MAJOR, LATELY_VERSION_MINOR, LATELY_VERSION_PATCH);
    CHECK(strcmp(LATELY_VERSION_STRING, text) == 0);
    CHECK(strcmp(LATELY_VERSION_STRING, lately_version_string()) == 0);
    CHECK(LATELY_VERSION_NUMBER == lately_version_number());
    CHECK(LATELY_VERSION_NUMBER ==
          LATELY_VERSION_MAJOR * 1000000 + LATELY_VERSION_MINOR * 1000 + LATELY_VERSION_PATCH);
    CHECK(LATELY_ABI_VERSION == lately_abi_version());
}

/* The number of a status never changes, and its name is that of its macro. */
#define NAMED(number, name) \
    CHECK(LATELY_ERR_##name == (number) && strcmp(lately_status_name(LATELY_ERR_##name), #name) == 0)

static void statuses_have_their_numbers_and_names(void) {
    static const int32_t others[] = {-1, 9, 99, 104, 209, 299, 301, 899, 902, INT32_MAX, INT32_MIN};
    CHECK(LATELY_OK == 0 && strcmp(lately_status_name(LATELY_OK), "OK") == 0);
    NAMED(1, NULL);
    NAMED(2, STRUCT_SIZE);
    NAMED(3, OPTION);
    NAMED(4, OFFSETS);
    NAMED(5, UNSUPPORTED);
    NAMED(6, CLOCK);
    NAMED(7, TICK);
    NAMED(8, CLAIM);
    NAMED(100, FULL);
    NAMED(101, POISONED);
    NAMED(102, CLOSED);
    NAMED(200, SHORT_BUFFER);
    NAMED(201, MAGIC);
    NAMED(202, VERSION);
    NAMED(203, CHECKSUM);
    NAMED(204, CORRUPT);
    NAMED(205, TOO_LARGE);
    NAMED(206, SECRET);
    NAMED(207, ELAPSED);
    NAMED(208, OPTIONS_DIFFER);
    NAMED(300, IO);
    NAMED(900, PANIC);
    NAMED(901, NO_MEMORY);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(strcmp(lately_status_name(others[i]), "UNKNOWN") == 0);
    }
}

/* They are the ABI, and never change. Those of the choices are asserted in capi/src/options.rs. */
static void verdicts_are_frozen(void) {
    CHECK(LATELY_NEW == 0 && LATELY_DUPLICATE == 1 && LATELY_PENDING == 2 && LATELY_ABSENT_KEY == 3);
}

int main(void) {
    structs_begin_with_their_size();
    versions_agree();
    statuses_have_their_numbers_and_names();
    verdicts_are_frozen();
    return check_done("header");
}
