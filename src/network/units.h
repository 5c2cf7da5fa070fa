/* network/units.h - units in which a network's numbers are alike, whatever units the model is written in.
 *
 * With a unit e^d for each state, input and output, and a rate w, the entries a of A, B, C, D and L become
 * a e^(d_j - d_i), in the rows of A and B over w. The d and w that minimise the sum of squares of the
 * logarithms of all entries that are not 0 (Curtis and Reid) turn with the model's units: in other units of
 * the model they make the same numbers but for rounding, and so does whatever is found from these. */
#pragma once

#include "network/work.h"

/* Room of units_find for so many states, inputs and outputs: doubles, and ints. */
size_t units_work(int signals);
size_t units_iwork(int signals);

/* [out] units: of all states, inputs and outputs, one after the other, as the nearest powers of 2, so that
 * they round nothing, none beyond 2^1000. False where the equations are singular: then they are 1. */
bool units_find(const costab_network *network, int signals, double *units, double *room, int *iroom);

/* The units of the map's state, from those. */
void units_of_map(const costab_network_work *work, const double *units, double *map_units);
