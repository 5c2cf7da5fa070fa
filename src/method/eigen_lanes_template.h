/* Verdicts and eigenvalues of matrices in lanes.
 *
 * 1. Entries that are 0 in all lanes split the matrices into strongly connected components, by bits.
 * 2. Each is gathered and balanced (eigen_balance_template.h).
 * 3. Verdicts: powers (eigen_powers_template.h); eigenvalues: closed forms up to 2 rows, else Hessenberg
 *    form and Francis' iteration (eigen_values_template.h).
 * 4. Norms of the components, from which the slack of eigenvalues away from the limit follows.
 *
 * Lanes that do not converge are told as not known. */
#include "base/lanes_template.h"

#include "method/eigen_balance_template.h"
#include "method/eigen_powers_template.h"
#include "method/eigen_values_template.h"

/* ---- Zeros ---- */

/* Lanes whose matrix is finite and has the zeros of lane 0 of the batch. */
LANE_FUNCTION MASK LANE_NAME(regular)(int n, const double *a, const uint32_t *rows) {
    VECTOR sum = ALL(0.0);
    MASK odd = (MASK){0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const VECTOR entry = GET(a, i * n + j);
            const MASK zero = entry == ALL(0.0);
            sum += entry * 0.0;
            odd |= (rows[i] >> j & 1) != 0 ? zero : ~zero;
        }
    return (sum == ALL(0.0)) & ~odd;
}

/* ---- Balance ---- */

/* Lanes with entries of extreme size leave the living. */
LANE_INLINE MASK LANE_NAME(balance_of)(int n, double *h, MASK alive, double *rows, double *columns) {
    LANE_NAME(sum_sizes)(n, h, ALL(0.0) == ALL(0.0), rows, columns);
    alive &= ~LANE_NAME(extreme)(n, rows) & ~LANE_NAME(extreme)(n, columns);
    LANE_NAME(balance_by_sums)(n, h, alive, rows, columns, NULL);
    return alive;
}

static LANE_TARGET MASK LANE_NAME(balance)(int n, double *h, MASK alive, double *rows, double *columns) {
    if (n == 4) return LANE_NAME(balance_of)(4, h, alive, rows, columns);
    return LANE_NAME(balance_of)(n, h, alive, rows, columns);
}

/* ---- Verdicts ---- */

/* A component of the matrix in `component`, or the matrix itself. */
LANE_FUNCTION double *LANE_NAME(take_component)(int n, double *a, const eigen_lanes_components *components,
                                                const int *list, int size, double *component) {
    if (components->count == 1) return a;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) AT(component, i * size + j) = GET(a, list[i] * n + list[j]);
    return component;
}

static LANE_TARGET void LANE_NAME(side)(int n, double *a, const eigen_lanes_components *components,
                                        eigen_where *where, double *work) {
    double *component = work, *next = component + (size_t)(n * n) * LANES,
           *rows = next + (size_t)(2 * n * n) * LANES, *columns = rows + (size_t)n * LANES;
    MASK alive = LANE_NAME(regular)(n, a, components->rows), all = alive, outside = (MASK){0};
    const int *list = components->list;
    for (int p = 0; p < components->count && LANE_NAME(any)(alive); p++) {
        int size = components->sizes[p];
        LANE_NAME(powers) found;
        double *x = LANE_NAME(take_component)(n, a, components, list, size, component);
        alive = LANE_NAME(balance)(size, x, alive, rows, columns);
        if (size == 4)
            LANE_NAME(side_of_component)(4, x, next, alive, &found);
        else
            LANE_NAME(side_of_component)(size, x, next, alive, &found);
        outside |= found.outside;
        all &= found.inside;
        list += size;
    }
    outside &= alive;
    all &= alive;
    for (int l = 0; l < LANE_WIDTH; l++)
        where[l] = outside[l] != 0 ? EIGEN_OUTSIDE : all[l] != 0 ? EIGEN_INSIDE : EIGEN_UNKNOWN;
}

static LANE_TARGET void LANE_NAME(left)(int n, double *a, const eigen_lanes_components *components,
                                        bool *left, double *work) {
    double *component = work, *next = component + (size_t)(n * n) * LANES,
           *rows = next + (size_t)(2 * n * n) * LANES, *columns = rows + (size_t)n * LANES;
    MASK alive = LANE_NAME(regular)(n, a, components->rows);
    const VECTOR distance = eigen_vicinity(n) * LANE_NAME(norm_of)(n, a);
    const int *list = components->list;
    for (int p = 0; p < components->count && LANE_NAME(any)(alive); p++) {
        int size = components->sizes[p];
        double *x = LANE_NAME(take_component)(n, a, components, list, size, component);
        alive = LANE_NAME(balance)(size, x, alive, rows, columns);
        if (size == 4)
            alive = LANE_NAME(left_of_component)(4, x, next, alive, distance);
        else
            alive = LANE_NAME(left_of_component)(size, x, next, alive, distance);
        list += size;
    }
    for (int l = 0; l < LANE_WIDTH; l++) left[l] = alive[l] != 0;
}

/* ---- Eigenvalues ---- */

/* Lanes whose entries, of that norm, need no scaling before they are squared. */
LANE_FUNCTION MASK LANE_NAME(moderate)(int n, const double *h, VECTOR norm) {
    VECTOR largest = ALL(0.0);
    for (int e = 0; e < n * n; e++) largest = LANE_NAME(larger)(largest, LANE_NAME(size)(GET(h, e)));
    return (norm < ALL(EIGEN_SCALE_MOST)) & (largest > ALL(EIGEN_SCALE_LEAST));
}

LANE_FUNCTION MASK LANE_NAME(component_values)(int n, double *h, MASK alive, double *re, double *im,
                                               double *norm, double *work) {
    if (n == 1) {
        AT(re, 0) = GET(h, 0);
        AT(im, 0) = ALL(0.0);
        AT(norm, 0) = LANE_NAME(size)(GET(h, 0));
        return alive;
    }
    alive = LANE_NAME(balance)(n, h, alive, work, work + n * LANES);
    AT(norm, 0) = LANE_NAME(frobenius)(n, h);
    alive &= LANE_NAME(moderate)(n, h, GET(norm, 0));
    return LANE_NAME(find_values)(n, h, GET(norm, 0), alive, re, im, work);
}

static LANE_TARGET void LANE_NAME(values)(int n, double *a, const eigen_lanes_components *components,
                                          eigen_lanes_found *found, int group, double *work) {
    double *component = work, *inner = component + (size_t)(n * n) * LANE_STEP;
    MASK alive = LANE_NAME(regular)(n, a + group, components->rows);
    const int *list = components->list;
    int at = group;
    for (int p = 0; p < components->count && LANE_NAME(any)(alive); p++) {
        int size = components->sizes[p];
        double *x = LANE_NAME(take_component)(n, a + group, components, list, size, component);
        alive = LANE_NAME(component_values)(size, x, alive, found->re + at, found->im + at,
                                            found->norm + p * LANE_STEP + group, inner);
        at += size * LANE_STEP;
        list += size;
    }
    for (int l = 0; l < LANE_WIDTH; l++) found->known[group + l] = alive[l] != 0;
}

/* ---- What they tell ---- */

/* A bound of how far beyond the limit rounding may have moved an eigenvalue that is near it: one further out
 * decides, whatever the conditions of those near it. */
LANE_FUNCTION VECTOR LANE_NAME(outweighs_at)(int n, VECTOR norm) {
    return (3 * eigen_vicinity(n) + EIGEN_FURTHEST) * norm;
}

static LANE_TARGET void LANE_NAME(circle)(const eigen_lanes_components *components, eigen_lanes_found *found,
                                          int group) {
    MASK near = (MASK){0};
    VECTOR outweighs = ALL(0.0);
    const double *re = found->re + group, *im = found->im + group;
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        const VECTOR norm = GET(found->norm + group, p), distance = eigen_vicinity(n) * norm,
                     below = LANE_NAME(larger)(1 - distance, ALL(0.0)), low = below * below,
                     above = 1 + distance, high = above * above;
        VECTOR largest = ALL(0.0);
        for (int i = 0; i < n; i++, re += LANES, im += LANES) {
            const VECTOR square = GET(re, 0) * GET(re, 0) + GET(im, 0) * GET(im, 0);
            largest = LANE_NAME(larger)(square, largest);
            if (n > 1) near |= (square >= low) & (square <= high);
        }
        AT(found->largest_square + group, p) = largest;
        outweighs = LANE_NAME(larger)(LANE_NAME(outweighs_at)(n, norm), outweighs);
    }
    AT(found->outweighs + group, 0) = outweighs;
    for (int l = 0; l < LANE_WIDTH; l++) found->near_circle[group + l] = near[l] != 0;
}

static LANE_TARGET void LANE_NAME(axis)(int size, const double *a, const eigen_lanes_components *components,
                                        const eigen_lanes_found *found, double entry_error, int group,
                                        eigen_where *where) {
    MASK near = (MASK){0};
    VECTOR outweighs = ALL(0.0), least = ALL((double)INFINITY), furthest = -least, most = furthest,
           sure = furthest;
    const double *re = found->re + group, *im = found->im + group;
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        const VECTOR norm = GET(found->norm + group, p), distance = eigen_vicinity(n) * norm,
                     slack = (n + entry_error) * DBL_EPSILON * norm;
        VECTOR rightmost = ALL(-(double)INFINITY);
        for (int i = 0; i < n; i++, re += LANES, im += LANES) {
            const VECTOR x = GET(re, 0), y = GET(im, 0);
            least = LANE_NAME(lesser)(x * x + y * y, least);
            rightmost = LANE_NAME(larger)(x, rightmost);
            if (n > 1) near |= LANE_NAME(size)(x) <= 1.001 * distance;
        }
        furthest = LANE_NAME(larger)(rightmost, furthest);
        most = LANE_NAME(larger)(rightmost + slack, most);
        sure = LANE_NAME(larger)(rightmost - slack, sure);
        outweighs = LANE_NAME(larger)(LANE_NAME(outweighs_at)(n, norm), outweighs);
    }
    const VECTOR zero = 1.001 * eigen_vicinity(size) * LANE_NAME(norm_of)(size, a);
    const MASK known = (least > zero * zero) & (~near | (furthest > outweighs));
    const MASK left = known & (most < ALL(0.0)), right = known & (sure > ALL(0.0));
    for (int l = 0; l < LANE_WIDTH; l++)
        where[l] = left[l] != 0 ? EIGEN_INSIDE : right[l] != 0 ? EIGEN_OUTSIDE : EIGEN_UNKNOWN;
}

#include "base/lanes_end.h"
