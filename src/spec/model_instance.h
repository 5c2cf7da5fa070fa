/* spec/model_instance.h - what an instance is made of, between the files that make and update it. */
#ifndef SPEC_MODEL_INSTANCE_H
#define SPEC_MODEL_INSTANCE_H

#include "spec/model_body.h"

/* A nonlinear subsystem: its variables are the states, the inputs and t. */
typedef struct instance_functions {
    const model_subsystem *subsystem;
    const costab_model_instance *instance;
    double *local;
    /* At the operating point: the largest |x'| that is more than rounding, and whose it is; 0 at an
     * equilibrium. */
    double drift;
    int drifting;
    double *room; /* model_rest_work, where the operating point is to be found; else NULL */
    int *pivots;  /* likewise, one per state */
    costab_dynamics dynamics;
} instance_functions;

typedef struct instance_source {
    const costab_model_instance *instance;
    const formula_tape *tape;
} instance_source;

struct costab_model_instance {
    const costab_model *model;
    double *values; /* of the parameters */
    bool *fixed;    /* derived parameters that were set themselves */
    bool fresh;     /* nothing is known to be computed */
    model_set changed;
    double *slots;
    instance_functions *functions; /* one per subsystem; without `local`: linear */
    instance_source *sources;
    double *gradient, *scratch; /* for the longest row of derivatives, three times; for the longest tape */
    costab_subsystem *subsystems;
    costab_connection *connections;
    costab_source *source_list;
    costab_coupling *couplings;
    costab_network network;
};

/* One job: how mistakes are told, and whether to go on. */
typedef struct model_update {
    costab_model_instance *instance;
    model_complaint complain;
    void *context;
    bool fine, stopped;
} model_update;

/* Notes a mistake. */
void model_tell(model_update *u, const model_place *place, const char *what, const char *reason);

/* Doubles of room for an equilibrium of n states. */
size_t model_rest_work(int n);

/* A, B, C and D of a nonlinear subsystem, at its operating point. */
void model_linearise(model_update *u, int s);

#endif
