/* method/golden.h - largest value of a function with one maximum in an interval, by golden section. The
 * caller evaluates the function. */
#pragma once

#include <stdbool.h>

typedef struct golden {
    double low, high;        /* the maximum is between these */
    double at[2], values[2]; /* two arguments in between, the lower first, and the values there */
    int next, known;         /* number of the argument to evaluate, and how many values are known */
} golden;

golden golden_start(double low, double high);

/* [out] *place: the next argument to evaluate. Returns false if the interval is as narrow as rounding allows.
 */
bool golden_next(golden *g, double *place);

/* Passes the value there. */
void golden_set_value(golden *g, double value);

/* Returns the larger of the last two values, which is the largest of all. [out] place: its argument. */
double golden_largest(const golden *g, double *place);
