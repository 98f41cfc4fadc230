/* A panic becomes a status and poisons the handle: every verb is then POISONED, and only free works.
 * For the loop of `cargo test -p c_tests` alone: the function that panics is in no released artefact. */
#include "check.h"

#ifdef __cplusplus
extern "C"
#endif
lately_status lately_testing_panic(lately_filter *filter);

static const uint8_t key[1] = {'k'};
static const uint64_t hashes[1] = {1};
static uint8_t verdict = UNTOUCHED;
static uint64_t number = UNTOUCHED;
static size_t done;

static void poisoned_verbs(lately_filter *f) {
    lately_stats stats = LATELY_STATS_INIT;
    lately_filter *copy = NULL;
    STATUS(LATELY_ERR_POISONED, lately_filter_advance(f, 1));
    STATUS(LATELY_ERR_POISONED, lately_filter_clear(f));
    STATUS(LATELY_ERR_POISONED, lately_filter_copy(f, &copy));
    STATUS(LATELY_ERR_POISONED, lately_filter_stats(f, &stats));
    STATUS(LATELY_ERR_POISONED, lately_filter_stats_reset(f));
    STATUS(LATELY_ERR_POISONED, lately_filter_hash(f, key, 1, &number));
    STATUS(LATELY_ERR_POISONED, lately_filter_secret(f, &number, &number));
    STATUS(LATELY_ERR_POISONED, lately_filter_snapshot_size(f, &done));
    STATUS(LATELY_ERR_POISONED, lately_filter_snapshot_write(f, NULL, 0, &done));
    STATUS(LATELY_ERR_POISONED, lately_testing_panic(f));
    CHECK(copy == NULL);
}

static void poisoned_keys(lately_filter *f) {
    const lately_keys keys = lately_keys_hashes(hashes, 1);
    for (verb v = OBSERVE; v < VERBS; v = (verb)(v + 1)) {
        STATUS(LATELY_ERR_POISONED, many(v, f, &keys, NULL, &verdict, &done));
        STATUS(LATELY_ERR_POISONED, one(v, f, key, 1, LATELY_NOW, &verdict));
    }
    CHECK(done == 0);
}

static lately_status intruded = LATELY_OK;

/* A writer that does what it must not: it calls its handle. */
static size_t intrude(void *filter, const void *bytes, size_t len) {
    (void)bytes;
    if (intruded == LATELY_OK) {
        intruded = lately_filter_clear((lately_filter *)filter);
    }
    return len;
}

/* A library that is built with checks, as it is here, finds a second call in a filter with one owner, and calls it a panic. */
static void second_call_in_a_filter_of_one_owner_is_found(void) {
    lately_filter *filter = new_manual();
    CHECK(observe_at(filter, "before", 1) == LATELY_NEW);
    if (lately_filter_retain(filter) == LATELY_OK) {
        lately_filter_free(filter); /* a filter for threads: none of them is in the other's way */
    } else {
        OK(lately_filter_snapshot_pieces(filter, intrude, filter));
        CHECK(intruded == LATELY_ERR_PANIC);
        STATUS(LATELY_ERR_POISONED, lately_filter_clear(filter));
    }
    lately_filter_free(filter);
}

int main(void) {
    second_call_in_a_filter_of_one_owner_is_found();
    lately_filter *filter = new_manual();
    lately_filter *other = new_manual();
    CHECK(observe_at(filter, "before", 1) == LATELY_NEW);
    STATUS(LATELY_ERR_NULL, lately_testing_panic(NULL));
    STATUS(LATELY_ERR_PANIC, lately_testing_panic(filter));
    poisoned_verbs(filter);
    poisoned_keys(filter);
    CHECK(verdict == UNTOUCHED && number == UNTOUCHED);
    CHECK(observe_at(other, "after", 1) == LATELY_NEW);
    lately_filter_free(other);
    lately_filter_free(filter);
    return check_done("panic");
}
