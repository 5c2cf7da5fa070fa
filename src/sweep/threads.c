/* Runs work on several threads. The caller starts its part at once, whenever the system starts the other
 * threads. OpenMP's parallel region would wait for all threads: if other cores sleep or are busy, that takes
 * longer than a sweep of milliseconds. If threads are to be bound to places (OMP_PROC_BIND, OMP_PLACES),
 * OpenMP starts them. */
#include "sweep/threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* Stack of a thread, as large as the first thread's on most systems. The default of other threads may be some
 * hundred kilobytes (macOS, musl, ulimit -s), too small for some evaluators. */
#define STACK_BYTES ((size_t)8 << 20)

typedef struct job {
    void (*work)(void *of);
    void *of;
} job;

static void *begin_other(void *context) {
    const job *j = context;
    j->work(j->of);
    return NULL;
}

static bool begin(pthread_t *other, job *j) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const bool began = pthread_create(other, &attributes, begin_other, j) == 0;
    (void)pthread_attr_destroy(&attributes);
    return began;
}

static void run_free(int threads, job j) {
    int started = 0;
    memory_local pthread_t *others = threads > 1 ? memory_alloc((size_t)threads - 1, sizeof *others) : NULL;
    while (others != NULL && started < threads - 1 && begin(&others[started], &j)) started++;
    j.work(j.of);
    for (int k = 0; k < started; k++) (void)pthread_join(others[k], NULL);
}

static void run_bound(int threads, job j) {
#pragma omp parallel num_threads(threads) default(none) shared(j)
    j.work(j.of);
}

void threads_run(int threads, void (*work)(void *of), void *of) {
    const job j = {work, of};
    if (omp_get_proc_bind() == omp_proc_bind_false)
        run_free(threads, j);
    else
        run_bound(threads, j);
}
