/* Areas of a co-simulation scheme with a Runge-Kutta method at one a (docs/explanation/algorithms.md, Rows
 * and areas).
 *
 * 1. The stability conditions of all rows become polynomials in d over Z[sqrt D] (cells.c).
 * 2. The d axis is divided into pieces. The stable intervals of a piece end at the same two bounds; their
 *    length is a rational function of d (cells.c).
 * 3. Degrees and common roots decide if a piece has an infinite area (cells.c).
 * 4. Finite areas are integrals of these rational functions, enclosed in balls (integral.c) and summed per
 *    region.
 *
 * Zero and infinite areas are decided exactly; balls are proved, to the requested precision. Cost: root
 * isolation and quadrature; with n stages times micro steps the polynomials have degrees of about 2n. */
#include "area/exact.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Returns COSTAB_INVALID for a tableau with roots of which only the nearest doubles could be taken: a region
 * may be infinite for the one and finite for the other. */
static costab_status check_roots(const costab_method *method, const char *what, costab_error *error) {
    ends_by(exact_tableau_clear) exact_tableau tableau;
    if (!exact_tableau_init(&tableau, method)) return error_memory(error);
    if (tableau.exact || strstr(method->source, "sqrt") == NULL) return COSTAB_OK;
    return error_invalid(
        error,
        "%s are decided in exact arithmetic, which needs a consistent tableau of fractions and "
        "roots of either 2 or 3; write decimals to have those of the rounded tableau",
        what);
}

costab_status area_system_check(const costab_planar *planar, const char *what, int degree_max,
                                costab_error *error) {
    const costab_method *m = &planar->method;
    int most = planar->substeps[0] > planar->substeps[1] ? planar->substeps[0] : planar->substeps[1];
    TRY(check_roots(m, what, error));
    if (planar->scheme == COSTAB_SIMULATION || m->kind == COSTAB_EXACT ||
        most * (long)m->stages <= degree_max)
        return COSTAB_OK;
    return error_invalid(error,
                         "%s of %s with %s and %d, %d micro steps cannot be decided exactly: stages "
                         "times micro steps are %ld, and at most %d are possible; take fewer micro steps",
                         what, costab_scheme_name(planar->scheme), m->name, planar->substeps[0],
                         planar->substeps[1], most * (long)m->stages, degree_max);
}

bool area_system_init(const costab_planar *planar, area_system *system) {
    ends_by(method_exact_clear) method_exact exact;
    flint_free_at_thread_end();
    system->scheme = planar->scheme;
    bool fine = method_exact_make(&planar->method, planar->substeps[0], &exact);
    for (int k = 0; k < 2; k++) {
        if (planar->substeps[k] != planar->substeps[0]) {
            method_exact_clear(&exact);
            fine = method_exact_make(&planar->method, planar->substeps[k], &exact) && fine;
        }
        area_subsystem_init(&system->subsystem[k]);
        area_subsystem_set(&system->subsystem[k], &exact);
    }
    system->radicand = exact.radicand;
    return fine;
}

void area_system_clear(area_system *system) {
    for (int k = 0; k < 2; k++) area_subsystem_clear(&system->subsystem[k]);
}

/* Adds the pieces' areas to their regions; returns false if an integral does not reach `bits` bits. */
static bool add_pieces(area_cells *cells, slong bits, area_region regions[2]) {
    for (int i = 0; i < cells->count; i++) {
        area_region *region = &regions[cells->piece[i].ss];
        region->some = true;
        if (cells->piece[i].infinite) region->infinite = true;
    }
    flint_local(arb, area);
    for (int i = 0; i < cells->count; i++) {
        area_region *region = &regions[cells->piece[i].ss];
        if (region->infinite) continue;
        if (!area_cells_integral(cells, &cells->piece[i], bits, area)) return false;
        arb_add(region->area, region->area, area, bits + 32);
    }
    return true;
}

costab_status area_window_read(const area_window *window, const costab_number gamma[2],
                               const costab_number delta[2], costab_error *error) {
    TRY(rational_range(gamma, "Gamma", &window->gamma[0], &window->gamma[1], error));
    TRY(rational_range(delta, "Delta", &window->delta[0], &window->delta[1], error));
    flint_local(fmpq, width, height);
    fmpq_sub(width, window->gamma + 1, window->gamma);
    fmpq_sub(height, window->delta + 1, window->delta);
    if (isfinite(fmpq_get_d(width) * fmpq_get_d(height))) return COSTAB_OK;
    return error_invalid(error, "the area of the window exceeds the largest number, 1.8e308");
}

costab_status area_exact_regions(const area_system *system, const fmpq_t a, const area_window *window,
                                 slong bits, area_region regions[2], costab_error *error) {
    ends_by(area_bounds_clear) area_bounds bounds;
    ends_by(area_cells_clear) area_cells cells = {.count = 0};
    area_bounds_init(&bounds);
    area_bounds_at(&bounds, system->scheme, system->subsystem, system->radicand, a,
                   window != NULL ? window->delta : NULL);
    if (!area_cells_find(&bounds, window != NULL ? window->gamma : NULL, &cells)) return error_memory(error);
    if (!add_pieces(&cells, bits + 3, regions))
        return error_set(error, COSTAB_NUMERIC, "the area of %s at a = %g did not reach %ld bits",
                         costab_scheme_name(system->scheme), fmpq_get_d(a), (long)bits);
    return COSTAB_OK;
}
