/* Every C test as one program, and once more as C++: c_tests/CMakeLists.txt makes one for each way to link. Each file is there with
 * its `main` under another name: `test_batch`, and `shared_batch` where SHARED made it speak of lately_shared.
 *   c_tests            runs all
 *   c_tests batch ...  the two of a file, or one by its whole name */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(void); int name##_is_of_shared(void);
#include "list.h"
#undef TEST

typedef struct {
    const char *name;
    int (*run)(void);
    int (*is_of_shared)(void);
} test;

#define TEST(name) {#name, name, name##_is_of_shared},
static const test tests[] = {
#include "list.h"
};
#undef TEST

#define TESTS (sizeof tests / sizeof *tests)

/* "shared_batch" is asked for by that name, and by "batch". */
static int is_asked(const test *one, const char *name) {
    return strcmp(one->name, name) == 0 || strcmp(strchr(one->name, '_') + 1, name) == 0;
}

/* Without SHARED a second test of the same handle would pass for one of the shared handle. */
static int has_its_handle(const test *one) {
    return one->is_of_shared() == (strncmp(one->name, "shared_", 7) == 0);
}

/* Runs those of this name; how many failed, or -1 if there is none. */
static int run(const char *name) {
    int ran = 0, failed = 0;
    for (size_t i = 0; i < TESTS; i++) {
        if (name == NULL || is_asked(&tests[i], name)) {
            int status = has_its_handle(&tests[i]) ? tests[i].run() : 1;
            ran++;
            if (status != 0) {
                failed++;
                fprintf(stderr, "%s failed\n", tests[i].name);
            }
        }
    }
    return ran > 0 ? failed : -1;
}

int main(int argc, char **argv) {
    int failed = argc > 1 ? 0 : run(NULL);
    for (int i = 1; i < argc; i++) {
        int of_name = run(argv[i]);
        if (of_name < 0) {
            fprintf(stderr, "no test is called %s\n", argv[i]);
            return 2;
        }
        failed += of_name;
    }
    return failed == 0 ? 0 : 1;
}
