/* area/exact.h - areas of the stability regions US and SS of a co-simulation scheme with a Runge-Kutta
 * method, in the plane of trace Gamma and determinant Delta, at one value of a (costab/planar.h). Whether a
 * region is empty, or its area infinite, is decided exactly; finite areas are enclosed in balls. */
#pragma once

#include "area/cells.h"
#include "costab/area.h"

/* A region of the (Gamma, Delta) plane. */
typedef struct area_region {
    bool some;     /* it is not empty */
    bool infinite; /* its area is infinite */
    arb_t area;    /* where it is finite: a ball that holds it */
} area_region;

/* A scheme, and the functions of both subsystems as polynomials in a and in d. No value of a is set: one
 * serves for all. */
typedef struct area_system {
    costab_scheme scheme;
    int root;                    /* D of the coefficients' sqrt D: 0, 2 or 3 (area/surd.h) */
    area_subsystem subsystem[2]; /* a and d */
} area_system;

/* COSTAB_INVALID for a co-simulation scheme with a Runge-Kutta method whose stages times micro steps are more
 * than degree_max in a subsystem: exact arithmetic would take too long. `what`: what was asked for, such as
 * "areas", for the message. */
costab_status area_system_check(const costab_planar *planar, const char *what, int degree_max,
                                costab_error *error);
/* Of a co-simulation scheme with a Runge-Kutta method. [out] system: to be cleared by area_system_clear,
 * after a failure as well. False where memory is out. */
bool area_system_init(const costab_planar *planar, area_system *system);
void area_system_clear(area_system *system);

/* The rectangle gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1]; borrowed. */
typedef struct area_window {
    fmpq *gamma, *delta;
} area_window;

/* The regions US (regions[0]) and SS (regions[1]) at one a, in the window or, with NULL, in the whole plane.
 * `bits`: finite areas have a relative error of 2^-bits. [in, out] regions: empty, with initialised
 * areas. COSTAB_MEMORY; COSTAB_NUMERIC where so many bits take too much working precision
 * (area_cells_integral). */
costab_status area_exact_regions(const area_system *system, const fmpq_t a, const area_window *window,
                                 slong bits, area_region regions[2], costab_error *error);
