/* analysis/analysis.h - functions for other modules: families of networks along a parameter of a model, their
 * limits, and stand-alone limits of solvers. */
#pragma once

#include "costab/analysis.h"
#include "costab/margin.h"

/* ---- Parameters of a model as a family ---- */

/* A family (costab/limit.h) over a parameter of a model; all other parameters have the values of the
 * instance. */
typedef struct analysis_family {
    costab_model_instance *instance; /* borrowed, its parameters are set */
    costab_network_work *work;       /* borrowed */
    int own;                         /* index of the model's own coupling; -1: `choices` */
    const costab_coupling *choices;  /* borrowed; used with the macro step and micro steps of the model */
    int parameter;                   /* index of the varied parameter */
    int alone;                       /* 0: the network; s > 0: subsystem s - 1 alone, with inputs 0 */
} analysis_family;

/* The single values of a parameter at which a model is defined. */
typedef struct analysis_values {
    double *at; /* ascending; NULL: every value of the range is possible */
    size_t count;
    bool whole;      /* the parameter is a count, and these are all integers of the range */
    int denominator; /* otherwise the largest q of the ratios p/q of macro step to micro step (1: integer
                      * ratios); 0: of macro step and sample time one is a multiple of the other */
} analysis_values;

/* Returns the family of maps of *family, which is borrowed. */
costab_family analysis_family_of(analysis_family *family);

/* Sets the parameter, updates the instance and returns the coupling, or jacobi for a single subsystem. */
costab_status analysis_family_set(const analysis_family *family, double value, costab_coupling *coupling,
                                  costab_error *error);

/* Returns the analysed network at the instance's present parameters. */
costab_network analysis_family_network(const analysis_family *family);

/* Lists the values of the family's parameter in a range that must be tried one by one. These are integers if
 * a count depends on the parameter (costab_model_instance_counts). If it affects macro steps or micro steps
 * of fixed length, they are the values with an integer number of micro steps, or with COSTAB_CLOCKS ratios
 * p/q, with q limited to about 2000 values. The model may be undefined at some of them. [out] *values: free
 * with analysis_values_free, also after an error. Returns COSTAB_INVALID above 10,000 integers or ratios,
 * and above the multiples of constant micro steps in limit_places. */
costab_status analysis_values_find(const analysis_family *family, const double range[2],
                                   analysis_values *values, costab_error *error);

void analysis_values_free(analysis_values *values);

/* Finds all intervals of the family's parameter without growth of the co-simulation: by limit_find, at the
 * values of analysis_values_find, or, with FMUs for co-simulation, at sampled values. Errors as in these
 * functions. */
costab_status analysis_limit_find(const analysis_family *family, const costab_analysis_limit_options *options,
                                  costab_analysis_limit *limit, costab_error *error);

/* Returns the reason for an undecided interval: "where rounding hides what happens". */
const char *analysis_reason_words(costab_reason reason);

/* ---- Stand-alone limits ---- */

/* A stand-alone limit: an end of an interval on which a subsystem's own solver is stable with inputs 0. */
typedef struct costab_own_end {
    int subsystem;
    bool upper; /* the solver is stable below `value`, otherwise above */
    double value;
} costab_own_end;

typedef struct costab_own_limits {
    costab_own_end *ends;
    size_t count;
} costab_own_limits;

#define COSTAB_OWN_SENTENCE_MAX 400

/* *asked: a stand-alone limit is searched for this subsystem. It must have states and be stable in continuous
 * time at the present parameters, apart from structural modes, or be known by measured maps only.
 * Discrete-time subsystems have none. Returns COSTAB_MEMORY. */
costab_status costab_own_limits_asked(const analysis_family *family, int subsystem, bool *asked,
                                      costab_error *error);

/* Returns true if stability is lost at an end of a stable interval: by a crossing, or by an undecided
 * interval as narrow as a double eigenvalue leaves it (1e-5 of the value), followed by instability. */
bool costab_limit_ends(const costab_limit *found, size_t piece, bool upper);

/* Finds the ends of the stand-alone stable intervals of these subsystems by analysis_limit_find with these
 * options, without a search of the continuous system. There are none if the parameter has single values.
 * [out] *limits: free with costab_own_limits_free, also after an error. */
costab_status costab_own_limits_find(const analysis_family *family,
                                     const costab_analysis_limit_options *options, costab_own_limits *limits,
                                     costab_error *error);

void costab_own_limits_free(costab_own_limits *limits);

/* Returns the stand-alone limit nearest to an end of a coupling's limit. The end is beyond the stand-alone
 * limit or at most 10 % before it. NULL: none. */
const costab_own_end *costab_own_limit_at(const costab_own_limits *limits, double end, bool upper);

/* Returns true if the end equals the stand-alone limit to 1e-6. */
bool costab_own_limit_equal(const costab_own_end *own, double end);

/* Writes "heatpump's own solver, rk4 with 1 micro step, ends at H = 334.235 s: more micro steps lift this".
 * unit: that of the family's parameter, or NULL. `equal` (the coupling ends there as well, to 1e-6) appends
 * "; no coupling will". If the continuous subsystem is not stable beyond the end, the text after the colon is
 * "the subsystem itself is unstable beyond". Returns COSTAB_MEMORY. */
costab_status costab_own_sentence(const analysis_family *family, const char *unit, const costab_own_end *end,
                                  bool equal, char sentence[COSTAB_OWN_SENTENCE_MAX], costab_error *error);

/* Finds the causes of all ends of a limit computed by analysis_limit_find for this family. [out] causes: two
 * entries per interval, for its start and its end. Ends of the range, ends without an operating point beyond,
 * undecided ends and ends of undecided intervals have no cause; for single values the next value determines
 * it. Changes the parameter of the family. Returns COSTAB_MEMORY. */
costab_status analysis_limit_causes(const analysis_family *family, const costab_analysis_limit *limit,
                                    costab_limit_cause *causes, costab_error *error);
