/* limit/limit.h - the search for limits, for the questions of analysis and for charts of study. */
#pragma once

#include "costab/limit.h"

/* Makes the point of a family from a network whose numbers are set. */
costab_status costab_network_family_point(costab_network_work *work, const costab_network *network,
                                          const costab_coupling *coupling, unsigned wanted,
                                          costab_family_point *point, costab_error *error);

/* Returns how many delayed values the network stores, as costab_family_stored. */
double costab_network_family_stored(costab_network_work *work, const costab_network *network,
                                    const costab_coupling *coupling);

/* Finds all pieces of lower <= parameter <= upper. Transversal ends are found to 1e-12 relative; an undecided
 * piece remains if rounding hides the answer, if the parameter only touches a limit, and if the evaluations
 * end. [out] limit: free with costab_limit_free, also after an error. COSTAB_INVALID for an empty range and,
 * with the message of the family, if the model is ill-posed everywhere. */
costab_status costab_limit_find(const costab_family *family, const costab_limit_options *options,
                                costab_limit *limit, costab_error *error);

/* The values of the macro step that micro steps of fixed length allow: under COSTAB_WHOLE their common
 * multiples, under COSTAB_CLOCKS ratios p/q, with q up to a value that gives about 2000 values. [out]
 * *places: the values in the range, ascending, for costab_limit_options; NULL if every value is allowed; free
 * with costab_limit_places_free. *denominator: the largest q, 1 for whole multiples. */
costab_status costab_limit_places(const costab_network *network, const costab_coupling *coupling,
                                  const double range[2], double **places, size_t *count, int *denominator,
                                  costab_error *error);

void costab_limit_places_free(double **places);

/* The stability radius of a real size x size map M (row-major, finite): the smallest 2-norm of a complex E
 * for which M + E has an eigenvalue on the unit circle, min over |z| = 1 of the least singular value of z I -
 * M; 0 if M is unstable. It depends on the units of the states: with `scaled` the map is first balanced by
 * LAPACK's diagonal scaling, by powers of 2. Found to rounding, by levels of a pencil's unit
 * eigenvalues (Byers; Boyd and Balakrishnan; Bruinsma and Steinbuch). [out] *turn: the angle of that z, from
 * 0 to pi; NaN if M is unstable. */
costab_status costab_map_radius(int size, const double *map, bool scaled, double *radius, double *turn,
                                costab_error *error);

/* Computes the margins of a connection; the number of the family is the connection's factor. The g follow
 * from the polynomial det(z I - M) det(I - J) ... in the factor, interpolated between 0 and 2. The maxima
 * over z are searched by samples, denser around the angle of every eigenvalue, and refined; they are not
 * bounds. All results are NaN also if the map is complex or overflows, or if no polynomial of degree up to 12
 * fits. */
costab_status costab_loop_find(const costab_family *factor, costab_loop *loop, costab_error *error);
