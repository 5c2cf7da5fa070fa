/* area/window.h - areas inside a window, as integrals over Gamma of the lengths of rows' stable sets,
 * which the caller knows in balls: those of the simulation and of the method `exact`. */
#pragma once

#include "area/exact.h"

/* The part of the window in a quarter of the plane: Gamma > 0 (right) or < 0, Delta > 0 (above) or < 0. */
typedef struct area_quarter {
    bool right, above;
    arb_ptr delta; /* its two ends in Delta */
} area_quarter;

/* Encloses the length of the stable set of a row inside a quarter, for all Gamma of a ball. `analytic`: the
 * length has to be an analytic function of Gamma on that ball. False where the ball is too wide to tell. */
typedef bool area_row_length(void *rows, const acb_t gamma, const area_quarter *quarter, bool analytic,
                             slong precision, acb_t length);

/* How well an area is to be known: with an error of about 2^-bits of itself, or 2^-least of the window's
 * area. */
typedef struct area_goal {
    slong bits, least;
    slong evaluations; /* of rows in a quarter, at most: when they are used up the error stays larger */
} area_goal;

/* US and SS inside a window, with proved errors. [in] has_us: false where it is known that there is no US.
 * [in, out] regions: empty, with initialised areas. */
void area_window_regions(const area_window *window, area_row_length *length, void *rows, bool has_us,
                         area_goal goal, area_region regions[2]);

/* clipped := min(max(x, low), high); where `analytic`, not finite if x may be equal to low or high. */
void area_clip(acb_t clipped, const acb_t x, const acb_t low, const acb_t high, bool analytic,
               slong precision);
