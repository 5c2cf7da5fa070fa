/* Float fields along a row. The co-simulation schemes' are ratios of linear functions of Delta, in plain
 * loops that vectorise; they repeat the point kernel's expressions operation by operation, so that both give
 * the same bits. */
#include <math.h>

#include "base/clones.h"
#include "planar/row.h"

/* K = 1 - w q */
static inline double divisor(const planar_row *row, double delta) {
    return 1 - (row->product - delta) * row->contraction;
}

/* One kind of nan: which sign an operation gives it is the compiler's choice, and must not show in a file. */
static inline double canonical(double value) {
    return value == value ? value : (double)NAN;
}

BASE_CLONES
static void trace_row(const planar_row *source, size_t n, const double *restrict delta,
                      double *restrict trace) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++)
        trace[i] = canonical(2 + (row.trace0 + row.trace1 * delta[i]) / divisor(&row, delta[i]));
}

BASE_CLONES
static void determinant_row(const planar_row *source, size_t n, const double *restrict delta,
                            double *restrict determinant) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++)
        determinant[i] = canonical(1 - (row.det0 + row.det1 * delta[i]) / divisor(&row, delta[i]));
}

BASE_CLONES
static void radius_row(const planar_row *source, size_t n, const double *restrict delta,
                       double *restrict radius) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) {
        double K = divisor(&row, delta[i]);
        double half = 0.5 * (2 + (row.trace0 + row.trace1 * delta[i]) / K);
        double determinant = 1 - (row.det0 + row.det1 * delta[i]) / K;
        double square = half * half - determinant;
        double pair = sqrt(determinant), real = fabs(half) + sqrt(square);
        radius[i] = canonical(square < 0 ? pair : real);
    }
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

void costab_planar_field_row(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                             const costab_planar_fields *fields) {
    if (slice->planar->scheme != COSTAB_SIMULATION) {
        cosimulation_fields(slice, gamma, n, delta, fields);
        return;
    }
    planar_simulation_line line = planar_simulation_at(slice->planar, gamma);
    for (size_t i = 0; i < n; i++) {
        costab_planar_point point = planar_simulation_point(&line, delta[i]);
        if (fields->trace != NULL) fields->trace[i] = canonical(point.trace);
        if (fields->determinant != NULL) fields->determinant[i] = canonical(point.determinant);
        if (fields->spectral_radius != NULL) fields->spectral_radius[i] = canonical(point.spectral_radius);
        if (fields->cause != NULL) fields->cause[i] = point.cause;
    }
}
