/* figure/series.h - signals over time: what of them is drawn. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Values of x over time. */
typedef struct series {
    double *t, *x; /* to be freed */
    size_t count;
    bool ends; /* there is no time for the last values: the run ended early */
} series;

#define SERIES_DOTS 150 /* more points in a panel run together: lines alone */

/* What a figure says whose range cuts signals off. */
#define SERIES_CUT_WORDS "Signals over 5 times the smallest are cut at 3 times its size."

/* Keeps no more than a panel can show: the least and the largest of each stretch, in their order. */
void series_thin(series *s);

/* The vertical range of a panel: the smallest signal and those like it are shown whole, a larger one leaves.
 * Signals that diverge do not count as far as they have. [in] start: the size of what they start from. */
void series_choose_range(const series *const *all, int count, double until, double start, double *range);

/* Ends a signal where it leaves the range for good: far outside, and at the end still there. */
void series_cut(series *s, const double *range);

void series_free(series *s);
