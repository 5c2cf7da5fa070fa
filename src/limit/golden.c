/* Golden section (J. Kiefer 1953): of two inner points the one with the larger value becomes an end, so that
 * the interval shrinks by 0.618 with each value. Finds one local minimum; up to 60 values. */
#include "limit/golden.h"

#include <math.h>

enum { STEPS = 60 };

double golden_least(double (*function)(void *context, double at), void *context, double low, double high,
                    double *at) {
    const double ratio = (sqrt(5) - 1) / 2;
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = function(context, a), at_b = function(context, b);
    for (int i = 0; i < STEPS && high - low > 1e-12 * fabs(high); i++) {
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - ratio * (high - low);
            at_a = function(context, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + ratio * (high - low);
            at_b = function(context, b);
        }
    }
    *at = at_a <= at_b ? a : b;
    return at_a <= at_b ? at_a : at_b;
}
