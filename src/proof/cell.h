/* proof/cell.h - one cell of a search: its nodes, and where the crossing functions of a matrix may be 0.
 * docs/algorithms.md, Complete limits. */
#pragma once

#include "proof/interpolant.h"
#include "proof/search.h"

_Static_assert((int)CHEBYSHEV_MOST + 1 <= (int)SAMPLE_AT_ONCE, "all nodes of a cell are asked for at once");

enum { CELL_INTERVALS = 2 * CROSSING_FUNCTIONS * CHEBYSHEV_INTERVALS };

typedef struct cell {
    search *s;
    double from, to;
    int k, count;       /* number of the degree, nodes */
    bool narrow;        /* rounding alone may decide */
    crossing_kind kind; /* of the map: complex where it is so at any node */
    int checks;         /* check points that follow the nodes, where functions may be scaled: 0 or 2 */
    int zero_check;     /* 1: one more of them, next to the known zero inside the cell; or 0 */
    const sample *nodes[INTERPOLANT_SAMPLES];
    double node_offset; /* so far, at most, the first and the last node are from the cell's ends */
    bool sought;        /* a zero was looked for between nodes that show different sides */
} cell;

/* Nodes and check points. */
static inline int cell_samples(const cell *c) {
    return c->count + c->checks + c->zero_check;
}

/* The parameter at x of [-1, 1]. */
static inline double cell_parameter(const cell *c, double x) {
    return c->from + (c->to - c->from) * (x + 1) / 2;
}

/* Where node i of degree number k stands: the first and the last a little inside where the cell begins or
 * ceases at a known zero. How far from its ends they are at most. */
double cell_node(const cell *c, int k, int i);
double cell_node_offset(const cell *c);

/* Evaluates the nodes of degree number k, and the check point next to a known zero. */
costab_status cell_gather(cell *c, int k, costab_error *error);
costab_status cell_gather_zero_check(cell *c, costab_error *error);
/* Evaluates the check points between nodes, at which scaled functions have to be right; none where the map
 * is of another kind or size there. */
costab_status cell_gather_checks(cell *c, costab_error *error);

/* Is p = 0 too near to the cell, beside its width, for a scaling? */
bool cell_is_near_zero(const cell *c);

/* Do nodes stand near enough to each other for a verdict? What is flat at few need not be so between them. */
bool cell_is_dense(const cell *c);

/* The zero that is known inside the cell; NULL: none. */
const known_zero *cell_zero(const cell *c);

/* The number of the node after which another side of the limit shows than before, where that changes once
 * beyond rounding; 0: not so. */
int cell_change(const cell *c);

/* ---- Crossing functions ---- */

/* The functions of one matrix at all nodes, then at the check points. */
typedef struct cell_functions {
    crossing_value at[INTERPOLANT_SAMPLES][CROSSING_FUNCTIONS];
    int functions;
    unsigned deflated; /* functions that known zeros were divided out of: bits */
} cell_functions;

/* The functions of map or guesses, at all of the cell's samples each so far `beyond` the limit: all at the
 * limit, or on a radius that is an analytic function of the parameter. At the limit, known zeros that are no
 * further than the cell's width away are divided out. */
void cell_values(const cell *c, int which, const double *beyond, cell_functions *f);

/* What nodes that stand off the cell's ends make of values of a polynomial of its degree, relative: by
 * Markov's inequality no slope is larger than degree^2 over half of the width. */
double cell_offset_noise(const cell *c);

/* Where the functions of a matrix may be 0. */
typedef struct unresolved_list {
    chebyshev_interval items[CELL_INTERVALS];
    int count;
    bool resolved;   /* no function is unresolved on more than a tenth of the cell */
    bool throughout; /* some function is unresolved on all of it: nothing is known */
    bool neutral;    /* of some function rounding is as large as its values, at every node */
    bool noisy;    /* it is a quarter of them or more, at every node: narrower cells would tell little more */
    double spread; /* how many factors of 2 an unresolved function's values are apart */
} unresolved_list;

void cell_look(const cell *c, const cell_functions *f, unresolved_list *list);
bool cell_is_clear(const unresolved_list *list);

/* What one degree tells of the cell. */
typedef struct cell_reading {
    unresolved_list unresolved[SAMPLE_SPECTRA];
    double beyond[SAMPLE_SPECTRA]; /* how far beyond the limit it was looked: a little where neutral */
    bool neutral;
    bool noisy; /* at the limit itself */
} cell_reading;

/* ---- Divisions: proof/cell_divide.c ---- */

/* Emits all of the cell with what was found. */
costab_status cell_emit(const cell *c, costab_outcome verdict, costab_reason reason, costab_error *error);

/* Clear intervals get their verdict, unresolved ones become cells of their own. */
costab_status cell_take_apart(const cell *c, const cell_reading *r, costab_error *error);

costab_status cell_bisect(const cell *c, costab_error *error);

/* Divides a cell of which nothing is known: at a known zero inside, or around the change that its nodes show.
 */
costab_status cell_divide(const cell *c, costab_error *error);

/* Divides a cell whose nodes are of different kinds: where the map jumps at the place where it does,
 * between neighbouring doubles, else in its middle. */
costab_status cell_cut(const cell *c, costab_error *error);

/* As narrow as cells become: a crossing, which is undecided, unless both ends are neutral; one that two jumps
 * left, which nothing was asked of before (`first`), is what both ends are. */
costab_status cell_finish(const cell *c, bool first, costab_error *error);
