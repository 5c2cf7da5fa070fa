/* network/iterate.h - iterations over the macro step. */
#pragma once

#include "network/loop.h"

typedef struct iterate_room {
    loop_factors loop; /* lanes guesses: I - J */
    double *rows;      /* lanes guesses rows */
    double *newton;    /* of a simulation: guesses and what newton.h needs */
    double *matrix;    /* the iteration's as it was before it was factored, relaxed */
    bool known, singular;
    double radius;
} iterate_room;

/* The macro step of an iterated coupling: a number of sweeps, or the fixed point. */
costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error);
/* Rows of guesses from those of the signals, and back. */
void iterate_take(const costab_network_work *work, int width, const double *outputs, double *rows);
void iterate_put(const costab_network_work *work, int width, const double *rows, double *outputs);
/* Step 1 in iterate.c: J and its radius; I - J, factored. */
costab_status iterate_map(costab_network_work *work, costab_error *error);
/* The same where J lies in work->iteration.loop.matrix, and its eigenvalues in work->eigen. */
void iterate_found(costab_network_work *work);
