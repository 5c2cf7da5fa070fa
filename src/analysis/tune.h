/* analysis/tune.h - parts of the search for weights. */
#pragma once

#include "analysis/variant.h"
#include "costab/tune.h"
#include "model/numbers.h"

/* Largest numbers of unknowns of one group of connections, and of all groups. */
#define TUNE_WEIGHTS  4
#define TUNE_UNKNOWNS (TUNE_WEIGHTS * COSTAB_TUNE_GROUPS_MAX)

/* The model with one number varied; parameter -1: the model itself. */
typedef struct tune_model {
    int parameter;
    double value;
} tune_model;

/* State of a search for weights. */
typedef struct tuner {
    const costab_tune_options *options; /* borrowed */
    model_with_numbers *numbers;        /* the model with its numbers as parameters; NULL: none is varied */
    analysis_variant variant;
    costab_model_instance *instance;
    costab_network_work *work;
    const costab_network *network; /* of the instance */
    costab_coupling base;          /* jacobi with its feedthrough */
    int parameter;                 /* the macro step */
    int order, memory;             /* of the extrapolation: 1 to 3; 1 or 2 differences of previous values */
    int groups;                    /* of connections with common weights */
    int group_unknowns, unknowns;  /* of one group; of all */
    int *group;                /* of each connection; `groups`: weights `held`; -1: weights of the model */
    costab_extrapolation held; /* fixed weights of the requested order */
    tune_model *models;        /* the model itself first */
    int model_count, left_out; /* left_out: varied models with an unstable continuous system */
    tune_model varied;         /* the number varied in the instance at present, and its original value */
    int hardest;               /* model that ended the last comparison */
    double *nodes;             /* macro steps used by the search, ascending from `lower` */
    size_t node_count, node_capacity;
    double error_step;    /* macro step for errors: half that of the best fixed coupling */
    size_t done, total;   /* weights tried, and estimated total */
    costab_status status; /* reason for the end of the search */
    costab_error *error;
} tuner;

/* Returns a group's weights for its unknowns. */
costab_extrapolation tune_weights_of(const tuner *t, const double *unknowns);
/* Assigns all connections to groups and sets the held weights and the number of unknowns. */
costab_status tune_make_groups(tuner *t, costab_error *error);
/* Sets these weights in the instance's connections; NULL: those of the coupling, for fixed couplings. */
void tune_set_weights(tuner *t, const double *unknowns);

/* Changes the instance to this model. */
costab_status tune_set_model(tuner *t, const tune_model *model, costab_error *error);
/* Finds the error of the model itself at error_step. */
costab_status tune_find_error(tuner *t, const costab_coupling *choices, double *found, costab_error *error);
/* Returns true if options->progress has ended the search, and sets t->status. */
bool tune_is_ended(tuner *t);

/* Finds the best unknowns, globally or (`polish`) near those in `best`. Returns the claimed macro step, up to
 * which all models are stable at the nodes; 0: none. */
double tune_search(tuner *t, bool polish, double *best);
