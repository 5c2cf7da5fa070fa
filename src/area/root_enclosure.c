/* Root of a polynomial F with balls as coefficients, by Krawczyk's operator (R. Krawczyk, Newton-Algorithmen
 * zur Bestimmung von Nullstellen mit Fehlerschranken, 1969).
 *
 * 1. F is expanded at the start, with coefficients F_k. c is the midpoint of the inverse of F_1 = F'(start).
 * 2. The fixed points of K(u) = u - c F(start + u) are the roots of F. On a disc |u| <= r its derivative is
 *    bounded by q = |1 - c F_1| + sum over k > 1 of k |c F_k| r^(k-1). r is 9/8, 12/8, .., 24/8 times |K(0)|,
 *    until step 3 succeeds.
 * 3. If |K(0)| + q r < r, K maps the disc into its interior and contracts there (q < 1). The ball around K(0)
 *    of radius q r then holds exactly one root, for all coefficients in F's balls.
 *
 * Proved. Cost: one shift of a polynomial (two for P + factor Q), and O(degree) for each of up to six discs.
 * Limitation: no disc may succeed, for example near a multiple root. */
#include "area/root_enclosure.h"

void root_enclosure_init(root_enclosure *e) {
    e->start = _acb_vec_init(2);
    e->u = e->start + 1;
    acb_poly_init(e->shifted);
}

void root_enclosure_clear(root_enclosure *e) {
    _acb_vec_clear(e->start, 2);
    acb_poly_clear(e->shifted);
}

/* reach: q r of step 2, a bound of |K(u) - K(0)| for |u| <= r = radius; inverse: c. */
static void bound_image(const root_enclosure *e, const acb_t inverse, const mag_t radius, slong precision,
                        mag_t reach) {
    flint_local(mag, power, term);
    flint_local(acb, c);
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
}

/* Encloses the root in a disc (steps 2 and 3), from the expanded F. */
static bool enclose(root_enclosure *e, slong precision) {
    flint_local(acb, inverse, first);
    flint_local(mag, offset, radius, reach, sum);
    acb_inv(inverse, acb_poly_get_coeff_ptr(e->shifted, 1), precision);
    acb_get_mid(inverse, inverse);
    acb_mul(first, acb_poly_get_coeff_ptr(e->shifted, 0), inverse, precision);
    acb_neg(first, first);
    acb_get_mag(offset, first);
    bool fine = mag_is_zero(offset) != 0;
    for (ulong share = 9; share <= 24 && !fine && mag_is_finite(offset); share += 3) {
        mag_mul_ui(radius, offset, share); /* 9/8 to 3 times the offset */
        mag_mul_2exp_si(radius, radius, -3);
        bound_image(e, inverse, radius, precision, reach);
        mag_add(sum, reach, offset);
        fine = mag_cmp(sum, radius) < 0;
    }
    acb_set(e->u, first);
    acb_add_error_mag(e->u, reach);
    return fine;
}

bool root_enclosure_find(const acb_poly_t F, const acb_t start, slong precision, root_enclosure *e) {
    acb_get_mid(e->start, start);
    acb_poly_taylor_shift(e->shifted, F, e->start, precision);
    return enclose(e, precision);
}

bool root_enclosure_find_sum(const acb_poly_t P, const acb_poly_t Q, const acb_t factor, const acb_t start,
                             slong precision, root_enclosure *e) {
    flint_local(acb_poly, part);
    acb_get_mid(e->start, start);
    acb_poly_taylor_shift(e->shifted, P, e->start, precision);
    acb_poly_taylor_shift(part, Q, e->start, precision);
    acb_poly_scalar_mul(part, part, factor, precision);
    acb_poly_add(e->shifted, e->shifted, part, precision);
    return enclose(e, precision);
}
