/* Integrals over the level curves R(z) = e^(i theta), 0 < theta < pi (docs/explanation/algorithms.md, Areas
 * of the simulation).
 *
 * 1. Ranges: the angles at which curves cross the imaginary axis divide the range of theta. In each part all
 *    curves remain on their sides, and the variable s is theta. Next to theta = 0 or pi with multiple roots
 *    of the level polynomial, s is the root of the distance from that end in which the curves are analytic
 *    (multiple_roots.h).
 * 2. Roots: acb_calc_integrate evaluates the integrand over balls of s. At the midpoint of a ball all roots
 *    of the level polynomial are approximated, starting from those of the previous ball.
 * 3. Enclosure of each root over the whole ball and its mirror image (root_enclosure.c).
 * 4. The root's term -2 y |y| dx/ds, analytic in s, is added to SS or US by the sign of x at the midpoint.
 * 5. Gauss-Legendre quadrature with proved bounds bisects ranges over which a root is not enclosed.
 *
 * The balls are proved. Limitation: they may have too few correct bits; the caller then doubles the
 * precision. Cost: finding the roots of the level polynomial for each ball. */
#include "area/level_curves.h"

#include <stdlib.h>

#include "area/multiple_roots.h"
#include "area/root_enclosure.h"
#include "costab/method.h"

enum { DEGREE_MAX = COSTAB_STAGES_MAX, PARTS_MAX = 100000 };

/* Context of the integrand: the curves in balls at one precision. */
typedef struct integrand {
    const level_curves *curves;
    const bool *wanted; /* for US, x > 0, and for SS, x < 0 */
    acb_poly_t P, Q;
    multiple_roots multiple[2]; /* at theta = 0 and pi */
    int end;       /* 0, 1: s is measured from that angle, as in multiple_roots.h; -1: s is theta */
    acb_ptr guess; /* the last roots; `started`: they exist */
    bool started;
    bool enclosed;     /* all wanted roots were enclosed over the last ball */
    int half_count[2]; /* number of roots in the wanted halves */
} integrand;

static void integrand_init(integrand *f, const level_curves *c, const bool wanted[2], slong precision) {
    f->curves = c;
    f->wanted = wanted;
    f->end = -1;
    f->started = false;
    flint_each(acb_poly_init, f->P, f->Q);
    surd_get_acb(f->P, &c->P, c->radicand, precision);
    surd_get_acb(f->Q, &c->Q, c->radicand, precision);
    for (int end = 0; end < 2; end++) multiple_roots_init(&f->multiple[end], c, end, precision);
    f->guess = _acb_vec_init(DEGREE_MAX);
}

static void integrand_clear(integrand *f) {
    flint_each(acb_poly_clear, f->P, f->Q);
    for (int end = 0; end < 2; end++) multiple_roots_clear(&f->multiple[end]);
    _acb_vec_clear(f->guess, DEGREE_MAX);
}

/* ---- L and derived quantities, for a number s or a ball ---- */

typedef struct position {
    acb_t s;     /* the variable of integration */
    acb_t level; /* L = e^(i theta) */
    acb_t gap;   /* 1 - L; the level polynomial is P + gap Q */
    acb_t kappa; /* (L - L0) / delta next to an end (multiple_roots.h) */
} position, position_t[1];

static void position_init(position *p) {
    flint_each(acb_init, p->s, p->level, p->gap, p->kappa);
}

static void position_clear(position *p) {
    flint_each(acb_clear, p->s, p->level, p->gap, p->kappa);
}
FLINT_LOCAL(position)

/* theta, or its distance from an end, is s^order. */
static int order_of(const integrand *f) {
    return f->end < 0 ? 1 : f->multiple[f->end].order;
}

/* Sets level, gap and kappa from s. With delta = s^order, L = e^(i delta) or -e^(-i delta) and (L - L0) /
 * delta = i e^(+-i delta / 2) sin(delta / 2) / (delta / 2). */
static void position_set(const integrand *f, position *p, slong precision) {
    flint_local(acb, half);
    acb_pow_ui(half, p->s, (ulong)order_of(f), precision);
    acb_mul_2exp_si(half, half, -1);
    acb_sinc(p->kappa, half, precision);
    if (f->end == 1) acb_neg(half, half);
    acb_mul_onei(half, half);
    acb_exp(half, half, precision);
    acb_mul(p->kappa, p->kappa, half, precision);
    acb_mul_onei(p->kappa, p->kappa);
    acb_mul(p->level, half, half, precision);
    if (f->end == 1) acb_neg(p->level, p->level);
    acb_sub_ui(p->gap, p->level, 1, precision);
    acb_neg(p->gap, p->gap);
}

/* Returns true if the root in the ball z is on the imaginary axis, if that is a curve: -conj z is also a
 * root, and the ball contains a single root. */
static bool on_axis(const integrand *f, const acb_t z) {
    return f->curves->axis && arb_contains_zero(acb_realref(z));
}

/* ---- One root ---- */

/* A root z = center + t v of the level polynomial; v is a simple root of F = P + factor Q. Near a multiple
 * root (multiple_roots.h) this is the center; otherwise center = 0 and t = 1. The derivative dz/ds is i L
 * order s^(power-1) Q / F'(v). At theta = pi its sign would be opposite, but theta decreases there as s
 * increases, so the integral also runs backwards. */
typedef struct level_root {
    acb_t center, t, guess; /* guess: of v */
    acb_t factor;           /* factor of Q in F; later that of Q / F' in dz/ds */
    acb_poly_t P, Q;        /* polynomials in v */
    root_enclosure e;
} level_root, level_root_t[1];

static void level_root_init(level_root *b) {
    flint_each(acb_init, b->center, b->t, b->guess, b->factor);
    flint_each(acb_poly_init, b->P, b->Q);
    root_enclosure_init(&b->e);
}

static void level_root_clear(level_root *b) {
    flint_each(acb_clear, b->center, b->t, b->guess, b->factor);
    flint_each(acb_poly_clear, b->P, b->Q);
    root_enclosure_clear(&b->e);
}
FLINT_LOCAL(level_root)

/* Number of roots closer to a point than root k. */
static int count_nearer(const integrand *f, slong k, const acb_t point) {
    enum { ROUGH = 64 };
    int nearer = 0;
    flint_local(arb, own, other);
    flint_local(acb, difference);
    acb_sub(difference, f->guess + k, point, ROUGH);
    acb_abs(own, difference, ROUGH);
    for (slong j = 0; j < f->curves->degree; j++) {
        acb_sub(difference, f->guess + j, point, ROUGH);
        acb_abs(other, difference, ROUGH);
        nearer += arf_cmp(arb_midref(other), arb_midref(own)) < 0;
    }
    return nearer;
}

/* Returns the multiple root that root k approaches as s tends to 0, or NULL, guessed by distance. A wrong
 * guess only makes the enclosure harder; the proof remains valid. */
static const multiple_root *multiple_root_of(const integrand *f, slong k) {
    if (f->end < 0) return NULL;
    const multiple_roots *all = &f->multiple[f->end];
    for (int i = 0; i < all->count; i++)
        if (count_nearer(f, k, all->each[i].root) < all->each[i].count) return &all->each[i];
    return NULL;
}

/* Encloses over the whole ball root k of those found at the midpoint. */
static bool level_root_enclose(const integrand *f, const position *middle, const position *ball, slong k,
                               slong precision, level_root *b) {
    const multiple_root *multiple = multiple_root_of(f, k);
    int power = order_of(f);
    acb_set(b->guess, f->guess + k);
    acb_zero(b->center);
    acb_one(b->t);
    if (multiple == NULL) {
        acb_poly_set(b->P, f->P);
        acb_poly_set(b->Q, f->Q);
        acb_set(b->factor, ball->gap);
    } else {
        power = multiple->power;
        acb_set(b->center, multiple->root);
        acb_sub(b->guess, b->guess, b->center, precision);
        acb_pow_ui(b->t, middle->s, (ulong)power, precision);
        acb_div(b->guess, b->guess, b->t, precision);
        acb_pow_ui(b->t, ball->s, (ulong)power, precision);
        multiple_root_polynomials(multiple, b->t, precision, b->P, b->Q);
        acb_neg(b->factor, ball->kappa);
    }
    bool fine = root_enclosure_find_sum(b->P, b->Q, b->factor, b->guess, precision, &b->e);
    acb_pow_ui(b->factor, ball->s, (ulong)(power - 1), precision);
    acb_mul_si(b->factor, b->factor, order_of(f), precision);
    acb_mul(b->factor, b->factor, ball->level, precision);
    acb_mul_onei(b->factor, b->factor);
    return fine;
}

/* Adds -2 y |y| dx/ds of one root with known sign of y: y = (z - conj z) / 2i, dx/ds = (z' + conj z') / 2.
 * The ball of s is its own mirror image, so the conjugate of z's enclosure encloses conj z. */
static void add_term(const level_root *b, int y_sign, slong precision, acb_t sum) {
    flint_local(acb, slope, speed, other, y);
    flint_local(acb_poly, Q);
    acb_poly_taylor_shift(Q, b->Q, b->e.start, precision);
    acb_poly_evaluate2(other, slope, b->e.shifted, b->e.u, precision);
    acb_poly_evaluate(speed, Q, b->e.u, precision);
    acb_mul(speed, speed, b->factor, precision);
    acb_div(speed, speed, slope, precision);
    acb_conj(other, speed);
    acb_add(speed, speed, other, precision);
    acb_add(y, b->e.start, b->e.u, precision);
    acb_mul(y, y, b->t, precision);
    acb_add(y, y, b->center, precision);
    acb_conj(other, y);
    acb_sub(y, y, other, precision);
    acb_mul_onei(y, y); /* 2i y i = -2 y */
    acb_mul(y, y, y, precision);
    acb_mul(speed, speed, y, precision); /* 4 y^2 times 2 dx/ds */
    acb_mul_2exp_si(speed, speed, -2);
    if (y_sign > 0)
        acb_sub(sum, sum, speed, precision);
    else
        acb_add(sum, sum, speed, precision);
}

/* Approximates all roots of the level polynomial at a number s, and stores them as guesses. */
static bool roots_at(integrand *f, const position *p, slong precision) {
    slong n = f->curves->degree;
    flint_local_vector(acb, found, n);
    flint_local(acb_poly, F);
    acb_poly_scalar_mul(F, f->Q, p->gap, precision);
    acb_poly_add(F, F, f->P, precision);
    bool fine = acb_poly_degree(F) == n;
    fine = fine && (acb_poly_find_roots(found, F, f->started ? f->guess : NULL, 0, precision) == n ||
                    (f->started && acb_poly_find_roots(found, F, NULL, 0, precision) == n));
    f->started = fine;
    for (slong k = 0; k < n; k++) acb_swap(f->guess + k, found + k);
    return fine;
}

/* [out] middle: the real part of the midpoint of a ball s; ball: s widened to contain its mirror image. */
static void set_positions(const integrand *f, const acb_t s, slong precision, position *middle,
                          position *ball) {
    flint_local(mag, height);
    acb_get_mid(middle->s, s);
    arb_zero(acb_imagref(middle->s));
    acb_set(ball->s, s);
    arb_get_mag(height, acb_imagref(s));
    arb_zero(acb_imagref(ball->s));
    arb_add_error_mag(acb_imagref(ball->s), height);
    position_set(f, middle, precision);
    position_set(f, ball, precision);
}

/* Adds the term of root k if its half is wanted; returns false if the half is unknown or the root is not
 * enclosed. */
static bool add_root(integrand *f, const position *middle, const position *ball, slong k, slong precision,
                     level_root *b, acb_ptr sums) {
    acb_srcptr at = f->guess + k;
    if (on_axis(f, at)) return true;
    const int x = arb_sgn_nonzero(acb_realref(at));
    const int y = arb_sgn_nonzero(acb_imagref(at));
    const int half = x < 0;
    if (x == 0 || y == 0) return false;
    if (!f->wanted[half]) return true;
    f->half_count[half]++;
    if (!level_root_enclose(f, middle, ball, k, precision, b)) return false;
    add_term(b, y, precision, sums + half);
    return true;
}

/* The integrand over a ball of s, as SS + i US: both are analytic, and real for real s. */
static int density(acb_ptr result, const acb_t s, void *context, slong order, slong precision) {
    (void)order; /* where the integrand may not be analytic, a root is not enclosed and the result infinite */
    integrand *f = context;
    flint_local(position, middle, ball);
    flint_local(level_root, b);
    flint_local_vector(acb, sums, 2);
    set_positions(f, s, precision, middle, ball);
    f->half_count[0] = f->half_count[1] = 0;
    f->enclosed = roots_at(f, middle, precision);
    for (slong k = 0; f->enclosed && k < f->curves->degree; k++)
        f->enclosed = add_root(f, middle, ball, k, precision, b, sums);
    acb_mul_onei(result, sums);
    acb_add(result, result, sums + 1, precision);
    if (!f->enclosed) acb_indeterminate(result);
    return 0;
}

/* The angle of R at z = i sqrt v, 0 to pi. */
static void angle_of(const integrand *f, const arb_t v, slong precision, arb_t angle) {
    flint_local(acb, z, value, bottom);
    arb_sqrt(acb_imagref(z), v, precision);
    acb_poly_evaluate(value, f->P, z, precision);
    acb_poly_evaluate(bottom, f->Q, z, precision);
    acb_div(value, value, bottom, precision);
    acb_add_ui(value, value, 1, precision);
    acb_arg(angle, value, precision);
    arb_abs(angle, angle);
}

static int ascending(const void *left, const void *right) {
    return arf_cmp(arb_midref((arb_srcptr)left), arb_midref((arb_srcptr)right));
}

/* Adds the integrals over one range of s. Returns false if its ends cannot be separated, or a root at its
 * midpoint is not enclosed. */
static bool add_range(integrand *f, arb_srcptr from, arb_srcptr to, slong bits, slong precision,
                      arb_ptr areas) {
    flint_local_vector(acb, space, 4);
    acb_ptr middle = space, a = space + 1, b = space + 2, value = space + 3;
    acb_set_arb(a, from);
    acb_set_arb(b, to);
    arb_add(acb_realref(middle), from, to, precision);
    arb_mul_2exp_si(acb_realref(middle), acb_realref(middle), -1);
    arb_get_mid_arb(acb_realref(middle), acb_realref(middle));
    if (!arb_lt(from, to)) return false;
    (void)density(value, middle, f, 0, precision);
    if (!f->enclosed) return false;
    const bool some[2] = {f->half_count[0] > 0, f->half_count[1] > 0}; /* constant over the range */
    if (some[0] || some[1]) {
        /* Process the worst part first: from an end with nearly empty range, relative errors are large. */
        acb_calc_integrate_opt_t options;
        flint_local(mag, none);
        acb_calc_integrate_opt_init(options);
        options->use_heap = 1;
        options->depth_limit = PARTS_MAX;
        acb_calc_integrate(value, density, f, a, b, bits + 6, none, options, precision);
        if (some[0]) arb_add(areas, areas, acb_imagref(value), precision);
        if (some[1]) arb_add(areas + 1, areas + 1, acb_realref(value), precision);
    }
    return true;
}

/* A range of angles: whether it starts at 0 or ends at pi, and the requested precision of its integral. */
typedef struct area_range {
    bool first, last;
    slong bits, precision;
} area_range;

/* s := the order-th root of an angle's distance from an end. */
static void set_s(arb_t s, const arb_t angle, arb_srcptr end, int order, slong precision) {
    arb_sub(s, angle, end, precision);
    arb_abs(s, s);
    arb_root_ui(s, s, (ulong)order, precision);
}

/* Adds the integrals over one range of angles. Between an end with multiple roots and the range's midpoint
 * the variable is s. */
static bool add_angles(integrand *f, arb_srcptr from, arb_srcptr to, const area_range *range, arb_ptr areas) {
    bool first = range->first && f->multiple[0].count > 0, last = range->last && f->multiple[1].count > 0;
    slong bits = range->bits, precision = range->precision;
    f->end = -1;
    if (!first && !last) return add_range(f, from, to, bits, precision, areas);
    flint_local_vector(arb, middle, 3);
    arb_ptr zero = middle + 1, s = middle + 2;
    arb_add(middle, from, to, precision);
    arb_mul_2exp_si(middle, middle, -1);
    arb_get_mid_arb(middle, middle);
    bool fine = true;
    for (int end = 0; end < 2 && fine; end++) {
        if (end == 0 ? first : last) {
            f->end = end;
            set_s(s, middle, end == 0 ? from : to, f->multiple[end].order, precision);
            fine = add_range(f, zero, s, bits, precision, areas);
        } else {
            f->end = -1;
            fine = add_range(f, end == 0 ? from : middle, end == 0 ? middle : to, bits, precision, areas);
        }
    }
    return fine;
}

bool level_curves_integrals(level_curves *c, const bool wanted[2], slong bits, slong precision,
                            arb_ptr areas) {
    const int most = c->crossings.count + 2;
    flint_local_vector(arb, angles, most);
    ends_by(integrand_clear) integrand f;
    int count = 0;
    integrand_init(&f, c, wanted, precision);
    arb_zero(&angles[count++]);
    for (int i = 0; i < c->crossings.count; i++) {
        flint_local(arb, v);
        real_roots_ball(&c->crossings, i, precision, v);
        if (arb_is_positive(v)) angle_of(&f, v, precision, &angles[count++]);
    }
    arb_const_pi(&angles[count++], precision);
    qsort(angles, (size_t)count, sizeof *angles, ascending);
    _arb_vec_zero(areas, 2);
    for (int k = 0; k + 1 < count; k++) {
        const area_range range = {k == 0, k + 2 == count, bits, precision};
        if (!add_angles(&f, &angles[k], &angles[k + 1], &range, areas)) return false;
    }
    return true;
}
