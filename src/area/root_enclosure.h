/* area/root_enclosure.h - a ball that holds exactly one root of a polynomial whose coefficients are balls.
 */
#pragma once

#include <stdbool.h>

#include "base/flint.h"

/* The root is start + u, start being a number and u a ball; F(start + u) = sum shifted[k] u^k. */
typedef struct root_enclosure {
    acb_ptr start, u;
    acb_poly_t shifted;
} root_enclosure;

void root_enclosure_init(root_enclosure *e);
void root_enclosure_clear(root_enclosure *e);

/* Encloses the root of F near `start` for all coefficients in F's balls. False where that is not shown (a
 * multiple root, or balls that are too wide). */
bool root_enclosure_find(const acb_poly_t F, const acb_t start, slong precision, root_enclosure *e);

/* The same for F = P + factor Q. Where the factor is a wide ball, and P and Q are not, this succeeds more
 * often: Q is expanded at the start before its terms, which partly cancel there, are widened by the factor.
 */
bool root_enclosure_find_sum(const acb_poly_t P, const acb_poly_t Q, const acb_t factor, const acb_t start,
                             slong precision, root_enclosure *e);
