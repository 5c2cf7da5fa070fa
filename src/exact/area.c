/* Areas of the stability regions: the public functions.
 *
 *  1. a is read exactly, as it is written or as the double that it is.
 *  2. The areas come in balls: of the simulation from area_simulation.c and area_simulation_window.c, of the
 *     method `exact` from area_exponential.c, of all others from area_exact.c.
 *  3. A ball becomes a double, or a text with as many digits as asked for, and a bound of the error of that.
 *
 * The bounds are proved. Cost and limits: those of the files named. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/area.h"
#include "exact/area_exponential.h"
#include "exact/area_simulation.h"
#include "exact/number.h"

/* WINDOW_BITS: of an area in a window, relative to the window's area. */
enum { DOUBLE_BITS = 60, WINDOW_BITS = 50, DIGITS_MAX = 1000 };

static void regions_init(area_region regions[2]) {
    flint_each(arb_init, regions[0].area, regions[1].area);
}

static void regions_clear(area_region regions[2]) {
    flint_each(arb_clear, regions[0].area, regions[1].area);
}

/* US and SS to `bits` bits, in the window or, with NULL, in the whole plane. */
static costab_status find_regions(const costab_planar *planar, const fmpq_t a, const area_window *window,
                                  slong bits, area_region regions[2], costab_error *error) {
    flint_ends_with_thread();
    if (planar->scheme == COSTAB_SIMULATION)
        return window != NULL ? area_simulation_window(planar, window, WINDOW_BITS, regions, error)
                              : area_simulation_regions(planar, bits, regions, error);
    if (planar->method.kind == COSTAB_EXACT)
        return area_exponential_regions(planar->scheme, a, window, bits, regions, error);
    ends_by(area_system_clear) area_system system;
    if (!area_system_init(planar, &system)) return error_memory(error);
    return area_exact_regions(&system, a, window, bits, regions, error);
}

/* An upper bound of the distance between a number and any number in the ball. */
static double distance(const arb_t ball, const arb_t number) {
    flint_local(arb, difference);
    flint_local(mag, bound);
    arb_sub(difference, ball, number, ARF_PREC_EXACT);
    arb_get_mag(bound, difference);
    double result = mag_get_d(bound);
    return result > 0 ? result * (1 + DBL_EPSILON) : 0;
}

/* The double nearest to a ball's middle, and a bound of its error. */
static void ball_to_double(const arb_t ball, double *area, double *error) {
    flint_local(arb, number);
    *area = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    arb_set_d(number, *area);
    *error = isfinite(*area) ? distance(ball, number) : DBL_MAX;
}

/* A region's area as a double, and a bound of its error. */
static void to_double(const area_region *region, double *area, double *error) {
    *area = region->infinite ? (double)INFINITY : 0;
    *error = 0;
    if (!region->infinite && region->some) ball_to_double(region->area, area, error);
}

/* exact := the number that is written, or with written = NULL the double a. */
static costab_status read_a(const char *written, double a, fmpq_t exact, costab_error *error) {
    if (written != NULL) return rational_read(written, exact, error);
    if (!isfinite(a)) return error_set(error, COSTAB_INVALID, "areas need a finite a, not %g", a);
    rational_of(exact, a);
    return COSTAB_OK;
}

static costab_status areas_of(const costab_planar *planar, const char *written, double a, costab_areas *areas,
                              costab_error *error) {
    area_region regions[2];
    flint_local(fmpq, exact_a);
    regions_init(regions);
    costab_status status = read_a(written, a, exact_a, error);
    if (!status) status = area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error);
    if (!status) status = find_regions(planar, exact_a, NULL, DOUBLE_BITS, regions, error);
    if (!status) {
        to_double(&regions[0], &areas->us, &areas->error_us);
        to_double(&regions[1], &areas->ss, &areas->error_ss);
    }
    regions_clear(regions);
    return status;
}

costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                  costab_error *error) {
    return areas_of(planar, NULL, a, areas, error);
}

costab_status costab_planar_areas_at(const costab_planar *planar, const char *a, costab_areas *areas,
                                     costab_error *error) {
    return areas_of(planar, a, 0, areas, error);
}

/* ---- as text ---- */

/* A region's area as a text, which the caller frees; NULL where memory is out. [out] error: a bound of its
 * error. */
static char *to_text(const area_region *region, int digits, double *error) {
    *error = 0;
    if (region->infinite) return memory_copy("inf");
    if (!region->some) return memory_copy("0");
    char *shown = arb_get_str(region->area, digits, ARB_STR_NO_RADIUS), *copy = memory_copy(shown);
    flint_local(arb, printed);
    slong precision = (slong)(3.33 * digits) + 64;
    (void)arb_set_str(printed, shown, precision);
    *error = distance(region->area, printed);
    flint_free(shown);
    return copy;
}

void costab_area_digits_free(costab_area_digits *areas) {
    memory_free_all(areas->ss, areas->us);
    *areas = (costab_area_digits){NULL, NULL, 0, 0};
}

costab_status costab_planar_area_digits(const costab_planar *planar, const char *a, int digits,
                                        costab_area_digits *areas, costab_error *error) {
    *areas = (costab_area_digits){NULL, NULL, 0, 0};
    if (digits < 1 || digits > DIGITS_MAX)
        return error_set(error, COSTAB_INVALID, "areas are printed to 1 to %d digits, not %d", DIGITS_MAX,
                         digits);
    TRY(area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error));
    area_region regions[2];
    flint_local(fmpq, exact_a);
    regions_init(regions);
    costab_status status = rational_read(a, exact_a, error);
    if (!status) status = find_regions(planar, exact_a, NULL, (slong)(3.33 * digits) + 12, regions, error);
    if (!status) {
        areas->us = to_text(&regions[0], digits, &areas->error_us);
        areas->ss = to_text(&regions[1], digits, &areas->error_ss);
        if (areas->us == NULL || areas->ss == NULL) status = error_memory(error);
    }
    regions_clear(regions);
    if (status) costab_area_digits_free(areas);
    return status;
}

/* ---- windows ---- */

/* The overlap of two ranges. */
static double overlap(double low, double high, double from, double to) {
    return fmax(0, fmin(high, to) - fmax(low, from));
}

/* US and SS inside a window. */
static costab_status stable_in_window(const costab_planar *planar, const fmpq_t a, const double gamma[2],
                                      const double delta[2], double area[2], double bound[2],
                                      costab_error *error) {
    TRY(area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error));
    area_region regions[2];
    area_window window;
    regions_init(regions);
    for (int k = 0; k < 2; k++) {
        flint_each(fmpq_init, &window.gamma[k], &window.delta[k]);
        rational_of(&window.gamma[k], gamma[k]);
        rational_of(&window.delta[k], delta[k]);
    }
    costab_status status = find_regions(planar, a, &window, DOUBLE_BITS, regions, error);
    for (int k = 0; k < 2; k++) {
        if (!status) to_double(&regions[k], &area[k], &bound[k]);
        flint_each(fmpq_clear, &window.gamma[k], &window.delta[k]);
    }
    regions_clear(regions);
    return status;
}

static costab_status window_areas(const costab_planar *planar, const char *written, double a,
                                  const double gamma[2], const double delta[2], costab_window_areas *areas,
                                  costab_error *error) {
    if (!isfinite(gamma[0]) || !isfinite(gamma[1]) || !isfinite(delta[0]) || !isfinite(delta[1]) ||
        !(gamma[0] < gamma[1]) || !(delta[0] < delta[1]))
        return error_set(error, COSTAB_INVALID, "window areas need a window that is finite and not empty");
    double area[2], bound[2];
    flint_local(fmpq, exact_a);
    TRY(read_a(written, a, exact_a, error));
    TRY(stable_in_window(planar, exact_a, gamma, delta, area, bound, error));
    double whole = (gamma[1] - gamma[0]) * (delta[1] - delta[0]);
    double stable = overlap(gamma[0], gamma[1], -INFINITY, 0) * overlap(delta[0], delta[1], 0, INFINITY);
    areas->area[COSTAB_US] = area[0];
    areas->area[COSTAB_SS] = area[1];
    areas->area[COSTAB_SU] = fmax(0, stable - area[1]);
    areas->area[COSTAB_UU] = fmax(0, whole - stable - area[0]);
    areas->error[COSTAB_US] = bound[0];
    areas->error[COSTAB_SS] = bound[1];
    areas->error[COSTAB_SU] = bound[1] + 4 * DBL_EPSILON * stable;
    areas->error[COSTAB_UU] = bound[0] + 4 * DBL_EPSILON * whole;
    return COSTAB_OK;
}

costab_status costab_planar_window_areas(const costab_planar *planar, double a, const double gamma[2],
                                         const double delta[2], costab_window_areas *areas,
                                         costab_error *error) {
    return window_areas(planar, NULL, a, gamma, delta, areas, error);
}

costab_status costab_planar_window_areas_at(const costab_planar *planar, const char *a, const double gamma[2],
                                            const double delta[2], costab_window_areas *areas,
                                            costab_error *error) {
    return window_areas(planar, a, 0, gamma, delta, areas, error);
}
