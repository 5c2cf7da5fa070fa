/* costab/analysis.h - questions about a model: its parameters set and its couplings chosen, and where along
 * one parameter a coupling is stable, for all kinds of models and parameters.
 *
 *     costab_model_limit(&(costab_variant){.model = model}, 0, "H", &options, &limit, &error);
 *
 * Margins, loci, advice and tuning have headers of their own. */
#ifndef COSTAB_ANALYSIS_H
#define COSTAB_ANALYSIS_H

#include "costab/limit.h"
#include "costab/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model with some parameters set and some couplings chosen. */
typedef struct costab_variant {
    const costab_model *model;
    int setting_count;
    int coupling_count;
    const costab_setting *settings;
    /* Names of couplings: of the model's own, or of those that every model has (costab_coupling_name). NULL:
     * all of the model's own. */
    const char *const *couplings;
    /* For simulations: coefficients may vary in time (costab_model_instance_allow_time_varying). Otherwise
     * such a model is refused. */
    bool time_varying;
} costab_variant;

/* A variant with its names found: the model at these settings, and the choices of its couplings. */
typedef struct costab_setup costab_setup;

/* Finds the names and updates an instance of the model, which is borrowed and must outlive the setup; the
 * names are copied. COSTAB_INVALID for an unknown parameter or coupling; errors of
 * costab_model_instance_update. [out] *setup: free with costab_setup_destroy. */
COSTAB_API costab_status costab_setup_create(const costab_variant *variant, costab_setup **setup,
                                             costab_error *error);
COSTAB_API void costab_setup_destroy(costab_setup **setup);

/* The network, and how many couplings there are; the name of the c-th, NULL outside the range. Borrowed. */
COSTAB_API const costab_network *costab_setup_network(const costab_setup *setup);
COSTAB_API int costab_setup_coupling_count(const costab_setup *setup);
COSTAB_API const char *costab_setup_coupling_name(const costab_setup *setup, int c);

/* The choices of the c-th coupling, which has passed costab_coupling_check. Its order is borrowed. */
COSTAB_API costab_status costab_setup_coupling(const costab_setup *setup, int c, costab_coupling *coupling,
                                               costab_error *error);

/* Returns an error if the model does not allow the c-th coupling, whatever the ratios of its steps. */
COSTAB_API costab_status costab_setup_takes(const costab_setup *setup, int c, costab_error *error);

/* Returns COSTAB_INVALID, with a remedy, if a simulation of the network would change no value. */
COSTAB_API costab_status costab_setup_check_moves(const costab_setup *setup, costab_error *error);

/* ---- Limits ---- */

typedef struct costab_analysis_limit_options {
    double lower, upper; /* finite, lower < upper */
    size_t evaluations;  /* at most; 0: 50000 */
    /* Called before evaluations with the share of the range that is done and how many there were; returning
     * true ends the search with COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    /* With measured maps: called with progress_context and the pieces between the first `values`, before
     * their ends are refined. NULL: not. */
    void (*coarse)(void *context, const costab_limit *found, size_t values);
    costab_spacing spacing; /* of the first cells */
    bool first;             /* as in costab_limit_options; single and sampled values are looked at all */
    unsigned stable;        /* as in costab_limit_options; not of single and sampled values */
    int threads; /* of networks of 32 states or more: 0: as costab_run_options says. The answers do not depend
                    on it */
} costab_analysis_limit_options;

typedef struct costab_analysis_limit {
    costab_limit found; /* costab_limit_free */
    bool single;        /* isolated values were evaluated; otherwise the whole range was covered */
    size_t values;      /* their number */
    bool whole;         /* they are the whole numbers of the range */
    int denominator; /* else macro step over micro step is p/q at them, q up to this; 0: macro step and sample
                      * time are whole multiples of one another */
    int threads;     /* that worked, at most */
    double own_step; /* that a solver inside takes, found by trying; 0: none was searched or found */
    /* If a subsystem is known by measured maps only (an FMU for co-simulation): the number of values that the
     * answer, which is not complete, is based on; otherwise 0. */
    size_t sampled;
    double end_error; /* of these ends: the largest error that follows from the errors of the maps */
    /* Values at which nothing could be measured, which are undecided, or of single values those at which the
     * model is not defined: how many, and why the first of them. */
    size_t refused;
    char refusal[600];
    bool lost[2]; /* below and above these values the network has no operating point, and why */
    double lost_at[2];
    char lost_reason[2][400];
} costab_analysis_limit;

/* Finds all pieces of the range of the parameter of this name in which the co-simulation does not grow under
 * the c-th coupling of the variant. The pieces: costab_limit_find; of a parameter at whose single values
 * alone the model is defined, these values: their pieces end with COSTAB_END_WHOLE at a value whose neighbour
 * has another class. [out] *limit: free `found`. COSTAB_INVALID if a macro step or another step is not
 * positive at an end of the range; errors of costab_limit_find. */
COSTAB_API costab_status costab_model_limit(const costab_variant *variant, int c, const char *parameter,
                                            const costab_analysis_limit_options *options,
                                            costab_analysis_limit *limit, costab_error *error);

/* Tells which isolated values a limit is based on, such as "H: the 13 values at which ...; others were not
 * tried". Empty if the whole range was covered. */
#define COSTAB_TRIED_MAX 400
COSTAB_API void costab_limit_tried(const costab_analysis_limit *limit, const char *parameter,
                                   char words[COSTAB_TRIED_MAX]);

#ifdef __cplusplus
}
#endif

#endif
