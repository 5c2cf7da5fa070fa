/* Area of a piece (cells.h) in balls: the integral over d of a rational function between two roots, or to
 * infinity.
 *
 * 1. Panels: the piece is divided so that for |d| > 16 the ends of a panel differ by a factor of 4 at most.
 *    The panel at infinity is integrated over t = 1 / d.
 * 2. Each panel is mapped to -1 < u < 1 and the polynomials are expanded in u, so cancellation between the
 *    panel's ends occurs once in the coefficients instead of at every node.
 * 3. Gauss-Legendre quadrature with proved bounds and bisection (acb_calc_integrate: Johansson, Numerical
 *    integration in arbitrary-precision ball arithmetic, 2018).
 * 4. If the sum has too few correct bits, all is repeated with twice the working precision.
 *
 * The ball is proved. Limitation: PRECISION_MAX bits of working precision. */
#include "area/cells.h"

/* FAR: |d| from which panels grow. BOUND_BITS: precision of the magnitudes around a panel that bound the
 * error of the quadrature rule. */
enum { FAR = 16, PRECISION_MAX = 16000, BOUND_BITS = 64 };

/* The integrand top / bottom, two polynomials with real coefficients. */
typedef struct quotient {
    acb_poly_struct *top, *bottom;
} quotient;

static int evaluate(acb_ptr result, const acb_t x, void *context, slong order, slong precision) {
    const quotient *q = context; /* a pole in the ball makes the result infinite */
    if (order > 0) precision = BOUND_BITS;
    flint_local(acb, bottom);
    acb_poly_evaluate(result, q->top, x, precision);
    acb_poly_evaluate(bottom, q->bottom, x, precision);
    acb_div(result, result, bottom, precision);
    return 0;
}

/* The quotient top(d) / bottom(d), or for t = 1 / d, with dd = -dt / t^2, top(1/t) / bottom(1/t) / t^2. */
static void make_quotient(const area_piece *p, int radicand, bool inverse, slong precision,
                          const quotient *q) {
    flint_local(surd, top, bottom);
    surd_set(top, &p->top);
    surd_set(bottom, &p->bottom);
    if (inverse) { /* the degree of the bottom is larger by at least 2 */
        slong degree = surd_degree(bottom);
        surd_reverse(top, degree - 2);
        surd_reverse(bottom, degree);
    }
    surd_get_acb(q->top, top, radicand, precision);
    surd_get_acb(q->bottom, bottom, radicand, precision);
}

/* f(middle + half u) as a polynomial in u. */
static void substitute_line(acb_poly_t f, const acb_t middle, const acb_t half, slong precision) {
    flint_local(acb_poly, line);
    acb_poly_set_coeff_acb(line, 0, middle);
    acb_poly_set_coeff_acb(line, 1, half);
    acb_poly_compose(f, f, line, precision);
}

/* Adds the integral over one panel, from `from` to `to`, mapped to -1 < u < 1. The result is NaN if the
 * panel's width, or the quotient at its midpoint, does not have the requested precision. */
static void add_integral(const area_piece *p, int radicand, bool inverse, const arb_t from, const arb_t to,
                         slong bits, slong precision, arb_t area) {
    flint_local(acb_poly, top, bottom);
    quotient q = {top, bottom};
    flint_local(acb, middle, half, part, end);
    flint_local(mag, none);
    arb_add(acb_realref(middle), from, to, precision);
    arb_sub(acb_realref(half), to, from, precision);
    acb_mul_2exp_si(middle, middle, -1);
    acb_mul_2exp_si(half, half, -1);
    make_quotient(p, radicand, inverse, precision, &q);
    substitute_line(q.top, middle, half, precision);
    substitute_line(q.bottom, middle, half, precision);
    (void)evaluate(part, end, &q, 0, precision); /* u = 0 */
    bool known = arb_rel_accuracy_bits(acb_realref(part)) >= bits + 10 &&
                 arb_rel_accuracy_bits(acb_realref(half)) >= bits + 10;
    if (!known) {
        acb_indeterminate(part);
    } else {
        acb_set_si(middle, -1);
        acb_one(end);
        acb_calc_integrate(part, evaluate, &q, middle, end, bits + 6, none, NULL, precision);
    }
    arb_addmul(area, acb_realref(part), acb_realref(half), precision);
}

/* Adds the integral over the panel at infinity: from infinity to `near`, or only to |d| = FAR if `near` is
 * not `known` or closer to 0. [in, out] near: the panel's finite end. */
static void add_far(const area_piece *p, int radicand, bool left, arb_t near, bool known, slong bits,
                    slong precision, arb_t area) {
    flint_local(arb, edge, zero);
    arb_set_si(edge, left ? -FAR : FAR);
    if (!known || (left ? !arb_lt(near, edge) : !arb_gt(near, edge))) arb_set(near, edge);
    arb_inv(edge, near, precision);
    add_integral(p, radicand, true, left ? edge : zero, left ? zero : edge, bits, precision, area);
}

/* The smallest of the numbers ... -64, -16, 16, 64 ... above x. */
static double next_edge(double x) {
    double edge = FAR;
    if (x >= -FAR && x < FAR) return edge;
    while (x > 0 ? edge <= x : 4 * edge < -x) edge *= 4;
    return x > 0 ? edge : -edge;
}

/* Adds the integral from `from` to `to`, divided at the numbers of next_edge(). Over a wider panel a
 * polynomial varies too much: balls around small values would contain the large ones. */
static void add_panels(const area_piece *p, int radicand, const arb_t from, const arb_t to, slong bits,
                       slong precision, arb_t area) {
    flint_local(arb, now, next);
    arb_set(now, from);
    do {
        arb_set_d(next, next_edge(arf_get_d(arb_midref(now), ARF_RND_DOWN)));
        if (!arb_lt(next, to)) arb_set(next, to);
        add_integral(p, radicand, false, now, next, bits, precision, area);
        arb_swap(now, next);
    } while (!arb_equal(now, to));
}

/* Integrates over the whole piece at one working precision. */
static void integrate(area_cells *cells, const area_piece *p, slong bits, slong precision, arb_t area) {
    int radicand = cells->bounds->radicand;
    bool left = p->from < 0, right = p->to == cells->roots.count;
    flint_local(arb, from, to);
    arb_zero(area);
    if (!left) real_roots_ball(&cells->roots, p->from, precision, from);
    if (!right) real_roots_ball(&cells->roots, p->to, precision, to);
    if (left) {
        arb_set(from, to);
        add_far(p, radicand, true, from, !right, bits, precision, area);
    }
    if (right) {
        arb_set(to, from);
        if (left) arb_set_si(to, FAR);
        add_far(p, radicand, false, to, true, bits, precision, area);
    }
    if (!arb_equal(from, to)) add_panels(p, radicand, from, to, bits, precision, area);
}

bool area_cells_integral(area_cells *cells, const area_piece *piece, slong bits, arb_t area) {
    for (slong precision = bits + 64; precision <= PRECISION_MAX; precision *= 2) {
        integrate(cells, piece, bits, precision, area);
        if (arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits) return true;
    }
    return false;
}
