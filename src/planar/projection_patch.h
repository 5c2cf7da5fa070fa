/* planar/projection_patch.h - a polynomial on a box by its coefficients with respect to Bernstein's
 * polynomials of the box, in doubles. They bound its values, and halving a box takes their means (de
 * Casteljau). */
#ifndef PLANAR_PROJECTION_PATCH_H
#define PLANAR_PROJECTION_PATCH_H

#include <stdbool.h>

enum { PATCH_LENGTH = 8, PATCH_HALVINGS = 16 };

typedef double patch_row __attribute__((vector_size(PATCH_LENGTH * sizeof(double)), aligned(sizeof(double))));

/* Coefficients [j][i], j along e and i along a. */
typedef struct patch {
    patch_row of[PATCH_LENGTH];
} patch;

/* What does not depend on the polynomial. */
typedef struct patch_tables {
    patch share, column; /* share.of[j][k]: of coefficient k in Bernstein's coefficient j; column: turned */
    patch weight[2];     /* [k][i]: of coefficient k in coefficient i of the half */
} patch_tables;

void patch_tables_set(patch_tables *tables);

/* The polynomial with the coefficients c[j][i] of e^j a^i on the unit square. */
void patch_set(patch *to, const patch_tables *tables, const patch *c);

/* left := the lower half of a box, f := the upper one: along e or a. A coefficient errs by less than 2^-50 of
 * the largest more. */
void patch_halve_e(patch *f, patch *left);
void patch_halve_a(patch *f, patch *left, const patch_tables *tables);

/* The sign that all coefficients have; 0: different ones, or one is not above `error`. */
int patch_sign(const patch *f, double error);

/* The same of the differences along e. */
int patch_rise(const patch *f, double error);

#endif
