/* costab/limit.h - complete answers: where along one parameter a coupling is stable, without hidden gaps.
 *
 * A family is a function from a number to a map M and its parts. Its crossing functions are det(I - M),
 * det(I + M) and prod_{i<j} (1 - l_i l_j), where l are the eigenvalues. They are analytic if M is, and one of
 * them is 0 if an eigenvalue of a real M is on the unit circle. In an interval without such a zero, one
 * eigenvalue problem decides stability. The functions are interpolated at Chebyshev points on adaptive cells:
 * a cell without a zero has one verdict, and other cells are divided down to the width of one end.
 * docs/explanation/algorithms.md, Complete limits, has theorem, steps and complexity.
 *
 * Completeness: formulas are bounded between samples, so that no interval that a formula makes is passed
 * over. The dependence of eigenvalues on the numbers is estimated. Nodes are at least as close as 33 over the
 * range (over an eighth of its larger end, if that is more) and 17 over each cell of costab_family.divide.
 * The error of the interpolation is taken as eight times the sum of the last half of its coefficients. A
 * family without `divide` is one cell. The answers are complete in floating point, not proved.
 */
#ifndef COSTAB_LIMIT_H
#define COSTAB_LIMIT_H

#include <stdint.h>

#include "costab/network.h"
#include "costab/planar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Families ---- */

/* The parts of a family point that a caller requests: flags. */
enum {
    COSTAB_FAMILY_MAP = 1,
    COSTAB_FAMILY_CONTINUOUS = 2,
    COSTAB_FAMILY_TURN = 4,
    COSTAB_FAMILY_INCREMENT = 8,
    COSTAB_FAMILY_SHORT_DELAYS = 16 /* eigenvalues 0 of delays that close no loop may be left out */
};

/* A square matrix, row-major, borrowed. */
typedef struct costab_matrix {
    int size;
    const double *entries;
    const double *imaginary; /* NULL: real */
    double noise;            /* error of an entry beyond the rounding of the matrix itself */
} costab_matrix;

/* A family at one value of its parameter. Everything is borrowed until the next evaluation of the family. */
typedef struct costab_family_point {
    costab_matrix map; /* of one macro step (of the product over the period, with own clocks) */
    /* COSTAB_FAMILY_INCREMENT: for a short step, whose eigenvalues tend to 1, the map minus identity without
     * cancellation. The map's eigenvalues are those of I + increment[0] and those of increment[1], real
     * matrices whose sizes add up to the map's; the noise of increment[0] is a norm, of the balanced matrix.
     * Size 0: unknown. */
    costab_matrix increment[2];
    costab_matrix guesses; /* J of an iteration until convergence: it must contract, and the map has poles if
                              det(I - J) = 0; size 0: no iteration. Always real */
    bool solved;        /* the loop of guesses is solved, not iterated: J makes poles but need not contract */
    costab_matrix loop; /* D L: if det(I - D L) = 0 the model is ill-posed, and quantities that depend on it
                           have a pole */
    bool loop_in_map;   /* the map depends on the solution of the loop, too, not only the continuous system */
    costab_matrix continuous; /* A_mono; size 0: the continuous system is unknown */
    double span; /* 0; with discrete-time subsystems `continuous` is the map of the sampled-data system over
                    `span` seconds: its limit is the unit circle */
    double turn; /* phase (rad) of the fastest subsystem per macro step; 0: unknown */
    uint32_t waits; /* a hash of integers, such as delays in macro steps: if it differs the map jumps */
} costab_family_point;

/* Fills the parts that `wanted` requests, at the number `value`. COSTAB_MEMORY ends a search; any other error
 * means that the model is ill-posed at this value. */
typedef costab_status (*costab_family_function)(void *context, double value, unsigned wanted,
                                                costab_family_point *point, costab_error *error);

struct first_cells; /* base/first_cells.h */

/* Divides a range into cells in which interpolation sees every change of the family's numbers. [out] cells:
 * to be freed, also after an error. */
typedef costab_status (*costab_family_division)(void *context, const double range[2],
                                                struct first_cells *cells, costab_error *error);

/* Returns how many delayed values the family's map stores at the number `value`, with
 * COSTAB_FAMILY_SHORT_DELAYS; 0 if the model is ill-posed there. It need not make the map. */
typedef double (*costab_family_stored)(void *context, double value);

typedef struct costab_family {
    costab_family_function at;
    void *context;
    costab_family_division divide; /* NULL: a range is one cell */
    costab_family_stored stored;   /* NULL: none, or unknown */
} costab_family;

/* Workers that evaluate a family at several values at once. The answers are the same without them. */
typedef struct costab_crew {
    int size; /* workers */
    const costab_family
        *families; /* one per worker, all the same function; each is evaluated by its worker only */
    /* Calls one(of, worker, item, ...) once for every item below `count`; each worker handles one item at a
     * time. Returns the first error after all workers have ended. */
    costab_status (*each)(void *context, int count,
                          costab_status (*one)(void *of, int worker, int item, costab_error *error), void *of,
                          costab_error *error);
    void *context;
} costab_crew;

/* ---- Limits in one parameter ---- */

typedef enum costab_outcome {
    COSTAB_OUTCOME_UNSTABLE,
    COSTAB_OUTCOME_STABLE,
    COSTAB_OUTCOME_NEUTRAL, /* on the limit within rounding, everywhere in the cell */
    COSTAB_OUTCOME_UNDECIDED,
    COSTAB_OUTCOME_ILL_POSED
} costab_outcome;

/* Why a cell has its verdict. */
typedef enum costab_reason {
    COSTAB_REASON_CLEAR,  /* the crossing functions have no zero at radius 1 (at 0 for the continuous system)
                           */
    COSTAB_REASON_RADIUS, /* no zero at some larger radius (abscissa), and an eigenvalue is beyond it */
    COSTAB_REASON_TRACE,  /* |trace M^k| > size of M for some k */
    COSTAB_REASON_OVERFLOW,  /* the map's numbers overflow, or nearly */
    COSTAB_REASON_PLACE,     /* a single value, evaluated alone */
    COSTAB_REASON_NARROW,    /* undecided: as narrow as the resolution of ends */
    COSTAB_REASON_ROUNDING,  /* undecided, or neutral: rounding hides the crossing functions */
    COSTAB_REASON_CAP,       /* undecided: no evaluations left */
    COSTAB_REASON_UNBOUNDED, /* undecided: a formula varies too fast to be bounded */
    COSTAB_REASON_DELAYS,    /* undecided: the map stores too many delayed values */
    COSTAB_REASON_ILL_POSED, /* the family has no map there */
    COSTAB_REASON_COUNT
} costab_reason;

/* An interval of the parameter with one verdict. */
typedef struct costab_cell {
    double from, to;
    costab_outcome verdict;
    costab_reason reason;
} costab_cell;

typedef struct costab_cells {
    size_t count, capacity;
    costab_cell *items; /* ascending; neighbours share an end, or their ends are neighbouring doubles */
} costab_cells;

typedef enum costab_end {
    COSTAB_END_LIMIT,     /* a crossing */
    COSTAB_END_RANGE,     /* the range's own end */
    COSTAB_END_ILL_POSED, /* the model is ill-posed there */
    COSTAB_END_UNDECIDED, /* an undecided piece follows */
    COSTAB_END_WHOLE, /* a tried value of a parameter with single values; the next one has another class */
    COSTAB_END_LOST,  /* the network has no operating point beyond */
    COSTAB_END_COUNT
} costab_end;

/* "limit", "range", "ill-posed", "undecided", "whole", "lost"; NULL outside the range. */
COSTAB_API const char *costab_end_name(costab_end end);

/* An interval of the parameter in which the co-simulation is not unstable. */
typedef struct costab_piece {
    double from, to;
    costab_end from_is, to_is;
    uint8_t class_code; /* SS, US, SN, ..., or COSTAB_CLASS_UNDECIDED */
} costab_piece;

/* How the first cells divide the range. The answers agree up to rounding. */
typedef enum costab_spacing {
    COSTAB_SPACING_LINEAR, /* cells of equal width */
    COSTAB_SPACING_LOG     /* cells of a factor of 4 at most; for positive ranges over many decades */
} costab_spacing;

/* "linear", "log"; NULL outside the range. */
COSTAB_API const char *costab_spacing_name(costab_spacing spacing);

typedef struct costab_limit_options {
    double lower, upper; /* finite, lower < upper */
    size_t evaluations;  /* limit for the map, and again for the continuous system; 0: 50000, or if that is
                            more, place_count, or 32 for each cell of costab_family.divide if all numbers
                            could be bounded. Values beyond the limit are undecided */
    const double
        *places; /* ascending: exactly these values are evaluated; NULL: the whole range is searched */
    size_t place_count;
    /* Called before evaluations with the finished share of the range and the number of evaluations so far;
     * returning true ends the search with COSTAB_CANCELLED. The share is that of the map's search; it is 1
     * while the continuous system is searched next. May be NULL. */
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    costab_spacing spacing;
    bool first;      /* the search ends after the first cell that is certainly unstable and leaves out the
                        continuous system, whose bits the pieces then lack; not with places */
    unsigned stable; /* COSTAB_FAMILY_MAP or COSTAB_FAMILY_CONTINUOUS: this system counts as stable everywhere
                        and is not searched; not with places */
    bool still;      /* the continuous system is equal at all values */
    const costab_crew *crew; /* NULL: evaluations run one after the other */
} costab_limit_options;

typedef struct costab_limit {
    size_t count;
    costab_piece *pieces; /* ascending; between them the co-simulation is unstable, or the model ill-posed */
    costab_cells discrete, continuous;
    size_t evaluations;                    /* of the map: one map, all of its eigenvalues */
    size_t continuous_evaluations;         /* of the continuous system alone */
    double undecided[COSTAB_REASON_COUNT]; /* width of the undecided pieces, by reason; 0 with places */
    /* The evaluated value at which the co-simulation is most stable, and its spectral radius there, or the
     * iteration radius if that is larger. NaN: no value had a map, or the map was not searched. */
    double nearest, nearest_radius;
    bool nearest_diverges;           /* the iteration radius is the larger one */
    double least_abscissa;           /* of the continuous system, 1/s; NaN: unknown */
    costab_outcome continuous_class; /* the common verdict of its cells, otherwise COSTAB_OUTCOME_UNDECIDED */
    const char *unbounded; /* a formula that could not be bounded, borrowed from the model; may be NULL */
    size_t compared; /* values at which numbers without a formula were compared with their interpolants; 0 if
                        every number has a formula */
} costab_limit;

COSTAB_API void costab_limit_free(costab_limit *limit);

/* Finds all pieces of the macro step (s) of a network, with all other numbers fixed. options->lower > 0; this
 * function determines options->places. [out] limit: free with costab_limit_free, also after an error. Returns
 * COSTAB_INVALID for an empty range, and if too many macro steps fit the micro steps. */
COSTAB_API costab_status costab_limit_macro_step(const costab_network *network,
                                                 const costab_coupling *coupling,
                                                 const costab_limit_options *options, costab_limit *limit,
                                                 costab_error *error);

/* ---- Check of an error bound ---- */

typedef struct costab_made_options {
    double error;      /* the error allowed */
    double macro_step; /* the step that a bound allows: costab_bound.macro_step */
    double horizon;    /* the time over which the error is measured: costab_bound.horizon */
    /* Called often, also during simulations, with the number of measured macro steps; returning true ends the
     * search with COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_made_options;

/* The error is the largest difference between a state and the monolithic solution at communication points up
 * to the horizon; errors between these points are not seen. Macro steps from 0.01 to 30 times
 * options->macro_step are tried, down to 0.001 times if the error exceeds the allowed error at 0.01. If the
 * runs would take too many macro steps (1e8 in total; 1e9 from options->macro_step on, or as long as no step
 * keeps the error) only steps from `lowest` on are tried. Errors of macro steps beyond the horizon are not
 * measured. Macro steps and times are in seconds. */
typedef struct costab_made {
    double stable_to; /* every macro step from 0.001 times options->macro_step up to it is stable; `highest`
                         if all tried steps are stable; 0 if the smallest is not stable */
    double error_at_macro_step; /* infinite if the run diverges; 0 if `taken` is 0; NaN: the run would have
                                   no macro step, or more than 1e9, and was left out */
    double taken; /* the macro step of that error: the largest up to options->macro_step that the micro steps
                     allow; 0: no step is possible */
    double macro_step_made; /* every macro step from `lowest` up to this value keeps the allowed error, and is
                               stable if the continuous system is; 0: the smallest does not; NaN: no error was
                               measured, because `lowest` is larger than all of them */
    double kept_up_to;      /* the largest tried macro step that keeps the error and is stable; larger than
                               macro_step_made if some steps between do not; 0 and NaN as above */
    double highest; /* end of the range: 30 times options->macro_step, or the largest step below it that
                       the micro steps allow */
    double lowest;  /* the smallest macro step whose error was measured or could be; errors of smaller steps
                       are unknown */
} costab_made;

/* Checks an error bound such as [MS] eq. 31 by simulations. Limitation: an interval of macro steps of up
 * to 0.54 % in which the error is exceeded may be between two samples. COSTAB_INVALID for values that are
 * not positive, and if no macro step fits the micro steps; other errors as costab_network_simulate and
 * costab_limit_macro_step. */
COSTAB_API costab_status costab_bound_made(const costab_network *network, const costab_coupling *coupling,
                                           const costab_made_options *options, costab_made *made,
                                           costab_error *error);

/* ---- Distances from instability ---- */

/* How far a connection's factor may go from 1 before a stable network's map has an eigenvalue on the unit
 * circle. For each |z| = 1 the factors 1 + 1/g put an eigenvalue at z; linear polynomials and sweeps make
 * several g. A number is NaN if the nominal map is unstable, or if the g are unknown, such as g beyond
 * `above`. */
typedef struct costab_loop {
    double radius; /* 1 / max |g|: of complex changes of the factor; infinite if no factor matters */
    /* 1 / max |g + 1/2|, at most 2: the disk margin alpha. With r = (2 + alpha)/(2 - alpha) the network stays
     * stable for all gains from 1/r to r, and for all changes of phase up to 2 atan(alpha/2). */
    double disk;
    double radius_turn, disk_turn; /* the angle of z where the maximum is: radians per macro step (period) */
    double above; /* a radius that is NaN is above this number, and a disk margin that is NaN is above 2
                     above/(2 + above) */
} costab_loop;

#ifdef __cplusplus
}
#endif
#endif
