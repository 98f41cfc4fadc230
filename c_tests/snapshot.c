/* Snapshots through the ABI: buffers, limits, and what only a caller in C can say. What is in them is tested with the golden files,
 * and what is wrong in them by tests/snapshot_hostile.rs. */
#include "check.h"

#include <stdlib.h>

static lately_error error;

/* The bytes of a filter, to be freed. */
static uint8_t *snapshot_of(const lately_filter *filter, size_t *size) {
    size_t written = UNTOUCHED;
    OK(lately_filter_snapshot_size(filter, size));
    uint8_t *bytes = (uint8_t *)malloc(*size);
    OK(lately_filter_snapshot_write(filter, bytes, *size, &written));
    CHECK(written == *size);
    return bytes;
}

/* What loading comes to; the filter is freed. */
static lately_status loading(const uint8_t *bytes, size_t size, int64_t elapsed, const lately_load_options *options) {
    lately_filter *filter = NULL;
    error.struct_size = sizeof error;
    lately_status status = lately_filter_load(bytes, size, elapsed, options, &filter, &error);
    CHECK(error.code == status && (error.message[0] == 0) == (status == LATELY_OK));
    CHECK((filter != NULL) == (status == LATELY_OK));
    lately_filter_free(filter);
    return status;
}

/* A buffer of every length that is too short, and one that is longer than needed. */
static void buffers(const lately_filter *filter, const uint8_t *bytes, size_t size) {
    uint8_t *room = (uint8_t *)malloc(size + 1);
    size_t written = UNTOUCHED;
    const size_t shorts[] = {0, 1, 47, size / 2, size - 1};
    memset(room, 0xAA, size + 1);
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        written = UNTOUCHED;
        STATUS(LATELY_ERR_SHORT_BUFFER, lately_filter_snapshot_write(filter, room, shorts[i], &written));
        CHECK(written == size && room[0] == 0xAA);
    }
    STATUS(LATELY_ERR_SHORT_BUFFER, lately_filter_snapshot_write(filter, NULL, 0, &written));
    OK(lately_filter_snapshot_write(filter, room, size + 1, &written));
    CHECK(written == size && memcmp(room, bytes, size) == 0 && room[size] == 0xAA);
    free(room);
}

/* It takes the place of the one that the filter was saved with. What a filter does at it is in tests/suite/snapshot_growth.rs. */
static void a_new_limit(const uint8_t *bytes, size_t size, uint64_t memory) {
    lately_load_options given = LATELY_LOAD_OPTIONS_INIT;
    lately_options options = LATELY_OPTIONS_INIT;
    lately_filter *filter = NULL;
    given.new_memory = memory;
    OK(lately_filter_load(bytes, size, 0, &given, &filter, NULL));
    OK(lately_filter_options(filter, &options));
    CHECK(options.memory == memory);
    lately_filter_free(filter);
}

static void buffers_limits_and_elapsed_times(void) {
    lately_load_options plain = LATELY_LOAD_OPTIONS_INIT, options = LATELY_LOAD_OPTIONS_INIT;
    lately_filter *filter = new_manual();
    size_t size = 0;
    observe_at(filter, "a", 100 * SECOND);
    uint8_t *bytes = snapshot_of(filter, &size);
    buffers(filter, bytes, size);
    OK(loading(bytes, size, 0, &plain));
    STATUS(LATELY_ERR_CORRUPT, loading(bytes, size - 1, 0, &plain));
    options.memory = 8;
    STATUS(LATELY_ERR_TOO_LARGE, loading(bytes, size, 0, &options));
    char need[64];
    snprintf(need, sizeof need, "takes %" PRIu64 " bytes", stats_of(filter).bytes);
    CHECK(strstr(error.message, need) != NULL);
    options.memory = stats_of(filter).bytes;
    OK(loading(bytes, size, 0, &options));
    options.memory = 0;
    a_new_limit(bytes, size, stats_of(filter).bytes);
    options.secret_hi = 1;
    STATUS(LATELY_ERR_SECRET, loading(bytes, size, 0, &options));
    STATUS(LATELY_ERR_ELAPSED, loading(bytes, size, -1, &plain));
    STATUS(LATELY_ERR_ELAPSED, loading(bytes, size, LATELY_ELAPSED_UNKNOWN, &plain));
    STATUS(LATELY_ERR_ELAPSED, loading(bytes, size, INT64_MIN, &plain));
    OK(loading(bytes, size, INT64_MAX, &plain));
    STATUS(LATELY_ERR_OFFSETS, loading(bytes, SIZE_MAX, 0, &plain));
    STATUS(LATELY_ERR_MAGIC, loading(NULL, 0, 0, &plain));
    free(bytes);
    lately_filter_free(filter);
}

/* A struct of later versions. */
typedef struct {
    lately_load_options known;
    uint64_t unknown[2];
} longer;

static void sizes_and_tails(void) {
    lately_load_options plain = LATELY_LOAD_OPTIONS_INIT, options;
    longer later;
    lately_filter *filter = new_manual();
    size_t size = 0;
    uint8_t *bytes = snapshot_of(filter, &size);
    memset(&options, 0xFF, sizeof options);
    OK(lately_load_options_init(&options, sizeof options));
    CHECK(memcmp(&options, &plain, sizeof options) == 0);
    OK(lately_load_options_init(&later.known, sizeof later));
    OK(loading(bytes, size, 0, &later.known));
    later.unknown[1] = 1;
    STATUS(LATELY_ERR_STRUCT_SIZE, loading(bytes, size, 0, &later.known));
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_load_options_init(&options, 3));
    options.struct_size = 0;
    STATUS(LATELY_ERR_STRUCT_SIZE, loading(bytes, size, 0, &options));
    free(bytes);
    lately_filter_free(filter);
}

int main(void) {
    buffers_limits_and_elapsed_times();
    sizes_and_tails();
    return check_done("snapshot");
}
