/* Critical values without FLINT against the same by FLINT: the ordinary cases are decided, and wherever
 * something is, both find the same. */
#include "planar/critical_quick.h"

#include <math.h>

#include "support/planar.h"

/* Whether it was decided; then FLINT must agree in every event, and in every digit. */
static bool decided(const costab_planar *planar, double low, double high) {
    static costab_critical critical[2][COSTAB_CRITICAL_MAX];
    critical_events quick = {.critical = critical[0], .search = COSTAB_SEARCH_COMPLETE},
                    slow = {.critical = critical[1], .search = COSTAB_SEARCH_COMPLETE};
    const costab_critical_options options = {.low = low, .high = high};
    bool sure = false;
    assert_int_equal(critical_quick(planar, &options, &quick, &sure, NULL), COSTAB_OK);
    if (!sure) {
        check_true(quick.count == 0 && !quick.full, "nothing is left where it is not decided");
        return false;
    }
    const char *scheme = costab_scheme_name(planar->scheme), *method = planar->method.name;
    assert_int_equal(critical_by_flint(planar, &options, &slow, NULL), COSTAB_OK);
    check_true(quick.count == slow.count, "%s with %s from %.17g to %.17g: %zu events, not %zu", scheme,
               method, low, high, quick.count, slow.count);
    for (size_t i = 0; i < quick.count; i++) {
        const costab_critical *a = &critical[0][i], *b = &critical[1][i];
        check_true(a->a == b->a && a->event == b->event && a->search == b->search,
                   "%s with %s from %.17g to %.17g: %s at %.17g, not %s at %.17g", scheme, method, low, high,
                   costab_event_name(a->event), a->a, costab_event_name(b->event), b->a);
    }
    return true;
}

static const char *const methods[] = {"euler", "heun", "ralston", "ssprk3",         "kutta3",     "rk4",
                                      "rk38",  "bs3",  "radau2",  "backward-euler", "trapezoidal"};

enum { METHODS = sizeof methods / sizeof methods[0] };

static void all_schemes(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
            const costab_planar planar = planar_named((costab_scheme)s, methods[m], 1, 1);
            check_true(decided(&planar, -8, 8), "%s with %s", costab_scheme_name(planar.scheme), methods[m]);
        }
}

/* Ranges that end at numbers of few digits, at numbers of many, next to a critical value and at one (0); near
 * and far. */
static void ranges(void **state) {
    (void)state;
    rng r = rng_start("ranges");
    const int rounds = (int)effort(40);
    int found = 0;
    for (int i = 0; i < rounds; i++) {
        const costab_planar planar = planar_named((costab_scheme)rng_int(&r, COSTAB_CROSS, COSTAB_STRONG),
                                                  methods[rng_int(&r, 0, METHODS - 1)], 1, 1);
        const double p = 2.785293563405282;
        const double ends[5][2] = {{rng_uniform(&r, -9, 0), rng_uniform(&r, 0.1, 9)},
                                   {rng_int(&r, -5, 0), rng_int(&r, 1, 7)},
                                   {-nextafter(p, i % 2 == 0 ? 0 : 4), nextafter(p, i % 2 == 0 ? 4 : 0)},
                                   {0, rng_uniform(&r, 0.1, 1)},
                                   {rng_uniform(&r, -1000, -100), rng_uniform(&r, 100, 1000)}};
        found += decided(&planar, ends[i % 5][0], ends[i % 5][1]);
    }
    check_true(found * 10 > rounds * 7, "%d of %d are decided", found, rounds);
}

static void random_tableaux(void **state) {
    (void)state;
    rng r = rng_start("random_tableaux");
    const int rounds = (int)effort(20);
    int found = 0;
    for (int i = 0; i < rounds; i++) {
        const costab_method method = method_random_exact(&r, rng_int(&r, 1, 3), i % 2 == 0);
        const costab_planar planar =
            planar_of((costab_scheme)rng_int(&r, COSTAB_CROSS, COSTAB_STRONG), &method, 1, 1);
        found += decided(&planar, rng_uniform(&r, -8, -1), rng_uniform(&r, 1, 8));
    }
    check_true(found * 2 > rounds, "%d of %d are decided", found, rounds);
}

/* What this way does not go is left, without events. */
static void others_are_left(void **state) {
    (void)state;
    const costab_planar many = planar_named(COSTAB_CROSS, "euler", 2, 1),
                        surds = planar_named(COSTAB_CROSS, "sdirk2", 1, 1);
    assert_false(decided(&many, -1, 1));
    assert_false(decided(&surds, -1, 1));
}

/* The third call ends it; before the end no share may be told, since all may have to be found again. */
static bool third(void *context, double share) {
    int *calls = context;
    check_true(share == 0, "a share of %g", share);
    *calls += 1;
    return *calls == 3;
}

static void a_watch_stops(void **state) {
    (void)state;
    costab_critical critical[COSTAB_CRITICAL_MAX];
    critical_events events = {.critical = critical, .search = COSTAB_SEARCH_COMPLETE};
    int calls = 0;
    bool sure = true;
    costab_error error;
    const costab_planar planar = planar_named(COSTAB_ZIGZAG, "rk4", 1, 1);
    const costab_critical_options options = {
        .low = -8, .high = 8, .progress = third, .progress_context = &calls};
    assert_int_equal(critical_quick(&planar, &options, &events, &sure, &error), COSTAB_CANCELLED);
    assert_int_equal(calls, 3);
    assert_false(sure);
    assert_int_equal(events.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_schemes), cmocka_unit_test(ranges),
                                       cmocka_unit_test(random_tableaux), cmocka_unit_test(others_are_left),
                                       cmocka_unit_test(a_watch_stops)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
