/* limit/golden.h - the least value of a function in a small interval. */
#pragma once

/* Golden section down to rounding. [out] *at: where. */
double golden_least(double (*function)(void *context, double at), void *context, double low, double high,
                    double *at);
