/* network/polynomial.h - what a connection delivers over a step: a polynomial through values of its source.
 *
 * Local time s runs from 0 to 1 over the target's step: u(s) = u_0 + u_1 s + u_2 s^2 + u_3 s^3. */
#pragma once

#include "costab/network.h"
#include "method/matrix.h"

/* A value (or slope) of the source, and how much of it each coefficient takes. */
typedef struct polynomial_node {
    int back;   /* -1: the new value; else how many publications it lies before the newest one */
    bool slope; /* the slope, in units per step of the target, instead of the value */
    double weight[MATRIX_POWERS];
} polynomial_node;

enum { POLYNOMIAL_NODES = 2 * MATRIX_POWERS };

typedef struct polynomial_rule {
    int count;
    int reach[2]; /* one more than the largest `back` of its values and of its slopes; 0: none */
    polynomial_node nodes[POLYNOMIAL_NODES];
} polynomial_rule;

/* Where the nodes lie, in target's steps. */
typedef struct polynomial_times {
    double at[MATRIX_POWERS]; /* the newest first: 0 or less for an extrapolation, the new value's, and those
                                 before for an interpolation */
} polynomial_times;

/* Nodes `spacing` apart. */
polynomial_times polynomial_even(double newest, double spacing);

/* The degree of what is delivered. */
int polynomial_degree(costab_hold hold, bool interpolates);

/* Through the newest k + 1 values, or by its weights of their differences (times.at[0] is 0 then); back
 * counts from 0. */
void polynomial_extrapolate(const costab_extrapolation *by, polynomial_times times, polynomial_rule *rule);
/* How many values an extrapolation takes. */
int polynomial_values(costab_hold hold);
/* Is a straight line extrapolated exactly? */
bool polynomial_keeps_lines(const costab_extrapolation *by);
/* Through the new value and the k newest published ones; a constant is the new value. */
void polynomial_interpolate(costab_hold hold, polynomial_times times, polynomial_rule *rule);
/* The weight of a node in the value at s = 1. */
double polynomial_end(const polynomial_node *node);
/* The line from where the extrapolation `before` ended to where `now` ends; the publication from which
 * `before` counts back is `shift` before that of `now`. */
void polynomial_smooth(const polynomial_rule *before, const polynomial_rule *now, int shift,
                       polynomial_rule *rule);
