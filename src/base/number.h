/* base/number.h - plain numbers: sorting, telling the time. */
#pragma once

#include <stddef.h>

/* Sorts numbers, none of them NaN, in ascending order. */
void number_sort(double *values, size_t count);

/* Returns seconds of a monotonic clock. */
double number_seconds(void);
