/* base/number.h - plain numbers: sorting, telling the time. */
#pragma once

#include <stddef.h>

/* Sorts numbers, of which none is NaN, ascending. */
void number_sort(double *values, size_t count);

/* Seconds of a clock that is never set. */
double number_seconds(void);
