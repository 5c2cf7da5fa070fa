/* network/loop.h - loops of feedthrough, signals that depend on each other at one instant, and their linear
 * systems. */
#pragma once

#include "costab/network.h"

/* [out] gain: L D, inputs x inputs, row-major: what each input takes at once from the inputs of the
 * subsystems that feed it; of all connections, or of those without delay alone. `inputs`: of all subsystems.
 * False: it is zero, no connection comes from a subsystem with feedthrough. */
bool loop_gain(const costab_network *network, int inputs, bool undelayed, double *gain);

/* Is there a loop, a signal that depends on itself in the end? `matrix` is n x n, G or I - G, where G_ij is
 * not 0 if signal i depends on j at once; `unit`: 0 of G, 1 of I - G. Without a loop I - G has the
 * determinant 1. open: n ints of room. */
bool loop_closed(int n, const double *matrix, double unit, int *open);

/* Room for n signals: 4 n doubles, 2 n ints. */
typedef struct loop_room {
    double *work;
    int *iwork;
} loop_room;

/* I minus the gain of a loop of n signals, which becomes factors of D (I - G) D^-1: pivots are chosen in
 * units in which all signals are alike, whatever their own are. */
typedef struct loop_factors {
    double *matrix; /* n^2, row-major */
    double *scale;  /* n: D, powers of 2 */
    int *pivots;    /* n */
} loop_factors;

/* Whether I minus the gain of a loop of n signals is regular, far from singular by more than rounding in
 * whatever units the signals are: its reciprocal condition is above n epsilon where the signals are scaled
 * alike, or there is no loop. The matrix is destroyed. */
bool loop_regular(int n, double *matrix, const loop_room *room);

/* Factors it in place. Where no signal depends on itself that is substitution, in whatever units the signals
 * are. False where it is singular, or not regular. */
bool loop_factor(int n, const loop_factors *factors, const loop_room *room);

/* The same of any matrix; false where a pivot is 0. */
bool loop_factor_any(int n, const loop_factors *factors);

/* b = (I - G)^-1 b with the factors; b: n x columns. */
void loop_solve(int n, const loop_factors *factors, int columns, double *b);

/* Balances: a = D a D^-1, row-major, D powers of 2 (into scale), such that row and column i have equal
 * largest entries off the diagonal; where one of both is 0, the other is about as large as the diagonal and
 * products of opposite entries. Nothing overflows on the way. */
void loop_balance(int n, double *a, double *scale);

/* Exponents of units, of which only the differences count, within -1000 .. 1000: where one is beyond, they
 * are moved so that their range has its middle at 0, and those that still are beyond become 1000 or -1000. */
void loop_limit_shifts(int n, double *shifts);
