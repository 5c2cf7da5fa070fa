/* network/neutral.h - structural modes, removed from map and A_mono.
 *
 * A state x* with A_mono x* = 0 is an equilibrium of the continuous system, and with what the master and the
 * methods then remember a fixed point z* of every coupling's map. Both matrices have an eigenvalue there (0
 * and 1) that says nothing about stability. It is removed if the model has it whatever the values of its
 * parameters are (costab_network.structure): a zero that only the present values have is a limit. What is
 * left of the matrices on the orthogonal complement has the other eigenvalues, whatever the Jordan form. A
 * state x1 with A_mono x1 = x* is a rigid motion: it drifts at constant speed; a coupling keeps it if it
 * reproduces straight lines on time, and then the motion is removed as well. */
#pragma once

#include "network/work.h"

/* Map and A_mono on the complement, row-major; borrowed until the workspace is used again. Without equilibria
 * both are the workspace's own matrices. */
typedef struct neutral_rest {
    int equilibria;   /* removed from the map, and from A_mono */
    int motions;      /* rigid motions of A_mono, */
    int kept_motions; /* and those that the map keeps: they are removed, too */
    int map_size;     /* size - equilibria - kept_motions */
    int mono_size;    /* states without equilibria and kept motions */
    const double *map, *mono;
    /* What rounding may have made of an entry of what is left, by the whole matrices; 0: some roundings of
     * the entries. */
    double map_noise, mono_noise;
} neutral_rest;

/* Has the model no equilibria? If its structure is not given: has A_mono, whose eigenvalues and norm are
 * known, none beyond rounding? */
bool neutral_none(const costab_network_work *work);

/* Once work->mono.matrix, what is known of it and the real map of a period (`map`, size x size) are made. If
 * work->mono.found.regular is true, or the map is not finite, nothing is removed. */
costab_status neutral_set_aside(costab_network_work *work, const double *map, neutral_rest *rest,
                                costab_error *error);

/* A states x states matrix that the equilibria and kept motions reduce like A_mono, and what rounding may
 * have made of its entries. */
typedef struct neutral_matrix {
    const double *entries, *noise;
} neutral_matrix;

/* What is left of it where there are equilibria, mono_size^2 numbers, row-major; [out] *noise: what rounding
 * may have made of that, a norm in balanced coordinates. Right after neutral_set_aside. False where LAPACK
 * gives up. */
bool neutral_reduce(costab_network_work *work, const neutral_rest *rest, const neutral_matrix *matrix,
                    double *left, double *noise);

void neutral_free(neutral_room *room);
