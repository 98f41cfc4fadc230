/* The golden files of tests/golden (its README has the recipe): read, answered, written again and regenerated. */
#include "script.h"

/* A line of a table: cells apart by tabs. */
enum { CELLS = 7, KEYS_MOST = 4096, BYTES_MOST = 1 << 16 };

typedef struct {
    char text[LINE_MAX_BYTES];
    char *cells[CELLS];
} row;

static FILE *open_golden(const char *name, const char *mode) {
    char path[1024];
    snprintf(path, sizeof path, "%s/../golden/0.1/%s", VECTORS, name);
    FILE *file = fopen(path, mode);
    if (!CHECK(file != NULL)) {
        perror(path);
        exit(1);
    }
    return file;
}

/* The next row; 0 at the end. */
static int next_row(row *r, FILE *file) {
    if (fgets(r->text, sizeof r->text, file) == NULL) {
        return 0;
    }
    r->text[strcspn(r->text, "\n")] = 0;
    char *rest = r->text;
    for (int i = 0; i < CELLS; i++) {
        r->cells[i] = rest;
        size_t len = strcspn(rest, "\t");
        rest += len + (rest[len] != 0);
        r->cells[i][len] = 0;
    }
    return 1;
}

/* The options of a cell: words OPTION=NUMBER apart by spaces. */
static lately_options options_in(const char *cell) {
    script s = {{0}, {NULL}, 0, 0};
    snprintf(s.line, sizeof s.line, "%s", cell);
    for (char *word = strtok(s.line, " "); word != NULL; word = strtok(NULL, " ")) {
        s.words[s.count++] = word;
    }
    return options_of(&s, 0);
}

static void key_of(uint64_t number, uint8_t key[8]) {
    for (int i = 0; i < 8; i++) {
        key[i] = (uint8_t)(number >> (8 * i));
    }
}

/* The bytes of a golden file; how many. */
static size_t read_golden(const char *name, uint8_t *bytes) {
    char file_name[256];
    snprintf(file_name, sizeof file_name, "%s.lately", name);
    FILE *file = open_golden(file_name, "rb");
    size_t len = fread(bytes, 1, BYTES_MOST, file);
    CHECK(len > 0 && len < BYTES_MOST);
    fclose(file);
    return len;
}

static void is_golden(const lately_filter *filter, const uint8_t *golden, size_t len) {
    static uint8_t bytes[BYTES_MOST];
    size_t written = 0;
    OK(lately_filter_snapshot_write(filter, bytes, sizeof bytes, &written));
    CHECK(written == len && memcmp(bytes, golden, len) == 0);
}

/* A recipe is: name, options, keys, calls, start, step, removed. */
static void regenerate(const row *r, const uint8_t *golden, size_t len) {
    lately_options options = options_in(r->cells[1]);
    uint64_t number[CELLS];
    uint8_t key[8], verdict;
    for (int i = 2; i < CELLS; i++) {
        number[i] = number_of(r->cells[i]);
    }
    lately_filter *filter = new_filter(&options);
    for (uint64_t i = 0; i < number[3]; i++) {
        key_of(i % number[2], key);
        lately_status status = options.clock == LATELY_CLOCK_MANUAL_NS
            ? lately_filter_observe(filter, key, 8, number[4] + i * number[5], &verdict)
            : lately_filter_observe(filter, key, 8, LATELY_NOW, &verdict);
        OK(status);
    }
    for (uint64_t i = 0; i < number[6]; i++) {
        key_of(i, key);
        OK(lately_filter_remove(filter, key, 8, LATELY_NOW, &verdict));
        CHECK(verdict == 1);
    }
    is_golden(filter, golden, len);
    lately_filter_free(filter);
}

/* An answer is: name, elapsed_ns, a digit for each key. */
static void answers(const row *a, const lately_options *options, const uint8_t *golden, size_t len) {
    lately_load_options given = LATELY_LOAD_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;
    given.secret_lo = options->secret_lo;
    given.secret_hi = options->secret_hi;
    OK(lately_filter_load(golden, len, (int64_t)number_of(a->cells[1]), &given, &filter, &error));
    size_t keys = strlen(a->cells[2]), wrong = 0;
    CHECK(keys > 100 && keys < KEYS_MOST);
    for (size_t i = 0; i < keys; i++) {
        uint8_t key[8], verdict = UNTOUCHED;
        key_of(i, key);
        /* A tick below the clock is the clock, and one that had no tick yet has no now. */
        OK(lately_filter_contains(filter, key, 8, options->clock == LATELY_CLOCK_MANUAL_NS ? 0 : LATELY_NOW, &verdict));
        wrong += verdict != a->cells[2][i] - '0';
    }
    CHECK(wrong == 0);
    if (number_of(a->cells[1]) == 0) {
        is_golden(filter, golden, len);
    }
    lately_filter_free(filter);
}

/* All answers of the file that a recipe names; how many. */
static int all_answers(const row *r, const uint8_t *golden, size_t len) {
    static row answer;
    lately_options options = options_in(r->cells[1]);
    FILE *file = open_golden("answers.tsv", "r");
    int found = 0;
    while (next_row(&answer, file)) {
        if (strcmp(answer.cells[0], r->cells[0]) == 0) {
            answers(&answer, &options, golden, len);
            found++;
        }
    }
    fclose(file);
    return found;
}

int main(void) {
    static row recipe;
    static uint8_t golden[BYTES_MOST];
    FILE *file = open_golden("filters.tsv", "r");
    int files = 0;
    CHECK(next_row(&recipe, file)); /* the names of the columns */
    while (next_row(&recipe, file)) {
        size_t len = read_golden(recipe.cells[0], golden);
        regenerate(&recipe, golden, len);
        CHECK(all_answers(&recipe, golden, len) > 0);
        files++;
    }
    CHECK(files >= 26);
    fclose(file);
    return check_done("golden");
}
