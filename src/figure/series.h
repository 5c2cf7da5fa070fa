/* figure/series.h - signals over time: the part of them that a figure shows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "costab/base.h"

/* Values of x over time. */
typedef struct series {
    double *t, *x; /* free with series_free */
    size_t count;
    bool ends; /* the last values have no time: the run ended early */
} series;

#define SERIES_DOTS 150 /* most points of a signal that are drawn as dots */

/* The note of a figure whose range cuts signals. */
#define SERIES_CUT_WORDS "Signals over 5 times the smallest are cut at 3 times its size."

/* Reduces a signal of more than 16,000 values to the least and the largest value of each of 4,000 stretches.
 */
void series_thin(series *s);

/* Chooses the vertical range of a panel: it shows the smallest signal and signals up to 5 times its size
 * whole. Of signals that diverge only the beginning counts. start: the size of the initial values.
 * Limitation: the first 64 signals determine the range. */
void series_choose_range(const series *const *all, int count, double until, double start, double *range);

/* Ends a signal that leaves the range for good. */
void series_cut(series *s, const double *range);

/* Makes the corners of a signal that keeps each value until the next one. [out] *steps: free it with
 * series_free in any case. */
costab_status series_hold(const series *s, series *steps, costab_error *error);

/* Returns the largest magnitude. */
double series_largest(const series *s);

void series_free(series *s);
