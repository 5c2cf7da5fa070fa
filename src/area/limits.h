/* area/limits.h - the areas of SS and US on both sides of the values of a at which one of them begins,
 * ends or becomes infinite: between two of these they are continuous. */
#pragma once

#include "costab/planar.h"

/* One-sided limits: of A_SS and A_US, as a goes up to the value, and down to it. */
enum { AREA_SS_LEFT, AREA_SS_RIGHT, AREA_US_LEFT, AREA_US_RIGHT, AREA_SIDES };

typedef struct area_limits {
    size_t count;
    double *a;                   /* the critical values, ascending */
    double (*limit)[AREA_SIDES]; /* of each; HUGE_VAL where the area is infinite or has no limit */
} area_limits;

/* Finds them where from < a < to; none where they cannot be found. [out] *limits: free with area_limits_free
 * in any case. */
costab_status area_limits_find(const costab_planar *planar, double from, double to, area_limits *limits,
                               costab_error *error);
void area_limits_free(area_limits *limits);
