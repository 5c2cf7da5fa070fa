/* planar/projection_witness.h - stable points that stay stable while a goes through an interval, by doubles
 * with bounded rounding: there an area is at least finite. */
#ifndef PLANAR_PROJECTION_WITNESS_H
#define PLANAR_PROJECTION_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/critical_events.h"
#include "planar/projection_apart.h"

/* What is known of one interval: WITNESS_ALL are the bits of the regions of critical_events.h. */
enum { WITNESS_LEVELS = 8, WITNESS_ALL = (1 << CRITICAL_REGIONS) - 1 };

/* A stable point. */
typedef struct witness_point {
    double e, delta;
} witness_point;

/* Whether a point is proved to be stable for all a from low to high. */
bool witness_holds(const apart *plane, const witness_point *at, double low, double high);

/* Intervals of a from 0 to APART_UNIT and to its negative, halved up to WITNESS_LEVELS times. */
typedef struct witness {
    const apart *of;                       /* borrowed */
    witness_point last[CRITICAL_REGIONS];  /* the last that was found for each region */
    uint8_t known[2][2 << WITNESS_LEVELS]; /* [minus] [2^level + number]: regions, and that they are known */
} witness;

void witness_init(witness *w, const apart *of);

/* The regions that are seen to have a stable point at each a of an interval, ends included: number / 2^level
 * of APART_UNIT to (number + 1) / 2^level. */
unsigned witness_regions(witness *w, bool minus, int level, int number);

#endif
