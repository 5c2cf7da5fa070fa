/* Frees FLINT's caches when a thread ends, by the destructor of a thread-specific key. */
#include "base/flint.h"

#include <pthread.h>
#include <stdbool.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_end;
static bool made;

static void forget(void *used) {
    (void)used;
    flint_cleanup();
}

static void make(void) {
    made = pthread_key_create(&at_end, forget) == 0;
}

void flint_free_at_thread_end(void) {
    if (pthread_once(&once, make) == 0 && made) (void)pthread_setspecific(at_end, &at_end);
}

/* The key goes with the library: at the end of a thread its destructor must not be called after unloading. */
__attribute__((destructor)) static void unload(void) {
    if (made) (void)pthread_key_delete(at_end);
}
