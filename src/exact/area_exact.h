/* exact/area_exact.h - areas of the co-simulation schemes with Runge-Kutta methods, decided exactly. */
#pragma once

#include "costab/area.h"
#include "exact/area_cells.h"

/* A region of the (Gamma, Delta) plane: US and SS, in the order of their class codes. */
typedef struct area_region {
    bool some, infinite; /* it is not empty; its area is infinite */
    arb_t area;          /* otherwise */
} area_region;

/* The functions of both subsystems of a discretisation, to be used for many a. */
typedef struct area_system {
    costab_scheme scheme;
    int root;
    area_side sides[2]; /* of a and of d */
} area_system;

/* COSTAB_INVALID where the polynomials of a co-simulation scheme are of a degree at which `what` cannot be
 * decided in exact arithmetic in a bearable time: above degree_max. */
costab_status area_system_check(const costab_planar *planar, const char *what, int degree_max,
                                costab_error *error);
/* [out] system: clear it in any case. False where memory is out. */
bool area_system_init(const costab_planar *planar, area_system *system);
void area_system_clear(area_system *system);

/* A window; NULL stands for the whole plane. */
typedef struct area_window {
    fmpq gamma[2], delta[2];
} area_window;

/* US and SS to `bits` bits, relative. [in, out] regions: initialised areas. COSTAB_MEMORY; COSTAB_NUMERIC
 * where the bits are out of reach. */
costab_status area_exact_regions(const area_system *system, const fmpq_t a, const area_window *window,
                                 slong bits, area_region regions[2], costab_error *error);
