/* Areas of the monolithic simulation from the level curves |R(z)| = 1 (docs/explanation/algorithms.md, Areas
 * of the simulation). A point (Gamma, Delta) is stable if both eigenvalues of its matrix A are in the set |R|
 * < 1. Pairs of real and of complex eigenvalues are treated separately, for one micro step; m micro steps
 * scale areas by m^3.
 *
 * 1. The leading terms of R, and of |R|^2 - 1 on the imaginary axis, decide if SS and US are infinite.
 * 2. Real pairs: the set |R| < 1 cuts the real axis into intervals with exactly isolated ends. Each pair of
 *    intervals contributes a polynomial in their ends.
 * 3. Complex pairs: by Green's theorem the area is an integral over the angle of R on the level curves
 *    (level_curves_integral.c).
 * 4. If SS or US is not known to enough bits, step 3 is repeated with twice the precision.
 *
 * Infinite areas are decided exactly, and the balls are proved. Limitation: two curves cross at points with
 * R' = 0 and |R| = 1. Crossings at R = 1 and R = -1, typical of stabilised methods without damping, are
 * resolved (multiple_roots.h). Other crossings are rare and cause an error. Cost: dominated by step 3. */
#include "area/simulation.h"

#include "area/level_curves.h"
#include "area/multiple_roots.h"
#include "base/error.h"

enum { PRECISION_MAX = 4000 };

/* ---- Infinite areas ---- */

/* The sign of coefficient k of f. */
static int coefficient_sign(const surd_poly *f, slong k, int radicand) {
    flint_local(surd_number, c);
    fmpz_poly_get_coeff_fmpz(c->u, f->u, k);
    fmpz_poly_get_coeff_fmpz(c->v, f->v, k);
    return surd_sign(c, radicand);
}

/* Decides if the set |R| < 1 has an infinite area to the left and right of the imaginary axis. R = N / Q of
 * degree n.
 *
 * - |R| tends to |N[n] / Q[n]|. If this is 1, R tends to +-(1 + c / z + ...): for c > 0 the left half-plane
 *   is stable far out, for c < 0 the right one, for c = 0 sectors of both.
 * - On the imaginary axis |R|^2 tends to 1 + growth[k] y^(2(k - n)), k the degree of growth. For growth[k] <
 *   0 a strip along the axis of width y^(2(k - n) + 2) is stable, with an infinite area for k >= n - 2. */
static void unbounded_regions(const level_curves *c, bool *left, bool *right) {
    int n = c->degree, q = coefficient_sign(&c->Q, n, c->radicand);
    *left = *right = false;
    if (q == 0) return;          /* R grows */
    flint_local(surd, N, mixed); /* N^2 - Q^2: its leading terms determine |R|^2 - 1 on the real axis */
    surd_add(N, &c->P, &c->Q);
    surd_add_product(mixed, N, N, 1, c->radicand);
    surd_add_product(mixed, &c->Q, &c->Q, -1, c->radicand);
    int excess = coefficient_sign(mixed, 2 * n, c->radicand),
        first = coefficient_sign(mixed, 2 * n - 1, c->radicand);
    if (excess != 0) {
        *left = *right = excess < 0;
        return;
    }
    /* |R|^2 - 1 ~ 2 c / x with the sign of `first` at x > 0 */
    *left = first >= 0;
    *right = first <= 0;
    slong k = surd_degree(&c->growth);
    if (k < 0 || k < n - 2) return;
    int strip = coefficient_sign(&c->growth, k, c->radicand);
    *left = *left || strip < 0;
    *right = *right || strip < 0;
}

/* ---- Real pairs ---- */

static bool is_unbounded(const real_roots *roots, const stable_interval *interval) {
    return interval->from < 0 || interval->to == roots->count;
}

/* Area of pairs with one real eigenvalue in interval i and one in j: w^3 / 6 for a single interval of width
 * w; otherwise the product of the widths and the distance of the midpoints. */
static void pair_area(real_roots *roots, const stable_interval *i, const stable_interval *j, slong precision,
                      arb_t area) {
    flint_local(arb, first, second);
    flint_local_vector(arb, end, 4);
    const int number[4] = {i->from, i->to, j->from, j->to};
    for (int k = 0; k < 4; k++) real_roots_ball(roots, number[k], precision, &end[k]);
    arb_sub(first, &end[1], &end[0], precision);
    arb_sub(second, &end[3], &end[2], precision);
    if (i == j) {
        arb_pow_ui(area, first, 3, precision);
        arb_div_ui(area, area, 6, precision);
    } else {
        arb_mul(area, first, second, precision);
        arb_add(first, &end[2], &end[3], precision);
        arb_sub(first, first, &end[0], precision);
        arb_sub(first, first, &end[1], precision);
        arb_mul(area, area, first, precision);
        arb_mul_2exp_si(area, area, -1);
    }
}

/* Adds the areas of pairs of real eigenvalues to SS and US. */
static costab_status add_real_pairs(const level_curves *c, slong precision, area_region regions[2],
                                    costab_error *error) {
    stable_interval intervals[STABLE_INTERVALS_MAX];
    ends_by(real_roots_clear) real_roots roots = {.count = 0};
    flint_local(arb, area);
    int count = level_curves_stable_intervals(c, &roots, intervals);
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
    return count < 0 ? error_memory(error) : COSTAB_OK;
}

/* ---- Complex pairs ---- */

/* Error for curves that cross where the angle of R is neither 0 nor pi. */
static costab_status refuse_multiple_roots(const level_curves *c, costab_error *error) {
    double z[2];
    if (!multiple_roots_elsewhere(c, z)) return COSTAB_OK;
    return error_set(
        error, COSTAB_NUMERIC,
        "the simulation's area is not available for this method: at z = %.6g%+.6gi its stability function "
        "has the modulus 1 and the derivative 0, so that two curves |R(z)| = 1 cross there; that "
        "is resolved where R(z) is 1 or -1, and R has rational coefficients",
        z[0], z[1]);
}

/* Returns true if an area is known to `bits` bits. */
static bool is_known(const arb_t area, slong bits) {
    return arb_is_zero(area) || (arb_is_positive(area) && arb_rel_accuracy_bits(area) >= bits);
}

/* Adds the areas of complex pairs. The quadrature stops by the larger one of SS and US, so the precision is
 * doubled until the smaller one also has enough bits. */
static costab_status add_complex_pairs(level_curves *c, slong bits, area_region regions[2],
                                       costab_error *error) {
    const bool wanted[2] = {!regions[0].infinite, !regions[1].infinite};
    flint_local_vector(arb, areas, 2);
    bool fine = !wanted[0] && !wanted[1];
    for (slong precision = bits + 64; !fine && precision <= PRECISION_MAX; precision *= 2)
        fine = level_curves_integrals(c, wanted, precision - 64, precision, areas) && is_known(areas, bits) &&
               is_known(areas + 1, bits);
    for (int k = 0; k < 2; k++) {
        regions[k].some = regions[k].some || !arb_is_zero(areas + k);
        arb_add(regions[k].area, regions[k].area, areas + k, bits + 64);
    }
    if (fine) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the area of the simulation did not reach %ld bits", (long)bits);
}

costab_status area_simulation_regions(const costab_planar *planar, slong bits, area_region regions[2],
                                      costab_error *error) {
    regions[1].some = true;
    if (planar->method.kind == COSTAB_EXACT) { /* stable exactly where the system is stable */
        regions[1].infinite = true;
        return COSTAB_OK;
    }
    ends_by(level_curves_clear) level_curves c;
    if (!level_curves_init(&c, &planar->method)) return error_memory(error);
    unbounded_regions(&c, &regions[1].infinite, &regions[0].infinite);
    regions[0].some = regions[0].infinite;
    TRY(add_real_pairs(&c, bits + 64, regions, error));
    if (!regions[0].infinite || !regions[1].infinite) TRY(refuse_multiple_roots(&c, error));
    TRY(add_complex_pairs(&c, bits + 2, regions, error));
    for (int k = 0; k < 2; k++)
        for (int power = 0; power < 3; power++)
            arb_mul_si(regions[k].area, regions[k].area, planar->substeps[0], bits + 64);
    return COSTAB_OK;
}
