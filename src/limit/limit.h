/* limit/limit.h - the search for limits, the maps of a network as a family, and margins of one map or
 * connection; used by analysis and by the charts of study. */
#pragma once

#include "costab/limit.h"

/* Computes the matrices of a family at one point, from a network with numbers. */
costab_status network_family_point(costab_network_work *work, const costab_network *network,
                                   const costab_coupling *coupling, unsigned wanted,
                                   costab_family_point *point, costab_error *error);

/* Returns the number of delayed values of the network's map, as costab_family_stored. */
double network_family_stored(costab_network_work *work, const costab_network *network,
                             const costab_coupling *coupling);

/* COSTAB_INVALID for an empty range, ends that are not finite, and logarithmic spacing of a range that does
 * not start above 0. */
costab_status limit_check_range(double lower, double upper, costab_spacing spacing, costab_error *error);

/* Finds all stable intervals of lower <= parameter <= upper. An end at which an eigenvalue crosses the limit
 * with a nonzero slope is refined to 1e-14 relative, or until rounding of the eigenvalue hides the crossing.
 * An undecided interval remains if rounding hides the answer, if an eigenvalue only touches the limit, or if
 * the evaluations are exhausted. [out] limit: free with costab_limit_free, also after an error. Returns
 * COSTAB_INVALID for an empty range, for more than 1,000,000 places by default, or for logarithmic spacing of
 * a range that does not start above 0. If the model is ill-posed at every evaluated value, returns the
 * family's first status and message. */
costab_status limit_find(const costab_family *family, const costab_limit_options *options,
                         costab_limit *limit, costab_error *error);

/* Lists the macro steps (s) that micro steps of fixed length permit: with COSTAB_WHOLE the integer multiples
 * of costab_network_macro_unit, with COSTAB_CLOCKS its multiples by p/q. q goes up to the largest value
 * with at most 2000 macro steps in the range, but not above COSTAB_CLOCK_PARTS. [out] *places: macro steps in
 * the range, ascending, for costab_limit_options; NULL if every value is allowed; free with
 * limit_places_free. *denominator: largest q; 1 for integer multiples; 0 with COSTAB_WHOLE if only
 * discrete-time subsystems limit the macro step: the integer fractions and multiples of their sample times
 * are listed, and other values may be defined. Returns COSTAB_INVALID if the range has too many of these
 * macro steps. */
costab_status limit_places(const costab_network *network, const costab_coupling *coupling,
                           const double range[2], double **places, size_t *count, int *denominator,
                           costab_error *error);

void limit_places_free(double **places);

/* Computes the stability radius of a real size x size map M (row-major, finite): the smallest 2-norm of a
 * complex E such that M + E has an eigenvalue on the unit circle. It is the minimum over |z| = 1 of the least
 * singular value of z I - M; 0 if M has an eigenvalue on or outside the circle, infinite if size is 0.
 *
 * The result depends on the units of the states; `scaled` first balances the map by LAPACK's diagonal scaling
 * with powers of 2. Accurate to rounding, by levels of a pencil's unit eigenvalues (Byers; Boyd and
 * Balakrishnan; Bruinsma and Steinbuch). [out] *turn: the angle of that z, from 0 to pi; NaN if the radius is
 * 0 or infinite. Returns COSTAB_NUMERIC if LAPACK fails. */
costab_status stability_radius(int size, const double *map, bool scaled, double *radius, double *turn,
                               costab_error *error);

/* Computes the margins of a connection. The family's parameter is the connection's factor. For each z on the
 * unit circle, g stands for the numbers for which the map with factor 1 + 1/g has the eigenvalue z: they
 * follow from a polynomial in the factor (loop.c), interpolated between 0 and 2. The maxima of |g| and
 * |g + 1/2| over z are found by samples, denser around the angle of every eigenvalue, and refined.
 * Limitation: a higher maximum between samples may be missed, and the margin is then too large. All results
 * are NaN if the map is unstable at factor 1, if the map is complex, overflows or does not exist at a node,
 * or if the polynomial's degree exceeds 12 for some z. */
costab_status loop_find(const costab_family *factor, costab_loop *loop, costab_error *error);
