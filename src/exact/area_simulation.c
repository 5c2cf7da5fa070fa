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
 * operator (Krawczyk, Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken, 1969), integrals
 * are taken in balls (acb_calc_integrate); what is infinite is decided in exact arithmetic. In steps:
 *
 *  1. |R|^2 - 1 on the imaginary axis has the crossings as roots; they cut 0 < theta < pi into ranges.
 *  2. Leading terms tell which of SS and US are infinite.
 *  3. Real pairs are added from the isolated ends of D's intervals.
 *  4. SS and US of complex pairs are the real and the imaginary part of one integral over each range.
 *  5. Where either is not known to enough bits, step 4 is done again with twice the precision.
 *
 * Where curves cross, R' = 0 and |R| = 1, there is a multiple root, not analytic in theta. At theta = 0 and
 * pi, as of all stabilised methods without damping, that is resolved (multiple_roots.h); elsewhere it takes a
 * coincidence. */
#include "exact/area_simulation.h"

#include "base/error.h"
#include "exact/area_curves.h"
#include "exact/multiple_roots.h"

enum { PRECISION_MAX = 4000 };

/* f(iy) f(-iy), |f|^2 on the imaginary axis, in v = y^2. */
static void square_on_axis(surd_poly *square, const surd_poly *f, int root) {
    surd_poly mirrored;
    fmpz_t minus;
    surd_init(&mirrored);
    fmpz_init_set_si(minus, -1);
    surd_set(&mirrored, f);
    surd_scale_variable(&mirrored, minus);
    surd_mul(square, f, &mirrored, root);
    surd_deflate(square, 2);
    surd_scale_variable(square, minus); /* (iy)^2 = -v */
    fmpz_clear(minus);
    surd_clear(&mirrored);
}

/* Where curves cross x = 0: the roots of the growth, but for those where R is 1 or -1 itself: their angles
 * are the integral's ends, of which a ball around them could not be told. */
static void add_crossings(area_curves *c) {
    surd_poly rest, level, common, *const divided = &rest;
    fmpz_poly_t norm;
    flint_each(surd_init, &rest, &level, &common);
    fmpz_poly_init(norm);
    surd_set(&rest, &c->growth);
    for (int end = 0; end < 2 && !c->axis; end++) {
        area_end_level(c, end, &level);
        square_on_axis(&level, &level, c->root);
        surd_gcd(&common, &rest, &level, c->root);
        while (surd_degree(&common) > 0) {
            surd_divide_all(&divided, 1, &common, c->root);
            surd_gcd(&common, &rest, &level, c->root);
        }
    }
    surd_norm(norm, &rest, c->root);
    (void)real_roots_add(&c->crossings, norm);
    flint_each(surd_clear, &rest, &level, &common);
    fmpz_poly_clear(norm);
}

bool area_curves_init(area_curves *c, const costab_method *method) {
    method_exact e;
    const bool fine = method_exact_make(method, 1, &e);
    flint_each(surd_init, &c->P, &c->Q, &c->growth);
    c->root = e.root;
    surd_set(&c->Q, &e.den);
    fmpz_poly_shift_left(c->P.u, e.phi.u, 1);
    fmpz_poly_shift_left(c->P.v, e.phi.v, 1);
    method_exact_clear(&e);
    c->degree = (int)(surd_degree(&c->P) > surd_degree(&c->Q) ? surd_degree(&c->P) : surd_degree(&c->Q));

    surd_poly sum, square;
    flint_each(surd_init, &sum, &square);
    surd_add(&sum, &c->P, &c->Q);
    square_on_axis(&c->growth, &sum, c->root);
    square_on_axis(&square, &c->Q, c->root);
    surd_sub(&c->growth, &c->growth, &square);
    flint_each(surd_clear, &sum, &square);

    c->axis = surd_is_zero(&c->growth);
    real_roots_init(&c->crossings);
    add_crossings(c);
    return fine && real_roots_find(&c->crossings);
}

void area_curves_clear(area_curves *c) {
    flint_each(surd_clear, &c->P, &c->Q, &c->growth);
    real_roots_clear(&c->crossings);
}

/* ---- infinite or not ---- */

/* The sign of coefficient k of f. */
static int coefficient_sign(const surd_poly *f, slong k, int root) {
    surd_number c;
    surd_number_init(&c);
    fmpz_poly_get_coeff_fmpz(c.u, f->u, k);
    fmpz_poly_get_coeff_fmpz(c.v, f->v, k);
    int sign = surd_sign(&c, root);
    surd_number_clear(&c);
    return sign;
}

/* Whether the complex part of D has an infinite area on the left and on the right. With n the degree and R =
 * N / Q, |R| -> |N[n] / Q[n]|. Where that is 1, R -> +-1 (1 + c / z + ...): for c > 0 the left half of the
 * far plane is stable, for c = 0 sectors of both. Beside the imaginary axis |R|^2 - 1 ~ growth[k] y^(2(k -
 * n)) leaves a strip of the width y^(2(k - n) + 2), whose area is infinite for k >= n - 2. */
static void unbounded_regions(const area_curves *c, bool *left, bool *right) {
    int n = c->degree, q = coefficient_sign(&c->Q, n, c->root);
    *left = *right = false;
    if (q == 0) return; /* R grows */
    surd_poly N, mixed; /* N^2 - Q^2: its leading terms tell |R|^2 - 1 on the real axis */
    flint_each(surd_init, &N, &mixed);
    surd_add(&N, &c->P, &c->Q);
    surd_add_product(&mixed, &N, &N, 1, c->root);
    surd_add_product(&mixed, &c->Q, &c->Q, -1, c->root);
    int excess = coefficient_sign(&mixed, 2 * n, c->root),
        first = coefficient_sign(&mixed, 2 * n - 1, c->root);
    flint_each(surd_clear, &N, &mixed);
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

/* Between the roots of P, P + 2Q and Q. */
int area_curves_intervals(const area_curves *c, real_roots *roots, area_interval *intervals) {
    surd_poly flip;
    fmpz_poly_t norm;
    fmpq_t z;
    int count = 0;
    surd_init(&flip);
    fmpz_poly_init(norm);
    fmpq_init(z);
    surd_add(&flip, &c->P, &c->Q);
    surd_add(&flip, &flip, &c->Q);
    const surd_poly *const breaks[3] = {&c->P, &c->Q, &flip};
    for (int k = 0; k < 3; k++) {
        surd_norm(norm, breaks[k], c->root);
        (void)real_roots_add(roots, norm);
    }
    bool fine = real_roots_find(roots);
    for (int i = -1; fine && i < roots->count; i++) {
        real_roots_between(roots, i, z);
        int q = surd_sign_at(&c->Q, c->root, z);
        if (surd_sign_at(&c->P, c->root, z) * q >= 0 || surd_sign_at(&flip, c->root, z) * q <= 0) continue;
        intervals[count++] = (area_interval){i, i + 1, fmpq_sgn(z) > 0};
    }
    surd_clear(&flip);
    fmpz_poly_clear(norm);
    fmpq_clear(z);
    return fine ? count : -1;
}

static bool is_unbounded(const real_roots *roots, const area_interval *interval) {
    return interval->from < 0 || interval->to == roots->count;
}

/* Pairs within one interval of the width w: w^3 / 6; in two: their widths times the distance of their
 * middles. */
static void pair_area(real_roots *roots, const area_interval *i, const area_interval *j, slong precision,
                      arb_t area) {
    arb_t end[4], first, second;
    flint_each(arb_init, first, second);
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
    flint_each(arb_clear, first, second);
}

static costab_status add_real_pairs(const area_curves *c, slong precision, area_region regions[2],
                                    costab_error *error) {
    area_interval intervals[AREA_INTERVALS_MAX];
    real_roots roots;
    arb_t area;
    arb_init(area);
    real_roots_init(&roots);
    int count = area_curves_intervals(c, &roots, intervals);
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            area_region *region = &regions[!intervals[i].positive && !intervals[j].positive];
            region->some = true;
            region->infinite = region->infinite || is_unbounded(&roots, &intervals[i]) ||
                               is_unbounded(&roots, &intervals[j]);
            if (region->infinite) continue;
            pair_area(&roots, &intervals[i], &intervals[j], precision, area);
            arb_add(region->area, region->area, area, precision);
        }
    arb_clear(area);
    real_roots_clear(&roots);
    return count < 0 ? error_memory(error) : COSTAB_OK;
}

/* ---- complex pairs ---- */

/* Of what cannot be integrated. */
static costab_status refuse_multiple_roots(const area_curves *c, costab_error *error) {
    double place[2];
    if (!multiple_roots_elsewhere(c, place)) return COSTAB_OK;
    return error_set(
        error, COSTAB_NUMERIC,
        "the simulation's area is not known for this method: at z = %.6g%+.6gi its stability function "
        "has the modulus 1 and the derivative 0, so that two curves |R(z)| = 1 cross there; that "
        "is resolved where R(z) is 1 or -1, and R has rational coefficients",
        place[0], place[1]);
}

/* Whether an area is known to `bits` bits. */
static bool is_known(const arb_t area, slong bits) {
    return arb_is_zero(area) || (arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits);
}

/* Asks for more bits than needed, of which the smaller area has fewer, and for more again until it has
 * enough. */
static costab_status add_complex_pairs(area_curves *c, slong bits, area_region regions[2],
                                       costab_error *error) {
    const bool wanted[2] = {!regions[0].infinite, !regions[1].infinite};
    arb_ptr areas = _arb_vec_init(2);
    bool fine = !wanted[0] && !wanted[1];
    for (slong precision = bits + 64; !fine && precision <= PRECISION_MAX; precision *= 2)
        fine = area_curves_integrals(c, wanted, precision - 64, precision, areas) && is_known(areas, bits) &&
               is_known(areas + 1, bits);
    for (int k = 0; k < 2; k++) {
        regions[k].some = regions[k].some || !arb_is_zero(areas + k);
        arb_add(regions[k].area, regions[k].area, areas + k, bits + 64);
    }
    _arb_vec_clear(areas, 2);
    if (fine) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the area of the simulation did not reach %ld bits", (long)bits);
}

costab_status area_simulation_regions(const costab_planar *planar, slong bits, area_region regions[2],
                                      costab_error *error) {
    for (int k = 0; k < 2; k++) {
        regions[k].some = k == 1;
        regions[k].infinite = false;
        arb_zero(regions[k].area);
    }
    if (planar->method.kind == COSTAB_EXACT) { /* stable exactly where the system is */
        regions[1].infinite = true;
        return COSTAB_OK;
    }
    area_curves c;
    costab_status status = area_curves_init(&c, &planar->method) ? COSTAB_OK : error_memory(error);
    if (!status) {
        unbounded_regions(&c, &regions[1].infinite, &regions[0].infinite);
        for (int k = 0; k < 2; k++) regions[k].some = regions[k].some || regions[k].infinite;
        status = add_real_pairs(&c, bits + 64, regions, error);
    }
    if (!status && !(regions[0].infinite && regions[1].infinite)) status = refuse_multiple_roots(&c, error);
    if (!status) status = add_complex_pairs(&c, bits + 2, regions, error);
    for (int k = 0; k < 2; k++) {
        for (int power = 0; power < 3; power++)
            arb_mul_si(regions[k].area, regions[k].area, planar->substeps[0], bits + 64);
    }
    area_curves_clear(&c);
    return status;
}
