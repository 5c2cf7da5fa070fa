/* method/golden.h - largest value of a function with one maximum in an interval, by golden section:
 *
 *     golden g = golden_start(low, high);
 *     while (golden_next(&g, &place)) golden_set_value(&g, value of the function at place); */
#pragma once

#include <stdbool.h>

typedef struct golden {
    double low, high;        /* ends of the interval with the maximum */
    double at[2], values[2]; /* two points inside, the lower first, and their values */
    int next, known;         /* index of the next point; number of known values */
} golden;

golden golden_start(double low, double high);

/* [out] *place: the next point to evaluate. Returns false if the interval has the smallest useful
 * width. */
bool golden_next(golden *g, double *place);

/* Stores the value at that point. */
void golden_set_value(golden *g, double value);

/* Returns the larger of the last two values, the largest of all. [out] place: its point. */
double golden_largest(const golden *g, double *place);
