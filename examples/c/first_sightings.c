/* Prints the lines of standard input that were not seen within the last ten minutes, in 64 MiB at most.
 *
 *     cc first_sightings.c $(pkg-config --cflags --libs lately) -o first_sightings
 */
#include <lately.h>

#include <stdio.h>
#include <string.h>

static lately_filter *ten_minutes(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;

    options.kind = LATELY_KIND_TIME_LIMITED;
    options.window_ns = 600 * UINT64_C(1000000000);
    options.memory = 64u << 20;
    if (lately_filter_new(&options, &filter, &error) != LATELY_OK) {
        fprintf(stderr, "first_sightings: %s\n", error.message);
    }
    return filter;
}

int main(void) {
    lately_filter *filter = ten_minutes();
    lately_status status = filter == NULL ? LATELY_ERR_NULL : LATELY_OK;
    char line[4096];

    while (status == LATELY_OK && fgets(line, sizeof line, stdin) != NULL) {
        uint8_t verdict;
        status = lately_filter_observe(filter, (const uint8_t *)line, strlen(line), &verdict);
        if (status == LATELY_OK && verdict == LATELY_NEW) {
            fputs(line, stdout);
        }
    }
    if (status != LATELY_OK) {
        fprintf(stderr, "first_sightings: %s\n", lately_status_name(status));
    }
    lately_filter_free(filter);
    return status == LATELY_OK ? 0 : 1;
}
