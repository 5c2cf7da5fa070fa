/* costab/area.h - areas of the stability regions of the planar system, and the values of a at which they
 * change their kind. [KNS] sections 4 and 5. */
#ifndef COSTAB_AREA_H
#define COSTAB_AREA_H

#include "costab/planar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Areas of the regions SS and US in the whole (Gamma, Delta) plane, dimensionless; either may be 0 or
 * infinite. The errors bound the distance to the true areas. An area of 0 or infinity is decided and not
 * computed; its error is 0. */
typedef struct costab_areas {
    double ss, us;
    double error_ss, error_us;
} costab_areas;

/* Computes the areas of a discretisation at a, which must be finite. The areas of the simulation do not
 * depend on a: compute them once. COSTAB_INVALID where a is not finite, COSTAB_NUMERIC where the quadrature
 * does not converge. A call takes about 0.1 ms for one micro step, and about 2 ms for the simulation. */
COSTAB_API costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                             costab_error *error);

/* Areas of the four classes inside a window, and bounds of their errors. The class code COSTAB_UU ...
 * COSTAB_SS is the index. */
typedef struct costab_window_areas {
    double area[4], error[4];
} costab_window_areas;

/* Computes the areas inside the window gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1].
 * COSTAB_INVALID unless a and the window are finite and the window's ends ascend; COSTAB_NUMERIC where the
 * quadrature does not converge. */
COSTAB_API costab_status costab_planar_window_areas(const costab_planar *planar, double a,
                                                    const double gamma[2], const double delta[2],
                                                    costab_window_areas *areas, costab_error *error);

/* What happens to an area at a critical value of a, as a increases. us_right is the area of US where Gamma >
 * 0. This is the one list: name, text. */
#define COSTAB_EVENT_LIST(X)                                                                                 \
    X(SS_BEGINS, "ss_begins")                                                                                \
    X(SS_ENDS, "ss_ends")                                                                                    \
    X(SS_INFINITE_BEGINS, "ss_infinite_begins")                                                              \
    X(SS_INFINITE_ENDS, "ss_infinite_ends")                                                                  \
    X(US_BEGINS, "us_begins")                                                                                \
    X(US_ENDS, "us_ends")                                                                                    \
    X(US_INFINITE_BEGINS, "us_infinite_begins")                                                              \
    X(US_INFINITE_ENDS, "us_infinite_ends")                                                                  \
    X(US_RIGHT_BEGINS, "us_right_begins")                                                                    \
    X(US_RIGHT_ENDS, "us_right_ends")                                                                        \
    X(US_RIGHT_INFINITE_BEGINS, "us_right_infinite_begins")                                                  \
    X(US_RIGHT_INFINITE_ENDS, "us_right_infinite_ends")

typedef enum costab_event {
#define COSTAB_EVENT_ENUM(name, text) COSTAB_##name,
    COSTAB_EVENT_LIST(COSTAB_EVENT_ENUM)
#undef COSTAB_EVENT_ENUM
        COSTAB_EVENT_COUNT
} costab_event;

/* The name of an event, such as "ss_begins"; NULL for any other number. */
COSTAB_API const char *costab_event_name(costab_event event);

typedef struct costab_critical {
    double a;
    costab_event event;
} costab_critical;

#define COSTAB_CRITICAL_MAX 256

/* Finds the values of a in (low, high), ascending, at which an area becomes 0 or positive, finite or
 * infinite. An area that is 0 at a single value of a ends and begins there. The simulation has no such
 * values. [out] critical: room for COSTAB_CRITICAL_MAX entries. [out] *count: how many were found. Not
 * guaranteed: two changes that undo each other within (high - low) / 1024 may be missed, except at a = 0 and
 * at the roots of phi. COSTAB_INVALID unless low < high, both finite; COSTAB_NUMERIC where the kind of an
 * area cannot be told or there are more than COSTAB_CRITICAL_MAX values. */
COSTAB_API costab_status costab_planar_critical(const costab_planar *planar, double low, double high,
                                                costab_critical *critical, size_t *count,
                                                costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
