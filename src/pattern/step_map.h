/* pattern/step_map.h - the map of one macro step after steps of other lengths.
 *
 * A polynomial goes through its values at their true times. In the coordinates chosen here (step_map.c) the
 * map depends on its own step alone where polynomials have one or two nodes, on k - 1 former steps where they
 * have k + 1; and with a delay in seconds on as many former steps as take so long. Equilibria, which all maps
 * share, and states that no other state reads, are removed. */
#pragma once

#include "costab/network.h"

typedef struct step_map step_map;

/* For a checked network and coupling; both are borrowed. COSTAB_INVALID where steps of several lengths have
 * no meaning. steps: some lengths, the shortest that is used among them, which tell what is redundant. */
costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **maps, costab_error *error);
void step_map_destroy(step_map **maps);

int step_map_size(const step_map *maps);
/* How many equilibria and rigid motions were removed. */
int step_map_neutral(const step_map *maps);
/* All subsystems are exact, and inputs constant over a step: M'' is known, not estimated. */
bool step_map_exact(const step_map *maps);

/* On how many former steps a map depends, without delays in seconds; whether there are such delays. */
int step_map_former_steps(const step_map *maps);
bool step_map_has_delay_time(const step_map *maps);
/* On how many of the former steps `before`, the latest first, a map depends, with delays in seconds; `count`:
 * all. */
int step_map_reach(const step_map *maps, const double *before, int count);

/* The map of a step: size x size, row-major; infinite where the coupling's iteration diverges, or it
 * overflows. steps: its own length, then those of the steps before, the latest first, `count` in all; those
 * before are as long as the last of them. */
costab_status step_map_at(step_map *maps, const double *steps, int count, double *map, costab_error *error);

/* Where step_map_exact: a bound of ||T M''(h) T^-1|| for all h within `radius` of step; T and its inverse are
 * size x size. */
costab_status step_map_second_derivative(step_map *maps, double step, double radius, const double *T,
                                         const double *inverse, double *bound, costab_error *error);
