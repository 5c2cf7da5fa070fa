/* network/reference.h - the monolithic solution beside a simulation. */
#pragma once

#include "network/newton.h"
#include "network/product.h"
#include "network/work.h"

enum { REFERENCE_CACHE = 4, REFERENCE_NODES = 3, STEPS_PER_QUESTION = 64 };

/* Whether a run is to stop: asked every few micro steps, as a macro step may have a million of them. */
typedef struct network_stop {
    bool (*ask)(void *context); /* NULL: it never is */
    void *context;
    unsigned steps;
} network_stop;

static inline bool network_stopped(network_stop *stop) {
    return stop->ask != NULL && ++stop->steps % STEPS_PER_QUESTION == 0 && stop->ask(stop->context);
}

/* The solution at time t, and what it is followed with. */
typedef struct reference {
    network_arena memory;
    const costab_network *network;
    costab_network_work *work;  /* with the monolithic matrices made */
    bool linear;                /* all subsystems are */
    bool sourced;               /* some input has a source */
    double t, *z, *u, *y;       /* all states, inputs (2 places each) and outputs */
    bool known;                 /* u and y belong to z and t */
    bool failed;                /* the solution could not be followed any further */
    network_stop stop;          /* set after reference_make; reference_to returns COSTAB_CANCELLED */
    network_product input_rows; /* inputs x states: work->mono.rows */
    costab_method exact, solver;
    double until;         /* no step goes beyond; set after reference_make, or the latest time so far */
    double begin, length; /* the last step of `solver`; length 0: none yet */
    double step;          /* the next length to be tried */
    double *states[REFERENCE_NODES], *slopes[REFERENCE_NODES];     /* at its start, middle and end */
    double cached[REFERENCE_CACHE], *exponential[REFERENCE_CACHE]; /* steps dt and exp(A_mono dt) */
    int next_cached;                                               /* the place of the next exponential */
    double *stages;    /* slopes of the solver's stages, and two states */
    newton_space loop; /* of feedthrough in nonlinear networks */
    double *room;      /* of exponentials */
    int *iwork;
} reference;

/* Starts at t = 0 from the initial states. `work` is prepared for the network; the monolithic matrices are
 * made. `ref` is all zero the first time; its memory is kept from one time to the next. */
costab_status reference_make(reference *ref, const costab_network *network, costab_network_work *work,
                             costab_error *error);
void reference_free(reference *ref);

/* Follows the solution to time t >= ref->t and forms u and y there. Where that fails ref->failed is set and
 * z, u, y are NaN; an error is one of the model's functions. */
costab_status reference_to(reference *ref, double t, costab_error *error);

/* Fills the cache of exponentials as it was when these were its steps. */
void reference_remember(reference *ref, const double cached[REFERENCE_CACHE], int next);

/* dz = f(t, z) with the inputs as they follow from the connections; u and y are left in ref. */
costab_status reference_slope(reference *ref, double t, const double *z, double *dz, costab_error *error);
