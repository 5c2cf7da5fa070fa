/* base/number.h - sorting numbers, and reading the clock. (Numbers as text: base/text.h.) */
#pragma once

#include <stddef.h>

/* Sorts numbers, none of them NaN, in ascending order. */
void number_sort(double *values, size_t count);

/* Returns seconds of a monotonic clock. */
double number_seconds(void);
