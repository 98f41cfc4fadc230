/*
 * The glue between dev.lately.Native and lately.h: every function copies in, makes one call, and copies out.
 *
 * Java has checked lengths and ranges before it comes here, and is inside the gate of the handle meanwhile, so that
 * nobody frees it. A failure becomes a pending exception, after which the function returns at once. Short keys come as
 * two words, arrays are copied by region, on the stack while they are small: no critical sections, nothing pinned, no
 * garbage collection held up. Direct buffers are used in place. Nothing is kept between calls, not even a class.
 *
 * What Java calls a handle is the address of a lately_filter.
 */
#include "lately_file.h" /* first: it asks strict C for POSIX */

#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dev_lately_KeyVerbs.h"
#include "dev_lately_Native.h"

/* Parameters that JNI passes and a function does not need. */
#define UNUSED __attribute__((unused))

/* Bytes of a single key, and words of a batch (256 keys of 8 bytes with ticks), that fit on the stack; and the most bytes of
 * UTF-8 that a unit of UTF-16 becomes. */
enum { SMALL_KEY = 1024, SMALL_BATCH = 1100, UTF8_OF_UNIT = 3 };

/* The order of the header is the order of the figures in Java. */
_Static_assert(sizeof(lately_stats) - offsetof(lately_stats, bytes) == 27 * 8, "Stats.java has 27 figures");
_Static_assert(sizeof(lately_plan_result) - offsetof(lately_plan_result, bytes) == 19 * 8, "Plan.java has 19 figures");
_Static_assert(sizeof(jlong) == sizeof(uint64_t) && dev_lately_Native_NOW == (jlong)LATELY_NOW, "a tick is a long");

/* ---- a filter and its verbs, by their numbers in Native.java ---- */

static lately_filter *filter_of(jlong handle)
{
    return (lately_filter *)(intptr_t)handle;
}

static lately_status act(jlong handle, jint verb, const uint8_t *key, size_t len, jlong tick, uint8_t *answer)
{
    lately_filter *filter = filter_of(handle);
    switch (verb) {
    case dev_lately_KeyVerbs_OBSERVE:
        return lately_filter_observe(filter, key, len, (uint64_t)tick, answer);
    case dev_lately_KeyVerbs_INSERT:
        return lately_filter_insert(filter, key, len, (uint64_t)tick);
    case dev_lately_KeyVerbs_CONTAINS:
        return lately_filter_contains(filter, key, len, (uint64_t)tick, answer);
    case dev_lately_KeyVerbs_REMOVE:
        return lately_filter_remove(filter, key, len, (uint64_t)tick, answer);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

/* The verbs that have more to say: the words are an age, or a token in the first. */
static lately_status act_more(jlong handle, jint verb, const uint8_t *key, size_t len, jlong tick, uint8_t *answer, uint64_t words[2])
{
    lately_filter *filter = filter_of(handle);
    lately_age age = { 0, 0 };
    lately_status status = LATELY_ERR_UNSUPPORTED;
    switch (verb) {
    case dev_lately_KeyVerbs_CLAIM:
        return lately_filter_claim(filter, key, len, (uint64_t)tick, answer, words);
    case dev_lately_KeyVerbs_COMMIT:
        return lately_filter_commit(filter, key, len, words[0], (uint64_t)tick, answer);
    case dev_lately_KeyVerbs_ABANDON:
        return lately_filter_abandon(filter, key, len, words[0]);
    case dev_lately_KeyVerbs_OBSERVE_AGE:
        status = lately_filter_observe_age(filter, key, len, (uint64_t)tick, answer, &age);
        break;
    case dev_lately_KeyVerbs_CONTAINS_AGE:
        status = lately_filter_contains_age(filter, key, len, (uint64_t)tick, answer, &age);
        break;
    default:
        break;
    }
    words[0] = age.at_least;
    words[1] = age.at_most;
    return status;
}

/* The arguments of a batch. */
typedef struct batch {
    lately_keys keys;
    const uint64_t *ticks;
    uint8_t *verdicts;
    size_t done;
} batch;

static lately_status act_on_many(jlong handle, jint verb, batch *b)
{
    lately_filter *filter = filter_of(handle);
    switch (verb) {
    case dev_lately_KeyVerbs_OBSERVE:
        return lately_filter_observe_many(filter, &b->keys, b->ticks, b->verdicts, &b->done);
    case dev_lately_KeyVerbs_INSERT:
        return lately_filter_insert_many(filter, &b->keys, b->ticks, &b->done);
    case dev_lately_KeyVerbs_CONTAINS:
        return lately_filter_contains_many(filter, &b->keys, b->ticks, b->verdicts, &b->done);
    case dev_lately_KeyVerbs_REMOVE:
        return lately_filter_remove_many(filter, &b->keys, b->ticks, b->verdicts, &b->done);
    default:
        return LATELY_ERR_UNSUPPORTED;
    }
}

/* ---- exceptions ---- */

/* The text as a byte[], so that Java decodes real UTF-8; NULL with an error pending if there is no memory. */
static jbyteArray text_bytes(JNIEnv *env, const char *text)
{
    jsize len = (jsize)strlen(text);
    jbyteArray bytes = (*env)->NewByteArray(env, len);
    if (bytes != NULL) {
        (*env)->SetByteArrayRegion(env, bytes, 0, len, (const jbyte *)text);
    }
    return bytes;
}

/* Leaves a LatelyException pending, or the JVM's own error if it cannot be made. The caller returns at once. */
static void fail(JNIEnv *env, lately_status code, uint32_t field, const char *text, size_t done)
{
    jclass type = (*env)->FindClass(env, "dev/lately/LatelyException");
    jmethodID make = type == NULL ? NULL : (*env)->GetMethodID(env, type, "<init>", "(II[BJ)V");
    jbyteArray detail = make == NULL ? NULL : text_bytes(env, text);
    if (detail == NULL) {
        return;
    }
    jobject error = (*env)->NewObject(env, type, make, (jint)code, (jint)field, detail, (jlong)done);
    if (!(*env)->ExceptionCheck(env)) {
        (*env)->Throw(env, (jthrowable)error);
    }
}

/* The end of a call that has no more to say than its status; whether it was done. */
static int finish(JNIEnv *env, lately_status status)
{
    if (status != LATELY_OK) {
        fail(env, status, 0, "", 0);
    }
    return status == LATELY_OK;
}

/* The same of a call that explains itself. */
static int explain(JNIEnv *env, lately_status status, const lately_error *error)
{
    if (status != LATELY_OK) {
        fail(env, status, error->field, error->message, 0);
    }
    return status == LATELY_OK;
}

static jint answered(JNIEnv *env, lately_status status, uint8_t answer)
{
    return finish(env, status) ? answer : 0;
}

/* The same of a call that packs both into one number. */
static jint unpacked(JNIEnv *env, int64_t both)
{
    return answered(env, (lately_status)(both >> 8), (uint8_t)both);
}

static void refuse(JNIEnv *env, const char *rule)
{
    jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, rule);
    }
}

/* ---- memory of one call ---- */

/* `size` bytes: the small ones that the caller has if they do, else from malloc; NULL if there are none. */
static void *borrow(void *small, size_t small_size, uint64_t size)
{
    if (size <= small_size) {
        return small;
    }
    return size > SIZE_MAX ? NULL : malloc((size_t)size);
}

static void give_back(void *small, void *taken)
{
    if (taken != small) {
        free(taken);
    }
}

static void no_memory(JNIEnv *env)
{
    fail(env, LATELY_ERR_NO_MEMORY, 0, "", 0);
}

/* A copy of the bytes of a key, to be given back; NULL with an exception pending if there is no memory. */
static uint8_t *copy_key(JNIEnv *env, uint8_t small[SMALL_KEY], jbyteArray key, jint start, jint length)
{
    uint8_t *copy = borrow(small, SMALL_KEY, (uint64_t)length);
    if (copy == NULL) {
        no_memory(env);
    } else {
        (*env)->GetByteArrayRegion(env, key, start, length, (jbyte *)copy);
    }
    return copy;
}

/* Written out, of which compilers make one store; a loop stays eight, for which the hash then waits. */
static void little_endian(uint64_t word, uint8_t bytes[8])
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
    bytes[4] = (uint8_t)(word >> 32);
    bytes[5] = (uint8_t)(word >> 40);
    bytes[6] = (uint8_t)(word >> 48);
    bytes[7] = (uint8_t)(word >> 56);
}

/* The bytes of a key of at most SHORT_KEY bytes, as ShortKeys.java cuts them. */
static void short_key(jlong head, jlong tail, size_t length, uint8_t key[dev_lately_Native_SHORT_KEY])
{
    little_endian((uint64_t)head, key);
    if (length > 8) {
        little_endian((uint64_t)tail, key + length - 8);
    }
}

/* The bytes from `start` of a direct buffer. */
static uint8_t *address(JNIEnv *env, jobject buffer, size_t start)
{
    uint8_t *base = buffer == NULL ? NULL : (*env)->GetDirectBufferAddress(env, buffer);
    return base == NULL ? NULL : base + start;
}

/* ---- options and plan ---- */

/* All options, by what they are in the struct: in Java each is the word at the number of its field. */
/* <options> */
#define OPTIONS(SMALL, LARGE, FRACTION) \
    SMALL(KIND, kind) \
    SMALL(CLOCK, clock) \
    SMALL(REPEAT, repeat) \
    SMALL(ON_LIMIT, on_limit) \
    LARGE(WINDOW_NS, window_ns) \
    LARGE(WINDOW_KEYS, window_keys) \
    LARGE(CAPACITY, capacity) \
    FRACTION(ERROR_RATE, error_rate) \
    FRACTION(MISS_RATE, miss_rate) \
    LARGE(MEMORY, memory) \
    LARGE(MAX_STEP_NS, max_step_ns) \
    SMALL(K, k) \
    SMALL(L, l) \
    SMALL(MAX_SLICES, max_slices) \
    FRACTION(FILL, fill) \
    SMALL(VARIANT, variant) \
    SMALL(FINGERPRINT_BITS, fingerprint_bits) \
    SMALL(SEMI_SORT, semi_sort) \
    SMALL(REMOVABLE, removable) \
    SMALL(BLOCK_BYTES, block_bytes) \
    SMALL(CHAINS, chains) \
    FRACTION(LOAD, load) \
    SMALL(KEYED, keyed) \
    LARGE(SEED, seed) \
    LARGE(SECRET_LO, secret_lo) \
    LARGE(SECRET_HI, secret_hi) \
    SMALL(AGE_BITS, age_bits) \
    LARGE(LATENESS_NS, lateness_ns) \
    LARGE(LEASE_NS, lease_ns) \
    LARGE(MAX_CLAIMS, max_claims)

/* How many words there are; the first is that of no option. */
enum { OPTION_WORDS = 31 };
/* </options> */

static void options_of(JNIEnv *env, jlongArray words, lately_options *options)
{
    jlong word[OPTION_WORDS];
    (*env)->GetLongArrayRegion(env, words, 0, OPTION_WORDS, word);
    *options = (lately_options)LATELY_OPTIONS_INIT;
#define SMALL_IN(FIELD, member) options->member = (uint32_t)word[LATELY_FIELD_##FIELD];
#define LARGE_IN(FIELD, member) options->member = (uint64_t)word[LATELY_FIELD_##FIELD];
#define FRACTION_IN(FIELD, member) memcpy(&options->member, &word[LATELY_FIELD_##FIELD], sizeof(double));
    OPTIONS(SMALL_IN, LARGE_IN, FRACTION_IN)
}

static void options_out(JNIEnv *env, jlongArray words, const lately_options *options)
{
    jlong word[OPTION_WORDS] = { 0 };
#define WHOLE_OUT(FIELD, member) word[LATELY_FIELD_##FIELD] = (jlong)options->member;
#define FRACTION_OUT(FIELD, member) memcpy(&word[LATELY_FIELD_##FIELD], &options->member, sizeof(double));
    OPTIONS(WHOLE_OUT, WHOLE_OUT, FRACTION_OUT)
    (*env)->SetLongArrayRegion(env, words, 0, OPTION_WORDS, word);
}

/* Figures go to Java as the words that they are in the struct. */
static void figures_out(JNIEnv *env, jlongArray out, const void *figures, size_t size)
{
    jlong words[32];
    memcpy(words, figures, size);
    (*env)->SetLongArrayRegion(env, out, 0, (jsize)(size / sizeof(jlong)), words);
}

JNIEXPORT void JNICALL Java_dev_lately_Native_plan(JNIEnv *env, UNUSED jclass self, jlongArray words, jlongArray out)
{
    lately_options options;
    lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
    lately_error error = LATELY_ERROR_INIT;
    options_of(env, words, &options);
    if (explain(env, lately_plan(&options, &plan, &error), &error)) {
        figures_out(env, out, &plan.bytes, sizeof plan - offsetof(lately_plan_result, bytes));
    }
}

/* ---- the life of a filter ---- */

/* The handle as Java keeps it; after a failure there is an exception instead. */
static jlong handed_out(JNIEnv *env, const lately_filter *filter, lately_status status, const lately_error *error)
{
    return explain(env, status, error) ? (jlong)(intptr_t)filter : 0;
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_create(JNIEnv *env, UNUSED jclass self, jlongArray words, jboolean shared)
{
    lately_options options;
    lately_error error = LATELY_ERROR_INIT;
    lately_filter *filter = NULL;
    options_of(env, words, &options);
    lately_status status = (shared ? lately_shared_new : lately_filter_new)(&options, &filter, &error);
    return handed_out(env, filter, status, &error);
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_copy(JNIEnv *env, UNUSED jclass self, jlong handle)
{
    const lately_error no_detail = LATELY_ERROR_INIT;
    lately_filter *copy = NULL;
    lately_status status = lately_filter_copy(filter_of(handle), &copy);
    return handed_out(env, copy, status, &no_detail);
}

JNIEXPORT void JNICALL Java_dev_lately_Native_retain(JNIEnv *env, UNUSED jclass self, jlong handle)
{
    finish(env, lately_filter_retain(filter_of(handle)));
}

JNIEXPORT void JNICALL Java_dev_lately_Native_free(UNUSED JNIEnv *env, UNUSED jclass self, jlong handle)
{
    lately_filter_free(filter_of(handle));
}

JNIEXPORT void JNICALL Java_dev_lately_Native_advance(JNIEnv *env, UNUSED jclass self, jlong handle, jlong tick)
{
    finish(env, lately_filter_advance(filter_of(handle), (uint64_t)tick));
}

JNIEXPORT void JNICALL Java_dev_lately_Native_clear(JNIEnv *env, UNUSED jclass self, jlong handle)
{
    finish(env, lately_filter_clear(filter_of(handle)));
}

JNIEXPORT void JNICALL Java_dev_lately_Native_stats(JNIEnv *env, UNUSED jclass self, jlong handle, jlongArray out)
{
    lately_stats stats = LATELY_STATS_INIT;
    if (finish(env, lately_filter_stats(filter_of(handle), &stats))) {
        figures_out(env, out, &stats.bytes, sizeof stats - offsetof(lately_stats, bytes));
    }
}

JNIEXPORT void JNICALL Java_dev_lately_Native_options(JNIEnv *env, UNUSED jclass self, jlong handle, jlongArray words)
{
    lately_options options = LATELY_OPTIONS_INIT;
    if (finish(env, lately_filter_options(filter_of(handle), &options))) {
        options_out(env, words, &options);
    }
}

JNIEXPORT jstring JNICALL Java_dev_lately_Native_describe(JNIEnv *env, UNUSED jclass self, jlong handle)
{
    char text[128] = "";
    lately_status status = lately_filter_describe(filter_of(handle), text, sizeof text);
    return finish(env, status) ? (*env)->NewStringUTF(env, text) : NULL;
}

JNIEXPORT void JNICALL Java_dev_lately_Native_statsReset(JNIEnv *env, UNUSED jclass self, jlong handle)
{
    finish(env, lately_filter_stats_reset(filter_of(handle)));
}

JNIEXPORT void JNICALL Java_dev_lately_Native_secret(JNIEnv *env, UNUSED jclass self, jlong handle, jlongArray out)
{
    uint64_t words[2];
    if (finish(env, lately_filter_secret(filter_of(handle), &words[0], &words[1]))) {
        figures_out(env, out, words, sizeof words);
    }
}

/* ---- one key; the status and, below it, the answer ---- */

static int64_t packed(lately_status status, uint8_t answer)
{
    return (int64_t)status * 256 + (status == LATELY_OK ? answer : 0);
}

static int64_t on_key(jlong handle, jint verb, const uint8_t *key, size_t len, jlong tick)
{
    uint8_t answer = 0;
    lately_status status = act(handle, verb, key, len, tick, &answer);
    return packed(status, answer);
}

static int64_t on_short(jlong handle, jint verb, jlong head, jlong tail, size_t len, jlong tick)
{
    uint8_t key[dev_lately_Native_SHORT_KEY];
    short_key(head, tail, len, key);
    return on_key(handle, verb, key, len, tick);
}

/* A batch of one hash, of which the header has no single verbs. */
static int64_t on_hash(jlong handle, jint verb, jlong hash, jlong tick)
{
    uint8_t answer = 0;
    uint64_t word = (uint64_t)hash, when = (uint64_t)tick;
    batch b = { .keys = lately_keys_hashes(&word, 1), .ticks = when == LATELY_NOW ? NULL : &when, .verdicts = &answer };
    lately_status status = act_on_many(handle, verb, &b);
    return packed(status, answer);
}

/* The same for Java 22 and later (src/main/java22), which need no JNIEnv. A key stays where it is for the time of the call. */

JNIEXPORT int64_t lately_jni_key(int64_t handle, int32_t verb, const uint8_t *key, int64_t length, int64_t tick)
{
    return on_key(handle, verb, key, (size_t)length, tick);
}

JNIEXPORT int64_t lately_jni_short(int64_t handle, int32_t verb, int64_t head, int64_t tail, int64_t length, int64_t tick)
{
    return on_short(handle, verb, head, tail, (size_t)length, tick);
}

JNIEXPORT int64_t lately_jni_hash(int64_t handle, int32_t verb, int64_t hash, int64_t tick)
{
    return on_hash(handle, verb, hash, tick);
}

/* ---- one key, by JNI ---- */

JNIEXPORT jint JNICALL Java_dev_lately_Native_bytes(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jbyteArray key,
                                                    jint start, jint length, jlong tick)
{
    uint8_t small[SMALL_KEY];
    uint8_t *copy = copy_key(env, small, key, start, length);
    if (copy == NULL) {
        return 0;
    }
    int64_t both = on_key(handle, verb, copy, (size_t)length, tick);
    give_back(small, copy);
    return unpacked(env, both);
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_shortKey(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jlong head,
                                                       jlong tail, jint length, jlong tick)
{
    return unpacked(env, on_short(handle, verb, head, tail, (size_t)length, tick));
}

/* ASCII as bytes; whether it was. Whole, so that the compiler makes vectors of it: 40 characters are three of them. */
static int ascii(const jchar *units, size_t count, uint8_t *bytes)
{
    jchar all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= units[i];
        bytes[i] = (uint8_t)units[i];
    }
    return all < 0x80;
}

/* The code point that begins at the unit, and in `*taken` how many units it is; a surrogate without its other half is '?', as
 * Java's own encoder has it. */
static uint32_t code_point(const jchar *units, size_t count, size_t *taken)
{
    uint32_t first = units[0];
    *taken = 1;
    if (first < 0xD800 || first > 0xDFFF) {
        return first;
    }
    if (first > 0xDBFF || count < 2 || units[1] < 0xDC00 || units[1] > 0xDFFF) {
        return '?';
    }
    *taken = 2;
    return 0x10000 + ((first - 0xD800) << 10) + (units[1] - 0xDC00u);
}

/* One code point in UTF-8; its length. */
static size_t utf8_of(uint32_t point, uint8_t *bytes)
{
    if (point < 0x80) {
        bytes[0] = (uint8_t)point;
        return 1;
    }
    size_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    for (size_t i = more; i > 0; i--) {
        bytes[i] = (uint8_t)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    bytes[0] = (uint8_t)(0xFF00 >> (more + 1) | point);
    return more + 1;
}

/* UTF-16 in UTF-8, which has UTF8_OF_UNIT bytes of room for each unit; its length. */
static size_t utf8(const jchar *units, size_t count, uint8_t *bytes)
{
    if (ascii(units, count, bytes)) {
        return count;
    }
    size_t length = 0, taken;
    for (size_t i = 0; i < count; i += taken) {
        length += utf8_of(code_point(units + i, count - i, &taken), bytes + length);
    }
    return length;
}

/* The JVM gives out the characters of a string, which it keeps as one byte or two, by copying them. */
JNIEXPORT jint JNICALL Java_dev_lately_Native_text(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jstring key,
                                                   jint length, jlong tick)
{
    jchar units[dev_lately_Native_SHORT_TEXT];
    uint8_t bytes[UTF8_OF_UNIT * dev_lately_Native_SHORT_TEXT];
    (*env)->GetStringRegion(env, key, 0, length, units);
    size_t size = utf8(units, (size_t)length, bytes);
    return unpacked(env, on_key(handle, verb, bytes, size, tick));
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_more(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jbyteArray key,
                                                   jint start, jint length, jlong tick, jlongArray words)
{
    uint8_t small[SMALL_KEY], answer = 0;
    uint64_t word[2];
    uint8_t *copy = copy_key(env, small, key, start, length);
    if (copy == NULL) {
        return 0;
    }
    (*env)->GetLongArrayRegion(env, words, 0, 2, (jlong *)word);
    lately_status status = act_more(handle, verb, copy, (size_t)length, tick, &answer, word);
    give_back(small, copy);
    figures_out(env, words, word, sizeof word);
    return answered(env, status, answer);
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_direct(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jobject key,
                                                     jint start, jint length, jlong tick)
{
    return unpacked(env, on_key(handle, verb, address(env, key, (size_t)start), (size_t)length, tick));
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_hashed(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jlong hash,
                                                     jlong tick)
{
    return unpacked(env, on_hash(handle, verb, hash, tick));
}

/* ---- hashes ---- */

static jlong hashed(JNIEnv *env, jlong handle, const uint8_t *key, size_t len)
{
    uint64_t hash = 0;
    finish(env, lately_filter_hash(filter_of(handle), key, len, &hash));
    return (jlong)hash;
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_hashBytes(JNIEnv *env, UNUSED jclass self, jlong handle, jbyteArray key, jint start,
                                                         jint length)
{
    uint8_t small[SMALL_KEY];
    uint8_t *copy = copy_key(env, small, key, start, length);
    if (copy == NULL) {
        return 0;
    }
    jlong hash = hashed(env, handle, copy, (size_t)length);
    give_back(small, copy);
    return hash;
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_hashDirect(JNIEnv *env, UNUSED jclass self, jlong handle, jobject key, jint start,
                                                          jint length)
{
    return hashed(env, handle, address(env, key, (size_t)start), (size_t)length);
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_hashWord(JNIEnv *env, UNUSED jclass self, jlong handle, jlong key)
{
    uint8_t bytes[8];
    little_endian((uint64_t)key, bytes);
    return hashed(env, handle, bytes, sizeof bytes);
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_hash64(JNIEnv *env, UNUSED jclass self, jbyteArray bytes, jint length, jlong seed)
{
    uint8_t small[SMALL_KEY];
    uint8_t *copy = copy_key(env, small, bytes, 0, length);
    if (copy == NULL) {
        return 0;
    }
    uint64_t hash = lately_hash64(copy, (size_t)length, (uint64_t)seed);
    give_back(small, copy);
    return (jlong)hash;
}

/* ---- batches ---- */

/* Room for the copies of one batch in one block: words first, so that all are aligned. */
typedef struct desk {
    uint64_t small[SMALL_BATCH];
    uint64_t *block;
    uint64_t *next;
} desk;

/* Begins a desk of that many words and bytes; 0 with an exception pending if there is no memory. */
static int desk_open(JNIEnv *env, desk *d, uint64_t words, uint64_t bytes)
{
    d->block = borrow(d->small, sizeof d->small, words * sizeof(uint64_t) + bytes);
    d->next = d->block;
    if (d->block == NULL) {
        no_memory(env);
    }
    return d->block != NULL;
}

static uint64_t *desk_words(desk *d, size_t count)
{
    uint64_t *words = d->next;
    d->next += count;
    return words;
}

/* The next `count` words of the desk, filled from an array; NULL for no array. */
static const uint64_t *desk_copy(JNIEnv *env, desk *d, jlongArray from, size_t count)
{
    if (from == NULL) {
        return NULL;
    }
    uint64_t *words = desk_words(d, count);
    (*env)->GetLongArrayRegion(env, from, 0, (jsize)count, (jlong *)words);
    return words;
}

static void desk_close(desk *d)
{
    give_back(d->small, d->block);
}

/* Hands the verdicts of the keys done to Java, clears the desk, and tells of a failure. */
static void batch_end(JNIEnv *env, desk *d, const batch *b, jbyteArray verdicts, lately_status status)
{
    if (verdicts != NULL) {
        (*env)->SetByteArrayRegion(env, verdicts, 0, (jsize)b->done, (const jbyte *)b->verdicts);
    }
    desk_close(d);
    if (status != LATELY_OK) {
        fail(env, status, 0, "", b->done);
    }
}

/* Numbers, or hashes. */
JNIEXPORT void JNICALL Java_dev_lately_Native_words(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jboolean are_hashes,
                                                    jlongArray words, jlongArray ticks, jbyteArray verdicts)
{
    desk d;
    size_t n = (size_t)(*env)->GetArrayLength(env, words);
    if (!desk_open(env, &d, 2 * (uint64_t)n, n)) {
        return;
    }
    const uint64_t *copy = desk_copy(env, &d, words, n);
    batch b = { .keys = are_hashes ? lately_keys_hashes(copy, n) : lately_keys_u64s(copy, n) };
    b.ticks = desk_copy(env, &d, ticks, n);
    b.verdicts = (uint8_t *)d.next;
    batch_end(env, &d, &b, verdicts, act_on_many(handle, verb, &b));
}

/* A part of an array. */
typedef struct span {
    uint64_t start;
    size_t len;
} span;

/* The bytes from the first offset to the last: what the keys take of an array of `len` bytes. Where the two do not fit
 * the array it is empty and starts at 0: the library refuses the offsets, for the last one is past the end. */
static span keys_span(JNIEnv *env, jlongArray offsets, size_t n, size_t len)
{
    jlong first = 0, last = 0;
    (*env)->GetLongArrayRegion(env, offsets, 0, 1, &first);
    (*env)->GetLongArrayRegion(env, offsets, (jsize)n, 1, &last);
    span none = { 0, 0 };
    span keys = { (uint64_t)first, (size_t)(last - first) };
    return first < 0 || last < first || (uint64_t)last > len ? none : keys;
}

/* The next `count` offsets of the desk, from the start of a span. */
static const uint64_t *desk_offsets(JNIEnv *env, desk *d, jlongArray offsets, size_t count, uint64_t start)
{
    uint64_t *shifted = desk_words(d, count);
    (*env)->GetLongArrayRegion(env, offsets, 0, (jsize)count, (jlong *)shifted);
    for (size_t i = 0; i < count; i++) {
        shifted[i] -= start;
    }
    return shifted;
}

/* On the desk are offsets, ticks, then bytes: verdicts, keys, and which of them are present. */
JNIEXPORT void JNICALL Java_dev_lately_Native_packed(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jbyteArray bytes,
                                                     jlongArray offsets, jbyteArray present, jlongArray ticks, jbyteArray verdicts)
{
    desk d;
    size_t n = (size_t)(*env)->GetArrayLength(env, offsets) - 1;
    size_t bits = present == NULL ? 0 : (n + 7) / 8;
    span keys = keys_span(env, offsets, n, (size_t)(*env)->GetArrayLength(env, bytes));
    if (!desk_open(env, &d, 2 * (uint64_t)n + 1, (uint64_t)n + keys.len + bits)) {
        return;
    }
    const uint64_t *shifted = desk_offsets(env, &d, offsets, n + 1, keys.start);
    batch b = { .ticks = desk_copy(env, &d, ticks, n) };
    b.verdicts = (uint8_t *)d.next;
    uint8_t *copy = b.verdicts + n, *validity = copy + keys.len;
    (*env)->GetByteArrayRegion(env, bytes, (jsize)keys.start, (jsize)keys.len, (jbyte *)copy);
    if (present == NULL) {
        b.keys = lately_keys_packed(copy, keys.len, shifted, n);
    } else {
        (*env)->GetByteArrayRegion(env, present, 0, (jsize)bits, (jbyte *)validity);
        b.keys = lately_keys_column64(copy, keys.len, (const int64_t *)shifted, validity, 0, n);
    }
    batch_end(env, &d, &b, verdicts, act_on_many(handle, verb, &b));
}

/* Whether `n` verdicts would be written into `len` bytes that are read. */
static int overlap(const batch *b, const void *at, size_t len)
{
    uintptr_t verdicts = (uintptr_t)b->verdicts, other = (uintptr_t)at;
    return b->verdicts != NULL && at != NULL && verdicts < other + len && other < verdicts + b->keys.count;
}

/* Whether the verdicts of a column lie on anything that it reads. */
static int overlaps(const batch *b, size_t offset_size)
{
    const lately_keys *k = &b->keys;
    return overlap(b, k->data, k->data_len) || overlap(b, k->offsets, offset_size * (k->count + 1))
        || overlap(b, k->validity, (k->validity_offset + k->count + 7) / 8) || overlap(b, b->ticks, 8 * k->count);
}

JNIEXPORT void JNICALL Java_dev_lately_Native_column(JNIEnv *env, UNUSED jclass self, jlong handle, jint verb, jobject bytes,
                                                     jint bytes_start, jint bytes_length, jobject offsets, jint offsets_start,
                                                     jint offset_bits, jobject validity, jlong validity_bit, jint count,
                                                     jobject ticks, jint ticks_start, jobject verdicts, jint verdicts_start)
{
    size_t width = (size_t)offset_bits / 8;
    lately_keys keys = { .struct_size = sizeof keys, .count = (size_t)count, .data = address(env, bytes, (size_t)bytes_start),
                         .data_len = (size_t)bytes_length, .offsets = address(env, offsets, width * (size_t)offsets_start),
                         .validity = address(env, validity, 0), .validity_offset = (size_t)validity_bit,
                         .form = width == 4 ? LATELY_KEYS_COLUMN32 : LATELY_KEYS_COLUMN64 };
    batch b = { .keys = keys, .ticks = (const uint64_t *)address(env, ticks, 8 * (size_t)ticks_start),
                .verdicts = address(env, verdicts, (size_t)verdicts_start) };
    if (overlaps(&b, width)) {
        refuse(env, "verdicts overlap another buffer");
        return;
    }
    lately_status status = act_on_many(handle, verb, &b);
    if (status != LATELY_OK) {
        fail(env, status, 0, "", b.done);
    }
}

/* ---- snapshots ---- */

/* The bytes of a snapshot outside of Java's heap, more than an array can hold if need be. Snapshot.java frees them. */
typedef struct block {
    uint8_t *bytes;
    size_t size;
    size_t room;
} block;

static block *block_of(jlong address)
{
    return (block *)(intptr_t)address;
}

/* Room for `room` bytes; 0 with an exception pending if there is none. */
static int block_grow(JNIEnv *env, block *b, size_t room)
{
    if (room <= b->room) {
        return 1;
    }
    uint8_t *bytes = realloc(b->bytes, room);
    if (bytes == NULL) {
        no_memory(env);
        return 0;
    }
    b->bytes = bytes;
    b->room = room;
    return 1;
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_block(JNIEnv *env, UNUSED jclass self)
{
    block *b = calloc(1, sizeof *b);
    if (b == NULL) {
        no_memory(env);
    }
    return (jlong)(intptr_t)b;
}

JNIEXPORT void JNICALL Java_dev_lately_Native_blockFree(UNUSED JNIEnv *env, UNUSED jclass self, jlong address)
{
    free(block_of(address)->bytes);
    free(block_of(address));
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_blockSize(UNUSED JNIEnv *env, UNUSED jclass self, jlong address)
{
    return (jlong)block_of(address)->size;
}

JNIEXPORT void JNICALL Java_dev_lately_Native_blockRead(JNIEnv *env, UNUSED jclass self, jlong address, jlong from, jbyteArray into,
                                                        jint length)
{
    (*env)->SetByteArrayRegion(env, into, 0, length, (const jbyte *)block_of(address)->bytes + from);
}

/* Room doubles, so that a long stream is not copied for every piece of it. */
JNIEXPORT void JNICALL Java_dev_lately_Native_blockAppend(JNIEnv *env, UNUSED jclass self, jlong address, jbyteArray bytes,
                                                          jint start, jint length)
{
    block *b = block_of(address);
    size_t size = b->size + (size_t)length;
    if (size > b->room && !block_grow(env, b, size < 2 * b->room ? 2 * b->room : size)) {
        return;
    }
    (*env)->GetByteArrayRegion(env, bytes, start, length, (jbyte *)b->bytes + b->size);
    b->size = size;
}

/* What other threads insert meanwhile can make a filter larger than the size that was returned: then the size is asked for again. */
JNIEXPORT void JNICALL Java_dev_lately_Native_snapshot(JNIEnv *env, UNUSED jclass self, jlong handle, jlong address)
{
    block *b = block_of(address);
    size_t size = 0;
    lately_status status = lately_filter_snapshot_size(filter_of(handle), &size);
    do {
        if (!block_grow(env, b, size)) {
            return;
        }
        status = lately_filter_snapshot_write(filter_of(handle), b->bytes, b->room, &size);
    } while (status == LATELY_ERR_SHORT_BUFFER);
    b->size = status == LATELY_OK ? size : 0;
    finish(env, status);
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_load(JNIEnv *env, UNUSED jclass self, jlong address, jlong elapsed, jlong memory,
                                                    jlong new_memory, jlong secret_lo, jlong secret_hi, jboolean shared)
{
    const block *b = block_of(address);
    lately_load_options options = LATELY_LOAD_OPTIONS_INIT;
    lately_error error = LATELY_ERROR_INIT;
    options.memory = (uint64_t)memory;
    options.new_memory = (uint64_t)new_memory;
    options.secret_lo = (uint64_t)secret_lo;
    options.secret_hi = (uint64_t)secret_hi;
    lately_filter *filter = NULL;
    lately_status status = (shared ? lately_shared_load : lately_filter_load)(b->bytes, b->size, elapsed, &options, &filter,
                                                                              &error);
    return handed_out(env, filter, status, &error);
}

/* ---- a filter in a file ---- */

/* A path as C has it, to be freed; NULL with an exception pending if there is no memory. */
static char *path_of(JNIEnv *env, jbyteArray path)
{
    jsize len = (*env)->GetArrayLength(env, path);
    char *text = calloc((size_t)len + 1, 1);
    if (text == NULL) {
        no_memory(env);
        return NULL;
    }
    (*env)->GetByteArrayRegion(env, path, 0, len, (jbyte *)text);
    return text;
}

/* Hands out the figures of a file: how far it is from the future, and the system's number of the error if it is one. */
static void file_out(JNIEnv *env, jlongArray out, uint64_t ahead_ns, lately_status status)
{
    const uint64_t figures[2] = { ahead_ns, status == LATELY_ERR_IO ? (uint64_t)errno : 0 };
    figures_out(env, out, figures, sizeof figures);
}

JNIEXPORT jlong JNICALL Java_dev_lately_Native_open(JNIEnv *env, UNUSED jclass self, jbyteArray path, jlongArray words,
                                                    jlongArray out)
{
    lately_options options;
    lately_error error = LATELY_ERROR_INIT;
    lately_opened opened = LATELY_OPENED_INIT;
    lately_filter *filter = NULL;
    char *text = path_of(env, path);
    if (text == NULL) {
        return 0;
    }
    options_of(env, words, &options);
    lately_status status = lately_shared_open(text, &options, &filter, &opened, &error);
    file_out(env, out, opened.ahead_ns, status);
    free(text);
    return handed_out(env, filter, status, &error);
}

JNIEXPORT void JNICALL Java_dev_lately_Native_save(JNIEnv *env, UNUSED jclass self, jlong handle, jbyteArray path, jlongArray out)
{
    lately_error error = LATELY_ERROR_INIT;
    char *text = path_of(env, path);
    if (text != NULL) {
        lately_status status = lately_filter_save(filter_of(handle), text, &error);
        file_out(env, out, 0, status);
        free(text);
        explain(env, status, &error);
    }
}

/* ---- versions and names ---- */

JNIEXPORT jint JNICALL Java_dev_lately_Native_glueVersion(UNUSED JNIEnv *env, UNUSED jclass self)
{
    return dev_lately_Native_GLUE;
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_abiVersion(UNUSED JNIEnv *env, UNUSED jclass self)
{
    return (jint)lately_abi_version();
}

JNIEXPORT jint JNICALL Java_dev_lately_Native_versionNumber(UNUSED JNIEnv *env, UNUSED jclass self)
{
    return (jint)lately_version_number();
}

JNIEXPORT jstring JNICALL Java_dev_lately_Native_versionString(JNIEnv *env, UNUSED jclass self)
{
    return (*env)->NewStringUTF(env, lately_version_string());
}

JNIEXPORT jstring JNICALL Java_dev_lately_Native_statusName(JNIEnv *env, UNUSED jclass self, jint code)
{
    return (*env)->NewStringUTF(env, lately_status_name(code));
}
