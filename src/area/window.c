/* Areas in a window from the stable lengths of rows in balls.
 *
 * 1. The window is cut at Gamma = 0 and Delta = 0 into quarters. SS is in the quarter with Gamma < 0 < Delta,
 * US in the others.
 * 2. In each quarter the stable length is integrated over Gamma by Gauss-Legendre quadrature with proved
 *    bounds and bisection (acb_calc_integrate).
 * 3. For a ball of Gamma with an undecided length, the length is enclosed by 0 and the height of the quarter.
 *    Bisection narrows such balls.
 *
 * The balls are proved. Limitation: the error goal may not be reached within the allowed evaluations. */
#include "area/window.h"

typedef struct integrand {
    area_row_length *length;
    void *rows;
    area_quarter quarter;
} integrand;

void area_clip(acb_t clipped, const acb_t x, const acb_t low, const acb_t high, bool analytic,
               slong precision) {
    acb_real_max(clipped, x, low, analytic, precision);
    acb_real_min(clipped, clipped, high, analytic, precision);
}

/* The integrand for acb_calc_integrate. */
static int row_length(acb_ptr length, const acb_t gamma, void *context, slong order, slong precision) {
    const integrand *f = context;
    bool analytic = order > 0;
    if (f->length(f->rows, gamma, &f->quarter, analytic, precision, length) &&
        (analytic || acb_is_finite(length)))
        return 0;
    acb_indeterminate(length);
    if (analytic) return 0;
    arb_zero(acb_imagref(length));
    arb_sub(acb_realref(length), f->quarter.delta + 1, f->quarter.delta, precision);
    arb_mul_2exp_si(acb_realref(length), acb_realref(length), -1);
    arb_add_error(acb_realref(length), acb_realref(length));
    return 0;
}

/* The part of a range above or below 0. Returns false if it is empty. */
static bool cut(const fmpq *range, bool above, fmpq *part) {
    for (int k = 0; k < 2; k++) {
        fmpq_set(&part[k], &range[k]);
        if ((fmpq_sgn(&part[k]) > 0) != above) fmpq_zero(&part[k]);
    }
    return fmpq_cmp(&part[0], &part[1]) < 0;
}

/* Adds the integral over one quarter. */
static void add_quarter(const fmpq *gamma, const fmpq *delta, integrand *f, area_goal goal, arb_t area) {
    slong precision = goal.bits + 64;
    flint_local(acb, from, to, sum);
    flint_local(mag, tolerance, width);
    flint_local_vector(arb, delta_ends, 2);
    f->quarter.delta = delta_ends;
    for (int k = 0; k < 2; k++) {
        acb_set_fmpq(k == 0 ? from : to, &gamma[k], precision);
        arb_set_fmpq(delta_ends + k, &delta[k], precision);
    }
    acb_sub(sum, to, from, precision);
    acb_get_mag(width, sum);
    arb_sub(acb_realref(sum), delta_ends + 1, delta_ends, precision);
    acb_get_mag(tolerance, sum);
    mag_mul(tolerance, tolerance, width);
    mag_mul_2exp_si(tolerance, tolerance, -goal.least);
    acb_calc_integrate_opt_t options;
    acb_calc_integrate_opt_init(options);
    options->eval_limit = goal.evaluations;
    acb_calc_integrate(sum, row_length, f, from, to, goal.bits, tolerance, options, precision);
    arb_add(area, area, acb_realref(sum), precision);
}

void area_window_regions(const area_window *window, area_row_length *length, void *rows, bool has_us,
                         area_goal goal, area_region regions[2]) {
    integrand f = {.length = length, .rows = rows};
    flint_local_vector(fmpq, gamma, 2);
    flint_local_vector(fmpq, delta, 2);
    for (int k = 0; k < 4; k++) {
        f.quarter.right = k % 2 == 1;
        f.quarter.above = k / 2 == 1;
        bool ss = !f.quarter.right && f.quarter.above;
        if ((ss || has_us) && cut(window->gamma, f.quarter.right, gamma) &&
            cut(window->delta, f.quarter.above, delta))
            add_quarter(gamma, delta, &f, goal, regions[ss].area);
    }
    for (int k = 0; k < 2; k++) {
        arb_nonnegative_part(regions[k].area, regions[k].area);
        regions[k].some = !arb_is_zero(regions[k].area);
    }
}
