/* method/root.h - root of a function between two arguments with values of different signs, by Brent's method
 * (Brent 1973, chapter 4: zeroin). The caller evaluates the function, so several roots can be refined
 * together. */
#pragma once

#include <stdbool.h>

typedef struct root {
    double at[3], values[3]; /* best argument, the argument on the other side of the root, the previous one */
    double step, before;     /* the last step and the step before it */
    double length;           /* of the first bracket */
    double tolerance;        /* half the width of the last bracket, relative to the argument: 1e-13 */
} root;

/* Starts with two values of different signs, neither NaN; 0 counts as positive. */
root root_start(const double ends[2], const double values[2]);

/* [out] *place: the next argument to evaluate. Returns false if the bracket is narrow enough. */
bool root_next(root *r, double *place);

/* Stores the value at that argument, not NaN. */
void root_set_value(root *r, double value);

/* Returns the ends of the bracket, lower end first, with their values. */
void root_get_bracket(const root *r, double ends[2], double values[2]);

/* Returns the zero of the line through the ends. */
double root_line_zero(const root *r);
