/* The solution of x' = A x + B v, q = C x + D v, v_j(t) = q_j(t - T_j) (dead_history.h) by the method of
 * steps.
 *
 * 1. Pieces end at sums of dead times, at which derivatives of low order jump, and are no longer than the
 *    shortest dead time: v is then known on the whole piece.
 * 2. On a piece x is the polynomial of degree DEGREE through Chebyshev points that satisfies the equation at
 *    all points but the first. The matrix of these equations is factored once per length.
 * 3. A piece is halved until the last Chebyshev coefficients of x and q are below TAIL.
 *
 * Cost: (DEGREE n)^2 per piece, and (DEGREE n)^3 per length of a piece. Limitation: sums of more than four
 * dead times do not end pieces. The jumps there are of the sixth derivative, of a lower derivative through
 * feedthrough; pieces are halved around them. */
#include "network/dead_history.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/chebyshev.h"
#include "method/matrix.h"

enum { DEGREE = 24, POINTS = DEGREE + 1, LENGTHS = 8, SUMMANDS = 4, HALVINGS = 40, PIECES_MOST = 4000000 };
/* Largest last coefficients, relative to the largest value so far. */
#define TAIL 1e-13

/* Interval of a piece, in seconds. */
typedef struct piece {
    double begin, length;
} piece;

struct dead_history {
    int n, k, inputs;
    double *A, *B, *C, *D, *times, *U, *q0; /* copies of dead_time_system; q before 0 */
    double points[POINTS];                  /* on -1..1 */
    chebyshev_table table;
    double slopes[POINTS * POINTS]; /* derivative matrix on 0..1 */
    double *x;                      /* states at the end of the last piece */
    double *present;                /* POINTS x n: states of the last piece */
    piece *pieces;
    double *values;                                        /* per piece POINTS x k: q, ascending in time */
    size_t count, pieces_capacity, values_capacity, first; /* first: piece that the oldest lookup needs */
    long made;                                             /* pieces so far */
    double lengths[LENGTHS];                               /* factored; 0: none */
    double *factors;                                       /* per length (DEGREE n)^2 */
    int *pivots;
    int next_length;
    double *right, *delayed; /* workspace: DEGREE n; POINTS x k */
    double step, scale;      /* next length to try; largest value so far */
};

void dead_history_free(dead_history *h) {
    if (h == NULL) return;
    memory_free_all(h->A, h->pieces, h->values, h->factors, h->pivots, h);
}

/* ---- Start ---- */

/* q before 0: q = C x + D q. */
static costab_status find_before(dead_history *h, costab_error *error) {
    int k = h->k;
    memory_local_array(double, matrix, cells(k, k) + 1, error);
    memory_local_array(int, pivots, (size_t)k + 1, error);
    for (int e = 0; e < k * k; e++) matrix[e] = (e % (k + 1) == 0) - h->D[e];
    matrix_multiply(k, h->n, 1, h->C, h->x, h->q0);
    if (!matrix_factor(k, matrix, pivots))
        return error_set(error, COSTAB_NUMERIC, "the initial outputs have no solution");
    matrix_solve(k, matrix, pivots, 1, h->q0);
    return COSTAB_OK;
}

costab_status dead_history_make(dead_history **made, costab_network_work *work, const double *z,
                                costab_error *error) {
    dead_time_system system;
    TRY(dead_time_make(work, &system, error));
    dead_history *h;
    TRY(memory_make(made, 1, error));
    h = *made;
    int n = h->n = system.n, k = h->k = system.k, u = h->inputs = work->inputs;
    const size_t sizes[] = {cells(n, n), cells(n, k), cells(k, n), cells(k, k), (size_t)k, cells(u, n + k)};
    const double *const from[] = {system.A, system.B, system.C, system.D, system.times, system.inputs};
    double **const to[] = {&h->A, &h->B, &h->C, &h->D, &h->times, &h->U};
    size_t all = (size_t)k + (size_t)n + cells(POINTS, n) + cells(DEGREE, n) + cells(POINTS, k);
    for (int i = 0; i < 6; i++) all += sizes[i];
    TRY(memory_make(&h->A, all + 1, error));
    double *next = h->A;
    for (int i = 0; i < 6; i++) {
        *to[i] = next;
        if (sizes[i] > 0) memcpy(next, from[i], sizes[i] * sizeof *next);
        next += sizes[i];
    }
    h->q0 = next;
    h->x = h->q0 + k;
    h->present = h->x + n;
    h->right = h->present + cells(POINTS, n);
    h->delayed = h->right + cells(DEGREE, n);
    size_t rows = cells(DEGREE, n);
    TRY(memory_make(&h->factors, LENGTHS * rows * rows + 1, error));
    TRY(memory_make(&h->pivots, LENGTHS * rows + 1, error));
    chebyshev_points(DEGREE, h->points);
    chebyshev_table_make(&h->table);
    for (int e = 0; e < POINTS * POINTS; e++)
        h->slopes[e] = 2 * chebyshev_derivative(DEGREE, e / POINTS, e % POINTS);
    h->step = (double)INFINITY;
    for (int i = 0; i < n; i++) h->scale = fmax(h->scale, fabs(h->x[i] = z[i]));
    return find_before(h, error);
}

/* ---- Values ---- */

/* [out] found: the first `columns` columns of POINTS x width numbers at s in 0..1. */
static void interpolate(const dead_history *h, const double *values, int width, int columns, double s,
                        double *found) {
    double shares[POINTS];
    chebyshev_shares(DEGREE, h->points, 2 * s - 1, shares);
    for (int column = 0; column < columns; column++) {
        found[column] = 0;
        for (int i = 0; i < POINTS; i++) found[column] += shares[i] * values[i * width + column];
    }
}

/* q_j at time t. */
static double output_at(const dead_history *h, int j, double t) {
    size_t low = h->first, high = h->count;
    if (t <= 0 || h->count == 0) return h->q0[j];
    while (high - low > 1) { /* the last piece that begins at or before t */
        size_t middle = low + (high - low) / 2;
        *(h->pieces[middle].begin <= t ? &low : &high) = middle;
    }
    const piece *of = &h->pieces[low];
    double s = fmin(fmax((t - of->begin) / of->length, 0), 1), value;
    interpolate(h, h->values + low * cells(POINTS, h->k) + j, h->k, 1, s, &value);
    return value;
}

static double end_of(const dead_history *h) {
    return h->count > 0 ? h->pieces[h->count - 1].begin + h->pieces[h->count - 1].length : 0;
}

/* ---- A piece ---- */

/* Factors the equations of a piece of this length; returns the position of the factors, -1 if singular. */
static int factor(dead_history *h, double length) {
    int n = h->n, rows = DEGREE * n;
    for (int i = 0; i < LENGTHS; i++)
        if (h->lengths[i] == length) return i;
    int at = h->next_length;
    h->next_length = (at + 1) % LENGTHS;
    h->lengths[at] = length;
    double *matrix = h->factors + (size_t)at * cells(rows, rows);
    memset(matrix, 0, cells(rows, rows) * sizeof *matrix);
    for (int i = 0; i < DEGREE; i++)
        for (int a = 0; a < n; a++) {
            double *row = matrix + cells(i * n + a, rows);
            for (int j = 0; j < DEGREE; j++) row[j * n + a] += h->slopes[(i + 1) * POINTS + j + 1];
            for (int b = 0; b < n; b++) row[i * n + b] -= length * h->A[a * n + b];
        }
    if (matrix_factor(rows, matrix, h->pivots + at * rows)) return at;
    h->lengths[at] = 0;
    return -1;
}

/* Next sum of dead times after t. */
static double next_sum(const dead_history *h, double t, double sum, int summands) {
    double least = (double)INFINITY;
    for (int j = 0; j < h->k && summands > 0; j++) {
        double with = sum + h->times[j];
        least = fmin(least, with > t * (1 + 1e-12) ? with : next_sum(h, t, with, summands - 1));
    }
    return least;
}

/* Largest of the last Chebyshev coefficients of POINTS x width numbers. */
static double tail_of(const dead_history *h, const double *values, int width) {
    double most = 0, of_column[POINTS], coefficients[POINTS];
    for (int column = 0; column < width; column++) {
        for (int i = 0; i < POINTS; i++) of_column[i] = values[i * width + column];
        chebyshev_coefficients(&h->table, DEGREE, of_column, coefficients);
        for (int l = DEGREE - 2; l <= DEGREE; l++) most = fmax(most, fabs(coefficients[l]));
    }
    return most;
}

/* Solves one piece; q goes to `values`. Returns the largest last coefficient, relative; infinite if it
 * fails. */
static double solve(dead_history *h, double begin, double length, double *values) {
    int n = h->n, k = h->k, at = n > 0 ? factor(h, length) : 0;
    double scale = h->scale;
    if (at < 0) return (double)INFINITY;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < k; j++)
            h->delayed[i * k + j] = output_at(h, j, begin + (h->points[i] + 1) / 2 * length - h->times[j]);
    for (int i = 0; i < DEGREE; i++) {
        double *right = h->right + i * n;
        matrix_multiply(n, k, 1, h->B, h->delayed + (i + 1) * k, right);
        for (int a = 0; a < n; a++) right[a] = length * right[a] - h->slopes[(i + 1) * POINTS] * h->x[a];
    }
    if (n > 0)
        matrix_solve(DEGREE * n, h->factors + (size_t)at * cells(DEGREE * n, DEGREE * n),
                     h->pivots + at * DEGREE * n, 1, h->right);
    memcpy(h->present, h->x, (size_t)n * sizeof *h->x);
    memcpy(h->present + n, h->right, cells(DEGREE, n) * sizeof *h->right);
    for (int i = 0; i < POINTS; i++) {
        matrix_multiply(k, n, 1, h->C, h->present + i * n, values + i * k);
        matrix_multiply_add(k, k, 1, h->D, h->delayed + i * k, values + i * k);
    }
    for (int e = 0; e < POINTS * n; e++) scale = fmax(scale, fabs(h->present[e]));
    if (!matrix_finite(cells(POINTS, n), h->present) || !matrix_finite(cells(POINTS, k), values))
        return (double)INFINITY;
    double most = scale;
    for (int e = 0; e < POINTS * k; e++) most = fmax(most, fabs(values[e]));
    return scale > 0 || most > 0
               ? fmax(tail_of(h, h->present, n) / fmax(scale, 1e-300), tail_of(h, values, k) / most)
               : 0;
}

static costab_status refuse(costab_error *error, double t) {
    return error_set(
        error, COSTAB_NUMERIC,
        "the solution with dead time could not be continued at t = %g: it overflows, or changes too "
        "fast for the dead times",
        t);
}

/* Drops pieces that no dead time reaches. */
static void drop_old(dead_history *h, double begin) {
    double longest = 0;
    for (int j = 0; j < h->k; j++) longest = fmax(longest, h->times[j]);
    while (h->first + 1 < h->count && h->pieces[h->first + 1].begin <= begin - longest) h->first++;
    if (h->first < 1024 || h->first < h->count / 2) return;
    size_t left = h->count - h->first;
    memmove(h->pieces, h->pieces + h->first, left * sizeof *h->pieces);
    memmove(h->values, h->values + h->first * cells(POINTS, h->k),
            left * cells(POINTS, h->k) * sizeof *h->values);
    h->count = left;
    h->first = 0;
}

static costab_status add_piece(dead_history *h, costab_error *error) {
    double begin = end_of(h), stop = next_sum(h, begin, 0, SUMMANDS), most = (double)INFINITY;
    for (int j = 0; j < h->k; j++) most = fmin(most, h->times[j]);
    if (++h->made > PIECES_MOST) return refuse(error, begin);
    drop_old(h, begin);
    TRY(memory_reserve(&h->pieces, &h->pieces_capacity, h->count + 1, error));
    TRY(memory_reserve(&h->values, &h->values_capacity, (h->count + 1) * cells(POINTS, h->k), error));
    double *values = h->values + h->count * cells(POINTS, h->k);
    double length = fmin(most, h->step);
    if (stop - begin < length * (1 + 1e-9)) length = stop - begin;
    for (int halved = 0;; halved++, length /= 2) {
        if (halved > HALVINGS) return refuse(error, begin);
        if (solve(h, begin, length, values) <= TAIL) break;
    }
    h->step = 2 * length;
    for (int e = 0; e < POINTS * h->n; e++) h->scale = fmax(h->scale, fabs(h->present[e]));
    memcpy(h->x, h->present + cells(DEGREE, h->n), (size_t)h->n * sizeof *h->x);
    h->pieces[h->count++] = (piece){begin, length};
    return COSTAB_OK;
}

costab_status dead_history_to(dead_history *h, double t, double *z, double *u, costab_error *error) {
    int n = h->n, k = h->k;
    while (end_of(h) < t || h->count == 0) TRY(add_piece(h, error));
    const piece *last = &h->pieces[h->count - 1];
    double s = fmin(fmax((t - last->begin) / last->length, 0), 1);
    interpolate(h, h->present, n, n, s, z);
    for (int j = 0; j < k; j++) h->delayed[j] = output_at(h, j, t - h->times[j]);
    for (int i = 0; i < h->inputs; i++) {
        const double *row = h->U + cells(i, n + k);
        u[i] = 0;
        for (int j = 0; j < n; j++) u[i] += row[j] * z[j];
        for (int j = 0; j < k; j++) u[i] += row[n + j] * h->delayed[j];
    }
    return COSTAB_OK;
}
