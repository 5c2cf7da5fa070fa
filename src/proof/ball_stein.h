/* proof/ball_stein.h - a second way to show where eigenvalues are: by Stein's inequality. */
#pragma once

#include "proof/ball_cell.h"

/* What ball_cell shows, of an interval: are all eigenvalues inside the circle, or is one outside everywhere?
 *
 * Where P - M* P M is positive definite with a Hermitian P no eigenvalue of M is on the unit circle, and as
 * many are outside as P has negative eigenvalues (A. Ostrowski, H. Schneider 1962). The matrices are
 * interpolated at Chebyshev points with a proved error; on subintervals of the interval P is made of the
 * eigenvectors at the subinterval's middle, and definiteness is shown at its two ends by Cholesky's factors
 * in balls: in between it follows, as what is not linear is added as an error. Unlike the crossing functions,
 * which are products of many small numbers where a macro step is short, this does not suffer from wide balls.
 * `subintervals`: at most so many are tried. */
bool ball_stein(const ball_family *family, const ball_region *region, double radius, ball_verdict wanted,
                slong precision, long subintervals, long *evaluations);
