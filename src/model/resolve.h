/* model/resolve.h - intervals of one parameter on which the numbers of a model are close to polynomials, for
 * searches by interpolation. */
#pragma once

#include "base/first_cells.h"
#include "model/instance.h"

/* Divides range[0] <= parameter <= range[1] into cells. On each cell, all numbers affected by the parameter
 * are polynomials of degree 15 up to 1e-8 of their largest value, or the cell is narrower than 1e-14: a kink
 * or a jump. samples: number of values at which numbers without a formula are compared with their
 * interpolants; 0: none. Changes the parameter of the instance. [out] *cells: free cells->of with
 * memory_free, also after an error. */
costab_status model_resolve(costab_model_instance *instance, int parameter, const double range[2],
                            size_t samples, first_cells *cells, costab_error *error);

/* Appends a cell of positive length. */
costab_status model_add_cell(first_cells *cells, first_cell cell, costab_error *error);

/* Divides the cells further until numbers without a formula (of solved operating points and FMUs) agree with
 * their interpolants. `moving`: the affected parameters. */
costab_status model_resolve_samples(costab_model_instance *instance, int parameter, const model_set *moving,
                                    size_t samples, first_cells *cells, costab_error *error);
