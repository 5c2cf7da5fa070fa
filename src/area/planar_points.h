/* area/planar_points.h - rows of the planar system with all their digits. */
#pragma once

#include "planar/row.h"

/* A row of a co-simulation scheme, its coefficients in balls where doubles lose digits. False where memory is
 * out. */
bool exact_planar_row(const costab_planar_slice *slice, double gamma, planar_row *row);

/* Its float fields. [in] row: NULL for the simulation; delta: n ascending values. False where memory
 * is out. */
bool exact_planar_fields(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                         const double *delta, const costab_planar_fields *fields);
