/* A race on purpose, to see ThreadSanitizer bark at one in C.
 *
 * The thread adds once main has added: the sanitizer may miss two accesses at the same instant. The flag that says so is
 * relaxed, so it orders nothing, and the race stays one.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static int number;
static atomic_bool added;

static void *add_second(void *nothing) {
    while (!atomic_load_explicit(&added, memory_order_relaxed)) {
        sched_yield();
    }
    number++;
    return nothing;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, add_second, NULL) != 0) {
        return 2;
    }
    number++;
    atomic_store_explicit(&added, true, memory_order_relaxed);
    return pthread_join(thread, NULL) == 0 && number == 2 ? 0 : 1;
}
