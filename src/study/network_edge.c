/* Finds the first value on an edge of the grid at which the spectral or the iteration radius passes 1, for
 * the fields level_one_NAME and iteration_one_NAME. An edge joins two neighbouring points of the grid.
 *   1. The complete search of the map (docs/explanation/algorithms.md, Complete limits) isolates the interval
 *      with the first crossing.
 *   2. Brent's method (root.h) finds the root of log(radius) in this interval.
 *
 * The sides of the ends are decided by rho + e, with e the rounding error of the radius, so that an edge on
 * the limit everywhere has no crossing. The root is that of rho = 1; NaN if rho jumps over 1. Cost: up to
 * 2000 evaluations of the map for the search, and those of the root. Limitations: as for the search. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "method/root.h"
#include "network/analyse.h"
#include "study/network_study.h"

/* ---- Levels ---- */

/* Margin of an infinite radius; larger than the logarithm of any finite double. */
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

/* ---- Edges ---- */

/* Largest number of evaluations in the search for the first crossing. The interval that it returns is widened
 * by WIDER, relative to its ends, so that the radius has different sides of 1 at both. */
enum { EVALUATIONS = 2000 };
#define WIDER 1e-9
/* Size of log(radius) next to a root above which the radius jumps there. */
#define JUMP 1e-3

/* [out] *margin: logarithm of the radius at a value of the edge's parameter; NaN if the point cannot be
 * analysed or has no radius. rounded: as for network_radius. */
static costab_status margin_at(const network_edge *edge, double value, bool rounded, double *margin,
                               costab_error *error) {
    costab_network_point point;
    bool failed;
    *margin = (double)NAN;
    costab_model_instance_set(edge->worker->instance, edge->parameter, value);
    costab_status status = network_worker_analyse(edge->worker, edge->coupling, &point, &failed, error);
    if (status || failed) return status;
    *margin = network_margin(network_radius(&point, edge->level, rounded));
    return COSTAB_OK;
}

/* ---- The interval with the first crossing ---- */

/* Evaluates the edge as a family (costab/limit.h): the map of the macro step, or the iteration matrix. */
static costab_status map_alone(void *context, double value, unsigned wanted, costab_family_point *point,
                               costab_error *error) {
    static const double still = 0; /* iteration matrix of a coupling that does not iterate */
    const network_edge *edge = context;
    analysis_family bound = network_family(edge->worker, edge->coupling, edge->parameter);
    const costab_family family = analysis_family_of(&bound);
    TRY(family.at(family.context, value, wanted, point, error));
    if (edge->level == NETWORK_LEVEL_RADIUS) {
        point->solved = true; /* the iteration makes poles, and need not contract */
        return COSTAB_OK;
    }
    point->map = point->guesses.size > 0 ? point->guesses : (costab_matrix){.size = 1, .entries = &still};
    point->increment[0].size = point->guesses.size = 0;
    return COSTAB_OK;
}

/* Divides a range into first cells of the search (costab_family.divide). */
static costab_status divide(void *context, const double range[2], struct first_cells *cells,
                            costab_error *error) {
    const network_edge *edge = context;
    analysis_family bound = network_family(edge->worker, edge->coupling, edge->parameter);
    return analysis_family_divide_formulas(&bound, range, cells, error);
}

static bool is_stable(const costab_piece *piece) {
    return piece->class_code != COSTAB_CLASS_UNDECIDED && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
}

/* [out] change: the interval with the first change of stability, from the intervals of a limit. Returns false
 * without a change, and if the interval includes an end. */
static bool first_change(const costab_limit *limit, const double ends[2], bool stable, double change[2]) {
    size_t i = 0;
    while (i < limit->count && !is_stable(&limit->pieces[i])) i++;
    if (i == limit->count || (stable && limit->pieces[i].from > ends[0])) return false;
    const costab_piece *piece = &limit->pieces[i];
    change[0] = change[1] = stable ? piece->to : piece->from;
    if (stable && i + 1 < limit->count && piece[1].from <= piece->to) change[1] = piece[1].to;
    if (!stable && i > 0 && piece[-1].to >= piece->from) change[0] = piece[-1].from;
    return change[0] > ends[0] && change[1] < ends[1];
}

/* Moves the ends of an edge, and the margins there, to the interval with the first crossing, if the search
 * finds one. */
static costab_status isolate_first_crossing(const network_edge *edge, double ends[2], double margins[2],
                                            costab_error *error) {
    const costab_limit_options options = {
        .lower = ends[0], .upper = ends[1], .evaluations = EVALUATIONS, .stable = COSTAB_FAMILY_CONTINUOUS};
    network_edge context = *edge;
    const costab_family family = {.at = map_alone, .context = &context, .divide = divide};
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    costab_error why;
    double change[2], found[2];
    costab_status status = limit_find(&family, &options, &limit, &why);
    bool changes = !status && first_change(&limit, ends, margins[0] < 0, change);
    if (status == COSTAB_MEMORY && error != NULL) *error = why;
    if (!changes) return status == COSTAB_MEMORY ? status : COSTAB_OK;
    double more = WIDER * fmax(fabs(change[0]), fabs(change[1]));
    change[0] = fmax(ends[0], change[0] - more);
    change[1] = fmin(ends[1], change[1] + more);
    for (int i = 0; i < 2; i++) {
        status = margin_at(edge, change[i], true, &found[i], error);
        if (status || isnan(found[i]) || (found[i] < 0) != (margins[i] < 0)) return status;
    }
    for (int i = 0; i < 2; i++) {
        ends[i] = change[i];
        margins[i] = found[i];
    }
    return COSTAB_OK;
}

/* [out] *crossing: the root between ends with margins of different signs; NaN at a jump. */
static costab_status find_root(const network_edge *edge, const double ends[2], const double margins[2],
                               double *crossing, costab_error *error) {
    root r = root_start(ends, margins);
    double next, margin, bracket[2], values[2];
    *crossing = (double)NAN;
    while (root_next(&r, &next)) {
        costab_status status = margin_at(edge, next, false, &margin, error);
        if (status || isnan(margin)) return status;
        root_set_value(&r, margin);
    }
    root_get_bracket(&r, bracket, values);
    if (fabs(values[0]) <= JUMP && fabs(values[1]) <= JUMP) *crossing = root_line_zero(&r);
    return COSTAB_OK;
}

costab_status network_edge_find_first(const network_edge *edge, const double ends[2], const double margins[2],
                                      double *crossing, costab_error *error) {
    double interval[2] = {ends[0], ends[1]}, known[2] = {margins[0], margins[1]};
    double middle;
    *crossing = (double)NAN;
    costab_status status = margin_at(edge, ends[0] + 0.5 * (ends[1] - ends[0]), false, &middle, error);
    if (!status && !isnan(middle)) status = isolate_first_crossing(edge, interval, known, error);
    if (status || isnan(middle)) return status;
    return find_root(edge, interval, known, crossing, error);
}
