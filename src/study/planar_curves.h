/* study/planar_curves.h - what a planar sweep stores for its figures beside the grid: the outlines of the
 * stable sets, the other parts of their conditions' zero sets, and the areas' limits at critical values. */
#pragma once

#include "area/limits.h"
#include "base/outline.h"
#include "costab/spec.h"

typedef struct planar_curves {
    size_t planes;                 /* of scheme and a, whose outlines are stored; 0: none are */
    outline *boundary, *beyond;    /* of each plane */
    size_t vertices, beyond_count; /* the most places that one of them takes */
    size_t schemes, critical;      /* the most critical values of a scheme; 0: none are stored */
    area_limits *limits;           /* of each scheme */
} planar_curves;

/* Finds what the spec's sweep has of them. [out] *curves: free with planar_curves_free in any case. */
costab_status planar_curves_find(const costab_spec *spec, const costab_planar *schemes, planar_curves *curves,
                                 costab_error *error);
void planar_curves_free(planar_curves *curves);

/* Writes an outline into `count` places: its points in turn, the first point of a closed loop again at its
 * end, NaN between loops and behind the last. cause: of the segment to the next point. NULL: not wanted. */
void planar_curves_put(const outline *source, size_t count, double *x, double *y, uint8_t *cause);
