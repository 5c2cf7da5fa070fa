/* The method `exact` in closed form. With E = e^a, F = e^d, phi = (e^z - 1) / z, P1 = (e^z - 1 - z) / z^2 and
 * P0 = phi - P1, all positive and phi and P1 increasing, u = P0 / P1 increasing with u(-z) = 1 / u(z):
 *
 * - Delta phi_a phi_d > 0 asks for Delta > 0 everywhere, so that US can only have Gamma > 0.
 * - cross: det asks for Delta phi_a phi_d < 2 - E - F. For Gamma > 0, F > 1 / E and 2 - E - 1 / E <= 0: no
 * US. As d -> -infinity rows grow like |d| (2 - E) / phi_a: SS is infinite for E < 2, and there is none for E
 * > 2.
 * - zigzag: K (Tr D - 2) = phi_d (d + E - 1) at Delta = 0, and det asks for Delta phi_a P0_d < -phi_d (d + E
 * - 1). With d > -a, d + E - 1 > E - 1 - a >= 0: no US. As d -> -infinity rows end at flip and grow like 2
 * |d| / phi_a: SS is infinite.
 * - strong: K (Tr D - 2) = phi_a phi_d Gamma at Delta = 0. det asks for P1_a P1_d (1 - u_a u_d) Delta > phi_a
 * phi_d Gamma, converging for Delta < a d + 1 / (P1_a P1_d). For Gamma > 0 both together need e^Gamma + u_a
 * u_d < 2, but u_a u_d > 1: no US. For Gamma < 0, det and contracting hold for all Delta > 0. So does flip up
 * to converging's end, as it is linear: at Delta = 0 it is 2 (K + K Det D) > 0, and at that end (1 + E) (1 +
 * F) + (1 - u_a) (1 - u_d), positive as u_a < E for a > 0. Rows are 0 < Delta < a d + 1 / (P1_a P1_d), d <
 * -a; this end is positive where (phi_a - 1) (1 - phi_d) < 1. For phi_a < 2 that is so for all d, and rows
 * grow like |d|: SS is infinite. For phi_a > 2 it is so for d > d1, phi(d1) = (phi_a - 2) / (phi_a - 1).
 *
 * None of the comparisons can be an equality: e^a is transcendental for a rational a other than 0. */
#include "exact/area_exponential.h"

#include "base/error.h"

/* The integral is asked for so many bits less than it is computed with. */
enum { PRECISION_MAX = 16000, INTEGRAL_LESS = 58 };

/* What of SS there is for strong coupling, or cross: the sign of a number that is never 0. */
typedef int sign_function(const fmpq_t a, slong precision);

/* E - 2 */
static int cross_ends(const fmpq_t a, slong precision) {
    arb_t E;
    arb_init(E);
    arb_set_fmpq(E, a, precision);
    arb_exp(E, E, precision);
    arb_sub_ui(E, E, 2, precision);
    int sign = arb_sgn_nonzero(E);
    arb_clear(E);
    return sign;
}

/* phi_a - 2, with phi_0 = 1. */
static void phi_beyond(const fmpq_t a, slong precision, arb_t beyond) {
    arb_t z;
    arb_init(z);
    arb_set_fmpq(z, a, precision);
    arb_expm1(beyond, z, precision);
    if (fmpq_is_zero(a))
        arb_one(beyond);
    else
        arb_div(beyond, beyond, z, precision);
    arb_sub_ui(beyond, beyond, 2, precision);
    arb_clear(z);
}

static int strong_is_finite(const fmpq_t a, slong precision) {
    arb_t beyond;
    arb_init(beyond);
    phi_beyond(a, precision, beyond);
    int sign = arb_sgn_nonzero(beyond);
    arb_clear(beyond);
    return sign;
}

/* (phi_a - 2) / (phi_a - 1) = phi(d1), for phi_a > 2. */
static void level_of(const fmpq_t a, slong precision, arb_t level) {
    arb_t bottom;
    arb_init(bottom);
    phi_beyond(a, precision, level);
    arb_add_ui(bottom, level, 1, precision);
    arb_div(level, level, bottom, precision);
    arb_clear(bottom);
}

/* phi(d1) - phi(-a): negative where d1 < -a. */
static int strong_ends(const fmpq_t a, slong precision) {
    arb_t level, phi;
    fmpq_t minus;
    flint_each(arb_init, level, phi);
    fmpq_init(minus);
    fmpq_neg(minus, a);
    level_of(a, precision, level);
    phi_beyond(minus, precision, phi);
    arb_add_ui(phi, phi, 2, precision);
    arb_sub(level, level, phi, precision);
    int sign = arb_sgn_nonzero(level);
    flint_each(arb_clear, level, phi);
    fmpq_clear(minus);
    return sign;
}

/* The sign, with as much precision as that takes. */
static int decided(sign_function *function, const fmpq_t a) {
    int sign = 0;
    for (slong precision = 64; sign == 0; precision *= 2) sign = function(a, precision);
    return sign;
}

/* e^d - 1 - level d, which is positive left of d1 and negative between d1 and 0. */
static void crossing(const arb_t d, const arb_t level, slong precision, arb_t value) {
    arb_t line;
    arb_init(line);
    arb_expm1(value, d, precision);
    arb_mul(line, level, d, precision);
    arb_sub(value, value, line, precision);
    arb_clear(line);
}

/* Just beyond its critical value d1 is far out: with d0 = -1 / level and w = 2 e^d0 / level < log 2 the
 * function is e^d0 > 0 at d0 and e^d0 (e^w - 2) < 0 at d0 + w. False where that is wider than the precision.
 */
static bool find_far_d1(const arb_t level, slong precision, arb_t d1) {
    arb_t width, end;
    flint_each(arb_init, width, end);
    arb_inv(d1, level, precision);
    arb_neg(d1, d1);
    arb_exp(width, d1, precision);
    arb_mul_2exp_si(width, width, 1);
    arb_div(width, width, level, precision);
    arb_add(end, d1, width, precision);
    bool far = arf_cmpabs_2exp_si(arb_midref(width), -precision) < 0;
    if (far) arb_union(d1, d1, end, precision);
    flint_each(arb_clear, width, end);
    return far;
}

/* d1 by Newton's method from -1 / level, left of it, where the function is convex; then enclosed by its
 * signs. */
static bool find_d1(const arb_t level, slong precision, arb_t d1) {
    arb_t value, slope, low, high;
    mag_t reach;
    if (find_far_d1(level, precision, d1)) return true;
    flint_each(arb_init, value, slope, low, high);
    mag_init(reach);
    arb_inv(d1, level, precision);
    arb_neg(d1, d1);
    for (slong step = 0; step < 60 + precision; step++) {
        arb_get_mid_arb(d1, d1);
        crossing(d1, level, precision, value);
        if (!arb_is_positive(value)) break;
        arb_exp(slope, d1, precision);
        arb_sub(slope, slope, level, precision);
        arb_div(value, value, slope, precision);
        arb_sub(d1, d1, value, precision);
    }
    arb_get_mid_arb(d1, d1);
    arb_get_mag(reach, d1);
    mag_mul_2exp_si(reach, reach, 16 - precision);
    arb_add_error_mag(d1, reach);
    arb_get_lbound_arf(arb_midref(low), d1, 2 * precision);
    arb_get_ubound_arf(arb_midref(high), d1, 2 * precision);
    crossing(low, level, 2 * precision, value);
    crossing(high, level, 2 * precision, slope);
    bool fine = arb_is_positive(value) && arb_is_negative(slope);
    flint_each(arb_clear, value, slope, low, high);
    mag_clear(reach);
    return fine;
}

/* 1 / P1 at d away from 0. */
static int inverse_weight(acb_ptr result, const acb_t d, void *context, slong order, slong precision) {
    (void)context;
    (void)order;
    acb_t bottom;
    acb_init(bottom);
    acb_expm1(bottom, d, precision);
    acb_sub(bottom, bottom, d, precision);
    acb_mul(result, d, d, precision);
    acb_div(result, result, bottom, precision);
    acb_clear(bottom);
    return 0;
}

/* The integral of a d + 1 / (P1_a P1_d) from d1 to -a. Both parts cancel the more the closer a is to the
 * critical value, so that the integral's accuracy grows with the precision. */
static bool strong_area(const fmpq_t a, slong bits, slong precision, arb_t area) {
    arb_t level, square;
    acb_t from, to, part, at;
    mag_t none;
    flint_each(arb_init, level, square);
    flint_each(acb_init, from, to, part, at);
    mag_init(none);
    level_of(a, precision, level);
    bool fine = find_d1(level, precision, acb_realref(from));
    arb_set_fmpq(acb_realref(at), a, precision);
    acb_neg(to, at);
    if (fine) {
        acb_calc_integrate(part, inverse_weight, NULL, from, to, precision - INTEGRAL_LESS, none, NULL,
                           precision);
        inverse_weight(at, at, NULL, 0, precision);
        acb_mul(part, part, at, precision);
        arb_mul(area, acb_realref(to), acb_realref(to), precision);
        arb_mul(square, acb_realref(from), acb_realref(from), precision);
        arb_sub(area, area, square, precision);
        arb_mul_fmpz(area, area, fmpq_numref(a), precision);
        arb_div_fmpz(area, area, fmpq_denref(a), precision);
        arb_mul_2exp_si(area, area, -1);
        arb_add(area, area, acb_realref(part), precision);
    }
    flint_each(arb_clear, level, square);
    flint_each(acb_clear, from, to, part, at);
    mag_clear(none);
    return fine && arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits;
}

costab_status area_exponential_regions(costab_scheme scheme, const fmpq_t a, const area_window *window,
                                       slong bits, area_region regions[2], costab_error *error) {
    if (window != NULL) {
        area_exponential_window(scheme, a, window, bits, regions);
        return COSTAB_OK;
    }
    area_region *ss = &regions[1];
    for (int k = 0; k < 2; k++) {
        regions[k].some = regions[k].infinite = false;
        arb_zero(regions[k].area);
    }
    if (scheme == COSTAB_CROSS) ss->infinite = decided(cross_ends, a) < 0;
    if (scheme == COSTAB_ZIGZAG) ss->infinite = true;
    if (scheme == COSTAB_STRONG) ss->infinite = decided(strong_is_finite, a) < 0;
    ss->some = ss->infinite;
    if (scheme != COSTAB_STRONG || ss->infinite || decided(strong_ends, a) > 0) return COSTAB_OK;
    ss->some = true;
    for (slong precision = bits + INTEGRAL_LESS + 6; precision <= PRECISION_MAX; precision *= 2)
        if (strong_area(a, bits, precision, ss->area)) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the area of strong with exact at a = %g did not reach %ld bits",
                     fmpq_get_d(a), (long)bits);
}

/* ---- critical values ---- */

/* The one a between 1/2 and 2 at which an increasing function changes its sign, to a double. */
static double change_of(sign_function *function) {
    double low = 0.5, high = 2;
    fmpq_t a;
    arf_t x;
    fmpq_init(a);
    arf_init(x);
    for (double middle = 1.25; middle > low && middle < high; middle = low + 0.5 * (high - low)) {
        arf_set_d(x, middle);
        arf_get_fmpq(a, x);
        if (decided(function, a) < 0)
            low = middle;
        else
            high = middle;
    }
    fmpq_clear(a);
    arf_clear(x);
    return low;
}

/* d1 does not exist below phi_a = 2: nothing has ended there. */
static int strong_has_ended(const fmpq_t a, slong precision) {
    int finite = strong_is_finite(a, precision);
    return finite > 0 ? strong_ends(a, precision) : finite;
}

void area_exponential_critical(costab_scheme scheme, double low, double high, critical_events *events) {
    enum { SS = 0 };
    double infinite_ends = scheme == COSTAB_CROSS ? change_of(cross_ends) : change_of(strong_is_finite);
    double ends = scheme == COSTAB_CROSS ? infinite_ends : change_of(strong_has_ended);
    if (scheme == COSTAB_ZIGZAG) return;
    critical_kind after = ends > infinite_ends ? KIND_FINITE : KIND_NONE;
    if (infinite_ends > low && infinite_ends < high)
        critical_change(events, infinite_ends, SS, KIND_INFINITE, after);
    if (after == KIND_FINITE && ends > low && ends < high)
        critical_change(events, ends, SS, KIND_FINITE, KIND_NONE);
}
