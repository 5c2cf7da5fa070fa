/* exact/area_window.h - areas inside a window from rows that are known in balls: those of the simulation and
 * of the method `exact`. */
#pragma once

#include "exact/area_exact.h"

/* What a quarter of the plane takes of the window: Gamma > 0 (right), Delta > 0 (above). */
typedef struct area_quarter {
    bool right, above;
    arb_ptr delta; /* its ends */
} area_quarter;

/* The length of the stable set of a row at Gamma within the ends of a quarter, for all Gamma of a ball; an
 * analytic function of Gamma where `analytic` is asked for. False where the ball is too wide to tell. */
typedef bool area_row_length(void *rows, const acb_t gamma, const area_quarter *quarter, bool analytic,
                             slong precision, acb_t length);

/* US and SS inside a window, with proved errors of about 2^-bits of the areas or 2^-least of the window's
 * own. [in] has_us: false where it is known that there is no US. [in, out] regions: initialised areas. */
typedef struct area_goal {
    slong bits, least;
    slong evaluations; /* of rows in a quarter: when they are used up, the errors stay larger */
} area_goal;

void area_window_regions(const area_window *window, area_row_length *length, void *rows, bool has_us,
                         area_goal goal, area_region regions[2]);

/* min(max(x, low), high). */
void area_clip(acb_t clipped, const acb_t x, const acb_t low, const acb_t high, bool analytic,
               slong precision);
