/* Proves in balls that no eigenvalue l_i of a real matrix M crosses a circle of radius r over an interval or
 * a rectangle of parameters, and tells whether one is outside (docs/algorithms.md, Ball proofs).
 *
 * 1. f1 = det(I - M/r), f2 = det(I + M/r) and f3, the product of 1 - l_i l_j/r^2 over all pairs of
 *    eigenvalues, are polynomials in the characteristic polynomial's coefficients; f3 is the determinant of
 *    Jury's inner matrix.
 * 2. The matrix is shown to exist, and so to be analytic, on boxes around Bernstein ellipses. Of four
 *    ellipses and three degrees the first pair with a small error is taken, the functions' size on the box
 *    bounding the error.
 * 3. Where no error is small enough yet the functions' size on arcs of the best ellipse bounds it (Trefethen,
 *    Approximation Theory and Approximation Practice, theorems 8.2 and 15.2).
 * 4. The functions are interpolated at Chebyshev points. |interpolant| > error is shown by the mean value
 *    form on boxes, which are halved where it fails. Then no function has a zero, and the number of
 *    eigenvalues outside is constant.
 * 5. Whether one is outside is shown of the matrix at the middle (recursion of Schur and Cohn on the
 *    characteristic polynomial).
 *
 * Cost: a characteristic polynomial at 7 to 121 nodes and up to 128 arcs. Not guaranteed: that what is true
 * is shown. */
#include "proof/ball_cell.h"

#include <math.h>

#include "proof/ball_frame.h"

enum {
    FUNCTIONS = 3,
    DEGREES = 3,
    DEGREE_ONE = 20, /* the highest of the interpolants on an interval, */
    DEGREE_TWO = 10, /* and on a rectangle, in each direction */
    NODES = (DEGREE_TWO + 1) * (DEGREE_TWO + 1),
    ARCS = 24,    /* that cover the upper half of an interval's ellipse, */
    ARCS_TWO = 8, /* and of each of a rectangle's */
    RHOS = 4,
    RHO_LEAST = 4, /* also the one to fall back on */
    HALVINGS = 8   /* of regions on which an interpolant is shown to have no zero */
};

/* Interpolants' degrees, on intervals and on rectangles. */
static const int degrees[BALL_DIMENSIONS][DEGREES] = {{6, 12, DEGREE_ONE}, {4, 6, DEGREE_TWO}};
/* The ellipses have the sum of their half axes rho times half the region's width. */
static const int rhos[RHOS] = {128, 32, 10, RHO_LEAST};
/* An interpolant is good enough with an error of this share of the function in the middle. */
#define GOOD_SHARE 1e-3
/* Step 3 is not tried where step 2 found no error below this share: arcs would not be so much better. */
#define HOPELESS_SHARE 1e8
/* Coefficients a_0 = 1, a_1 .. a_n of the characteristic polynomial of matrix/radius, the highest power
 * first. */
static void characteristic(const acb_mat_t matrix, const arb_t radius, slong precision, acb_ptr a) {
    slong n = acb_mat_nrows(matrix);
    flint_local(acb_poly, polynomial);
    flint_local(arb, power);
    acb_mat_charpoly(polynomial, matrix, precision);
    arb_one(power);
    for (slong k = 0; k <= n; k++) {
        acb_poly_get_coeff_acb(a + k, polynomial, n - k);
        acb_div_arb(a + k, a + k, power, precision);
        arb_mul(power, power, radius, precision);
    }
}

ball_verdict ball_point(const acb_mat_t matrix, const arb_t radius, slong precision) {
    slong n = acb_mat_nrows(matrix);
    flint_local_vector(acb, a, n + 1);
    flint_local_vector(arb, p, n + 1);
    flint_local_vector(arb, q, n + 1);
    flint_local(arb, first, last);
    characteristic(matrix, radius, precision, a);
    for (slong k = 0; k <= n; k++) arb_set(p + k, acb_realref(a + k));
    ball_verdict verdict = BALL_INSIDE;
    for (slong m = n; m > 0 && verdict == BALL_INSIDE; m--) {
        arb_abs(first, p);
        arb_abs(last, p + m);
        if (arb_gt(last, first))
            verdict = BALL_OUTSIDE;
        else if (!arb_lt(last, first))
            verdict = BALL_UNDECIDED;
        for (slong k = 0; k < m; k++) {
            arb_mul(q + k, p, p + k, precision);
            arb_submul(q + k, p + m, p + m - k, precision);
        }
        for (slong k = 0; k < m; k++) arb_div(p + k, q + k, q, precision); /* keeps the size */
    }
    return verdict;
}

/* f1, f2, f3 of a matrix. */
static void crossing_functions(const acb_mat_t matrix, const arb_t radius, slong precision, acb_ptr f) {
    slong n = acb_mat_nrows(matrix);
    flint_local_vector(acb, a, n + 1);
    characteristic(matrix, radius, precision, a);
    acb_zero(f);
    acb_zero(f + 1);
    for (slong k = 0; k <= n; k++) {
        acb_add(f, f, a + k, precision);
        if (k % 2 == 0)
            acb_add(f + 1, f + 1, a + k, precision);
        else
            acb_sub(f + 1, f + 1, a + k, precision);
    }
    slong m = n > 0 ? n - 1 : 0;
    flint_local_matrix(acb_mat, m, m, inner);
    for (slong i = 0; i < m; i++)
        for (slong j = 0; j < m; j++) {
            acb_ptr entry = acb_mat_entry(inner, i, j);
            if (j >= i) acb_set(entry, a + j - i);
            if (i + j >= m - 1) acb_sub(entry, entry, a + 2 * n - 2 - i - j, precision);
        }
    acb_mat_det(f + 2, inner, precision);
}

/* ---- One region ---- */

typedef struct cell {
    ball_frame frame;
    ball_functions functions;
    int nodes; /* of all directions */
    arb_t radius;
    arb_ptr coefficients; /* of each function in turn, of Chebyshev polynomials */
    arb_ptr error;        /* of the interpolants on the region */
} cell;

static void functions_at(const void *context, const acb_mat_t matrix, acb_ptr f) {
    const cell *c = context;
    crossing_functions(matrix, c->radius, c->frame.precision, f);
}

/* The functions on a box around the ellipses; false where the matrix is not shown to exist there, and so to
 * be analytic. */
static bool evaluate_around(cell *c, int rho, acb_ptr f) {
    ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
    if (!ball_frame_matrix_around(&c->frame, rho, &matrix)) return false;
    functions_at(c, &matrix, f);
    return true;
}

/* The largest error for a degree beside the function in the middle, as a double; infinite where not known.
 * `around`: the functions on the box of rho. */
static double share_of(cell *c, acb_srcptr middle, acb_srcptr around, int rho, int degree) {
    double most = 0;
    flint_local(arb, modulus);
    flint_local(mag, share, size);
    for (int i = 0; i < FUNCTIONS; i++) {
        acb_abs(modulus, around + i, c->frame.precision);
        ball_frame_error(&c->frame, modulus, rho, degree, c->error + i);
        arb_get_mag(share, c->error + i);
        acb_get_mag_lower(size, middle + i);
        mag_div(share, share, size);
        double now = mag_is_finite(share) ? mag_get_d(share) : HUGE_VAL;
        if (!(now <= most)) most = now;
    }
    return most;
}

/* Step 2: chooses ellipses and a degree. *bounded: the errors are known to be small. false: the matrix is not
 * shown to be analytic around the region, or no choice will do. */
static bool choose(cell *c, bool *bounded) {
    flint_local_vector(acb, middle, FUNCTIONS);
    flint_local_vector(acb, around, FUNCTIONS);
    flint_local_vector(acb, z, BALL_DIMENSIONS);
    const int *known = degrees[c->frame.region->dimensions - 1];
    double best = HUGE_VAL;
    bool made = ball_frame_values(&c->frame, &c->functions, z, middle), analytic = false;
    *bounded = false;
    c->frame.rho = RHO_LEAST;
    for (int r = 0; r < RHOS && made && !*bounded; r++) {
        if (!evaluate_around(c, rhos[r], around)) continue;
        analytic = true;
        for (int k = 0; k < DEGREES && !*bounded; k++) {
            double share = share_of(c, middle, around, rhos[r], known[k]);
            if (share < best) best = share, c->frame.rho = rhos[r];
            c->frame.degree = known[k];
            *bounded = share <= GOOD_SHARE;
        }
    }
    return analytic && best <= HOPELESS_SHARE;
}

/* ---- Zeros ---- */

/* The Chebyshev series of `terms` coefficients at x, by Clenshaw's recurrence. */
static void series_value(const cell *c, arb_srcptr coefficients, const arb_t x, arb_t value) {
    flint_local(arb, twice, b1, b2);
    arb_mul_2exp_si(twice, x, 1);
    for (int k = c->frame.degree; k >= 1; k--) {
        arb_mul(value, twice, b1, c->frame.precision);
        arb_sub(value, value, b2, c->frame.precision);
        arb_add(value, value, coefficients + k, c->frame.precision);
        arb_swap(b2, b1);
        arb_swap(b1, value);
    }
    arb_mul(value, x, b1, c->frame.precision);
    arb_sub(value, value, b2, c->frame.precision);
    arb_add(value, value, coefficients, c->frame.precision);
}

/* Interpolant i at x. */
static void interpolant_value(const cell *c, int i, arb_srcptr x, arb_t value) {
    int side = c->frame.degree + 1;
    if (c->frame.region->dimensions == 1) {
        series_value(c, c->coefficients + i * c->nodes, x, value);
        return;
    }
    flint_local_vector(arb, rows, side);
    for (int k = 0; k < side; k++)
        series_value(c, c->coefficients + i * c->nodes + k * side, x + 1, rows + k);
    series_value(c, rows, x, value);
}

/* |p| > error on all of the box around x with half widths `half`? By the mean value form: the derivative in
 * direction d is at most slope[d]. */
static bool without_zero(const cell *c, int i, arb_srcptr x, const double *half, arb_srcptr slope,
                         int halvings) {
    flint_local(arb, value, bound, width);
    interpolant_value(c, i, x, value);
    arb_abs(value, value);
    arb_set(bound, c->error + i);
    int widest = 0;
    for (int d = 0; d < c->frame.region->dimensions; d++) {
        arb_set_d(width, half[d]);
        arb_addmul(bound, width, slope + d, c->frame.precision);
        if (half[d] > half[widest]) widest = d;
    }
    bool shown = arb_gt(value, bound) != 0;
    if (!shown && halvings > 0) {
        flint_local_vector(arb, middle, BALL_DIMENSIONS);
        double next[BALL_DIMENSIONS] = {half[0], half[1]};
        next[widest] /= 2; /* exact: powers of 2 */
        shown = true;
        for (int side = -1; side <= 1 && shown; side += 2) {
            _arb_vec_set(middle, x, BALL_DIMENSIONS);
            arb_set_d(width, side * next[widest]);
            arb_add(middle + widest, middle + widest, width, c->frame.precision);
            shown = without_zero(c, i, middle, next, slope, halvings - 1);
        }
    }
    return shown;
}

/* Step 4 for all functions. */
static bool no_crossing(const cell *c) {
    flint_local_vector(arb, slope, BALL_DIMENSIONS);
    flint_local_vector(arb, x, BALL_DIMENSIONS);
    const double half[BALL_DIMENSIONS] = {1, c->frame.region->dimensions > 1 ? 1 : 0};
    flint_local(arb, term);
    bool shown = true;
    for (int i = 0; i < FUNCTIONS && shown; i++) {
        _arb_vec_zero(slope, BALL_DIMENSIONS);
        for (int n = 0; n < c->nodes; n++) { /* |T_k'| <= k^2 */
            int side = c->frame.degree + 1, k = c->frame.region->dimensions > 1 ? n / side : n, l = n % side;
            arb_abs(term, c->coefficients + i * c->nodes + n);
            arb_addmul_si(slope, term, (slong)k * k, c->frame.precision);
            if (c->frame.region->dimensions > 1)
                arb_addmul_si(slope + 1, term, (slong)l * l, c->frame.precision);
        }
        shown = without_zero(c, i, x, half, slope, HALVINGS * c->frame.region->dimensions);
    }
    return shown;
}

/* ---- The verdict ---- */

/* Step 5. */
static ball_verdict middle_verdict(cell *c) {
    ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
    flint_local_vector(acb, middle, BALL_DIMENSIONS);
    if (!ball_frame_matrix(&c->frame, middle, &matrix)) return BALL_UNDECIDED;
    return ball_point(&matrix, c->radius, c->frame.precision);
}

static void begin(cell *c, double radius) {
    ball_frame_begin(&c->frame, DEGREE_ONE);
    arb_init(c->radius);
    arb_set_d(c->radius, radius);
    c->functions = (ball_functions){.count = FUNCTIONS, .at = functions_at, .context = c};
    c->coefficients = _arb_vec_init(FUNCTIONS * NODES);
    c->error = _arb_vec_init(FUNCTIONS);
}

static void end(cell *c) {
    _arb_vec_clear(c->coefficients, FUNCTIONS * NODES);
    _arb_vec_clear(c->error, FUNCTIONS);
    arb_clear(c->radius);
    ball_frame_end(&c->frame);
}

/* Steps 2 to 4. */
static bool show(cell *c) {
    bool bounded;
    if (!choose(c, &bounded)) return false;
    ball_frame_set_degree(&c->frame, c->frame.degree);
    c->nodes = ball_frame_nodes(&c->frame);
    int arcs = c->frame.region->dimensions > 1 ? ARCS_TWO : ARCS;
    return (bounded || ball_frame_errors(&c->frame, &c->functions, arcs, c->error)) &&
           ball_frame_interpolate(&c->frame, &c->functions, c->coefficients) && no_crossing(c);
}

ball_verdict ball_cell(const ball_family *family, const ball_region *region, double radius, slong precision,
                       long *evaluations) {
    cell c = {.frame = {.family = family, .region = region, .precision = precision}};
    begin(&c, radius);
    ball_verdict verdict = middle_verdict(&c);
    if (verdict != BALL_UNDECIDED && !show(&c)) verdict = BALL_UNDECIDED;
    *evaluations += c.frame.evaluations;
    end(&c);
    return verdict;
}
