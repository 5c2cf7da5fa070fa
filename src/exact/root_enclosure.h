/* exact/root_enclosure.h - a root of a polynomial whose coefficients are balls. */
#pragma once

#include <stdbool.h>

#include "base/flint.h"

/* The root is start + u, for all coefficients in the balls of F; F(start + u) = sum shifted[k] u^k. */
typedef struct root_enclosure {
    acb_ptr start, u;
    acb_poly_t shifted;
} root_enclosure;

void root_enclosure_init(root_enclosure *e);
void root_enclosure_clear(root_enclosure *e);

/* Encloses the root of F near `start` for all coefficients in F's balls: where Krawczyk's operator maps a
 * disc into its inside, the disc holds one root. False where none of a few discs is mapped so. */
bool root_enclosure_find(const acb_poly_t F, const acb_t start, slong precision, root_enclosure *e);

/* The same for F = P + factor Q. Where the factor is a wide ball and P and Q are not, that encloses more:
 * terms of Q that cancel at the root are not widened one by one. */
bool root_enclosure_find_sum(const acb_poly_t P, const acb_poly_t Q, const acb_t factor, const acb_t start,
                             slong precision, root_enclosure *e);
