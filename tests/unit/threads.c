/* The threads of a run: the caller's part and those of the others are all done once, when the call returns,
 * and each has room on its stack. It holds
 * whatever the environment asks of OpenMP, which may have fewer threads started (OMP_THREAD_LIMIT,
 * OMP_DYNAMIC, OMP_PROC_BIND). */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "costab/sweep.h"
#include "support/support.h"
#include "sweep/threads.h"

typedef struct seen {
    pthread_t caller;
    atomic_int first, others, count, wrong;
} seen;

static void first(void *of, int count) {
    seen *s = of;
    if (!pthread_equal(pthread_self(), s->caller)) atomic_fetch_add(&s->wrong, 1);
    atomic_store(&s->count, count);
    atomic_fetch_add(&s->first, 1);
}

/* Waits for the caller's part, which therefore does not wait for this one. */
static void other(void *of) {
    seen *s = of;
    if (pthread_equal(pthread_self(), s->caller)) atomic_fetch_add(&s->wrong, 1);
    while (atomic_load(&s->first) == 0) (void)sched_yield();
    atomic_fetch_add(&s->others, 1);
}

/* OpenMP starts them, and may start fewer. */
static bool bound(void) {
    return omp_get_proc_bind() != omp_proc_bind_false;
}

static int at_most(int threads) {
    return threads < omp_get_thread_limit() ? threads : omp_get_thread_limit();
}

TEST(every_part_once) {
    for (int round = 0; round < 40; round++) {
        for (int threads = 1; threads <= 9; threads++) {
            seen s = {.caller = pthread_self()};
            threads_run(threads, &(threads_work){first, other, &s});
            const bool all = s.count == threads || (bound() && s.count >= 1 && s.count < threads);
            check_true(s.first == 1 && all && s.others == s.count - 1 && s.wrong == 0,
                       "%d threads: %d first, %d of %d others, %d in the wrong thread", threads, s.first,
                       s.others, s.count - 1, s.wrong);
        }
    }
}

/* Within a program's own parallel region, whose threads have the processors, OpenMP would start no others. */
TEST(one_within_a_region) {
    int chosen = 0, asked = 0;
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2) default(none) shared(chosen, asked)
#pragma omp master
    {
        chosen = omp_get_num_threads() > 1 ? costab_run_threads(0, 100) : 1;
        asked = costab_run_threads(3, 100);
    }
    assert_int_equal(chosen, 1);
    assert_int_equal(asked, at_most(3));
    omp_set_num_threads(7);
    assert_int_equal(costab_run_threads(0, 100), at_most(7));
    assert_int_equal(costab_run_threads(0, 5), at_most(5));
}

#ifdef __GLIBC__
static void look_at_stack(void *of) {
    pthread_attr_t own;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &own) != 0) return;
    if (pthread_attr_getstacksize(&own, &size) == 0) atomic_store((atomic_size_t *)of, size);
    (void)pthread_attr_destroy(&own);
}

static void nothing(void *of, int count) {
    (void)of, (void)count;
}

/* Not as little as the system gives where nobody asks for more. */
TEST(room_on_the_stack) {
    if (bound()) skip(); /* OMP_STACKSIZE */
    pthread_attr_t before, little;
    atomic_size_t size = 0;
    assert_int_equal(pthread_getattr_default_np(&before), 0);
    assert_int_equal(pthread_getattr_default_np(&little), 0);
    assert_int_equal(pthread_attr_setstacksize(&little, (size_t)1 << 18), 0);
    assert_int_equal(pthread_setattr_default_np(&little), 0);
    threads_run(2, &(threads_work){nothing, look_at_stack, &size});
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    (void)pthread_attr_destroy(&before);
    (void)pthread_attr_destroy(&little);
    assert_true(size >= (size_t)4 << 20);
}
#endif
