/* limit/cell.h - one cell of a search: its nodes, and where the crossing functions of a matrix may be 0.
 * docs/explanation/algorithms.md, Complete limits. */
#pragma once

#include "limit/interpolant.h"
#include "limit/search.h"

_Static_assert((int)CHEBYSHEV_MOST + 1 <= (int)SAMPLE_AT_ONCE, "all nodes of a cell are asked for at once");

enum { CELL_INTERVALS = 2 * CROSSING_FUNCTIONS * CHEBYSHEV_INTERVALS };

typedef struct cell {
    search *s;
    double from, to; /* of the parameter */
    int k;           /* the degree of interpolants is chebyshev_degree(k) */
    int count;       /* nodes: degree + 1 */
    int checks;      /* check points between nodes, at which scaled functions have to be right: 0 or 2 */
    int zero_check;  /* 1: one more, next to the known zero inside the cell; or 0 */
    const sample *nodes[INTERPOLANT_SAMPLES]; /* nodes, ascending; then check points; then the zero's */
    double node_offset; /* so far, at most, the first and the last node are from the cell's ends */
    bool narrow;        /* so narrow that a function hidden by rounding stays so in its halves */
    bool zero_sought;   /* a zero was looked for between nodes that show different sides */
    crossing_kind kind; /* of the map: complex where it is so at any node */
} cell;

/* Nodes and check points. */
static inline int cell_samples(const cell *c) {
    return c->count + c->checks + c->zero_check;
}

/* The parameter at x of [-1, 1]. */
static inline double cell_parameter(const cell *c, double x) {
    return c->from + (c->to - c->from) * (x + 1) / 2;
}

/* Evaluates the nodes of degree number k, and the check point next to a known zero. */
costab_status cell_gather(cell *c, int k, costab_error *error);
costab_status cell_gather_zero_check(cell *c, costab_error *error);
/* Evaluates the check points between nodes; none where the map is of another kind or size there. */
costab_status cell_gather_checks(cell *c, costab_error *error);

/* Is p = 0 so near to the cell, beside its width, that no scaling by powers of p and log p follows functions?
 */
bool cell_is_near_origin(const cell *c);

/* Are nodes near enough to each other for a verdict? What is flat at few nodes need not be so between them.
 */
bool cell_is_dense(const cell *c);

/* The zero that is known inside the cell; NULL: none. */
const known_zero *cell_zero(const cell *c);

/* The number of the first node on the other side of the limit than node 0, where every node is on one side
 * beyond rounding and the side changes once; 0: not so. */
int cell_change(const cell *c);

/* ---- Crossing functions ---- */

/* The functions of one matrix at all nodes, then at the check points. */
typedef struct cell_functions {
    crossing_value at[INTERPOLANT_SAMPLES][CROSSING_FUNCTIONS];
    int functions;
    unsigned deflated; /* functions that known zeros were divided out of: bits */
} cell_functions;

/* The functions of one matrix (SAMPLE_GUESSES or SAMPLE_MAP) at all of the cell's samples, at sample
 * i so far as beyond[i] beyond the limit: 0 everywhere, or an analytic function of the parameter. At the
 * limit, known zeros that are no further than the cell's width away are divided out. */
void cell_functions_at(const cell *c, sample_matrix matrix, const double *beyond, cell_functions *f);

/* The relative error of interpolating as if end nodes that are a little inside were at the cell's ends: by
 * Markov's inequality no slope of a polynomial is larger than degree^2 over half of the width. */
double cell_offset_noise(const cell *c);

/* Where the functions of a matrix may be 0. */
typedef struct unresolved_list {
    chebyshev_interval items[CELL_INTERVALS];
    int count;
    bool resolved;   /* no function is unresolved on more than a tenth of the cell */
    bool throughout; /* some function is unresolved on all of it: nothing is known */
    bool neutral;    /* of some function rounding is as large as the values, at every node */
    bool noisy;    /* of some function it is a quarter of the values or more: halves would tell little more */
    double spread; /* by how many factors of 2 an unresolved function varies over the nodes, at most */
} unresolved_list;

/* Interpolates the functions, and lists where any may be 0. */
void cell_find_unresolved(const cell *c, const cell_functions *f, unresolved_list *list);
/* Has no function a zero in the cell? */
bool cell_is_clear(const unresolved_list *list);

/* What one degree tells of the cell. */
typedef struct cell_reading {
    unresolved_list unresolved[SAMPLE_SPECTRA];
    double beyond[SAMPLE_SPECTRA]; /* how far beyond the limit the functions are: a little where neutral */
    bool neutral;                  /* at the limit itself: of map or guesses, as in an unresolved_list */
    bool noisy;                    /* the same */
} cell_reading;

/* ---- Divisions: limit/cell_divide.c ---- */

/* All of the cell gets one verdict. */
costab_status cell_emit(const cell *c, costab_outcome verdict, costab_reason reason, costab_error *error);

/* Clear intervals get their verdicts, unresolved ones become open cells. */
costab_status cell_split_clear(const cell *c, const cell_reading *r, costab_error *error);

/* Two open cells; not always halves: next to a known zero the part beyond it is small. */
costab_status cell_bisect(const cell *c, costab_error *error);

/* Divides a cell of which nothing is known: at the known zero inside; else around the two nodes between which
 * the side of the limit changes (cell_change); else it is bisected. */
costab_status cell_divide(const cell *c, costab_error *error);

/* Divides a cell whose nodes have maps of different sizes or delays: where the map jumps, between
 * neighbouring doubles; where no such place is between nodes, it is bisected. */
costab_status cell_cut_at_jump(const cell *c, costab_error *error);

/* The verdict of a cell that is as narrow as cells become. It holds a crossing, so it is undecided; but
 * ill-posed where I - D L is singular at an end or between, neutral where both ends are. A cell between two
 * jumps of the map (`first`: nothing was evaluated for it) has the verdict of its ends, where they agree. */
costab_status cell_emit_narrow(const cell *c, bool first, costab_error *error);
