/* Float fields along a row: trace, determinant and spectral radius at many Delta.
 *
 * 1. Co-simulation: quotients of linear functions of Delta by K, and the roots of their quadratic (row.h).
 * 2. Simulation: eigenvalues.c.
 *
 * The loops are plain, so that compilers vectorise them. They and the point kernel share their expressions
 * (row.h): both give the same bits. Cost: some operations a point. */
#include "base/clones.h"
#include "planar/row.h"

BASE_CLONES
static void trace_row(const planar_row *source, size_t n, const double *restrict delta,
                      double *restrict trace) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) trace[i] = planar_trace(&row, delta[i]);
}

BASE_CLONES
static void determinant_row(const planar_row *source, size_t n, const double *restrict delta,
                            double *restrict determinant) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) determinant[i] = planar_determinant(&row, delta[i]);
}

BASE_CLONES
static void radius_row(const planar_row *source, size_t n, const double *restrict delta,
                       double *restrict radius) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) radius[i] = planar_radius(&row, delta[i]);
}

void planar_field_row(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                      const double *delta, const costab_planar_fields *fields) {
    if (row == NULL) {
        planar_eigenvalue_fields(slice->planar, gamma, n, delta, fields->trace, fields->determinant,
                                 fields->spectral_radius);
        if (fields->cause == NULL) return;
        planar_simulation_line line = planar_simulation_at(slice->planar, gamma);
        for (size_t i = 0; i < n; i++) fields->cause[i] = planar_simulation_cause(&line, delta[i]);
        return;
    }
    if (fields->trace != NULL) trace_row(row, n, delta, fields->trace);
    if (fields->determinant != NULL) determinant_row(row, n, delta, fields->determinant);
    if (fields->spectral_radius != NULL) radius_row(row, n, delta, fields->spectral_radius);
    for (size_t i = 0; fields->cause != NULL && i < n; i++)
        fields->cause[i] = planar_cosimulation_point(row, gamma, delta[i]).cause;
}
