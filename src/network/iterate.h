/* network/iterate.h - iterations over the macro step: from guesses of the new signals to the signals that a
 * sweep makes of them. J is the matrix of that map. */
#pragma once

#include "network/loop.h"
#include "network/newton.h"

typedef struct iterate_room {
    loop_factors loop;   /* of order n = halves x guesses: J, then I - J */
    double *matrix;      /* n^2: (1 - w) I + w J, w the relaxation */
    double radius;       /* its spectral radius */
    bool singular;       /* I - J cannot be solved with */
    bool known;          /* all of these are those of the numbers at hand */
    double *rows;        /* guesses rows: the guesses at hand */
    const double *start; /* guesses rows: guesses near the fixed point; NULL: zeros */
    double *unknowns;    /* guesses rows, of a simulation with Newton's method, */
    newton_space newton; /* and its workspace */
} iterate_room;

/* The macro step of an iterated coupling: a number of sweeps, or the fixed point. */
costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error);
/* Step 1 in iterate.c: J and its radius; I - J, factored. */
costab_status iterate_map(costab_network_work *work, costab_error *error);
/* The radius of (1 - w) I + w J, w the relaxation, from the eigenvalues of J in work->eigen; infinite if J is
 * not finite. */
double iterate_radius(const costab_network_work *work);
/* Factors I - J from J in work->iteration.loop.matrix, and stores the radius. Newton's method: the
 * eigenvalues of J are in work->eigen. */
void iterate_factor(costab_network_work *work, double radius);
