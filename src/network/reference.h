/* network/reference.h - the monolithic solution, computed along a simulation. */
#pragma once

#include "network/arena.h"
#include "network/dead_history.h"
#include "network/newton.h"
#include "network/work.h"

enum { REFERENCE_CACHE = 4, REFERENCE_NODES = 3, STEPS_PER_QUESTION = 64 };

/* Request to stop a run, polled every few micro steps because a macro step may have a million of them. */
typedef struct network_stop {
    bool (*ask)(void *context); /* NULL: the run cannot be stopped */
    void *context;
    unsigned steps;
} network_stop;

static inline bool network_stopped(network_stop *stop) {
    return stop->ask != NULL && ++stop->steps % STEPS_PER_QUESTION == 0 && stop->ask(stop->context);
}

/* The solution at time t and the data to advance it. */
typedef struct reference {
    network_arena memory;
    const costab_network *network;
    costab_network_work *work; /* with the monolithic matrices */
    bool linear;               /* all subsystems are linear */
    bool sourced;              /* some input has a source */
    double t, *z, *u, *y;      /* all states, inputs (twice their number), outputs */
    bool known;                /* u and y belong to z and t */
    bool failed;               /* the solution could not be continued */
    network_stop stop;         /* set after reference_make; reference_to returns COSTAB_CANCELLED */
    costab_method solver;
    double until;         /* limit of all steps; set after reference_make, or the latest time so far */
    double begin, length; /* start and length of the solver's last step; length 0: no step yet */
    double step;          /* next length to try */
    double *states[REFERENCE_NODES], *slopes[REFERENCE_NODES];     /* at its start, middle and end */
    double cached[REFERENCE_CACHE], *exponential[REFERENCE_CACHE]; /* steps dt and exp(A_mono dt) */
    int64_t instant;                                               /* of the last samples taken */
    int next_cached;                                               /* next position in the cache */
    double *stages;     /* slopes of the solver's stages, and two states */
    newton_space loop;  /* feedthrough loop of nonlinear networks */
    dead_history *dead; /* the solution with dead time; NULL: none */
    double *space;      /* workspace of exponentials */
} reference;

/* Returns false if the continuous system is unknown, or if it has dead time with sources or nonlinear
 * subsystems. */
bool reference_exists(const costab_network *network);

/* Starts at t = 0 from the initial states and computes the monolithic matrices. `work` is prepared for the
 * network. `ref` is zero at first use; later its memory is reused. COSTAB_INVALID if the network is not well
 * posed, COSTAB_NUMERIC if a feedthrough loop has no solution at the initial states; otherwise errors of the
 * model's functions and as dead_history_make. */
costab_status reference_make(reference *ref, const costab_network *network, costab_network_work *work,
                             costab_error *error);
void reference_free(reference *ref);

/* Advances the solution to time t >= ref->t and computes u and y. If it cannot be continued ref->failed is
 * set, z, u, y are NaN, and the status is COSTAB_OK. Errors come from the model's functions; COSTAB_CANCELLED
 * if ref->stop ends the run, COSTAB_MEMORY. */
costab_status reference_to(reference *ref, double t, costab_error *error);

/* Restores the cache of exponentials from its step lengths. */
void reference_remember(reference *ref, const double cached[REFERENCE_CACHE], int next);

/* dz = f(t, z) with the inputs that follow from the connections; u and y are in ref. */
costab_status reference_slope(reference *ref, double t, const double *z, double *dz, costab_error *error);
