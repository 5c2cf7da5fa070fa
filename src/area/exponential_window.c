/* Areas of the method `exact` inside a window.
 *
 * 1. US is empty (exponential.c), and SS has Gamma < 0 < Delta: one quarter of the plane.
 * 2. At one Gamma the stability conditions of a row (planar/row.h) are x0 + x1 Delta > 0, with x0 and x1 in
 *    balls from phi, P0 and P1 of exponentials. Each bounds Delta from below or from above.
 * 3. The remaining length is integrated over Gamma (window.c).
 *
 * The ball is proved. Limitation: it may exceed the requested size after EVALUATIONS_MAX rows. */
#include "area/exponential.h"
#include "area/window.h"

enum { EVALUATIONS_MAX = 1000000 };

/* phi, P1 and P0 of one subsystem, stored in 3 consecutive numbers. */
typedef struct weights {
    acb_ptr phi, p1, p0;
} weights;

/* Data common to all rows. */
typedef struct rows {
    costab_scheme scheme;
    acb_ptr a;
    weights A;
} rows;

static weights weights_in(acb_ptr space) {
    return (weights){space, space + 1, space + 2};
}

/* The sum of z^k / (k + 2)!, half of Kummer's function M(1, 3, z). */
static void series(acb_t sum, const acb_t z, slong precision) {
    flint_local(acb, one, three);
    acb_one(one);
    acb_set_ui(three, 3);
    acb_hypgeom_m(sum, one, three, z, 0, precision);
    acb_mul_2exp_si(sum, sum, -1);
}

/* phi = (e^z - 1) / z, P1 = (phi - 1) / z and P0 = phi - P1; by series for |z| <= 1. */
static void weights_at(weights *w, const acb_t z, slong precision) {
    flint_local(mag, size);
    acb_get_mag(size, z);
    if (mag_cmp_2exp_si(size, 0) <= 0) {
        series(w->p1, z, precision);
        acb_mul(w->phi, w->p1, z, precision);
        acb_add_ui(w->phi, w->phi, 1, precision);
    } else {
        acb_expm1(w->phi, z, precision);
        acb_div(w->phi, w->phi, z, precision);
        acb_sub_ui(w->p1, w->phi, 1, precision);
        acb_div(w->p1, w->p1, z, precision);
    }
    acb_sub(w->p0, w->phi, w->p1, precision);
}

/* The remaining interval of Delta of a row. */
typedef struct interval {
    acb_ptr low, high;
    bool empty;
} interval;

/* Intersects an interval with x0 + x1 Delta > 0. Returns false if this cannot be decided. */
static bool keep_positive(interval *row, const acb_t x0, const acb_t x1, bool analytic, slong precision) {
    if (row->empty) return true;
    flint_local(acb, end);
    int signs[2];
    for (int k = 0; k < 2; k++) {
        acb_mul(end, x1, k == 0 ? row->low : row->high, precision);
        acb_add(end, end, x0, precision);
        signs[k] = arb_sgn_nonzero(acb_realref(end));
    }
    row->empty = signs[0] < 0 && signs[1] < 0;
    if (row->empty || (signs[0] > 0 && signs[1] > 0)) return true;
    acb_div(end, x0, x1, precision);
    acb_neg(end, end);
    area_clip(end, end, row->low, row->high, analytic, precision);
    const int side = arb_sgn_nonzero(acb_realref(x1));
    if (side != 0) acb_swap(side > 0 ? row->low : row->high, end);
    return side != 0;
}

/* Quantities of a row's conditions as in planar/row.h: e = phi_a phi_d, trace = s + ad g with s = a phi_a + d
 * phi_d, the scheme's g and q, and product = ad. */
typedef struct coefficients {
    acb_ptr e, trace, g, q, product;
} coefficients;

/* Computes them at one d. */
static void coefficients_at(coefficients *c, const rows *r, const weights *D, const acb_t d,
                            slong precision) {
    acb_mul(c->product, r->a, d, precision);
    acb_mul(c->e, r->A.phi, D->phi, precision);
    acb_zero(c->g);
    acb_zero(c->q);
    if (r->scheme != COSTAB_CROSS) acb_mul(c->g, r->A.phi, D->p1, precision);
    if (r->scheme == COSTAB_STRONG) acb_addmul(c->g, r->A.p1, D->phi, precision);
    if (r->scheme == COSTAB_STRONG) acb_mul(c->q, r->A.p1, D->p1, precision);
    acb_mul(c->trace, c->product, c->g, precision);
    acb_addmul(c->trace, r->a, r->A.phi, precision);
    acb_addmul(c->trace, d, D->phi, precision);
}

/* Intersects the interval with det, flip, contracting and converging (cells.h). Returns false if one is
 * undecided. */
static bool keep_stable(const coefficients *c, interval *row, bool analytic, slong precision) {
    flint_local(acb, x0, x1, reach);
    acb_neg(x0, c->trace);
    acb_sub(x1, c->g, c->e, precision);
    bool fine = keep_positive(row, x0, x1, analytic, precision);
    acb_mul(reach, c->product, c->q, precision);
    acb_sub_ui(x0, reach, 1, precision);
    acb_mul_si(x0, x0, -2, precision);
    acb_add(x0, x0, c->trace, precision);
    acb_mul_2exp_si(x0, x0, 1);
    acb_mul_2exp_si(x1, c->q, 1);
    acb_sub(x1, x1, c->g, precision);
    acb_mul_2exp_si(x1, x1, 1);
    acb_add(x1, x1, c->e, precision);
    fine = fine && keep_positive(row, x0, x1, analytic, precision);
    acb_sub_ui(x0, reach, 1, precision);
    acb_neg(x0, x0);
    fine = fine && keep_positive(row, x0, c->q, analytic, precision);
    acb_add_ui(x0, reach, 1, precision);
    acb_neg(x1, c->q);
    fine = fine && keep_positive(row, x0, x1, analytic, precision);
    return fine;
}

/* Stable length of a row, an area_row_length. */
static bool length_of(void *context, const acb_t gamma, const area_quarter *quarter, bool analytic,
                      slong precision, acb_t length) {
    const rows *r = context;
    enum { NUMBERS = 11 };
    flint_local_vector(acb, space, NUMBERS);
    acb_ptr d = space + 2;
    interval row = {.low = space, .high = space + 1};
    weights D = weights_in(space + 3);
    coefficients c = {space + 6, space + 7, space + 8, space + 9, space + 10};
    acb_sub(d, gamma, r->a, precision);
    weights_at(&D, d, precision);
    coefficients_at(&c, r, &D, d, precision);
    acb_set_arb(row.low, quarter->delta);
    acb_set_arb(row.high, quarter->delta + 1);
    bool fine = keep_stable(&c, &row, analytic, precision);
    acb_zero(length);
    if (!row.empty) acb_sub(length, row.high, row.low, precision);
    return fine;
}

void area_exponential_window(costab_scheme scheme, const fmpq_t a, const area_window *window, slong bits,
                             area_region regions[2]) {
    enum { NUMBERS = 4 };
    flint_local_vector(acb, space, NUMBERS);
    rows r = {.scheme = scheme, .a = space, .A = weights_in(space + 1)};
    slong precision = bits + 128;
    acb_set_fmpq(r.a, a, precision);
    weights_at(&r.A, r.a, precision);
    area_window_regions(window, length_of, &r, false, (area_goal){bits, 2 * bits, EVALUATIONS_MAX}, regions);
}
