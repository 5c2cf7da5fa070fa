/* proof/cell.h - one cell of a search: its nodes, and where the crossing functions of a matrix may be 0. */
#ifndef PROOF_CELL_H
#define PROOF_CELL_H

#include "proof/interpolant.h"
#include "proof/search.h"

_Static_assert((int)CHEBYSHEV_MOST + 1 <= (int)PLACE_AT_ONCE, "all nodes of a cell are asked for at once");

enum { CELL_STRETCHES = 2 * CROSSING_FUNCTIONS * CHEBYSHEV_STRETCHES };

typedef struct cell {
    search *s;
    double from, to;
    int k, count; /* number of the degree, nodes */
    bool narrow;
    crossing_kind kind; /* of the map: complex where it is so at any node */
    int checks;         /* places that follow the nodes, where functions may have a trend */
    int beside; /* one more place, beside the end inside the cell: the interpolants have to be right there */
    const place *nodes[INTERPOLANT_PLACES];
    double aside; /* so far, at most, the first and the last node are from the cell's ends: beside a known
                     end */
    bool sought;  /* an end was looked for between nodes that show different sides */
} cell;

/* Nodes, checks and the place beside an end. */
static inline int cell_places(const cell *c) {
    return c->count + c->checks + c->beside;
}

/* The place at x of [-1, 1]. */
static inline double cell_place(const cell *c, double x) {
    return c->from + (c->to - c->from) * (x + 1) / 2;
}

/* Where node i of degree number k stands: the first and the last a little inside where the cell begins or
 * ceases at a known end. How far from its ends they are at most. */
double cell_node(const cell *c, int k, int i);
double cell_aside(const cell *c);

/* Do nodes stand near enough to each other for a verdict? */
bool cell_is_dense(const cell *c);

/* Where the functions of a matrix may be 0. */
typedef struct grey_list {
    chebyshev_stretch items[CELL_STRETCHES];
    int count;
    bool resolved;
    bool blank;    /* all of the cell is grey by some function: nothing is known of it */
    bool neutral;  /* of some function rounding is as large as its values, at every node */
    double spread; /* how many factors of 2 a function's values are apart that is grey somewhere */
    bool hidden; /* it is a quarter of them or more, at every node: a narrower cell would tell little more */
} grey_list;

/* The functions of one matrix at all nodes. */
typedef struct node_values {
    crossing_value at[INTERPOLANT_PLACES][CROSSING_FUNCTIONS]; /* and at the places after them */
    int functions;
    unsigned divided; /* functions that known ends were taken out of: bits */
} node_values;

/* The functions of map or guesses, at all of the cell's places each so far `beyond` the limit: all at the
 * limit, or on a radius that is an analytic function of the parameter. */
void cell_values(const cell *c, int which, const double *beyond, node_values *f);

void cell_look(const cell *c, const node_values *f, grey_list *g);
bool cell_is_clear(const grey_list *g);

/* What nodes beside the cell's ends make of values of a polynomial of its degree, relative: by Markov's
 * inequality no slope is larger than degree^2 over half of the width. */
double cell_aside_noise(const cell *c);

/* Is the map (are the guesses) not stable on all of the cell? Fills reason, radius and power. */
bool cell_surely_unstable(const cell *c, int which, costab_cell *found);

/* ---- Divisions ---- */

/* What one degree tells of the cell. */
typedef struct cell_reading {
    grey_list grey[PLACE_SPECTRA];
    double beyond[PLACE_SPECTRA]; /* how far beyond the limit it was looked: a little where neutral */
    bool neutral;
    bool hidden; /* at the limit itself */
} cell_reading;

/* Emits all of the cell with what was found. */
costab_status cell_emit_whole(const cell *c, costab_cell found, costab_error *error);

/* Clear stretches get their verdict, grey ones become cells of their own. */
costab_status cell_take_apart(const cell *c, const cell_reading *r, costab_error *error);

costab_status cell_bisect(const cell *c, costab_error *error);

/* The number of the node after which another side of the limit shows than before, where that changes once
 * beyond rounding; 0: not so. */
int cell_change(const cell *c);

/* Divides a cell of which nothing is known: at a known end inside, or around one that its nodes show. */
costab_status cell_divide(const cell *c, costab_error *error);

/* As narrow as cells become. */
costab_status cell_finish(const cell *c, costab_error *error);

#endif
