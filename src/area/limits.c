/* Limits of areas at their critical values.
 *
 * 1. Critical values of A_SS and A_US in a range (critical.c), each once.
 * 2. A limit is the area at a distance of 1e-8 (times |a| above 1), or of 1e-3 of the distance to the next
 *    critical value if that is less. The area diverges if it grows by 5 % between 100 times that distance and
 *    that distance.
 *
 * Cost: four areas (area.c) per value. Limitation: slow divergence may be missed. */
#include "area/limits.h"

#include <math.h>

#include "area/exact.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/area.h"

#define OFFSET 1e-8  /* relative distance at which the limit is taken */
#define SAME   1e-10 /* relative distance below which values are equal */
#define GROWTH 1.05  /* growth from 100 OFFSET to OFFSET above which the area diverges */

static double scale_of(double a) {
    return fmax(1, fabs(a));
}

/* Finds both areas at one a; NaN if costab_planar_areas returns COSTAB_NUMERIC. */
static costab_status areas_at(const costab_planar *planar, double a, double areas[2], costab_error *error) {
    costab_areas found = {0};
    costab_status status = costab_planar_areas(planar, a, &found, error);
    areas[0] = status == COSTAB_NUMERIC ? (double)NAN : found.ss;
    areas[1] = status == COSTAB_NUMERIC ? (double)NAN : found.us;
    return status == COSTAB_NUMERIC ? COSTAB_OK : status;
}

/* Finds the limits of both areas on one side of a critical value, -1 left or 1 right. gap: distance of the
 * next critical value, or of the end of the range, on that side. */
static costab_status limits_beside(const costab_planar *planar, double a, int side, double gap,
                                   double limits[AREA_SIDES], costab_error *error) {
    double offset = fmin(OFFSET * scale_of(a), 1e-3 * gap), near[2], far[2];
    TRY(areas_at(planar, a + side * offset, near, error));
    TRY(areas_at(planar, a + side * fmin(100 * offset, 0.1 * gap), far, error));
    for (int k = 0; k < 2; k++)
        limits[2 * k + (side > 0)] = near[k] > fmax(GROWTH * far[k], 1e-9) ? HUGE_VAL : near[k];
    return COSTAB_OK;
}

costab_status area_limits_find(const costab_planar *planar, double from, double to, area_limits *limits,
                               costab_error *error) {
    costab_critical critical[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    const costab_critical_options options = {.low = from, .high = to};
    *limits = (area_limits){0};
    if (!(from < to) || planar->scheme == COSTAB_SIMULATION) return COSTAB_OK;
    costab_status status = area_system_check(planar, "critical values", COSTAB_CRITICAL_DEGREE_MAX, NULL);
    if (status) return status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
    status = costab_planar_critical(planar, &options, critical, &count, error);
    if (status) return status == COSTAB_NUMERIC ? COSTAB_OK : status;
    TRY(memory_make(&limits->a, count + 1, error));
    TRY(memory_make(&limits->limit, count + 1, error));
    for (size_t i = 0; i < count; i++) {
        const double a = critical[i].a, last = limits->count > 0 ? limits->a[limits->count - 1] : from;
        if (critical[i].event > COSTAB_US_INFINITE_ENDS || a >= to) continue;
        if (a - last > SAME * scale_of(a)) limits->a[limits->count++] = a;
    }
    for (size_t i = 0; i < limits->count; i++) {
        const double a = limits->a[i], left = i > 0 ? limits->a[i - 1] : from,
                     right = i + 1 < limits->count ? limits->a[i + 1] : to;
        TRY(limits_beside(planar, a, -1, a - left, limits->limit[i], error));
        TRY(limits_beside(planar, a, 1, right - a, limits->limit[i], error));
    }
    return COSTAB_OK;
}

void area_limits_free(area_limits *limits) {
    memory_free_all(limits->a, limits->limit);
    *limits = (area_limits){0};
}
