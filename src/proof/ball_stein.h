/* proof/ball_stein.h - a second way to show where eigenvalues are: by Stein's inequality. */
#pragma once

#include "proof/ball_cell.h"

/* Is the verdict `wanted` shown on all of an interval: BALL_INSIDE, all eigenvalues are inside the circle, or
 * BALL_OUTSIDE, one is outside everywhere? False: not shown; also for rectangles. `subintervals`: at most so
 * many are tried. *evaluations grows by the number of matrices made. */
bool ball_stein(const ball_family *family, const ball_region *region, double radius, ball_verdict wanted,
                slong precision, long subintervals, long *evaluations);
