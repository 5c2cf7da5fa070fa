/* limit/cell.h - one cell (subinterval) of a search: its nodes, and the intervals on which a crossing
 * function may be 0. See "Complete limits" in docs/explanation/algorithms.md. */
#pragma once

#include "limit/interpolant.h"
#include "limit/search.h"

_Static_assert((int)CHEBYSHEV_MOST + 1 <= (int)SAMPLE_AT_ONCE, "one request covers all nodes of a cell");

enum { CELL_INTERVALS = 2 * CROSSING_FUNCTIONS * CHEBYSHEV_INTERVALS };

typedef struct cell {
    search *s;
    double from, to; /* parameter range */
    int k;           /* interpolants have degree chebyshev_degree(k) */
    int count;       /* nodes: degree + 1 */
    int checks;      /* check points between nodes for scaled functions: 0 or 2 */
    int zero_check;  /* 1: one more check point, next to the known zero inside; or 0 */
    const sample *nodes[INTERPOLANT_SAMPLES]; /* nodes (ascending), check points, the zero's check point */
    double node_offset;                       /* largest distance of an end node from its end of the cell */
    bool narrow;        /* so narrow that rounding that hides a function here also hides it in the halves */
    bool zero_sought;   /* a zero was searched between nodes on different sides */
    crossing_kind kind; /* kind of the map: complex if complex at any node */
} cell;

/* Number of nodes and check points. */
static inline int cell_samples(const cell *c) {
    return c->count + c->checks + c->zero_check;
}

/* Maps x in [-1, 1] to the parameter. */
static inline double cell_parameter(const cell *c, double x) {
    return c->from + (c->to - c->from) * (x + 1) / 2;
}

/* Evaluates the nodes of degree chebyshev_degree(k), and the check point next to a known zero. */
costab_status cell_gather(cell *c, int k, costab_error *error);
costab_status cell_gather_zero_check(cell *c, costab_error *error);
/* Evaluates the check points between nodes. Drops them if the map there is ill-posed, overflows or differs in
 * kind, size or delays. */
costab_status cell_gather_checks(cell *c, costab_error *error);

/* Returns true if p = 0 is so close, relative to the cell's width, that no scaling by powers of p and log p
 * can follow the functions. */
bool cell_is_near_origin(const cell *c);

/* Returns true if the nodes are close enough for a verdict. A function that is flat at few nodes may vary
 * between them. */
bool cell_is_dense(const cell *c);

/* Returns the known zero inside the cell, or NULL. */
const known_zero *cell_zero(const cell *c);

/* Returns the index of the first node on the other side of the limit than node 0. Returns 0 unless every node
 * is on one side beyond rounding and the side changes exactly once. */
int cell_change(const cell *c);

/* ---- Crossing functions ---- */

/* Functions of one matrix at all nodes, followed by the check points. */
typedef struct cell_functions {
    crossing_value at[INTERPOLANT_SAMPLES][CROSSING_FUNCTIONS];
    int functions;
    unsigned deflated; /* bit set of the functions divided by known zeros */
} cell_functions;

/* Computes the functions of one matrix (SAMPLE_GUESSES or SAMPLE_MAP) at all samples of the cell. Sample i
 * uses the circle or line beyond[i] outside the limit; beyond is 0 everywhere or an analytic function of the
 * parameter. At the limit itself, known zeros at most one cell width away are divided out. */
void cell_functions_at(const cell *c, sample_matrix matrix, const double *beyond, cell_functions *f);

/* Returns the relative error of treating end nodes slightly inside the cell as its ends. By Markov's
 * inequality the slope of a polynomial is at most degree^2 over half the width. */
double cell_offset_noise(const cell *c);

/* Intervals on which the functions of a matrix may be 0. */
typedef struct unresolved_list {
    chebyshev_interval items[CELL_INTERVALS];
    int count;
    bool resolved;   /* every function is unresolved on at most a tenth of the cell */
    bool throughout; /* some function is unresolved on the whole cell */
    bool neutral;    /* some function is within rounding of 0 at every node */
    bool noisy;      /* rounding is a quarter of some function or more: halving would gain little */
    double spread;   /* largest variation of an unresolved function over the nodes, as log2 */
} unresolved_list;

/* Interpolates the functions and lists the intervals of possible zeros. */
void cell_find_unresolved(const cell *c, const cell_functions *f, unresolved_list *list);
/* Returns true if the cell has no zero of any function. */
bool cell_is_clear(const unresolved_list *list);

/* Result of analysing a cell with interpolants of one degree. */
typedef struct cell_reading {
    unresolved_list unresolved[SAMPLE_SPECTRA];
    double beyond[SAMPLE_SPECTRA]; /* distance beyond the limit; small and positive if neutral */
    bool neutral;                  /* at the limit itself, map or iteration matrix: see unresolved_list */
    bool noisy;                    /* likewise */
} cell_reading;

/* ---- Divisions: limit/cell_divide.c ---- */

/* Gives the whole cell one verdict. */
costab_status cell_emit(const cell *c, costab_outcome verdict, costab_reason reason, costab_error *error);

/* Gives clear intervals their verdicts and opens unresolved intervals as new cells. */
costab_status cell_split_clear(const cell *c, const cell_reading *r, costab_error *error);

/* Divides the cell in two. In an unstable cell next to a known zero the part at the zero is the smaller one.
 */
costab_status cell_bisect(const cell *c, costab_error *error);

/* Divides a cell without any result: at the known zero inside; otherwise around the two nodes of a change of
 * side (cell_change); otherwise in two. */
costab_status cell_divide(const cell *c, costab_error *error);

/* Divides a cell with maps of different sizes or delays at the jump of the map, located to neighbouring
 * doubles. Bisects the cell without a jump between nodes. */
costab_status cell_cut_at_jump(const cell *c, costab_error *error);

/* Emits a cell of minimal width. A crossing inside makes it undecided. It is ill-posed if I - D L is singular
 * at an end or in between, and marginally stable if both ends are. A cell between two jumps of the map
 * (`first`: not evaluated before) gets the common verdict of its ends. */
costab_status cell_emit_narrow(const cell *c, bool first, costab_error *error);

/* ---- Exclusion ----
 * Proof that a whole cell is unstable: at every parameter at least one eigenvalue is beyond the limit (Lemma
 * 4 of docs/explanation/algorithms.md, Complete limits). The eigenvalue may change, and others may pass the
 * limit inside the cell. Two tests: |trace M^k| > n for a power k, or a circle beyond the limit that no
 * eigenvalue passes, with an eigenvalue outside. */
/* Returns true if an eigenvalue of the matrix (SAMPLE_GUESSES or SAMPLE_MAP) is proved to be beyond the limit
 * throughout the cell. [out] *reason: the successful test. */
bool exclusion_find(const cell *c, sample_matrix matrix, costab_reason *reason);

/* ---- Decisions ---- */

/* A search_decide: gives one verdict, several intervals with verdicts, or new cells. */
costab_status decision_make(search *s, double from, double to, bool first, costab_error *error);
