/* costab/analysis.h - variants of a model (parameters set, couplings chosen), and the intervals of one
 * parameter in which a coupling is stable, for all kinds of models and parameters.
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
    /* Names of couplings: the model's own, or the standard names of costab_coupling_name. NULL: all of the
     * model's own. */
    const char *const *couplings;
    /* For simulations: accepts models with coefficients that vary in time
     * (costab_model_instance_allow_time_varying), which are otherwise refused. */
    bool time_varying;
} costab_variant;

/* A variant with resolved names: the model at these settings, and the choices of its couplings. */
typedef struct costab_setup costab_setup;

/* Resolves the names, and creates and updates an instance of the model. The model is borrowed and must
 * outlive the setup; names are copied. COSTAB_INVALID for an unknown parameter or coupling; errors of
 * costab_model_instance_update. [out] *setup: free with costab_setup_destroy. */
COSTAB_API costab_status costab_setup_create(const costab_variant *variant, costab_setup **setup,
                                             costab_error *error);
COSTAB_API void costab_setup_destroy(costab_setup **setup);

/* Return the network, the number of couplings, and the name of coupling c (0, 1, ...; NULL outside the
 * range). Network and name are borrowed. */
COSTAB_API const costab_network *costab_setup_network(const costab_setup *setup);
COSTAB_API int costab_setup_coupling_count(const costab_setup *setup);
COSTAB_API const char *costab_setup_coupling_name(const costab_setup *setup, int c);

/* Returns the choices of coupling c, after costab_coupling_check. coupling->order is borrowed. COSTAB_INVALID
 * if c is outside the range, or if the model does not allow the coupling. */
COSTAB_API costab_status costab_setup_coupling(const costab_setup *setup, int c, costab_coupling *coupling,
                                               costab_error *error);

/* Returns COSTAB_INVALID if c is outside the range, or if the model does not allow coupling c. Does not check
 * the ratios of its steps. */
COSTAB_API costab_status costab_setup_takes(const costab_setup *setup, int c, costab_error *error);

/* Returns COSTAB_INVALID, with a remedy, if the map of coupling c has nothing to analyse: all of its
 * eigenvalues are 0 or set aside, whatever the parameters, so that every macro step would be called stable.
 */
COSTAB_API costab_status costab_setup_check_modes(const costab_setup *setup, int c, costab_error *error);

/* Returns COSTAB_INVALID, with a remedy, if a simulation of the network would change no value. */
COSTAB_API costab_status costab_setup_check_moves(const costab_setup *setup, costab_error *error);

/* Returns COSTAB_INVALID if other numbers than macro steps depend on the parameter of a macro step: with
 * macro steps other than the model's (costab_pattern_steps, costab_simulate_options.steps) they would keep
 * their values. */
COSTAB_API costab_status costab_setup_check_steps(const costab_setup *setup, costab_error *error);

/* ---- Limits ---- */

typedef struct costab_analysis_limit_options {
    double lower, upper; /* finite, lower < upper */
    size_t evaluations;  /* as in costab_limit_options */
    /* Called before evaluations with the finished share of the range and the number of evaluations so far;
     * returning true ends the search with COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    /* With measured maps: called with progress_context, the intervals found from the first `values` samples
     * before their ends are refined, and the number of these samples. May be NULL. */
    void (*coarse)(void *context, const costab_limit *found, size_t values);
    costab_spacing spacing; /* of the first cells; values of measured maps are spaced logarithmically above 0
                               in any case */
    bool first;             /* as in costab_limit_options; ignored for single and sampled values */
    unsigned stable;        /* as in costab_limit_options; ignored for single and sampled values */
    int threads; /* for networks of 32 states or more; 0: the default of costab_run_options. Results do not
                    depend on it */
} costab_analysis_limit_options;

typedef struct costab_analysis_limit {
    costab_limit found; /* free with costab_limit_free */
    /* Single values, if the model is defined, or was tried, at isolated values only. */
    bool single;     /* only single values were evaluated; otherwise the whole range was searched */
    size_t values;   /* their number */
    bool whole;      /* they are the integers of the range */
    int denominator; /* otherwise macro step over micro step is p/q at these values, with q up to this; 0: of
                      * macro step and sample time one is a multiple of the other */
    double own_step; /* otherwise they are the multiples of this step of a solver inside an FMU, which was
                      * searched, in seconds; 0: no step was searched, or none was found */
    int threads;     /* largest number of threads that worked */
    /* Sampled values, if a subsystem is known by measured maps only (an FMU for co-simulation) and the values
     * are not single. The result is then incomplete. */
    size_t sampled;   /* their number; otherwise 0 */
    double end_error; /* largest error of an end that follows from the errors of the maps */
    /* Single and sampled values at which the model is undefined or nothing could be measured: their number,
     * and the reason at the first one. */
    size_t refused;
    char refusal[600];
    /* Operating points: lost[0] is true if the network has none below lost_at[0], lost[1] if it has none
     * above lost_at[1]; with the reasons. */
    bool lost[2];
    double lost_at[2];
    char lost_reason[2][400];
} costab_analysis_limit;

/* Finds all intervals of a parameter, within the range of the options, in which the co-simulation does not
 * grow under coupling c of the variant (costab/limit.h). If the model is defined at single values only, an
 * interval is a sequence of these values. It ends with COSTAB_END_WHOLE if the next value has another class.
 * [out] *limit: free limit->found. COSTAB_INVALID for an unknown parameter or coupling, for an empty range,
 * for logarithmic spacing of a range that does not start above 0, or if a macro step or another step is not
 * positive at an end of the range. If the model is ill-posed at every evaluated value, returns the error at
 * the first. */
COSTAB_API costab_status costab_model_limit(const costab_variant *variant, int c, const char *parameter,
                                            const costab_analysis_limit_options *options,
                                            costab_analysis_limit *limit, costab_error *error);

/* Writes which single values were tried, such as "H: the 13 values at which ...; others were not tried".
 * Empty if the whole range was searched. */
#define COSTAB_TRIED_MAX 400
COSTAB_API void costab_limit_tried(const costab_analysis_limit *limit, const char *parameter,
                                   char words[COSTAB_TRIED_MAX]);

/* Writes what a limit leaves undecided, and what its completeness does not cover, one line each: values
 * without a map, stable values narrower than the search resolves, operating points that end, undecided widths
 * with their reason, formulas without a bound, numbers that were sampled. Empty if there is nothing to say.
 * unit: of the parameter; NULL: none. */
#define COSTAB_LIMIT_NOTES_MAX 4096
COSTAB_API void costab_limit_notes(const costab_analysis_limit *limit, const char *parameter,
                                   const char *unit, char words[COSTAB_LIMIT_NOTES_MAX]);

#ifdef __cplusplus
}
#endif

#endif
