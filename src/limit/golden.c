/* Golden section (J. Kiefer 1953): the worse of two inner points becomes an end, so each value shrinks the
 * interval by 0.618. Finds one local minimum with at most 60 further values. */
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
