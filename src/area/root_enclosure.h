/* area/root_enclosure.h - a ball with exactly one root of a polynomial with balls as coefficients. */
#pragma once

#include <stdbool.h>

#include "base/flint.h"

/* The root is start + u, with a number start and a ball u; F(start + u) = sum shifted[k] u^k. */
typedef struct root_enclosure {
    acb_ptr start, u;
    acb_poly_t shifted;
} root_enclosure;

void root_enclosure_init(root_enclosure *e);
void root_enclosure_clear(root_enclosure *e);

/* Encloses the root of F near `start` for all coefficients in F's balls. Returns false if this cannot be
 * proved: multiple root, or balls too wide. */
bool root_enclosure_find(const acb_poly_t F, const acb_t start, slong precision, root_enclosure *e);

/* Like root_enclosure_find() for F = P + factor Q. Succeeds more often for a wide `factor` and narrow P and
 * Q: Q is expanded at the start first, and partial cancellation of its terms is not widened by the factor. */
bool root_enclosure_find_sum(const acb_poly_t P, const acb_poly_t Q, const acb_t factor, const acb_t start,
                             slong precision, root_enclosure *e);
