/* Shows by Stein's inequality that no eigenvalue of a real matrix M(x) crosses a circle while x runs over an
 * interval (docs/algorithms.md, Ball proofs). N is M over the circle's radius, x goes from -1 to 1. Theorem
 * (A. Ostrowski, H. Schneider 1962): where P - N* P N is positive definite for a Hermitian P, no eigenvalue
 * of N is on the unit circle, and as many are outside as P has negative eigenvalues.
 *
 * 1. Each entry of N is interpolated at Chebyshev points, in balls, with a proved error: that of a function
 *    which is analytic and bounded on an ellipse round the interval. The interpolant becomes a power series.
 * 2. On a subinterval, x = middle + width t, it is expanded round the middle and taken to the basis of the
 *    middle's eigenvectors (ball_basis.c): N_0 + N_1 t + .., of which TERMS terms are kept and the rest is
 *    bounded.
 * 3. There P = S = diag(+-1), -1 where the middle's eigenvalue is outside. S - N* S N is a constant and a
 *    linear term in t, and an error that bounds all others. It is shown to be positive definite at t = -1 and
 *    1, by Cholesky's factors in balls; so it is between, the set of such matrices being convex.
 * 4. Where that fails the subinterval is halved, down to NARROWEST, and as long as the number of subintervals
 *    allows.
 *
 * For short steps, where crossing functions, products of many small numbers, are too wide in balls. Cost:
 * DEGREE + 1 matrices and those on the ellipse; some 30 products of order n in balls per subinterval. Not
 * guaranteed: that what is true is shown. */
#include "proof/ball_stein.h"

#include <math.h>

#include "base/memory.h"
#include "proof/ball_basis.h"
#include "proof/ball_frame.h"

enum {
    DEGREE = 32, /* of the interpolants */
    RHO = 4,     /* of their ellipses */
    ARCS = 8,    /* that cover the upper half of an ellipse */
    TERMS = 4    /* of the matrix' power series on a subinterval that are not only bounded */
};

/* Subintervals are not halved below this share of the interval. */
#define NARROWEST 1e-4

typedef struct stein {
    ball_frame frame;
    slong n, precision;
    double radius;
    ball_verdict wanted;
    long subintervals;
    arb_poly_struct *entries; /* n^2: power series of the matrix over the radius, in -1 .. 1 */
    arb_ptr error;            /* n^2: of the interpolants */
} stein;

/* ---- The interpolant ---- */

/* The functions that are interpolated: all entries of M. */
static void entries_of(const void *context, const acb_mat_t matrix, acb_ptr values) {
    const stein *s = context;
    for (slong e = 0; e < s->n * s->n; e++) acb_set(values + e, acb_mat_entry(matrix, e / s->n, e % s->n));
}

/* The power series of a sum of Chebyshev polynomials, by Clenshaw's recurrence. */
static void power_series(const stein *s, arb_srcptr coefficients, arb_poly_t series) {
    flint_local(arb_poly, before, next);
    flint_local(arb, coefficient);
    arb_poly_zero(series);
    for (int k = DEGREE; k >= 0; k--) { /* b_k = c_k + 2 x b_{k+1} - b_{k+2}; at the end x b_1 */
        arb_poly_shift_left(next, series, 1);
        if (k > 0) arb_poly_scalar_mul_2exp_si(next, next, 1);
        arb_poly_sub(next, next, before, s->precision);
        arb_poly_get_coeff_arb(coefficient, next, 0);
        arb_add(coefficient, coefficient, coefficients + k, s->precision);
        arb_poly_set_coeff_arb(next, 0, coefficient);
        arb_poly_swap(before, series);
        arb_poly_swap(series, next);
    }
}

/* Step 1. */
static bool interpolate(stein *s) {
    slong cells = s->n * s->n;
    const ball_functions functions = {.count = (int)cells, .at = entries_of, .context = s};
    flint_local_vector(arb, values, cells * (DEGREE + 1));
    ends_by(acb_mat_clear) acb_mat_struct around = {0};
    flint_local(arb, radius);
    bool made = ball_frame_matrix_around(&s->frame, RHO, &around) &&
                ball_frame_errors(&s->frame, &functions, ARCS, s->error) &&
                ball_frame_interpolate(&s->frame, &functions, values);
    arb_set_d(radius, s->radius);
    for (slong e = 0; e < cells && made; e++) {
        power_series(s, values + e * (DEGREE + 1), &s->entries[e]);
        arb_poly_scalar_div(&s->entries[e], &s->entries[e], radius, s->precision);
        arb_div(s->error + e, s->error + e, radius, s->precision);
    }
    return made;
}

/* ---- A subinterval ---- */

/* N at middle + width t, t = -1 .. 1, in the basis of eigenvectors: N_0 + N_1 t + .. */
typedef struct subinterval {
    acb_mat_t terms[TERMS]; /* N_k */
    arb_mat_t rest;         /* bounds what the other terms and the interpolation's error add */
    acb_mat_t V, W;         /* eigenvectors, about, and the inverse */
    int *sign;              /* 1: inside, -1: outside */
    int outside;
} subinterval;

/* The basis that suits the middle's matrix, in doubles, row-major; it is overwritten. */
static bool find_basis(const stein *s, double *matrix, subinterval *t) {
    slong n = s->n;
    memory_local double *re = memory_alloc(2 * (size_t)(n * n), sizeof *re);
    if (re == NULL) return false;
    double *im = re + n * n;
    bool found = ball_basis((int)n, matrix, re, im, t->sign);
    t->outside = 0;
    for (slong i = 0; i < n && found; i++) {
        t->outside += t->sign[i] < 0;
        for (slong j = 0; j < n; j++) acb_set_d_d(acb_mat_entry(t->V, i, j), re[i * n + j], im[i * n + j]);
    }
    return found && acb_mat_inv(t->W, t->V, s->precision) != 0;
}

/* Step 2. */
static bool expand(const stein *s, double middle, double width, subinterval *t) {
    slong n = s->n;
    acb_mat_t raw[TERMS];
    for (int k = 0; k < TERMS; k++) acb_mat_init(raw[k], n, n);
    flint_local_matrix(acb_mat, n, n, product);
    flint_local_matrix(arb_mat, n, n, rest, left, right);
    flint_local(arb, power, shift);
    flint_local(arb_poly, moved);
    arb_set_d(shift, middle);
    memory_local double *matrix = memory_alloc((size_t)(n * n) + 1, sizeof *matrix);
    for (slong e = 0; e < n * n && matrix != NULL; e++) {
        arb_ptr bound = arb_mat_entry(rest, e / n, e % n);
        arb_poly_taylor_shift(moved, &s->entries[e], shift, s->precision);
        arb_set(bound, s->error + e);
        for (slong k = 0; k <= DEGREE; k++) {
            arb_set_d(power, width);
            arb_pow_ui(power, power, (ulong)k, s->precision);
            arb_ptr term =
                acb_realref(k < TERMS ? acb_mat_entry(raw[k], e / n, e % n) : acb_mat_entry(product, 0, 0));
            arb_poly_get_coeff_arb(term, moved, k);
            arb_mul(term, term, power, s->precision);
            if (k < TERMS) continue;
            arb_abs(term, term);
            arb_add(bound, bound, term, s->precision);
        }
        matrix[e] = arf_get_d(arb_midref(acb_realref(acb_mat_entry(raw[0], e / n, e % n))), ARF_RND_NEAR);
    }
    bool found = matrix != NULL && find_basis(s, matrix, t);
    for (int k = 0; k < TERMS && found; k++) {
        acb_mat_mul(product, t->W, raw[k], s->precision);
        acb_mat_mul(t->terms[k], product, t->V, s->precision);
    }
    for (slong e = 0; e < n * n && found; e++) {
        acb_abs(arb_mat_entry(left, e / n, e % n), acb_mat_entry(t->W, e / n, e % n), s->precision);
        acb_abs(arb_mat_entry(right, e / n, e % n), acb_mat_entry(t->V, e / n, e % n), s->precision);
    }
    if (found) {
        arb_mat_mul(left, left, rest, s->precision);
        arb_mat_mul(t->rest, left, right, s->precision);
    }
    for (int k = 0; k < TERMS; k++) acb_mat_clear(raw[k]);
    return found;
}

/* to -= N_a* S N_b */
static void subtract_square(const stein *s, const subinterval *t, int a, int b, acb_mat_t to) {
    flint_local_matrix(acb_mat, s->n, s->n, left, right);
    acb_mat_conjugate_transpose(left, t->terms[a]);
    acb_mat_set(right, t->terms[b]);
    for (slong i = 0; i < s->n; i++)
        for (slong j = 0; j < s->n && t->sign[i] < 0; j++)
            acb_neg(acb_mat_entry(right, i, j), acb_mat_entry(right, i, j));
    acb_mat_mul(left, left, right, s->precision);
    acb_mat_sub(to, to, left, s->precision);
}

/* Adds a bound of what the rest adds to N* S N: |N|' rest + rest' |N| + rest' rest, |N| the sum of all |N_k|.
 */
static void add_rest(const stein *s, const subinterval *t, arb_mat_t bound) {
    flint_local_matrix(arb_mat, s->n, s->n, sum, turned, product);
    flint_local(arb, modulus);
    for (int k = 0; k < TERMS; k++)
        for (slong e = 0; e < s->n * s->n; e++) {
            acb_abs(modulus, acb_mat_entry(t->terms[k], e / s->n, e % s->n), s->precision);
            arb_ptr entry = arb_mat_entry(sum, e / s->n, e % s->n);
            arb_add(entry, entry, modulus, s->precision);
        }
    arb_mat_transpose(turned, sum);
    arb_mat_mul(product, turned, t->rest, s->precision);
    arb_mat_add(bound, bound, product, s->precision);
    arb_mat_transpose(product, product);
    arb_mat_add(bound, bound, product, s->precision);
    arb_mat_transpose(turned, t->rest);
    arb_mat_mul(product, turned, t->rest, s->precision);
    arb_mat_add(bound, bound, product, s->precision);
}

/* Is the Hermitian matrix `form`, with errors of its entries up to `bound`, positive definite? Scaled by its
 * diagonal, as the real symmetric matrix of twice the size. */
static bool is_definite(const stein *s, const acb_mat_t form, const arb_mat_t bound) {
    slong n = s->n;
    flint_local_matrix(arb_mat, 2 * n, 2 * n, real);
    flint_local(arb, scale);
    bool positive = true;
    for (slong i = 0; i < n && positive; i++)
        positive = arf_sgn(arb_midref(acb_realref(acb_mat_entry(form, i, i)))) > 0;
    for (slong i = 0; i < n && positive; i++)
        for (slong j = 0; j <= i; j++) {
            double a = arf_get_d(arb_midref(acb_realref(acb_mat_entry(form, i, i))), ARF_RND_NEAR);
            double b = arf_get_d(arb_midref(acb_realref(acb_mat_entry(form, j, j))), ARF_RND_NEAR);
            arb_set_d(scale,
                      1 / sqrt(a)); /* any positive numbers: exact as doubles, and the same at (j, i) */
            flint_local(acb, entry);
            acb_set(entry, acb_mat_entry(form, i, j));
            if (i == j) arb_zero(acb_imagref(entry));
            arb_add_error(acb_realref(entry), arb_mat_entry(bound, i, j));
            if (i != j) arb_add_error(acb_imagref(entry), arb_mat_entry(bound, i, j));
            acb_mul_arb(entry, entry, scale, s->precision);
            arb_set_d(scale, 1 / sqrt(b));
            acb_mul_arb(entry, entry, scale, s->precision);
            arb_set(arb_mat_entry(real, i, j), acb_realref(entry));
            arb_set(arb_mat_entry(real, j, i), acb_realref(entry));
            arb_set(arb_mat_entry(real, n + i, n + j), acb_realref(entry));
            arb_set(arb_mat_entry(real, n + j, n + i), acb_realref(entry));
            arb_set(arb_mat_entry(real, n + i, j), acb_imagref(entry));
            arb_set(arb_mat_entry(real, j, n + i), acb_imagref(entry));
            arb_neg(arb_mat_entry(real, n + j, i), acb_imagref(entry));
            arb_set(arb_mat_entry(real, i, n + j), arb_mat_entry(real, n + j, i));
        }
    positive = positive && arb_mat_cho(real, real, s->precision) != 0;
    return positive;
}

/* Step 3. */
static bool is_definite_throughout(const stein *s, const subinterval *t) {
    slong n = s->n;
    flint_local_matrix(acb_mat, n, n, constant, linear, higher, form);
    flint_local_matrix(arb_mat, n, n, bound);
    flint_local(arb, modulus);
    for (slong i = 0; i < n; i++) acb_set_si(acb_mat_entry(constant, i, i), t->sign[i]);
    subtract_square(s, t, 0, 0, constant);
    subtract_square(s, t, 0, 1, linear);
    subtract_square(s, t, 1, 0, linear);
    for (int order = 2; order <= 2 * (TERMS - 1); order++) {
        acb_mat_zero(higher);
        for (int a = 0; a < TERMS; a++)
            if (order - a >= 0 && order - a < TERMS) subtract_square(s, t, a, order - a, higher);
        for (slong e = 0; e < n * n; e++) {
            acb_abs(modulus, acb_mat_entry(higher, e / n, e % n), s->precision);
            arb_ptr entry = arb_mat_entry(bound, e / n, e % n);
            arb_add(entry, entry, modulus, s->precision);
        }
    }
    add_rest(s, t, bound);
    acb_mat_sub(form, constant, linear, s->precision);
    bool shown = is_definite(s, form, bound);
    acb_mat_add(form, constant, linear, s->precision);
    shown = shown && is_definite(s, form, bound);
    return shown;
}

static bool shows_subinterval(stein *s, double middle, double width) {
    subinterval t;
    for (int k = 0; k < TERMS; k++) acb_mat_init(t.terms[k], s->n, s->n);
    arb_mat_init(t.rest, s->n, s->n);
    acb_mat_init(t.V, s->n, s->n);
    acb_mat_init(t.W, s->n, s->n);
    t.sign = memory_alloc((size_t)s->n + 1, sizeof *t.sign);
    bool shown = t.sign != NULL && expand(s, middle, width, &t) &&
                 (t.outside > 0) == (s->wanted == BALL_OUTSIDE) && is_definite_throughout(s, &t);
    memory_free(t.sign);
    for (int k = 0; k < TERMS; k++) acb_mat_clear(t.terms[k]);
    arb_mat_clear(t.rest);
    flint_each(acb_mat_clear, t.V, t.W);
    return shown;
}

/* Step 4. */
static bool shows(stein *s, double middle, double width) {
    if (s->subintervals-- <= 0) return false;
    if (shows_subinterval(s, middle, width)) return true;
    width /= 2; /* exact: powers of 2 */
    return width > NARROWEST && shows(s, middle - width, width) && shows(s, middle + width, width);
}

bool ball_stein(const ball_family *family, const ball_region *region, double radius, ball_verdict wanted,
                slong precision, long subintervals, long *evaluations) {
    stein s = {.frame = {.family = family, .region = region, .precision = precision},
               .precision = precision,
               .radius = radius,
               .wanted = wanted,
               .subintervals = subintervals};
    ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
    if (region->dimensions != 1 || wanted == BALL_UNDECIDED) return false;
    ball_frame_begin(&s.frame, DEGREE);
    ball_frame_set_degree(&s.frame, DEGREE);
    s.frame.rho = RHO;
    flint_local_vector(acb, middle, BALL_DIMENSIONS);
    bool shown = ball_frame_matrix(&s.frame, middle, &matrix);
    s.n = shown ? acb_mat_nrows(&matrix) : 0;
    s.error = _arb_vec_init(s.n * s.n);
    s.entries = memory_alloc((size_t)(s.n * s.n) + 1, sizeof *s.entries);
    for (slong e = 0; e < s.n * s.n && s.entries != NULL; e++) arb_poly_init(&s.entries[e]);
    shown = shown && s.n > 0 && s.entries != NULL && interpolate(&s) && shows(&s, 0, 1);
    for (slong e = 0; e < s.n * s.n && s.entries != NULL; e++) arb_poly_clear(&s.entries[e]);
    memory_free(s.entries);
    _arb_vec_clear(s.error, s.n * s.n);
    *evaluations += s.frame.evaluations;
    ball_frame_end(&s.frame);
    return shown;
}
