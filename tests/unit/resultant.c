/* Resultants and discriminants of polynomials in a and d against FLINT's own for polynomials of several
 * variables. */
#include "area/resultant.h"

#include "base/flint.h"
#include <stdlib.h>

#include "support/support.h"

enum { DEGREE = 9 };

/* Room for any degree up to DEGREE. */
static void polynomial_init(bivariate *f, int degree) {
    f->degree = degree;
    f->coefficient = calloc(DEGREE + 1, sizeof *f->coefficient);
    assert_non_null(f->coefficient);
    for (int k = 0; k <= DEGREE; k++) fmpz_poly_init(&f->coefficient[k]);
}

static void polynomial_clear(bivariate *f) {
    for (int k = 0; k <= DEGREE; k++) fmpz_poly_clear(&f->coefficient[k]);
    free(f->coefficient);
}

/* A polynomial of a degree in d, with coefficients of degree up to `length` - 1 of some `bits` bits; some are
 * 0, and the leading one may have roots at the places where values are taken: a = 1, 0 and -1. */
static void random_polynomial(rng *r, int degree, int length, int bits, bool tricky, bivariate *f) {
    polynomial_init(f, degree);
    for (int k = 0; k <= degree; k++) {
        fmpz_poly_struct *c = &f->coefficient[k];
        for (int i = 0; i < length; i++) {
            if (rng_int(r, 0, 3) == 0) continue;
            fmpz_t value;
            fmpz_init_set_si(value, rng_int(r, -1000, 1000));
            fmpz_mul_2exp(value, value, (ulong)rng_int(r, 0, bits - 1));
            fmpz_poly_set_coeff_fmpz(c, i, value);
            fmpz_clear(value);
        }
        if (k < degree && tricky && rng_int(r, 0, 2) == 0) fmpz_poly_zero(c);
    }
    fmpz_poly_struct *top = &f->coefficient[degree];
    if (fmpz_poly_is_zero(top)) fmpz_poly_set_coeff_si(top, 0, 3);
    if (tricky && rng_int(r, 0, 1) == 0) { /* times a^2 - 1 */
        fmpz_poly_t factor;
        fmpz_poly_init(factor);
        fmpz_poly_set_coeff_si(factor, 2, 1);
        fmpz_poly_set_coeff_si(factor, 0, -1);
        fmpz_poly_mul(top, top, factor);
        fmpz_poly_clear(factor);
    }
}

static void pack(fmpz_mpoly_t packed, const bivariate *f, const fmpz_mpoly_ctx_t ring) {
    fmpz_mpoly_zero(packed, ring);
    for (int k = 0; k <= f->degree; k++)
        for (slong i = 0; i < fmpz_poly_length(&f->coefficient[k]); i++) {
            const ulong powers[2] = {(ulong)i, (ulong)k};
            fmpz_mpoly_push_term_fmpz_ui(packed, fmpz_poly_get_coeff_ptr(&f->coefficient[k], i), powers,
                                         ring);
        }
    fmpz_mpoly_sort_terms(packed, ring);
    fmpz_mpoly_combine_like_terms(packed, ring);
}

/* The resultant; with g = f, the discriminant. */
static void check_pair(const bivariate *f, const bivariate *g, const char *what, int which) {
    fmpz_mpoly_ctx_t ring;
    fmpz_mpoly_t F, G, R, S;
    fmpz_poly_t found;
    search_watch watch = {.progress = NULL};
    fmpz_mpoly_ctx_init(ring, 2, ORD_LEX);
    fmpz_mpoly_init(F, ring);
    fmpz_mpoly_init(G, ring);
    fmpz_mpoly_init(R, ring);
    fmpz_mpoly_init(S, ring);
    fmpz_poly_init(found);
    pack(F, f, ring);
    pack(G, g, ring);
    const int answers =
        f == g ? fmpz_mpoly_discriminant(R, F, 1, ring) : fmpz_mpoly_resultant(R, F, G, 1, ring);
    check_true(answers != 0, "%s, pair %d: the oracle answers", what, which);
    check_true(resultant_in_d(found, f, g, &watch), "%s, pair %d: found", what, which);
    for (slong i = 0; i < fmpz_poly_length(found); i++) {
        const ulong powers[2] = {(ulong)i, 0};
        fmpz_mpoly_push_term_fmpz_ui(S, fmpz_poly_get_coeff_ptr(found, i), powers, ring);
    }
    fmpz_mpoly_sort_terms(S, ring);
    fmpz_mpoly_combine_like_terms(S, ring);
    check_true(fmpz_mpoly_equal(R, S, ring) != 0, "%s, pair %d: the same polynomial", what, which);
    fmpz_mpoly_clear(F, ring);
    fmpz_mpoly_clear(G, ring);
    fmpz_mpoly_clear(R, ring);
    fmpz_mpoly_clear(S, ring);
    fmpz_mpoly_ctx_clear(ring);
    fmpz_poly_clear(found);
}

TEST(random_pairs) {
    rng r = rng_start("random_pairs");
    for (int i = 0; i < 120; i++) {
        bivariate f, g;
        bool tricky = i % 2 == 1;
        random_polynomial(&r, rng_int(&r, 1, DEGREE), rng_int(&r, 1, 6), 40, tricky, &f);
        random_polynomial(&r, rng_int(&r, 0, DEGREE), rng_int(&r, 1, 6), 40, tricky, &g);
        check_pair(&f, &g, tricky ? "tricky" : "ordinary", i);
        polynomial_clear(&f);
        polynomial_clear(&g);
    }
}

TEST(discriminants) {
    rng r = rng_start("discriminants");
    for (int i = 0; i < 120; i++) {
        bivariate f;
        const bool tricky = i % 2 == 1;
        random_polynomial(&r, rng_int(&r, 2, DEGREE), rng_int(&r, 1, 4), 40, tricky, &f);
        check_pair(&f, &f, tricky ? "tricky" : "ordinary", i);
        polynomial_clear(&f);
    }
}

/* Where both have a factor in common, the resultant is 0. */
TEST(common_factors) {
    rng r = rng_start("common_factors");
    for (int i = 0; i < 10; i++) {
        bivariate f, g;
        random_polynomial(&r, 3, 3, 10, false, &f);
        random_polynomial(&r, 5, 3, 10, false, &g);
        for (int k = g.degree; k >= 0; k--) { /* g = f (d^2 + a d + 1) */
            fmpz_poly_struct *c = &g.coefficient[k];
            fmpz_poly_zero(c);
            if (k <= 3) fmpz_poly_add(c, c, &f.coefficient[k]);
            if (k >= 2) fmpz_poly_add(c, c, &f.coefficient[k - 2]);
            if (k >= 1 && k <= 4) {
                fmpz_poly_t shifted;
                fmpz_poly_init(shifted);
                fmpz_poly_shift_left(shifted, &f.coefficient[k - 1], 1);
                fmpz_poly_add(c, c, shifted);
                fmpz_poly_clear(shifted);
            }
        }
        check_pair(&f, &g, "a common factor", i);
        polynomial_clear(&f);
        polynomial_clear(&g);
    }
}

static bool stop(void *context, double share) {
    int *calls = context;
    assert_true(share >= 0 && share <= 1);
    return ++*calls >= 3;
}

TEST(a_watch_stops) {
    rng r = rng_start("a_watch_stops");
    bivariate f, g;
    fmpz_poly_t found;
    int calls = 0;
    search_watch watch = {.progress = stop, .context = &calls, .to = 1};
    random_polynomial(&r, 9, 6, 40, false, &f);
    random_polynomial(&r, 8, 6, 40, false, &g);
    fmpz_poly_init(found);
    assert_false(resultant_in_d(found, &f, &g, &watch));
    assert_int_equal(calls, 3);
    fmpz_poly_clear(found);
    polynomial_clear(&f);
    polynomial_clear(&g);
}

static int clean_up(void **state) {
    (void)state;
    flint_cleanup();
    return 0;
}
TESTS_AROUND(NULL, clean_up)
