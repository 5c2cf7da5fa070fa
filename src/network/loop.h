/* network/loop.h - algebraic loops: signals that depend on each other at one instant, and their linear
 * systems. */
#pragma once

#include "network/arena.h"

/* Computes the loop gain L D of the connections' gains L and the feedthroughs D. [out] gain: inputs x inputs,
 * row-major, of all connections, or (`undelayed`) only of connections without delay and dead time. inputs:
 * number of inputs of all subsystems. Returns false if none of these connections comes from a subsystem with
 * feedthrough; the gain is then zero. */
bool loop_gain(const costab_network *network, int inputs, bool undelayed, double *gain);

/* Returns true if a signal depends on itself. matrix: n x n, G with unit = 0, or I - G with unit = 1; G_ij is
 * nonzero if signal i depends on signal j. Without a loop det(I - G) = 1. open: workspace, n ints. */
bool loop_closed(int n, const double *matrix, double unit, int *open);

/* Workspace for n signals: 4 n doubles, 2 n ints. */
typedef struct loop_space {
    double *work;
    int *iwork;
} loop_space;

/* I - G for a loop gain G of n signals, or the factors of D (I - G) D^-1. The scaling D makes the pivots
 * independent of the units of signals. */
typedef struct loop_factors {
    double *matrix; /* n^2, row-major */
    double *scale;  /* n: D, powers of 2 */
    int *pivots;    /* n */
} loop_factors;

/* Takes space for n signals from an arena. */
loop_factors loop_lay(network_arena *arena, size_t n);

/* Returns true if I - G is regular independently of units: without a loop, or if the reciprocal
 * condition of the balanced matrix exceeds n epsilon. The matrix is overwritten. */
bool loop_regular(int n, double *matrix, const loop_space *space);

/* Factors I - G in place; without a loop this is substitution, independent of units. Returns false if I - G
 * is not regular. */
bool loop_factor(int n, const loop_factors *factors, const loop_space *space);

/* Factors any matrix; returns false if a pivot is 0. */
bool loop_factor_any(int n, const loop_factors *factors);

/* Replaces b (n x columns) by (I - G)^-1 b. */
void loop_solve(int n, const loop_factors *factors, int columns, double *b);

/* Balances a (row-major) to D a D^-1 with D powers of 2, returned in scale. Row and column i then have equal
 * largest entries off the diagonal. If one of them is 0, the other is about as large as the diagonal and the
 * products of opposite entries. Intermediate results do not overflow. */
void loop_balance(int n, double *a, double *scale);

/* Limits exponents of units to -1000 .. 1000; only their differences matter. If necessary their range is
 * centred at 0, and the remaining excess is cut off. */
void loop_limit_shifts(int n, double *shifts);
