/* network/neutral.h - equilibria and rigid motions, set aside exactly.
 *
 * A state x* with A_mono x* = 0 is an equilibrium of the continuous system, and with what the master and the
 * methods then remember a fixed point z* of every coupling's map. Both matrices have an eigenvalue there (0
 * and 1) that says nothing about stability. What is left of them on the orthogonal complement has the other
 * eigenvalues, whatever the Jordan form. A state x1 with A_mono x1 = x* is a rigid motion: it drifts at
 * constant speed; a coupling keeps it where it reproduces straight lines on time, and then it is set aside as
 * well. Which eigenvalues of A_mono count as 0 is said in network/null_space.h. */
#pragma once

#include "network/work.h"

/* Map and A_mono on the complement, row-major; borrowed until the workspace is used again. Without equilibria
 * both are the workspace's own matrices. */
typedef struct neutral_rest {
    int equilibria;      /* set aside from the map, and from A_mono */
    int mono_equilibria; /* set aside from A_mono: as many, or all where the map has no such fixed points */
    int motions;         /* rigid motions of A_mono, */
    int kept_motions;    /* and those that the map keeps: they are set aside, too */
    int nullity;   /* dimension of A_mono's null space within rounding, set aside or not; -1: not known */
    int map_size;  /* size - equilibria - kept_motions */
    int mono_size; /* states without equilibria and kept motions */
    const double *map, *mono;
    /* What rounding may have made of an entry of what is left, by the whole matrices; 0 without equilibria.
     */
    double map_noise, mono_noise;
} neutral_rest;

/* Are there no equilibria beyond rounding? Once the eigenvalues and the norm of A_mono are known. */
bool neutral_none(const costab_network_work *work);

/* Once work->mono.matrix, what is known of it and the real map of a period (`map`, size x size) are made.
 * Where work->mono.found.regular is true, or the map is not finite, nothing is done. Where the equilibria are
 * no fixed points to rounding the map stays whole, and has no equilibria; A_mono is without them all the
 * same. */
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

/* How far a map of so many rows and this norm may move the image of an equilibrium, which still counts as a
 * fixed point. */
double neutral_still(const costab_network_work *work, int size, double norm);

void neutral_free(neutral_room *room);
