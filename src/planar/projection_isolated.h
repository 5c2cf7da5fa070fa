/* planar/projection_isolated.h - curves that have an isolated point where phi(a) = phi(d) = 0.
 *
 * A multiple of such a curve's polynomial f is A p^2 + B p q + C q^2 with p = phi(a) and q = phi(d). Where 4
 * A C > B^2 it vanishes for p = q = 0 alone. So nothing of the curve lies next to such a point, and its
 * discriminant, a large polynomial, is not needed to see that. Wherever a method takes constant and linear
 * inputs as they are, the strong coupling's bounds meet like this. */
#ifndef PLANAR_PROJECTION_ISOLATED_H
#define PLANAR_PROJECTION_ISOLATED_H

#include <stdbool.h>

#include "planar/projection_pairs.h"

enum { ISOLATED_LENGTH = 8 };

/* Numbers at a distance of at most `off`. */
typedef struct isolated_ball {
    double mid, off;
} isolated_ball;

/* The polynomial's expansion by powers of p, up to the second, and of q: those of a^i d^j p^u q^v are
 * c[u degree + i][v degree + j], i and j below the degree of phi unless u or v is 2, where they go on. Each
 * is known to 2^-52 of itself. */
typedef struct isolated {
    int degree;                  /* of phi */
    double phi[ISOLATED_LENGTH]; /* phi[k] z^k, exactly */
    double c[ISOLATED_LENGTH][ISOLATED_LENGTH];
} isolated;

/* False where the polynomial has no such form, degrees are ISOLATED_LENGTH or more, or numbers too large.
 * [in] phi: a factor of phi in d, coefficients without a. */
bool isolated_make(isolated *at, const projection_factor *f, const projection_factor *phi);

/* Whether it is seen that f vanishes in a box for p = q = 0 only. */
bool isolated_seen(const isolated *at, isolated_ball a, isolated_ball d);

#endif
