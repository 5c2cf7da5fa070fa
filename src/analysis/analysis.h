/* analysis/analysis.h - functions for other modules: families of networks along a parameter of a model, their
 * limits, and the limits of solvers alone. */
#pragma once

#include "costab/analysis.h"
#include "costab/margin.h"

/* The family of *family, which is borrowed. */
costab_family costab_study_family_of(costab_study_family *family);

/* Sets the parameter, updates the instance and takes the coupling's choices; those of jacobi where a
 * subsystem is alone. */
costab_status costab_study_family_set(const costab_study_family *family, double value,
                                      costab_coupling *coupling, costab_error *error);

/* The network that the family analyses at the instance's present parameters. */
costab_network costab_study_family_network(const costab_study_family *family);

/* The values in a range of the family's one parameter that are to be tried one by one: whole numbers where a
 * count depends on it (costab_model_instance_counts); where it moves macro steps or micro steps of fixed
 * length, those at which the macro step is a whole number of micro steps, or with COSTAB_CLOCKS p/q times as
 * long, for as many q as make some 2000 values. At some of them the model may still not be defined. [out]
 * *values: free with costab_study_values_free, also after an error. COSTAB_INVALID for more than 10,000 whole
 * numbers or ratios, and for more multiples of constant micro steps than costab_limit_places lists. */
costab_status costab_study_values_find(const costab_study_family *family, const double range[2],
                                       costab_study_values *values, costab_error *error);

void costab_study_values_free(costab_study_values *values);

/* All pieces of one parameter (family->count is 1) in which the co-simulation does not grow:
 * costab_limit_find, at single values where costab_study_values_find has them. Errors as there. */
costab_status costab_study_limit_find(const costab_study_family *family,
                                      const costab_study_limit_options *options, costab_study_limit *limit,
                                      costab_error *error);

/* Whether the subsystem has states whose own matrix is stable at the present parameters, or that are known by
 * measured maps alone. */
costab_status costab_study_own_asked(const costab_study_family *family, int subsystem, bool *asked,
                                     costab_error *error);

/* Whether stability ends at an end of a stable piece: by a crossing, or by an undecided piece as narrow as a
 * double eigenvalue leaves it (1e-5 of the value), after which nothing is stable. */
bool costab_limit_ends(const costab_limit *found, size_t piece, bool upper);

/* The ends of the intervals in which each of these subsystems alone is stable, by costab_study_limit_find
 * with these options. Where the parameter is a count, or allows single values only, there are
 * none. [out] *limits: free with costab_own_limits_free, also after an error. */
costab_status costab_study_own_find(const costab_study_family *family,
                                    const costab_study_limit_options *options, costab_own_limits *limits,
                                    costab_error *error);

void costab_own_limits_free(costab_own_limits *limits);

/* Returns the nearest limit of a subsystem's own solver that is within 10 % of a coupling's end, or below it;
 * NULL: none. */
const costab_own_end *costab_own_limit_at(const costab_own_limits *limits, double end, bool upper);

/* Returns true if the end agrees with the limit of the solver to 1e-6. */
bool costab_own_limit_equal(const costab_own_end *own, double end);

/* "heatpump's own solver, rk4 with 1 micro step, ends at H = 334.235: more micro steps lift this". Where a
 * coupling ends there, too, to 1e-6, "; no coupling will" follows (`equal`). */
void costab_own_sentence(const costab_network *network, const char *parameter, const costab_own_end *end,
                         bool equal, char sentence[COSTAB_OWN_SENTENCE_MAX]);

/* The causes of the ends of all pieces of a limit that costab_study_limit_find found for this family over
 * this range: [out] causes: two entries per piece, for its start and its end. Ends of the range, undecided
 * ends and ends of undecided pieces have no cause; for isolated values the next value determines the cause.
 * The parameter of the family is changed. COSTAB_MEMORY; errors of costab_study_values_find. */
costab_status costab_study_limit_causes(const costab_study_family *family,
                                        const costab_study_limit_options *options,
                                        const costab_study_limit *limit, costab_limit_cause *causes,
                                        costab_error *error);
