/* costab/area.h - areas of the stability regions of the planar system, and the values of a at which they
 * change their kind. [KNS] sections 4 and 5. */
#ifndef COSTAB_AREA_H
#define COSTAB_AREA_H

#include "costab/planar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Areas of the regions SS and US in the whole (Gamma, Delta) plane; either may be 0 or infinite. The errors
 * bound the distance to the true areas; they are 0 where the area is 0 or infinite, which is decided and not
 * computed. */
typedef struct costab_areas {
    double ss, us;
    double error_ss, error_us;
} costab_areas;

/* Areas of a discretisation at a, which must be finite (the simulation's do not depend on it). COSTAB_NUMERIC
 * where the quadrature does not converge. Safe to call from several threads at once. About 0.1 ms for one
 * micro step; the simulation takes about 2 ms: ask once. */
COSTAB_API costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                             costab_error *error);

/* Areas of the four classes inside the window gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1]
 * (finite, ascending), indexed by the class code COSTAB_UU ... COSTAB_SS, with bounds of their errors. */
typedef struct costab_window_areas {
    double area[4], error[4];
} costab_window_areas;

COSTAB_API costab_status costab_planar_window_areas(const costab_planar *planar, double a,
                                                    const double gamma[2], const double delta[2],
                                                    costab_window_areas *areas, costab_error *error);

/* What happens to an area at a critical value of a, as a increases. us_right is the part of US with Gamma >
 * 0. The one list: name, text. */
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

/* "ss_begins" and so on; NULL outside the range. */
COSTAB_API const char *costab_event_name(costab_event event);

typedef struct costab_critical {
    double a;
    costab_event event;
} costab_critical;

#define COSTAB_CRITICAL_MAX 256

/* The values of a in (low, high) at which an area becomes 0 or positive, finite or infinite, in ascending
 * order; an area that is 0 at one value of a only ends and begins there. [out] critical: COSTAB_CRITICAL_MAX
 * places, *count. Changes that undo each other within (high - low) / 1024 may be missed, but for those at a =
 * 0 and at the roots of phi. The simulation has none. COSTAB_INVALID unless low < high, both finite;
 * COSTAB_NUMERIC where an area's kind could not be told or there are too many. */
COSTAB_API costab_status costab_planar_critical(const costab_planar *planar, double low, double high,
                                                costab_critical *critical, size_t *count,
                                                costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
