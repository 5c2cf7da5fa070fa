/* planar/area_exponential.h - areas and critical values of the co-simulation schemes with the method `exact`.
 */
#ifndef PLANAR_AREA_EXPONENTIAL_H
#define PLANAR_AREA_EXPONENTIAL_H

#include "planar/area_exact.h"
#include "planar/critical_events.h"

/* US and SS to `bits` bits, relative, at a rational a. [in, out] parts: initialised areas. */
costab_status area_exponential_parts(costab_scheme scheme, const fmpq_t a, slong bits, area_part parts[2],
                                     costab_error *error);

/* All critical values between low and high. */
void area_exponential_critical(costab_scheme scheme, double low, double high, critical_events *events);

#endif
