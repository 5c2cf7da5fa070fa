/* planar/projection_quick.h - what planar/projection.h finds, without FLINT, for polynomials of low degree;
 * but of the rows' shapes only as much as decides whether the areas of SS, US and US with Gamma > 0 are 0,
 * finite or infinite: that is so between neighbouring roots. */
#ifndef PLANAR_PROJECTION_QUICK_H
#define PLANAR_PROJECTION_QUICK_H

#include "planar/projection_apart.h"
#include "planar/quick_bounds.h"
#include "planar/resultant.h"

/* Adds the polynomials in a to `roots`; RESULTANT_TOO_LARGE, or roots->doubt: degrees are too high, or a
 * common factor was not found. [in] side: of both subsystems. [out] plane: curves and bounds in doubles. */
resultant_outcome projection_quick(const quick_side *side, costab_scheme scheme, quick_roots *roots,
                                   apart *plane, planar_watch *watch);

#endif
