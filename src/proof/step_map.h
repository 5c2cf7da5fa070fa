/* proof/step_map.h - the map of one macro step after steps of other lengths.
 *
 * A polynomial is drawn through the true times of its values. In the coordinates taken here the map depends
 * on its own step alone where polynomials have one or two nodes, on k - 1 steps before where they have k + 1;
 * and with delays in seconds on as many steps as take so long. Equilibria, which all maps share, are taken
 * out, and what nobody reads. */
#pragma once

#include "costab/network.h"

typedef struct step_map step_map;

/* For a checked network and coupling; both are borrowed. COSTAB_INVALID where steps of several lengths have
 * no meaning. steps: some lengths, the shortest that is used among them, which tell what is redundant. */
costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **maps, costab_error *error);
void step_map_destroy(step_map **maps);

int step_map_size(const step_map *maps);
/* Equilibria, and rigid motions that all maps share, that were taken out. */
int step_map_neutral(const step_map *maps);
/* All subsystems are exact, and inputs constant over a step: M'' is known, not estimated. */
bool step_map_exact(const step_map *maps);

/* How many steps before its own a map depends on, without delays in seconds; whether there are such delays.
 */
int step_map_lengths(const step_map *maps);
bool step_map_late(const step_map *maps);
/* How many of `count` steps before it a map depends on, the latest first. */
int step_map_reach(const step_map *maps, const double *before, int count);

/* The map of a step: size x size, row-major; infinite where the coupling's iteration diverges, or it
 * overflows. steps: its own length, then those of the steps before, the latest first, `count` in all; those
 * before are as long as the last of them. */
costab_status step_map_at(step_map *maps, const double *steps, int count, double *map, costab_error *error);

/* Where step_map_exact: a bound of ||T M''(h) T^-1|| for all h within `radius` of step; T and its inverse are
 * size x size. */
costab_status step_map_bend(step_map *maps, double step, double radius, const double *T,
                            const double *inverse, double *bend, costab_error *error);
