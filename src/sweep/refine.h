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
 * points alone.
 *
 * Where a code alone costs less than its margins, small cells are not halved: the codes of all of their
 * points are asked for. And before every level what is left to do is held against all points that are not
 * known: where it is not less, these are asked for, and nothing is filled; nor where margins of more points
 * than a sixteenth of all might be evaluated in vain, unless half of the work is saved. What counts are
 * points, not seconds. */
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

/* What is done to points: evaluates `count` of the patch, in ascending order or, `by_columns`, with the first
 * axis fastest: fills points[numbers[i]], or the codes of them alone. */
typedef costab_status refine_points_function(void *context, const size_t *numbers, size_t count,
                                             refine_point *points, costab_error *error);

/* A patch of count[0] x count[1] points (at least one along each), numbered with the second axis fastest. */
typedef struct refine_patch {
    size_t count[2];
    size_t cell; /* side of the coarse lattice's cells, in points; at least 1 */
    int margins;
    refine_points_function *evaluate;
    refine_points_function *tell; /* codes alone, where they cost less; NULL: they do not */
    bool by_columns;
    bool all;      /* nothing is filled */
    int lone_code; /* points that a line gives this code are asked for on their own, too; -1: there is none */
    double weight; /* what it costs to evaluate a point, and to be told a line, in codes of points */
    double line_weight;
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

/* The points of the last patch, by their numbers. A point that was not evaluated has a code only; one that
 * was asked for was evaluated, or its code was told. */
const refine_point *refine_points(const refine_work *work);
bool refine_asked(const refine_work *work, size_t number);
