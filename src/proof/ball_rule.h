/* proof/ball_rule.h - the polynomial that a connection delivers over a step of its target, in exact numbers.
 *
 * It is a sum of nodes: former values of the source, or slopes of them, each times a polynomial in s = 0..1,
 * the target's own time. Slopes are those per macro step. */
#pragma once

#include "base/flint.h"
#include "costab/network.h"

enum { BALL_NODES_MAX = 12 };

typedef struct ball_node {
    int age; /* publications before the newest one that is not in the future: 0, 1, ..; -1: the new value */
    bool slope;
    fmpq_poly_t weight;
    acb_srcptr factor; /* of the weight, borrowed; NULL: 1 */
} ball_node;

typedef struct ball_rule {
    int count;
    ball_node nodes[BALL_NODES_MAX];
} ball_rule;

/* How a connection extrapolates; weights: a0, a1, b0, b1 of COSTAB_TUNED and COSTAB_TUNED_2, borrowed. */
typedef struct ball_extrapolation {
    costab_hold hold;
    acb_srcptr weights;
} ball_extrapolation;

/* Macro step n, at which the target exchanges; the source publishes at multiples of its stride. */
typedef struct ball_times {
    slong n, source, target; /* `source`, `target`: strides */
    slong delay;             /* macro steps */
} ball_times;

/* Rules are initialised here; clear them with ball_rule_clear. Extrapolation by the values that were
 * published until `delay` steps before n, taken as if each had been published `delay` later; smoothed: as a
 * line from where the last one ended. */
void ball_rule_extrapolate(const ball_extrapolation *by, const ball_times *times, bool smoothed,
                           ball_rule *rule);
/* Interpolation through the new value, which is published next after n, and those before. */
void ball_rule_interpolate(costab_hold hold, const ball_times *times, ball_rule *rule);
void ball_rule_clear(ball_rule *rule);

/* Degree of the largest weight. */
int ball_rule_degree(const ball_rule *rule);
