/* base/outline.h - outlines of areas in a plane, and curves in it, as lists of points: the boundaries of
 * stable sets in charts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A box of the plane. Every bound is finite, the first of a pair below the second. */
typedef struct outline_box {
    double x[2], y[2];
} outline_box;

/* Kind of a segment: a code of the caller, such as the condition that ends there, or a cut by a box. */
#define OUTLINE_CUT 0

typedef struct outline_point {
    double x, y;
    uint8_t edge; /* kind of the segment from this point to the next of its loop */
} outline_point;

/* Successive points. closed: a segment joins the last point to the first, which is not repeated. */
typedef struct outline_run {
    size_t first, count;
    uint8_t edge; /* for a curve: kind of its segments, or of the first */
    bool closed;
} outline_run;

/* Loops of points. A point is inside if an odd number of loops surrounds it; the inside is on the left of a
 * loop's direction. Zero-initialise. After a failed allocation `failed` stays true and appending does
 * nothing, so that one check at the end is enough. */
typedef struct outline {
    outline_point *points;
    outline_run *loops;
    size_t point_count, point_capacity, loop_count, loop_capacity;
    bool failed;
} outline;

/* Appends a polygon with the given corners (count pairs), all edges of one kind. */
void outline_polygon(outline *result, const double (*corners)[2], size_t count, uint8_t edge);

/* Appends the loops of `source` with runs of this edge; all loops if it is negative. */
void outline_choose(const outline *source, int edge, outline *result);

/* Appends all loops of `other`. A failure of `other` carries over to `result`. */
void outline_append(outline *result, const outline *other);

/* Appends the parts of the loops that are not cuts to `curves` (zero-initialised): open polylines, or a
 * closed run if a whole loop has no cut. by_cause: a change of the kind starts another polyline. */
void outline_curves(const outline *source, bool by_cause, outline *curves);

/* Return the sum of the areas inside all loops, and the area inside one loop. The area of a clockwise loop is
 * negative. */
double outline_area(const outline *source);
double outline_loop_area(const outline *source, size_t loop);

/* Returns true if a point is inside; any result for a point on the outline. */
bool outline_contains(const outline *source, double x, double y);

/* Frees the memory of an outline and clears it. */
void outline_free(outline *source);

/* For constructing outlines: append a point; make a loop of the points from `first` on, if any. */
void outline_add_point(outline *result, double x, double y, uint8_t edge);
void outline_add_loop(outline *result, size_t first, uint8_t edge, bool closed);

/* Appends the part of the areas inside the box. Segments along the box are cuts. */
void outline_clip(const outline *source, const outline_box *box, outline *result);

/* Removes points inside the last loop's stretches of equal edge, such that the removed points are at most
 * `tolerance` (as a fraction of the box's sides) from the remaining segments. */
void outline_simplify_last(outline *result, const outline_box *box, double tolerance);
