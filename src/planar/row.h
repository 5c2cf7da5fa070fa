/* planar/row.h - the stability conditions along a row, which decide both single points and stable
 * intervals (row.c). */
#pragma once

#include <math.h>

#include "costab/planar.h"

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
 * cancels near z = 0; e - g and 4q - 2g + e are computed from P0 and P1 without that difference.
 *
 * Trace, determinant and radii are nan where rounding may leave fewer than 11 digits of them: where terms
 * cancel, and where two eigenvalues meet. area/planar_points.c computes these in balls. */
typedef struct planar_row {
    bool finite;   /* no coefficient overflowed */
    bool doubtful; /* g lost digits: strong at |a| far beyond |Gamma| */
    bool iterated;
    double trace0, trace1; /* K (Tr D - 2) */
    double fold1;          /* K (1 - Tr D + Det D) */
    double det0, det1;     /* K (1 - Det D) */
    double flip0, flip1;   /* K (1 + Tr D + Det D) */
    double product;        /* ad */
    double contraction;    /* q */
    /* The magnitudes of the terms that were added to trace0, trace1 and det1. */
    double trace0_size, trace1_size, det1_size;
} planar_row;

planar_row planar_row_make(const costab_planar_slice *slice, double gamma);

/* K at one point of the row. */
static inline double planar_divisor(const planar_row *row, double delta) {
    return row->contraction != 0 ? 1 - (row->product - delta) * row->contraction : 1;
}

/* A number whose terms have magnitudes of sum `size`; nan where cancellation may cost more than 10 bits, or
 * where it overflowed. All nan alike: which sign an operation gives a nan is the compiler's choice, and must
 * not show in a file. */
static inline double planar_trusted(double value, double size) {
    return fabs(value) >= 0x1p-10 * size && fabs(value) < (double)INFINITY ? value : (double)NAN;
}

/* The magnitudes of the terms of K. */
static inline double planar_divisor_size(const planar_row *row, double delta) {
    return 1 + (fabs(row->product) + fabs(delta)) * fabs(row->contraction);
}

/* 1 + n / K or 2 + n / K, where n and K are sums of terms of the magnitudes n_size and K_size. */
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

/* The spectral radius. With n = K (Tr D - 2), the eigenvalues are 1 + (n +- 2 sqrt X) / 2K, X = n^2/4 - K
 * Delta e: a pair of modulus sqrt(Det D) where X < 0. */
static inline double planar_radius(const planar_row *row, double delta) {
    double n = row->trace0 + row->trace1 * delta, n_size = row->trace0_size + row->trace1_size * fabs(delta);
    double K = planar_divisor(row, delta), K_size = planar_divisor_size(row, delta),
           fold = row->fold1 * delta;
    double X = 0.25 * n * n - K * fold, X_size = 0.5 * fabs(n) * n_size + (fabs(K) + K_size) * fabs(fold);
    double half = fabs(1 + 0.5 * n / K), root = sqrt(fabs(X)) / fabs(K);
    double half_size = 1 + 0.5 * n_size / fabs(K) + 0.5 * fabs(n / K) * (K_size / fabs(K));
    /* an error of X is one of X_size / 2 sqrt(X) in its root */
    double root_size = X_size / (fabs(K) * sqrt(fabs(X))) + root * (K_size / fabs(K));
    double real = planar_trusted(half + root, half_size + root_size);
    double pair = sqrt(planar_determinant(row, delta));
    double radius = X < 0 ? pair : real;
    return fabs(X) >= 0x1p-44 * X_size ? radius : (double)NAN; /* X has its sign */
}

/* The radius of the iteration's matrix, sqrt |w q|. */
static inline double planar_iteration_radius(const planar_row *row, double delta) {
    double coupling = row->product - delta;
    return planar_trusted(sqrt(fabs(coupling * row->contraction)),
                          sqrt(fabs(row->contraction) * (fabs(row->product) + fabs(delta))));
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
costab_planar_point planar_simulation_point(const planar_simulation_line *line, double delta);
/* A point of any scheme. */
costab_planar_point planar_point(const costab_planar_slice *slice, double gamma, double delta);
/* The conditions that fail in the simulation, without the other quantities. */
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

/* Finds them. [in] row: of a co-simulation scheme, else NULL. */
void planar_row_find(const costab_planar_slice *slice, const planar_row *row, double gamma,
                     planar_pieces *pieces);

/* Float fields along a row, nan where a digit is in doubt. [in] row: as above. */
void planar_field_row(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                      const double *delta, const costab_planar_fields *fields);
/* Those of the simulation (eigenvalues.c). [in] delta: ascending. */
void planar_eigenvalue_fields(const costab_planar *planar, double gamma, size_t n, const double *delta,
                              double *trace, double *determinant, double *radius);

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
