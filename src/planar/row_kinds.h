/* planar/row_kinds.h - the kinds of areas at one a, in doubles whose rounding is bounded: what
 * planar/area_quick_rows.h finds in integers, as far as doubles tell.
 *
 * A polynomial in a and e whose roots in e cut the rows is a content in a times powers of the parts of
 * planar/projection_quick.h, which have no multiple factors and none in common. So where its sign is told
 * somewhere its roots at that a are those of its parts; and where these are told apart and simple, no common
 * divisors are asked for. Between neighbouring roots of den, fold, x0 and x1 (quick_bounds.h) one e tells all
 * of their signs, and with the roots of the meetings of those bounds that may end a row there it tells the
 * order of the bounds, too. At a = 0 coefficients are 0 exactly or seen not to be, so that roots at e = 0 and
 * at infinity are known to be there. */
#ifndef PLANAR_ROW_KINDS_H
#define PLANAR_ROW_KINDS_H

#include "planar/critical_events.h"
#include "planar/row_roots.h"

enum { ROW_WITNESSES = 24 };

/* A stable point. */
typedef struct row_witness {
    double e, delta;
    bool right; /* Gamma > 0 */
} row_witness;

typedef struct row_kinds {
    critical_kinds kinds;
    int count;
    row_witness witness[ROW_WITNESSES]; /* some of the points that were seen to be stable, about */
} row_kinds;

/* The kinds at a. [in] plane: its forms; without curves all is in doubt. False, with anything in *row, where
 * doubles leave a doubt. */
bool row_kinds_at(const apart *plane, double a, row_kinds *row);

/* Whether a point is proved to be stable, and to be on its side of Gamma = 0, for all a from low to high. */
bool row_holds(const apart *plane, const row_witness *point, double low, double high);

#endif
