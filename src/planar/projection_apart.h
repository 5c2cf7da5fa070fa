/* planar/projection_apart.h - which curves in the plane of a and d are seen to stay apart, by subdivision in
 * doubles with bounded rounding: what stays apart needs no resultant.
 *
 * Resultants also vanish where the roots that meet are complex, and where all is unstable. Stable rows keep
 * their shape as a changes as long as next to them no two curves meet at a finite d, none stands upright, and
 * no root goes to infinity; of the last tell leading coefficients and contents, which are looked at in any
 * case. */
#ifndef PLANAR_PROJECTION_APART_H
#define PLANAR_PROJECTION_APART_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/projection_pairs.h"
#include "planar/quick_roots.h"

enum {
    APART_LENGTH = 8,
    APART_CURVES = 32,
    APART_BOUNDS = 4,
    APART_FORMS = APART_CURVES + 2 + 2 * APART_BOUNDS
};

/* A polynomial in a and e, in doubles: c[j][i] e^j a^i, times a power of 2, each known to 2^-52 of
 * size[j][i]. Degrees are below APART_LENGTH. */
typedef struct apart_form {
    int degree_a, degree_e;
    double c[APART_LENGTH][APART_LENGTH], size[APART_LENGTH][APART_LENGTH];
} apart_form;

typedef struct apart {
    int curves, bounds;
    /* The curves; from APART_CURVES on den, fold, and x0 and x1 of each bound (quick_bounds.h). */
    apart_form form[APART_FORMS];
    /* Bit j of curve i, and bit i of curve j: whether they meet is asked; j = i: whether two points of it do.
     */
    uint32_t wanted[APART_CURVES];
    double low, high; /* of a */
    /* [out] [i][j], i <= j: outside of these a, and where it is empty, nothing of the kind is next to a
     * stable point at any finite d */
    planar_range range[APART_CURVES][APART_CURVES];
} apart;

/* The coefficient of a^i e^j is that of x^(pack i + j). False where a degree is too large. */
bool apart_form_set(apart_form *form, const integer_poly *packed, int pack);

/* Finds the ranges. False where memory is out. */
bool apart_find(apart *a);

#endif
