/* Margins of a connection: how far its gain factor f can be from 1 before an eigenvalue of the map is on the
 * unit circle. Computes the radius of complex factors and the disk margin (P. Seiler, A. Packard, P. Gahinet,
 * An introduction to disk margins, IEEE Control Systems Magazine 40, 2020). A macro step with all its
 * unknowns is a pencil z E - F(f), affine in the factor f = 1 + d. With the map M, the Jacobian J of the
 * coupling iteration, and the loop gain D L of feedthrough and connections, p(d) = det(z I - M) det(I - J)
 * det(I - D L) is a polynomial in d for each z, and p(d)/p(0) is the product of 1 - d g over its roots d =
 * 1/g. The factors f = 1 + 1/g put an eigenvalue on z.
 * 1. Nodes: computes the eigenvalues of M, J and D L at 17 Chebyshev nodes of -s <= d <= s and at d = 0, for
 *    a scale s.
 * 2. Angle of z: computes p(d)/p(0) at the nodes as products over eigenvalues, its Chebyshev coefficients,
 *    and the coefficients of powers of d/s. The s g are the eigenvalues of the companion matrix. Rounding
 *    limits the roots d to |d| <= s: beyond, negligible coefficients matter.
 * 3. Circle: maximises |g| and |g + 1/2| over 361 equidistant angles from 0 to pi and denser ones around each
 *    eigenvalue. Golden section refines every peak of at least 0.7 of the largest. The reciprocals are the
 *    radius and the disk margin.
 * 4. Scale: starts with s = 1, and repeats with a larger s until the maximum belongs to a root |d| <= s.
 * Cost: 18 eigenvalue problems of the map, and for both maxima one problem of at most 12 rows for each of 361
 * + 20 n angles (n eigenvalues of the map) and 62 angles per refined peak; all of it for each scale.
 * Limitation: may miss the highest peak. Results are NaN if p has a degree above 12 for some z, or if the
 * root is beyond SCALE_MAX. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "method/eigen.h"
#include "method/golden.h"

enum { NODES = 17, DEGREE_MAX = 12, GRID = 360, SECTIONS = 62 };

/* Coefficients below this share of the largest count as 0. If the degree is too high, coefficients below the
 * error of p(d)/p(0) also count as 0: ROUNDING over the distance of z from the nearest eigenvalue. */
#define CHOP     1e-10
#define ROUNDING 1e-13

/* Largest scale, and the smallest and largest ratio of successive scales. */
#define SCALE_MAX  1024.0
#define GROWTH_MIN 2.0
#define GROWTH_MAX 8.0

/* A set of eigenvalues. */
typedef struct values {
    int count;
    double *re, *im;
} values;

/* The eigenvalues of the map at one factor. */
typedef struct node {
    double d;
    values map;
    double complex factors; /* det(I - J) det(I - D L), for the matrices in the map */
} node;

typedef struct loop_search {
    const costab_family *factor;
    double scale;
    node nodes[NODES + 1];        /* Chebyshev nodes of -scale <= d <= scale, then d = 0 */
    double cosines[NODES][NODES]; /* T_j at node k */
    int size;                     /* largest number of eigenvalues */
    bool known;                   /* all eigenvalues were found, and all degrees are at most DEGREE_MAX */
    double offset;                /* offset added to g: 0 for the radius, 1/2 for the disk margin */
    double *work;                 /* workspace of eigen_values for up to `capacity` - 1 rows */
    int *iwork;
    size_t capacity;
} loop_search;

/* ---- Nodes ---- */

/* Computes the eigenvalues of an n x n matrix. Clears s->known if they are unknown: the matrix is not finite,
 * or LAPACK fails. [out] found->re: allocated for re and im, also after an error. */
static costab_status find_eigenvalues(loop_search *s, int n, const double *matrix, values *found,
                                      costab_error *error) {
    size_t capacity = (size_t)n + 1;
    found->count = n;
    TRY(memory_make(&found->re, 2 * capacity, error));
    found->im = found->re + capacity;
    if (capacity > s->capacity) {
        memory_free_all(s->work, s->iwork);
        s->work = memory_alloc(eigen_work(n) + 1, sizeof *s->work);
        s->iwork = memory_alloc(eigen_iwork(n) + 1, sizeof *s->iwork);
        s->capacity = capacity;
        if (s->work == NULL || s->iwork == NULL) return error_memory(error);
    }
    double sum = 0;
    for (size_t e = 0; e < (size_t)n * (size_t)n; e++) sum += 0 * matrix[e];
    if (sum != 0 || (n > 0 && !eigen_values(n, matrix, found->re, found->im, s->work, s->iwork)))
        s->known = false;
    return COSTAB_OK;
}

/* Multiplies by det(I - matrix). */
static costab_status multiply_factors(loop_search *s, const costab_matrix *matrix, double complex *factors,
                                      costab_error *error) {
    values found = {.count = 0};
    costab_status status = find_eigenvalues(s, matrix->size, matrix->entries, &found, error);
    for (int i = 0; i < found.count && !status && s->known; i++)
        *factors *= 1 - (found.re[i] + found.im[i] * I);
    memory_free(found.re);
    return status;
}

/* Computes the eigenvalues at one node. */
static costab_status fill_node(loop_search *s, node *at, costab_error *error) {
    costab_family_point point;
    costab_error why;
    memory_free(at->map.re);
    at->map = (values){.count = 0};
    at->factors = 1;
    costab_status status = s->factor->at(s->factor->context, 1 + at->d, COSTAB_FAMILY_MAP, &point, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status || point.map.imaginary != NULL) {
        s->known = false;
        return COSTAB_OK;
    }
    TRY(find_eigenvalues(s, point.map.size, point.map.entries, &at->map, error));
    if (point.guesses.size > 0) TRY(multiply_factors(s, &point.guesses, &at->factors, error));
    if (point.loop_in_map && point.loop.size > 0) TRY(multiply_factors(s, &point.loop, &at->factors, error));
    if (at->map.count > s->size) s->size = at->map.count;
    return COSTAB_OK;
}

/* Computes the eigenvalues at the nodes of a scale. */
static costab_status fill_nodes(loop_search *s, double scale, costab_error *error) {
    s->scale = scale;
    for (int k = 0; k < NODES && s->known; k++) {
        s->nodes[k].d = scale * s->cosines[1][k];
        TRY(fill_node(s, &s->nodes[k], error));
    }
    return COSTAB_OK;
}

/* Returns p(d)/p(0) at z. Missing eigenvalues of a smaller map belong to removed structural modes and are
 * 1. */
static double complex ratio_at(const loop_search *s, const node *at, double complex z) {
    const node *middle = &s->nodes[NODES];
    double complex ratio = at->factors / middle->factors;
    for (int i = 0; i < s->size; i++) {
        double complex above = i < at->map.count ? at->map.re[i] + at->map.im[i] * I : 1;
        double complex below = i < middle->map.count ? middle->map.re[i] + middle->map.im[i] * I : 1;
        ratio *= (z - above) / (z - below);
    }
    return ratio;
}

/* ---- The g of one z ---- */

/* Computes the coefficients, in powers of d/s, of the polynomial through samples at the nodes. Chebyshev
 * coefficients up to the share `chop` of the largest count as 0. Returns the degree; -1 above DEGREE_MAX. */
static int find_powers(const loop_search *s, const double complex samples[NODES], double chop,
                       double complex powers[DEGREE_MAX + 1]) {
    double complex c[NODES], T[2][DEGREE_MAX + 1] = {{1}, {0, 1}};
    double most = 0;
    int degree = -1;
    for (int j = 0; j < NODES; j++) {
        c[j] = 0;
        for (int k = 0; k < NODES; k++) c[j] += samples[k] * s->cosines[j][k] * (j > 0 ? 2.0 : 1.0) / NODES;
        most = fmax(most, cabs(c[j]));
    }
    for (int j = 0; j < NODES; j++)
        if (cabs(c[j]) > chop * most) degree = j;
    if (!isfinite(most) || degree > DEGREE_MAX) return -1;
    memset(powers, 0, (DEGREE_MAX + 1) * sizeof *powers);
    for (int j = 0; j <= degree; j++) {
        double complex *now = T[j % 2], *before = T[(j + 1) % 2];
        for (int k = j; k >= 0; k--) {
            if (j > 1) now[k] = (k > 0 ? 2 * before[k - 1] : 0) - (k < j - 1 ? now[k] : 0);
            powers[k] += c[j] * now[k];
        }
    }
    return degree;
}

/* Returns the distance of z from the nearest eigenvalue of the map at d = 0. */
static double nearest_eigenvalue(const loop_search *s, double complex z) {
    const values *map = &s->nodes[NODES].map;
    double nearest = (double)INFINITY;
    for (int i = 0; i < map->count; i++) nearest = fmin(nearest, cabs(z - (map->re[i] + map->im[i] * I)));
    return nearest;
}

/* Returns -max |g + offset| at an angle, over the g found and g = 0. If the g are unknown, clears s->known
 * and returns 1. */
static double negative_size_at(loop_search *s, double angle) {
    double complex z = cos(angle) + sin(angle) * I, samples[NODES], powers[DEGREE_MAX + 1], found[DEGREE_MAX];
    double complex companion[DEGREE_MAX * DEGREE_MAX] = {0}, work[2 * DEGREE_MAX];
    double real[2 * DEGREE_MAX];
    for (int k = 0; k < NODES; k++) samples[k] = ratio_at(s, &s->nodes[k], z);
    int n = find_powers(s, samples, CHOP, powers);
    if (n < 0) n = find_powers(s, samples, fmax(CHOP, ROUNDING / nearest_eigenvalue(s, z)), powers);
    if (n < 0) {
        s->known = false;
        return 1;
    }
    /* The s g are the zeros of x^n + a_1 x^(n-1) + ... for the polynomial 1 + a_1 d/s + ... */
    for (int i = 0; i < n; i++) {
        companion[i * n] = -powers[i + 1] / powers[0];
        if (i + 1 < n) companion[i * n + i + 1] = 1;
    }
    if (n > 0 && LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, companion, n, found, NULL, 1, NULL, 1,
                                    work, 2 * n, real) != 0) {
        s->known = false;
        return 1;
    }
    double most = s->offset;
    for (int i = 0; i < n; i++) most = fmax(most, cabs(found[i] / s->scale + s->offset));
    return -most;
}

/* ---- The maximum over the circle ---- */

/* Lists angles from 0 to pi: equidistant ones, and denser ones around every eigenvalue. */
static size_t list_angles(const loop_search *s, double *angles) {
    static const double out[] = {0, 0.1, 0.3, 0.6, 1, 1.5, 2.5, 5, 10, 20};
    const values *map = &s->nodes[NODES].map;
    size_t count = 0;
    for (int i = 0; i <= GRID; i++) angles[count++] = acos(-1) * i / GRID;
    for (int i = 0; i < map->count; i++) {
        double at = atan2(map->im[i], map->re[i]), width = fmax(1 - hypot(map->re[i], map->im[i]), 1e-9);
        for (size_t k = 0; k < sizeof out / sizeof *out && at >= 0; k++)
            for (int side = -1; side <= 1; side += 2) {
                double angle = at + side * width * out[k];
                if (angle > 0 && angle < acos(-1)) angles[count++] = angle;
            }
    }
    number_sort(angles, count);
    return count;
}

/* Returns the largest |g + offset| at any angle; -1 if the g are unknown at some angle. angles, found:
 * `count` numbers each; found is workspace. [out] turn: angle of the maximum, NaN if it is unknown. */
static double find_largest(loop_search *s, const double *angles, double *found, size_t count, double *turn) {
    double best = 1;
    *turn = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        found[i] = negative_size_at(s, angles[i]);
        if (found[i] < best) {
            best = found[i];
            *turn = angles[i];
        }
    }
    double sampled = best;
    for (size_t i = 0; i < count && best < 0; i++) {
        bool peak = (i == 0 || found[i] <= found[i - 1]) && (i + 1 == count || found[i] <= found[i + 1]);
        if (!peak || found[i] > 0.7 * sampled) continue;
        golden section = golden_start(angles[i > 0 ? i - 1 : i], angles[i + 1 < count ? i + 1 : i]);
        double at;
        for (int k = 0; k < SECTIONS && golden_next(&section, &at); k++)
            golden_set_value(&section, -negative_size_at(s, at));
        double value = -golden_largest(&section, &at);
        if (value < best) {
            best = value;
            *turn = at;
        }
    }
    if (s->known) return -best;
    *turn = (double)NAN;
    return -1;
}

/* Finds 1 / max |g + offset| over the circle. The scale grows until the maximum belongs to a root |d| <=
 * scale: roots beyond have |g + offset| < 1/scale + offset. If no g was found up to SCALE_MAX, the maximum is
 * `offset`. [out] above: the last scale without such a root; unchanged if the first scale fails. */
static costab_status search_circle(loop_search *s, double offset, double *margin, double *turn, double *above,
                                   costab_error *error) {
    size_t capacity = GRID + 1 + 20 * ((size_t)s->size + 1), count;
    memory_local_array(double, angles, 2 * capacity, error);
    s->offset = offset;
    count = list_angles(s, angles);
    while (s->known) {
        double most = find_largest(s, angles, angles + capacity, count, turn);
        double growth = 1.25 / (s->scale * (most - offset));
        bool ends = s->scale == SCALE_MAX;
        if (s->known && (growth <= 1.25 || (ends && most == offset))) {
            *margin = 1 / most;
            return COSTAB_OK;
        }
        if (s->known) *above = s->scale;
        if (ends) break;
        if (s->known)
            TRY(fill_nodes(s, fmin(SCALE_MAX, s->scale * fmin(fmax(growth, GROWTH_MIN), GROWTH_MAX)), error));
    }
    *turn = (double)NAN;
    return COSTAB_OK;
}

/* Fills *loop, for a stable map at d = 0. */
static costab_status search_loop(loop_search *s, costab_loop *loop, costab_error *error) {
    const values *middle = &s->nodes[NODES].map;
    TRY(fill_node(s, &s->nodes[NODES], error));
    for (int i = 0; i < middle->count; i++)
        if (!(hypot(middle->re[i], middle->im[i]) < 1)) return COSTAB_OK;
    TRY(fill_nodes(s, 1, error));
    TRY(search_circle(s, 0, &loop->radius, &loop->radius_turn, &loop->above, error));
    return search_circle(s, 0.5, &loop->disk, &loop->disk_turn, &loop->above, error);
}

costab_status loop_find(const costab_family *factor, costab_loop *loop, costab_error *error) {
    loop_search s = {.factor = factor, .known = true};
    *loop = (costab_loop){(double)NAN, (double)NAN, (double)NAN, (double)NAN, 0};
    for (int j = 0; j < NODES; j++)
        for (int k = 0; k < NODES; k++) s.cosines[j][k] = cos(j * (2 * k + 1) * acos(-1) / (2 * NODES));
    costab_status status = search_loop(&s, loop, error);
    for (int k = 0; k <= NODES; k++) memory_free(s.nodes[k].map.re);
    memory_free_all(s.work, s.iwork);
    return status;
}
