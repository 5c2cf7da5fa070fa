/* limit/golden.h - minimum of a function in a small interval. */
#pragma once

/* Returns the minimum by golden section, down to rounding. [out] *at: its argument. */
double golden_least(double (*function)(void *context, double at), void *context, double low, double high,
                    double *at);
