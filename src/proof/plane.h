/* proof/plane.h - interpolation at products of Chebyshev points on the square [-1, 1]^2, and which of its
 * sub-cells are clear of zeros. */
#ifndef PROOF_PLANE_H
#define PROOF_PLANE_H

#include <stdbool.h>
#include <stdint.h>

/* Degrees 4, 8 and 16, whose points are nested, numbered 0 to 2; of the two directions one at most has the
 * last. At most PLANE_CELLS sub-cells are along each side. */
enum {
    PLANE_DEGREES = 3,
    PLANE_MOST = 16,
    PLANE_SIDE = PLANE_MOST + 1,
    PLANE_NODES = PLANE_SIDE * (PLANE_MOST / 2 + 1),
    PLANE_CELLS = 64,
    PLANE_GROUP = 4, /* pieces of sub-cells are looked at so many by so many first */
    PLANE_GROUPS = PLANE_CELLS / PLANE_GROUP
};

static inline int plane_degree(int k) {
    return 4 << k;
}

typedef struct plane_table {
    double points[PLANE_DEGREES][PLANE_SIDE];                 /* ascending */
    double transform[PLANE_DEGREES][PLANE_SIDE * PLANE_SIDE]; /* from values to coefficients, row-major */
} plane_table;

void plane_table_make(plane_table *table);

/* An interpolant of the degrees k[2]. */
typedef struct plane_function {
    int side[2];                      /* one more than the degree, along each direction */
    double coefficients[PLANE_NODES]; /* c_kl of T_k(x) T_l(y), l fastest */
    double tails[2]; /* the last quarter of the coefficients along each direction: their sum */
    double error;    /* its estimate: eight times both */
} plane_function;

/* From the values at the nodes, the second direction fastest. */
void plane_interpolate(const plane_table *table, const int k[2], const double *values, plane_function *f);

/* A stretch of one direction with T_k and T_k' at its middle. */
typedef struct plane_stretch {
    double middle, half;
    double value[PLANE_SIDE], slope[PLANE_SIDE];
} plane_stretch;

/* The square cut into count[0] x count[1] sub-cells, and each of these into parts[0] x parts[1] pieces. */
typedef struct plane_grid {
    int count[2], parts[2];
    plane_stretch cells[2][PLANE_CELLS], pieces[2][PLANE_CELLS], groups[2][PLANE_GROUPS];
} plane_grid;

/* Cuts at `edges` (count + 1 of them from -1 to 1, ascending) along each direction. */
void plane_grid_make(const int count[2], const double *const edges[2], plane_grid *grid);
/* The sub-cell that a place in [-1, 1] is in. */
int plane_grid_at(const plane_grid *grid, int d, double x);

/* Sub-cells: bit j of rows[i] is the one at the i-th place along the first direction and the j-th along the
 * second. */
typedef struct plane_mask {
    uint64_t rows[PLANE_CELLS];
} plane_mask;

/* Sub-cells from[d] <= i < to[d]. */
typedef struct plane_run {
    int from[2], to[2];
} plane_run;

/* Takes from `clear` the sub-cells on which |f| is not shown to exceed `error`, by centered forms of second
 * order on their pieces. */
void plane_clear(const plane_grid *grid, const plane_function *f, double error, plane_mask *clear);

/* All sub-cells of a grid; all that are not in the mask. */
void plane_mask_fill(const plane_grid *grid, plane_mask *mask);
void plane_mask_invert(const plane_grid *grid, const plane_mask *mask, plane_mask *inverted);
bool plane_mask_full(const plane_grid *grid, const plane_mask *mask);
void plane_mask_meet(const plane_mask *a, const plane_mask *b, plane_mask *both);
static inline bool plane_mask_has(const plane_mask *mask, int i, int j) {
    return (mask->rows[i] >> j & 1) != 0;
}

/* Moves one component (by common edges) of the mask to `component`; seed: one of its sub-cells, with as many
 * of the others before it as behind it. false: the mask is empty. */
bool plane_mask_component(plane_mask *mask, plane_mask *component, int seed[2]);
/* Takes one rectangle out of a mask; false: it is empty. */
bool plane_mask_rectangle(plane_mask *mask, plane_run *run);
/* The smallest rectangle that holds all of a mask that is not empty. */
void plane_mask_bounds(const plane_mask *mask, plane_run *run);

#endif
