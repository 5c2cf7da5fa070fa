/* area/exact.h - areas of the stability regions US and SS of a co-simulation scheme with a Runge-Kutta method
 * at one a, in the plane of trace Gamma and determinant Delta (costab/planar.h). Empty regions and infinite
 * areas are decided exactly; finite areas are enclosed in balls. */
#pragma once

#include "area/cells.h"
#include "costab/area.h"

/* A region of the (Gamma, Delta) plane. */
typedef struct area_region {
    bool some;     /* it is not empty */
    bool infinite; /* its area is infinite */
    arb_t area;    /* if finite: a ball that contains it */
} area_region;

/* A scheme, with the functions of both subsystems as polynomials in a and in d, for all values of a. */
typedef struct area_system {
    costab_scheme scheme;
    int radicand;                /* D of the coefficients' sqrt D: 0, 2 or 3 (area/surd.h) */
    area_subsystem subsystem[2]; /* a and d */
} area_system;

/* COSTAB_INVALID for a co-simulation scheme with a Runge-Kutta method if stages times micro steps exceed
 * degree_max in a subsystem: exact arithmetic would take too long. Also for a tableau with roots that are not
 * exact (exact_tableau_init). what: the requested quantity for the
 * message, such as "areas". */
costab_status area_system_check(const costab_planar *planar, const char *what, int degree_max,
                                costab_error *error);
/* Initialises a co-simulation scheme with a Runge-Kutta method. [out] system: clear with area_system_clear,
 * also after a failure. Returns false if memory is exhausted. */
bool area_system_init(const costab_planar *planar, area_system *system);
void area_system_clear(area_system *system);

/* The rectangle gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1]; borrowed. */
typedef struct area_window {
    fmpq *gamma, *delta;
} area_window;

/* Reads the window's ends. COSTAB_INVALID unless they are numbers that ascend, and the window's area is the
 * number of a double. */
costab_status area_window_read(const area_window *window, const costab_number gamma[2],
                               const costab_number delta[2], costab_error *error);

/* Computes US (regions[0]) and SS (regions[1]) at one a, in the window or, if it is NULL, in the whole plane.
 * bits: finite areas have a relative error of 2^-bits. [in, out] regions: empty, with initialised areas.
 * COSTAB_MEMORY; COSTAB_NUMERIC if this requires too much working precision (area_cells_integral). */
costab_status area_exact_regions(const area_system *system, const fmpq_t a, const area_window *window,
                                 slong bits, area_region regions[2], costab_error *error);
