/*
 * A program of musl opens the core and the glue of a jar, as a JVM on Alpine would, and asks the core.
 *   opens CORE GLUE
 */
#include <dlfcn.h>
#include <stdio.h>

#include <lately.h>

static void *opened(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    return library;
}

/* The first sight of a key is new, the second a duplicate: 0 if they are. */
static int asked(void *core)
{
    lately_status (*last)(lately_options *, uint64_t) = (lately_status (*)(lately_options *, uint64_t))dlsym(core, "lately_options_last");
    lately_status (*build)(const lately_options *, lately_shared **, lately_error *) =
        (lately_status (*)(const lately_options *, lately_shared **, lately_error *))dlsym(core, "lately_shared_new");
    lately_status (*observe)(lately_shared *, const void *, size_t, uint8_t *) =
        (lately_status (*)(lately_shared *, const void *, size_t, uint8_t *))dlsym(core, "lately_shared_observe");
    void (*end)(lately_shared *) = (void (*)(lately_shared *))dlsym(core, "lately_shared_free");
    lately_options options = LATELY_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    lately_shared *seen = NULL;
    uint8_t first = 7, second = 7;
    if (last == NULL || build == NULL || observe == NULL || end == NULL || last(&options, 0) != LATELY_OK
        || build(&options, &seen, &error) != LATELY_ERR_OPTION || error.message[0] == '\0') {
        return 1;
    }
    if (last(&options, 100) != LATELY_OK || build(&options, &seen, &error) != LATELY_OK
        || observe(seen, "a", 1, &first) != LATELY_OK || observe(seen, "a", 1, &second) != LATELY_OK) {
        return 1;
    }
    end(seen);
    return first != LATELY_NEW || second != LATELY_DUPLICATE;
}

int main(int count, char **words)
{
    void *core = count == 3 ? opened(words[1]) : NULL;
    void *glue = core == NULL ? NULL : opened(words[2]);
    if (glue == NULL || dlsym(glue, "Java_dev_lately_Native_create") == NULL || asked(core) != 0) {
        return 1;
    }
    puts("opened");
    return 0;
}
