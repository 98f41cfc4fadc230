/* Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
 * and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
 *
 *     cc examples/dedup.c $(pkg-config --cflags --libs lately) -o dedup && ./dedup <records
 */
#define _POSIX_C_SOURCE 200809L
#include <lately.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MILLISECOND UINT64_C(1000000)

static lately_filter *ten_seconds(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;

    options.kind = LATELY_KIND_TIME_LIMITED;
    options.clock = LATELY_CLOCK_MANUAL;
    options.window_ns = 10000 * MILLISECOND;
    options.error_rate = 1e-3;
    if (lately_filter_new(&options, &filter, &error) != LATELY_OK) {
        fprintf(stderr, "dedup: %s\n", error.message);
    }
    return filter;
}

/* Prints the lines that are new; `*records` is how many there were. */
static lately_status print_first(lately_filter *filter, uint64_t *records) {
    lately_status status = LATELY_OK;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    while (status == LATELY_OK && (len = getline(&line, &room, stdin)) > 0) {
        size_t key = (size_t)len - (line[len - 1] == '\n');
        uint8_t verdict = LATELY_DUPLICATE;
        status = lately_filter_observe_at(filter, (const uint8_t *)line, key, ++*records * MILLISECOND, &verdict);
        if (verdict == LATELY_NEW) {
            fwrite(line, 1, key, stdout);
            putchar('\n');
        }
    }
    free(line);
    return status;
}

static lately_status print_figures(const lately_filter *filter, uint64_t records) {
    lately_stats stats = LATELY_STATS_INIT;
    lately_status status = lately_filter_stats(filter, &stats);

    if (status == LATELY_OK) {
        printf("read=%" PRIu64 " new=%" PRIu64 " duplicate=%" PRIu64 " bytes=%" PRIu64 "\n", records, stats.news,
               stats.duplicates, stats.bytes);
    }
    return status;
}

int main(void) {
    lately_filter *filter = ten_seconds();
    uint64_t records = 0;
    lately_status status;

    if (filter == NULL) {
        return 1;
    }
    status = print_first(filter, &records);
    if (status == LATELY_OK) {
        status = print_figures(filter, records);
    }
    lately_filter_free(filter);
    if (status != LATELY_OK) {
        fprintf(stderr, "dedup: record %" PRIu64 ": %s\n", records, lately_status_name(status));
    }
    return status != LATELY_OK || ferror(stdin) || fflush(stdout) != 0;
}
