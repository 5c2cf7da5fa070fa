/* area/exponential.h - areas and critical values of the co-simulation schemes with the method `exact`, whose
 * stability function e^z is not a rational function (area/exact.h). */
#pragma once

#include "area/critical_events.h"
#include "area/exact.h"

/* Computes the regions of the classes US (regions[0]) and SS (regions[1]) at a rational a: over the whole
 * plane (window NULL) to `bits` bits, relative, or as area_exponential_window. [in, out] regions: empty, with
 * initialised areas. COSTAB_NUMERIC if the area over the plane does not reach this accuracy. */
costab_status area_exponential_regions(costab_scheme scheme, const fmpq_t a, const area_window *window,
                                       slong bits, area_region regions[2], costab_error *error);

/* Computes both regions inside a window, with proved errors of about 2^-bits of its area. */
void area_exponential_window(costab_scheme scheme, const fmpq_t a, const area_window *window, slong bits,
                             area_region regions[2]);

/* Adds all critical values between low and high. */
void area_exponential_critical(costab_scheme scheme, const fmpq_t low, const fmpq_t high,
                               critical_events *events);
