/* sweep/refine.h - a patch of a grid: points are evaluated where it changes and filled where it does not.
 *
 * Every point has a code, and margins: numbers whose signs decide the code and whose sizes tell how far it is
 * from changing. The points of a coarse lattice are evaluated first. A cell of it is filled with its corners'
 * code where they agree, where no margin falls towards zero so fast that it could change its sign inside, and
 * where every point that is known of it says the same; else it is halved, down to single points.
 *
 * How fast is read off the cell and its neighbours: four cells that make up one of twice the size meet at a
 * point with margin m, and the cell opposite has a corner with margin M. If the margin is convex towards
 * zero, it can only vanish in the cell if M >= 2 m (reflect the place at the middle). Cells are halved from
 * M >= 1.5 m on. Where the margin bends the other way, what is narrower than a cell can be missed. So the
 * codes of all points on the lines of a lattice are asked for beforehand, and what changes between two of
 * them, and no cell is filled in which one of them is another one or such a change lies: only what lies
 * inside one cell of that lattice can be missed, and what is between two points of a line that tells its
 * points alone. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

#define REFINE_MARGINS_MAX 3

typedef struct refine_point {
    double margins[REFINE_MARGINS_MAX]; /* of the same sign where codes are equal; NaN: not known */
    int kind; /* margins of points of different kinds have nothing to do with each other: no cell that has
                 both as corners is filled */
    uint8_t code;
    bool lone; /* it tells nothing about the points around it: no cell that has it as a corner is filled */
} refine_point;

/* What is told of a line, in arrays as long as it. */
typedef struct refine_line {
    uint8_t *codes; /* of its points */
    uint8_t
        *changes;   /* whether the code changes between a point and the next, though both may have the same */
    uint8_t *spare; /* for any use */
} refine_line;

/* A patch of count[0] x count[1] points (at least one along each), numbered with the second axis fastest. */
typedef struct refine_patch {
    size_t count[2];
    size_t cell; /* side of the coarse lattice's cells, in points; at least 1 */
    int margins;
    /* Evaluates `count` points of the patch, in ascending order: fills points[numbers[i]]. */
    costab_status (*evaluate)(void *context, const size_t *numbers, size_t count, refine_point *points,
                              costab_error *error);
    /* Tells the line that has number `at` along axis `across`; NULL: not to be had. */
    costab_status (*line)(void *context, int across, size_t at, const refine_line *line, costab_error *error);
    size_t apart; /* so many points lie between such lines, and one more; the last points have one, too */
    void *context;
} refine_patch;

/* Memory for patches of up to so many points; each thread needs its own. */
typedef struct refine_work refine_work;
costab_status refine_work_create(refine_work **work, size_t points, costab_error *error);
void refine_work_destroy(refine_work **work);

/* Refines a patch: what is known then depends on the patch alone. Of two neighbours with different codes or a
 * margin of different signs both are evaluated. Returns what `evaluate` returns. */
costab_status refine_run(refine_work *work, const refine_patch *patch, costab_error *error);

/* The points of the last patch, by their numbers. A point that was not evaluated has a code only. */
const refine_point *refine_points(const refine_work *work);
bool refine_evaluated(const refine_work *work, size_t number);
