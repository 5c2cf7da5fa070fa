/* area/area_curve.h - an area as a function of a, for figures, in stretches that end where the area begins,
 * ends or becomes infinite. */
#pragma once

#include "area/area_kind.h"
#include "costab/planar.h"

/* An interval of a over which the area is of one kind. A finite one holds `count` samples from its start to
 * its end. At an end that is a critical value the sample is the limit from inside the stretch. */
typedef struct area_stretch {
    area_kind kind;
    double from, to;
    bool diverges[2]; /* finite: whether the area grows without bound towards this end */
    double *a, *area;
    size_t count, capacity;
} area_stretch;

#define AREA_STRETCHES_MAX 520

typedef struct area_curve {
    const costab_planar *planar; /* borrowed */
    bool us;                     /* A_US, else A_SS */
    double from, to;             /* the range of a */
    size_t count;                /* of stretches */
    area_stretch *stretches;     /* from left to right, without gaps */
} area_curve;

/* Makes the curve of A_SS or A_US from its samples at `count` ascending values of a (two or more). Values
 * beside the critical values are computed here; planar is borrowed. [out] *curve: free with
 * area_curve_free in any case. */
costab_status area_curve_make(const costab_planar *planar, bool us, size_t count, const double *a,
                              const double *area, area_curve *curve, costab_error *error);

/* Adds samples where straight segments between them would be off by more than `tolerance`, a fraction of the
 * figure's height `top`. What lies above the top is not refined. */
costab_status area_curve_refine(area_curve *curve, double top, double tolerance, costab_error *error);

/* bounded: the largest area of the stretches that diverge at no end. diverging: that of the others, farther
 * from such an end than 1/20 of the curve's range of a. Either is 0 where there is none. */
void area_curve_largest(const area_curve *curve, double *bounded, double *diverging);

/* Frees what a curve holds and clears it. */
void area_curve_free(area_curve *curve);
