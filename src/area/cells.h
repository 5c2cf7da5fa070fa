/* area/cells.h - the stable intervals of all rows of a co-simulation scheme at one a.
 *
 * The d axis is cut at the roots of all x0 and x1 (bounds.h), of phi_d and of the denominator, at crossings
 * of bounds, and at Gamma = 0. Between adjacent roots (a cell) the stable intervals of all rows end at the
 * same two bounds, which are determined exactly at one number in the cell. Adjacent cells with the same
 * bounds form one piece. */
#pragma once

#include "area/bounds.h"
#include "area/real_roots.h"

/* Rows between the roots with indices `from` and `to`; their stable intervals end at the same bounds. -1
 * represents d = -infinity, the number of roots +infinity. */
typedef struct area_piece {
    int from, to;
    int lower, upper;      /* bounds at the ends of the intervals, or END_ZERO, END_INFINITE */
    bool ss;               /* the rows are in SS, otherwise in US */
    bool right;            /* Gamma > 0 */
    bool infinite;         /* its area is infinite */
    surd_poly top, bottom; /* the interval's length is top / bottom, in lowest terms */
} area_piece;

typedef struct area_cells {
    const area_bounds *bounds; /* borrowed */
    real_roots roots;
    int count;
    size_t capacity;
    area_piece *piece;
    bool failed; /* memory is exhausted */
} area_cells;

/* Finds all pieces. [in] gamma: the window's ends, or NULL for all Gamma. [out] cells: to be cleared in any
 * case. Returns false if memory is exhausted. */
bool area_cells_find(const area_bounds *bounds, const fmpq *gamma, area_cells *cells);
void area_cells_clear(area_cells *cells);

/* Computes the area of a finite piece to `bits` bits, relative. Returns false if more than 16000 bits of
 * working precision would be required. */
bool area_cells_integral(area_cells *cells, const area_piece *piece, slong bits, arb_t area);
