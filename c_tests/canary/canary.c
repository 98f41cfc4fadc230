/* Mistakes on purpose, by name: a test holds that the sanitizers, valgrind and the checks themselves see them. */
#include "check.h"

#include <limits.h>
#include <stdlib.h>

/* The library reads past the end of a key, because the caller lies about its length. */
static void overflow(void) {
    lately_filter *filter = new_manual();
    uint8_t *key = (uint8_t *)malloc(8);
    uint8_t verdict = 0;
    memset(key, 1, 8);
    OK(lately_filter_observe(filter, key, 64, LATELY_NOW, &verdict));
    free(key);
    lately_filter_free(filter);
}

static void leak(void) {
    CHECK(new_manual() != NULL);
}

static void undefined(int more) {
    volatile int number = INT_MAX;
    number = number + more;
}

int main(int argc, char **argv) {
    const char *mistake = argc > 1 ? argv[1] : "";
    if (strcmp(mistake, "overflow") == 0) {
        overflow();
    } else if (strcmp(mistake, "leak") == 0) {
        leak();
    } else if (strcmp(mistake, "undefined") == 0) {
        undefined(argc);
    } else {
        CHECK(argc == 0);
    }
    return check_done("canary");
}
