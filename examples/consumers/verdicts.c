/* Says of each line of standard input whether it is among the 20 lines before it: "new" or "duplicate". The number of
 * the line is its time. */
#include <lately.h>

#include <stdio.h>
#include <string.h>

static lately_filter *last_hundred(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;

    options.kind = LATELY_KIND_TIME_LIMITED;
    options.clock = LATELY_CLOCK_MANUAL_NS;
    options.window_ns = 20;
    options.error_rate = 0.2;
    if (lately_filter_new(&options, &filter, &error) != LATELY_OK) {
        fprintf(stderr, "verdicts: %s\n", error.message);
    }
    return filter;
}

int main(void) {
    lately_filter *filter = last_hundred();
    lately_status status = filter == NULL ? LATELY_ERR_NULL : LATELY_OK;
    uint64_t number = 0;
    char line[256];

    while (status == LATELY_OK && fgets(line, sizeof line, stdin) != NULL) {
        uint8_t verdict = LATELY_NEW;
        status = lately_filter_observe(filter, line, strcspn(line, "\n"), number++, &verdict);
        puts(verdict == LATELY_NEW ? "new" : "duplicate");
    }
    lately_filter_free(filter);
    return status == LATELY_OK ? 0 : 1;
}
