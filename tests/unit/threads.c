/* The threads of a run: the work is done once by each of them, one being the caller, when the call returns,
 * and each has its stack. This holds whatever the environment asks of OpenMP, which may have fewer
 * threads started (OMP_THREAD_LIMIT, OMP_DYNAMIC, OMP_PROC_BIND). */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "costab/sweep.h"
#include "support/support.h"
#include "sweep/run.h"
#include "sweep/threads.h"

typedef struct seen {
    pthread_t caller;
    atomic_int first, others;
} seen;

/* Others wait for the caller's part, which therefore does not wait for theirs. */
static void work(void *of) {
    seen *s = of;
    if (pthread_equal(pthread_self(), s->caller)) {
        atomic_fetch_add(&s->first, 1);
        return;
    }
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
            threads_run(threads, work, &s);
            const bool all = s.others == threads - 1 || (bound() && s.others < threads - 1);
            check_true(s.first == 1 && all, "%d threads: %d callers, %d others", threads, s.first, s.others);
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
typedef struct stack {
    pthread_t caller;
    atomic_size_t size; /* of the other thread's */
} stack;

static void look_at_stack(void *of) {
    stack *s = of;
    pthread_attr_t own;
    size_t size = 0;
    if (pthread_equal(pthread_self(), s->caller) || pthread_getattr_np(pthread_self(), &own) != 0) return;
    if (pthread_attr_getstacksize(&own, &size) == 0) atomic_store(&s->size, size);
    (void)pthread_attr_destroy(&own);
}

/* More than the system's default. */
TEST(room_on_the_stack) {
    if (bound()) skip(); /* OMP_STACKSIZE */
    pthread_attr_t before, little;
    stack s = {.caller = pthread_self()};
    assert_int_equal(pthread_getattr_default_np(&before), 0);
    assert_int_equal(pthread_getattr_default_np(&little), 0);
    assert_int_equal(pthread_attr_setstacksize(&little, (size_t)1 << 18), 0);
    assert_int_equal(pthread_setattr_default_np(&little), 0);
    threads_run(2, look_at_stack, &s);
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    (void)pthread_attr_destroy(&before);
    (void)pthread_attr_destroy(&little);
    assert_true(s.size >= (size_t)4 << 20);
}
#endif
