/* proof/plane.h - interpolation at products of Chebyshev points on the square [-1, 1]^2, and which of its
 * sub-cells are clear of zeros. */
#ifndef PROOF_PLANE_H
#define PROOF_PLANE_H

#include <stdbool.h>
#include <stdint.h>

/* Degrees 4, 8 and 16, whose points are nested, numbered 0 to 2; of the two directions one at most has the
 * last. PLANE_CELLS sub-cells are along each side. */
enum {
    PLANE_DEGREES = 3,
    PLANE_MOST = 16,
    PLANE_SIDE = PLANE_MOST + 1,
    PLANE_NODES = PLANE_SIDE * (PLANE_MOST / 2 + 1),
    PLANE_CELLS = 64,
    PLANE_COARSE = 4, /* sub-cells are looked at so many by so many first */
    PLANE_LEVELS = 2
};

static inline int plane_degree(int k) {
    return 4 << k;
}

/* T_k and T_k' at one place. */
typedef struct plane_row {
    double value[PLANE_SIDE], slope[PLANE_SIDE];
} plane_row;

typedef struct plane_table {
    double points[PLANE_DEGREES][PLANE_SIDE];                 /* ascending */
    double transform[PLANE_DEGREES][PLANE_SIDE * PLANE_SIDE]; /* from values to coefficients, row-major */
    plane_row rows[PLANE_LEVELS][PLANE_CELLS]; /* at the centers of groups of sub-cells; of sub-cells */
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
 * order; `coarse`: in groups only. */
void plane_clear(const plane_table *table, const plane_function *f, double error, bool coarse,
                 plane_mask *clear);

void plane_mask_fill(plane_mask *mask);
void plane_mask_invert(const plane_mask *mask, plane_mask *inverted);
void plane_mask_meet(const plane_mask *a, const plane_mask *b, plane_mask *both);
int plane_mask_count(const plane_mask *mask);
bool plane_mask_full(const plane_mask *mask);

/* Moves one component (by common edges) of the mask to `component`; seed: one of its sub-cells, with as many
 * of the others before it as behind it. false: the mask is empty. */
bool plane_mask_component(plane_mask *mask, plane_mask *component, int seed[2]);
/* Takes one rectangle out of a mask; false: it is empty. */
bool plane_mask_rectangle(plane_mask *mask, plane_run *run);
/* The smallest rectangle that holds all of a mask that is not empty. */
void plane_mask_bounds(const plane_mask *mask, plane_run *run);
/* The sub-cell of a place in [-1, 1]. */
int plane_cell_of(double x);
static inline bool plane_mask_has(const plane_mask *mask, int i, int j) {
    return (mask->rows[i] >> j & 1) != 0;
}

/* Where sub-cell i has its center, and where it begins (i = PLANE_CELLS: where the last ends). */
static inline double plane_center(int i) {
    return (2 * i + 1) / (double)PLANE_CELLS - 1;
}
static inline double plane_edge(int i) {
    return 2 * i / (double)PLANE_CELLS - 1;
}

#endif
