/* planar/row.h - the stability conditions along a row, which decide both single points (point.c) and stable
 * intervals (row.c). */
#pragma once

#include <math.h>

#include "costab/planar.h"
#include "planar/simulation_map.h"

/* A row (a, Gamma) of a co-simulation scheme. With s = a phi_a + d phi_d, e = phi_a phi_d, w = ad - Delta and
 *
 *     cross  g = 0,                          q = 0
 *     zigzag g = phi_a P1_d,                 q = 0
 *     strong g = P1_a phi_d + phi_a P1_d,    q = P1_a P1_d
 *
 * all three schemes have, with K = 1 - w q,
 *
 *     K (Tr D - 2)          = s + w g
 *     K (1 - Tr D + Det D)  = Delta e
 *     K (1 - Det D)         = -(s + w g) - Delta e
 *     K (1 + Tr D + Det D)  = 4 K + 2 (s + w g) + Delta e,
 *
 * each linear in Delta: value = x0 + x1 Delta. R = 1 + z phi was used to take out the ones, so that nothing
 * cancels near z = 0; e - g and 4q - 2g + e are computed from P0 and P1 without that difference. */
typedef struct planar_row {
    bool finite; /* no coefficient overflowed */
    bool iterated;
    double trace0, trace1; /* K (Tr D - 2) */
    double fold1;          /* K (1 - Tr D + Det D) */
    double det0, det1;     /* K (1 - Det D) */
    double flip0, flip1;   /* K (1 + Tr D + Det D) */
    double product;        /* ad */
    double contraction;    /* q */
} planar_row;

planar_row planar_row_make(const costab_planar_slice *slice, double gamma);

/* K at one point of the row. */
static inline double planar_divisor(const planar_row *row, double delta) {
    return row->contraction != 0 ? 1 - (row->product - delta) * row->contraction : 1;
}

static inline double planar_trace(const planar_row *row, double delta) {
    return 2 + (row->trace0 + row->trace1 * delta) / planar_divisor(row, delta);
}

static inline double planar_determinant(const planar_row *row, double delta) {
    return 1 - (row->det0 + row->det1 * delta) / planar_divisor(row, delta);
}

/* The spectral radius of a real 2 x 2 matrix. */
static inline double planar_radius(double trace, double determinant) {
    double half = 0.5 * trace, square = half * half - determinant;
    double root = sqrt(square < 0 ? determinant : square);
    return square < 0 ? root : fabs(half) + root;
}

/* A co-simulation scheme at one point of a row. */
costab_planar_point planar_cosimulation_point(const planar_row *row, double gamma, double delta);

/* Sets up the simulation's real stability set. */
void planar_simulation_init(costab_planar *planar);

/* The simulation along one row: the polynomial in v = y^2 whose sign tells whether the complex pair x +- iy
 * is stable. */
typedef struct planar_simulation_line {
    const costab_planar *planar;
    double gamma;
    double growth[COSTAB_STAGES_MAX + 1];
} planar_simulation_line;

planar_simulation_line planar_simulation_at(const costab_planar *planar, double gamma);
costab_planar_point planar_simulation_point(const planar_simulation_line *line, const map_row *map,
                                            double delta);
/* The conditions that fail there, without the other quantities. */
uint8_t planar_simulation_cause(const planar_simulation_line *line, double delta);

#define PLANAR_CHECKS_MAX (2 * (2 * COSTAB_STAGES_MAX + 2))

/* The simulation's stable intervals; [out] checks (PLANAR_CHECKS_MAX places): pairs, the first and the last
 * Delta of each zone in which rounding decides (at the discriminant, around the ends, and where Det D turns
 * close to 1); *check_count: their number, two per zone. */
int planar_simulation_row(const costab_planar *planar, double gamma, costab_interval *pieces, double *checks,
                          int *check_count);

/* The stable intervals of one row, and what decides the classes of points near their ends. */
typedef struct planar_pieces {
    int count, check_count;
    costab_interval piece[COSTAB_ROW_PIECES_MAX];
    double checks[PLANAR_CHECKS_MAX];
    planar_row row; /* of a co-simulation scheme */
} planar_pieces;

/* Finds them. */
void planar_row_find(const costab_planar_slice *slice, double gamma, planar_pieces *pieces);

/* An ascending list of Delta, searched with a guess as if it were equally spaced. */
typedef struct planar_grid {
    size_t n;
    const double *delta; /* borrowed */
    double per_unit;     /* steps per unit of Delta, on average */
    size_t positive;     /* index of the first Delta > 0 */
} planar_grid;

planar_grid planar_grid_of(size_t n, const double *delta);

/* The classes of a row from its intervals. (Callers may keep the intervals of the simulation, which do not
 * depend on a.) */
void planar_fill_row(const costab_planar_slice *slice, double gamma, const planar_pieces *pieces,
                     const planar_grid *grid, uint8_t *class_code);

/* Real solutions z of R(z) = value (1 or -1) of one micro step, z = 0 left out. Returns their number. */
int planar_real_solutions(const costab_method *method, int value, double *roots);

/* The simulation of one micro step at half trace x: the v = Delta - x^2, positive or negative, at which Det
 * D1 = value (1 or -1). Returns their number, at most the method's stages. */
int planar_determinant_roots(const costab_planar *planar, double x, int value, double *roots);

/* The class code of a point from the causes of its map. */
static inline uint8_t planar_class(double gamma, double delta, unsigned cause) {
    return (uint8_t)((gamma < 0 && delta > 0 ? 2 : 0) + (cause == 0 ? 1 : 0));
}
