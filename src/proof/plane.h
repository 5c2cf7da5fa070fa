/* proof/plane.h - interpolation at products of Chebyshev points on the square [-1, 1]^2, and which of its
 * sub-cells are clear of zeros. */
#ifndef PROOF_PLANE_H
#define PROOF_PLANE_H

#include <stdbool.h>
#include <stdint.h>

/* Degrees 4, 8 and 16 in each direction, whose points are nested; and so many sub-cells along each. */
enum {
    PLANE_DEGREES = 3,
    PLANE_MOST = 16,
    PLANE_NODES = (PLANE_MOST + 1) * (PLANE_MOST + 1),
    PLANE_CELLS = 16
};

static inline int plane_degree(int k) {
    return 4 << k;
}

typedef struct plane_table {
    double points[PLANE_DEGREES][PLANE_MOST + 1]; /* ascending */
    double transform[PLANE_DEGREES][PLANE_NODES]; /* from values to coefficients, row-major */
    double value[PLANE_MOST + 1][PLANE_CELLS];    /* T_k at the centers of the sub-cells */
    double slope[PLANE_MOST + 1][PLANE_CELLS];    /* T_k' there */
} plane_table;

void plane_table_make(plane_table *table);

/* The coefficients c_kl of T_k(x) T_l(y) from the values at the nodes; both with the second direction
 * fastest. */
void plane_coefficients(const plane_table *table, int k, const double *values, double *coefficients);

/* The estimate of the interpolant's error: eight times the last quarter of the coefficients in each
 * direction. tails: the sums of each direction. */
double plane_error(int k, const double *coefficients, double tails[2]);

/* Sub-cells: bit j of rows[i] is the one at the i-th place along the first direction and the j-th along the
 * second. */
typedef struct plane_mask {
    uint16_t rows[PLANE_CELLS];
} plane_mask;

/* Sub-cells from[d] <= i < to[d]. */
typedef struct plane_run {
    int from[2], to[2];
} plane_run;

/* Takes from `clear` the sub-cells on which |p| is not shown to exceed `error`: by centered forms of second
 * order. */
void plane_clear(const plane_table *table, int k, const double *coefficients, double error,
                 plane_mask *clear);

void plane_mask_fill(plane_mask *mask);
void plane_mask_invert(const plane_mask *mask, plane_mask *inverted);
void plane_mask_meet(const plane_mask *a, const plane_mask *b, plane_mask *both);
int plane_mask_count(const plane_mask *mask);

/* Moves one component (by common edges) of the mask to `component`; seed: one of its sub-cells, with as many
 * of the others before it as behind it. false: the mask is empty. */
bool plane_mask_component(plane_mask *mask, plane_mask *component, int seed[2]);
/* Takes one rectangle out of a mask; false: it is empty. */
bool plane_mask_rectangle(plane_mask *mask, plane_run *run);
/* The smallest rectangle that holds all of a mask that is not empty. */
void plane_mask_bounds(const plane_mask *mask, plane_run *run);

/* Where sub-cell i has its center, and where it begins (i = PLANE_CELLS: where the last ends). */
static inline double plane_center(int i) {
    return (2 * i + 1) / (double)PLANE_CELLS - 1;
}
static inline double plane_edge(int i) {
    return 2 * i / (double)PLANE_CELLS - 1;
}

#endif
