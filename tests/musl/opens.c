/*
 * A program of musl opens the native library of a jar, as a JVM on Alpine would, and asks it.
 *   opens LIBRARY
 */
#include <dlfcn.h>
#include <stdio.h>

#include <jni.h>

#include "dev_lately_KeyVerbs.h"
#include "dev_lately_Native.h"
#include "lately.h"

/* The numbers of a filter of the last 100 keys, at the numbers of their options; the array that is asked for them is none. */
static void JNICALL numbers(JNIEnv *env, jlongArray array, jsize start, jsize count, jlong *into)
{
    (void)env;
    (void)array;
    (void)start;
    for (jsize i = 0; i < count; i++) {
        into[i] = 0;
    }
    into[LATELY_FIELD_KIND] = 5; /* as lately_options_last has it */
    into[LATELY_FIELD_WINDOW_KEYS] = 100;
}

/* All of a JVM that the library needs to make a filter. */
static const struct JNINativeInterface_ jvm = { .GetLongArrayRegion = numbers };

/* The first sight of a key is new, the second a duplicate: 0 if they are. */
static int asked(void *library)
{
    jlong (*create)(JNIEnv *, jclass, jlongArray, jboolean) =
        (jlong (*)(JNIEnv *, jclass, jlongArray, jboolean))dlsym(library, "Java_dev_lately_Native_create");
    int64_t (*short_key)(int64_t, int32_t, int64_t, int64_t, int64_t, int64_t) =
        (int64_t (*)(int64_t, int32_t, int64_t, int64_t, int64_t, int64_t))dlsym(library, "lately_jni_short");
    void (*end)(JNIEnv *, jclass, jlong) = (void (*)(JNIEnv *, jclass, jlong))dlsym(library, "Java_dev_lately_Native_free");
    JNIEnv env = &jvm;
    if (create == NULL || short_key == NULL || end == NULL) {
        return 1;
    }
    jlong filter = create(&env, NULL, NULL, 1);
    int64_t first = short_key(filter, dev_lately_KeyVerbs_OBSERVE, 7, 0, 8, dev_lately_Native_NOW);
    int64_t second = short_key(filter, dev_lately_KeyVerbs_OBSERVE, 7, 0, 8, dev_lately_Native_NOW);
    end(&env, NULL, filter);
    return first != LATELY_NEW || second != LATELY_DUPLICATE;
}

int main(int count, char **words)
{
    void *library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (asked(library) != 0) {
        return 1;
    }
    puts("opened");
    return 0;
}
