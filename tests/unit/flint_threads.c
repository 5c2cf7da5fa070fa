/* What FLINT keeps for a thread is freed when the thread ends, once, if it had areas or critical values
 * decided by FLINT. A thread that did not use FLINT does not call it either. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/flint.h"
#include "costab/area.h"
#include "support/planar.h"

static atomic_int cleanups;

/* In the place of FLINT's own, which it calls. */
void flint_cleanup(void) {
    void (*own)(void);
    *(void **)&own = dlsym(RTLD_NEXT, "flint_cleanup");
    assert_non_null(own);
    atomic_fetch_add(&cleanups, 1);
    own();
}

static void *areas(void *context) {
    costab_error error = {.message = ""};
    costab_areas found;
    return costab_planar_areas(context, 0.5, &found, &error) == COSTAB_OK && found.ss > 0 ? context : NULL;
}

static void *critical(void *context) {
    static const costab_critical_options options = {.low = -8, .high = 8};
    costab_error error = {.message = ""};
    costab_critical found[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    return costab_planar_critical(context, &options, found, &count, &error) == COSTAB_OK ? context : NULL;
}

/* How often it was called by the end of a thread that does this. */
static int cleanups_of(void *(*body)(void *), costab_planar planar) {
    pthread_t thread;
    void *done = NULL;
    int before = atomic_load(&cleanups);
    assert_int_equal(pthread_create(&thread, NULL, body, &planar), 0);
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_ptr_equal(done, &planar);
    return atomic_load(&cleanups) - before;
}

TEST(once_where_it_was_used) {
    for (int round = 0; round < 3; round++) {
        assert_int_equal(cleanups_of(areas, planar_named(COSTAB_CROSS, "rk4", 4, 4)), 1);
        assert_int_equal(cleanups_of(areas, planar_named(COSTAB_CROSS, "exact", 1, 1)), 1);
        assert_int_equal(cleanups_of(areas, planar_named(COSTAB_SIMULATION, "radau2", 1, 1)), 1);
        assert_int_equal(cleanups_of(critical, planar_named(COSTAB_CROSS, "euler", 2, 2)), 1);
    }
}

static void *point(void *context) {
    return point_at(context, 0.5, -2, 1).class_code == COSTAB_SS ? context : NULL;
}

TEST(not_where_it_was_not) {
    assert_int_equal(cleanups_of(point, planar_named(COSTAB_STRONG, "rk4", 1, 1)), 0);
}
