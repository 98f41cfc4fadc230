/* lately_options: sizes and tails, and every field out of range, each error naming its field. */
#include "check.h"

#include <math.h>
#include <stddef.h>

/* Room for a struct of later versions. */
typedef struct {
    lately_options known;
    uint64_t unknown[4];
} longer;

static lately_error error;

/* What `new` and `plan` both come to; they must agree. */
static lately_status asked(const lately_options *options) {
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_error other = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;
    lately_status status = lately_filter_new(options, &filter, &other);
    error.struct_size = sizeof error;
    CHECK(status == lately_plan(options, &plan, &error));
    CHECK(memcmp(&error, &other, sizeof error) == 0);
    CHECK((filter != NULL) == (status == LATELY_OK));
    CHECK(status == LATELY_OK || plan.k == 0);
    lately_filter_free(filter);
    return status;
}

/* The request is refused because of `field`, which the message names. */
static void refused(const lately_options *options, uint32_t field, const char *name, int line) {
    int named = asked(options) == LATELY_ERR_OPTION && error.code == LATELY_ERR_OPTION && error.field == field;
    named = named && strncmp(error.message, name, strlen(name)) == 0 && strstr(error.message, ": ") != NULL;
    if (!check_that(named, name, __FILE__, line)) {
        fprintf(stderr, "    status %d, field %u, message \"%s\"\n", (int)error.code, error.field, error.message);
    }
}

/* With `member` set to `value` the request is refused, and the error says so. */
#define REFUSED(member, value, field)                     \
    do {                                                  \
        lately_options request = manual_options();        \
        request.member = (value);                         \
        refused(&request, (field), #member " = ", __LINE__); \
    } while (0)

#define ACCEPTED(member, value)                    \
    do {                                           \
        lately_options request = manual_options(); \
        request.member = (value);                  \
        OK(asked(&request));                       \
    } while (0)

static void init_gives_no_option(void) {
    longer later;
    lately_options options;
    lately_options zero = LATELY_OPTIONS_INIT;
    memset(&options, 0xFF, sizeof options);
    OK(lately_options_init(&options, sizeof options));
    CHECK(memcmp(&options, &zero, sizeof options) == 0);
    memset(&later, 0xFF, sizeof later);
    OK(lately_options_init(&later.known, sizeof later));
    CHECK(later.known.struct_size == sizeof later && later.unknown[3] == 0);
    memset(&later, 0xFF, sizeof later);
    OK(lately_options_init(&later.known, sizeof(size_t)));
    CHECK(later.known.struct_size == sizeof(size_t) && later.known.kind == UINT32_MAX);
}

static void init_refuses_sizes_of_no_struct(void) {
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, sizeof(lately_options) + 1, 4104, SIZE_MAX};
    lately_options options = LATELY_OPTIONS_INIT;
    options.kind = 3;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        STATUS(LATELY_ERR_STRUCT_SIZE, lately_options_init(&options, sizes[i]));
    }
    CHECK(options.kind == 3 && options.struct_size == sizeof options);
}

static void sizes_of_no_struct_are_refused(void) {
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, sizeof(lately_options) - 1, 4104, SIZE_MAX - 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lately_options options = manual_options();
        options.struct_size = sizes[i];
        STATUS(LATELY_ERR_STRUCT_SIZE, asked(&options));
        CHECK(error.field == 0 && strstr(error.message, "lately_options.struct_size") != NULL);
    }
}

/* An older caller's struct ends early: what is beyond is not read, and counts as not given. */
static void a_smaller_struct_reads_as_zero_beyond_its_end(void) {
    lately_options options = manual_options();
    options.struct_size = offsetof(lately_options, window_keys);
    options.window_keys = 1;
    options.error_rate = NAN;
    options.reserved_1 = 1;
    OK(asked(&options));
    options.struct_size = offsetof(lately_options, window_ns);
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0", __LINE__);
    options.struct_size = sizeof(size_t);
    refused(&options, LATELY_FIELD_KIND, "kind = 0", __LINE__);
}

/* A later caller's struct is longer: fine, unless it asks for what this library does not know. */
static void a_larger_struct_has_a_clean_tail(void) {
    longer later;
    memset(&later, 0, sizeof later);
    later.known = manual_options();
    later.known.struct_size = sizeof later;
    OK(asked(&later.known));
    ((uint8_t *)&later)[sizeof later - 1] = 0x80;
    STATUS(LATELY_ERR_STRUCT_SIZE, asked(&later.known));
    char where[32];
    snprintf(where, sizeof where, "byte %u ", (unsigned)sizeof later - 1);
    CHECK(strstr(error.message, where) != NULL);
    later.known.struct_size = sizeof later - sizeof(uint64_t);
    OK(asked(&later.known));
}

static void reserved_words_are_zero(void) {
    lately_options options = manual_options();
    options.reserved_0 = 1;
    STATUS(LATELY_ERR_STRUCT_SIZE, asked(&options));
    CHECK(strcmp(error.message, "reserved_0 = 1: must be 0") == 0);
    options.reserved_0 = 0;
    options.reserved_1 = 7;
    STATUS(LATELY_ERR_STRUCT_SIZE, asked(&options));
    CHECK(strcmp(error.message, "reserved_1 = 7: must be 0") == 0);
    options.reserved_1 = 0;
    options.reserved_2 = 1;
    STATUS(LATELY_ERR_STRUCT_SIZE, asked(&options));
    CHECK(strcmp(error.message, "reserved_2 = 1: must be 0") == 0);
}

static void kinds_and_choices(void) {
    REFUSED(kind, 0, LATELY_FIELD_KIND);
    REFUSED(kind, 6, LATELY_FIELD_KIND);
    REFUSED(kind, UINT32_MAX, LATELY_FIELD_KIND);
    REFUSED(clock, 6, LATELY_FIELD_CLOCK);
    REFUSED(repeat, 3, LATELY_FIELD_REPEAT);
    REFUSED(on_limit, 3, LATELY_FIELD_ON_LIMIT);
    REFUSED(variant, 5, LATELY_FIELD_VARIANT);
    REFUSED(semi_sort, 2, LATELY_FIELD_SEMI_SORT);
    REFUSED(removable, 2, LATELY_FIELD_REMOVABLE);
    REFUSED(keyed, 2, LATELY_FIELD_KEYED);
    ACCEPTED(clock, LATELY_CLOCK_SYSTEM);
    ACCEPTED(repeat, LATELY_REPEAT_KEEP_FIRST);
    ACCEPTED(on_limit, LATELY_ON_LIMIT_RAISE_ERROR_RATE);
    ACCEPTED(keyed, 1);
}

/* A window table at its limit forgets; the message names the kind that can raise its error rate. */
static void window_table_at_its_limit_forgets(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, UINT64_C(1000000000)));
    options.on_limit = LATELY_ON_LIMIT_FORGET_OLDEST;
    OK(asked(&options));
    options.on_limit = LATELY_ON_LIMIT_RAISE_ERROR_RATE;
    STATUS(LATELY_ERR_OPTION, asked(&options));
    CHECK(error.field == LATELY_FIELD_ON_LIMIT);
    CHECK(strncmp(error.message, "on_limit = RaiseErrorRate: must be ForgetOldest; ", 49) == 0);
    CHECK(strstr(error.message, "the kind time-limited keeps the window") != NULL);
    options.kind = LATELY_KIND_TIME_LIMITED;
    OK(asked(&options));
}

static void numbers_out_of_range(void) {
    REFUSED(window_ns, 0, LATELY_FIELD_WINDOW_NS);
    REFUSED(capacity, UINT64_MAX, LATELY_FIELD_CAPACITY);
    REFUSED(error_rate, -0.1, LATELY_FIELD_ERROR_RATE);
    REFUSED(error_rate, 0.6, LATELY_FIELD_ERROR_RATE);
    REFUSED(error_rate, INFINITY, LATELY_FIELD_ERROR_RATE);
    REFUSED(error_rate, -INFINITY, LATELY_FIELD_ERROR_RATE);
    REFUSED(memory, 1, LATELY_FIELD_MEMORY);
    REFUSED(max_slices, 1, LATELY_FIELD_MAX_SLICES);
    REFUSED(max_slices, 1025, LATELY_FIELD_MAX_SLICES);
    REFUSED(k, 1025, LATELY_FIELD_K);
    REFUSED(l, 1025, LATELY_FIELD_L);
    REFUSED(k, UINT32_MAX, LATELY_FIELD_K);
    REFUSED(l, UINT32_MAX, LATELY_FIELD_L);
    REFUSED(fill, 0.05, LATELY_FIELD_FILL);
    REFUSED(fill, 0.95, LATELY_FIELD_FILL);
    REFUSED(fill, -1.0, LATELY_FIELD_FILL);
    REFUSED(fill, INFINITY, LATELY_FIELD_FILL);
    /* -1, and a limit that no machine has. */
    REFUSED(memory, (UINT64_C(1) << 56) + 1, LATELY_FIELD_MEMORY);
    REFUSED(memory, UINT64_MAX, LATELY_FIELD_MEMORY);
}

static void not_a_number(void) {
    REFUSED(error_rate, NAN, LATELY_FIELD_ERROR_RATE);
    REFUSED(miss_rate, NAN, LATELY_FIELD_MISS_RATE);
    REFUSED(fill, NAN, LATELY_FIELD_FILL);
    REFUSED(load, NAN, LATELY_FIELD_LOAD);
}

/* What belongs to another kind is an error, in range or not. */
static void options_of_other_kinds(void) {
    REFUSED(window_keys, 1000, LATELY_FIELD_WINDOW_KEYS);
    REFUSED(miss_rate, 0.1, LATELY_FIELD_MISS_RATE);
    REFUSED(variant, LATELY_VARIANT_QHT, LATELY_FIELD_VARIANT);
    REFUSED(fingerprint_bits, 8, LATELY_FIELD_FINGERPRINT_BITS);
    REFUSED(fingerprint_bits, UINT32_MAX, LATELY_FIELD_FINGERPRINT_BITS);
    REFUSED(semi_sort, 1, LATELY_FIELD_SEMI_SORT);
    REFUSED(removable, 1, LATELY_FIELD_REMOVABLE);
    REFUSED(block_bytes, 64, LATELY_FIELD_BLOCK_BYTES);
    REFUSED(block_bytes, 63, LATELY_FIELD_BLOCK_BYTES);
    REFUSED(chains, 64, LATELY_FIELD_CHAINS);
    REFUSED(load, 0.5, LATELY_FIELD_LOAD);
    REFUSED(age_bits, 3, LATELY_FIELD_AGE_BITS);
    REFUSED(lateness_ns, 1, LATELY_FIELD_LATENESS_NS);
}

static void contradictions(void) {
    lately_options options = manual_options();
    options.max_step_ns = 1;
    options.clock = LATELY_CLOCK_SYSTEM;
    refused(&options, LATELY_FIELD_MAX_STEP_NS, "max_step_ns = 1", __LINE__);
    REFUSED(secret_lo, 1, LATELY_FIELD_SECRET_LO);
    options = manual_options();
    options.secret_hi = 1;
    refused(&options, LATELY_FIELD_SECRET_LO, "secret_lo = ", __LINE__);
    options = manual_options();
    options.k = 10;
    options.l = 10;
    options.max_slices = 19;
    refused(&options, LATELY_FIELD_MAX_SLICES, "max_slices = 19", __LINE__);
    options.max_slices = 20;
    OK(asked(&options));
    options.fill = 0.5;
    options.error_rate = 0.1;
    refused(&options, LATELY_FIELD_ERROR_RATE, "error_rate = 0.1", __LINE__);
}

/* The default of a window: kind and window are set, the other window is not given, the rest stays as it is. */
static void a_window_is_asked_for_in_one_call(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    options.error_rate = 0.01;
    options.age_bits = 4;
    OK(lately_options_window(&options, 10 * SECOND));
    CHECK(options.struct_size == sizeof options && options.kind == LATELY_KIND_WINDOW_TABLE);
    CHECK(options.window_ns == 10 * SECOND && options.window_keys == 0 && options.error_rate > 0 && options.age_bits == 4);
    OK(asked(&options));
    OK(lately_options_last(&options, 1000));
    CHECK(options.window_ns == 0 && options.window_keys == 1000 && options.error_rate > 0 && options.age_bits == 4);
    OK(asked(&options));
    options.age_bits = 1;
    refused(&options, LATELY_FIELD_AGE_BITS, "age_bits = 1", __LINE__);
    options.age_bits = 6;
    refused(&options, LATELY_FIELD_AGE_BITS, "age_bits = 6", __LINE__);
    options.age_bits = 0;
    OK(lately_options_last(&options, 0));
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0", __LINE__);
    OK(lately_options_window(&options, 0));
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0", __LINE__);
}

/* Late records have a window of time, a clock of the caller's, and tags with bits enough. */
static void lateness_is_of_a_window_of_time(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, 10 * SECOND));
    options.lateness_ns = 240 * SECOND / 7;
    refused(&options, LATELY_FIELD_LATENESS_NS, "lateness_ns = ", __LINE__);
    CHECK(strstr(error.message, "needs a manual clock") != NULL);
    options.clock = LATELY_CLOCK_MANUAL_NS;
    OK(asked(&options));
    options.lateness_ns = 240 * SECOND / 7 + 1;
    refused(&options, LATELY_FIELD_LATENESS_NS, "lateness_ns = ", __LINE__);
    CHECK(strstr(error.message, "must be 0 to 34285714285 ns") != NULL);
    options.age_bits = 2;
    options.lateness_ns = 20 * SECOND + 1;
    refused(&options, LATELY_FIELD_LATENESS_NS, "lateness_ns = ", __LINE__);
    CHECK(strstr(error.message, "must be 0 to 20000000000 ns") != NULL);
    options.age_bits = 0;
    options.lateness_ns = 1;
    options.clock = 0;
    OK(lately_options_last(&options, 1000));
    refused(&options, LATELY_FIELD_LATENESS_NS, "lateness_ns = ", __LINE__);
    CHECK(strstr(error.message, "cannot be combined with window_keys") != NULL);
}

/* A struct with no room for the windows, or of no size, stays as it is; an older one with room is not written past. */
static void a_window_needs_room_in_the_struct(void) {
    static const size_t sizes[] = {0, sizeof(size_t), offsetof(lately_options, window_keys), 4104};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lately_options options = LATELY_OPTIONS_INIT;
        options.struct_size = sizes[i];
        STATUS(LATELY_ERR_STRUCT_SIZE, lately_options_window(&options, 1));
        STATUS(LATELY_ERR_STRUCT_SIZE, lately_options_last(&options, 1));
        CHECK(options.struct_size == sizes[i] && options.kind == 0 && options.window_ns == 0 && options.window_keys == 0);
    }
    lately_options older = LATELY_OPTIONS_INIT;
    older.struct_size = offsetof(lately_options, capacity);
    older.capacity = UNTOUCHED;
    OK(lately_options_last(&older, 5));
    CHECK(older.window_keys == 5 && older.capacity == UNTOUCHED && older.struct_size == offsetof(lately_options, capacity));
    OK(asked(&older));
}

static void the_ends_of_ranges_are_inside(void) {
    ACCEPTED(window_ns, 1);
    ACCEPTED(window_ns, UINT64_MAX);
    ACCEPTED(capacity, 1);
    ACCEPTED(error_rate, 0.5);
    ACCEPTED(max_step_ns, UINT64_MAX);
    ACCEPTED(max_slices, 1024);
    ACCEPTED(fill, 0.1);
    ACCEPTED(memory, UINT64_C(1) << 56);
    ACCEPTED(seed, UINT64_MAX);
    ACCEPTED(error_rate, -0.0);
}

int main(void) {
    init_gives_no_option();
    init_refuses_sizes_of_no_struct();
    sizes_of_no_struct_are_refused();
    a_smaller_struct_reads_as_zero_beyond_its_end();
    a_larger_struct_has_a_clean_tail();
    reserved_words_are_zero();
    kinds_and_choices();
    window_table_at_its_limit_forgets();
    numbers_out_of_range();
    not_a_number();
    options_of_other_kinds();
    contradictions();
    a_window_is_asked_for_in_one_call();
    lateness_is_of_a_window_of_time();
    a_window_needs_room_in_the_struct();
    the_ends_of_ranges_are_inside();
    return check_done("options");
}
