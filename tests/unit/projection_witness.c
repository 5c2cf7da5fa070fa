/* Where a stable point is said to stay through an interval of a, areas are not 0 there. */
#include "planar/projection_witness.h"

#include <math.h>

#include "base/flint.h"
#include "base/memory.h"
#include "costab/area.h"
#include "planar/quick_bounds.h"
#include "support/planar.h"

enum { UNIT = 7, COARSE = 3 };

/* f(x^power), f(unit x) */
static void set_packed(integer_poly *to, const integer_poly *f, int power, unsigned long unit) {
    mpz_t c, factor;
    mpz_init(c);
    mpz_init_set_ui(factor, 1);
    for (int k = 0; k < f->length; k++) {
        mpz_mul(c, f->c[k], factor);
        mpz_mul_ui(factor, factor, unit);
        if (mpz_sgn(c) != 0) integer_set_coefficient(to, power * k, c);
    }
    mpz_clear(c);
    mpz_clear(factor);
}

/* The forms of a discretisation. */
static void set_forms(apart *a, const costab_planar *planar) {
    quick_side side, A, E;
    quick_bounds b;
    quick_side_init(&side);
    quick_side_init(&A);
    quick_side_init(&E);
    quick_bounds_init(&b, planar->scheme);
    assert_true(quick_side_make(planar, &side));
    const int pack = 2 * quick_side_length(&side);
    for (int k = 0; k < QUICK_SIDE; k++) {
        set_packed(&A.of[k], &side.of[k], pack, 1);
        set_packed(&E.of[k], &side.of[k], 1, UNIT);
    }
    quick_bounds_set(&b, planar->scheme, &A, &E);
    *a = (apart){.bounds = b.count, .unit = UNIT};
    apart_form *form = &a->form[APART_CURVES];
    assert_true(apart_form_set(&form[0], &b.den, pack));
    assert_true(apart_form_set(&form[1], &b.fold, pack));
    for (int k = 0; k < b.count; k++) {
        assert_true(apart_form_set(&form[2 + 2 * k], &b.bound[k].x0, pack));
        assert_true(apart_form_set(&form[3 + 2 * k], &b.bound[k].x1, pack));
    }
    assert_true(apart_forms_align(&form[2], 2 * b.count));
    quick_bounds_clear(&b);
    quick_side_clear(&side);
    quick_side_clear(&A);
    quick_side_clear(&E);
}

/* Each interval at some level: areas at its ends and between. Returns how many have SS and US. */
static void check_level(rng *r, const costab_planar *planar, witness *w, int level, int found[2]) {
    for (int n = 0; n < 2 << level; n++) {
        const bool minus = n & 1;
        const unsigned regions = witness_regions(w, minus, level, n / 2);
        const double width = ldexp(APART_UNIT, -level);
        check_true(!(regions & 4) || regions & 2, "US with Gamma > 0 is US");
        for (int k = 0; k < 3 && regions != 0; k++) {
            costab_areas areas;
            const double share = k < 2 ? k : rng_uniform(r, 0, 1), at = (n / 2 + share) * width;
            assert_int_equal(costab_planar_areas(planar, minus ? -at : at, &areas, NULL), COSTAB_OK);
            check_true(!(regions & 1) || areas.ss > 0, "%s: SS at %.17g", planar->method.name,
                       minus ? -at : at);
            check_true(!(regions & 2) || areas.us > 0, "%s: US at %.17g", planar->method.name,
                       minus ? -at : at);
        }
        found[0] += (regions & 1) != 0;
        found[1] += (regions & 2) != 0;
    }
}

static void methods(void **state) {
    (void)state;
    static const char *const names[] = {"heun", "rk4", "radau2", "bs3"};
    rng r = rng_start("methods");
    apart *a = memory_alloc(1, sizeof *a);
    witness *w = memory_alloc(1, sizeof *w);
    assert_true(a != NULL && w != NULL);
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
            const costab_planar planar = planar_named((costab_scheme)s, names[m], 1, 1);
            int found[2] = {0, 0};
            set_forms(a, &planar);
            witness_init(w, a);
            for (int level = COARSE; level <= 6; level++) check_level(&r, &planar, w, level, found);
            check_true(found[0] > 0, "%s with %s: SS somewhere", names[m], costab_scheme_name(planar.scheme));
        }
    memory_free(a);
    memory_free(w);
}

static void set_constant(apart_form *form, double c) {
    *form = (apart_form){.degree_a = 0};
    form->c[0][0] = c;
    form->size[0][0] = fabs(c);
}

/* Stable for a > x and 0 < Delta < 1: the intervals beyond x are told, and none that has less than x in it.
 */
static void an_end(void **state) {
    (void)state;
    rng r = rng_start("an_end");
    apart *a = memory_alloc(1, sizeof *a);
    witness *w = memory_alloc(1, sizeof *w);
    assert_true(a != NULL && w != NULL);
    for (int round = 0; round < 40; round++) {
        const double x = round % 2 == 0 ? rng_uniform(&r, -12, 12) : rng_int(&r, -12, 12);
        *a = (apart){.bounds = 2, .unit = 1};
        apart_form *form = &a->form[APART_CURVES];
        for (int k = 0; k < 6; k++) set_constant(&form[k], 1);
        set_constant(&form[2], -x); /* a - x > 0 */
        form[2].degree_a = 1;
        form[2].c[0][1] = form[2].size[0][1] = 1;
        set_constant(&form[3], 0);
        set_constant(&form[5], -1); /* 1 - Delta > 0 */
        witness_init(w, a);
        for (int level = COARSE; level <= WITNESS_LEVELS; level++)
            for (int n = 0; n < 2 << level; n++) {
                const double width = ldexp(APART_UNIT, -level),
                             low = n & 1 ? -(n / 2 + 1) * width : n / 2 * width;
                const unsigned regions = witness_regions(w, n & 1, level, n / 2);
                if (low <= x) check_true(regions == 0, "nothing is stable at %g, but for a > %g", low, x);
                if (low > x + 0.1 && fabs(low) < 3 && level == 5)
                    check_true(regions == WITNESS_ALL, "all regions are there at %g > %g", low, x);
            }
    }
    memory_free(a);
    memory_free(w);
}

/* Stable where the distance of e from `place` is below 0.05, at each a and each Delta > -1 of one sign. The
 * side of Gamma = a + e tells the regions: SS has such a point where a + place < 0.05, and US with Gamma > 0
 * where a + place > -0.05. */
static void set_strip(apart *a, double place, bool positive) {
    const double c[3] = {0.0025 - place * place, 2 * place, -1};
    *a = (apart){.bounds = 2, .unit = 1};
    apart_form *form = &a->form[APART_CURVES];
    for (int k = 0; k < 6; k++) set_constant(&form[k], 1); /* 1 + Delta > 0 */
    set_constant(&form[1], positive ? 1 : -1);
    set_constant(&form[3], 0);
    form[2].degree_e = 2; /* 0.0025 - (e - place)^2 > 0 */
    for (int j = 0; j < 3; j++) {
        form[2].c[j][0] = c[j];
        form[2].size[j][0] = fabs(c[j]);
    }
}

static void sides_of_gamma(void **state) {
    (void)state;
    static const double places[] = {-2.8, -1.3, -0.2, 0.7, 2, 3.8};
    apart *a = memory_alloc(1, sizeof *a);
    witness *w = memory_alloc(1, sizeof *w);
    assert_true(a != NULL && w != NULL);
    for (int round = 0; round < 12; round++) {
        const double place = places[round / 2];
        const bool positive = round % 2 == 0;
        int found = 0;
        set_strip(a, place, positive);
        witness_init(w, a);
        for (int level = COARSE; level <= WITNESS_LEVELS; level++)
            for (int n = 0; n < 2 << level; n++) {
                const double width = ldexp(APART_UNIT, -level),
                             low = n & 1 ? -(n / 2 + 1) * width : n / 2 * width, high = low + width;
                const unsigned regions = witness_regions(w, n & 1, level, n / 2), ss = regions & 1,
                               us = regions & 2, right = regions & 4;
                check_true(!ss || (positive && high + place < 0.05), "SS from %g to %g", low, high);
                check_true(!us || !positive || low + place > -0.05, "US from %g to %g", low, high);
                check_true(!right || low + place > -0.05, "US with Gamma > 0 from %g to %g", low, high);
                found += regions != 0;
            }
        check_true(found > 400, "some region is seen in %d intervals", found);
    }
    memory_free(a);
    memory_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods), cmocka_unit_test(an_end),
                                       cmocka_unit_test(sides_of_gamma)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
