/* Critical values without FLINT against the same by FLINT: the ordinary cases are decided, and wherever
 * something is, both find the same. */
#include "planar/critical_quick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
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

/* A tableau by rows: b[i], then A[i][..]. */
static costab_planar tableau(costab_scheme scheme, int stages, const char *const *text) {
    costab_entry A[25], b[5];
    costab_method method;
    for (int k = 0; k < stages * (stages + 1); k++) {
        const int row = k / (stages + 1), column = k % (stages + 1) - 1;
        *(column < 0 ? &b[row] : &A[row * stages + column]) = (costab_entry){text[k], strlen(text[k]), 0};
    }
    assert_int_equal(costab_method_from_entries(stages, A, b, NULL, &method, NULL), COSTAB_OK);
    assert_true(method.exact);
    return planar_of(scheme, &method, 1, 1);
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

/* Entries p / q; q up to 10^digits, or less where a row's sum would not be exact in 63 bits. */
static void random_fractions(rng *r, int rounds, int stages, int digits, int *found) {
    enum { WIDTH = 48 };
    char text[30][WIDTH];
    const char *entries[30];
    for (int i = 0; i < rounds; i++) {
        int rest = 3;
        for (int k = 0; k < stages * (stages + 1); k++) {
            const int row = k / (stages + 1), column = k % (stages + 1) - 1;
            const int b = row < stages - 1 ? rng_int(r, -6, 6) : rest;
            entries[k] = text[k];
            if (column < 0) {
                snprintf(text[k], WIDTH, "%d/3", b);
                rest -= b;
            } else if (i % 2 == 0 && column >= row) {
                snprintf(text[k], WIDTH, "0");
            } else {
                const int terms = i % 2 == 0 ? row : stages;
                const double most = pow(10, rng_uniform(r, 0.9, fmin(digits, 18.0 / terms)));
                snprintf(text[k], WIDTH, "%.0f/%.0f", rng_uniform(r, -most, most),
                         1 + rng_uniform(r, 0, most));
            }
        }
        const costab_planar planar =
            tableau((costab_scheme)rng_int(r, COSTAB_CROSS, COSTAB_STRONG), stages, entries);
        *found += decided(&planar, rng_int(r, -9, -1), rng_uniform(r, 1, 8));
    }
}

static void fractions(void **state) {
    (void)state;
    rng r = rng_start("fractions");
    const int rounds = (int)effort(15);
    int found = 0;
    for (int stages = 1; stages <= 3; stages++) random_fractions(&r, rounds, stages, 1, &found);
    check_true(found * 10 > rounds * 3 * 8, "%d of %d are decided", found, rounds * 3);
}

/* Numbers of hundreds of digits, beyond all doubles. */
static void large_entries(void **state) {
    (void)state;
    rng r = rng_start("large_entries");
    int found = 0;
    for (int stages = 1; stages <= 3; stages++) random_fractions(&r, (int)effort(4), stages, 9, &found);
}

/* How many such events are at a place, which is rounded. */
static int events_at(const costab_planar *planar, double low, double high, costab_event event, real place) {
    costab_critical critical[COSTAB_CRITICAL_MAX];
    const costab_critical_options options = {.low = low, .high = high};
    size_t count;
    int found = 0;
    assert_int_equal(costab_planar_critical(planar, &options, critical, &count, NULL), COSTAB_OK);
    for (size_t i = 0; i < count; i++)
        found += critical[i].event == event && fabsl(critical[i].a - place) <= 0x1p-50L * fabsl(place);
    return found;
}

/* phi = 1 - 77/10 z - 84/5 z^2 has two irrational roots, with stable points of US on both sides: US ends and
 * begins there. So it does where the denominator 1 - 2 z - 2/3 z^2 vanishes. */
static void phi_vanishes(void **state) {
    (void)state;
    static const char *const text[12] = {"-4/5", "0", "0",    "0",    "-3/5", "7/2",
                                         "0",    "0", "12/5", "-1/3", "-2",   "0"};
    static const char *const implicit[6] = {"2/5", "2", "2", "3/5", "1/3", "0"};
    const costab_planar planar = tableau(COSTAB_ZIGZAG, 3, text), other = tableau(COSTAB_ZIGZAG, 2, implicit);
    assert_true(decided(&planar, -8, 8));
    assert_true(decided(&other, 0, 1));
    for (int event = COSTAB_US_BEGINS; event <= COSTAB_US_ENDS; event++) {
        for (int sign = -1; sign <= 1; sign += 2)
            assert_int_equal(
                events_at(&planar, -8, 8, (costab_event)event, (-77 + sign * sqrtl(12649)) / 336), 1);
        assert_int_equal(events_at(&other, 0, 1, (costab_event)event, (sqrtl(15) - 3) / 2), 1);
    }
}

/* Next to -+1 / sqrt(8) and -+1 / sqrt(2) US lies in a strip beside Gamma = 0. There the strip's points are
 * stable, but on the other side of Gamma = 0: US is not shown to stay. */
static void strips_end_at_gamma(void **state) {
    (void)state;
    static const char *const text[2][12] = {
        {"5", "0", "0", "0", "4", "1", "0", "0", "-8", "1", "-1", "0"},
        {"-3/2", "0", "0", "0", "1", "1", "0", "0", "3/2", "-2/3", "4/3", "0"}};
    const real place[2] = {sqrtl(0.125L), sqrtl(0.5L)};
    for (int k = 0; k < 2; k++) {
        const costab_planar planar = tableau(COSTAB_STRONG, 3, text[k]);
        (void)decided(&planar, -4, 6);
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_int_equal(events_at(&planar, -4, 6, COSTAB_US_ENDS, sign * place[k]), 1);
            assert_int_equal(events_at(&planar, -4, 6, COSTAB_US_BEGINS, sign * place[k]), 1);
        }
    }
}

/* Near 1.47 the only piece of US splits at d = 5/8, which is the middle of it on one side: it is not said to
 * be undecided whether US stays. */
static void a_piece_splits(void **state) {
    (void)state;
    static const char *const text[12] = {"-2/5", "0", "0",   "0",  "0",    "-4/3",
                                         "0",    "0", "7/5", "-1", "-3/2", "0"};
    const costab_planar planar = tableau(COSTAB_STRONG, 3, text);
    assert_true(decided(&planar, -0.5, 7));
}

/* phi vanishes at -8/5, where US ends and begins, and with Gamma = 0 passes there at a = 8/5: at this number
 * exactly US has points, but none of those beside it. */
static void rational_places(void **state) {
    (void)state;
    static const char *const text[6] = {"1/2", "0", "0", "1/2", "1/4", "-1"};
    const costab_planar planar = tableau(COSTAB_STRONG, 2, text);
    assert_true(decided(&planar, -8, 8));
    for (int event = COSTAB_US_BEGINS; event <= COSTAB_US_ENDS; event++) {
        assert_int_equal(events_at(&planar, -8, 8, (costab_event)event, -1.6L), 1);
        assert_int_equal(events_at(&planar, -8, 8, (costab_event)event, 1.6L), 0);
    }
}

/* R = 1 + z + z^2 / 16 is -3 at -8 and more beside it; R = 1 at d = -16. There rows of the cross scheme have
 * lengths of about (3 + R(a)) / (d + 16): SS is infinite next to a = -8, on both sides, and not there. */
static void infinite_but_at_one_number(void **state) {
    (void)state;
    static const char *const text[6] = {"1/2", "0", "0", "1/2", "1/8", "0"};
    const costab_planar planar = tableau(COSTAB_CROSS, 2, text);
    assert_true(decided(&planar, -12, -5));
    assert_int_equal(events_at(&planar, -12, -5, COSTAB_SS_INFINITE_ENDS, -8), 1);
    assert_int_equal(events_at(&planar, -12, -5, COSTAB_SS_INFINITE_BEGINS, -8), 1);
}

/* Stages that take no part have a share in the denominator, whose roots are no places: 12 z + 5; 3 z + 2; and
 * of two such stages beside Euler's 1 - z - z^2, so that all must be as of Euler's method. */
static void stages_without_part(void **state) {
    (void)state;
    static const char *const text[2][6] = {{"-1", "-4", "6/5", "2", "-8/5", "-6/5"},
                                           {"0", "-3/2", "-1", "1", "0", "1/4"}};
    static const char *const euler[12] = {"1", "0", "0", "0", "0", "0", "1", "1", "0", "0", "1", "0"};
    const costab_planar cross = tableau(COSTAB_CROSS, 2, text[0]),
                        strong = tableau(COSTAB_STRONG, 2, text[1]);
    assert_true(decided(&cross, -4, 2));
    assert_true(decided(&strong, -4, 5));
    for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
        const costab_planar planar[2] = {tableau((costab_scheme)s, 3, euler),
                                         planar_named((costab_scheme)s, "euler", 1, 1)};
        assert_true(decided(&planar[0], -4, 4));
        static costab_critical critical[2][COSTAB_CRITICAL_MAX];
        size_t count[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(costab_planar_critical(&planar[k],
                                                    &(costab_critical_options){.low = -4, .high = 4},
                                                    critical[k], &count[k], NULL),
                             COSTAB_OK);
        assert_int_equal(count[0], count[1]);
        for (size_t i = 0; i < count[0]; i++)
            assert_true(critical[0][i].a == critical[1][i].a && critical[0][i].event == critical[1][i].event);
    }
}

/* Each allocation fails in turn: memory is said to be out, no event is left and no block. */
static void memory_fails(void **state) {
    (void)state;
    costab_critical critical[COSTAB_CRITICAL_MAX];
    costab_error error;
    const costab_planar planar = planar_named(COSTAB_STRONG, "heun", 1, 1);
    const costab_critical_options options = {.low = -3, .high = 3};
    costab_status status = COSTAB_MEMORY;
    size_t total;
    const size_t before = memory_kept(&total);
    long failed = 0;
    for (long k = 1; status == COSTAB_MEMORY; k++) {
        critical_events events = {.critical = critical, .search = COSTAB_SEARCH_COMPLETE};
        bool sure = true;
        memory_fail_at(k);
        status = critical_quick(&planar, &options, &events, &sure, &error);
        memory_fail_at(0);
        assert_int_equal(memory_kept(&total), before);
        check_true(sure == (status == COSTAB_OK) && sure == (events.count > 0), "allocation %ld", k);
        failed += status == COSTAB_MEMORY;
    }
    assert_int_equal(status, COSTAB_OK);
    check_true(failed > 20, "%ld allocations", failed);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_schemes),
                                       cmocka_unit_test(ranges),
                                       cmocka_unit_test(random_tableaux),
                                       cmocka_unit_test(others_are_left),
                                       cmocka_unit_test(fractions),
                                       cmocka_unit_test(large_entries),
                                       cmocka_unit_test(phi_vanishes),
                                       cmocka_unit_test(strips_end_at_gamma),
                                       cmocka_unit_test(a_piece_splits),
                                       cmocka_unit_test(rational_places),
                                       cmocka_unit_test(infinite_but_at_one_number),
                                       cmocka_unit_test(stages_without_part),
                                       cmocka_unit_test(memory_fails),
                                       cmocka_unit_test(a_watch_stops)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
