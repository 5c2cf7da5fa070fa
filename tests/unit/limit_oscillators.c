/* Complete limits of many oscillators, one of which decides; by several workers, and ended before the end. */
#include <float.h>
#include <math.h>

#include "costab/limit.h"
#include "find_limit.h"
#include "limit/limit.h"
#include "oscillators.h"

/* Damped oscillations as a coupling of first order leaves them: the first grows beyond H = 0.1. Where band is
 * not 0, one after the other grows. */
static oscillators fading(int count, double stiffer, double band) {
    oscillators o = {.count = count, .stiffer = stiffer};
    for (int k = 0; k < count; k++) {
        o.rate[k] = 0.01 + (band > 0 ? band : 0.02) * k;
        o.slope[k] = band > 0 || k == 0 ? -0.1 : -0.01;
    }
    return o;
}

/* f3 is of order H^190 at H = 0, of 60 oscillators H^7140: that decides nothing, and must cost nothing; nor
 * must that more and more of them grow beyond the limit. */
TEST(test_oscillators) {
    oscillators of[] = {fading(10, 0.3, 0), fading(OSCILLATORS_MAX, 0.03, 0),
                        fading(OSCILLATORS_MAX, 0.03, 5e-4), fading(OSCILLATORS_MAX, 0.03, 0)};
    (void)state;
    of[3].noise = 2e-12; /* moves the end by 2e-9 relative, as the rounding of a thousand states does */
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        costab_family family = {.at = on_oscillators, .context = &of[i]};
        costab_limit limit = find_limit(&family, 1e-6, 0.5);
        assert_int_equal(limit.count, 1);
        if (of[i].noise == 0)
            check_piece(&limit, 0, 1e-6, 0.1, COSTAB_END_RANGE, COSTAB_END_LIMIT, COSTAB_SS);
        else /* the rate passes 0 at a slope of 0.1, times H */
            check_near(limit.pieces[0].to, 0.1, of[i].noise / 0.01, "the end that rounding moves");
        check_true(limit.evaluations < 200, "%zu evaluations", limit.evaluations);
        costab_limit_free(&limit);
    }
}

/* An island where one oscillation of many grows, however small, is found. */
TEST(test_island) {
    static const double islands[] = {0.1, 1e-2, 1e-4};
    (void)state;
    for (size_t i = 0; i < sizeof islands / sizeof *islands; i++) {
        oscillators of = fading(OSCILLATORS_MAX, 0.03, 0);
        of.at = 0.2;
        of.half = islands[i];
        of.depth = 1;
        costab_family family = {.at = on_oscillators, .context = &of};
        costab_limit limit = find_limit(&family, 1e-3, 0.5);
        assert_int_equal(limit.count, 2);
        /* The modulus changes by 0.4 islands[i] where H changes by 1, and is known to some eps. */
        real bound = 2e-13L + 8 * (real)DBL_EPSILON / (0.4L * (real)islands[i]);
        check_near(limit.pieces[0].to, 0.2 - islands[i], bound, "begin of island %zu", i);
        check_near(limit.pieces[1].from, 0.2 + islands[i], bound, "end of island %zu", i);
        assert_int_equal(limit.pieces[0].class_code, COSTAB_SS);
        assert_int_equal(limit.pieces[1].class_code, COSTAB_SS);
        assert_true(limit.pieces[0].from_is == COSTAB_END_RANGE && limit.pieces[1].to_is == COSTAB_END_RANGE);
        assert_true(limit.evaluations < 600);
        costab_limit_free(&limit);
    }
}

/* ---- Workers, and an end before the end ---- */

/* The last place first, by one worker after the other. */
static costab_status backwards(void *context, int count,
                               costab_status (*make)(void *of, int worker, int item, costab_error *error),
                               void *of, costab_error *error) {
    costab_status status = COSTAB_OK;
    ++*(int *)context;
    for (int i = count - 1; i >= 0 && !status; i--) status = make(of, i % 3, i, error);
    return status;
}

/* Workers change nothing, to the last bit. */
TEST(test_crew) {
    oscillators of = fading(10, 0.3, 5e-4), each[3] = {of, of, of};
    costab_family families[3], family = {.at = on_oscillators, .context = &of};
    int calls = 0;
    costab_crew crew = {.size = 3, .families = families, .each = backwards, .context = &calls};
    costab_limit_options options = {.lower = 1e-3, .upper = 0.5, .crew = &crew};
    costab_limit limit;
    (void)state;
    for (int w = 0; w < 3; w++) families[w] = (costab_family){.at = on_oscillators, .context = &each[w]};
    costab_limit alone = find_limit(&family, 1e-3, 0.5);
    check_ok(limit_find(&family, &options, &limit, &why));
    assert_true(calls > 0);
    assert_int_equal(limit.evaluations, alone.evaluations);
    assert_int_equal(limit.count, alone.count);
    assert_int_equal(limit.discrete.count, alone.discrete.count);
    for (size_t i = 0; i < limit.discrete.count; i++) {
        const costab_cell *a = &limit.discrete.items[i], *b = &alone.discrete.items[i];
        assert_true(a->from == b->from && a->to == b->to && a->verdict == b->verdict &&
                    a->reason == b->reason);
    }
    for (size_t i = 0; i < limit.count; i++)
        assert_true(limit.pieces[i].from == alone.pieces[i].from && limit.pieces[i].to == alone.pieces[i].to);
    costab_limit_free(&limit);
    costab_limit_free(&alone);
}

typedef struct patience {
    size_t evaluations, last;
} patience;

static bool run_out(void *context, double share, size_t evaluations) {
    patience *p = context;
    assert_true(share >= 0 && share <= 1);
    p->last = evaluations;
    return evaluations >= p->evaluations;
}

/* Progress ends a search between two evaluations. */
TEST(test_cancelled) {
    oscillators of = fading(10, 0.3, 0);
    costab_family family = {.at = on_oscillators, .context = &of};
    patience p = {.evaluations = 17};
    costab_limit_options options = {.lower = 1e-3, .upper = 0.5, .progress = run_out, .progress_context = &p};
    costab_error error = {0};
    costab_limit limit;
    (void)state;
    assert_int_equal(limit_find(&family, &options, &limit, &error), COSTAB_CANCELLED);
    assert_int_equal(p.last, 17);
    costab_limit_free(&limit);
}

/* Progress also ends a search of the continuous system, alone or after the map's. */
TEST(test_cancelled_continuous) {
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        oscillators of = fading(10, 0.3, 0);
        costab_family family = {.at = on_oscillators, .context = &of};
        costab_limit limit = find_limit(&family, 1e-3, 0.5);
        patience p = {.evaluations = alone ? 5 : limit.evaluations + 5};
        costab_limit_options options = {.lower = 1e-3,
                                        .upper = 0.5,
                                        .stable = alone ? COSTAB_FAMILY_MAP : 0,
                                        .progress = run_out,
                                        .progress_context = &p};
        costab_error error = {0};
        costab_limit_free(&limit);
        assert_int_equal(limit_find(&family, &options, &limit, &error), COSTAB_CANCELLED);
        assert_int_equal(p.last, p.evaluations);
        costab_limit_free(&limit);
    }
}

/* A system that was not searched has no numbers. */
TEST(test_left_out) {
    oscillators of = fading(10, 0.3, 0);
    costab_family family = {.at = on_oscillators, .context = &of};
    costab_limit_options options = {.lower = 1e-3, .upper = 0.5, .first = true};
    costab_limit limit;
    (void)state;
    check_ok(limit_find(&family, &options, &limit, &why));
    assert_true(isnan(limit.least_abscissa) && limit.continuous_class == COSTAB_OUTCOME_UNDECIDED);
    costab_limit_free(&limit);
    options = (costab_limit_options){.lower = 1e-3, .upper = 0.5, .stable = COSTAB_FAMILY_MAP};
    check_ok(limit_find(&family, &options, &limit, &why));
    assert_true(isnan(limit.nearest) && isnan(limit.nearest_radius));
    costab_limit_free(&limit);
    options.stable = COSTAB_FAMILY_CONTINUOUS;
    check_ok(limit_find(&family, &options, &limit, &why));
    assert_true(isnan(limit.least_abscissa) && limit.continuous_class == COSTAB_OUTCOME_STABLE);
    costab_limit_free(&limit);
}
