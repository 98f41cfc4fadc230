/* A race on purpose, to see ThreadSanitizer bark at one in C. */
#include <pthread.h>
#include <stddef.h>

static int number;

static void *add(void *nothing) {
    for (int i = 0; i < 100000; i++) {
        number++;
    }
    return nothing;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, add, NULL) != 0) {
        return 2;
    }
    add(NULL);
    return pthread_join(thread, NULL) == 0 && number > 0 ? 0 : 1;
}
