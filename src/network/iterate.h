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

/* Sweeps from guesses of the new signals, or their fixed point. */
costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error);
/* Rows of guesses from those of the signals, and back. */
void iterate_take(const costab_network_work *work, int width, const double *outputs, double *rows);
void iterate_put(const costab_network_work *work, int width, const double *rows, double *outputs);
/* The linear map of guesses to guesses: its radius, and I minus it, factored. */
costab_status iterate_map(costab_network_work *work, costab_error *error);
/* What is known of that map where its real matrix lies in work->iteration.loop, and its eigenvalues were
 * found.
 */
void iterate_found(costab_network_work *work);
