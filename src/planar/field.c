/* Float fields along a row: trace, determinant and spectral radius at many Delta.
 *
 * 1. Co-simulation: quotients of linear functions of Delta by K (row.h); the radius from both.
 * 2. Simulation: simulation_map.c; rows that it does not hold are made point by point (point.c).
 *
 * The loops are plain, so that compilers vectorise them. They and the point kernel share their expressions
 * (row.h): both give the same bits. Cost: some operations a point. */
#include "base/clones.h"
#include "planar/row.h"

BASE_CLONES
static void trace_row(const planar_row *source, size_t n, const double *restrict delta,
                      double *restrict trace) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) trace[i] = map_canonical(planar_trace(&row, delta[i]));
}

BASE_CLONES
static void determinant_row(const planar_row *source, size_t n, const double *restrict delta,
                            double *restrict determinant) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) determinant[i] = map_canonical(planar_determinant(&row, delta[i]));
}

BASE_CLONES
static void radius_row(const planar_row *source, size_t n, const double *restrict delta,
                       double *restrict radius) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++)
        radius[i] =
            map_canonical(planar_radius(planar_trace(&row, delta[i]), planar_determinant(&row, delta[i])));
}

static void cosimulation_fields(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                                const costab_planar_fields *fields) {
    planar_row row = planar_row_make(slice, gamma);
    if (fields->trace != NULL) trace_row(&row, n, delta, fields->trace);
    if (fields->determinant != NULL) determinant_row(&row, n, delta, fields->determinant);
    if (fields->spectral_radius != NULL) radius_row(&row, n, delta, fields->spectral_radius);
    for (size_t i = 0; fields->cause != NULL && i < n; i++)
        fields->cause[i] = planar_cosimulation_point(&row, gamma, delta[i]).cause;
}

/* ---- the simulation ---- */

/* A row in some of whose points the map's polynomials might overflow: those go to the point kernel. */
static void far_points(const costab_planar *planar, double gamma, const map_row *map, size_t n,
                       const double *delta, const costab_planar_fields *fields) {
    planar_simulation_line line = planar_simulation_at(planar, gamma);
    for (size_t i = 0; i < n; i++) {
        costab_planar_point point = planar_simulation_point(&line, map, delta[i]);
        if (fields->trace != NULL) fields->trace[i] = map_canonical(point.trace);
        if (fields->determinant != NULL) fields->determinant[i] = map_canonical(point.determinant);
        if (fields->spectral_radius != NULL)
            fields->spectral_radius[i] = map_canonical(point.spectral_radius);
    }
}

static void simulation_fields(const costab_planar *planar, double gamma, size_t n, const double *delta,
                              const costab_planar_fields *fields) {
    if (fields->trace != NULL || fields->determinant != NULL || fields->spectral_radius != NULL) {
        map_row map = map_row_at(planar, gamma);
        if (n > 0 && map_row_holds(&map, delta[0]) && map_row_holds(&map, delta[n - 1]))
            map_row_fields(&map, n, delta, fields->trace, fields->determinant, fields->spectral_radius);
        else
            far_points(planar, gamma, &map, n, delta, fields);
    }
    if (fields->cause == NULL) return;
    planar_simulation_line line = planar_simulation_at(planar, gamma);
    for (size_t i = 0; i < n; i++) fields->cause[i] = planar_simulation_cause(&line, delta[i]);
}

void costab_planar_field_row(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                             const costab_planar_fields *fields) {
    if (slice->planar->scheme == COSTAB_SIMULATION)
        simulation_fields(slice->planar, gamma, n, delta, fields);
    else
        cosimulation_fields(slice, gamma, n, delta, fields);
}
