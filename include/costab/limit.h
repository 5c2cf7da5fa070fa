/* costab/limit.h - complete answers: where along one parameter a coupling is stable, without hidden gaps.
 *
 * A family is a function from numbers to a map and its parts. Its crossing functions det(I - M), det(I + M)
 * and prod_{i<j} (1 - l_i l_j), l the eigenvalues, are analytic wherever M is, and one of them is 0 wherever
 * an eigenvalue of a real M lies on the unit circle. So where none of them has a zero one eigenvalue problem
 * decides a whole interval. They are interpolated at Chebyshev points on cells that adapt themselves: a cell
 * without a zero has one verdict, another one is divided until it is so narrow that it is one end.
 * docs/algorithms.md, Complete limits, has theorem, steps and complexity.
 *
 * No interval is passed over that a formula makes: formulas are bounded between samples. How eigenvalues
 * follow from the numbers is estimated, from 17 nodes a cell or more: the error of the interpolation from the
 * last half of its coefficients (eight times their sum). A family without `divide` is one cell. The answers
 * are complete in floating point, not proved.
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

/* What is asked of a family: flags. */
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
    double noise; /* what rounding may have made of an entry, beyond the rounding of the matrix itself */
} costab_matrix;

/* What a family is at one place. Everything is borrowed until the family is asked again. */
typedef struct costab_family_point {
    costab_matrix map; /* of one macro step (of the product over the period, with own clocks) */
    /* COSTAB_FAMILY_INCREMENT: of a short step, whose eigenvalues tend to 1, what the step adds to them: the
     * map's eigenvalues are those of I + increment[0] and those of increment[1], real matrices whose sizes
     * add up to the map's; the noise of increment[0] is a norm, of the balanced matrix. Size 0: not known. */
    costab_matrix increment[2];
    costab_matrix guesses; /* J, of an iteration to convergence: it must contract, and the map has poles where
                              det(I - J) = 0; size 0: none. Always real */
    bool solved; /* the guesses' loop is solved, not iterated: J makes poles but need not contract */
    costab_matrix
        loop; /* D L: where det(I - D L) = 0 the model is ill-posed, and what depends on it has a pole */
    bool loop_in_map;         /* the map depends on the loop's solution, not the continuous system alone */
    costab_matrix continuous; /* A_mono; size 0: there is no continuous system to compare with */
    double turn;    /* radians by which the fastest subsystem turns in one macro step; 0: not known */
    uint32_t waits; /* made of what is whole, such as delays in macro steps: where it differs the map jumps */
} costab_family_point;

/* Fills what `wanted` asks for at the number `value`. COSTAB_MEMORY ends a search; any other error says
 * that the model is ill-posed at this place. */
typedef costab_status (*costab_family_function)(void *context, double value, unsigned wanted,
                                                costab_family_point *point, costab_error *error);

struct first_cells; /* base/first_cells.h */

/* Divides a range into cells between whose ends no number of the family is hidden from interpolation. [out]
 * cells: to be freed, also after an error. */
typedef costab_status (*costab_family_division)(void *context, const double range[2],
                                                struct first_cells *cells, costab_error *error);

/* Returns how many delayed values the family's map stores at the number `value`, with
 * COSTAB_FAMILY_SHORT_DELAYS; 0 if the model is ill-posed there. It need not make the map. */
typedef double (*costab_family_stored)(void *context, double value);

typedef struct costab_family {
    costab_family_function at;
    void *context;
    costab_family_division divide; /* NULL: a range is one cell */
    costab_family_stored stored;   /* NULL: none, or not known */
} costab_family;

/* Workers that evaluate a family at several places at once. The answers are the same without them. */
typedef struct costab_crew {
    int size; /* workers */
    const costab_family
        *families; /* one per worker, all the same function; each is asked by its worker only */
    /* Calls one(of, worker, item, ...) once for every item below `count`, each worker for one item at a time,
     * and returns when all have ended, with the first error. */
    costab_status (*each)(void *context, int count,
                          costab_status (*one)(void *of, int worker, int item, costab_error *error), void *of,
                          costab_error *error);
    void *context;
} costab_crew;

/* A network at one point as a family's point: the rest of a family is what sets the network's numbers. */
COSTAB_MODULE costab_status costab_network_family_point(costab_network_work *work,
                                                        const costab_network *network,
                                                        const costab_coupling *coupling, unsigned wanted,
                                                        costab_family_point *point, costab_error *error);

/* How many delayed values it stores, as costab_family_stored. */
COSTAB_MODULE double costab_network_family_stored(costab_network_work *work, const costab_network *network,
                                                  const costab_coupling *coupling);

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
    COSTAB_REASON_RADIUS, /* none at some radius (abscissa) beyond, and an eigenvalue is beyond that */
    COSTAB_REASON_TRACE,  /* |trace M^k| > size of M for some k */
    COSTAB_REASON_OVERFLOW,  /* the map's numbers overflow, or all but */
    COSTAB_REASON_PLACE,     /* a place of its own: whole macro steps */
    COSTAB_REASON_NARROW,    /* undecided: as narrow as ends are found */
    COSTAB_REASON_ROUNDING,  /* undecided, or neutral: rounding hides the crossing functions */
    COSTAB_REASON_CAP,       /* undecided: no evaluations left */
    COSTAB_REASON_UNBOUNDED, /* undecided: a formula varies too fast to be bounded */
    COSTAB_REASON_DELAYS,    /* undecided: delays store too many values to be searched */
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
    costab_cell *items; /* ascending; between two is nothing, or a jump from one double to the next */
} costab_cells;

typedef enum costab_end {
    COSTAB_END_LIMIT,     /* a crossing */
    COSTAB_END_RANGE,     /* the range's own end */
    COSTAB_END_ILL_POSED, /* the model is ill-posed there */
    COSTAB_END_UNDECIDED, /* an undecided piece follows */
    COSTAB_END_WHOLE, /* the first or last of neighbouring whole numbers, of a parameter that is a count */
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

/* How the first cells divide the range. What is found is the same to rounding. */
typedef enum costab_spacing {
    COSTAB_SPACING_LINEAR, /* all as wide */
    COSTAB_SPACING_LOG     /* none beyond a factor of 4; for ranges over many decades, above 0 */
} costab_spacing;

/* "linear", "log"; NULL outside the range. */
COSTAB_API const char *costab_spacing_name(costab_spacing spacing);

typedef struct costab_limit_options {
    double lower, upper; /* finite, lower < upper */
    size_t evaluations;  /* at most; 0: 50000 */
    const double
        *places; /* ascending: only these values are asked for, and each of them; NULL: all of the range */
    size_t place_count;
    /* Called before evaluations with the share of the range that is done and how many
     * evaluations there were; returning true ends the search with COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    costab_spacing spacing;
    bool first;      /* nothing is asked behind the first value that is surely unstable, nor of the continuous
                        system, whose bits the pieces then lack; not with places */
    unsigned stable; /* COSTAB_FAMILY_MAP or COSTAB_FAMILY_CONTINUOUS: that one counts as stable all over and
                        is not searched; not with places */
    bool still;      /* the continuous system is the same at all values */
    const costab_crew *crew; /* NULL: one evaluation after the other */
} costab_limit_options;

typedef struct costab_limit {
    size_t count;
    costab_piece *pieces; /* ascending; between them the co-simulation is not stable */
    costab_cells discrete, continuous;
    size_t evaluations;                    /* of the map: one map, all of its eigenvalues */
    size_t continuous_evaluations;         /* of the continuous system alone */
    double undecided[COSTAB_REASON_COUNT]; /* width of the undecided pieces, by reason */
    /* Of all values that were evaluated the one at which the co-simulation is nearest to stable, or most so:
     * its spectral radius there, or the iteration radius where that is larger. NaN: none had a map. */
    double nearest, nearest_radius;
    bool nearest_diverges;           /* the iteration radius is the larger one */
    double least_abscissa;           /* of the continuous system; NaN: there is none */
    costab_outcome continuous_class; /* the verdict of its cells where it is the same everywhere, else
                                        COSTAB_OUTCOME_UNDECIDED */
    const char *unbounded; /* a formula that could not be bounded; NULL: none. Borrowed from the model */
    size_t compared; /* values at which numbers without a formula were compared with their interpolants; 0:
                        there are none */
} costab_limit;

/* Finds all pieces of lower <= parameter <= upper. Transversal ends are found to 1e-12 relative; an undecided
 * piece remains where rounding hides what happens, where the parameter only touches a limit, and where the
 * evaluations end. [out] limit: free with costab_limit_free, also after an error. COSTAB_INVALID for an empty
 * range and, with the family's own message, where the model is ill-posed everywhere. */
COSTAB_MODULE costab_status costab_limit_find(const costab_family *family,
                                              const costab_limit_options *options, costab_limit *limit,
                                              costab_error *error);
COSTAB_API void costab_limit_free(costab_limit *limit);

/* The values of the macro step that micro steps of fixed length allow: under COSTAB_WHOLE their common
 * multiples, under COSTAB_CLOCKS the ratios p/q of it, for as many q as make some 2000 values. [out] *places:
 * ascending, those in the range, for costab_limit_options; NULL where every value makes sense; free with
 * costab_limit_places_free. *denominator: the largest q taken, 1 for whole multiples. */
COSTAB_MODULE costab_status costab_limit_places(const costab_network *network,
                                                const costab_coupling *coupling, const double range[2],
                                                double **places, size_t *count, int *denominator,
                                                costab_error *error);
COSTAB_MODULE void costab_limit_places_free(double **places);

/* All pieces of the macro step of a network, all else as it stands (options->lower > 0; options->places are
 * found here). */
COSTAB_API costab_status costab_limit_macro_step(const costab_network *network,
                                                 const costab_coupling *coupling,
                                                 const costab_limit_options *options, costab_limit *limit,
                                                 costab_error *error);

/* ---- What a bound of the error is worth ---- */

typedef struct costab_made_options {
    double error;      /* the error allowed */
    double macro_step; /* the step that a bound allows: costab_bound.macro_step */
    double horizon;    /* the time over which the error is measured: costab_bound.horizon */
    /* Called from time to time; true ends the search with COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_made_options;

/* The error here is the largest difference between a state and the monolithic one at communication points up
 * to the horizon; errors between them are not seen. Macro steps of 0.01 to 30 times options->macro_step are
 * tried, down to 0.001 times where the error is not kept there. Where the horizon has too many of the
 * smallest ones (all runs together more than 1e8, and from options->macro_step on or where the error is not
 * kept yet 1e9) only those from `lowest` on are. */
typedef struct costab_made {
    double stable_to; /* every macro step up to it is stable; `highest`: all that were tried; 0: the smallest
                         are not */
    double error_at_macro_step; /* infinite where the run diverges; NaN: that run has more than 1e9 macro
                                   steps and was not made */
    double taken; /* the macro step of that error: the largest up to options->macro_step that the micro steps
                     allow; 0: none */
    double
        macro_step_made; /* the error stays within the one allowed for every macro step from `lowest` up to
                            this one, and these are stable if the continuous system is; 0: not for the
                            smallest; NaN: no error was measured, as `lowest` is larger than all of these */
    double kept_up_to;   /* the largest macro step tried, stable likewise, that keeps the error: larger than
                            macro_step_made where some between do not; 0 and NaN likewise */
    double highest;      /* the largest macro step that was tried */
    double lowest; /* the smallest one whose error was measured or could be: nothing is said of the error
                      below */
} costab_made;

/* Checks what a bound promises, such as [MS] eq. 31. Not guaranteed: an interval of macro steps of less than
 * 0.5 % in which the error is passed may lie between two samples. COSTAB_INVALID for values that are not
 * positive, and where no macro step fits the micro steps; other errors as costab_network_simulate and
 * costab_limit_find. */
COSTAB_API costab_status costab_bound_made(const costab_network *network, const costab_coupling *coupling,
                                           const costab_made_options *options, costab_made *made,
                                           costab_error *error);

/* ---- Distances from instability ---- */

/* The stability radius of a real size x size map M (row-major, finite): the smallest 2-norm of a complex E
 * for which M + E has an eigenvalue on the unit circle, min over |z| = 1 of the least singular value of z I -
 * M; 0 where M is not stable. It depends on the units of the states: with `scaled` it is that of the map as
 * LAPACK's diagonal scaling leaves it, by powers of 2. Found to rounding, by levels of a pencil's unit
 * eigenvalues (Byers; Boyd and Balakrishnan; Bruinsma and Steinbuch). [out] *turn: the angle of that z, from
 * 0 to pi; NaN where M is not stable. */
COSTAB_MODULE costab_status costab_map_radius(int size, const double *map, bool scaled, double *radius,
                                              double *turn, costab_error *error);

/* How far a connection's factor may go from 1 before a stable network's map has an eigenvalue on the unit
 * circle. For each |z| = 1 the factors 1 + 1/g put an eigenvalue at z; linear polynomials and sweeps make
 * several g. A number is NaN where the nominal map is not stable. */
typedef struct costab_loop {
    double radius; /* 1 / max |g|: of complex changes of the factor */
    /* 1 / max |g + 1/2|: the disk margin alpha. With r = (2 + alpha)/(2 - alpha) the network stays stable for
     * all gains from 1/r to r, and for all changes of phase up to 2 atan(alpha/2). */
    double disk;
    double radius_turn, disk_turn; /* the angle of z where the maximum is: radians per macro step (period) */
} costab_loop;

/* Of a family whose one value is the connection's factor. The g are those of the polynomial det(z I - M)
 * det(I - J) ... in the factor, through its values between 0 and 2; the maxima over z are searched by
 * samples, denser around every eigenvalue's angle, and refined: not bounds. All NaN also where the map is
 * complex or overflows, or no polynomial of a degree up to 12 is found. */
COSTAB_MODULE costab_status costab_loop_find(const costab_family *factor, costab_loop *loop,
                                             costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
