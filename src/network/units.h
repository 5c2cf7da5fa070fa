/* network/units.h - balanced units of a network, independent of the units of the model.
 *
 * With a unit e^d for each state, input and output and a rate w, entries a of A, B, C, D and L become a
 * e^(d_j - d_i), divided by w in the rows of A and B. The d and w minimise the sum of squares of the
 * logarithms of all nonzero entries (Curtis and Reid). A change of the model's units changes d alike, so the
 * balanced numbers, and all results from them, are equal up to rounding. */
#pragma once

#include "network/work.h"

/* Workspace of units_find for all states, inputs and outputs: doubles, ints. */
size_t units_work(int signals);
size_t units_iwork(int signals);

/* [out] units: of all states, inputs and outputs in sequence, rounded to powers of 2 within 2^+-1000. If the
 * equations are singular the units are 1 and the function returns false. */
bool units_find(const costab_network *network, int signals, double *units, double *space, int *ispace);

/* Computes the units of the map's state from these units. */
void units_of_map(const costab_network_work *work, const double *units, double *map_units);
