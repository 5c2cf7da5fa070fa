/* planar/area_quick_rows.h - the stable rows of a co-simulation scheme at one a, as runs that end at the same
 * bounds: what planar/area_cells.h finds, without FLINT. */
#ifndef PLANAR_AREA_QUICK_ROWS_H
#define PLANAR_AREA_QUICK_ROWS_H

#include "costab/planar.h"
#include "planar/quick_roots.h"

enum { QUICK_BOUNDS = 4, QUICK_PIECES_MAX = 24 };

/* x0 + x1 Delta > 0, times the sign of the common denominator. */
typedef struct quick_bound {
    integer_poly x0, x1;
    quick_form x0_form, x1_form;
} quick_bound;

/* A run of stable rows between two roots; -1 and the number of roots stand for infinity. top / bottom is the
 * length of a row, without a common factor. */
typedef struct quick_piece {
    int from, to, lower, upper;
    bool ss, right, infinite;
    integer_poly top, bottom;
} quick_piece;

typedef struct quick_rows {
    integer_poly den, fold, gamma; /* as in area_bounds.h */
    quick_form den_form, fold_form, gamma_form;
    int bound_count;
    quick_bound bound[QUICK_BOUNDS];
    integer_poly meeting[QUICK_BOUNDS][QUICK_BOUNDS]; /* [i][j], i < j: x0_j x1_i - x0_i x1_j */
    quick_form meeting_form[QUICK_BOUNDS][QUICK_BOUNDS];
    quick_roots roots;
    int count;
    quick_piece piece[QUICK_PIECES_MAX];
} quick_rows;

/* One micro step of a Runge-Kutta method with exact entries, at a finite a. [out] rows: clear them in any
 * case; where rows->roots.doubt is set, nothing in them holds: something was not decided, or the functions
 * are irrational. */
void quick_rows_find(quick_rows *rows, costab_scheme scheme, const costab_method *method, double a);
void quick_rows_clear(quick_rows *rows);

#endif
