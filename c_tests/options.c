/* lately_options: sizes, tails and reserved words. What is out of range is in tests/vectors/errors.txt. */
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
static void refused(const lately_options *options, uint32_t field, const char *name) {
    STATUS(LATELY_ERR_OPTION, asked(options));
    CHECK(error.code == LATELY_ERR_OPTION && error.field == field);
    CHECK(strncmp(error.message, name, strlen(name)) == 0 && strstr(error.message, ": ") != NULL);
}

static void init_gives_no_option(void) {
    longer later;
    lately_options options;
    lately_options zero = LATELY_OPTIONS_INIT;
    memset(&options, 0xFF, sizeof options);
    OK(lately_options_init(&options, sizeof options));
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_options_init(&options, sizeof options + 1));
    CHECK(memcmp(&options, &zero, sizeof options) == 0);
    memset(&later, 0xFF, sizeof later);
    OK(lately_options_init(&later.known, sizeof later));
    CHECK(later.known.struct_size == sizeof later && later.unknown[3] == 0);
    memset(&later, 0xFF, sizeof later);
    OK(lately_options_init(&later.known, sizeof(size_t)));
    CHECK(later.known.struct_size == sizeof(size_t) && later.known.kind == UINT32_MAX);
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
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0");
    options.struct_size = sizeof(size_t);
    refused(&options, LATELY_FIELD_KIND, "kind = 0");
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
    static const char *const messages[3] = {"reserved_0 = 1: must be 0", "reserved_1 = 1: must be 0", "reserved_2 = 1: must be 0"};
    for (int i = 0; i < 3; i++) {
        lately_options options = manual_options();
        *(i == 0 ? &options.reserved_0 : i == 1 ? &options.reserved_1 : &options.reserved_2) = 1;
        STATUS(LATELY_ERR_STRUCT_SIZE, asked(&options));
        CHECK(strcmp(error.message, messages[i]) == 0);
    }
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
    OK(lately_options_last(&options, 0));
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0");
    OK(lately_options_window(&options, 0));
    refused(&options, LATELY_FIELD_WINDOW_NS, "window_ns = 0");
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

int main(void) {
    init_gives_no_option();
    sizes_of_no_struct_are_refused();
    a_smaller_struct_reads_as_zero_beyond_its_end();
    a_larger_struct_has_a_clean_tail();
    reserved_words_are_zero();
    a_window_is_asked_for_in_one_call();
    a_window_needs_room_in_the_struct();
    return check_done("options");
}
