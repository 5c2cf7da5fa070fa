/* costab/tune.h - extrapolation tuned to a model: weights of former values with which jacobi is stable up to
 * the longest macro step, also where the model's numbers are off by some share.
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

/* Which connections share their weights. */
typedef enum costab_tune_groups {
    COSTAB_TUNE_ALL,
    COSTAB_TUNE_TARGETS, /* those to one subsystem */
    COSTAB_TUNE_CONNECTIONS,
    COSTAB_TUNE_GROUPS_COUNT
} costab_tune_groups;

#define COSTAB_TUNE_GROUPS_MAX 16

typedef struct costab_tune_options {
    const char *parameter; /* the macro step's */
    double lower, upper;   /* 0 < lower < upper */
    int order;             /* of convergence, 1 to 3; 0: 2 */
    int memory;  /* former outputs that the master remembers, 1 or 2; 0: as few as the order takes */
    double vary; /* every number that the system depends on, a parameter or not, is off by this share, one at
                    a time; below 1 */
    costab_tune_groups groups;
    /* Above 0, both: no state may be further from the monolithic one than `error`, up to the time `until`, at
     * half of the macro step to which the best fixed coupling is stable. */
    double error, until;
    /* Called often with the weights that were tried, and about how many will be; true ends the search with
     * COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_tune_options;

/* A group of connections with the same weights. */
typedef struct costab_tune_row {
    char *name; /* "all", of a subsystem, or of a connection; "feedthrough": what is held at a line */
    costab_extrapolation by; /* NaN: a fixed coupling without such weights */
} costab_tune_row;

typedef struct costab_tuned {
    int count;
    costab_tune_row *rows;
    int *group; /* of each connection its row; -1: it extrapolates in its own way */
    int connections;
    /* All macro steps from `lower` on up to here are stable (complete limits, costab_model_limit): of
     * the model, and of the worst of all varied ones. */
    double stable_to, robust_to;
    /* The coupling that is stable furthest of jacobi with constant to cubic extrapolation, spectral, and
     * smoothed constant and linear; a name of costab_coupling_name, or with -smoothed. */
    const char *fixed;
    double fixed_to;
    double gain; /* stable_to over fixed_to */
    /* robust_to over the smallest, over the varied models, of the macro step up to which the best fixed
     * coupling for that model is stable. */
    double robust_gain;
    double error, fixed_error; /* at half of fixed_to; NaN: not requested */
    bool better; /* the gain, where numbers vary the robust one, is 1.05 at least; else the rows and
                    numbers are those of the fixed one */
    int models;  /* the model and its varied ones; those that are not stable themselves are left out */
    int left_out;
} costab_tuned;

/* Tunes the variant's first coupling, which is jacobi, over the macro step.
 *
 * 1. Weights on a grid, or random ones, and simplices by Nelder and Mead from the best of them. The objective
 * is the longest macro step up to which the worst of the varied models is stable, at some 130 macro steps,
 * with at least a hundredth of the system's own decay.
 * 2. Complete limits of all varied models; where one of them ends before the step found, its gap becomes an
 * additional macro step, and the weights are polished again.
 *
 * The numbers are those of complete limits. Better weights may exist. [out] tuned: free with
 * costab_tuned_free, also after an error. COSTAB_INVALID where the parameter is not the macro step, for
 * a coupling other than jacobi, strides, FMUs for co-simulation, micro steps of fixed length, a model that is
 * not stable itself, a `lower` at which no fixed coupling is stable, more groups than COSTAB_TUNE_GROUPS_MAX,
 * and an order that the memory cannot have. */
COSTAB_API costab_status costab_tune(const costab_variant *variant, const costab_tune_options *options,
                                     costab_tuned *tuned, costab_error *error);
COSTAB_API void costab_tuned_free(costab_tuned *tuned);

#ifdef __cplusplus
}
#endif
#endif
