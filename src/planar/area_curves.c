/* The roots of R(z) = e^(i theta) over balls of theta, enclosed by Krawczyk's operator, and the integral over
 * theta of what they contribute to an area (area_simulation.c). */
#include "planar/area_curves.h"

#include <stdlib.h>

#include "costab/method.h"
#include "planar/root_enclosure.h"

enum { DEGREE_MAX = COSTAB_STAGES_MAX };

/* The curves in balls at one precision, for the integrand. */
typedef struct integrand {
    const area_curves *curves;
    int ss; /* which half: x < 0 */
    acb_poly_t P, Q;
    acb_ptr guess; /* the roots found last */
    bool started;
    int seen; /* roots in that half at the last angle; -1: could not be told */
} integrand;

static void integrand_init(integrand *f, const area_curves *c, int ss, slong precision) {
    f->curves = c;
    f->ss = ss;
    f->started = false;
    acb_poly_init(f->P);
    acb_poly_init(f->Q);
    surd_get_acb(f->P, &c->P, c->root, precision);
    surd_get_acb(f->Q, &c->Q, c->root, precision);
    f->guess = _acb_vec_init(DEGREE_MAX);
}

static void integrand_clear(integrand *f) {
    acb_poly_clear(f->P);
    acb_poly_clear(f->Q);
    _acb_vec_clear(f->guess, DEGREE_MAX);
}

/* F = P + (1 - e^(i theta)) Q */
static void level_polynomial(const integrand *f, const acb_t theta, slong precision, acb_poly_t F,
                             acb_t turn) {
    acb_t gap;
    acb_init(gap);
    acb_mul_onei(turn, theta);
    acb_exp(turn, turn, precision);
    acb_sub_ui(gap, turn, 1, precision);
    acb_neg(gap, gap);
    acb_poly_scalar_mul(F, f->Q, gap, precision);
    acb_poly_add(F, F, f->P, precision);
    acb_clear(gap);
}

/* Whether a root lies on the imaginary axis, which is a curve: -conj z is a root as well, and the ball holds
 * one alone.
 */
static bool on_axis(const integrand *f, const acb_t z) {
    return f->curves->axis && arb_contains_zero(acb_realref(z));
}

/* -2 y |y| dx/dtheta of one root with the sign of y: y = (z - conj z) / 2i, dx/dtheta = (z' + conj z') / 2,
 * where z and conj z vary independently over a ball of theta that is its own mirror image. */
static void add_term(const integrand *f, const root_enclosure *e, const acb_t turn, int y_sign,
                     slong precision, acb_t sum) {
    acb_t slope, speed, other, y;
    acb_poly_t Q;
    acb_init(slope);
    acb_init(speed);
    acb_init(other);
    acb_init(y);
    acb_poly_init(Q);
    acb_poly_taylor_shift(Q, f->Q, e->start, precision);
    acb_poly_evaluate2(other, slope, e->shifted, e->u, precision);
    acb_poly_evaluate(speed, Q, e->u, precision);
    acb_mul(speed, speed, turn, precision);
    acb_mul_onei(speed, speed);
    acb_div(speed, speed, slope, precision);
    acb_conj(other, speed);
    acb_add(speed, speed, other, precision);
    acb_add(y, e->start, e->u, precision);
    acb_conj(other, y);
    acb_sub(y, y, other, precision);
    acb_mul_onei(y, y); /* 2i y i = -2 y */
    acb_mul(y, y, y, precision);
    acb_mul(speed, speed, y, precision); /* 4 y^2 times 2 dx/dtheta */
    acb_mul_2exp_si(speed, speed, -2);
    if (y_sign > 0)
        acb_sub(sum, sum, speed, precision);
    else
        acb_add(sum, sum, speed, precision);
    acb_clear(slope);
    acb_clear(speed);
    acb_clear(other);
    acb_clear(y);
    acb_poly_clear(Q);
}

/* Finds all roots at a real angle and keeps them as guesses. */
static bool roots_at(integrand *f, const acb_poly_t F, slong precision) {
    slong n = acb_poly_degree(F);
    acb_ptr found = _acb_vec_init(n);
    bool fine = acb_poly_find_roots(found, F, f->started ? f->guess : NULL, 0, precision) == n;
    if (!fine && f->started) fine = acb_poly_find_roots(found, F, NULL, 0, precision) == n;
    f->started = fine;
    for (slong k = 0; k < n; k++) acb_swap(f->guess + k, found + k);
    _acb_vec_clear(found, n);
    return fine;
}

static int density(acb_ptr result, const acb_t theta, void *context, slong order, slong precision) {
    (void)order; /* where a root cannot be enclosed, and so may not be analytic, the result is infinite */
    integrand *f = context;
    acb_t ball, middle, turn;
    acb_poly_t F, level;
    root_enclosure e;
    acb_init(ball);
    acb_init(middle);
    acb_init(turn);
    acb_poly_init(F);
    acb_poly_init(level);
    root_enclosure_init(&e);
    acb_get_mid(middle, theta);
    arb_zero(acb_imagref(middle));
    acb_set(ball, theta); /* and its mirror image */
    mag_t height;
    mag_init(height);
    arb_get_mag(height, acb_imagref(theta));
    arb_zero(acb_imagref(ball));
    arb_add_error_mag(acb_imagref(ball), height);
    mag_clear(height);
    level_polynomial(f, middle, precision, level, turn);
    level_polynomial(f, ball, precision, F, turn);
    acb_zero(result);
    f->seen = 0;
    bool fine = roots_at(f, level, precision);
    for (int k = 0; fine && k < acb_poly_degree(level); k++) {
        acb_srcptr at = f->guess + k;
        if (on_axis(f, at)) continue;
        int x = arb_is_negative(acb_realref(at)) - arb_is_positive(acb_realref(at));
        int y = arb_is_positive(acb_imagref(at)) - arb_is_negative(acb_imagref(at));
        fine = x != 0 && y != 0;
        if (x != (f->ss ? 1 : -1)) continue;
        f->seen++;
        fine = fine && root_enclosure_find(F, at, precision, &e);
        if (fine) add_term(f, &e, turn, y, precision, result);
    }
    if (!fine) {
        acb_indeterminate(result);
        f->seen = -1;
    }
    acb_clear(ball);
    acb_clear(middle);
    acb_clear(turn);
    acb_poly_clear(F);
    acb_poly_clear(level);
    root_enclosure_clear(&e);
    return 0;
}

/* The angle, 0 to pi, of R at z = i sqrt v. */
static void angle_of(const integrand *f, const arb_t v, slong precision, arb_t angle) {
    acb_t z, value, bottom;
    acb_init(z);
    acb_init(value);
    acb_init(bottom);
    arb_sqrt(acb_imagref(z), v, precision);
    acb_poly_evaluate(value, f->P, z, precision);
    acb_poly_evaluate(bottom, f->Q, z, precision);
    acb_div(value, value, bottom, precision);
    acb_add_ui(value, value, 1, precision);
    acb_arg(angle, value, precision);
    arb_abs(angle, angle);
    acb_clear(z);
    acb_clear(value);
    acb_clear(bottom);
}

static int ascending(const void *left, const void *right) {
    return arf_cmp(arb_midref((arb_srcptr)left), arb_midref((arb_srcptr)right));
}

/* The integral over one range of angles, or over a range so narrow that it cannot be told from none. */
static bool add_range(integrand *f, arb_srcptr from, arb_srcptr to, slong bits, slong precision, arb_t area) {
    acb_t a, b, value;
    mag_t none;
    acb_init(a);
    acb_init(b);
    acb_init(value);
    mag_init(none);
    acb_set_arb(a, from);
    acb_set_arb(b, to);
    arb_add(acb_realref(value), from, to, precision);
    arb_mul_2exp_si(acb_realref(value), acb_realref(value), -1);
    arb_get_mid_arb(acb_realref(value), acb_realref(value));
    acb_t middle;
    acb_init(middle);
    acb_set(middle, value);
    bool fine = arb_lt(from, to) != 0;
    if (fine) (void)density(value, middle, f, 0, precision);
    fine = fine && f->seen >= 0;
    if (fine && f->seen > 0) {
        /* The worst part first: from an end where there is next to nothing, relative errors of that are
         * large. */
        acb_calc_integrate_opt_t options;
        acb_calc_integrate_opt_init(options);
        options->use_heap = 1;
        acb_calc_integrate(value, density, f, a, b, bits + 6, none, options, precision);
        arb_add(area, area, acb_realref(value), precision);
    }
    acb_clear(middle);
    acb_clear(a);
    acb_clear(b);
    acb_clear(value);
    mag_clear(none);
    return fine;
}

bool area_curves_half(area_curves *c, int ss, slong bits, slong precision, arb_t area) {
    const int most = c->crossings.count + 2;
    arb_ptr angles = _arb_vec_init(most);
    integrand f;
    int count = 0;
    integrand_init(&f, c, ss, precision);
    arb_zero(&angles[count++]);
    for (int i = 0; i < c->crossings.count; i++) {
        arb_t v;
        arb_init(v);
        real_roots_ball(&c->crossings, i, precision, v);
        if (arb_is_positive(v)) angle_of(&f, v, precision, &angles[count++]);
        arb_clear(v);
    }
    arb_const_pi(&angles[count++], precision);
    qsort(angles, (size_t)count, sizeof *angles, ascending);
    arb_zero(area);
    bool fine = true;
    for (int k = 0; k + 1 < count && fine; k++)
        fine = add_range(&f, &angles[k], &angles[k + 1], bits, precision, area);
    integrand_clear(&f);
    _arb_vec_clear(angles, most);
    return fine;
}
