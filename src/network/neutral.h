/* network/neutral.h - removal of structural modes from map and A_mono.
 *
 * A state x* with A_mono x* = 0 is an equilibrium of the continuous system. Together with its history values
 * it is a fixed point z* of every coupling's map. The eigenvalues 0 and 1 of an equilibrium are independent
 * of stability. They are removed if the model has the equilibrium at all values of its parameters
 * (costab_network.structure); a zero eigenvalue at the present values alone is a limit. The restriction to
 * the orthogonal complement has the other eigenvalues, for any Jordan form. A state x1 with A_mono x1 = x* is
 * a rigid motion, a drift at constant speed. A coupling preserves it if it reproduces straight lines without
 * delay; then the motion is removed as well. */
#pragma once

#include "network/work.h"

/* Map and A_mono on the complement, row-major; borrowed until the workspace is used again. Without equilibria
 * they are the workspace's own matrices, A_mono balanced if it is inexact. The matrix of an unknown
 * continuous system, or with dead time, is never reduced. */
typedef struct neutral_rest {
    int equilibria;   /* removed from the map and from A_mono */
    int motions;      /* rigid motions of A_mono */
    int kept_motions; /* motions preserved by the map and removed */
    int map_size;     /* size - equilibria - kept_motions */
    int mono_size;    /* states - equilibria - kept_motions */
    const double *map, *mono;
    /* Error bound of an entry from rounding in the whole matrices; 0: a few roundings of the entry. */
    double map_noise, mono_noise;
} neutral_rest;

/* Returns true if the model has no equilibria. If its structure is not given: if A_mono, with known
 * eigenvalues and norm, has none beyond rounding. */
bool neutral_none(const costab_network_work *work);

/* Removes structural modes after work->mono.matrix, work->mono.found and the real map of a period (`map`,
 * size x size) are computed. Removes nothing if work->mono.found.regular is true, if a matrix is not finite,
 * or if LAPACK fails. COSTAB_MEMORY. */
costab_status neutral_set_aside(costab_network_work *work, const double *map, neutral_rest *rest,
                                costab_error *error);

/* Reduces a states x states matrix with error bounds of its entries like A_mono, by equilibria and preserved
 * motions, right after neutral_set_aside. [out] left: mono_size^2 numbers, row-major; *noise: error bound, a
 * norm in balanced coordinates. Returns false if LAPACK fails. */
bool neutral_reduce(costab_network_work *work, const neutral_rest *rest, const double *matrix,
                    const double *errors, double *left, double *noise);

void neutral_free(neutral_space *space);
