/* model/resolve.h - where along one parameter the numbers of a model are polynomials, for searches that
 * interpolate. */
#pragma once

#include "base/first_cells.h"
#include "model/instance.h"

/* Divides range[0] <= parameter <= range[1] into cells on each of which every number that moves with the
 * parameter, but for changes below 1e-8 of its largest value, is a polynomial of degree 15, or narrower than
 * 1e-14: a kink or a jump. samples: at so many values numbers without a formula are compared with their
 * interpolants; 0: they are not looked at. Changes the parameter of the instance. [out] *cells: cells->of is
 * freed with memory_free, also after an error. */
costab_status model_resolve(costab_model_instance *instance, int parameter, const double range[2],
                            size_t samples, first_cells *cells, costab_error *error);

/* Adds a cell; one without length is not added. */
costab_status model_add_cell(first_cells *cells, first_cell cell, costab_error *error);

/* Divides the cells further until numbers without a formula, which are those of solved operating points and
 * of other programs, agree with their interpolants. `moving`: the parameters that move. */
costab_status model_resolve_samples(costab_model_instance *instance, int parameter, const model_set *moving,
                                    size_t samples, first_cells *cells, costab_error *error);
