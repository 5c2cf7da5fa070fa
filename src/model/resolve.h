/* model/resolve.h - intervals of one parameter on which the numbers of a model are close to polynomials, for
 * searches by interpolation. */
#pragma once

#include "base/first_cells.h"
#include "model/instance.h"

/* Divides range[0] <= parameter <= range[1] into cells. On each cell, all formulas affected by the parameter
 * are polynomials of degree 16 up to 1e-8 of their largest value, or undefined; or its relative width is
 * below 1e-14 (a kink, a jump or a pole); or it is marked `open`, because there were too many cells. samples:
 * number of values at which numbers without a formula are compared with their interpolants; 0: none. Changes
 * the parameter of the instance. [out] *cells: free with first_cells_free, also after an error.
 * COSTAB_MEMORY, and errors of updates that end a search (error_ends_search). */
costab_status model_resolve(costab_model_instance *instance, int parameter, const double range[2],
                            size_t samples, first_cells *cells, costab_error *error);

/* Appends a cell of positive length. */
costab_status model_add_cell(first_cells *cells, first_cell cell, costab_error *error);

/* Divides the cells further until numbers without a formula (of solved operating points and FMUs) agree with
 * their interpolants. `moving`: the affected parameters. */
costab_status model_resolve_samples(costab_model_instance *instance, int parameter, const model_set *moving,
                                    size_t samples, first_cells *cells, costab_error *error);
