/* proof/step_map.h - the map of one macro step in coordinates that do not depend on the steps before.
 *
 * Where the master extrapolates along a line it remembers the slope between the last two arrivals instead of
 * the older value: then the map depends on its own step alone, and steps of any lengths follow each other.
 * Equilibria, which all maps share, are taken out, and what nobody reads. */
#ifndef PROOF_STEP_MAP_H
#define PROOF_STEP_MAP_H

#include "costab/network.h"

typedef struct step_map step_map;

/* For a checked network and coupling; both are borrowed. COSTAB_INVALID where maps of single steps are not
 * enough, or where they depend on the step otherwise. steps: two or more lengths, which tell what is
 * redundant. */
costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **maps, costab_error *error);
void step_map_destroy(step_map **maps);

int step_map_size(const step_map *maps);
/* Equilibria, and rigid motions that all maps share, that were taken out. */
int step_map_neutral(const step_map *maps);
/* All subsystems are exact, and inputs constant over a step: M'' is known, not estimated. */
bool step_map_exact(const step_map *maps);

/* The map of a step: size x size, row-major; infinite where the coupling's iteration diverges, or it
 * overflows. */
costab_status step_map_at(step_map *maps, double step, double *map, costab_error *error);

/* Where step_map_exact: a bound of ||T M''(h) T^-1|| for all h within `radius` of step; T and its inverse are
 * size x size. */
costab_status step_map_bend(step_map *maps, double step, double radius, const double *T,
                            const double *inverse, double *bend, costab_error *error);

#endif
