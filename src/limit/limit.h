/* limit/limit.h - the search for limits, used by analysis and by the charts of study. */
#pragma once

#include "costab/limit.h"

/* Computes the matrices of a family at one point, from a network with numbers. */
costab_status costab_network_family_point(costab_network_work *work, const costab_network *network,
                                          const costab_coupling *coupling, unsigned wanted,
                                          costab_family_point *point, costab_error *error);

/* Returns the number of delayed values of the network's map, as costab_family_stored. */
double costab_network_family_stored(costab_network_work *work, const costab_network *network,
                                    const costab_coupling *coupling);

/* Finds all stable intervals of lower <= parameter <= upper. Transversal ends are found to 1e-12 relative. An
 * undecided interval remains if rounding hides the answer, if the parameter only touches a limit, or if the
 * evaluations are exhausted. [out] limit: free with costab_limit_free, also after an error. Returns
 * COSTAB_INVALID for an empty range and, with the family's message, if the model is ill-posed everywhere. */
costab_status costab_limit_find(const costab_family *family, const costab_limit_options *options,
                                costab_limit *limit, costab_error *error);

/* Lists the macro steps that micro steps of fixed length permit: their common multiples for COSTAB_WHOLE,
 * ratios p/q for COSTAB_CLOCKS, with q limited to about 2000 values. [out] *places: values in the range,
 * ascending, for costab_limit_options; NULL if every value is allowed; free with costab_limit_places_free.
 * *denominator: largest q, 1 for whole multiples; 0 for macro steps that are whole fractions or multiples of
 * sample times. */
costab_status costab_limit_places(const costab_network *network, const costab_coupling *coupling,
                                  const double range[2], double **places, size_t *count, int *denominator,
                                  costab_error *error);

void costab_limit_places_free(double **places);

/* Computes the stability radius of a real size x size map M (row-major, finite): the smallest 2-norm of a
 * complex E such that M + E has an eigenvalue on the unit circle. It is the minimum over |z| = 1 of the least
 * singular value of z I - M; 0 if M is unstable.
 *
 * The result depends on the units of the states; `scaled` first balances the map by LAPACK's diagonal scaling
 * with powers of 2. Accurate to rounding, by levels of a pencil's unit eigenvalues (Byers; Boyd and
 * Balakrishnan; Bruinsma and Steinbuch). [out] *turn: the angle of that z, from 0 to pi; NaN if M is
 * unstable. */
costab_status costab_map_radius(int size, const double *map, bool scaled, double *radius, double *turn,
                                costab_error *error);

/* Computes the margins of a connection. The family's parameter is the connection's factor. The g follow from
 * the polynomial det(z I - M) det(I - J) ... in the factor, interpolated between 0 and 2. Samples, denser
 * around the angle of every eigenvalue, and refinement find the maxima over z; they are not bounds. All
 * results are NaN if the map is complex or overflows, or if the polynomial's degree exceeds 12. */
costab_status costab_loop_find(const costab_family *factor, costab_loop *loop, costab_error *error);
