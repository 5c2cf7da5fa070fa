/* area/cells.h - the stable intervals of all rows of a co-simulation scheme at one a.
 *
 * The line of all d is cut at the roots of every x0 and x1 (bounds.h), of phi_d and of the denominator,
 * where two bounds are equal, and at Gamma = 0. Between neighbouring roots (a cell) the stable intervals of
 * all rows end at the same two bounds; which ones is decided exactly at one number between the roots.
 * Neighbouring cells with the same two bounds are one piece. */
#pragma once

#include "area/bounds.h"
#include "area/real_roots.h"

/* The rows between the roots number `from` and `to`, whose stable intervals end at the same two bounds. -1
 * stands for d = -infinity, the number of all roots for +infinity. */
typedef struct area_piece {
    int from, to;
    int lower, upper;      /* the bounds at which the intervals end, or END_ZERO, END_INFINITE */
    bool ss;               /* the rows are SS, else US */
    bool right;            /* Gamma > 0 */
    bool infinite;         /* its area is */
    surd_poly top, bottom; /* the interval's length is top / bottom, without a common factor */
} area_piece;

typedef struct area_cells {
    const area_bounds *bounds; /* borrowed */
    real_roots roots;
    int count;
    size_t capacity;
    area_piece *piece;
    bool failed; /* memory is out */
} area_cells;

/* Finds all pieces. [in] gamma: the window's two ends, or NULL for all Gamma. [out] cells: clear it in any
 * case. False where memory is out. */
bool area_cells_find(const area_bounds *bounds, const fmpq *gamma, area_cells *cells);
void area_cells_clear(area_cells *cells);

/* The area of a finite piece to `bits` bits, relative; false where that takes more than 16000 bits of working
 * precision. */
bool area_cells_integral(area_cells *cells, const area_piece *piece, slong bits, arb_t area);
