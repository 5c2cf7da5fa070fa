/* method/elimination.h - the rank of a matrix whose entries are known to an error of their own each.
 *
 * Gauss's elimination of M, n x n, with the errors carried along: a pivot is an entry that exceeds its error.
 * What remains when none does is S = W' M X, with
 *
 *     M X = 0 in the pivots' rows, W' M = 0 in the pivots' columns, X and W the identity elsewhere,
 *
 * and to first order changes E of M change S by W' E X. The units of rows and columns
 * matter only to which of several pivots, all far beyond their errors, is taken first. */
#pragma once

/* P M Q of order n, row-major. */
typedef struct elimination {
    int n;
    double *entries; /* at first M; then factors L (unit diagonal) and U of the pivots, and what remains */
    double *errors;  /* at first of M, not negative; then those of what remains */
    int *rows, *columns; /* n each: where the pivots, and behind them the others, stand in M */
    double *room;        /* n */
} elimination;

/* Of a matrix of order n, whose entries and errors are there. */
void elimination_begin(elimination *e, int n);

/* Goes on from `rank` pivots. Returns how many there are when nothing that remains is beyond its error. (The
 * errors that are carried along may be much too large where the order is.) */
int elimination_run(elimination *e, int rank);

/* x = 0 but for the pivots' columns, with M x = b in the pivots' rows; b and x: n each, they may be the same.
 */
void elimination_solve(const elimination *e, int rank, const double *b, double *x);
/* y = 0 but for the pivots' rows, with y' M = b' in the pivots' columns. */
void elimination_solve_left(const elimination *e, int rank, const double *b, double *y);
