/* The two radii whose crossings of 1 a sweep stores, the spectral and the iteration radius: their values,
 * their margins log(radius), and under which couplings crossings are wanted. */
#include <math.h>

#include "network/analyse.h"
#include "study/network_study.h"

/* Enough for any radius that a double holds. */
#define MARGIN_MAX 1000

double network_radius(const costab_network_point *point, network_level level, bool rounded) {
    if (level == NETWORK_LEVEL_ITERATION) return point->iteration_radius;
    return point->spectral_radius + (rounded ? point->rounding : 0);
}

double network_margin(double radius) {
    return isnan(radius) ? (double)NAN : fmin(fmax(log(radius), -MARGIN_MAX), MARGIN_MAX);
}

static const unsigned level_flags[NETWORK_LEVEL_COUNT] = {COSTAB_NETWORK_SPECTRAL_RADIUS,
                                                          COSTAB_NETWORK_ITERATION_RADIUS};

bool network_level_asked(const network_study *study, network_level level) {
    return (study->base.spec->fields & level_flags[level]) != 0;
}

bool network_level_wanted(const network_study *study, network_level level, const costab_coupling *coupling) {
    return study->levels[level] && (network_level_asked(study, level) ||
                                    (level == NETWORK_LEVEL_ITERATION && analyse_converges(coupling)));
}
