/* planar/row.h - the stability conditions along a row; they determine single points and stable intervals
 * (row.c). */
#pragma once

#include <float.h>
#include <math.h>

#include "costab/planar.h"

/* A row (a, Gamma) of a co-simulation scheme. phi, P0 and P1 are the weights of a macro step
 * (costab/method.h) of the subsystems a and d. With
 *
 *     s = a phi_a + d phi_d,  e = phi_a phi_d,  w = bc = ad - Delta,
 *
 *     cross  g = 0,                          q = 0
 *     zigzag g = phi_a P1_d,                 q = 0
 *     strong g = P1_a phi_d + phi_a P1_d,    q = P1_a P1_d
 *
 * all three schemes satisfy, with K = 1 - w q,
 *
 *     K (Tr D - 2)          = s + w g
 *     K (1 - Tr D + Det D)  = Delta e
 *     K (1 - Det D)         = -(s + w g) - Delta e
 *     K (1 + Tr D + Det D)  = 4 K + 2 (s + w g) + Delta e,
 *
 * each linear in Delta: value = x0 + x1 Delta. Substituting R = 1 + z phi removes the ones, so nothing
 * cancels near z = 0; e - g and 4q - 2g + e are computed from P0 and P1 directly.
 *
 * Trace, determinant and radii are NaN if rounding may leave fewer than 11 correct digits: after
 * cancellation, and close to double eigenvalues. area/planar_points.c computes such points in ball
 * arithmetic. */
typedef struct planar_row {
    bool finite;   /* no coefficient overflowed */
    bool doubtful; /* g lost digits: strong with |a| far above |Gamma|; area/planar_points.c recomputes it */
    bool iterated; /* scheme strong: the iteration must converge as well */
    double trace0, trace1; /* K (Tr D - 2) */
    double fold1;          /* K (1 - Tr D + Det D) */
    double det0, det1;     /* K (1 - Det D) */
    double flip0, flip1;   /* K (1 + Tr D + Det D) */
    double product;        /* ad */
    double contraction;    /* q */
    /* Sums of magnitudes of the terms of trace0, trace1 and det1. */
    double trace0_size, trace1_size, det1_size;
} planar_row;

planar_row planar_row_make(const costab_planar_slice *slice, double gamma);

/* K at one point of the row. */
static inline double planar_divisor(const planar_row *row, double delta) {
    return row->contraction != 0 ? 1 - (row->product - delta) * row->contraction : 1;
}

/* Returns value, or NaN if cancellation may cost more than 10 bits, or after overflow. size: sum of the
 * magnitudes of its terms. All NaN are the same constant: the sign of a computed NaN depends on the compiler
 * and must not reach files. */
static inline double planar_trusted(double value, double size) {
    return fabs(value) >= 0x1p-10 * size && fabs(value) < (double)INFINITY ? value : (double)NAN;
}

/* Sum of the magnitudes of the terms of K. */
static inline double planar_divisor_size(const planar_row *row, double delta) {
    return 1 + (fabs(row->product) + fabs(delta)) * fabs(row->contraction);
}

/* Returns 1 + n / K or 2 + n / K. n_size, K_size: sums of the magnitudes of the terms of n and K. */
static inline double planar_quotient(double whole, double n, double n_size, double K, double K_size) {
    double quotient = n / K;
    return planar_trusted(whole + quotient, whole + n_size / fabs(K) + fabs(quotient) * (K_size / fabs(K)));
}

static inline double planar_trace(const planar_row *row, double delta) {
    return planar_quotient(2, row->trace0 + row->trace1 * delta,
                           row->trace0_size + row->trace1_size * fabs(delta), planar_divisor(row, delta),
                           planar_divisor_size(row, delta));
}

static inline double planar_determinant(const planar_row *row, double delta) {
    return planar_quotient(1, -(row->det0 + row->det1 * delta),
                           row->trace0_size + row->det1_size * fabs(delta), planar_divisor(row, delta),
                           planar_divisor_size(row, delta));
}

/* A condition whose value is at most this share of its size (the sum of the magnitudes of its terms) is an
 * equality within rounding, and violated: symmetric methods have Det D = 1 for every Delta at Gamma = 0. */
#define PLANAR_TIE (16 * DBL_EPSILON)

/* Return the sizes of the conditions det and flip, size[0] + size[1] |Delta|. */
static inline void planar_det_size(const planar_row *row, double size[2]) {
    size[0] = row->trace0_size;
    size[1] = row->det1_size;
}
static inline void planar_flip_size(const planar_row *row, double size[2]) {
    size[0] = 4 + 4 * fabs(row->product * row->contraction) + 2 * row->trace0_size;
    size[1] = 2 * row->det1_size;
}

/* Spectral radius. With n = K (Tr D - 2) the eigenvalues are 1 + (n +- 2 sqrt X) / 2K, X = n^2/4 - K Delta e.
 * X < 0 gives a pair of modulus sqrt(Det D). */
static inline double planar_radius(const planar_row *row, double delta) {
    double n = row->trace0 + row->trace1 * delta, n_size = row->trace0_size + row->trace1_size * fabs(delta);
    double K = planar_divisor(row, delta), K_size = planar_divisor_size(row, delta),
           fold = row->fold1 * delta;
    double X = 0.25 * n * n - K * fold, X_size = 0.5 * fabs(n) * n_size + (fabs(K) + K_size) * fabs(fold);
    double half = fabs(1 + 0.5 * n / K), root = sqrt(fabs(X)) / fabs(K);
    double half_size = 1 + 0.5 * n_size / fabs(K) + 0.5 * fabs(n / K) * (K_size / fabs(K));
    /* an error X_size of X changes its root by X_size / 2 sqrt(X) */
    double root_size = X_size / (fabs(K) * sqrt(fabs(X))) + root * (K_size / fabs(K));
    double real = planar_trusted(half + root, half_size + root_size);
    double pair = sqrt(planar_determinant(row, delta));
    double radius = X < 0 ? pair : real;
    return fabs(X) >= 0x1p-44 * X_size ? radius : (double)NAN; /* sign of X is certain */
}

/* Spectral radius of the iteration matrix, sqrt |w q|. */
static inline double planar_iteration_radius(const planar_row *row, double delta) {
    double coupling = row->product - delta;
    return planar_trusted(sqrt(fabs(coupling * row->contraction)),
                          sqrt(fabs(row->contraction) * (fabs(row->product) + fabs(delta))));
}

/* A co-simulation scheme at one point of a row. */
costab_planar_point planar_cosimulation_point(const planar_row *row, double gamma, double delta);

/* Computes the simulation's real stability set. */
void planar_simulation_init(costab_planar *planar);

/* The simulation along one row: the polynomial in v = y^2 whose sign decides stability of a complex pair x +-
 * iy. */
typedef struct planar_simulation_line {
    const costab_planar *planar;
    double gamma;
    double growth[COSTAB_STAGES_MAX + 1];
} planar_simulation_line;

planar_simulation_line planar_simulation_at(const costab_planar *planar, double gamma);
costab_planar_point planar_simulation_point(const planar_simulation_line *line, double delta);
/* Analyses a point of any scheme. */
costab_planar_point planar_point(const costab_planar_slice *slice, double gamma, double delta);
/* Returns the violated conditions of the simulation, without other quantities. */
uint8_t planar_simulation_cause(const planar_simulation_line *line, double delta);

#define PLANAR_CHECKS_MAX (2 * (2 * COSTAB_STAGES_MAX + 2 + 2 * COSTAB_ROW_PIECES_MAX))

/* Finds the simulation's stable intervals. [out] checks (PLANAR_CHECKS_MAX places): first and last Delta of
 * each zone in which rounding may decide: at the discriminant, around the ends, and near extrema of Det D
 * close to 1. *check_count: two per zone. */
int planar_simulation_row(const costab_planar *planar, double gamma, costab_interval *pieces, double *checks,
                          int *check_count);

/* Stable intervals of one row, and data to decide points near their ends. */
typedef struct planar_pieces {
    int count, check_count;
    costab_interval piece[COSTAB_ROW_PIECES_MAX];
    double checks[PLANAR_CHECKS_MAX];
    planar_row row; /* of co-simulation schemes */
} planar_pieces;

/* Finds the stable intervals. [in] row: of co-simulation schemes, otherwise NULL. */
void planar_row_find(const costab_planar_slice *slice, const planar_row *row, double gamma,
                     planar_pieces *pieces);

/* Computes the requested fields along a row; NaN if digits are uncertain. [in] row: as above. */
void planar_field_row(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                      const double *delta, const costab_planar_fields *fields);
/* Like planar_field_row, for the simulation (eigenvalues.c). [in] delta: ascending. */
void planar_eigenvalue_fields(const costab_planar *planar, double gamma, size_t n, const double *delta,
                              double *trace, double *determinant, double *radius);

/* Ascending list of Delta. Searches start at the position for equal spacing. */
typedef struct planar_grid {
    size_t n;
    const double *delta; /* borrowed */
    double per_unit;     /* average number of steps per unit of Delta */
    size_t positive;     /* index of the first Delta > 0 */
} planar_grid;

planar_grid planar_grid_of(size_t n, const double *delta);

/* Fills the classes of a row from its intervals. The intervals of the simulation do not depend on a, so
 * callers may reuse them. */
void planar_fill_row(const costab_planar_slice *slice, double gamma, const planar_pieces *pieces,
                     const planar_grid *grid, uint8_t *class_code);

/* Finds the real solutions z != 0 of R(z) = value (1 or -1) for one micro step. Returns their number. */
int planar_real_solutions(const costab_method *method, int value, double *roots);

/* Finds, for the simulation of one micro step at half trace x, all v = Delta - x^2 of either sign with Det D1
 * = value (1 or -1). Returns their number, at most the method's stages. */
int planar_determinant_roots(const costab_planar *planar, double x, int value, double *roots);

/* Class code of a point from the violated conditions of its map. */
static inline uint8_t planar_class(double gamma, double delta, unsigned cause) {
    return (uint8_t)((gamma < 0 && delta > 0 ? 2 : 0) + (cause == 0 ? 1 : 0));
}
