/* planar/row_roots.h - the simple real roots in e of polynomials in a and e at one a, in doubles whose
 * rounding is bounded.
 *
 * All of e lies between -2 and 2 as a place s: s = e for |e| <= 1, else 2 - 1 / |e| with the sign of e.
 * Beyond 1 a polynomial of degree n is that of t = 2 - |s| whose value is t^n times its own, with the same
 * sign. */
#ifndef PLANAR_ROW_ROOTS_H
#define PLANAR_ROW_ROOTS_H

#include "planar/projection_apart.h"

enum { ROW_ROOTS_MAX = 96, ROW_FAR = 2 };

/* A polynomial in e at one a: c[j] e^j, where c[j] errs by less than 2^-47 of size[j] and the underflow of
 * products, as long as |a| <= ROW_A_MAX. */
typedef struct row_line {
    int degree; /* in e, at most; so many coefficients beyond it, and so many of the first ones, are 0 exactly
                 */
    int zeros;  /* degree + 1: the line is 0 */
    double c[APART_LENGTH], size[APART_LENGTH];
} row_line;

enum { ROW_A_MAX = 1 << 16 };

/* A root strictly between two places, neither of which is one; or the place 0 itself. */
typedef struct row_root {
    double low, high;
    int part, side; /* whose it is, -1: of several, at 0; its sign at `low` */
} row_root;

typedef struct row_roots {
    int count, work; /* work: how many more times intervals may be cut */
    bool doubt;      /* something is not told by doubles: nothing here holds */
    row_root root[ROW_ROOTS_MAX];
    row_line line[APART_CURVES]; /* of each part with roots here */
} row_roots;

void row_line_set(row_line *line, const apart_form *form, double a);

/* The value at a place, times t^degree beyond 1. [out] error: of the value, at most. */
double row_line_value(const row_line *line, int degree, double s, double *error);

/* The sign there; 0: not known. */
int row_line_sign(const row_line *line, double s);

/* Adds the roots of a part, whose line is set and is divided by powers of e, without those that are seen to
 * lie outside of the places from low to high; in doubt where one is not seen to be simple, or the degree is
 * not seen to be that of the line.
 */
void row_roots_add(row_roots *roots, int part, double low, double high);

/* Brings the roots in order, and cuts their intervals until there is room between any two; in doubt where
 * they are not told apart. */
void row_roots_order(row_roots *roots);

#endif
