/* planar/area_quick_rows.h - the stable rows of a co-simulation scheme at one a, as runs that end at the same
 * bounds: what planar/area_cells.h finds, without FLINT. */
#ifndef PLANAR_AREA_QUICK_ROWS_H
#define PLANAR_AREA_QUICK_ROWS_H

#include "planar/quick_bounds.h"

enum { QUICK_PIECES_MAX = 24 };

/* What ends an interval besides a bound. */
enum { QUICK_END_ZERO = -1, QUICK_END_INFINITE = -2 };

/* A run of stable rows between two roots; -1 and the number of roots stand for infinity. top / bottom is the
 * length of a row, without a common factor. */
typedef struct quick_piece {
    int from, to, lower, upper;
    bool ss, right, infinite;
    integer_poly top, bottom;
} quick_piece;

typedef struct quick_rows {
    quick_bounds bounds;
    integer_poly gamma; /* as in area_bounds.h */
    quick_form den_form, fold_form, gamma_form;
    bool opposite[QUICK_BOUNDS][QUICK_BOUNDS];        /* [i][j], i < j: x1_j = -x1_i */
    integer_poly meeting[QUICK_BOUNDS][QUICK_BOUNDS]; /* x0_j x1_i - x0_i x1_j; if opposite, over x1_i */
    quick_form meeting_form[QUICK_BOUNDS][QUICK_BOUNDS];
    quick_roots roots;
    int count;
    quick_piece piece[QUICK_PIECES_MAX];
} quick_rows;

/* At a = num / den, den > 0. [in] side: of both subsystems, as polynomials. [out] rows: clear them in any
 * case; where rows->roots.doubt is set, nothing in them holds: something was not decided. */
void quick_rows_find(quick_rows *rows, costab_scheme scheme, const quick_side *side, const mpz_t num,
                     const mpz_t den);
void quick_rows_clear(quick_rows *rows);

#endif
