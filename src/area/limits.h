/* area/limits.h - one-sided limits of the areas of SS and US at values of a at which an area starts, ends or
 * becomes infinite. Between these values areas are continuous. */
#pragma once

#include "costab/planar.h"

/* One-sided limits of A_SS and A_US for increasing and decreasing a. */
enum { AREA_SS_LEFT, AREA_SS_RIGHT, AREA_US_LEFT, AREA_US_RIGHT, AREA_SIDES };

typedef struct area_limits {
    size_t count;
    double *a;                   /* critical values, ascending */
    double (*limit)[AREA_SIDES]; /* per value; HUGE_VAL if the area is infinite or diverges; NaN: unknown */
} area_limits;

/* Finds the values with from < a < to, and their limits. The list is empty for the simulation, for what
 * area_system_check refuses, and if the search returns COSTAB_NUMERIC. [out] *limits: free with
 * area_limits_free in any case. */
costab_status area_limits_find(const costab_planar *planar, double from, double to, area_limits *limits,
                               costab_error *error);
void area_limits_free(area_limits *limits);
