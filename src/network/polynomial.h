/* network/polynomial.h - the polynomial that a connection delivers during a step, from values of its source.
 *
 * Local time s runs from 0 to 1 over the target's step: u(s) = u_0 + u_1 s + u_2 s^2 + u_3 s^3. */
#pragma once

#include "costab/network.h"
#include "method/matrix.h"

/* A value or slope of the source, and its weight in each coefficient. */
typedef struct polynomial_node {
    int back;   /* publications before the newest; -1: the new value */
    bool slope; /* the slope, per step of the target, instead of the value */
    double weight[MATRIX_POWERS];
} polynomial_node;

enum { POLYNOMIAL_NODES = 2 * MATRIX_POWERS };

typedef struct polynomial_rule {
    int count;
    int reach[2]; /* one more than the largest `back` of its values and of its slopes; 0: none */
    polynomial_node nodes[POLYNOMIAL_NODES];
} polynomial_rule;

/* Times of the nodes in steps of the target. */
typedef struct polynomial_times {
    double at[MATRIX_POWERS]; /* newest first. Extrapolation: 0 or less. Interpolation: the new value's time,
                               * then those of previous values */
} polynomial_times;

/* Returns times `spacing` apart, newest first. */
polynomial_times polynomial_even(double newest, double spacing);

/* Degree of the polynomial. */
int polynomial_degree(costab_hold hold, bool interpolates);

/* Extrapolates from the newest values, polynomial_values of them, or (hermite) from the newest value and
 * slope, or by weights of differences (times.at[0] must be 0). `back` starts at 0. */
void polynomial_extrapolate(const costab_extrapolation *by, polynomial_times times, polynomial_rule *rule);
/* Number of values that an extrapolation uses. */
int polynomial_values(costab_hold hold);
/* Returns true if straight lines are extrapolated exactly. */
bool polynomial_keeps_lines(const costab_extrapolation *by);
/* Interpolates the new value and the newest published values, as many as the degree; a constant is the new
 * value. With hermite: the new and the newest published value, with their slopes. */
void polynomial_interpolate(costab_hold hold, polynomial_times times, polynomial_rule *rule);
/* Replaces every value y_j by (1 - share) y_(j - whole) + share y_(j - whole - 1). */
void polynomial_delay(int whole, double share, polynomial_rule *rule);
/* Weight of a node in the value at s = 1. */
double polynomial_end(const polynomial_node *node);
/* Returns the line from the end of the extrapolation `before` to the end of `now`. shift: publications
 * between the references of their `back`. */
void polynomial_smooth(const polynomial_rule *before, const polynomial_rule *now, int shift,
                       polynomial_rule *rule);
