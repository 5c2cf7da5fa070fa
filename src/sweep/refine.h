/* sweep/refine.h - codes (classes) of all points of a patch, a rectangle of grid points, from evaluations of
 * a part of them; for refined network sweeps (study/network_refine.c).
 *
 * Every point has a code and margins: numbers whose signs determine the code, and whose sizes are distances
 * to a change of it.
 *   1. The points of a coarse lattice are evaluated. A cell is a box between neighbouring points of it.
 *   2. A cell is filled with the code of its corners if they agree, if no margin falls so fast that it could
 *      change its sign inside, and if every known point in it has the same code. Otherwise it is halved, down
 *      to single points.
 *   3. Convex margins: the slope of a margin is estimated from the cell and the opposite cell. They share a
 *      point with margin m, and the opposite cell has a corner with margin M. A convex margin can vanish in
 *      the cell only if M >= 2 m (reflect its zero at the shared point). Cells are halved already from a
 *      smaller M on (SAFETY in refine.c).
 *   4. A margin that is not convex may vanish in a region narrower than a cell. So the codes of all points on
 *      some lines of the lattice, and the changes between two of these points, are determined beforehand. A
 *      cell with another code or with such a change is not filled.
 *   5. If a code alone costs less than its margins, small cells are not halved: the codes of all their points
 *      are requested. Before every level, the cost of the remaining work is compared with the cost of all
 *      unknown points. If it is not less, all unknown points are requested and nothing is filled. If the
 *      margins that might be evaluated in vain cost more than a sixteenth of the codes of all points, half of
 *      the work must be saved. If even the first lattice costs that much, it is not evaluated. Costs are
 *      counted in points, not seconds.
 *
 * Limitation: a region inside one cell of the lattice of lines, or between two points of a line, may be
 * missed. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

#define REFINE_MARGINS_MAX 3

typedef struct refine_point {
    double margins[REFINE_MARGINS_MAX]; /* of the same sign for equal codes; NaN: not known */
    int kind; /* margins of points of different kinds are unrelated: a cell with both at its corners is not
                 filled */
    uint8_t code;
    bool lone; /* the code says nothing about neighbouring points: a cell with this corner is not filled */
} refine_point;

/* Results of a line, a row or column of the patch, in arrays of its length. */
typedef struct refine_line {
    uint8_t *codes;   /* of its points */
    uint8_t *changes; /* 1: the code changes between the point and the next, even if both have equal codes */
    uint8_t *spare;   /* for any use */
} refine_line;

/* Evaluates or classifies `count` points of the patch: fills points[numbers[i]], or only the codes. The
 * numbers ascend or, with `by_columns`, have the first axis fastest. */
typedef costab_status refine_points_function(void *context, const size_t *numbers, size_t count,
                                             refine_point *points, costab_error *error);

/* A patch of count[0] x count[1] points (at least one along each), numbered with the second axis fastest. */
typedef struct refine_patch {
    size_t count[2];
    size_t cell; /* side of the coarse lattice's cells, in steps between points; at least 1 */
    int margins; /* number of margins of a point, at most REFINE_MARGINS_MAX */
    refine_points_function *evaluate;
    refine_points_function *classify; /* finds codes alone if they cost less than margins; otherwise NULL */
    bool by_columns;
    bool all;           /* nothing is filled */
    int lone_code;      /* points with this code on a line are also requested on their own; -1: none */
    double weight;      /* cost of evaluating a point relative to its code alone */
    double line_weight; /* cost of a point on a line, relative to the code of a point */
    /* Fills the results of the line at index `at` of axis `across`, along the other axis; NULL: no lines. */
    costab_status (*line)(void *context, int across, size_t at, const refine_line *line, costab_error *error);
    size_t line_distance; /* distance of lines along an axis, in points; the last point also has a line */
    void *context;
} refine_patch;

/* Allocates memory for patches of up to `points` points; each thread needs its own. */
typedef struct refine_work refine_work;
costab_status refine_work_create(refine_work **work, size_t points, costab_error *error);
void refine_work_destroy(refine_work **work);

/* Refines a patch; the result depends on the patch alone. Two neighbours with different codes or known
 * margins of different signs are not filled. Returns the first error of evaluate, classify or line;
 * COSTAB_INVALID for a patch larger than the workspace. */
costab_status refine_run(refine_work *work, const refine_patch *patch, costab_error *error);

/* Returns the points of the last patch, by their numbers. A point that was not evaluated has only a code. */
const refine_point *refine_points(const refine_work *work);
/* Returns true if the point was evaluated or classified; false if it was filled or is known from a line. */
bool refine_is_found(const refine_work *work, size_t number);
