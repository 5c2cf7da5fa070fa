/* method/root.h - a root between two places where a function has different signs, by Brent's method (Brent
 * 1973, chapter 4: zeroin): whoever looks for several roots can ask for one place of each at a time. */
#pragma once

#include <stdbool.h>

typedef struct root {
    double at[3], values[3]; /* the best place, that on the other side of the root, the one before */
    double step, before;     /* the last step and the one before */
    double length;           /* of the first bracket */
} root;

/* The values, neither of them NaN, have different signs; 0 counts as a positive one. */
root root_start(const double ends[2], const double values[2]);

/* The next place to be looked at; false where the bracket is as narrow as doubles make sense: some 2e-13,
 * relative. */
bool root_next(root *r, double *place);

/* The value there, not NaN. */
void root_set_value(root *r, double value);

/* The ends of the bracket, the lower one first, and the values there. */
void root_get_bracket(const root *r, double ends[2], double values[2]);

/* Where the line through them is 0. */
double root_line_zero(const root *r);
