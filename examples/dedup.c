/* Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
 * and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
 *
 *     cc examples/dedup.c $(pkg-config --cflags --libs lately) -o dedup && ./dedup <records
 */
#include <lately.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/* A line without its newline. */
typedef struct {
    char *bytes;
    size_t len, room;
} line;

static lately_filter *ten_seconds(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;

    options.clock = LATELY_CLOCK_MANUAL_MS;
    options.error_rate = 1e-3;
    if (lately_options_window(&options, 10 * LATELY_SECOND) != LATELY_OK
        || lately_filter_new(&options, &filter, &error) != LATELY_OK) {
        fprintf(stderr, "dedup: %s\n", error.message);
    }
    return filter;
}

/* Windows would rewrite line ends, and end the input at a byte 26. */
static void take_bytes_as_they_are(void) {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
}

static int append(line *to, int byte) {
    if (to->len == to->room) {
        size_t room = 2 * to->room + 128;
        char *bytes = realloc(to->bytes, room);
        if (bytes == NULL) {
            return 0;
        }
        to->bytes = bytes;
        to->room = room;
    }
    to->bytes[to->len++] = (char)byte;
    return 1;
}

/* Reads the next line; the last one may lack its newline. Returns 0 when there is none, or no memory for it. */
static int next_line(line *to) {
    int byte;

    to->len = 0;
    while ((byte = getchar()) != EOF && byte != '\n') {
        if (!append(to, byte)) {
            return 0;
        }
    }
    return byte != EOF || to->len > 0;
}

/* Prints the lines that are new; `*records` is how many there were. */
static lately_status print_first(lately_filter *filter, uint64_t *records) {
    lately_status status = LATELY_OK;
    line key = {0};

    while (status == LATELY_OK && next_line(&key)) {
        uint8_t verdict = LATELY_DUPLICATE;
        status = lately_filter_observe(filter, key.bytes, key.len, ++*records, &verdict);
        if (verdict == LATELY_NEW) {
            fwrite(key.bytes, 1, key.len, stdout);
            putchar('\n');
        }
    }
    free(key.bytes);
    return ferror(stdin) || feof(stdin) || status != LATELY_OK ? status : LATELY_ERR_NO_MEMORY;
}

static lately_status print_figures(const lately_filter *filter, uint64_t records) {
    lately_stats stats = LATELY_STATS_INIT;
    lately_status status = lately_filter_stats(filter, &stats);

    if (status == LATELY_OK) {
        printf("read=%" PRIu64 " new=%" PRIu64 " duplicate=%" PRIu64 " bytes=%" PRIu64 "\n", records, stats.new_count,
               stats.duplicate_count, stats.bytes);
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
    take_bytes_as_they_are();
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
