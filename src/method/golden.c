/* Maximum of a function by golden section (J. Kiefer, Sequential minimax search for a maximum, 1953).
 *
 * 1. Two points divide the interval by the golden ratio. The one with the smaller value becomes an end.
 * 2. The other point divides the new interval by the same ratio, so only one new value is required.
 *
 * The caller evaluates the function between two calls, so a failure can end the search. Cost: one value per
 * reduction of the interval to 0.618 of its width. Limitation: of several maxima one is found. */
#include "method/golden.h"

#include <math.h>

/* Width of the last interval, relative to its upper end. */
#define TOLERANCE 1e-12

static void divide(golden *g, int k) {
    const double part = 0.5 * (sqrt(5) - 1) * (g->high - g->low);
    g->at[k] = k == 0 ? g->high - part : g->low + part;
}

golden golden_start(double low, double high) {
    golden g = {.low = low, .high = high};
    divide(&g, 0);
    divide(&g, 1);
    return g;
}

bool golden_next(golden *g, double *place) {
    if (g->known == 2) {
        const int best = g->values[0] >= g->values[1] ? 0 : 1;
        if (!(g->high - g->low > TOLERANCE * fabs(g->high))) return false;
        *(best == 0 ? &g->high : &g->low) = g->at[1 - best];
        g->at[1 - best] = g->at[best];
        g->values[1 - best] = g->values[best];
        divide(g, best);
        g->next = best;
        g->known = 1;
    }
    *place = g->at[g->next];
    return true;
}

void golden_set_value(golden *g, double value) {
    g->values[g->next] = value;
    g->next = 1 - g->next;
    g->known++;
}

double golden_largest(const golden *g, double *place) {
    const int best = g->values[0] >= g->values[1] ? 0 : 1;
    *place = g->at[best];
    return g->values[best];
}
