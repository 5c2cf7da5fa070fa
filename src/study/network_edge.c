/* Where a radius first passes 1 on an edge of the grid: the complete search of the room proof tells the
 * stretch in which it does, so that no two crossings before it are passed over. In it the place is found by
 * the ITP method (Oliveira and Takahashi 2020), which keeps the root between two ends, is as fast as the
 * secant method where the function is smooth, and needs hardly more steps than bisection where it has kinks,
 * as a spectral radius has.
 *
 * The ends of an edge are told apart by rho + e, e the rounding of the radius, so that what is on the limit
 * everywhere has no crossing; the place between them is that of rho = 1. */
#include <math.h>

#include "costab/proof.h"
#include "study/network_study.h"

/* Half the width of the last bracket, relative to the place. */
#define TOLERANCE 1e-13
/* Of a place at 0, relative to the edge's length. */
#define TOLERANCE_AT_ZERO 1e-19
/* Evaluations that the search for the first crossing may take; by what its stretch is widened, relative. */
enum { EVALUATIONS = 2000 };
#define WIDER 1e-9
/* A margin that is still larger than this at an end of the last bracket: the radius jumps there. */
#define JUMP 1e-3

typedef struct bracket {
    double low, high, at_low, at_high; /* ends and their margins */
    double least;                      /* half the width that bisection would end at */
    double most;                       /* half the width allowed in this step; halves with every step */
    double bend;                       /* how far the secant's place is drawn to the middle */
} bracket;

static bracket bracket_start(const double ends[2], const double margins[2]) {
    double length = ends[1] - ends[0];
    double smallest = ends[0] > 0 || ends[1] < 0 ? fmin(fabs(ends[0]), fabs(ends[1])) : 0;
    double least = fmax(TOLERANCE * smallest, TOLERANCE_AT_ZERO * length);
    double steps = fmax(0, ceil(log2(length / (2 * least)))) + 1;
    return (bracket){.low = ends[0],
                     .high = ends[1],
                     .at_low = margins[0],
                     .at_high = margins[1],
                     .least = least,
                     .most = least * exp2(steps),
                     .bend = 0.2 / length};
}

static double secant(const bracket *b) {
    return (b->at_high * b->low - b->at_low * b->high) / (b->at_high - b->at_low);
}

static bool narrow(const bracket *b) {
    double width = b->high - b->low;
    return width <= 2 * b->least || width <= 2 * TOLERANCE * fmax(fabs(b->low), fabs(b->high));
}

static double next_place(bracket *b) {
    double width = b->high - b->low, middle = b->low + 0.5 * width, place = secant(b);
    double side = middle >= place ? 1 : -1, pull = b->bend * width * width, room = b->most - 0.5 * width;
    place = pull <= fabs(middle - place) ? place + side * pull : middle;
    b->most *= 0.5;
    return fabs(place - middle) <= room ? place : middle - side * room;
}

/* The edge's parameter at a place, and the margin there; NaN where there is none. */
static costab_status margin_at(const network_edge *edge, double place, bool rounded, double *margin,
                               costab_error *error) {
    costab_network_point point;
    bool failed;
    *margin = (double)NAN;
    costab_model_instance_set(edge->worker->instance, edge->parameter, place);
    costab_status status = network_worker_analyse(edge->worker, edge->coupling, &point, &failed, error);
    if (!status && !failed) *margin = network_margin(&point, edge->level, rounded);
    return status;
}

/* ---- The stretch with the first crossing ---- */

/* The edge as a family: the map alone, or the map of guesses alone. */
static costab_status at(void *context, const double *values, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    static const double still_entry = -1;
    static const costab_matrix still = {.size = 1, .entries = &still_entry};
    const network_edge *edge = context;
    costab_model_instance *instance = edge->worker->instance;
    *point = (costab_family_point){.map = still, .continuous = still};
    if ((wanted & COSTAB_FAMILY_MAP) == 0) return COSTAB_OK;
    costab_model_instance_set(instance, edge->parameter, values[0]);
    costab_status status = costab_model_instance_update(instance, error);
    if (!status)
        status = costab_network_family_point(edge->worker->work, costab_model_instance_network(instance),
                                             costab_model_instance_coupling(instance, (int)edge->coupling),
                                             wanted, point, error);
    if (status) return status;
    point->continuous = still;
    if (edge->level == NETWORK_LEVEL_RADIUS) {
        point->solved = true; /* the iteration makes poles, and need not contract */
        return COSTAB_OK;
    }
    point->map = point->guesses.size > 0 ? point->guesses : still;
    point->near[0].size = point->guesses.size = 0;
    return COSTAB_OK;
}

static bool is_stable(const costab_piece *piece) {
    return piece->class_code != COSTAB_CLASS_UNDECIDED && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
}

/* Between which places stability first changes. The pieces are those that are not unstable. */
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

/* Makes the bracket of an edge that of its first crossing, where the search tells it. */
static costab_status isolate(const network_edge *edge, bracket *b, costab_error *error) {
    const double ends[2] = {b->low, b->high};
    const costab_limit_options options = {.lower = ends[0], .upper = ends[1], .evaluations = EVALUATIONS};
    network_edge context = *edge;
    const costab_family family = {.at = at, .context = &context};
    costab_limit limit;
    costab_error why;
    double change[2], margins[2] = {0};
    costab_status status = costab_limit_find(&family, &options, &limit, &why);
    bool found = !status && first_change(&limit, ends, b->at_low < 0, change);
    costab_limit_free(&limit);
    if (status == COSTAB_MEMORY && error != NULL) *error = why;
    if (!found) return status == COSTAB_MEMORY ? status : COSTAB_OK;
    double more = WIDER * fmax(fabs(change[0]), fabs(change[1]));
    change[0] = fmax(ends[0], change[0] - more);
    change[1] = fmin(ends[1], change[1] + more);
    status = COSTAB_OK;
    for (int i = 0; i < 2 && !status; i++) status = margin_at(edge, change[i], true, &margins[i], error);
    bool as_ends = (margins[0] < 0) == (b->at_low < 0) && (margins[1] < 0) == (b->at_high < 0);
    if (!status && as_ends && !isnan(margins[0]) && !isnan(margins[1])) *b = bracket_start(change, margins);
    return status;
}

costab_status network_edge_cross(const network_edge *edge, const double ends[2], const double margins[2],
                                 double *crossing, costab_error *error) {
    bracket b = bracket_start(ends, margins);
    double margin;
    *crossing = (double)NAN;
    costab_status status = margin_at(edge, ends[0] + 0.5 * (ends[1] - ends[0]), false, &margin, error);
    if (status || isnan(margin)) return status;
    status = isolate(edge, &b, error);
    if (status) return status;
    while (!narrow(&b)) {
        double place = next_place(&b);
        if (!(place > b.low && place < b.high)) break; /* no double lies between the ends */
        status = margin_at(edge, place, false, &margin, error);
        if (status || isnan(margin)) return status;
        bool as_low = (margin < 0) == (b.at_low < 0);
        *(as_low ? &b.low : &b.high) = place;
        *(as_low ? &b.at_low : &b.at_high) = margin;
    }
    if (fmax(fabs(b.at_low), fabs(b.at_high)) > JUMP) return COSTAB_OK;
    *crossing = b.at_low == b.at_high ? b.low : fmin(fmax(secant(&b), b.low), b.high);
    return COSTAB_OK;
}
