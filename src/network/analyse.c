/* The macro-step map of a point and what it says. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/neutral.h"
#include "network/spectrum.h"
#include "network/work.h"

/* A product over many macro steps is kept near 1 by a power of 2. */
#define SCALE_LIMIT 0x1p200

/* work->map = the steps of one period on the unit states, times 2^-exponent. */
static costab_status make_map(costab_network_work *work, double *iteration_radius, long *exponent,
                              costab_error *error) {
    int size = work->size, width = size * work->lanes;
    size_t cells = (size_t)size * (size_t)width;
    memset(work->map, 0, cells * sizeof *work->map);
    for (int i = 0; i < size; i++) work->map[(size_t)i * (size_t)width + (size_t)i] = 1;
    *iteration_radius = work->coupling.scheme == COSTAB_ITERATED ? 0 : (double)NAN;
    *exponent = 0;
    for (int64_t k = 0; k < work->period; k++) {
        costab_status status = work_step(work, k, width, work->map, work->next, error);
        if (status != COSTAB_OK) return status;
        memcpy(work->map, work->next, cells * sizeof *work->map);
        if (work->guess_radius > *iteration_radius) *iteration_radius = work->guess_radius;
        if (work->period == 1) break;
        double norm = matrix_norm(cells, work->map);
        if (!isfinite(norm)) break;
        if (norm < SCALE_LIMIT && norm > 1 / SCALE_LIMIT) continue;
        if (norm == 0) break;
        int shift = ilogb(norm);
        *exponent += shift;
        for (size_t e = 0; e < cells; e++) work->map[e] = ldexp(work->map[e], -shift);
    }
    return COSTAB_OK;
}

/* Radius and eigenvalues of what remains of the map; splits off the imaginary part where there is one. */
static costab_status map_radius(costab_network_work *work, const neutral_rest *rest, double *radius,
                                costab_error *error) {
    int size = work->size;
    double abscissa;
    if (work->lanes == 1) {
        for (int i = rest->map_size; i < size; i++) {
            work->eigen_real[i] = 1;
            work->eigen_imaginary[i] = 0;
        }
        return spectrum_radius(work, rest->map_size, rest->map, radius, &abscissa, error);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            work->result_real[i * size + j] = work->map[i * 2 * size + j];
            work->result_imaginary[i * size + j] = work->map[i * 2 * size + size + j];
        }
    return spectrum_complex(work, size, work->result_real, work->result_imaginary, radius, error);
}

/* Micro steps are composed by squarings, each of which rounds: as many roundings of the map. */
static double map_loss(const costab_network_work *work) {
    double most = 1;
    for (int s = 0; s < work->count; s++) most = fmax(most, (double)work->parts[s].counts[0]);
    return 1 + ceil(log2(most));
}

/* How far the radius may be wrong beyond the rounding of a well-conditioned map. */
static double map_doubt(const costab_network_work *work, const neutral_rest *rest, double radius) {
    int size = work->size, lanes = work->lanes;
    if (!(radius < 1)) return 0;
    double loss = map_loss(work);
    if (lanes == 1)
        return spectrum_doubt(work, rest->map_size, rest->map_size, rest->map, SPECTRUM_CIRCLE, 1 - radius,
                              loss);
    spectrum_real_form(size, lanes, work->map, work->eigen_complex);
    return spectrum_doubt(work, size, lanes * size, work->eigen_complex, SPECTRUM_CIRCLE, 1 - radius, loss);
}

static void scale(size_t count, double *values, long exponent) {
    int shift = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : (int)exponent;
    for (size_t i = 0; i < count && shift != 0; i++) values[i] = ldexp(values[i], shift);
}

/* The abscissa of an n x n matrix and how far it may be wrong. */
static costab_status find_abscissa(costab_network_work *work, int n, const double *matrix, double *abscissa,
                                   double *rounding, costab_error *error) {
    double radius;
    costab_status status = spectrum_radius(work, n, matrix, &radius, abscissa, error);
    if (status != COSTAB_OK) return status;
    *rounding = spectrum_doubt(work, n, n, matrix, SPECTRUM_AXIS, -*abscissa, 1);
    *rounding += n * DBL_EPSILON * matrix_norm((size_t)n * (size_t)n, matrix);
    return COSTAB_OK;
}

/* The abscissa of the monolithic matrix; along an axis such as the macro step it stays the same, and is kept.
 */
static costab_status continuous(costab_network_work *work, costab_network_point *point, costab_error *error) {
    if (!work->mono_known) {
        costab_status status = monolithic_make(work, error);
        if (status == COSTAB_OK)
            status = find_abscissa(work, work->states, work->mono, &work->mono_abscissa, &work->mono_rounding,
                                   error);
        if (status != COSTAB_OK) return status;
        work->mono_least = (double)INFINITY;
        for (int i = 0; i < work->states; i++)
            work->mono_least = fmin(work->mono_least, hypot(work->eigen_real[i], work->eigen_imaginary[i]));
        work->mono_known = true;
    }
    point->spectral_abscissa = work->mono_abscissa;
    point->abscissa_rounding = work->mono_rounding;
    return COSTAB_OK;
}

/* What remains without equilibria; the abscissa is that of the rest. */
static costab_status set_aside(costab_network_work *work, long exponent, costab_network_point *point,
                               neutral_rest *rest, costab_error *error) {
    *rest = (neutral_rest){
        .map_size = work->size, .mono_size = work->states, .map = work->map, .mono = work->mono};
    if (work->lanes > 1 || exponent != 0) return COSTAB_OK;
    costab_status status = neutral_set_aside(work, work->map, work->mono_least, rest, error);
    if (status != COSTAB_OK || rest->modes == 0) return status;
    point->neutral = rest->modes;
    point->motions = rest->motions;
    point->kept = rest->kept;
    status = find_abscissa(work, rest->mono_size, rest->mono, &point->spectral_abscissa,
                           &point->abscissa_rounding, error);
    point->abscissa_rounding = fmax(point->abscissa_rounding, rest->mono_noise);
    return status;
}

/* All of a point but what the map's eigenvalues say. */
static costab_status begin(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, costab_network_point *point, long *exponent,
                           neutral_rest *rest, costab_error *error) {
    *point = (costab_network_point){.period = 1};
    costab_status status = work_prepare(work, network, coupling, NULL, error);
    if (status == COSTAB_OK) status = continuous(work, point, error);
    if (status == COSTAB_OK) status = make_map(work, &point->iteration_radius, exponent, error);
    if (status == COSTAB_OK) status = set_aside(work, *exponent, point, rest, error);
    point->size = work->size;
    point->period = (long)work->period;
    if (point->spectral_abscissa + point->abscissa_rounding < 0)
        point->class_code |= COSTAB_CONTINUOUS_STABLE;
    return status;
}

static bool diverges(const costab_coupling *coupling, const costab_network_point *point) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0 && !(point->iteration_radius < 1);
}

static costab_status finish(costab_network_work *work, long exponent, const neutral_rest *rest,
                            costab_network_point *point, costab_error *error) {
    double radius = 0;
    costab_status status = map_radius(work, rest, &radius, error);
    if (status != COSTAB_OK) return status;
    double norm =
        matrix_norm((size_t)rest->map_size * (size_t)rest->map_size * (size_t)work->lanes, rest->map);
    point->spectral_radius = radius;
    if (work->period > 1 && radius > 0)
        point->spectral_radius = exp2((log2(radius) + (double)exponent) / (double)work->period);
    scale(1, &norm, exponent);
    point->rounding = fmax(work->size * DBL_EPSILON * norm, rest->map_noise);
    if (exponent == 0) point->rounding += map_doubt(work, rest, radius) / (double)work->period;
    if (exponent != 0) {
        scale((size_t)work->size * (size_t)work->size, work->map, exponent);
        scale((size_t)work->size, work->eigen_real, exponent);
        scale((size_t)work->size, work->eigen_imaginary, exponent);
    }
    point->growth = log(point->spectral_radius) / work->coupling.macro_step - point->spectral_abscissa;
    if (point->spectral_radius + point->rounding < 1 && !diverges(&work->coupling, point))
        point->class_code |= COSTAB_DISCRETE_STABLE;
    return COSTAB_OK;
}

costab_status costab_network_analyse(costab_network_work *work, const costab_network *network,
                                     const costab_coupling *coupling, costab_network_point *point,
                                     costab_error *error) {
    long exponent = 0;
    neutral_rest rest;
    costab_status status = begin(work, network, coupling, point, &exponent, &rest, error);
    return status == COSTAB_OK ? finish(work, exponent, &rest, point, error) : status;
}

costab_status costab_network_classify(costab_network_work *work, const costab_network *network,
                                      const costab_coupling *coupling, uint8_t *class_code,
                                      costab_error *error) {
    long exponent = 0;
    costab_network_point point;
    neutral_rest rest;
    costab_status status = begin(work, network, coupling, &point, &exponent, &rest, error);
    if (status != COSTAB_OK) return status;
    /* Over a period the rounding is that of the product, the radius its root: no certain answer is tried. */
    bool quick = work->lanes == 1 && work->period == 1 && rest.modes == 0;
    eigen_where where = quick ? spectrum_side(work, rest.map_size, rest.map) : EIGEN_UNKNOWN;
    if (where == EIGEN_UNKNOWN)
        status = finish(work, exponent, &rest, &point, error);
    else if (where == EIGEN_INSIDE && !diverges(coupling, &point))
        point.class_code |= COSTAB_DISCRETE_STABLE;
    *class_code = point.class_code;
    return status;
}

void costab_network_matrix(const costab_network_work *work, const double **real, const double **imaginary) {
    *real = work->lanes == 1 ? work->map : work->result_real;
    *imaginary = work->lanes == 1 ? NULL : work->result_imaginary;
}

const double *costab_network_eigenvalues_real(const costab_network_work *work) {
    return work->eigen_real;
}

const double *costab_network_eigenvalues_imaginary(const costab_network_work *work) {
    return work->eigen_imaginary;
}

const double *costab_network_monolithic(const costab_network_work *work, int *states) {
    *states = work->states;
    return work->mono;
}
