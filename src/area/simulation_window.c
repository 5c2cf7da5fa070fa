/* Areas of the simulation in a window, integrated over rows of fixed Gamma, for one micro step; m micro steps
 * scale the plane. In a row x = Gamma / 2. The eigenvalues of its points are x +- iy with Delta = x^2 + v, v
 * = y^2, or real, x +- s with Delta = x^2 - s^2.
 *
 * 1. Complex pairs are stable if F(v) = |P + Q|^2 - |Q|^2 = sum growth[k](x) v^k < 0. The coefficients are
 *    exact polynomials in x, computed once.
 * 2. For a ball of x the real roots v of F are enclosed by Krawczyk's operator (root_enclosure.c). The
 *    intervals of v with F < 0 between them are clipped to the window.
 * 3. Real pairs are stable if x - s and x + s are both in intervals with |R| < 1 (level_curves.h). For each
 *    pair of intervals s is between two bounds, also clipped to the window.
 * 4. The total length of these intervals is integrated over Gamma (window.c).
 *
 * The balls are proved. Cost: up to EVALUATIONS_MAX rows per quarter of the window. Limitation: if roots of F
 * cannot be separated, the length of the row counts as anything from 0 to the height of the quarter; the ball
 * of the area may then remain wide. */
#include "area/level_curves.h"
#include "area/root_enclosure.h"
#include "area/simulation.h"
#include "base/error.h"

/* ROUGH, FINE: bits of the first and the last attempt to find roots v. FAILURES_MAX: number of rows in which
 * all attempts may fail; in further rows they are not made. */
enum { DEGREE_MAX = COSTAB_STAGES_MAX, ROUGH = 64, FINE = 512, FAILURES_MAX = 200, EVALUATIONS_MAX = 100000 };

/* Data for the lengths of all rows. */
typedef struct rows {
    slong degree; /* of F in v; -1: F = 0, |R| = 1 everywhere */
    acb_poly_t growth[DEGREE_MAX + 1];
    int count;
    stable_interval intervals[STABLE_INTERVALS_MAX];
    int end_count; /* of all intervals; interval ends are indices into `ends` */
    arb_ptr ends;
    int failures; /* number of rows without roots v */
    bool started;
    acb_ptr guess; /* latest roots v */
    root_enclosure roots[DEGREE_MAX];
    acb_t values[DEGREE_MAX]; /* enclosed roots v */
} rows;

/* ---- Complex pairs ---- */

/* Adds sign |f(x + iy)|^2 to the coefficients of v^k, polynomials in x. With f[j] = the j-th derivative / j!,
 * the real part of f is the sum of (-v)^i f[2i], and the imaginary part is y times the sum of (-v)^i f[2i +
 * 1]. */
static void add_square(surd_poly *growth, const surd_poly *f, int sign, int radicand) {
    surd_poly parts[DEGREE_MAX + 1];
    slong degree = surd_degree(f);
    for (slong j = 0; j <= degree; j++) {
        surd_init(&parts[j]);
        fmpz_poly_struct *const to[2] = {parts[j].u, parts[j].v};
        const fmpz_poly_struct *const from[2] = {j > 0 ? parts[j - 1].u : f->u,
                                                 j > 0 ? parts[j - 1].v : f->v};
        for (int k = 0; k < 2; k++) {
            if (j == 0) fmpz_poly_set(to[k], from[k]);
            if (j > 0) fmpz_poly_derivative(to[k], from[k]);
            if (j > 1) fmpz_poly_scalar_divexact_si(to[k], to[k], j);
        }
    }
    for (slong i = 0; i <= degree; i++)
        for (slong j = i % 2; j <= degree; j += 2) {
            slong power = (i + j) / 2, turns = i / 2 + j / 2; /* i^2 = -1, once per turn */
            surd_add_product(&growth[power], &parts[i], &parts[j], turns % 2 == 0 ? sign : -sign, radicand);
        }
    for (slong j = 0; j <= degree; j++) surd_clear(&parts[j]);
}

/* Sets the coefficients of F. */
static void find_growth(rows *r, const level_curves *c, slong precision) {
    surd_poly growth[DEGREE_MAX + 1];
    flint_local(surd, N);
    surd_add(N, &c->P, &c->Q);
    for (int k = 0; k <= DEGREE_MAX; k++) surd_init(&growth[k]);
    add_square(growth, N, 1, c->radicand);
    add_square(growth, &c->Q, -1, c->radicand);
    r->degree = -1;
    for (int k = 0; k <= DEGREE_MAX; k++) {
        if (!surd_is_zero(&growth[k])) r->degree = k;
        surd_get_acb(r->growth[k], &growth[k], c->radicand, precision);
        surd_clear(&growth[k]);
    }
}

/* One Newton step. */
static void sharpen(const acb_poly_t f, acb_t root, slong precision) {
    flint_local(acb, value, slope);
    acb_get_mid(root, root);
    acb_poly_evaluate2(value, slope, f, root, precision);
    acb_div(value, value, slope, precision);
    acb_sub(root, root, value, precision);
}

/* Returns true if root k of F is real. */
static bool is_real(const rows *r, slong k) {
    return arb_is_zero(acb_imagref(r->roots[k].start)) != 0;
}

/* Approximates all roots v of F at the midpoints of its coefficients, and encloses them for all coefficients
 * in their balls. A root that starts on the real axis is real in every row of the ball. Returns false if two
 * roots, or a complex root and the real axis, cannot be separated. */
static bool enclose_roots(rows *r, const acb_poly_t F, slong precision) {
    flint_local(acb_poly, middle);
    acb_poly_set_round(middle, F, precision);
    for (slong k = 0; k <= r->degree; k++) {
        acb_ptr c = acb_poly_get_coeff_ptr(middle, k);
        acb_get_mid(c, c);
        arb_zero(acb_imagref(c));
    }
    flint_local_vector(acb, found, r->degree);
    bool fine = false;
    /* Near Gamma = 0 roots cluster, and the iteration converges linearly: about one bit per iteration. */
    for (slong bits = ROUGH; bits <= FINE && !fine && r->failures < FAILURES_MAX; bits *= 2)
        fine = acb_poly_find_roots(found, middle, r->started ? r->guess : NULL, bits, bits) == r->degree;
    r->failures += !fine;
    r->started = fine;
    for (slong k = 0; k < r->degree && fine; k++) {
        acb_ptr root = found + k;
        acb_set(r->guess + k, root);
        if (arb_contains_zero(acb_imagref(root))) arb_zero(acb_imagref(root));
        for (slong bits = ROUGH / 4; bits < precision; bits *= 2) sharpen(middle, root, precision);
        fine = root_enclosure_find(F, root, precision, &r->roots[k]);
        acb_add(r->values[k], r->roots[k].start, r->roots[k].u, precision);
        for (slong j = 0; j < k; j++) fine = fine && !acb_overlaps(r->values[j], r->values[k]);
        fine = fine && (is_real(r, k) || !arb_contains_zero(acb_imagref(r->values[k])));
    }
    return fine;
}

/* The sign of F for all v > low, if all coefficients of its expansion at low have that sign; otherwise 0. */
static int sign_above(const acb_poly_t F, const acb_t low, slong precision) {
    flint_local(acb_poly, shifted);
    acb_poly_taylor_shift(shifted, F, low, precision);
    bool positive = true, negative = true;
    for (slong k = 0; k < acb_poly_length(shifted); k++) {
        arb_srcptr c = acb_realref(acb_poly_get_coeff_ptr(shifted, k));
        positive = positive && arb_is_positive(c);
        negative = negative && arb_is_negative(c);
    }
    return positive - negative;
}

/* Number of real roots above real root k. */
static int count_above(const rows *r, slong k) {
    int above = 0;
    for (slong j = 0; j < r->degree; j++)
        above += is_real(r, j) && arf_cmp(arb_midref(acb_realref(r->roots[j].start)),
                                          arb_midref(acb_realref(r->roots[k].start))) > 0;
    return above;
}

/* Adds the length of the part of low < v < high with F < 0: the sum of the upper ends of its intervals minus
 * the sum of the lower ends. */
static bool add_negative_intervals(rows *r, const acb_poly_t F, const acb_t low, const acb_t high,
                                   bool analytic, slong precision, acb_t length) {
    if (acb_poly_degree(F) != r->degree) return false;
    arb_srcptr leading = acb_realref(acb_poly_get_coeff_ptr(F, r->degree));
    int sign = arb_sgn_nonzero(leading); /* above all real roots */
    if (sign == 0 || !enclose_roots(r, F, precision)) return false;
    flint_local(acb, end);
    if (sign < 0) acb_add(length, length, high, precision);
    int real = 0;
    for (slong k = 0; k < r->degree; k++) {
        if (!is_real(r, k)) continue;
        real++;
        area_clip(end, r->values[k], low, high, analytic, precision);
        bool upper = (count_above(r, k) % 2 == 0) == (sign > 0);
        (upper ? acb_add : acb_sub)(length, length, end, precision);
    }
    if ((real % 2 == 0) == (sign < 0)) acb_sub(length, length, low, precision);
    return true;
}

/* Adds the length of the part of low < v < high with stable complex pairs. */
static bool add_complex_pairs(rows *r, const acb_t x, const acb_t low, const acb_t high, bool analytic,
                              slong precision, acb_t length) {
    if (r->degree < 0) return true;
    flint_local(acb_poly, F);
    flint_local(acb, end);
    for (slong k = 0; k <= r->degree; k++) {
        acb_poly_evaluate(end, r->growth[k], x, precision);
        acb_poly_set_coeff_acb(F, k, end);
    }
    int sign = sign_above(F, low, precision);
    if (sign < 0) {
        acb_sub(end, high, low, precision);
        acb_add(length, length, end, precision);
    }
    return sign != 0 || add_negative_intervals(r, F, low, high, analytic, precision, length);
}

/* ---- Real pairs ---- */

/* Returns true if number i is a finite, nonzero end of an interval. */
static bool is_end(const rows *r, int i) {
    return i >= 0 && i < r->end_count && !arb_is_zero(r->ends + i);
}

/* Combines a bound of s with ends[end] - x (up) or x - ends[end] to their maximum (`largest`) or minimum.
 * [in, out] some: false before the first bound. */
static void add_bound(const rows *r, int end, const acb_t x, bool up, bool largest, bool analytic,
                      slong precision, acb_t bound, bool *some) {
    flint_local(acb, reach);
    acb_set_arb(reach, r->ends + end);
    acb_sub(reach, reach, x, precision);
    if (!up) acb_neg(reach, reach);
    if (*some)
        (largest ? acb_real_max : acb_real_min)(bound, bound, reach, analytic, precision);
    else
        acb_set(bound, reach);
    *some = true;
}

/* Adds the length of the part of low < Delta < high with x - s in I and x + s in J; J is I or to the right of
 * it. An end at 0 is not a bound: the signs of Gamma and Delta in the quarter determine the signs of both
 * eigenvalues. */
static void add_real_pairs(const rows *r, const stable_interval *I, const stable_interval *J, const acb_t x,
                           const acb_t low, const acb_t high, bool analytic, slong precision, acb_t length) {
    flint_local(acb, least, most, end);
    bool begins = false, ends = false;
    if (I != J && is_end(r, J->from))
        add_bound(r, J->from, x, true, true, analytic, precision, least, &begins);
    if (I != J && is_end(r, I->to)) add_bound(r, I->to, x, false, true, analytic, precision, least, &begins);
    if (is_end(r, J->to)) add_bound(r, J->to, x, true, false, analytic, precision, most, &ends);
    if (is_end(r, I->from)) add_bound(r, I->from, x, false, false, analytic, precision, most, &ends);
    acb_zero(end);
    if (begins) acb_real_max(least, least, end, analytic, precision);
    acb_real_max(most, most, least, analytic, precision);
    /* Delta = x^2 - s^2 */
    acb_mul(end, x, x, precision);
    acb_submul(end, least, least, precision);
    area_clip(end, end, low, high, analytic, precision);
    acb_add(length, length, I == J || begins ? end : high, precision);
    acb_mul(end, x, x, precision);
    acb_submul(end, most, most, precision);
    area_clip(end, end, low, high, analytic, precision);
    acb_sub(length, length, ends ? end : low, precision);
}

/* The stable length of a row, an area_row_length. */
static bool length_of(void *context, const acb_t gamma, const area_quarter *quarter, bool analytic,
                      slong precision, acb_t length) {
    rows *r = context;
    flint_local(acb, x, square, low, high);
    acb_mul_2exp_si(x, gamma, -1);
    acb_mul(square, x, x, precision);
    acb_set_arb(low, quarter->delta);
    acb_set_arb(high, quarter->delta + 1);
    acb_zero(length);
    for (int i = 0; i < r->count; i++)
        for (int j = i; j < r->count; j++)
            if (r->intervals[i].positive == (quarter->above && quarter->right) &&
                r->intervals[j].positive == (!quarter->above || quarter->right))
                add_real_pairs(r, &r->intervals[i], &r->intervals[j], x, low, high, analytic, precision,
                               length);
    acb_sub(low, low, square, precision);
    acb_sub(high, high, square, precision);
    acb_zero(square);
    acb_real_max(low, low, square, analytic, precision);
    acb_real_max(high, high, square, analytic, precision);
    /* Above the window there are no complex pairs: clipping to [0, 0] would not be analytic. */
    if (!quarter->above || acb_is_zero(high)) return true;
    return add_complex_pairs(r, x, low, high, analytic, precision, length);
}

/* ---- Window ---- */

static bool rows_init(rows *r, const level_curves *c, slong precision) {
    ends_by(real_roots_clear) real_roots roots = {.count = 0};
    for (int k = 0; k <= DEGREE_MAX; k++) acb_poly_init(r->growth[k]);
    for (int k = 0; k < DEGREE_MAX; k++) root_enclosure_init(&r->roots[k]);
    for (int k = 0; k < DEGREE_MAX; k++) acb_init(r->values[k]);
    r->guess = _acb_vec_init(DEGREE_MAX);
    find_growth(r, c, precision);
    r->count = level_curves_stable_intervals(c, &roots, r->intervals);
    r->end_count = roots.count;
    r->ends = _arb_vec_init(roots.count);
    for (int k = 0; k < roots.count && r->count >= 0; k++) real_roots_ball(&roots, k, precision, r->ends + k);
    return r->count >= 0;
}

static void rows_clear(rows *r) {
    for (int k = 0; k <= DEGREE_MAX; k++) acb_poly_clear(r->growth[k]);
    for (int k = 0; k < DEGREE_MAX; k++) root_enclosure_clear(&r->roots[k]);
    for (int k = 0; k < DEGREE_MAX; k++) acb_clear(r->values[k]);
    _acb_vec_clear(r->guess, DEGREE_MAX);
    _arb_vec_clear(r->ends, r->end_count);
}

/* Length for the method `exact`, which is stable where the system is stable: the height of the quarter. */
static bool whole_length(void *context, const acb_t gamma, const area_quarter *quarter, bool analytic,
                         slong precision, acb_t length) {
    (void)context;
    (void)gamma;
    (void)analytic;
    acb_zero(length);
    arb_sub(acb_realref(length), quarter->delta + 1, quarter->delta, precision);
    return true;
}

/* The window, scaled to one micro step: Gamma / m and Delta / m^2. */
static void scale_window(const area_window *window, int substeps, const area_window *scaled) {
    flint_local(fmpz, m);
    fmpz_set_si(m, substeps);
    for (int k = 0; k < 2; k++) {
        fmpq_div_fmpz(&scaled->gamma[k], &window->gamma[k], m);
        fmpq_div_fmpz(&scaled->delta[k], &window->delta[k], m);
        fmpq_div_fmpz(&scaled->delta[k], &scaled->delta[k], m);
    }
}

costab_status area_simulation_window(const costab_planar *planar, const area_window *window, slong bits,
                                     area_region regions[2], costab_error *error) {
    if (planar->method.kind == COSTAB_EXACT) {
        area_window_regions(window, whole_length, NULL, false, (area_goal){bits, bits, EVALUATIONS_MAX},
                            regions);
        return COSTAB_OK;
    }
    ends_by(level_curves_clear) level_curves c;
    if (!level_curves_init(&c, &planar->method)) return error_memory(error);
    ends_by(rows_clear) rows r = {.started = false};
    if (!rows_init(&r, &c, bits + 128)) return error_memory(error);
    flint_local_vector(fmpq, ends, 4);
    const area_window scaled = {ends, ends + 2};
    scale_window(window, planar->substeps[0], &scaled);
    area_window_regions(&scaled, length_of, &r, true, (area_goal){bits, bits, EVALUATIONS_MAX}, regions);
    for (int k = 0; k < 2; k++)
        for (int power = 0; power < 3; power++)
            arb_mul_si(regions[k].area, regions[k].area, planar->substeps[0], bits + 64);
    return COSTAB_OK;
}
