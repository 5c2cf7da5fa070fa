/* proof/edge.h - an edge: a short interval of one parameter up to a place where the limit is passed. Is it
 * passed there first?
 *
 * It is where no crossing function (crossing.h) has a zero before. They are interpolated as a search does it
 * (interpolant.h), but for one thing: a function that is 0 at the place itself, m-fold, is first divided by
 * the m-th power of the distance from it. That is analytic, too, and has the same zeros before the place, but
 * is not small near it: a few nodes then tell at once what takes a search many cells that are narrower and
 * narrower, above all of multiple zeros, which alike subsystems make. */
#pragma once

#include "proof/crossing.h"
#include "proof/interpolant.h"

/* The nodes that an edge may have: chebyshev_table.points of the highest degree. */
enum { EDGE_NODES = CHEBYSHEV_MOST + 1, EDGE_LAST = EDGE_NODES - 1 };

typedef struct edge_node {
    crossing_value functions[CROSSING_FUNCTIONS];
    int beyond; /* how many eigenvalues are beyond the circle; -1: rounding hides it, or numbers overflow */
} edge_node;

/* What n eigenvalues of a real map say, each known up to its slack. re: becomes re - 1. */
void edge_node_make(int n, double *re, double *im, double *slack, edge_node *node);

typedef struct edge_cell {
    const chebyshev_table *table;
    double from, to; /* in either direction */
    double passed;   /* the place where the limit is passed, beyond `to` */
    double apart;    /* nodes that are further apart than this, on average, tell nothing */
    edge_node nodes[EDGE_NODES];
    unsigned clear; /* the functions that earlier stages have shown to be clear: bits; 0 at first */
} edge_cell;

/* Where node i is; EDGE_LAST is at `to`. */
double edge_place(const edge_cell *cell, int i);

/* Stages, each with more nodes than the one before. */
enum { EDGE_STAGES = 4 };

/* How many of them a cell has: the last one only where the nodes before are too far apart. */
int edge_stages(const edge_cell *cell);

/* Is a node one that a stage adds? */
bool edge_needs(int stage, int i);

/* Is the limit passed nowhere on the cell, as far as the nodes of the stages up to this one tell? Then it has
 * the same number of eigenvalues beyond the limit everywhere. false: they leave it open, or are too far
 * apart.
 */
bool edge_is_clear(edge_cell *cell, int stage);
