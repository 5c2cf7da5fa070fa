/* figure/ticks.h - the ticks of an axis, and how much room their numbers take. */
#pragma once

#include "figure/rich.h"
#include "figure/scene.h"

#define TICKS_MAX 64

typedef struct tick {
    double value;
    bool minor;                   /* short */
    char number[RICH_NUMBER_MAX]; /* rich; "": none */
} tick;

typedef struct ticks {
    int count;
    tick of[TICKS_MAX];
    int power;          /* the numbers are multiples of 10^power, */
    double offset;      /* beyond this: what is shown is (value - offset)/10^power */
    double widest;      /* of the numbers, in cm of 8 pt type */
    double first, last; /* how far the outer numbers reach beyond the ends of the axis, in cm */
} ticks;

/* Chooses ticks for an axis of this length in cm. `across`: its numbers stand side by side, else above each
 * other. */
void ticks_choose(const scene_axis *axis, const double *range, double length, bool across, ticks *result);

/* Appends to an axis' name what its numbers leave out: " − 0.9998 (×10^-6)". */
void ticks_name(const ticks *t, text *name);

/* The least of 1, 2, 5, 10, ... (times a power of ten) that leaves the numbers of an axis room, each as wide
 * as `room` on an axis of this length. */
double ticks_step(const double *range, double length, double room);

/* The least of 1, 2, 5, 10, ... times a power of ten that is not less. */
double ticks_round_up(double least);
