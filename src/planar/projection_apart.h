/* planar/projection_apart.h - which curves in the plane of a and d are seen to stay apart, by subdivision in
 * doubles with bounded rounding: what stays apart needs no resultant.
 *
 * Resultants also vanish where the roots that meet are complex, and where all is unstable. Stable rows keep
 * their shape as a changes as long as next to them no two curves meet at a finite d, none stands upright, and
 * no root goes to infinity; where curves stand upright tell contents, which are looked at in any case.
 *
 * Nor does it matter what happens in a box in which Delta is bounded, where each region (SS, US, US with
 * Gamma > 0) that has stable points in the box is known to have some at all a of the box
 * (projection_witness.h). For such a region is there whatever the box holds, and it is infinite by what lies
 * outside: a row whose length grows beyond all bounds stays outside as a changes, since lengths are bounded
 * up to the box's sides. */
#ifndef PLANAR_PROJECTION_APART_H
#define PLANAR_PROJECTION_APART_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/projection_isolated.h"
#include "planar/projection_pairs.h"
#include "planar/quick_roots.h"

enum {
    APART_LENGTH = 8,
    APART_CURVES = 32,
    APART_BOUNDS = 4,
    APART_MEETINGS = 5,
    APART_UNIT = 16, /* of a: from 0 to it boxes are near */
    APART_ISOLATED = 8,
    APART_FORMS = APART_CURVES + 2 + 2 * APART_BOUNDS
};

/* A polynomial in a and e, in doubles, over 2^exponent: c[j][i] e^j a^i, each known to 2^-52 of size[j][i].
 * Degrees are below APART_LENGTH. */
typedef struct apart_form {
    int degree_a, degree_e;
    long exponent;
    double c[APART_LENGTH][APART_LENGTH], size[APART_LENGTH][APART_LENGTH];
} apart_form;

typedef struct apart {
    int curves, bounds; /* curves: 0 where they are not set */
    /* The curves; from APART_CURVES on den, fold, and x0 and x1 of each bound (quick_bounds.h), these over
     * one power of 2. */
    apart_form form[APART_FORMS];
    unsigned from[APART_CURVES];        /* of which polynomials a curve is a part (projection_pairs.h) */
    int meeting_degree[APART_MEETINGS]; /* in e, of whole meetings */
    double unit;                        /* d = unit e; 0: x0 and x1 are not over one power of 2 */
    /* Bit j of curve i, and bit i of curve j: whether they meet is asked; j = i: whether two points of it do.
     */
    uint32_t wanted[APART_CURVES];
    uint32_t rising;  /* curves that may reach infinity at some a: their leading coefficient is no number */
    double low, high; /* of a */
    /* Curves that vanish in some boxes only where a is a root of contents: they are as good as absent there.
     */
    int isolated_count;
    struct {
        int curve, line; /* the curve has isolated points on the line */
        isolated at;
    } isolated[APART_ISOLATED];
    /* [out] [i][j], i <= j: outside of these a, and where it is empty, nothing of the kind is next to a
     * stable point at any finite d */
    planar_range range[APART_CURVES][APART_CURVES];
    planar_range far[APART_CURVES]; /* [out] the same of a curve that reaches infinity */
} apart;

/* The coefficient of a^i e^j is that of x^(pack i + j). False where a degree is too large. */
bool apart_form_set(apart_form *form, const integer_poly *packed, int pack);

/* Brings forms over one power of 2; false, and nothing is changed, where they are too
 * different. */
bool apart_forms_align(apart_form *form, int count);

/* Finds the ranges. False where memory is out. */
bool apart_find(apart *a);

#endif
