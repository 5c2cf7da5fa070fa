/* costab/tune.h - extrapolation tuned to a model: weights of previous values with which jacobi is stable up
 * to the longest macro step, also if the model's numbers are off by some share.
 *
 *     costab_tuned tuned;
 *     costab_tune_options options = {.parameter = "H", .lower = 1e-3, .upper = 0.2, .vary = 0.1};
 *     costab_tune(&variant, &options, &tuned, &error);
 *     ... tuned.rows[0].by, tuned.stable_to ...
 *     costab_tuned_free(&tuned); */
#ifndef COSTAB_TUNE_H
#define COSTAB_TUNE_H

#include "costab/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Connections with common weights. */
typedef enum costab_tune_groups {
    COSTAB_TUNE_ALL,
    COSTAB_TUNE_TARGETS,     /* all connections to one subsystem */
    COSTAB_TUNE_CONNECTIONS, /* each connection has its own weights */
    COSTAB_TUNE_GROUPS_COUNT
} costab_tune_groups;

#define COSTAB_TUNE_GROUPS_MAX 16

typedef struct costab_tune_options {
    const char *parameter; /* name of the macro step's parameter */
    double lower, upper;   /* range of macro steps in seconds, 0 < lower < upper */
    int order;             /* order of convergence, 1 to 3; 0: 2 */
    int memory;  /* number of previous outputs that the master stores, 1 or 2; 0: as few as the order needs */
    double vary; /* relative change, 0 <= vary < 1, of every number that the system depends on, a parameter or
                    not, one at a time */
    costab_tune_groups groups;
    /* Both 0, or both above 0: no state may differ from the monolithic solution by more than `error` up to
     * the time `until` (s), at half of the macro step up to which the best fixed coupling is stable. */
    double error, until;
    /* Called often with the number of weights tried and an estimate of their total; returning true ends the
     * search with COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_tune_options;

/* A group of connections with the same weights. */
typedef struct costab_tune_row {
    char *name; /* "all", the name of a subsystem, or the label of a connection; "feedthrough": connections to
                   inputs with delayed feedthrough, which have fixed weights */
    costab_extrapolation by; /* the weights; NaN: a fixed coupling without weights */
} costab_tune_row;

typedef struct costab_tuned {
    int count;
    costab_tune_row *rows;
    int *group; /* row of each connection; -1: it has its own extrapolation in the model */
    int connections;
    /* Largest macro steps up to which all from `lower` on are stable (complete limits, costab_model_limit):
     * of the model, and of the worst of the model and all varied models. */
    double stable_to, robust_to;
    /* The best fixed coupling, which is stable up to the largest macro step: jacobi with constant to cubic or
     * spectral extrapolation, or with smoothed constant or linear extrapolation. A static string, such as
     * "jacobi-linear-smoothed"; with -solved if the variant's coupling solves feedthrough. */
    const char *fixed;
    double fixed_to; /* its stable_to */
    double gain;     /* stable_to / fixed_to */
    /* robust_to over the least, for all varied models, of the macro step up to which the best fixed coupling
     * of that model is stable. */
    double robust_gain;
    double error, fixed_error; /* errors of both couplings at half of fixed_to; NaN: not requested */
    bool better;  /* the gain (with varied numbers, the robust gain) is at least 1.05; otherwise rows and
                     numbers  are those of the fixed coupling */
    int models;   /* number of models: the model and its varied models */
    int left_out; /* number of varied models left out because their continuous system is unstable */
} costab_tuned;

/* Tunes the variant's first coupling, which must be jacobi, over the macro step.
 *
 * 1. Weights on a grid, or random weights, and Nelder and Mead's method from the best of them. The objective
 * is the longest macro step up to which the worst of the varied models is stable, at some 130 macro steps,
 * with at least a hundredth of the system's own decay.
 * 2. Complete limits of all varied models. If one of them ends before the step found, an unstable macro step
 *    beyond its end is added, and the weights are polished again.
 * 3. Complete searches over each varied number at some macro steps. An unstable value becomes a varied model,
 *    and the weights are polished again.
 *
 * The numbers of the result are those of complete limits. Limitation: better weights may exist. [out] tuned:
 * free with costab_tuned_free, also after an error. COSTAB_INVALID if the parameter is not the macro step,
 * for a coupling other than jacobi, area_correction, strides, dead time, discrete-time subsystems, FMUs for
 * co-simulation, micro steps of fixed length, an unstable continuous system, a `lower` at which no fixed
 * coupling is stable, more groups than COSTAB_TUNE_GROUPS_MAX, no connection to tune, and an order that the
 * memory does not allow. */
COSTAB_API costab_status costab_tune(const costab_variant *variant, const costab_tune_options *options,
                                     costab_tuned *tuned, costab_error *error);
COSTAB_API void costab_tuned_free(costab_tuned *tuned);

#ifdef __cplusplus
}
#endif
#endif
