/* planar/area_rule.h - the integral of a quotient of real polynomials by Gauss-Legendre quadrature in pairs
 * of doubles, with a proved bound of its error. */
#ifndef PLANAR_AREA_RULE_H
#define PLANAR_AREA_RULE_H

#include <stdbool.h>

#include "base/flint.h"
#include "method/integer_poly.h"
#include "planar/area_pair.h"

/* Rules of 16, 32 and 64 points. They are symmetric: the points above 0, from the largest down, and their
 * weights, each as a double and what is left of it. */
enum { RULE_COUNT = 3, RULE_POINTS = 16 + 32 + 64 };

/* The most bits within reach, and the most coefficients. */
enum { AREA_RULE_BITS_MAX = 80, AREA_RULE_LENGTH_MAX = 80 };

extern const double area_rule_points[RULE_POINTS / 2][4];

/* sum c[k] u^k 2^exponent; each c[k] is known to `error`. */
typedef struct area_rule_form {
    int length;
    long exponent;
    area_pair c[AREA_RULE_LENGTH_MAX];
    double error, size; /* size: sum |c[k]|, at least */
} area_rule_form;

/* x 2^exponent; *exact: whether x fits. */
area_pair area_rule_number(const mpz_t x, int exponent, bool *exact);

/* False where the polynomial is longer than AREA_RULE_LENGTH_MAX, or 0. */
bool area_rule_load(area_rule_form *form, const integer_poly *f);

/* The integral of top / bottom from -1 to 1, or between ends that are off by `off` in all, times 2^(exponent
 * of bottom - exponent of top). False where the proved error is above 2^-bits of it, as where a pole is near.
 */
bool area_rule_pairs(const area_rule_form *top, const area_rule_form *bottom, double off, long bits,
                     area_pair *integral, double *error);

/* The proved error of a rule with `half` points above 0, had its sum no rounding, for a function that is
 * analytic and at most `most` in the ellipse with foci -1 and 1 whose half axes have the sum r > 1: of the
 * rule itself, of points that are off by 2^-106, which the slope multiplies, at most `most` over the distance
 * of the ellipse, and of ends that are off. */
double area_rule_error(double r, double most, int half, double off);

/* The same of balls, between -1 and 1: about 30 times as fast as acb_calc_integrate. */
bool area_rule_integral(const arb_poly_t top, const arb_poly_t bottom, slong bits, arb_t integral);

#endif
