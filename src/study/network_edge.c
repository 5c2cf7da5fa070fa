/* Where a radius passes 1 on an edge of the grid: the ITP method (Oliveira and Takahashi 2020),
 * which keeps the root between two ends, is as fast as the secant method where the function is smooth, and
 * needs hardly more steps than bisection where it has kinks, as a spectral radius has.
 *
 * The ends of an edge are told apart by rho + e, e the rounding of the radius, so that what is on the limit
 * everywhere has no crossing; the place between them is that of rho = 1. */
#include <math.h>

#include "study/network_study.h"

/* Half the width of the last bracket, relative to the place. */
#define TOLERANCE 1e-13
/* Of a place at 0, relative to the edge's length. */
#define TOLERANCE_AT_ZERO 1e-19
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

costab_status network_edge_cross(const network_worker *worker, size_t coupling, network_level level,
                                 int parameter, const double ends[2], const double margins[2],
                                 double *crossing, costab_error *error) {
    bracket b = bracket_start(ends, margins);
    *crossing = (double)NAN;
    while (!narrow(&b)) {
        double place = next_place(&b);
        if (!(place > b.low && place < b.high)) break; /* no double lies between the ends */
        costab_network_point point;
        bool failed;
        costab_model_instance_set(worker->instance, parameter, place);
        costab_status status = network_worker_analyse(worker, coupling, &point, &failed, error);
        if (status || failed) return status;
        double margin = network_margin(&point, level, false);
        if (isnan(margin)) return COSTAB_OK;
        bool as_low = (margin < 0) == (b.at_low < 0);
        *(as_low ? &b.low : &b.high) = place;
        *(as_low ? &b.at_low : &b.at_high) = margin;
    }
    if (fmax(fabs(b.at_low), fabs(b.at_high)) > JUMP) return COSTAB_OK;
    *crossing = b.at_low == b.at_high ? b.low : fmin(fmax(secant(&b), b.low), b.high);
    return COSTAB_OK;
}
