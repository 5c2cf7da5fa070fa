/* network/iterate.h - coupling iterations over a macro step. The iteration variables are the new signals; a
 * sweep over the subsystems maps them to updated signals. J is the matrix of this map. */
#pragma once

#include "network/loop.h"
#include "network/newton.h"

typedef struct iterate_space {
    loop_factors loop;   /* order n = halves x guesses: J, later I - J */
    double *matrix;      /* n^2: (1 - w) I + w J, w the relaxation factor */
    double radius;       /* its spectral radius */
    bool singular;       /* I - J is singular */
    bool known;          /* all of these belong to the present numbers */
    bool cancels;        /* terms of the map may cancel: `apart` is set with each map */
    double *apart;       /* for Newton's method: the states rows of the map without the new signals */
    double *rows;        /* guesses rows: the current iterate */
    const double *start; /* guesses rows: an iterate close to the fixed point; NULL: zeros */
    double *unknowns;    /* guesses rows, for Newton's method in simulations */
    newton_space newton; /* its workspace */
} iterate_space;

/* Takes the macro step of an iterated coupling: a number of sweeps, or to the fixed point. COSTAB_NUMERIC in
 * a simulation if the iteration does not converge. */
costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error);
/* Returns an error bound of the map from cancellation of its terms: the Frobenius norm in balanced
 * coordinates (loop_balance); 0 if they do not cancel. Requires a real map of a single macro step. Overwrites
 * work->next and work->eigen.slack. */
double iterate_cancellation(costab_network_work *work);
/* Computes J and its radius, and factors I - J. Errors as spectrum_radius. */
costab_status iterate_map(costab_network_work *work, costab_error *error);
/* Copies the iteration variables from the rows of all signals to rows of their own, and back. */
void iterate_take(const costab_network_work *work, int width, const double *signals, double *rows);
void iterate_put(const costab_network_work *work, int width, const double *rows, double *signals);
/* Replaces the signals after a sweep by the next iterate: (1 - w) times the last iterate plus w times the
 * signals. */
void iterate_relax(const costab_network_work *work, int width, const double *last, double *signals);
/* The relaxation factor w of a sweep; 1 if none is given. */
double iterate_relaxation(const costab_network_work *work);
/* Spectral radius of (1 - w) I + w J, w the relaxation factor, from the eigenvalues of J in work->eigen;
 * infinite if J is not finite. */
double iterate_radius(const costab_network_work *work);
/* Sets work->iteration from J in work->iteration.loop.matrix and the radius: `matrix`, the factors of I - J,
 * `singular` and `cancels`. Newton's method requires the eigenvalues of J in work->eigen. */
void iterate_factor(costab_network_work *work, double radius);
