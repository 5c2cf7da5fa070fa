/* network/iterate.h - iterations over the macro step. */
#pragma once

#include "network/work.h"

/* Sweeps from guesses of the new signals, or their fixed point. */
costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error);
/* Rows of guesses from those of the signals, and back. */
void iterate_take(const costab_network_work *work, int width, const double *outputs, double *rows);
void iterate_put(const costab_network_work *work, int width, const double *rows, double *outputs);
/* The linear map of guesses to guesses: its radius, and I minus it, factored. */
costab_status iterate_map(costab_network_work *work, costab_error *error);
/* What is known of that map where its real matrix lies in work->guess_loop, and its eigenvalues were found.
 */
void iterate_found(costab_network_work *work);
