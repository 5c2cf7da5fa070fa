/* Points and rows of the planar system with full accuracy.
 *
 * 1. planar computes in doubles and returns NaN for results that may have fewer than 11 digits: near zeros,
 *    near equal eigenvalues of D, and after overflow.
 * 2. These results are recomputed in balls (Arb) from the exact numbers of the tableau and of the point. The
 *    precision is doubled until BALL_ENOUGH bits are known. Co-simulation: trace, determinant and X of
 *    planar/row.h. Simulation: D = R(A), a matrix of balls.
 * 3. The coefficients of a row that lost digits (scheme strong, far from a = 0) are recomputed in the same
 *    way before use.
 *
 * NaN remains at poles of the method or of the iteration, and if Gamma^2 overflows. Cost: that of planar;
 * about 10 us per recomputed point. */
#include "area/planar_points.h"

#include <math.h>
#include <string.h>

#include "area/exact_method.h"
#include "area/number.h"
#include "base/error.h"
#include "costab/area.h"
#include "planar/boundary.h"

/* ---- Weights ----
 * R, phi, P0 and P1 of a macro step in balls.
 *
 * 1. One micro step at z / m: quotients of the values, in Z[sqrt D], of exact polynomials (exact_method.c).
 * The method `exact` has phi = (e^z - 1) / z and P1 = (phi - 1) / z.
 * 2. m micro steps by doubling. The input at a joint is interpolated linearly between the ends
 *    (method/weights_template.h). Values are doubled instead of polynomials, because m may be large.
 *
 * Cost: the values, and log2 m joints. */

/* R, phi, P0 and P1 of some micro steps. */
typedef struct ball_weights {
    arb_t R, phi, p0, p1;
} ball_weights, ball_weights_t[1];

enum { BALL_ENOUGH = 64 };

enum { LEAST = 1000 };

static void ball_weights_init(ball_weights *w) {
    flint_each(arb_init, w->R, w->phi, w->p0, w->p1);
}

static void ball_weights_clear(ball_weights *w) {
    flint_each(arb_clear, w->R, w->phi, w->p0, w->p1);
}

FLINT_LOCAL(ball_weights)

static void set_weights(ball_weights *w, const ball_weights *of) {
    arb_set(w->R, of->R);
    arb_set(w->phi, of->phi);
    arb_set(w->p0, of->p0);
    arb_set(w->p1, of->p1);
}

/* ball := den^length f(z), z = num / den */
static void value_of(arb_t ball, const surd_poly *f, int radicand, const fmpq_t z, slong length,
                     slong precision) {
    flint_local(surd_number, value);
    flint_local(arb, irrational);
    surd_value(value, f, z, length);
    arb_set_fmpz(ball, value->u);
    arb_sqrt_ui(irrational, (ulong)radicand, precision);
    arb_addmul_fmpz(ball, irrational, value->v, precision);
}

/* The weights of one micro step of a Runge-Kutta method. */
static void micro_step(const method_exact *e, const fmpq_t z, slong precision, ball_weights *w) {
    const surd_poly *const f[] = {&e->den, &e->phi, &e->p0, &e->p1};
    arb_ptr to[] = {w->R, w->phi, w->p0, w->p1}; /* R first holds the denominator */
    slong length = 0;
    for (int k = 0; k < 4; k++)
        if (surd_degree(f[k]) > length) length = surd_degree(f[k]);
    for (int k = 0; k < 4; k++) value_of(to[k], f[k], e->radicand, z, length, precision);
    for (int k = 1; k < 4; k++) arb_div(to[k], to[k], w->R, precision);
    arb_mul_fmpz(w->R, w->phi, fmpq_numref(z), precision);
    arb_div_fmpz(w->R, w->R, fmpq_denref(z), precision);
    arb_add_ui(w->R, w->R, 1, precision);
}

/* The weights of one micro step of the method `exact`. */
static void exponential(const fmpq_t a, slong precision, ball_weights *w) {
    flint_local(arb, z);
    arb_set_fmpq(z, a, precision);
    arb_exp(w->R, z, precision);
    arb_one(w->phi);
    arb_set_d(w->p1, 0.5);
    if (!fmpq_is_zero(a)) {
        arb_expm1(w->phi, z, precision);
        arb_div(w->phi, w->phi, z, precision);
        arb_sub_ui(w->p1, w->phi, 1, precision);
        arb_div(w->p1, w->p1, z, precision);
    }
    arb_sub(w->p0, w->phi, w->p1, precision);
}

/* both := `first` over k micro steps, then `second` over l. */
static void join(ball_weights *both, const ball_weights *first, slong k, const ball_weights *second, slong l,
                 slong precision) {
    flint_local(arb, joint);
    arb_mul(joint, second->R, first->p1, precision);
    arb_add(joint, joint, second->p0, precision);
    arb_mul_si(joint, joint, k, precision);
    arb_div_si(joint, joint, k + l, precision);
    arb_add(both->p1, joint, second->p1, precision);
    arb_mul(both->phi, second->R, first->phi, precision);
    arb_add(both->phi, both->phi, second->phi, precision);
    arb_sub(both->p0, both->phi, both->p1, precision);
    arb_mul(both->R, second->R, first->R, precision);
}

/* w := the macro step of m micro steps, by the binary digits of m from the highest. */
static void repeat(ball_weights *w, slong m, slong precision) {
    if (m == 1) return;
    flint_local(ball_weights, one, other);
    set_weights(one, w);
    slong done = 1, bit = 1;
    while (2 * bit <= m) bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        join(other, w, done, w, done, precision);
        done *= 2;
        set_weights(w, other);
        if ((m & bit) == 0) continue;
        join(other, w, done, one, 1, precision);
        done++;
        set_weights(w, other);
    }
    arb_ptr means[] = {w->phi, w->p0, w->p1};
    for (int k = 0; k < 3; k++) arb_div_si(means[k], means[k], m, precision);
}

/* The method in exact numbers, for one micro step; must be cleared with method_exact_clear in any case.
 * Leaves `exact` unchanged for the method `exact`. Returns false if memory is exhausted. */
static bool weights_method(const costab_method *method, method_exact *exact) {
    return method->kind == COSTAB_EXACT || method_exact_make(method, 1, exact);
}

/* w := the weights at z of a macro step of `substeps` micro steps. */
static void weights_at(const costab_method *method, const method_exact *exact, int substeps, const fmpq_t z,
                       slong precision, ball_weights *w) {
    if (method->kind == COSTAB_EXACT) {
        exponential(z, precision, w);
        return;
    }
    flint_local(fmpq, micro);
    fmpq_set_si(micro, 1, (ulong)substeps);
    fmpq_mul(micro, micro, z);
    micro_step(exact, micro, precision, w);
    repeat(w, substeps, precision);
}

/* The double nearest to a ball known to BALL_ENOUGH bits; 0 within 2^-1000 of 0; infinite beyond the largest
 * double. Returns false if a higher precision may help. */
static bool ball_to_double(const arb_t ball, double *value) {
    flint_local(mag, most);
    arb_get_mag(most, ball);
    const bool known = arb_is_finite(ball) && arb_rel_accuracy_bits(ball) >= BALL_ENOUGH,
               none = !known && mag_cmp_2exp_si(most, -LEAST) < 0;
    *value = none ? 0 : arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    return known || none;
}

/* ---- Points ---- */

enum { PRECISION_MAX = 1 << 10 };

/* Coefficients of a row: ad, s, g, e and q of planar/row.h, det1 = g - e and flip1 = 4q - 2g + e. */
typedef struct cosimulation {
    arb_t product, s, g, e, q, det1, flip1;
} cosimulation;

static void cosimulation_init(cosimulation *c) {
    flint_each(arb_init, c->product, c->s, c->g, c->e, c->q, c->det1, c->flip1);
}

static void cosimulation_clear(cosimulation *c) {
    flint_each(arb_clear, c->product, c->s, c->g, c->e, c->q, c->det1, c->flip1);
}

/* Data shared by all balls of a discretisation, prepared on first use. */
typedef struct ball_context {
    const costab_planar *planar;
    bool begun, fine;
    method_exact method;
    /* latest row of a co-simulation scheme */
    cosimulation row;
    double a, gamma;
    slong precision; /* 0: no row yet */
} ball_context;

static void end_balls(ball_context *m) {
    if (!m->begun) return;
    method_exact_clear(&m->method);
    cosimulation_clear(&m->row);
}

/* Prepares the shared data on first use. Returns false if memory is exhausted. */
static bool is_ready(ball_context *m) {
    if (m->begun) return m->fine;
    flint_free_at_thread_end();
    m->begun = true;
    cosimulation_init(&m->row);
    m->fine = weights_method(&m->planar->method, &m->method);
    return m->fine;
}

/* The coefficients of a row in balls, cached for the next point. */
static const cosimulation *find_row(ball_context *m, double a, double gamma, slong precision) {
    const costab_planar *planar = m->planar;
    cosimulation *c = &m->row;
    if (m->precision == precision && m->a == a && m->gamma == gamma) return c;
    m->precision = precision;
    m->a = a;
    m->gamma = gamma;
    flint_local(fmpq, exact_a, d, product);
    flint_local(ball_weights, A, D);
    flint_local(arb, term);
    rational_of(exact_a, a);
    rational_of(d, gamma);
    fmpq_sub(d, d, exact_a);
    fmpq_mul(product, exact_a, d);
    arb_set_fmpq(c->product, product, precision);
    weights_at(&planar->method, &m->method, planar->substeps[0], exact_a, precision, A);
    weights_at(&planar->method, &m->method, planar->substeps[1], d, precision, D);
    /* a phi_a = R_a - 1 */
    arb_add(c->s, A->R, D->R, precision);
    arb_sub_ui(c->s, c->s, 2, precision);
    arb_mul(c->e, A->phi, D->phi, precision);
    arb_zero(c->g);
    arb_zero(c->q);
    if (planar->scheme != COSTAB_CROSS) arb_mul(c->g, A->phi, D->p1, precision);
    if (planar->scheme == COSTAB_STRONG) {
        arb_addmul(c->g, A->p1, D->phi, precision);
        arb_mul(c->q, A->p1, D->p1, precision);
    }
    arb_sub(c->det1, c->g, c->e, precision);
    arb_mul_si(c->flip1, c->q, 4, precision);
    arb_add(c->flip1, c->flip1, c->e, precision);
    arb_mul_si(term, c->g, 2, precision);
    arb_sub(c->flip1, c->flip1, term, precision);
    return c;
}

/* radius := max |mean +- sqrt(square)|; sqrt(determinant) for a complex pair (square < 0). For square near 0
 * the root is a wide ball, from either side. */
static void larger_modulus(arb_t radius, const arb_t mean, const arb_t square, const arb_t determinant,
                           slong precision) {
    if (arb_is_negative(square)) {
        arb_sqrt(radius, determinant, precision);
        return;
    }
    flint_local(arb, size);
    arb_abs(size, mean);
    arb_sqrtpos(radius, square, precision);
    arb_add(radius, radius, size, precision);
}

enum { TRACE, DETERMINANT, RADIUS, ITERATION, NUMBERS };

/* The numbers of a point of a co-simulation scheme. */
static void cosimulation_numbers(ball_context *m, double a, double gamma, double delta, slong precision,
                                 arb_t number[NUMBERS]) {
    const cosimulation *c = find_row(m, a, gamma, precision);
    flint_local(arb, w, K, n, fold, half, square);
    arb_set_d(w, delta);
    arb_mul(fold, c->e, w, precision);
    arb_sub(w, c->product, w, precision);
    arb_mul(K, w, c->q, precision);
    arb_abs(number[ITERATION], K);
    arb_sqrt(number[ITERATION], number[ITERATION], precision);
    arb_sub_ui(K, K, 1, precision);
    arb_neg(K, K);
    arb_mul(n, w, c->g, precision);
    arb_add(n, n, c->s, precision);
    arb_div(n, n, K, precision);
    arb_div(fold, fold, K, precision);
    arb_add_ui(number[TRACE], n, 2, precision);
    arb_add_ui(number[DETERMINANT], n, 1, precision);
    arb_add(number[DETERMINANT], number[DETERMINANT], fold, precision);
    arb_mul_2exp_si(half, n, -1);
    arb_mul(square, half, half, precision);
    arb_sub(square, square, fold, precision);
    arb_add_ui(half, half, 1, precision);
    larger_modulus(number[RADIUS], half, square, number[DETERMINANT], precision);
}

/* X := f(A) */
static void value_at(arb_mat_t X, const surd_poly *f, int radicand, const arb_mat_t A, slong precision) {
    flint_local(acb_poly, c);
    surd_get_acb(c, f, radicand, precision);
    arb_mat_zero(X);
    for (slong k = acb_poly_degree(c); k >= 0; k--) {
        arb_mat_mul(X, X, A, precision);
        for (slong i = 0; i < 2; i++)
            arb_add(arb_mat_entry(X, i, i), arb_mat_entry(X, i, i), acb_realref(acb_poly_get_coeff_ptr(c, k)),
                    precision);
    }
}

/* D := R(A/m)^m with R(z) = 1 + z phi(z) / den(z), or e^A; A is the companion matrix of Gamma and Delta.
 * [out] determinant: of D, from that of one micro step, or e^Gamma: in the powers the larger eigenvalue's
 * square would cancel. Returns false at a pole. */
static bool simulation_map(const ball_context *m, double gamma, double delta, slong precision, arb_mat_t D,
                           arb_t determinant) {
    const int substeps = m->planar->substeps[0];
    flint_local_matrix(arb_mat, 2, 2, A, numerator, den);
    arb_set_d(arb_mat_entry(A, 0, 1), -delta);
    arb_one(arb_mat_entry(A, 1, 0));
    arb_set_d(arb_mat_entry(A, 1, 1), gamma);
    if (m->planar->method.kind == COSTAB_EXACT) {
        arb_mat_exp(D, A, precision);
        arb_exp(determinant, arb_mat_entry(A, 1, 1), precision);
        return true;
    }
    arb_mat_scalar_div_si(A, A, substeps, precision);
    value_at(numerator, &m->method.phi, m->method.radicand, A, precision);
    value_at(den, &m->method.den, m->method.radicand, A, precision);
    arb_mat_mul(numerator, numerator, A, precision);
    arb_mat_add(numerator, numerator, den, precision);
    if (!arb_mat_solve(D, den, numerator, precision)) return false;
    arb_mat_det(determinant, D, precision);
    arb_pow_ui(determinant, determinant, (ulong)substeps, precision);
    arb_mat_pow_ui(D, D, (ulong)substeps, precision);
    return true;
}

/* The numbers of a point of the simulation. */
static void simulation_numbers(const ball_context *m, double gamma, double delta, slong precision,
                               arb_t number[NUMBERS]) {
    flint_local_matrix(arb_mat, 2, 2, D);
    flint_local(arb, mean, square);
    for (int k = 0; k < NUMBERS; k++) arb_indeterminate(number[k]);
    if (!simulation_map(m, gamma, delta, precision, D, number[DETERMINANT])) return;
    arb_mat_trace(number[TRACE], D, precision);
    arb_mul_2exp_si(mean, number[TRACE], -1);
    arb_mul(square, mean, mean, precision);
    arb_sub(square, square, number[DETERMINANT], precision);
    larger_modulus(number[RADIUS], mean, square, number[DETERMINANT], precision);
}

/* Computes the numbers of a point that are NaN. [in, out] number: trace, determinant, radii; NULL: not
 * wanted. Returns false if memory is exhausted. */
static bool complete(ball_context *m, double a, double gamma, double delta, double *number[NUMBERS]) {
    arb_t ball[NUMBERS];
    bool open = false;
    for (int k = 0; k < NUMBERS; k++) open = open || (number[k] != NULL && isnan(*number[k]));
    /* such a row has the classes of an overflow */
    const bool overflows = m->planar->method.kind != COSTAB_EXACT && !isfinite(0.25 * gamma * gamma);
    if (!open || overflows || !isfinite(a) || !isfinite(gamma) || !isfinite(delta)) return true;
    if (!is_ready(m)) return false;
    for (int k = 0; k < NUMBERS; k++) arb_init(ball[k]);
    for (slong precision = 2 * BALL_ENOUGH; open && precision <= PRECISION_MAX; precision *= 2) {
        if (m->planar->scheme == COSTAB_SIMULATION)
            simulation_numbers(m, gamma, delta, precision, ball);
        else
            cosimulation_numbers(m, a, gamma, delta, precision, ball);
        open = false;
        for (int k = 0; k < NUMBERS; k++) {
            double value;
            if (number[k] == NULL || !isnan(*number[k])) continue;
            if (ball_to_double(ball[k], &value))
                *number[k] = value;
            else
                open = true;
        }
    }
    for (int k = 0; k < NUMBERS; k++) arb_clear(ball[k]);
    return true;
}

/* Recomputes the coefficients of a row. Returns false if memory is exhausted. */
static bool complete_row(ball_context *m, double a, double gamma, planar_row *row) {
    flint_local(arb, trace0, flip0);
    bool known = false;
    if (!isfinite(a) || !isfinite(gamma)) return true;
    if (!is_ready(m)) return false;
    for (slong precision = 2 * BALL_ENOUGH; !known && precision <= PRECISION_MAX; precision *= 2) {
        double g;
        const cosimulation *c = find_row(m, a, gamma, precision);
        arb_mul(trace0, c->product, c->g, precision);
        arb_add(trace0, trace0, c->s, precision);
        arb_mul(flip0, c->product, c->q, precision);
        arb_mul_2exp_si(flip0, flip0, 1);
        arb_sub(flip0, trace0, flip0, precision);
        arb_add_ui(flip0, flip0, 2, precision);
        arb_mul_2exp_si(flip0, flip0, 1);
        const bool all[] = {ball_to_double(c->g, &g),
                            ball_to_double(trace0, &row->trace0),
                            ball_to_double(c->e, &row->fold1),
                            ball_to_double(c->det1, &row->det1),
                            ball_to_double(flip0, &row->flip0),
                            ball_to_double(c->flip1, &row->flip1),
                            ball_to_double(c->product, &row->product),
                            ball_to_double(c->q, &row->contraction)};
        known = true;
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) known = known && all[k];
        row->trace1 = -g;
        row->det0 = -row->trace0;
    }
    row->trace0_size = fabs(row->trace0);
    row->trace1_size = fabs(row->trace1);
    row->det1_size = fabs(row->det1);
    return true;
}

static bool make_row(ball_context *m, const costab_planar_slice *slice, double gamma, planar_row *row) {
    *row = planar_row_make(slice, gamma);
    return !row->doubtful || complete_row(m, slice->a, gamma, row);
}

bool exact_planar_row(const costab_planar_slice *slice, double gamma, planar_row *row) {
    ends_by(end_balls) ball_context m = {.planar = slice->planar};
    return make_row(&m, slice, gamma, row);
}

static double *at(double *values, size_t i) {
    return values != NULL ? values + i : NULL;
}

bool exact_planar_fields(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                         const double *delta, const costab_planar_fields *fields) {
    ends_by(end_balls) ball_context m = {.planar = slice->planar};
    bool fine = true;
    planar_field_row(slice, row, gamma, n, delta, fields);
    for (size_t i = 0; i < n && fine; i++) {
        double *number[NUMBERS] = {at(fields->trace, i), at(fields->determinant, i),
                                   at(fields->spectral_radius, i)};
        fine = complete(&m, slice->a, gamma, delta[i], number);
    }
    return fine;
}

/* ---- Functions declared in costab/planar.h ---- */

/* Selects the numbers to compute. */
typedef struct wanted {
    bool number[NUMBERS];
} wanted;

/* Returns false if memory is exhausted; numbers may then be NaN. */
static bool find_point(ball_context *m, double a, double gamma, double delta, wanted w,
                       costab_planar_point *point) {
    bool fine = true;
    if (m->planar->scheme == COSTAB_SIMULATION) {
        planar_simulation_line line = planar_simulation_at(m->planar, gamma);
        *point = planar_simulation_point(&line, delta);
    } else {
        costab_planar_slice slice = costab_planar_at(m->planar, a);
        planar_row row;
        fine = make_row(m, &slice, gamma, &row);
        *point = planar_cosimulation_point(&row, gamma, delta);
    }
    return complete(m, a, gamma, delta,
                    (double *[NUMBERS]){w.number[TRACE] ? &point->trace : NULL,
                                        w.number[DETERMINANT] ? &point->determinant : NULL,
                                        w.number[RADIUS] ? &point->spectral_radius : NULL,
                                        w.number[ITERATION] && m->planar->scheme == COSTAB_STRONG
                                            ? &point->iteration_radius
                                            : NULL}) &&
           fine;
}

void costab_planar_points(const costab_planar *planar, size_t n, const double *a, const double *gamma,
                          const double *delta, costab_planar_point *points) {
    ends_by(end_balls) ball_context m = {.planar = planar};
    for (size_t i = 0; i < n; i++)
        (void)find_point(&m, a[i], gamma[i], delta[i], (wanted){{true, true, true, true}}, &points[i]);
}

costab_status costab_planar_fill(const costab_planar *planar, size_t n, const double *a, const double *gamma,
                                 const double *delta, const costab_planar_columns *columns,
                                 costab_error *error) {
    ends_by(end_balls) ball_context m = {.planar = planar};
    const costab_planar_columns *to = columns;
    const wanted w = {{to->trace != NULL, to->determinant != NULL, to->spectral_radius != NULL,
                       to->iteration_radius != NULL}};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(a[i]) || !isfinite(gamma[i]) || !isfinite(delta[i]))
            return error_invalid(error, "point %zu is not finite: a = %g, gamma = %g, delta = %g", i, a[i],
                                 gamma[i], delta[i]);
        costab_planar_point p;
        if (!find_point(&m, a[i], gamma[i], delta[i], w, &p)) return error_memory(error);
        if (to->trace != NULL) to->trace[i] = p.trace;
        if (to->determinant != NULL) to->determinant[i] = p.determinant;
        if (to->spectral_radius != NULL) to->spectral_radius[i] = p.spectral_radius;
        if (to->iteration_radius != NULL) to->iteration_radius[i] = p.iteration_radius;
        if (to->class_code != NULL) to->class_code[i] = p.class_code;
        if (to->cause != NULL) to->cause[i] = p.cause;
    }
    return COSTAB_OK;
}

/* Stable intervals of a row. */
static void find_pieces(const costab_planar_slice *slice, double gamma, planar_pieces *pieces) {
    if (slice->planar->scheme == COSTAB_SIMULATION) {
        planar_row_find(slice, NULL, gamma, pieces);
        return;
    }
    planar_row row;
    (void)exact_planar_row(slice, gamma, &row);
    planar_row_find(slice, &row, gamma, pieces);
}

int costab_planar_row(const costab_planar_slice *slice, double gamma, costab_interval *pieces) {
    planar_pieces found;
    find_pieces(slice, gamma, &found);
    memcpy(pieces, found.piece, (size_t)found.count * sizeof pieces[0]);
    return found.count;
}

void costab_planar_class_row(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                             uint8_t *class_code) {
    planar_grid grid = planar_grid_of(n, delta);
    planar_pieces pieces;
    find_pieces(slice, gamma, &pieces);
    planar_fill_row(slice, gamma, &pieces, &grid, class_code);
}

void costab_planar_field_row(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                             const costab_planar_fields *fields) {
    if (slice->planar->scheme == COSTAB_SIMULATION) {
        (void)exact_planar_fields(slice, NULL, gamma, n, delta, fields);
        return;
    }
    planar_row row;
    (void)exact_planar_row(slice, gamma, &row);
    (void)exact_planar_fields(slice, &row, gamma, n, delta, fields);
}

/* ---- Boundary curves ----
 * Boundary curves at an exactly given a.
 *
 * 1. R, phi, P0 and P1 of a macro step in balls (see above). The precision is doubled until all four are
 *    known to BALL_ENOUGH bits; then they are rounded to doubles.
 * 2. Curves from these weights, by planar/boundary.c.
 *
 * Cost: dominated by the curves. Limitation: a weight within 2^-BALL_ENOUGH of the midpoint of two doubles
 * may be rounded to either one. At a pole of the method no precision suffices, and the weights are NaN as in
 * doubles. */

enum { CURVE_PRECISION_MAX = 1 << 16 };

/* The weights in balls, rounded to doubles. Returns false if memory is exhausted. */
static bool find_weights(const costab_method *method, int substeps, const fmpq_t a, costab_weights *weights) {
    bool known = false;
    ends_by(method_exact_clear) method_exact exact = {.radicand = 0};
    const bool fine = weights_method(method, &exact);
    flint_local(ball_weights, w);
    for (slong precision = 2 * BALL_ENOUGH; fine && !known && precision <= CURVE_PRECISION_MAX;
         precision *= 2) {
        weights_at(method, &exact, substeps, a, precision, w);
        const bool all[] = {ball_to_double(w->R, &weights->R), ball_to_double(w->phi, &weights->phi),
                            ball_to_double(w->p0, &weights->p0), ball_to_double(w->p1, &weights->p1)};
        known = all[0] && all[1] && all[2] && all[3];
    }
    return fine;
}

costab_status costab_planar_boundary_at(const costab_planar *planar, const char *a, const double gamma[2],
                                        const double delta[2], costab_boundary *boundary,
                                        costab_error *error) {
    costab_planar_slice slice = {.planar = planar};
    *boundary = (costab_boundary){0};
    flint_free_at_thread_end();
    flint_local(fmpq, exact);
    TRY(rational_read(a, exact, error));
    slice.a = rational_nearest(fmpq_numref(exact), fmpq_denref(exact));
    if (planar->scheme != COSTAB_SIMULATION &&
        !find_weights(&planar->method, planar->substeps[0], exact, &slice.weights_a))
        return error_memory(error);
    return costab_planar_boundary_of(&slice, gamma, delta, boundary, error);
}
