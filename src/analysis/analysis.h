/* analysis/analysis.h - functions for other modules: families of networks along a parameter of a model, their
 * limits, and stand-alone limits of solvers. */
#pragma once

#include "costab/analysis.h"
#include "costab/margin.h"

/* Returns the family of maps of *family, which is borrowed. */
costab_family costab_study_family_of(costab_study_family *family);

/* Sets the parameter, updates the instance and returns the coupling, or jacobi for a single subsystem. */
costab_status costab_study_family_set(const costab_study_family *family, double value,
                                      costab_coupling *coupling, costab_error *error);

/* Returns the analysed network at the instance's present parameters. */
costab_network costab_study_family_network(const costab_study_family *family);

/* Lists the values of the family's parameter in a range that must be tried one by one. These are integers if
 * a count depends on the parameter (costab_model_instance_counts). If it affects macro steps or micro steps
 * of fixed length, they are the values with an integer number of micro steps, or with COSTAB_CLOCKS ratios
 * p/q, with q limited to about 2000 values. The model may be undefined at some of them. [out] *values: free
 * with costab_study_values_free, also after an error. Returns COSTAB_INVALID above 10,000 integers or ratios,
 * and above the multiples of constant micro steps in costab_limit_places. */
costab_status costab_study_values_find(const costab_study_family *family, const double range[2],
                                       costab_study_values *values, costab_error *error);

void costab_study_values_free(costab_study_values *values);

/* Finds all intervals of one parameter (family->count is 1) without growth of the co-simulation, by
 * costab_limit_find, or at the values of costab_study_values_find. Errors as in these functions. */
costab_status costab_study_limit_find(const costab_study_family *family,
                                      const costab_study_limit_options *options, costab_study_limit *limit,
                                      costab_error *error);

/* Determines if the subsystem has states, and its own matrix is stable at the present parameters or known by
 * measured maps only. */
costab_status costab_study_own_asked(const costab_study_family *family, int subsystem, bool *asked,
                                     costab_error *error);

/* Returns true if stability is lost at an end of a stable interval: by a crossing, or by an undecided
 * interval as narrow as a double eigenvalue leaves it (1e-5 of the value), followed by instability. */
bool costab_limit_ends(const costab_limit *found, size_t piece, bool upper);

/* Finds the ends of the stand-alone stable intervals of these subsystems by costab_study_limit_find with
 * these options; none if the parameter is a count or has discrete values. [out] *limits: free with
 * costab_own_limits_free, also after an error. */
costab_status costab_study_own_find(const costab_study_family *family,
                                    const costab_study_limit_options *options, costab_own_limits *limits,
                                    costab_error *error);

void costab_own_limits_free(costab_own_limits *limits);

/* Returns the nearest stand-alone limit within 10 % of a coupling's end, or below it; NULL: none. */
const costab_own_end *costab_own_limit_at(const costab_own_limits *limits, double end, bool upper);

/* Returns true if the end equals the stand-alone limit to 1e-6. */
bool costab_own_limit_equal(const costab_own_end *own, double end);

/* Writes "heatpump's own solver, rk4 with 1 micro step, ends at H = 334.235: more micro steps lift this".
 * `equal` (the coupling ends there as well, to 1e-6) appends "; no coupling will". */
void costab_own_sentence(const costab_network *network, const char *parameter, const costab_own_end *end,
                         bool equal, char sentence[COSTAB_OWN_SENTENCE_MAX]);

/* Finds the causes of all ends of a limit computed by costab_study_limit_find for this family and range.
 * [out] causes: two entries per interval, for its start and its end. Ends of the range, undecided ends and
 * ends of undecided intervals have no cause; for discrete values the next value determines it. Changes the
 * parameter of the family. Returns COSTAB_MEMORY, or an error of costab_study_values_find. */
costab_status costab_study_limit_causes(const costab_study_family *family,
                                        const costab_study_limit_options *options,
                                        const costab_study_limit *limit, costab_limit_cause *causes,
                                        costab_error *error);
