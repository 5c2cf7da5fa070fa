/* Limits of the macro step H itself, and the macro steps allowed by micro steps h of fixed length. U is the
 * least common multiple of h/stride over the subsystems with such micro steps.
 * 1. micro_steps: whole. Every subsystem takes a whole number of micro steps in its step: H = U, 2 U, 3 U,
 *    ... Discrete-time subsystems may refuse some of these values later.
 * 2. micro_steps: clocks. Subsystems have independent clocks: H = p/q U with coprime p and q. All q up to a
 *    largest one are taken, at most COSTAB_CLOCK_PARTS, with at most 2000 values in the range in all (q = 1:
 * up to 10,000,000).
 * 3. Without micro steps of fixed length, with discrete-time subsystems: the fractions G/m of the greatest
 * common divisor G of all sample times, and the multiples of their least common multiple. Refused above 2000
 * values.
 * 4. Otherwise H is continuous and is searched like any parameter (limit.c).
 * Cost: one evaluation per value. Limitation: for clocks, nothing is known between the values. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "network/clock.h"
#include "network/network.h"

/* Largest number of values, for clocks and for integer multiples. */
enum { CLOCK_PLACES = 2000, WHOLE_PLACES = 10000000 };

/* Lists all p/q times the unit in [lower, upper], with coprime p and q and q up to `most`. Returns their
 * number. NULL `places`: counts only. */
static size_t list_ratios(double unit, double lower, double upper, int most, double *places) {
    size_t count = 0;
    for (int64_t q = 1; q <= most; q++) {
        int64_t first = (int64_t)ceil(lower / unit * (double)q * (1 - 1e-12));
        int64_t last = (int64_t)floor(upper / unit * (double)q * (1 + 1e-12));
        for (int64_t p = first > 1 ? first : 1; p <= last; p++) {
            if (clock_lcm(p, q, INT64_MAX / 2) != p * q) continue;
            if (places != NULL) places[count] = (double)p / (double)q * unit;
            count++;
        }
    }
    return count;
}

/* Lists the integer fractions of the greatest common divisor of all sample times, and the multiples of their
 * least common multiple. */
static costab_status list_sample_fractions(const costab_network *network, double lower, double upper,
                                           double **places, size_t *count, costab_error *error) {
    double grain;
    int64_t span;
    TRY(network_sample_times(network, &grain, &span, error));
    const double most = floor(grain / lower * (1 + 1e-12)),
                 least = fmax(ceil(grain / upper * (1 - 1e-12)), 1);
    const double first = fmax(ceil(lower / (grain * (double)span) * (1 - 1e-12)), span > 1 ? 1 : 2),
                 last = floor(upper / (grain * (double)span) * (1 + 1e-12));
    const double all = fmax(most - least + 1, 0) + fmax(last - first + 1, 0);
    if (!(all <= CLOCK_PLACES))
        return error_invalid(
            error,
            "the range %g:%g has more than %d macro steps that divide the sample time %g or are "
            "multiples of it; take a smaller range, above 0",
            lower, upper, CLOCK_PLACES, grain);
    TRY(memory_make(places, (size_t)all + 1, error));
    for (double m = most; m >= least; m--) (*places)[(*count)++] = grain / m;
    for (double k = first; k <= last; k++) (*places)[(*count)++] = k * (double)span * grain;
    return COSTAB_OK;
}

costab_status limit_places(const costab_network *network, const costab_coupling *coupling,
                           const double range[2], double **places, size_t *count, int *denominator,
                           costab_error *error) {
    double unit, lower = fmax(range[0], 0), upper = range[1];
    *places = NULL;
    *count = 0;
    *denominator = 1;
    if (coupling->micro_steps == COSTAB_REAL_POWER || !network_has_steps(network, true)) return COSTAB_OK;
    if (coupling->micro_steps == COSTAB_WHOLE && !network_has_steps(network, false)) {
        *denominator = 0;
        return list_sample_fractions(network, lower, upper, places, count, error);
    }
    TRY(costab_network_macro_unit(network, &unit, error));
    if (upper / unit > WHOLE_PLACES)
        return error_invalid(error,
                             "the range has more than %d multiples of the micro steps; take a smaller range",
                             WHOLE_PLACES);
    if (coupling->micro_steps == COSTAB_CLOCKS)
        while (*denominator < COSTAB_CLOCK_PARTS &&
               list_ratios(unit, lower, upper, *denominator + 1, NULL) <= CLOCK_PLACES)
            ++*denominator;
    *count = list_ratios(unit, lower, upper, *denominator, NULL);
    TRY(memory_make(places, *count + 1, error));
    (void)list_ratios(unit, lower, upper, *denominator, *places);
    number_sort(*places, *count);
    return COSTAB_OK;
}

void limit_places_free(double **places) {
    memory_free(*places);
    *places = NULL;
}

typedef struct scan {
    costab_network_work *work;
    const costab_network *network;
    costab_coupling coupling;
} scan;

static costab_status at_macro_step(void *context, double value, unsigned wanted, costab_family_point *point,
                                   costab_error *error) {
    scan *s = context;
    s->coupling.macro_step = value;
    return network_family_point(s->work, s->network, &s->coupling, wanted, point, error);
}

costab_status costab_limit_macro_step(const costab_network *network, const costab_coupling *coupling,
                                      const costab_limit_options *options, costab_limit *limit,
                                      costab_error *error) {
    ends_by(costab_network_work_destroy) costab_network_work *work = NULL;
    ends_by(limit_places_free) double *places = NULL;
    costab_limit_options chosen = *options;
    const double range[2] = {options->lower, options->upper};
    int denominator;
    *limit = (costab_limit){.count = 0};
    if (!(options->lower > 0))
        return error_invalid(error, "a macro step is positive: begin above 0, not at %g", options->lower);
    TRY(costab_network_check(network, error));
    TRY(costab_network_work_create(&work, error));
    TRY(limit_places(network, coupling, range, &places, &chosen.place_count, &denominator, error));
    chosen.places = places;
    scan s = {.work = work, .network = network, .coupling = *coupling};
    costab_family family = {.at = at_macro_step, .context = &s};
    return limit_find(&family, &chosen, limit, error);
}
