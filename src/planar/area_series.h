/* planar/area_series.h - short power series with a bound of what they leave out.
 *
 * A function f on a box x = c + r u, |u| <= 1, is held as sum coefficient[k] u^k plus a rest whose magnitude
 * is at most `rest` on the box. Roundings are not in the rest. */
#ifndef PLANAR_AREA_SERIES_H
#define PLANAR_AREA_SERIES_H

#include <stdbool.h>

enum { SERIES_ORDER = 14 };

typedef struct series {
    double coefficient[SERIES_ORDER + 1];
    double rest;
} series;

series series_constant(double value);
/* centre + radius u */
series series_line(double centre, double radius);
/* The polynomial with ascending coefficients at centre + radius u; degree <= 20. */
series series_polynomial(const double *coefficients, int degree, double centre, double radius);
series series_add(const series *f, const series *g);
series series_scale(const series *f, double factor);
series series_multiply(const series *f, const series *g);
/* 1 / f; false where f may vanish on the box or the series does not converge well enough to bound its rest.
 */
bool series_invert(const series *f, series *inverse);
/* Sum of the magnitudes: bounds |f| on the box. */
double series_norm(const series *f);

#endif
