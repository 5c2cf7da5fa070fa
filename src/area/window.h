/* area/window.h - areas in a window as integrals over Gamma of the stable lengths of rows. The lengths are
 * supplied by the caller in balls: for the simulation and the method `exact`. */
#pragma once

#include "area/exact.h"

/* Part of the window in one quarter of the plane: Gamma > 0 (right) or < 0, Delta > 0 (above) or < 0. */
typedef struct area_quarter {
    bool right, above;
    arb_ptr delta; /* both ends in Delta */
} area_quarter;

/* Encloses the stable length of a row in a quarter, for all Gamma of a ball. `analytic`: the length must be
 * an analytic function of Gamma on that ball. Returns false if the ball is too wide to decide. */
typedef bool area_row_length(void *rows, const acb_t gamma, const area_quarter *quarter, bool analytic,
                             slong precision, acb_t length);

/* Accuracy goal: an error of about 2^-bits of the area, or 2^-least of the window's area. */
typedef struct area_goal {
    slong bits, least;
    slong evaluations; /* maximum number of rows per quarter; if they do not suffice, the error is larger */
} area_goal;

/* Integrates US (regions[0]) and SS (regions[1]) in a window, with proved errors. [in] has_us: false if US is
 * known to be empty. [in, out] regions: empty, with initialised areas. */
void area_window_regions(const area_window *window, area_row_length *length, void *rows, bool has_us,
                         area_goal goal, area_region regions[2]);

/* clipped := min(max(x, low), high). If `analytic`, the result is not finite for x that may equal low or
 * high. */
void area_clip(acb_t clipped, const acb_t x, const acb_t low, const acb_t high, bool analytic,
               slong precision);
