/* analysis/tune.h - the parts of the search for weights. */
#pragma once

#include "analysis/variant.h"
#include "costab/tune.h"
#include "model/numbers.h"

/* Unknowns of one group of connections, and of all groups, at most. */
#define TUNE_WEIGHTS  4
#define TUNE_UNKNOWNS (TUNE_WEIGHTS * COSTAB_TUNE_GROUPS_MAX)

/* The model with one number varied; parameter -1: as it is. */
typedef struct tune_model {
    int parameter;
    double value;
} tune_model;

/* A search for weights under way. */
typedef struct tuner {
    const costab_tune_options *options; /* borrowed */
    model_with_numbers *numbers; /* the model with each of its numbers a parameter; NULL: none is varied */
    study_variant variant;
    costab_model_instance *instance;
    costab_network_work *work;
    const costab_network *network; /* the instance's */
    costab_coupling base;          /* jacobi with its feedthrough */
    int parameter;                 /* the macro step */
    int order, memory;             /* of the extrapolation: 1 to 3; 1 or 2 differences of former values */
    int groups;                    /* of connections that share weights */
    int group_unknowns, unknowns;  /* of one group; of all */
    int *group;                    /* of each connection; `groups`: its weights are `held`; -1: they are the
                                      model's */
    costab_extrapolation held;     /* fixed weights of the order asked for */
    tune_model *models;            /* the model itself first */
    int model_count, left_out;     /* left_out: varied models whose continuous system is unstable */
    tune_model varied;             /* the number that the instance has varied now, and its value before */
    int hardest;                   /* the model that ended the last comparison */
    double *nodes; /* macro steps at which the search analyses models, ascending from `lower` */
    size_t node_count, node_capacity;
    double error_step;    /* where errors are measured: half the macro step of the best fixed coupling */
    size_t done, total;   /* weights tried, and about how many will be */
    costab_status status; /* of what ended the search */
    costab_error *error;
} tuner;

/* A group's weights from its unknowns. */
costab_extrapolation tune_weights_of(const tuner *t, const double *unknowns);
/* The groups of all connections, what is held, and how many unknowns there are. */
costab_status tune_make_groups(tuner *t, costab_error *error);
/* Gives the connections of the instance these weights; NULL: the coupling's, as of the fixed ones. */
void tune_set_weights(tuner *t, const double *unknowns);

/* Sets the instance to this model. */
costab_status tune_set_model(tuner *t, const tune_model *model, costab_error *error);
/* The error of the model itself, at half of the fixed coupling's macro step. */
costab_status tune_find_error(tuner *t, const costab_coupling *choices, double *found, costab_error *error);
/* Whether options->progress ends the search; t->status says so. */
bool tune_is_ended(tuner *t);

/* The best unknowns, searched globally or (`polish`) around those in `best`. Returns the claimed macro step,
 * up to which all models are stable at the nodes; 0: none. */
double tune_search(tuner *t, bool polish, double *best);
