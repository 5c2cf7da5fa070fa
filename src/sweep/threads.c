/* The caller begins its own part at once, whenever the system lets the others begin. OpenMP's parallel region
 * would have it wait until all of them are there: on a machine whose other cores sleep or are busy, that is
 * longer than a sweep of milliseconds takes. Where threads are to be bound to places (OMP_PROC_BIND,
 * OMP_PLACES), OpenMP starts them. */
#include "sweep/threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* As much as a program's first thread has on most systems. What others have by themselves may be some hundred
 * kilobytes (macOS, musl, ulimit -s), which evaluators can exceed. */
#define STACK_BYTES ((size_t)8 << 20)

static void *begin_other(void *context) {
    const threads_work *work = context;
    work->other(work->of);
    return NULL;
}

static bool begin(pthread_t *other, threads_work *work) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const bool began = pthread_create(other, &attributes, begin_other, work) == 0;
    (void)pthread_attr_destroy(&attributes);
    return began;
}

static void run_first(const threads_work *work, int count) {
    if (work->first != NULL)
        work->first(work->of, count);
    else
        work->other(work->of);
}

static void run_free(int threads, threads_work work) {
    int started = 0;
    memory_local pthread_t *others = threads > 1 ? memory_alloc((size_t)threads - 1, sizeof *others) : NULL;
    while (others != NULL && started < threads - 1 && begin(&others[started], &work)) started++;
    run_first(&work, started + 1);
    for (int k = 0; k < started; k++) (void)pthread_join(others[k], NULL);
}

static void run_bound(int threads, threads_work work) {
#pragma omp parallel num_threads(threads) default(none) shared(work)
    if (omp_get_thread_num() == 0)
        run_first(&work, omp_get_num_threads());
    else
        work.other(work.of);
}

void threads_run(int threads, const threads_work *work) {
    if (omp_get_proc_bind() == omp_proc_bind_false)
        run_free(threads, *work);
    else
        run_bound(threads, *work);
}
