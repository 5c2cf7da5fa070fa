/* proof/chebyshev_2d.h - interpolation at products of Chebyshev points on the square [-1, 1]^2, and which of
 * its sub-cells are clear of zeros. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Degrees 4, 8 and 16, whose points are nested, numbered 0 to 2; of the two directions one at most has the
 * last. At most CHEBYSHEV_2D_CELLS sub-cells are along each side. */
enum {
    CHEBYSHEV_2D_DEGREES = 3,
    CHEBYSHEV_2D_MOST = 16,
    CHEBYSHEV_2D_SIDE = CHEBYSHEV_2D_MOST + 1,
    CHEBYSHEV_2D_NODES = CHEBYSHEV_2D_SIDE * (CHEBYSHEV_2D_MOST / 2 + 1),
    CHEBYSHEV_2D_CELLS = 64,
    CHEBYSHEV_2D_GROUP = 4, /* pieces of sub-cells are tested in groups of 4 x 4 first */
    CHEBYSHEV_2D_GROUPS = CHEBYSHEV_2D_CELLS / CHEBYSHEV_2D_GROUP
};

static inline int chebyshev_2d_degree(int k) {
    return 4 << k;
}

typedef struct chebyshev_2d_table {
    double points[CHEBYSHEV_2D_DEGREES][CHEBYSHEV_2D_SIDE]; /* ascending */
    double transform[CHEBYSHEV_2D_DEGREES]
                    [CHEBYSHEV_2D_SIDE * CHEBYSHEV_2D_SIDE]; /* from values to coefficients, row-major */
} chebyshev_2d_table;

void chebyshev_2d_table_make(chebyshev_2d_table *table);

/* An interpolant of the degrees k[2]. */
typedef struct chebyshev_2d_function {
    int side[2];                             /* one more than the degree, along each direction */
    double coefficients[CHEBYSHEV_2D_NODES]; /* c_kl of T_k(x) T_l(y), l fastest */
    double tails[2]; /* the last quarter of the coefficients along each direction: their sum */
    double error;    /* its estimate: eight times both */
} chebyshev_2d_function;

/* From the values at the nodes, the second direction fastest. */
void chebyshev_2d_interpolate(const chebyshev_2d_table *table, const int k[2], const double *values,
                              chebyshev_2d_function *f);

/* An interval of one direction with T_k and T_k' at its middle. */
typedef struct chebyshev_2d_interval {
    double middle, half;
    double value[CHEBYSHEV_2D_SIDE], slope[CHEBYSHEV_2D_SIDE];
} chebyshev_2d_interval;

/* The square cut into count[0] x count[1] sub-cells, and each of these into parts[0] x parts[1] pieces. */
typedef struct chebyshev_2d_grid {
    int count[2], parts[2];
    chebyshev_2d_interval cells[2][CHEBYSHEV_2D_CELLS], pieces[2][CHEBYSHEV_2D_CELLS],
        groups[2][CHEBYSHEV_2D_GROUPS];
} chebyshev_2d_grid;

/* Cuts at `edges` (count + 1 of them from -1 to 1, ascending) along each direction. */
void chebyshev_2d_grid_make(const int count[2], const double *const edges[2], chebyshev_2d_grid *grid);
/* The sub-cell that a place in [-1, 1] is in. */
int chebyshev_2d_grid_at(const chebyshev_2d_grid *grid, int d, double x);

/* Sub-cells: bit j of rows[i] is the one at the i-th place along the first direction and the j-th along the
 * second. */
typedef struct chebyshev_2d_mask {
    uint64_t rows[CHEBYSHEV_2D_CELLS];
} chebyshev_2d_mask;

/* Sub-cells from[d] <= i < to[d]. */
typedef struct chebyshev_2d_rectangle {
    int from[2], to[2];
} chebyshev_2d_rectangle;

/* Takes from `clear` the sub-cells on which |f| is not shown to exceed `error`, by centered forms of second
 * order on their pieces. */
void chebyshev_2d_clear(const chebyshev_2d_grid *grid, const chebyshev_2d_function *f, double error,
                        chebyshev_2d_mask *clear);

/* All sub-cells of a grid; all that are not in the mask. */
void chebyshev_2d_mask_fill(const chebyshev_2d_grid *grid, chebyshev_2d_mask *mask);
void chebyshev_2d_mask_invert(const chebyshev_2d_grid *grid, const chebyshev_2d_mask *mask,
                              chebyshev_2d_mask *inverted);
bool chebyshev_2d_mask_full(const chebyshev_2d_grid *grid, const chebyshev_2d_mask *mask);
void chebyshev_2d_mask_meet(const chebyshev_2d_mask *a, const chebyshev_2d_mask *b, chebyshev_2d_mask *both);
static inline bool chebyshev_2d_mask_has(const chebyshev_2d_mask *mask, int i, int j) {
    return (mask->rows[i] >> j & 1) != 0;
}

/* Moves one connected component (of sub-cells with common edges) of the mask to `component`; [out] seed: the
 * middle one of its sub-cells in the order of rows. false: the mask is empty. */
bool chebyshev_2d_mask_component(chebyshev_2d_mask *mask, chebyshev_2d_mask *component, int seed[2]);
/* Takes one rectangle out of a mask; false: it is empty. */
bool chebyshev_2d_mask_rectangle(chebyshev_2d_mask *mask, chebyshev_2d_rectangle *run);
/* The smallest rectangle that holds all of a mask that is not empty. */
void chebyshev_2d_mask_bounds(const chebyshev_2d_mask *mask, chebyshev_2d_rectangle *run);
