/* Stability radius of a map M: the minimum over |z| = 1 of the least singular value s(z) of z I - M (S. Boyd,
 * V. Balakrishnan 1990; N. A. Bruinsma, M. Steinbuch 1990).
 * 1. The first level is the least s at the angles of M's eigenvalues.
 * 2. Crossings: z I - M has the level as a singular value at the unit eigenvalues of the pencil [M, level I;
 *    0, I] - z [I, 0; level I, M'].
 * 3. Next level: between two such angles s stays on one side of the level. The least s at these angles and at
 *    their midpoints is the next level. The loop ends if the level stops falling.
 * 4. Refinement: golden section around the best angle.
 * Cost: about 25 (2n)^3 per level, few levels; singular values of a matrix of 2n rows at two angles per
 * crossing, and at SECTIONS angles. Limitation: eigenvalues of the pencil within ON_CIRCLE of the circle
 * count as on it; one that rounding moves further away is missed. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "method/golden.h"

/* Largest distance from the circle of the pencil's unit eigenvalues. A spurious one costs an evaluation, a
 * missed one may cost the minimum. */
#define ON_CIRCLE 1e-4
/* The loop ends if the level falls by less than this share. */
#define LOWERED 1e-13
enum { LEVELS_MAX = 60, SECTIONS = 62 };

typedef struct levels {
    int n;
    double *map;     /* by columns or rows: singular values are equal */
    double *shifted; /* z I - M as a real matrix, 2n x 2n */
    double *values, *rest;
    double *pencil[2], *re, *im, *divisor;
    double *angles; /* angles of the crossings, ascending, with 0 and pi */
    int angle_count;
    double best, turn; /* least value so far, and its angle */
    bool failed;
} levels;

/* Returns s(z), the least singular value of the real matrix with [re, -im; im, re] for each entry of z I - M,
 * which has each singular value twice. zgesvd is unsafe: the complex matrix-vector product of OpenBLAS 0.3.21
 * reads beyond the matrix. */
static double least_at(levels *l, double angle) {
    int n = l->n, size = 2 * n;
    memset(l->shifted, 0, (size_t)(size * size) * sizeof *l->shifted);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double *entry = l->shifted + 2 * (j * size + i), real = -l->map[j * n + i];
            if (i == j) real += cos(angle);
            entry[0] = entry[size + 1] = real;
            if (i != j) continue;
            entry[1] = sin(angle);
            entry[size] = -sin(angle);
        }
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', size, size, l->shifted, size, l->values, NULL, 1, NULL, 1,
                       l->rest) != 0) {
        l->failed = true;
        return (double)INFINITY;
    }
    return l->values[size - 1];
}

/* Evaluates s at an angle and keeps the minimum. */
static void try_angle(levels *l, double angle) {
    double value = least_at(l, angle);
    if (!(value < l->best)) return;
    l->best = value;
    l->turn = angle;
}

static void add_angle(levels *l, double angle) {
    int at = l->angle_count++;
    for (; at > 0 && l->angles[at - 1] > angle; at--) l->angles[at] = l->angles[at - 1];
    l->angles[at] = angle;
}

/* Finds the crossings of a level at angles from 0 to pi. */
static bool find_crossings(levels *l, double level) {
    int n = l->n, size = 2 * n;
    memset(l->pencil[0], 0, (size_t)(size * size) * sizeof *l->pencil[0]);
    memset(l->pencil[1], 0, (size_t)(size * size) * sizeof *l->pencil[1]);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            l->pencil[0][j * size + i] = l->map[j * n + i];
            l->pencil[1][(n + j) * size + n + i] = l->map[i * n + j];
        }
        l->pencil[0][(n + j) * size + j] = level;
        l->pencil[0][(n + j) * size + n + j] = 1;
        l->pencil[1][j * size + j] = 1;
        l->pencil[1][j * size + n + j] = level;
    }
    if (LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', size, l->pencil[0], size, l->pencil[1], size, l->re, l->im,
                      l->divisor, NULL, 1, NULL, 1) != 0)
        return false;
    l->angle_count = 0;
    add_angle(l, 0);
    add_angle(l, acos(-1));
    for (int i = 0; i < size; i++)
        if (fabs(hypot(l->re[i], l->im[i]) - fabs(l->divisor[i])) <= ON_CIRCLE * fabs(l->divisor[i]) &&
            l->divisor[i] != 0)
            add_angle(l, fabs(atan2(l->im[i], l->re[i] * (l->divisor[i] < 0 ? -1 : 1))));
    return true;
}

/* Lowers the level to the minimum and refines it. */
static void find_least(levels *l) {
    for (int level = 0; level < LEVELS_MAX && !l->failed && l->best > 0; level++) {
        double before = l->best;
        if (!find_crossings(l, before)) {
            l->failed = true;
            return;
        }
        for (int i = 0; i < l->angle_count; i++) {
            try_angle(l, l->angles[i]);
            if (i > 0) try_angle(l, (l->angles[i - 1] + l->angles[i]) / 2);
        }
        if (!(l->best < before * (1 - LOWERED))) break;
    }
    /* The argument of a flat minimum is known to the root of rounding only; its value is more accurate. */
    double low = fmax(0, l->turn - 1e-4), high = fmin(acos(-1), l->turn + 1e-4), turn;
    golden section = golden_start(low, high);
    for (int i = 0; i < SECTIONS && golden_next(&section, &turn); i++)
        golden_set_value(&section, -least_at(l, turn));
    double value = -golden_largest(&section, &turn);
    if (!(value < l->best)) return;
    l->best = value;
    l->turn = turn;
}

/* Finds the first level. *stable: all eigenvalues are inside the circle. Returns false if LAPACK failed. */
static bool start(levels *l, bool *stable) {
    int n = l->n;
    memcpy(l->pencil[0], l->map, (size_t)(n * n) * sizeof *l->map);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, l->pencil[0], n, l->re, l->im, NULL, 1, NULL, 1) != 0)
        return false;
    *stable = true;
    for (int i = 0; i < n; i++) *stable = *stable && hypot(l->re[i], l->im[i]) < 1;
    for (int i = 0; i < n && *stable; i++)
        if (l->im[i] >= 0) try_angle(l, atan2(l->im[i], l->re[i]));
    return !l->failed;
}

static bool make_workspace(levels *l) {
    size_t n = (size_t)l->n + 1;
    l->map = memory_alloc(n * n, sizeof *l->map);
    l->shifted = memory_alloc(4 * n * n, sizeof *l->shifted);
    l->values = memory_alloc(2 * n, sizeof *l->values);
    l->rest = memory_alloc(2 * n, sizeof *l->rest);
    l->re = memory_alloc(2 * n, sizeof *l->re);
    l->im = memory_alloc(2 * n, sizeof *l->im);
    l->divisor = memory_alloc(2 * n, sizeof *l->divisor);
    l->angles = memory_alloc(2 * n + 2, sizeof *l->angles);
    for (int k = 0; k < 2; k++) l->pencil[k] = memory_alloc(4 * n * n, sizeof *l->pencil[k]);
    return l->map && l->shifted && l->values && l->rest && l->re && l->im && l->divisor && l->angles &&
           l->pencil[0] && l->pencil[1];
}

static void free_workspace(levels *l) {
    memory_free_all(l->map, l->shifted, l->values, l->rest, l->re, l->im, l->divisor, l->angles, l->pencil[0],
                    l->pencil[1]);
}

costab_status stability_radius(int size, const double *map, bool scaled, double *radius, double *turn,
                               costab_error *error) {
    ends_by(free_workspace) levels l = {.n = size, .best = (double)INFINITY, .turn = (double)NAN};
    int low, high;
    bool stable = true;
    *radius = size > 0 ? 0 : (double)INFINITY;
    *turn = (double)NAN;
    if (size <= 0) return COSTAB_OK;
    if (!make_workspace(&l)) return error_memory(error);
    memcpy(l.map, map, (size_t)size * (size_t)size * sizeof *map);
    bool balanced =
        !scaled || LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', size, l.map, size, &low, &high, l.values) == 0;
    bool started = balanced && start(&l, &stable);
    if (started && stable) find_least(&l);
    if (!started || l.failed)
        return error_set(error, COSTAB_NUMERIC, "the stability radius of the map was not found");
    if (!stable) return COSTAB_OK;
    *radius = l.best;
    *turn = l.turn;
    return COSTAB_OK;
}
