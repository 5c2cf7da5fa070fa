/* area/planar_points.h - rows of the planar system with full accuracy. */
#pragma once

#include "planar/row.h"

/* A row of a co-simulation scheme. Its coefficients are computed in balls if doubles would lose digits.
 * Returns false if memory is exhausted. */
bool exact_planar_row(const costab_planar_slice *slice, double gamma, planar_row *row);

/* The float fields of a row. [in] row: NULL for the simulation; delta: n ascending values. Returns false if
 * memory is exhausted. */
bool exact_planar_fields(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                         const double *delta, const costab_planar_fields *fields);
