/* sweep/refine.h - the codes (classes) of all points of a patch of a grid from the evaluation of a part of
 * them.
 *
 * Every point has a code, and margins: numbers whose signs decide the code and whose sizes tell how far it is
 * from changing.
 *
 *  1. The points of a coarse lattice are evaluated. A cell is a box between neighbouring points of it.
 *  2. A cell is filled with its corners' code where they agree, where no margin falls towards zero so fast
 *     that it could change its sign inside, and where every known point in it has the same code. Else it is
 *     halved, down to single points.
 *  3. How fast a margin falls is estimated from the cell and the cell opposite: both meet at a point with
 *     margin m, and the cell opposite has a corner with margin M. If the margin is convex it can only vanish
 *     in the cell if M >= 2 m (reflect its zero at the meeting point). Cells are halved from a smaller M on
 *     (SAFETY in refine.c).
 *  4. A margin that is not convex may vanish unseen in what is narrower than a cell. So the codes of all
 *     points on some lines of the lattice are asked for beforehand, and whether they change between two of
 *     these. No cell is filled in which one of them is another code or such a change lies.
 *  5. Where a code alone costs less than its margins, small cells are not halved: the codes of all of their
 *     points are asked for. Before every level the cost of what is left to do is compared with that of all
 *     unknown points: where it is not less, these are asked for, and nothing is filled. Nor is anything
 *     filled where margins of more than a sixteenth of all points might be evaluated in vain, unless half of
 *     the work is saved. Costs are counted in points, not seconds.
 *
 * Not guaranteed: a region inside one cell of the lattice of lines, or between two points of a line, may be
 * missed. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

#define REFINE_MARGINS_MAX 3

typedef struct refine_point {
    double margins[REFINE_MARGINS_MAX]; /* of the same sign where codes are equal; NaN: not known */
    int kind; /* margins of points of different kinds have nothing to do with each other: no cell that has
                 both as corners is filled */
    uint8_t code;
    bool lone; /* its code says nothing about the points around it: no cell that has it as a corner is filled
                */
} refine_point;

/* What is known of a line, in arrays as long as it. */
typedef struct refine_line {
    uint8_t *codes; /* of its points */
    uint8_t
        *changes;   /* whether the code changes between a point and the next, though both may have the same */
    uint8_t *spare; /* for any use */
} refine_line;

/* Evaluates or classifies `count` points of the patch, in ascending order or, `by_columns`, with the first
 * axis fastest: fills points[numbers[i]], or their codes alone. */
typedef costab_status refine_points_function(void *context, const size_t *numbers, size_t count,
                                             refine_point *points, costab_error *error);

/* A patch of count[0] x count[1] points (at least one along each), numbered with the second axis fastest. */
typedef struct refine_patch {
    size_t count[2];
    size_t cell; /* side of the coarse lattice's cells, in points; at least 1 */
    int margins;
    refine_points_function *evaluate;
    refine_points_function *classify; /* finds codes alone, where they cost less; NULL: they do not */
    bool by_columns;
    bool all;      /* nothing is filled */
    int lone_code; /* points that a line gives this code are asked for on their own, too; -1: there is none */
    double weight; /* the cost of evaluating a point, relative to that of its code alone */
    double line_weight; /* the cost of a line, likewise */
    /* Gives the codes of the line that has number `at` along axis `across`; NULL: there are no lines. */
    costab_status (*line)(void *context, int across, size_t at, const refine_line *line, costab_error *error);
    size_t line_distance; /* every so many points along an axis there is such a line, and one at the end */
    void *context;
} refine_patch;

/* Memory for patches of up to so many points; each thread needs its own. */
typedef struct refine_work refine_work;
costab_status refine_work_create(refine_work **work, size_t points, costab_error *error);
void refine_work_destroy(refine_work **work);

/* Refines a patch: what is known then depends on the patch alone. Of two neighbours with different codes or a
 * margin of different signs both are evaluated. Returns what `evaluate` returns. */
costab_status refine_run(refine_work *work, const refine_patch *patch, costab_error *error);

/* The points of the last patch, by their numbers. A point that was not evaluated has a code only; one that
 * is found was evaluated or classified, and is not filled. */
const refine_point *refine_points(const refine_work *work);
bool refine_is_found(const refine_work *work, size_t number);
