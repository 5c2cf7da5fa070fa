/* Areas of the monolithic simulation, through the curves |R(z)| = 1.
 *
 * A stable point has both eigenvalues of A in D = {|R| < 1}; micro steps only scale the plane, areas by m^3.
 * With dGamma dDelta = |z1 - z2| dz1 dz2 for real and 4 y dx dy for complex pairs x +- iy, real pairs give
 * polynomials in the ends of D's real intervals. For complex pairs Green's theorem turns the integral over D
 * into one of -2 y |y| dx over the curves R(z) = e^(i theta), which are, for 0 < theta < pi, the roots
 * z_k(theta) of a polynomial: the area is
 *
 *     integral over 0 < theta < pi of the sum over k of -2 y_k |y_k| dx_k/dtheta,
 *
 * those with x_k < 0 belong to SS, those with x_k > 0 to US: the cut x = 0 has dx = 0. Between the angles at
 * which a curve crosses x = 0 no root changes its quadrant, and each term is analytic: for complex theta y =
 * (z(theta) - conj z(conj theta)) / 2i and x likewise. Roots over a ball of theta are enclosed by Krawczyk's
 * operator, integrals are taken in balls; what is infinite is decided in exact arithmetic. */
#include "planar/area_simulation.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/exact.h"
#include "planar/real_roots.h"

enum { DEGREE_MAX = COSTAB_STAGES_MAX, ANGLES_MAX = DEGREE_MAX + 2, PRECISION_MAX = 4000 };

/* R - 1 = P / Q of one micro step. */
typedef struct curves {
    int root, degree; /* of the larger one of P and Q */
    surd_poly P, Q;
    surd_poly growth; /* |P + Q|^2 - |Q|^2 on the imaginary axis, in v = y^2 */
    bool axis;        /* it vanishes: the imaginary axis is one of the curves */
    real_roots crossings;
} curves;

static bool curves_init(curves *c, const costab_method *method) {
    method_exact e;
    method_exact_make(method, 1, &e);
    surd_init(&c->P);
    surd_init(&c->Q);
    surd_init(&c->growth);
    c->root = e.root;
    surd_set(&c->Q, &e.den);
    fmpz_poly_shift_left(c->P.u, e.phi.u, 1);
    fmpz_poly_shift_left(c->P.v, e.phi.v, 1);
    method_exact_clear(&e);
    c->degree = (int)(surd_degree(&c->P) > surd_degree(&c->Q) ? surd_degree(&c->P) : surd_degree(&c->Q));

    /* f(iy) f(-iy) for f = P + Q, minus the same for Q: even powers of y alone */
    surd_poly sum, mirrored;
    surd_init(&sum);
    surd_init(&mirrored);
    fmpz_t minus;
    fmpz_init_set_si(minus, -1);
    for (int k = 0; k < 2; k++) {
        surd_set(&sum, &c->Q);
        if (k == 0) surd_add(&sum, &sum, &c->P);
        surd_set(&mirrored, &sum);
        surd_scale_variable(&mirrored, minus);
        surd_add_product(&c->growth, &sum, &mirrored, k == 0 ? 1 : -1, c->root);
    }
    surd_deflate(&c->growth, 2);
    surd_scale_variable(&c->growth, minus); /* (iy)^2 = -v */
    fmpz_clear(minus);
    surd_clear(&sum);
    surd_clear(&mirrored);

    c->axis = surd_is_zero(&c->growth);
    fmpz_poly_t norm;
    fmpz_poly_init(norm);
    surd_norm(norm, &c->growth, c->root);
    real_roots_init(&c->crossings);
    (void)real_roots_add(&c->crossings, norm);
    fmpz_poly_clear(norm);
    return real_roots_find(&c->crossings);
}

static void curves_clear(curves *c) {
    surd_clear(&c->P);
    surd_clear(&c->Q);
    surd_clear(&c->growth);
    real_roots_clear(&c->crossings);
}

/* ---- infinite or not ---- */

/* The sign of coefficient k of f. */
static int coefficient_sign(const surd_poly *f, slong k, int root) {
    fmpz_t u, v;
    fmpz_init(u);
    fmpz_init(v);
    fmpz_poly_get_coeff_fmpz(u, f->u, k);
    fmpz_poly_get_coeff_fmpz(v, f->v, k);
    int sign = surd_sign(u, v, root);
    fmpz_clear(u);
    fmpz_clear(v);
    return sign;
}

/* Whether the complex part of D has an infinite area on the left and on the right. With n the degree and R =
 * N / Q, |R| -> |N[n] / Q[n]|. Where that is 1, R -> +-1 (1 + c / z + ...): for c > 0 the left half of the
 * far plane is stable, for c = 0 sectors of both. Beside the imaginary axis |R|^2 - 1 ~ growth[k] y^(2(k -
 * n)) leaves a strip of the width y^(2(k - n) + 2), whose area is infinite for k >= n - 2. */
static void unbounded_parts(const curves *c, bool *left, bool *right) {
    int n = c->degree, q = coefficient_sign(&c->Q, n, c->root);
    *left = *right = false;
    if (q == 0) return; /* R grows */
    surd_poly N, mixed; /* N^2 - Q^2: its leading terms tell |R|^2 - 1 on the real axis */
    surd_init(&N);
    surd_init(&mixed);
    surd_add(&N, &c->P, &c->Q);
    surd_add_product(&mixed, &N, &N, 1, c->root);
    surd_add_product(&mixed, &c->Q, &c->Q, -1, c->root);
    int excess = coefficient_sign(&mixed, 2 * n, c->root),
        first = coefficient_sign(&mixed, 2 * n - 1, c->root);
    surd_clear(&N);
    surd_clear(&mixed);
    if (excess != 0) {
        *left = *right = excess < 0;
        return;
    }
    /* |R|^2 - 1 ~ 2 c / x with the sign of `first` at x > 0 */
    *left = first >= 0;
    *right = first <= 0;
    slong k = surd_degree(&c->growth);
    if (k < 0 || k < n - 2) return;
    int strip = coefficient_sign(&c->growth, k, c->root);
    *left = *left || strip < 0;
    *right = *right || strip < 0;
}

/* ---- real pairs ---- */

/* An open interval of the real axis in D; an end is the number of a root, or -1 or the number of roots. */
typedef struct real_interval {
    int from, to;
    bool positive;
} real_interval;

static int value_sign(const surd_poly *f, int root, const fmpz_t num, ulong shift) {
    fmpz_t u, v;
    fmpz_init(u);
    fmpz_init(v);
    surd_value(u, v, f, num, shift, surd_degree(f));
    int sign = surd_sign(u, v, root);
    fmpz_clear(u);
    fmpz_clear(v);
    return sign;
}

/* -2 < P / Q < 0 between the roots of P, P + 2Q and Q. Returns the number of intervals, -1 where memory is
 * out. */
static int real_intervals(const curves *c, real_roots *roots, real_interval *intervals) {
    surd_poly flip;
    fmpz_poly_t norm;
    fmpz_t num;
    int count = 0;
    surd_init(&flip);
    fmpz_poly_init(norm);
    fmpz_init(num);
    surd_add(&flip, &c->P, &c->Q);
    surd_add(&flip, &flip, &c->Q);
    const surd_poly *const breaks[3] = {&c->P, &c->Q, &flip};
    for (int k = 0; k < 3; k++) {
        surd_norm(norm, breaks[k], c->root);
        (void)real_roots_add(roots, norm);
    }
    bool fine = real_roots_find(roots);
    for (int i = -1; fine && i < roots->count; i++) {
        ulong shift;
        real_roots_between(roots, i, num, &shift);
        int q = value_sign(&c->Q, c->root, num, shift);
        if (value_sign(&c->P, c->root, num, shift) * q >= 0 ||
            value_sign(&flip, c->root, num, shift) * q <= 0)
            continue;
        intervals[count++] = (real_interval){i, i + 1, fmpz_sgn(num) > 0};
    }
    surd_clear(&flip);
    fmpz_poly_clear(norm);
    fmpz_clear(num);
    return fine ? count : -1;
}

static bool is_unbounded(const real_roots *roots, const real_interval *interval) {
    return interval->from < 0 || interval->to == roots->count;
}

/* Pairs within one interval of the width w: w^3 / 6; in two: their widths times the distance of their
 * middles. */
static void pair_area(real_roots *roots, const real_interval *i, const real_interval *j, slong precision,
                      arb_t area) {
    arb_t end[4], first, second;
    arb_init(first);
    arb_init(second);
    const int place[4] = {i->from, i->to, j->from, j->to};
    for (int k = 0; k < 4; k++) {
        arb_init(end[k]);
        real_roots_ball(roots, place[k], precision, end[k]);
    }
    arb_sub(first, end[1], end[0], precision);
    arb_sub(second, end[3], end[2], precision);
    if (i == j) {
        arb_pow_ui(area, first, 3, precision);
        arb_div_ui(area, area, 6, precision);
    } else {
        arb_mul(area, first, second, precision);
        arb_add(first, end[2], end[3], precision);
        arb_sub(first, first, end[0], precision);
        arb_sub(first, first, end[1], precision);
        arb_mul(area, area, first, precision);
        arb_mul_2exp_si(area, area, -1);
    }
    for (int k = 0; k < 4; k++) arb_clear(end[k]);
    arb_clear(first);
    arb_clear(second);
}

static costab_status add_real_pairs(const curves *c, slong precision, area_part parts[2],
                                    costab_error *error) {
    real_interval intervals[3 * DEGREE_MAX * 2 + 2];
    real_roots roots;
    arb_t area;
    arb_init(area);
    real_roots_init(&roots);
    int count = real_intervals(c, &roots, intervals);
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            area_part *part = &parts[!intervals[i].positive && !intervals[j].positive];
            part->some = true;
            part->infinite =
                part->infinite || is_unbounded(&roots, &intervals[i]) || is_unbounded(&roots, &intervals[j]);
            if (part->infinite) continue;
            pair_area(&roots, &intervals[i], &intervals[j], precision, area);
            arb_add(part->area, part->area, area, precision);
        }
    arb_clear(area);
    real_roots_clear(&roots);
    return count < 0 ? error_memory(error) : COSTAB_OK;
}

/* ---- complex pairs ---- */

/* The curves in balls at one precision, for the integrand. */
typedef struct integrand {
    const curves *curves;
    int ss; /* which half: x < 0 */
    acb_poly_t P, Q;
    acb_ptr guess; /* the roots found last */
    bool started;
    int seen; /* roots in that half at the last angle; -1: could not be told */
} integrand;

static void integrand_init(integrand *f, const curves *c, int ss, slong precision) {
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

/* One root for all theta of a ball: start + u with |u| <= radius, where F(start + u) = sum shifted[k] u^k. */
typedef struct enclosure {
    acb_t start, u;
    acb_poly_t shifted;
} enclosure;

static void enclosure_init(enclosure *e) {
    acb_init(e->start);
    acb_init(e->u);
    acb_poly_init(e->shifted);
}

static void enclosure_clear(enclosure *e) {
    acb_clear(e->start);
    acb_clear(e->u);
    acb_poly_clear(e->shifted);
}

/* How far u - F(start + u) / slope, slope next to F'(start), can lie from its value at 0 where |u| <= radius.
 */
static void contraction(const enclosure *e, const acb_t inverse, const mag_t radius, slong precision,
                        mag_t reach) {
    mag_t power, term;
    acb_t c;
    mag_init(power);
    mag_init(term);
    acb_init(c);
    mag_zero(reach);
    mag_one(power);
    for (slong k = 1; k < acb_poly_length(e->shifted); k++) {
        acb_mul(c, acb_poly_get_coeff_ptr(e->shifted, k), inverse, precision);
        if (k == 1) acb_sub_ui(c, c, 1, precision);
        acb_get_mag(term, c);
        mag_mul_ui(term, term, (ulong)k);
        mag_addmul(reach, term, power);
        mag_mul(power, power, radius);
    }
    mag_mul(reach, reach, radius);
    mag_clear(power);
    mag_clear(term);
    acb_clear(c);
}

/* Encloses the root of F near `start` for all coefficients in F's balls: where Krawczyk's operator maps a
 * disc into its inside, the disc holds one root. False where none of a few discs is mapped so. */
static bool enclose(const acb_poly_t F, const acb_t start, slong precision, enclosure *e) {
    acb_t inverse, first;
    mag_t offset, radius, reach, sum;
    acb_init(inverse);
    acb_init(first);
    mag_init(offset);
    mag_init(radius);
    mag_init(reach);
    mag_init(sum);
    acb_get_mid(e->start, start);
    acb_poly_taylor_shift(e->shifted, F, e->start, precision);
    acb_inv(inverse, acb_poly_get_coeff_ptr(e->shifted, 1), precision);
    acb_get_mid(inverse, inverse);
    acb_mul(first, acb_poly_get_coeff_ptr(e->shifted, 0), inverse, precision);
    acb_neg(first, first);
    acb_get_mag(offset, first);
    bool fine = mag_is_zero(offset) != 0;
    for (ulong share = 9; share <= 24 && !fine && mag_is_finite(offset); share += 3) {
        mag_mul_ui(radius, offset, share); /* 9/8 to 3 times the offset */
        mag_mul_2exp_si(radius, radius, -3);
        contraction(e, inverse, radius, precision, reach);
        mag_add(sum, reach, offset);
        fine = mag_cmp(sum, radius) < 0;
    }
    acb_set(e->u, first);
    acb_add_error_mag(e->u, reach);
    acb_clear(inverse);
    acb_clear(first);
    mag_clear(offset);
    mag_clear(radius);
    mag_clear(reach);
    mag_clear(sum);
    return fine;
}

/* Whether a root lies on the imaginary axis, which is a curve: -conj z is a root as well, and the ball holds
 * one alone.
 */
static bool on_axis(const integrand *f, const acb_t z) {
    return f->curves->axis && arb_contains_zero(acb_realref(z));
}

/* -2 y |y| dx/dtheta of one root with the sign of y: y = (z - conj z) / 2i, dx/dtheta = (z' + conj z') / 2,
 * where z and conj z vary independently over a ball of theta that is its own mirror image. */
static void add_term(const integrand *f, const enclosure *e, const acb_t turn, int y_sign, slong precision,
                     acb_t sum) {
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
    enclosure e;
    acb_init(ball);
    acb_init(middle);
    acb_init(turn);
    acb_poly_init(F);
    acb_poly_init(level);
    enclosure_init(&e);
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
        fine = fine && enclose(F, at, precision, &e);
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
    enclosure_clear(&e);
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
        acb_calc_integrate(value, density, f, a, b, bits + 6, none, NULL, precision);
        arb_add(area, area, acb_realref(value), precision);
    }
    acb_clear(middle);
    acb_clear(a);
    acb_clear(b);
    acb_clear(value);
    mag_clear(none);
    return fine;
}

/* The area of the complex pairs of one half at one precision. False where the curves could not be told apart.
 */
static bool complex_pairs(curves *c, int ss, slong bits, slong precision, arb_t area) {
    arb_ptr angles = _arb_vec_init(ANGLES_MAX);
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
    _arb_vec_clear(angles, ANGLES_MAX);
    return fine;
}

static costab_status add_complex_pairs(curves *c, int ss, slong bits, area_part *part, costab_error *error) {
    if (part->infinite) return COSTAB_OK;
    arb_t area;
    arb_init(area);
    bool fine = false;
    for (slong precision = bits + 64; !fine && precision <= PRECISION_MAX; precision *= 2)
        fine = complex_pairs(c, ss, bits, precision, area) &&
               (arb_is_zero(area) || (arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits));
    part->some = part->some || !arb_is_zero(area);
    arb_add(part->area, part->area, area, bits + 64);
    arb_clear(area);
    if (fine) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the area of the simulation did not reach %ld bits", (long)bits);
}

costab_status area_simulation_parts(const costab_planar *planar, slong bits, area_part parts[2],
                                    costab_error *error) {
    for (int k = 0; k < 2; k++) {
        parts[k].some = k == 1;
        parts[k].infinite = false;
        arb_zero(parts[k].area);
    }
    if (planar->method.kind == COSTAB_EXACT) { /* stable exactly where the system is */
        parts[1].infinite = true;
        return COSTAB_OK;
    }
    curves c;
    costab_status status = curves_init(&c, &planar->method) ? COSTAB_OK : error_memory(error);
    if (!status) {
        unbounded_parts(&c, &parts[1].infinite, &parts[0].infinite);
        for (int k = 0; k < 2; k++) parts[k].some = parts[k].some || parts[k].infinite;
        status = add_real_pairs(&c, bits + 64, parts, error);
    }
    for (int k = 0; k < 2 && !status; k++) {
        status = add_complex_pairs(&c, k, bits + 2, &parts[k], error);
        for (int power = 0; power < 3; power++)
            arb_mul_si(parts[k].area, parts[k].area, planar->substeps[0], bits + 64);
    }
    curves_clear(&c);
    return status;
}
