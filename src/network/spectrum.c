/* Eigenvalues and how far they can be trusted near the limit, and the monolithic system. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define lapack_complex_double double complex
#define lapack_complex_float  float complex
#include <lapacke.h>

#include "base/error.h"
#include "network/spectrum.h"

static bool all_finite(size_t count, const double *values) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += 0 * values[i];
    return sum == 0;
}

static costab_status not_found(costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the eigenvalues were not found: the iteration did not converge");
}

costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error) {
    *radius = 0;
    *abscissa = -(double)INFINITY;
    if (n == 0) return COSTAB_OK;
    if (!all_finite((size_t)n * (size_t)n, matrix)) {
        *radius = *abscissa = (double)INFINITY;
        for (int i = 0; i < n; i++) work->eigen_real[i] = work->eigen_imaginary[i] = (double)NAN;
        return COSTAB_OK;
    }
    if (!eigen_values(n, matrix, work->eigen_real, work->eigen_imaginary, work->eigen_work,
                      work->eigen_iwork))
        return not_found(error);
    for (int i = 0; i < n; i++) {
        double modulus = hypot(work->eigen_real[i], work->eigen_imaginary[i]);
        if (modulus > *radius) *radius = modulus;
        if (work->eigen_real[i] > *abscissa) *abscissa = work->eigen_real[i];
    }
    return COSTAB_OK;
}

costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error) {
    size_t count = (size_t)n * (size_t)n;
    *radius = (double)INFINITY;
    if (!all_finite(count, re) || !all_finite(count, im)) {
        for (int i = 0; i < n; i++) work->eigen_real[i] = work->eigen_imaginary[i] = (double)NAN;
        return COSTAB_OK;
    }
    /* LAPACK's complex numbers are pairs of doubles. */
    double *matrix = work->eigen_complex, *values = matrix + 2 * count, *inner = values + 2 * n,
           *real = inner + 2 * 34 * n;
    for (size_t e = 0; e < count; e++) {
        matrix[2 * e] = re[e];
        matrix[2 * e + 1] = im[e];
    }
    if (LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, (lapack_complex_double *)matrix, n,
                           (lapack_complex_double *)values, NULL, 1, NULL, 1, (lapack_complex_double *)inner,
                           34 * n, real) != 0)
        return not_found(error);
    *radius = 0;
    for (int i = 0; i < n; i++) {
        work->eigen_real[i] = values[2 * i];
        work->eigen_imaginary[i] = values[2 * i + 1];
        *radius = fmax(*radius, hypot(values[2 * i], values[2 * i + 1]));
    }
    return COSTAB_OK;
}

void spectrum_real_form(int n, int lanes, const double *rows, double *matrix) {
    int size = lanes * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = rows[i * size + j];
            matrix[i * size + j] = re;
            if (lanes == 1) continue;
            double im = rows[i * size + n + j];
            matrix[(n + i) * size + n + j] = re;
            matrix[i * size + n + j] = -im;
            matrix[(n + i) * size + j] = im;
        }
}

/* ---- Doubt
 * -------------------------------------------------------------------------------------------------- */

/* Eigenvalues nearer to the limit than this times the norm are looked at: rounding moves one of a Jordan
 * block of four rows so far. */
static double vicinity(int n) {
    return sqrt(sqrt(n * DBL_EPSILON));
}

/* How far eigenvalue re + i im is from the limit, and the place of the limit next to it. */
static double next_place(spectrum_limit limit, double re, double im, double *x, double *y) {
    double modulus = hypot(re, im);
    bool circle = limit == SPECTRUM_CIRCLE;
    *x = circle ? re / modulus : 0;
    *y = circle ? im / modulus : im;
    return circle ? 1 - modulus : -re;
}

static double doubt_of_part(const costab_network_work *work, int values, const eigen_part *part,
                            spectrum_limit limit, double distance, double loss) {
    double near = vicinity(part->n) * part->norm, most = 0, x, y;
    double *inner = work->eigen_work;
    for (int i = 0; i < values; i++) {
        double re = work->eigen_real[i], im = fabs(work->eigen_imaginary[i]);
        bool again = i > 0 && re == work->eigen_real[i - 1] && im == fabs(work->eigen_imaginary[i - 1]);
        if (again || next_place(limit, re, im, &x, &y) > near) continue;
        most = fmax(most, eigen_resolvent(part, x, y, inner, work->eigen_iwork));
        if (im == 0 || im > near) continue; /* perhaps two real ones that rounding has paired */
        next_place(limit, re, 0, &x, &y);
        most = fmax(most, eigen_resolvent(part, x, y, inner, work->eigen_iwork));
    }
    double condition = distance * most;
    return ((1 + loss * (condition - 1)) / 2 - 1) * part->n * DBL_EPSILON * part->norm;
}

double spectrum_doubt(const costab_network_work *work, int values, int n, const double *matrix,
                      spectrum_limit limit, double distance, double loss) {
    double doubt = 0;
    if (!(distance > 0) || distance > vicinity(n) * matrix_norm((size_t)n * (size_t)n, matrix)) return 0;
    eigen_part part;
    for (int next = 0; eigen_next_part(n, matrix, &next, &part, work->eigen_work, work->eigen_iwork);)
        if (part.n > 1) doubt = fmax(doubt, doubt_of_part(work, values, &part, limit, distance, loss));
    return fmin(doubt, 2 * distance);
}

eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix) {
    size_t count = (size_t)n * (size_t)n;
    if (!all_finite(count, matrix)) return EIGEN_UNKNOWN;
    double near = 1.01 * vicinity(n) * matrix_norm(count, matrix);
    return eigen_side(n, matrix, 1 - near, work->eigen_work, work->eigen_iwork);
}

/* ---- The monolithic system
 * ----------------------------------------------------------------------------------- */

/* (I - L D) W = L C, then A + B W. Delays are no part of the continuous system. */
costab_status monolithic_make(costab_network_work *work, costab_error *error) {
    const costab_network *network = work->network;
    int nx = work->states, nu = work->inputs;
    bool feedthrough = false;
    double *loop = work->mono_loop, *rows = work->mono_rows;
    memset(loop, 0, (size_t)nu * (size_t)nu * sizeof *loop);
    memset(rows, 0, (size_t)nu * (size_t)nx * sizeof *rows);
    for (int i = 0; i < nu; i++) loop[i * nu + i] = 1;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[connection->from];
        const network_part *source = &work->parts[connection->from];
        int row = work->parts[connection->to].u + connection->input;
        for (int j = 0; j < source->n; j++)
            rows[row * nx + source->x + j] += connection->gain * from->C[connection->output * source->n + j];
        if (from->D == NULL) continue;
        feedthrough = true;
        for (int j = 0; j < source->m; j++)
            loop[row * nu + source->u + j] -= connection->gain * from->D[connection->output * source->m + j];
    }
    work->mono_feedthrough = feedthrough;
    if (feedthrough) {
        double norm = matrix_norm_rows(nu, loop);
        if (!matrix_factor(nu, loop, work->mono_pivots) ||
            !(matrix_condition(nu, loop, norm, work->condition_work, work->condition_iwork) >
              nu * DBL_EPSILON))
            return error_set(
                error, COSTAB_INVALID,
                "the network is not well posed: I - L D is singular, a loop of feedthrough subsystems has "
                "no solution; change a gain or an entry of D in that loop");
        matrix_solve(nu, loop, work->mono_pivots, nx, rows);
    }
    memset(work->mono, 0, (size_t)nx * (size_t)nx * sizeof *work->mono);
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < part->n; i++)
            for (int j = 0; j < part->n; j++)
                work->mono[(part->x + i) * nx + part->x + j] = subsystem->A[i * part->n + j];
        matrix_multiply_add(part->n, part->m, nx, subsystem->B, rows + part->u * nx,
                            work->mono + part->x * nx);
    }
    return COSTAB_OK;
}
