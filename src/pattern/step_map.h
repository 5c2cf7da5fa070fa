/* pattern/step_map.h - the map of one macro step after steps of other lengths.
 *
 * Polynomials pass through their values at the actual times. In the coordinates of step_map.c the map depends
 * on its own step alone for polynomials with one or two nodes, and on k - 1 previous steps for k + 1 nodes. A
 * delay in seconds adds all previous steps within the delay. Directions of equilibria, common to all maps,
 * and states without effect on others are removed. step_graph.c and pattern_range.c use these maps. */
#pragma once

#include "costab/network.h"

typedef struct step_map step_map;

/* Creates the maps of a checked network and coupling, both borrowed. Returns COSTAB_INVALID if the coupling
 * excludes varying steps. steps: sample lengths, including the shortest one in use, for the reduction. */
costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **maps, costab_error *error);
void step_map_destroy(step_map **maps);

int step_map_size(const step_map *maps);
/* Returns the number of removed equilibria and rigid motions. */
int step_map_neutral(const step_map *maps);
/* Returns true if all methods are exact and all inputs constant over a step, in Jacobi coupling without
 * smoothing or area correction: M'' is then bounded instead of estimated. */
bool step_map_exact(const step_map *maps);

/* Return the number of previous steps with an effect on a map, without delays in seconds, and the presence of
 * such delays. */
int step_map_former_steps(const step_map *maps);
bool step_map_has_delay_time(const step_map *maps);
/* Returns how many of the previous steps `before`, latest first, affect a map, including delays in seconds;
 * at most `count`. */
int step_map_reach(const step_map *maps, const double *before, int count);

/* Computes the map of a step. steps: `count` lengths, its own first, then the previous ones, latest first;
 * earlier steps are as long as the last length. [out] map: size x size, row-major; infinite if the coupling's
 * iteration diverges or the map overflows. */
costab_status step_map_at(step_map *maps, const double *steps, int count, double *map, costab_error *error);

/* Bounds ||T M''(h) T^-1|| for all h within `radius` of step; T and its inverse are size x size. Requires
 * step_map_exact. */
costab_status step_map_second_derivative(step_map *maps, double step, double radius, const double *T,
                                         const double *inverse, double *bound, costab_error *error);
