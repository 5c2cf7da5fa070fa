/* exact/area_cells.h - the stable rows of a co-simulation scheme at one a, as runs that end at the same
 * bounds.
 *
 * The line of all d is cut at the roots of every x0, x1, of phi_d and of the denominator, where two bounds
 * cross and at Gamma = 0. Between neighbouring roots the same bounds end all rows; which ones is decided
 * exactly at one number of few digits between them. */
#pragma once

#include "exact/area_bounds.h"
#include "exact/real_roots.h"

/* A run of stable rows. from and to are numbers of roots; -1 stands for -infinity, the number of roots for
 * +infinity.
 */
typedef struct area_piece {
    int from, to;
    int lower, upper;      /* the bounds that end the rows, or END_ */
    bool ss;               /* the rows are SS, else US */
    bool right;            /* Gamma > 0 */
    bool infinite;         /* its area is */
    surd_poly top, bottom; /* the length of a row as a quotient without a common factor */
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
 * precision.
 */
bool area_cells_integral(area_cells *cells, const area_piece *piece, slong bits, arb_t area);
