/* study/tune.h - the parts of the search for weights. */
#pragma once

#include "costab/tune.h"
#include "study/variant.h"

#define TUNE_WEIGHTS  4
#define TUNE_UNKNOWNS (TUNE_WEIGHTS * COSTAB_TUNE_GROUPS_MAX)

/* The model with one number varied; parameter -1: as it is. */
typedef struct tune_model {
    int parameter;
    double value;
} tune_model;

typedef struct tuner {
    const costab_tune_options *options;
    study_variant variant;
    costab_model_instance *instance;
    costab_network_work *work;
    const costab_network *network; /* the instance's */
    costab_coupling base;          /* jacobi with its feedthrough */
    int parameter, order, memory;
    int groups, each, unknowns; /* each: unknowns of a group */
    int *group;                 /* of a connection; `groups`: held at a line; -1: as the model has it */
    costab_extrapolation held;
    tune_model *models, at; /* the model itself first; at: what the instance was before it was varied */
    int model_count, left_out;
    int hardest;   /* the model that ended the last comparison */
    double *nodes; /* macro steps at which the search analyses models, ascending from `lower` */
    size_t node_count, node_capacity;
    double half;          /* of the macro step of the best fixed coupling: where errors are measured */
    size_t done, total;   /* weights tried, and about how many will be */
    costab_status status; /* of what ended the search */
    costab_error *error;
} tuner;

/* A group's weights from its unknowns. */
costab_extrapolation tune_weights(const tuner *t, const double *unknowns);
/* The groups of all connections, what is held, and how many unknowns there are. */
costab_status tune_group(tuner *t, costab_error *error);
/* Gives the connections of the instance these weights; NULL: the coupling's, as of the fixed ones. */
void tune_apply(tuner *t, const double *unknowns);

/* Sets the instance to this model. */
costab_status tune_turn(tuner *t, const tune_model *model, costab_error *error);
/* The error of the model itself, at half of the fixed coupling's macro step. */
costab_status tune_measure(tuner *t, const costab_coupling *choices, double *found, costab_error *error);
/* Whether options->progress ends the search; t->status says so. */
bool tune_ended(tuner *t);

/* The best unknowns, searched globally or (`polish`) around those in `best`. Returns the claimed macro step,
 * up to which all models are stable at the nodes; 0: none. */
double tune_search(tuner *t, bool polish, double *best);
