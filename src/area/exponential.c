/* Areas and critical values of the co-simulation schemes with the method `exact`, in closed form: E = e^a,
 * phi_a = (e^a - 1) / a and so on. Signs of numbers that depend only on a determine the regions, as derived
 * in docs/explanation/algorithms.md (Areas of the method exact).
 *
 * 1. US is empty for all schemes.
 * 2. cross: SS is infinite for E < 2, and empty for E > 2. zigzag: SS is infinite.
 * 3. strong: SS is infinite for phi_a < 2. For phi_a > 2 its rows are 0 < Delta < a d + 1 / (P1_a P1_d) with
 *    d1 < d < -a and phi(d1) = (phi_a - 2) / (phi_a - 1); it is empty if d1 >= -a.
 * 4. Signs are evaluated in balls of sufficient precision. None of these numbers is 0, because e^a is
 *    transcendental for rational a other than 0.
 * 5. d1 by Newton's method, enclosed by a sign change; the area by quadrature in balls (acb_calc_integrate),
 *    with increasing precision until the request is met.
 * 6. Critical values are sign changes, found by bisection in doubles; the signs at the ends of a range decide
 *    if it contains one.
 *
 * Proved. Limitation: next to a critical value the area may require more than PRECISION_MAX bits. */
#include "area/exponential.h"

#include "area/number.h"
#include "base/error.h"

/* INTEGRAL_LESS: bits by which the working precision exceeds the requested precision of the integral. */
enum { PRECISION_MAX = 16000, INTEGRAL_LESS = 58 };

/* Sign of a number that depends on a and is never 0; 0 if the precision is too low. */
typedef int sign_function(const fmpq_t a, slong precision);

/* Sign of E - 2. */
static int cross_sign(const fmpq_t a, slong precision) {
    flint_local(arb, E);
    arb_set_fmpq(E, a, precision);
    arb_exp(E, E, precision);
    arb_sub_ui(E, E, 2, precision);
    return arb_sgn_nonzero(E);
}

/* difference := phi_a - 2, with phi_0 = 1. */
static void phi_minus_2(const fmpq_t a, slong precision, arb_t difference) {
    flint_local(arb, z);
    arb_set_fmpq(z, a, precision);
    arb_expm1(difference, z, precision);
    if (fmpq_is_zero(a))
        arb_one(difference);
    else
        arb_div(difference, difference, z, precision);
    arb_sub_ui(difference, difference, 2, precision);
}

/* Sign of phi_a - 2: positive if SS of strong is finite. */
static int strong_finite_sign(const fmpq_t a, slong precision) {
    flint_local(arb, difference);
    phi_minus_2(a, precision, difference);
    return arb_sgn_nonzero(difference);
}

/* phi(d1) = (phi_a - 2) / (phi_a - 1), for phi_a > 2. */
static void phi_d1_of(const fmpq_t a, slong precision, arb_t phi_d1) {
    flint_local(arb, bottom);
    phi_minus_2(a, precision, phi_d1);
    arb_add_ui(bottom, phi_d1, 1, precision);
    arb_div(phi_d1, phi_d1, bottom, precision);
}

/* Sign of phi(d1) - phi(-a), for phi_a > 2: positive if d1 > -a, that is if SS of strong is empty. */
static int strong_empty_sign(const fmpq_t a, slong precision) {
    flint_local(arb, phi_d1, phi);
    flint_local(fmpq, minus);
    fmpq_neg(minus, a);
    phi_d1_of(a, precision, phi_d1);
    phi_minus_2(minus, precision, phi);
    arb_add_ui(phi, phi, 2, precision);
    arb_sub(phi_d1, phi_d1, phi, precision);
    return arb_sgn_nonzero(phi_d1);
}

/* Evaluates a sign with sufficient precision. */
static int decide_sign(sign_function *function, const fmpq_t a) {
    int sign = 0;
    for (slong precision = 64; sign == 0; precision *= 2) sign = function(a, precision);
    return sign;
}

/* value := e^d - 1 - phi(d1) d, positive left of d1 and negative between d1 and 0. */
static void d1_function(const arb_t d, const arb_t phi_d1, slong precision, arb_t value) {
    flint_local(arb, line);
    arb_expm1(value, d, precision);
    arb_mul(line, phi_d1, d, precision);
    arb_sub(value, value, line, precision);
}

/* Encloses a large negative d1, as for phi_a just above 2. With d0 = -1 / phi(d1) and w = 2 e^d0 / phi(d1) <
 * log 2 the function is e^d0 > 0 at d0 and e^d0 (e^w - 2) < 0 at d0 + w. Returns false if w exceeds the
 * precision. */
static bool find_far_d1(const arb_t phi_d1, slong precision, arb_t d1) {
    flint_local(arb, width, end);
    arb_inv(d1, phi_d1, precision);
    arb_neg(d1, d1);
    arb_exp(width, d1, precision);
    arb_mul_2exp_si(width, width, 1);
    arb_div(width, width, phi_d1, precision);
    arb_add(end, d1, width, precision);
    bool far = arf_cmpabs_2exp_si(arb_midref(width), -precision) < 0;
    if (far) arb_union(d1, d1, end, precision);
    return far;
}

/* Encloses d1: by Newton's method from -1 / phi(d1), left of d1, where the function is convex; then by a
 * small ball with opposite signs at its ends. */
static bool find_d1(const arb_t phi_d1, slong precision, arb_t d1) {
    if (find_far_d1(phi_d1, precision, d1)) return true;
    flint_local(arb, value, slope, low, high);
    flint_local(mag, reach);
    arb_inv(d1, phi_d1, precision);
    arb_neg(d1, d1);
    for (slong step = 0; step < 60 + precision; step++) {
        arb_get_mid_arb(d1, d1);
        d1_function(d1, phi_d1, precision, value);
        if (!arb_is_positive(value)) break;
        arb_exp(slope, d1, precision);
        arb_sub(slope, slope, phi_d1, precision);
        arb_div(value, value, slope, precision);
        arb_sub(d1, d1, value, precision);
    }
    arb_get_mid_arb(d1, d1);
    arb_get_mag(reach, d1);
    mag_mul_2exp_si(reach, reach, 16 - precision);
    arb_add_error_mag(d1, reach);
    arb_get_lbound_arf(arb_midref(low), d1, 2 * precision);
    arb_get_ubound_arf(arb_midref(high), d1, 2 * precision);
    d1_function(low, phi_d1, 2 * precision, value);
    d1_function(high, phi_d1, 2 * precision, slope);
    return arb_is_positive(value) && arb_is_negative(slope);
}

/* The integrand 1 / P1_d, away from d = 0. */
static int inverse_weight(acb_ptr result, const acb_t d, void *context, slong order, slong precision) {
    (void)context;
    (void)order;
    flint_local(acb, bottom);
    acb_expm1(bottom, d, precision);
    acb_sub(bottom, bottom, d, precision);
    acb_mul(result, d, d, precision);
    acb_div(result, result, bottom, precision);
    return 0;
}

/* Area of SS of strong: the integral of a d + 1 / (P1_a P1_d) from d1 to -a. Its two parts cancel
 * increasingly as a approaches the critical value. Returns false if the area does not reach `bits` bits. */
static bool strong_area(const fmpq_t a, slong bits, slong precision, arb_t area) {
    flint_local(arb, phi_d1, square);
    flint_local(acb, from, to, part, at);
    flint_local(mag, none);
    phi_d1_of(a, precision, phi_d1);
    bool fine = find_d1(phi_d1, precision, acb_realref(from));
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
    return fine && arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits;
}

costab_status area_exponential_regions(costab_scheme scheme, const fmpq_t a, const area_window *window,
                                       slong bits, area_region regions[2], costab_error *error) {
    if (window != NULL) {
        area_exponential_window(scheme, a, window, bits, regions);
        return COSTAB_OK;
    }
    area_region *ss = &regions[1];
    if (scheme == COSTAB_CROSS) ss->infinite = decide_sign(cross_sign, a) < 0;
    if (scheme == COSTAB_ZIGZAG) ss->infinite = true;
    if (scheme == COSTAB_STRONG) ss->infinite = decide_sign(strong_finite_sign, a) < 0;
    ss->some = ss->infinite;
    if (scheme != COSTAB_STRONG || ss->infinite || decide_sign(strong_empty_sign, a) > 0) return COSTAB_OK;
    ss->some = true;
    for (slong precision = bits + INTEGRAL_LESS + 6; precision <= PRECISION_MAX; precision *= 2)
        if (strong_area(a, bits, precision, ss->area)) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the area of strong with exact at a = %g did not reach %ld bits",
                     fmpq_get_d(a), (long)bits);
}

/* ---- Critical values ---- */

/* The unique a between 1/2 and 2 at which a sign changes from -1 to 1, to a double. */
static double sign_change_of(sign_function *function) {
    double low = 0.5, high = 2;
    flint_local(fmpq, a);
    for (double middle = 1.25; middle > low && middle < high; middle = low + 0.5 * (high - low)) {
        rational_of(a, middle);
        if (decide_sign(function, a) < 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* strong_empty_sign() for all a: also negative for phi_a < 2, where SS is infinite and d1 does not exist. */
static int strong_empty_sign_everywhere(const fmpq_t a, slong precision) {
    int finite = strong_finite_sign(a, precision);
    return finite > 0 ? strong_empty_sign(a, precision) : finite;
}

/* Adds the event of a sign change inside the range. */
static void add_change(sign_function *function, const fmpq_t low, const fmpq_t high, area_kind from,
                       area_kind to, critical_events *events) {
    if (decide_sign(function, low) < 0 && decide_sign(function, high) > 0)
        critical_add_change(events, sign_change_of(function), CRITICAL_SS, from, to);
}

void area_exponential_critical(costab_scheme scheme, const fmpq_t low, const fmpq_t high,
                               critical_events *events) {
    if (scheme == COSTAB_CROSS) add_change(cross_sign, low, high, AREA_INFINITE, AREA_ZERO, events);
    if (scheme != COSTAB_STRONG) return;
    add_change(strong_finite_sign, low, high, AREA_INFINITE, AREA_FINITE, events);
    add_change(strong_empty_sign_everywhere, low, high, AREA_FINITE, AREA_ZERO, events);
}
