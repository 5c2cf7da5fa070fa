/* Checks a coupling's options. Each mistake is one line of the message.
 *
 * 1. Options alone: enumerators exist, weights are finite, iterations are in range.
 * 2. Options and network: numbers out of range, and combinations that exclude each other or that a subsystem
 *    or a connection does not allow (multirate factors, delays, dead time, multistep methods, maps of steps,
 *    samples). The first conflict is reported.
 * 3. The order names each subsystem once; the macro step is positive, and micro steps fit it (clock.h).
 *
 * work_takes makes all checks but that of micro steps, without a message, because it runs whenever a
 * workspace is laid out. A relaxation of 0 means that none is given. */
#include <math.h>

#include "base/error.h"
#include "network/clock.h"
#include "network/network.h"
#include "network/words.h"
#include "network/work.h"

static bool has_known_choices(const costab_coupling *coupling) {
#define KNOWN(member, words, count) &&(unsigned)coupling->member < (unsigned)(count)
#define ANY(member)
    return true COUPLING_CHOICES(KNOWN, ANY, ANY) && isfinite(coupling->a0) && isfinite(coupling->a1) &&
           isfinite(coupling->b0) && isfinite(coupling->b1);
#undef KNOWN
#undef ANY
}

static bool has_iterations(const costab_coupling *coupling) {
    return coupling->iterations == COSTAB_NEWTON ||
           (coupling->iterations >= 0 && coupling->iterations <= COSTAB_ITERATIONS_MAX);
}

static bool has_strides(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].stride > 1) return true;
    return false;
}

static bool has_delays(const costab_network *network) {
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].delay > 0 || network->connections[c].delay_time > 0) return true;
    return false;
}

static bool has_only_one_step_methods(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind != COSTAB_RUNGE_KUTTA &&
            network->subsystems[s].method.kind != COSTAB_EXACT)
            return false;
    return true;
}

#define HOLDS_CURVED (HOLD_BIT(COSTAB_QUADRATIC) | HOLD_BIT(COSTAB_CUBIC) | HOLD_BIT(COSTAB_HERMITE))

/* Returns true if inputs are at most linear: a map of macro steps covers no other inputs. */
static bool takes_lines_at_most(const costab_network *network, const costab_coupling *coupling) {
    return coupling->interpolation <= COSTAB_LINEAR &&
           !coupling_extrapolates(network, coupling, HOLDS_CURVED);
}

/* Returns true if extrapolated inputs are constant during a step. */
static bool holds_extrapolated(const costab_network *network, const costab_coupling *coupling) {
    return !coupling->smoothed && !coupling_extrapolates(network, coupling, ~HOLD_BIT(COSTAB_CONSTANT));
}

bool costab_coupling_holds(const costab_network *network, const costab_coupling *coupling) {
    return coupling->interpolation == COSTAB_CONSTANT && holds_extrapolated(network, coupling);
}

/* Returns true if a sampled subsystem holds its inputs during a step. */
static bool has_held_inputs(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        if (of->method.kind == COSTAB_SAMPLED && of->inputs > 0 && of->rise == NULL) return true;
    }
    return false;
}

/* Returns the first conflict of options with a sampled subsystem, or NULL. Such a subsystem is known by the
 * map of its steps, in which inputs are held or rise linearly. */
static const char *map_conflict(const costab_network *network, const costab_coupling *coupling) {
    const double rounding = 1e-12;
    if (!monolithic_unknown(network)) return NULL;
    if (!costab_coupling_holds(network, coupling) && has_held_inputs(network))
        return "a subsystem that is known by its own steps (an FMU for co-simulation) holds its inputs: "
               "interpolation and extrapolation must be constant, and not smoothed; FMUs of FMI 2.0 with "
               "canInterpolateInputs allow linear";
    if (!takes_lines_at_most(network, coupling))
        return "a subsystem that is known by its own steps (an FMU for co-simulation) takes inputs that are "
               "constant or linear: interpolation and extrapolation must be one of these";
    if (coupling->feedthrough == COSTAB_SOLVED)
        return "feedthrough: solved requires the feedthrough matrices, but a subsystem that is known by its own "
               "steps (an FMU for co-simulation) has none";
    if (coupling->area_correction != 0)
        return "area_correction: the mean output of a subsystem that is known by its own steps is not known";
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        double length = coupling->macro_step * (of->stride > 1 ? of->stride : 1);
        if (of->method.kind == COSTAB_SAMPLED && !(fabs(length - of->step) <= rounding * of->step))
            return "macro_step: the map of a subsystem's own steps (an FMU for co-simulation) was measured for "
                   "another macro step; an analysis that varies the macro step cannot use it";
    }
    return NULL;
}

/* Returns the first conflict of options with a discrete-time subsystem, or NULL. */
static const char *sampling_conflict(const costab_network *network, const costab_coupling *coupling) {
    if (!network_is_sampled_data(network)) return NULL;
    if (coupling->scheme == COSTAB_ITERATED)
        return "coupling: iteration is not defined with a discrete-time subsystem, whose sample at the end of a macro "
               "step would act from its start; take jacobi or gauss-seidel";
    if (coupling->feedthrough == COSTAB_SOLVED)
        return "feedthrough: solved is not defined with a discrete-time subsystem, whose samples are at the ends of "
               "macro steps; take delayed";
    if (coupling->micro_steps == COSTAB_REAL_POWER)
        return "micro_steps: real-power: a discrete-time subsystem takes whole numbers of samples; take whole or "
               "clocks";
    if (coupling->area_correction != 0)
        return "area_correction: it is not defined with a discrete-time subsystem, which has no mean input";
    return NULL;
}

/* Returns the first conflict of options with dead time, or NULL. */
static const char *dead_time_conflict(const costab_network *network, const costab_coupling *coupling) {
    if (!network_has_dead_time(network)) return NULL;
    if (network_is_sampled_data(network))
        return "dead_time: a continuous system with dead time and samples is not analysed: leave out the "
               "discrete-time subsystem, or make the dead time a discrete-time subsystem that delays by "
               "samples (docs/how-to/own-model.md, Digital controllers)";
    if (coupling->scheme == COSTAB_ITERATED)
        return "dead_time: its co-simulation is not defined for iterations; take jacobi or gauss-seidel";
    if (has_strides(network))
        return "dead_time: it is interpolated between the values of all macro steps; take no strides";
    if (coupling->interpolation == COSTAB_HERMITE ||
        coupling_extrapolates(network, coupling, HOLD_BIT(COSTAB_HERMITE)))
        return "dead_time: it is interpolated between values, not slopes; take linear, quadratic or cubic in "
               "place of hermite";
    if (coupling->area_correction != 0)
        return "area_correction: it compares an input with the output of the same step; leave out the dead time";
    return NULL;
}

static const char *weights_conflict(const costab_network *network, const costab_coupling *coupling) {
    if (!coupling_extrapolates(network, coupling, HOLDS_WEIGHTED)) return NULL;
    if (coupling->smoothed)
        return "smoothed: weights of differences (spectral, phi and theta, a and b) are not smoothed";
    if (has_strides(network))
        return "stride: weights of differences (spectral, phi and theta, a and b) are not defined with strides";
    return NULL;
}

/* Returns the first conflict between options, or NULL. */
static const char *conflict(const costab_network *network, const costab_coupling *coupling) {
    bool strides = has_strides(network), area = coupling->area_correction != 0;
    if (coupling->predictor >= COSTAB_HERMITE) return "predictor: it is constant, linear, quadratic or cubic";
    if (coupling->interpolation > COSTAB_HERMITE)
        return "interpolation: it is constant, linear, quadratic, cubic or hermite";
    if (!(coupling->relaxation >= 0 && coupling->relaxation < 2))
        return "relaxation: it must be above 0 and below 2; beyond, no iteration converges";
    if (!isfinite(coupling->area_correction)) return "area_correction: it must be finite";
    const char *reason = weights_conflict(network, coupling);
    if (reason == NULL) reason = map_conflict(network, coupling);
    if (reason == NULL) reason = sampling_conflict(network, coupling);
    if (reason == NULL) reason = dead_time_conflict(network, coupling);
    if (reason != NULL) return reason;
    if (strides && coupling->scheme == COSTAB_ITERATED)
        return "stride: an iteration is not possible with strides, one sweep would span steps of unequal "
               "length; take jacobi or gauss-seidel";
    if (strides && coupling->scheme == COSTAB_GAUSS_SEIDEL && coupling->smoothed)
        return "stride: gauss-seidel with strides cannot be smoothed, a connection would be extrapolated in "
               "one step and interpolated in the next; take jacobi, or leave out smoothed";
    if (!area) return NULL;
    if (coupling->scheme != COSTAB_JACOBI || !holds_extrapolated(network, coupling))
        return "area_correction: it corrects jacobi with constant extrapolation alone";
    if (has_delays(network) || strides)
        return "area_correction: it compares an input with the output of the same step; leave out delays "
               "and strides";
    if (coupling->micro_steps != COSTAB_WHOLE)
        return "area_correction: the mean over a macro step needs whole micro steps; take micro_steps: whole";
    if (!has_only_one_step_methods(network))
        return "area_correction: the mean output is integrated by the subsystem's own method, which must be "
               "a Runge-Kutta method or exact";
    if (network->bond_count > 0)
        return "area_correction: the power of corrected inputs is not computed; leave out power_bonds";
    return NULL;
}

static bool has_order(const costab_network *network, const costab_coupling *coupling) {
    bool valid = true;
    for (int i = 0; coupling->order != NULL && i < network->subsystem_count && valid; i++) {
        int s = coupling->order[i];
        valid = s >= 0 && s < network->subsystem_count;
        for (int j = 0; j < i && valid; j++) valid = coupling->order[j] != s;
    }
    return valid;
}

static bool has_macro_step(const costab_coupling *coupling) {
    return coupling->macro_step > 0 && isfinite(coupling->macro_step);
}

bool work_takes(const costab_network *network, const costab_coupling *coupling) {
    return work_sound(network) && has_known_choices(coupling) && has_iterations(coupling) &&
           has_order(network, coupling) && has_macro_step(coupling) && conflict(network, coupling) == NULL;
}

costab_status costab_coupling_check(const costab_network *network, const costab_coupling *coupling,
                                    costab_error *error) {
    costab_error local = {.status = COSTAB_OK};
    if (error == NULL) error = &local;
    error->status = COSTAB_OK;
    error->message[0] = '\0';
    if (!work_sound(network))
        return error_invalid(error, "the network is not valid: see costab_network_check");
    bool known = has_known_choices(coupling);
    if (!known) error_append(error, "the coupling has an unknown choice, or a weight is not finite");
    if (!has_iterations(coupling))
        error_append(error, "iterations: %d; 1 to %d sweeps are allowed, or converged, or newton",
                     coupling->iterations, COSTAB_ITERATIONS_MAX);
    const char *reason = known ? conflict(network, coupling) : NULL;
    if (reason != NULL) error_append(error, "%s", reason);
    if (!has_order(network, coupling))
        error_append(error, "order: each of the %d subsystems must appear in it exactly once",
                     network->subsystem_count);
    if (!has_macro_step(coupling)) {
        error_append(error, "macro_step: %g; it must be positive and finite", coupling->macro_step);
        return error->status;
    }
    for (int s = 0; s < network->subsystem_count; s++) {
        network_clock clock;
        costab_error one = {.status = COSTAB_OK};
        if (clock_make(network, coupling, s, &clock, &one) != COSTAB_OK)
            error_append(error, "%s", one.message);
    }
    return error->status;
}
