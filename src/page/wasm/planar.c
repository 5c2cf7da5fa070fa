/* The planar system for a page: costab/planar.h by numbers and flat arrays. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "costab/planar.h"
#include "page/wasm/export.h"

static costab_planar schemes[COSTAB_SCHEME_COUNT];
static double *row_deltas;
static size_t row_room;

/* Sets the method by its name, or where `own` is not 0 takes the spec's, and the micro steps, for all
 * schemes; the simulation takes those of the first subsystem. False with a message where that fails. */
EXPORT(planar_set) bool page_planar_set(const char *method, bool own, int substeps_a, int substeps_d) {
    costab_method found;
    const costab_spec *spec = page_spec();
    if (own && spec != NULL)
        found = spec->planar.method;
    else if (costab_method_find(method, &found, page_error()))
        return false;
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++)
        if (costab_planar_init(&schemes[s], (costab_scheme)s, &found, substeps_a,
                               s == COSTAB_SIMULATION ? substeps_a : substeps_d, page_error()))
            return false;
    return true;
}

static const double *deltas(double from, double to, size_t count) {
    if (count > row_room) {
        double *grown = realloc(row_deltas, count * sizeof *grown);
        if (grown == NULL) return NULL;
        row_deltas = grown;
        row_room = count;
    }
    for (size_t j = 0; j < count; j++) row_deltas[j] = number_linspace(from, to, count, j);
    return row_deltas;
}

/* The classes of gammas x deltas points, gamma slowest. False where memory ends. */
EXPORT(planar_classes)
bool page_planar_classes(int scheme, double a, double gamma_from, double gamma_to, size_t gammas,
                         double delta_from, double delta_to, size_t count, uint8_t *classes) {
    const double *delta = deltas(delta_from, delta_to, count);
    if (delta == NULL) return false;
    costab_planar_slice slice = costab_planar_at(&schemes[scheme], a);
    for (size_t i = 0; i < gammas; i++)
        costab_planar_class_row(&slice, number_linspace(gamma_from, gamma_to, gammas, i), count, delta,
                                classes + i * count);
    return true;
}

/* The spectral radii of the same points. */
EXPORT(planar_radii)
bool page_planar_radii(int scheme, double a, double gamma_from, double gamma_to, size_t gammas,
                       double delta_from, double delta_to, size_t count, double *radii) {
    const double *delta = deltas(delta_from, delta_to, count);
    if (delta == NULL) return false;
    costab_planar_slice slice = costab_planar_at(&schemes[scheme], a);
    for (size_t i = 0; i < gammas; i++) {
        costab_planar_fields fields = {.spectral_radius = radii + i * count};
        costab_planar_field_row(&slice, number_linspace(gamma_from, gamma_to, gammas, i), count, delta,
                                &fields);
    }
    return true;
}

/* [out] six numbers: trace, determinant, spectral radius, iteration radius, class, cause. */
EXPORT(planar_point) void page_planar_point(int scheme, double a, double gamma, double delta, double *out) {
    costab_planar_point point;
    costab_planar_points(&schemes[scheme], 1, &a, &gamma, &delta, &point);
    out[0] = point.trace;
    out[1] = point.determinant;
    out[2] = point.spectral_radius;
    out[3] = point.iteration_radius;
    out[4] = point.class_code;
    out[5] = point.cause;
}

/* The boundary curves of a window. [out] one curve after the other, each its cause, the number of its points
 * and these. Returns how many numbers there are; -1 with a message where they were not found, or do not fit
 * into `most`. */
EXPORT(planar_boundary)
int page_planar_boundary(int scheme, double a, const double *window, double *out, int most) {
    costab_boundary boundary = {0};
    int count = 0;
    if (costab_planar_boundary(&schemes[scheme], a, window, window + 2, &boundary, page_error())) return -1;
    for (size_t c = 0; c < boundary.count && count >= 0; c++) {
        const costab_curve *curve = &boundary.curves[c];
        if (count + 2 + 2 * (int)curve->count > most) {
            count = -1;
            break;
        }
        out[count++] = curve->cause;
        out[count++] = (double)curve->count;
        for (size_t i = 0; i < curve->count; i++) {
            out[count++] = curve->gamma[i];
            out[count++] = curve->delta[i];
        }
    }
    costab_boundary_free(&boundary);
    return count;
}

/* A matrix [a b; c d] of a point, as balanced as can be. */
static void matrix_of(double a, double gamma, double delta, double matrix[4]) {
    double product = a * (gamma - a) - delta, root = sqrt(fabs(product));
    matrix[0] = a;
    matrix[1] = product < 0 ? -root : root;
    matrix[2] = root;
    matrix[3] = gamma - a;
}

/* The first state of a point's co-simulation at 0, 1, ... (count - 1) macro steps, from (1, 0); and of the
 * exact solution, `fine` values per macro step. */
EXPORT(planar_history)
void page_planar_history(int scheme, double a, double gamma, double delta, size_t count, size_t fine,
                         double *states, double *exact) {
    double matrix[4], map[4];
    const double start[2] = {1, 0};
    matrix_of(a, gamma, delta, matrix);
    costab_planar_history(&schemes[scheme], matrix, 1, start, count, states, exact); /* exact: room for y */
    for (size_t i = 0; i <= (count - 1) * fine; i++) {
        costab_planar_exponential(matrix, (double)i / (double)fine, map);
        exact[i] = map[0];
    }
}
