/* One micro step of methods without a Butcher tableau, for the columns of (x, history, U_0, U_1, ..)
 * together.
 *
 * 1. Nystrom: the accelerations of all stages from one linear system.
 * 2. Generalized alpha: the new acceleration, a history value, from the balance at alpha_m and alpha_f.
 * 3. Backward differentiation: x+ - x from one linear system; earlier states move back by one.
 *
 * The result is the step minus I. The history values of all methods with memory are listed here as well
 * (matrix_memory, matrix_kept_at). Cost: (stages x pairs)^3, or n^3. */
#include <string.h>

#include "method/block.h"
#include "method/method.h"

/* Row of A for the acceleration of a pair. */
static double acceleration(const matrix_system *system, int pair, int state) {
    return system->A[system->velocities[pair] * system->n + state];
}

/* row += factor * (acceleration of `pair` at the input sum U_l at^l), over the columns of x and the input. */
static void add_acceleration(const matrix_system *system, const block_shape *s, int pair, double factor,
                             double at, double *row) {
    for (int j = 0; j < system->n; j++) row[j] += factor * acceleration(system, pair, j);
    for (int j = 0; j < s->m; j++) {
        double value = factor * system->B[system->velocities[pair] * s->m + j];
        for (int l = 0; l <= s->degree; l++, value *= at) row[s->rows + l * s->m + j] += value;
    }
}

static void add_row(int width, double factor, const double *from, double *to) {
    for (int j = 0; j < width; j++) to[j] += factor * from[j];
}

/* K_i = a(q + c_i h v + h^2 sum A_bar K, v + h sum A K, u(c_i)). */
static bool nystrom_step(const costab_method *method, const matrix_system *system, const block_shape *s,
                         double h, double ratio, double *step, double *work, int *pivots) {
    int stages = method->stages, pairs = system->pairs, total = stages * pairs;
    double *matrix = work, *k = work + (size_t)total * (size_t)total;
    memset(k, 0, (size_t)total * (size_t)s->width * sizeof *k);
    for (int i = 0; i < stages; i++)
        for (int r = 0; r < pairs; r++) {
            double *row = k + (i * pairs + r) * s->width;
            add_acceleration(system, s, r, 1, method->c[i] * ratio, row);
            for (int p = 0; p < pairs; p++) {
                double to_position = acceleration(system, r, system->positions[p]);
                double to_velocity = acceleration(system, r, system->velocities[p]);
                row[system->velocities[p]] += method->c[i] * h * to_position;
                for (int j = 0; j < stages; j++)
                    matrix[(i * pairs + r) * total + j * pairs + p] =
                        (i == j && r == p) - h * h * method->A_bar[i][j] * to_position -
                        h * method->A[i][j] * to_velocity;
            }
        }
    if (!matrix_factor(total, matrix, pivots)) return false;
    matrix_solve(total, matrix, pivots, s->width, k);
    memset(step, 0, s->size * sizeof *step);
    for (int p = 0; p < pairs; p++) {
        double *position = step + system->positions[p] * s->width;
        double *velocity = step + system->velocities[p] * s->width;
        position[system->velocities[p]] = h;
        for (int i = 0; i < stages; i++) {
            const double *row = k + (i * pairs + p) * s->width;
            add_row(s->width, h * h * method->b_bar[i], row, position);
            add_row(s->width, h * method->b[i], row, velocity);
        }
    }
    return true;
}

/* The new acceleration a1 from (1 - am) a1 + am a0 = a((1 - af) q1 + af q, (1 - af) v1 + af v, u(1 - af)). */
static bool generalized_alpha_step(const costab_method *method, const matrix_system *system,
                                   const block_shape *s, double h, double ratio, double *step, double *work,
                                   int *pivots) {
    int pairs = system->pairs, n = system->n;
    double share = 1 - method->alpha_f, *matrix = work, *a1 = work + pairs * pairs;
    memset(a1, 0, (size_t)pairs * (size_t)s->width * sizeof *a1);
    for (int r = 0; r < pairs; r++) {
        double *row = a1 + r * s->width;
        add_acceleration(system, s, r, 1, share * ratio, row);
        row[n + r] -= method->alpha_m;
        for (int p = 0; p < pairs; p++) {
            double to_position = acceleration(system, r, system->positions[p]);
            double to_velocity = acceleration(system, r, system->velocities[p]);
            row[system->velocities[p]] += share * h * to_position;
            row[n + p] +=
                share * h * (h * (0.5 - method->beta) * to_position + (1 - method->gamma) * to_velocity);
            matrix[r * pairs + p] =
                (r == p ? 1 - method->alpha_m : 0) -
                share * h * (h * method->beta * to_position + method->gamma * to_velocity);
        }
    }
    if (!matrix_factor(pairs, matrix, pivots)) return false;
    matrix_solve(pairs, matrix, pivots, s->width, a1);
    memset(step, 0, s->size * sizeof *step);
    for (int p = 0; p < pairs; p++) {
        const double *row = a1 + p * s->width;
        double *position = step + system->positions[p] * s->width;
        double *velocity = step + system->velocities[p] * s->width, *history = step + (n + p) * s->width;
        position[system->velocities[p]] = h;
        position[n + p] = h * h * (0.5 - method->beta);
        velocity[n + p] = h * (1 - method->gamma);
        history[n + p] = -1;
        add_row(s->width, h * h * method->beta, row, position);
        add_row(s->width, h * method->gamma, row, velocity);
        add_row(s->width, 1, row, history);
    }
    return true;
}

/* With all terms divided by divisor: x+ - x = (I - slope hA)^-1 [(weights - I) (x, x_1, ..) + slope hA x +
 * slope hB u1]. Each earlier state becomes its successor. */
static bool backward_step(const costab_method *method, const matrix_system *system, const block_shape *s,
                          double h, double ratio, double *step, double *work, int *pivots) {
    int n = system->n, former = method->former;
    double *matrix = work, share = method->slope * h / method->divisor;
    memset(step, 0, s->size * sizeof *step);
    for (int i = 0; i < n; i++) {
        double *row = step + i * s->width;
        for (int j = 0; j < n; j++) {
            row[j] = share * system->A[i * n + j];
            matrix[i * n + j] = (i == j) - row[j];
        }
        row[i] += (double)(method->weights[0] - method->divisor) / method->divisor;
        for (int k = 1; k <= former; k++) {
            double *earlier = step + (k * n + i) * s->width;
            row[k * n + i] = (double)method->weights[k] / method->divisor;
            earlier[(k - 1) * n + i] = 1;
            earlier[k * n + i] = -1;
        }
        for (int j = 0; j < s->m; j++) {
            double value = share * system->B[i * s->m + j];
            for (int l = 0; l <= s->degree; l++, value *= ratio) row[s->rows + l * s->m + j] = value;
        }
    }
    if (!matrix_factor(n, matrix, pivots)) return false;
    matrix_solve(n, matrix, pivots, s->width, step);
    return true;
}

bool block_structured_step(const costab_method *method, const matrix_system *system, const block_shape *shape,
                           double h, double ratio, double *step, double *work, int *iwork) {
    switch (method->kind) {
    case COSTAB_NYSTROM:
        return nystrom_step(method, system, shape, h, ratio, step, work, iwork);
    case COSTAB_GENERALIZED_ALPHA:
        return generalized_alpha_step(method, system, shape, h, ratio, step, work, iwork);
    case COSTAB_BDF:
        return backward_step(method, system, shape, h, ratio, step, work, iwork);
    case COSTAB_RUNGE_KUTTA:
    case COSTAB_EXACT:
    case COSTAB_SAMPLED:
    case COSTAB_DISCRETE: /* in block.c; the compiler warns of a missing kind */
        break;
    }
    return false;
}

int matrix_memory(const costab_method *method, const matrix_system *system) {
    return method->kind == COSTAB_GENERALIZED_ALPHA ? system->pairs : method->former * system->n;
}

matrix_kept matrix_kept_at(const costab_method *method, const matrix_system *system, int k) {
    if (method->kind == COSTAB_GENERALIZED_ALPHA)
        return (matrix_kept){.state = system->velocities[k], .slope = true};
    return (matrix_kept){.state = k % system->n, .back = 1 + k / system->n};
}

/* Number of unknowns in the step's equations. */
int block_structured_iwork(const costab_method *method, const matrix_system *system) {
    int each = costab_method_paired(method) ? system->pairs : system->n;
    return method->stages > 0 ? method->stages * each : each;
}

size_t block_structured_work(const costab_method *method, const matrix_system *system, int width) {
    size_t unknowns = (size_t)block_structured_iwork(method, system);
    return unknowns * (unknowns + (size_t)width);
}
