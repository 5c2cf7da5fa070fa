/* Areas of the stability regions: the public functions.
 *
 * 1. a and the window's ends are read exactly, as written or as the given doubles.
 * 2. Areas are computed in balls: simulation.c and simulation_window.c for the simulation, exponential.c for
 *    the method `exact`, exact.c for all other methods.
 * 3. A ball is rounded to a double, or to a text with the requested digits, with a bound of the error.
 *
 * Bounds are proved. Cost and limits: those of these files. */
#include <float.h>
#include <math.h>

#include "area/exponential.h"
#include "area/number.h"
#include "area/simulation.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/area.h"

/* WINDOW_BITS: precision of areas in a window, relative to the window's area. */
enum { DOUBLE_BITS = 60, WINDOW_BITS = 50, WHOLE_BITS = 128, DIGITS_MAX = 1000 };

/* US and SS. */
typedef area_region regions_t[2];

static void regions_init(area_region regions[2]) {
    for (int k = 0; k < 2; k++) regions[k].some = regions[k].infinite = false;
    flint_each(arb_init, regions[0].area, regions[1].area);
}

static void regions_clear(area_region regions[2]) {
    flint_each(arb_clear, regions[0].area, regions[1].area);
}
FLINT_LOCAL(regions)

/* Computes US and SS to `bits` bits, in the window or, if it is NULL, in the whole plane. */
static costab_status find_regions(const costab_planar *planar, const fmpq_t a, const area_window *window,
                                  slong bits, area_region regions[2], costab_error *error) {
    flint_free_at_thread_end();
    if (planar->scheme == COSTAB_SIMULATION)
        return window != NULL ? area_simulation_window(planar, window, WINDOW_BITS, regions, error)
                              : area_simulation_regions(planar, bits, regions, error);
    if (planar->method.kind == COSTAB_EXACT)
        return area_exponential_regions(planar->scheme, a, window, bits, regions, error);
    ends_by(area_system_clear) area_system system;
    if (!area_system_init(planar, &system)) return error_memory(error);
    return area_exact_regions(&system, a, window, bits, regions, error);
}

/* Upper bound of the distance between a number and all numbers in the ball. */
static double distance(const arb_t ball, const arb_t number) {
    flint_local(arb, difference);
    flint_local(mag, bound);
    arb_sub(difference, ball, number, ARF_PREC_EXACT);
    arb_get_mag(bound, difference);
    double result = mag_get_d(bound);
    return result > 0 ? result * (1 + DBL_EPSILON) : 0;
}

/* Rounds a ball's midpoint to a double, with an error bound. */
static void ball_to_double(const arb_t ball, double *area, double *error) {
    flint_local(arb, number);
    *area = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    arb_set_d(number, *area);
    *error = isfinite(*area) ? distance(ball, number) : DBL_MAX;
}

/* Rounds a region's area to a double, with an error bound. */
static void to_double(const area_region *region, double *area, double *error) {
    *area = region->infinite ? (double)INFINITY : 0;
    *error = 0;
    if (!region->infinite && region->some) ball_to_double(region->area, area, error);
}

static costab_status areas_of(const costab_planar *planar, costab_number a, costab_areas *areas,
                              costab_error *error) {
    flint_local(regions, regions);
    flint_local(fmpq, exact_a);
    TRY(rational_given(a, "a", exact_a, error));
    TRY(area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error));
    TRY(find_regions(planar, exact_a, NULL, DOUBLE_BITS, regions, error));
    to_double(&regions[0], &areas->us, &areas->error_us);
    to_double(&regions[1], &areas->ss, &areas->error_ss);
    return COSTAB_OK;
}

costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                  costab_error *error) {
    return areas_of(planar, (costab_number){a, NULL}, areas, error);
}

costab_status costab_planar_areas_at(const costab_planar *planar, const char *a, costab_areas *areas,
                                     costab_error *error) {
    return areas_of(planar, (costab_number){0, a}, areas, error);
}

/* ---- Text ---- */

/* Returns a region's area as text, to be freed by the caller; NULL if memory is exhausted. [out] error: an
 * error bound. */
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
        return error_invalid(error, "areas are printed to 1 to %d digits, not %d", DIGITS_MAX, digits);
    TRY(area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error));
    flint_local(regions, regions);
    flint_local(fmpq, exact_a);
    TRY(rational_read(a, exact_a, error));
    TRY(find_regions(planar, exact_a, NULL, (slong)(3.33 * digits) + 12, regions, error));
    areas->us = to_text(&regions[0], digits, &areas->error_us);
    areas->ss = to_text(&regions[1], digits, &areas->error_ss);
    if (areas->us != NULL && areas->ss != NULL) return COSTAB_OK;
    costab_area_digits_free(areas);
    return error_memory(error);
}

/* ---- Windows ---- */

/* length := length of the part of a range with this sign (-1 or 1). */
static void length_of_sign(const fmpq ends[2], int sign, fmpq_t length) {
    flint_local(fmpq, zero);
    const fmpq *low = sign > 0 && fmpq_sgn(&ends[0]) < 0 ? zero : &ends[0],
               *high = sign < 0 && fmpq_sgn(&ends[1]) > 0 ? zero : &ends[1];
    fmpq_sub(length, high, low);
    if (fmpq_sgn(length) < 0) fmpq_zero(length);
}

/* Area of a part of the window without the region, with an error bound. */
static void area_of_rest(const fmpq_t whole, const area_region *region, double *area, double *error) {
    flint_local(arb, rest);
    arb_set_fmpq(rest, whole, WHOLE_BITS);
    if (region->some) arb_sub(rest, rest, region->area, WHOLE_BITS);
    ball_to_double(rest, area, error);
    *area = fmax(0, *area);
}

/* Computes the areas of the four classes; the continuous system is stable for Gamma < 0 < Delta. */
static void classes_of(const area_window *window, const area_region regions[2], costab_window_areas *areas) {
    flint_local(fmpq, stable, whole, side);
    length_of_sign(window->gamma, -1, stable);
    length_of_sign(window->delta, 1, side);
    fmpq_mul(stable, stable, side);
    fmpq_sub(whole, &window->gamma[1], &window->gamma[0]);
    fmpq_sub(side, &window->delta[1], &window->delta[0]);
    fmpq_mul(whole, whole, side);
    fmpq_sub(whole, whole, stable);
    to_double(&regions[0], &areas->area[COSTAB_US], &areas->error[COSTAB_US]);
    to_double(&regions[1], &areas->area[COSTAB_SS], &areas->error[COSTAB_SS]);
    area_of_rest(whole, &regions[0], &areas->area[COSTAB_UU], &areas->error[COSTAB_UU]);
    area_of_rest(stable, &regions[1], &areas->area[COSTAB_SU], &areas->error[COSTAB_SU]);
}

costab_status costab_planar_window_areas(const costab_planar *planar, costab_number a,
                                         const costab_number gamma[2], const costab_number delta[2],
                                         costab_window_areas *areas, costab_error *error) {
    flint_local(regions, regions);
    flint_local(fmpq, exact_a);
    flint_local_vector(fmpq, ends, 4);
    const area_window window = {ends, ends + 2};
    TRY(rational_given(a, "a", exact_a, error));
    TRY(area_window_read(&window, gamma, delta, error));
    TRY(area_system_check(planar, "areas", COSTAB_AREA_DEGREE_MAX, error));
    TRY(find_regions(planar, exact_a, &window, DOUBLE_BITS, regions, error));
    classes_of(&window, regions, areas);
    return COSTAB_OK;
}
