/* The class of a point, its spectral radius and abscissa (docs/explanation/algorithms.md, Verdicts and
 * rounding).
 *
 * 1. Matrices: A_mono with its eigenvalues, unless the last point's are valid, and the map M of a period. If
 *    entries of A_mono have errors beyond rounding, pencil.h refines undecided eigenvalues from the model's
 *    own numbers. With dead time the abscissa is that of the delay equation (dead_time.h). Entries that
 *    overflow are an error.
 * 2. Removal of structural modes: equilibria, and rigid motions that the coupling preserves (neutral.h).
 * 3. Eigenvalues of the rest with error bounds: inside the circle, outside, or undecided.
 * 4. Refinement if undecided: powers of M (method/eigen.h), then the eigenvalues of M - I for a short step
 *    (short_step.h). A point that remains undecided is marginal.
 * 5. Root: the radius per macro step is the k-th root of the radius over a period of k macro steps. An
 *    iteration to convergence also requires an iteration radius below 1.
 *
 * Cost: about 10 n^3 for map and A_mono. Limitation: rounding is estimated to first order, not bounded. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "network/analyse.h"
#include "network/dead_time.h"
#include "network/exchange.h"
#include "network/loop.h"
#include "network/monodromy.h"
#include "network/network.h"
#include "network/neutral.h"
#include "network/pencil.h"
#include "network/short_step.h"
#include "network/spectrum.h"

/* Computes eigenvalues and radius of the map without structural modes. */
static costab_status map_radius(costab_network_work *work, const neutral_rest *rest, double *radius,
                                costab_error *error) {
    int size = work->size;
    work->eigenvalue_count = work->halves == 1 ? rest->map_size : size;
    if (work->halves == 1) {
        for (int i = rest->map_size; i < size; i++) {
            work->eigen.real[i] = 1;
            work->eigen.imaginary[i] = 0;
        }
        double abscissa;
        return spectrum_radius(work, rest->map_size, rest->map, radius, &abscissa, error);
    }
    map_split(work);
    return spectrum_complex(work, size, work->map_real, work->map_imaginary, radius, error);
}

/* Excess of the map's eigenvalues over the unit circle. */
static spectrum_reach map_reach(const costab_network_work *work, const neutral_rest *rest) {
    int size = work->size, halves = work->halves;
    double roundings = spectrum_roundings(work);
    if (halves > 1) {
        spectrum_real_form(size, halves, work->map, work->eigen.complex_work);
        spectrum_asked both = {size, halves * size, work->eigen.complex_work, EIGEN_CIRCLE, roundings,
                               0,    false};
        return spectrum_reach_of(work, &both);
    }
    spectrum_asked asked = {rest->map_size, rest->map_size,  rest->map,           EIGEN_CIRCLE,
                            roundings,      rest->map_noise, rest->equilibria > 0};
    return spectrum_reach_of(work, &asked);
}

void analyse_scale(size_t count, double *values, long exponent) {
    int shift = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : (int)exponent;
    for (size_t i = 0; i < count && shift != 0; i++) values[i] = ldexp(values[i], shift);
}

/* Excess of the abscissa of an n x n matrix over 0, or of the sampled-data map's spectral radius over 1. The
 * eigenvalues are in the workspace. */
static spectrum_reach mono_reach(const costab_network_work *work, int n, const double *matrix, double noise) {
    bool sampled = work->mono.span > 0;
    const spectrum_asked asked = {.count = n,
                                  .n = n,
                                  .matrix = matrix,
                                  .limit = sampled ? EIGEN_CIRCLE : EIGEN_AXIS,
                                  .roundings = sampled ? (double)work->mono.instants : 1,
                                  .noise = noise,
                                  .unbalanced = noise > 0};
    return spectrum_reach_of(work, &asked);
}

/* Returns true if the abscissa, or an entry of the matrix, overflows. */
static bool mono_overflows(const spectrum_reach *reach) {
    return reach->computed == (double)INFINITY;
}

static costab_status refuse_mono(costab_error *error) {
    return error_set(
        error, COSTAB_NUMERIC,
        "the eigenvalues of the continuous system overflow: gains and entries of the model are too "
        "large for double precision");
}

void analyse_mono_found(costab_network_work *work) {
    monolithic_found *found = &work->mono.found;
    found->inexact = false;
    found->noise = 0;
    found->reach = mono_reach(work, work->states, work->mono.matrix, 0);
    found->least = (double)INFINITY;
    found->most = 0;
    for (int i = 0; i < work->states; i++) {
        found->least =
            fmin(found->least, work->mono.span > 0 ? hypot(work->eigen.real[i] - 1, work->eigen.imaginary[i])
                                                   : work->eigen.modulus[i]);
        found->most = fmax(found->most, work->eigen.modulus[i]);
    }
    found->norm = matrix_norm((size_t)work->states * (size_t)work->states, work->mono.matrix);
    work->mono.known = !mono_overflows(&found->reach);
    found->regular = work->mono.known && neutral_none(work);
}

static bool in_doubt(const spectrum_reach *reach) {
    return !(reach->upper < 0) && !(reach->lower > 0);
}

/* Frobenius norm of the errors of an inexact matrix, in the units of work->mono.balanced. */
static double norm_of_errors(const costab_network_work *work) {
    int n = work->states;
    const double *errors = work->mono.errors;
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum = hypot(sum, matrix_scaled(errors[i * n + j], work->mono.scale[i], work->mono.scale[j]));
    return sum;
}

/* Excess of n computed eigenvalues of an inexact matrix, with the errors of its entries. */
static costab_status inexact_reach(costab_network_work *work, int n, const double *matrix, double noise,
                                   spectrum_reach *reach, costab_error *error) {
    *reach = mono_reach(work, n, matrix, noise);
    return in_doubt(reach) ? pencil_refine(work, n, reach, error) : COSTAB_OK;
}

costab_status analyse_mono_at_hand(costab_network_work *work, costab_error *error) {
    double radius, abscissa;
    work->mono.units_known = false;
    TRY(spectrum_radius(work, work->states, work->mono.matrix, &radius, &abscissa, error));
    analyse_mono_found(work);
    return COSTAB_OK;
}

/* Computes A_mono, its eigenvalues and work->mono.found, unless the last point's are valid. If the continuous
 * system is unknown, A_mono is 0 and its reach is NaN. Errors as monolithic_make. */
static costab_status find_continuous(costab_network_work *work, costab_error *error) {
    monolithic_found *found = &work->mono.found;
    if (work->mono.known) return COSTAB_OK;
    if (monolithic_unknown(work->network)) {
        const double unknown = (double)NAN;
        work->mono.units_known = found->inexact = false;
        memset(work->mono.matrix, 0, cells(work->states, work->states) * sizeof *work->mono.matrix);
        found->reach = (spectrum_reach){unknown, unknown, unknown, unknown};
        found->least = (double)INFINITY;
        found->norm = found->noise = 0;
        found->regular = neutral_none(work);
        return COSTAB_OK;
    }
    TRY(work->mono.span > 0 ? monodromy_make(work, error) : monolithic_make(work, error));
    TRY(analyse_mono_at_hand(work, error));
    if (mono_overflows(&found->reach)) return refuse_mono(error);
    if (network_has_dead_time(work->network)) { /* its own eigenvalues are found when the modes are known */
        found->most = (double)INFINITY;
        return COSTAB_OK;
    }
    found->inexact = isfinite(found->norm) && work->mono.span == 0 && monolithic_errors(work);
    if (!found->inexact) return COSTAB_OK;
    found->noise = norm_of_errors(work);
    return inexact_reach(work, work->states, work->mono.balanced, found->noise, &found->reach, error);
}

/* Removes structural modes from a real map that is not scaled. */
static costab_status set_aside(costab_network_work *work, long exponent, neutral_rest *rest,
                               costab_error *error) {
    *rest = (neutral_rest){
        .map_size = work->size, .mono_size = work->states, .map = work->map, .mono = work->mono.matrix};
    if (work->halves > 1 || exponent != 0) return COSTAB_OK;
    TRY(neutral_set_aside(work, work->map, rest, error));
    if (work->period == 1) rest->map_noise += iterate_cancellation(work);
    return COSTAB_OK;
}

/* ln(radius), accurately near radius 1 from beyond = radius - 1. */
static double log_radius(double radius, double beyond) {
    return fabs(beyond) < 0.5 ? log1p(beyond) : log(radius);
}

/* Sets the abscissa and its rounding error. */
static void take_abscissa(const costab_network_work *work, const spectrum_reach *reach,
                          costab_network_point *point) {
    point->spectral_abscissa = reach->computed;
    point->abscissa_rounding = reach->rounding;
    if (work->mono.span == 0) return;
    double upper = log_radius(1 + reach->upper, reach->upper);
    point->spectral_abscissa = log_radius(1 + reach->computed, reach->computed) / work->mono.span;
    point->abscissa_rounding = upper / work->mono.span - point->spectral_abscissa;
}

static void class_continuous(const spectrum_reach *reach, costab_network_point *point) {
    if (isnan(reach->computed))
        point->class_code |= COSTAB_CONTINUOUS_UNKNOWN;
    else if (reach->upper < 0)
        point->class_code |= COSTAB_CONTINUOUS_STABLE;
    else if (!(reach->lower > 0))
        point->class_code |= COSTAB_CONTINUOUS_NEUTRAL;
}

costab_status analyse_take_continuous(costab_network_work *work, const neutral_rest *rest,
                                      costab_network_point *point, costab_error *error) {
    spectrum_reach reach = work->mono.found.reach;
    costab_status status = COSTAB_OK;
    point->neutral = rest->equilibria;
    point->motions = rest->motions;
    point->kept = rest->kept_motions;
    if (network_has_dead_time(work->network)) {
        if (!monolithic_unknown(work->network))
            status = dead_time_reach(work, rest->equilibria + rest->kept_motions, &reach, error);
    } else if (rest->equilibria > 0 && !monolithic_unknown(work->network)) {
        double radius, abscissa;
        status = spectrum_radius(work, rest->mono_size, rest->mono, &radius, &abscissa, error);
        if (!status && work->mono.found.inexact)
            status = inexact_reach(work, rest->mono_size, rest->mono, rest->mono_noise, &reach, error);
        else if (!status)
            reach = mono_reach(work, rest->mono_size, rest->mono, rest->mono_noise);
        if (!status && mono_overflows(&reach)) status = refuse_mono(error);
    }
    take_abscissa(work, &reach, point);
    class_continuous(&reach, point);
    return status;
}

/* Error bound of the iteration radius: the matrix is small and formed by few products. */
static double iteration_slack(const costab_network_work *work, double radius) {
    return work->guesses * DBL_EPSILON * fmax(1, radius);
}

/* Returns true if the iteration is at its limit of convergence, a pole of the map. */
static bool is_at_pole(const costab_network_work *work, double radius) {
    return analyse_converges(&work->coupling) && fabs(radius - 1) <= iteration_slack(work, 1);
}

/* COSTAB_NUMERIC, with the reason, if an entry of the map is not finite. A point at a pole passes: it is
 * unstable. */
static costab_status check_map(const costab_network_work *work, double iteration_radius,
                               costab_error *error) {
    char shown[NUMBER_SHOWN_MAX];
    const char *H = number_shortest(work->coupling.macro_step, shown);
    if (matrix_finite(cells(work->size, work->size * work->halves), work->map)) return COSTAB_OK;
    if (is_at_pole(work, iteration_radius)) return COSTAB_OK;
    for (int s = 0; s < work->count; s++)
        if (!work_block_finite(work, s)) return work_overflows(work, s, error);
    return error_set(error, COSTAB_NUMERIC,
                     "the map overflows at the macro step %s: the exchanged signals exceed double "
                     "precision; take a shorter macro step or smaller gains",
                     H);
}

/* Computes the matrices and removes structural modes. */
static costab_status prepare_point(costab_network_work *work, const costab_network *network,
                                   const costab_coupling *coupling, costab_network_point *point,
                                   long *exponent, neutral_rest *rest, costab_error *error) {
    *point = (costab_network_point){.period = 1};
    costab_status status = work_prepare(work, network, coupling, NULL, error);
    if (!status) status = find_continuous(work, error);
    if (!status) status = map_make(work, &point->iteration_radius, exponent, error);
    if (!status) status = check_map(work, point->iteration_radius, error);
    if (!status) status = set_aside(work, *exponent, rest, error);
    if (!status) status = analyse_take_continuous(work, rest, point, error);
    work->removed = point->neutral + point->kept;
    point->size = work->size;
    point->period = (long)work->period;
    return status;
}

bool analyse_diverges(const costab_network_work *work, double radius) {
    return analyse_converges(&work->coupling) && radius - iteration_slack(work, radius) > 1;
}

void analyse_decide(const costab_network_work *work, eigen_where where, const spectrum_reach *reach,
                    costab_network_point *point) {
    bool inside = where == EIGEN_INSIDE, outside = where == EIGEN_OUTSIDE;
    if (where == EIGEN_UNKNOWN) {
        inside = reach->upper < 0;
        outside = reach->lower > 0;
    }
    if (analyse_converges(&work->coupling)) {
        double slack = iteration_slack(work, point->iteration_radius);
        outside = outside || !(point->iteration_radius - slack <= 1);
        inside = inside && point->iteration_radius + slack < 1;
    }
    if (inside)
        point->class_code |= COSTAB_DISCRETE_STABLE;
    else if (!outside)
        point->class_code |= COSTAB_DISCRETE_NEUTRAL;
}

/* Replaces radius and excess of the product over a period, scaled by 2^-exponent, by those of one macro
 * step. */
static void take_root(const costab_network_work *work, long exponent, double *radius, spectrum_reach *reach) {
    double period = (double)work->period, shift = (double)exponent;
    double found = (log_radius(*radius, reach->computed) + shift * log(2)) / period;
    double most = (log_radius(1 + reach->upper, reach->upper) + shift * log(2)) / period;
    double sure = reach->lower > -1
                      ? expm1((log_radius(1 + reach->lower, reach->lower) + shift * log(2)) / period)
                      : -1;
    *radius = exp(found);
    *reach = (spectrum_reach){expm1(found), expm1(most), sure, expm1(most) - expm1(found)};
}

/* Like take_root, for a product that was scaled because its norm left the range of map_make. Its error bound
 * uses the norm alone. Map and eigenvalues in the workspace are scaled back. */
static void take_scaled(costab_network_work *work, long exponent, double *radius, spectrum_reach *reach) {
    size_t cells = (size_t)work->size * (size_t)work->size * (size_t)work->halves;
    double error = work->size * DBL_EPSILON * matrix_norm(cells, work->map);
    *reach = (spectrum_reach){*radius - 1, *radius + error - 1, *radius - error - 1, error};
    take_root(work, exponent, radius, reach);
    analyse_scale(cells, work->map, exponent);
    analyse_scale((size_t)work->size, work->eigen.real, exponent);
    analyse_scale((size_t)work->size, work->eigen.imaginary, exponent);
}

bool analyse_near_pole(const costab_network_work *work, double iteration_radius) {
    return analyse_converges(&work->coupling) && !(iteration_radius < ANALYSE_QUICK_RADIUS);
}

bool analyse_is_plain(const costab_network_work *work) {
    return work->halves == 1 && spectrum_doubt(work) == 0;
}

/* Side of the circle from powers of the map. Their error bound requires a single macro step without
 * equilibria, away from poles, with matrices as accurate as rounding allows. */
static eigen_where side_by_powers(const costab_network_work *work, const neutral_rest *rest) {
    bool bounded = analyse_is_plain(work) && work->period == 1 && rest->equilibria == 0 &&
                   rest->map_noise == 0 && !analyse_near_pole(work, work->iteration.radius);
    return bounded ? spectrum_side(work, work->size, work->map) : EIGEN_UNKNOWN;
}

/* Refines the excess from the parts of a short step, if the step is short. */
static costab_status refine_by_increment(costab_network_work *work, const neutral_rest *rest,
                                         spectrum_reach *reach, costab_error *error) {
    short_step_parts parts;
    costab_status status = short_step_make(work, rest, &parts, error);
    if (status || parts.slow_size == 0) return status;
    return short_step_reach(work, &parts, spectrum_roundings(work), reach, error);
}

/* Sets the numbers that follow from the map's spectrum. macro_step 0: skip decay and growth. */
static void take_spectrum(double macro_step, double radius, const spectrum_reach *reach,
                          costab_network_point *point) {
    point->spectral_radius = fabs(reach->computed) < 0.5 ? 1 + reach->computed : radius;
    point->beyond = reach->computed;
    point->rounding = reach->rounding;
    if (macro_step == 0) return;
    point->decay = log_radius(radius, reach->computed) / macro_step;
    /* A continuous system without modes has no decay to compare with. */
    point->growth = isinf(point->spectral_abscissa) ? (double)NAN : point->decay - point->spectral_abscissa;
}

/* Finds the eigenvalues and the class. */
static costab_status decide_point(costab_network_work *work, long exponent, const neutral_rest *rest,
                                  costab_network_point *point, costab_error *error) {
    eigen_where where = EIGEN_UNKNOWN;
    double radius = 0;
    TRY(map_radius(work, rest, &radius, error));
    spectrum_reach reach = {.computed = radius - 1};
    if (exponent == 0) reach = map_reach(work, rest);
    /* The order of refinements equals that of costab_network_classify, so both find the same class. */
    if (in_doubt(&reach)) where = side_by_powers(work, rest);
    if (where == EIGEN_UNKNOWN && in_doubt(&reach) && exponent == 0 &&
        !(work->coupling.scheme == COSTAB_ITERATED && work->iteration.cancels))
        TRY(refine_by_increment(work, rest, &reach, error));
    if (exponent != 0)
        take_scaled(work, exponent, &radius, &reach);
    else if (work->period > 1)
        take_root(work, 0, &radius, &reach);
    take_spectrum(work->coupling.macro_step, radius, &reach, point);
    analyse_decide(work, where, &reach, point);
    return COSTAB_OK;
}

bool analyse_found(costab_network_work *work, const double *map, double macro_step,
                   costab_network_point *point) {
    const neutral_rest rest = {.map_size = work->size, .map = map};
    double radius, abscissa;
    spectrum_moduli(work, work->size, &radius, &abscissa);
    spectrum_reach reach = map_reach(work, &rest);
    return analyse_reached(work, radius, &reach, macro_step, point);
}

bool analyse_reached(const costab_network_work *work, double radius, const spectrum_reach *reach,
                     double macro_step, costab_network_point *point) {
    spectrum_reach of = *reach;
    if (in_doubt(reach)) return false;
    if (work->period > 1) take_root(work, 0, &radius, &of);
    take_spectrum(macro_step, radius, &of, point);
    analyse_decide(work, EIGEN_UNKNOWN, &of, point);
    return true;
}

costab_status analyse_point(costab_network_work *work, const costab_network *network,
                            const costab_coupling *coupling, costab_network_point *point, long *exponent,
                            costab_error *error) {
    neutral_rest rest;
    *exponent = 0;
    TRY(prepare_point(work, network, coupling, point, exponent, &rest, error));
    return decide_point(work, *exponent, &rest, point, error);
}

costab_status costab_network_analyse(costab_network_work *work, const costab_network *network,
                                     const costab_coupling *coupling, costab_network_point *point,
                                     costab_error *error) {
    long exponent;
    return analyse_point(work, network, coupling, point, &exponent, error);
}

costab_status costab_network_classify(costab_network_work *work, const costab_network *network,
                                      const costab_coupling *coupling, uint8_t *class_code,
                                      costab_error *error) {
    long exponent = 0;
    costab_network_point point;
    neutral_rest rest;
    TRY(prepare_point(work, network, coupling, &point, &exponent, &rest, error));
    eigen_where where = side_by_powers(work, &rest);
    if (where == EIGEN_UNKNOWN)
        TRY(decide_point(work, exponent, &rest, &point, error));
    else
        analyse_decide(work, where, NULL, &point);
    *class_code = point.class_code;
    return COSTAB_OK;
}

int costab_network_removed(const costab_network_work *work) {
    return work->removed;
}

void costab_network_matrix(const costab_network_work *work, const double **real, const double **imaginary) {
    *real = work->halves == 1 ? work->map : work->map_real;
    *imaginary = work->halves == 1 ? NULL : work->map_imaginary;
}

const double *costab_network_monolithic(const costab_network_work *work, int *states) {
    *states = work->states;
    return work->mono.matrix;
}

/* ---- Matrices alone ----
 * For searches along a parameter, which compute spectra themselves (limit/sample.c): the map of a period,
 * unscaled; the iteration matrix (1 - w) I + w J; the gain L D of all connections; A_mono; if requested, the
 * map of a short step in parts (short_step.h). Structural modes are removed from A_mono and from a real map
 * (neutral.h). An ill-posed network has neither A_mono nor an increment. */

static void set_loop(costab_network_work *work, analyse_parts *parts) {
    bool direct = loop_gain(work->network, work->inputs, false, work->mono.gain);
    bool closed = direct && loop_closed(work->inputs, work->mono.gain, 0, work->loop_space.iwork);
    parts->loop = closed ? work->inputs : 0;
    parts->gain = work->mono.gain;
}

static void set_guesses(costab_network_work *work, const costab_coupling *coupling, double radius,
                        analyse_parts *parts) {
    if (coupling->scheme != COSTAB_ITERATED || coupling->iterations > 0 || work->guesses == 0) return;
    /* Over a period, a 1 x 1 matrix with the largest radius represents the iterations of all macro steps. */
    parts->guesses = work->period > 1 ? 1 : work->halves * work->guesses;
    parts->guess = work->iteration.matrix;
    parts->solved = coupling->iterations == COSTAB_NEWTON;
    if (work->period > 1) work->iteration.matrix[0] = radius;
}

/* Replaces A_mono by the matrix of the system with dead time. */
static costab_status set_dead_time(costab_network_work *work, neutral_rest *rest, costab_error *error) {
    if (rest->equilibria > 0)
        return error_invalid(error,
                             "limits: not with structural equilibria in a model with dead_time; take map "
                             "or sweep at single values");
    return dead_time_matrix(work, &rest->mono, &rest->mono_size, &rest->mono_noise, error);
}

/* Computes A_mono and removes structural modes; map: from the map as well. */
static costab_status set_rest(costab_network_work *work, bool map, neutral_rest *rest, costab_error *error) {
    *rest = (neutral_rest){
        .map_size = work->size, .mono_size = work->states, .map = work->map, .mono = work->mono.matrix};
    costab_status status = find_continuous(work, error);
    return status || !map ? status : neutral_set_aside(work, work->map, rest, error);
}

costab_status analyse_parts_make(costab_network_work *work, const costab_network *network,
                                 const costab_coupling *coupling, bool increment, bool continuous,
                                 analyse_parts *parts, costab_error *error) {
    long exponent = 0;
    double radius;
    neutral_rest rest;
    *parts = (analyse_parts){.size = 0};
    TRY(work_prepare(work, network, coupling, NULL, error));
    TRY(map_make(work, &radius, &exponent, error));
    analyse_scale(cells(work->size, work->size * work->halves), work->map, exponent);
    if (work->halves > 1) map_split(work);
    for (int c = 0; c < network->connection_count; c++)
        parts->waits = parts->waits * (COSTAB_DELAY_MAX + 1) +
                       (uint32_t)(work->delays[c] + exchange_dead_steps(work->dead[c]));
    parts->size = work->size;
    costab_network_matrix(work, &parts->map, &parts->map_imaginary);
    set_guesses(work, coupling, radius, parts);
    parts->loop_in_map = coupling->feedthrough == COSTAB_SOLVED;
    set_loop(work, parts);
    costab_error ignored;
    costab_status found = set_rest(work, work->halves == 1 && exponent == 0, &rest, &ignored);
    if (!found && continuous && network_has_dead_time(network)) TRY(set_dead_time(work, &rest, error));
    parts->posed = found == COSTAB_OK;
    if (!parts->posed) return ignored.status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
    parts->states = rest.mono_size;
    parts->mono = rest.mono;
    parts->mono_noise = rest.mono_noise;
    parts->span = work->mono.span;
    if (rest.equilibria > 0) {
        parts->size = rest.map_size;
        parts->map = rest.map;
        parts->map_noise = rest.map_noise;
    }
    if (!increment || exponent != 0) return COSTAB_OK;
    costab_status status = short_step_make(work, &rest, &parts->increment, error);
    set_guesses(work, coupling, radius, parts);
    return status;
}

costab_status analyse_turn(costab_network_work *work, const costab_network *network, double macro_step,
                           double *turn, costab_error *error) {
    *turn = 0;
    for (int s = 0; s < work->count; s++) {
        double radius, abscissa;
        int n = work->subs[s].discrete ? 0 : work->subs[s].n;
        TRY(spectrum_radius(work, n, network->subsystems[s].A, &radius, &abscissa, error));
        for (int i = 0; i < n; i++) *turn = fmax(*turn, fabs(work->eigen.imaginary[i]));
    }
    *turn *= macro_step;
    return COSTAB_OK;
}
