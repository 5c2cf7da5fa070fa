/* Balance of one matrix of any size: where sums of its entries would overflow or vanish, by exponents alone
 * first. */
#include <float.h>
#include <math.h>

#define LANE_WIDTH 1
#include "base/lanes_template.h"
#include "method/eigen_parts.h"

#include "method/eigen_balance_template.h"

#include "base/lanes_end.h"

/* Powers of 2 up to this, and what comes of them in turns of balance by sizes, are normal numbers. */
#define SHIFTS_MOST 900

/* The exponents of the largest entries in row and column i, without the diagonal, of D^-1 h D, D = 2^shifts.
 */
static void largest_exponents(int n, const double *h, const double *shifts, int i, double *row,
                              double *column) {
    *row = *column = -(double)INFINITY;
    for (int j = 0; j < n; j++) {
        double apart = shifts[j] - shifts[i], across = h[i * n + j], down = h[j * n + i];
        if (j == i) continue;
        if (across != 0) *row = fmax(*row, ilogb(across) + apart);
        if (down != 0) *column = fmax(*column, ilogb(down) - apart);
    }
}

/* The same as eigen_balance by exponents alone, of the largest entries: nothing overflows or vanishes on the
 * way. [out] shifts: n doubles, those of D, around 0 where they are large. */
static void balance_exponents(int n, double *h, double *shifts) {
    bool moved = true;
    for (int i = 0; i < n; i++) shifts[i] = 0;
    for (int pass = 0; pass < 64 && moved; pass++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            double row, column;
            largest_exponents(n, h, shifts, i, &row, &column);
            double shift = trunc((row - column) / 2);
            if (!isfinite(shift) || shift == 0) continue;
            shifts[i] += shift;
            moved = true;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) h[i * n + j] = ldexp(h[i * n + j], (int)(shifts[j] - shifts[i]));
    double least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        least = fmin(least, shifts[i]);
        most = fmax(most, shifts[i]);
    }
    for (int i = 0; i < n && most - least > SHIFTS_MOST; i++) shifts[i] -= trunc((least + most) / 2);
}

bool eigen_balance(int n, double *h, double *scale, double *work) {
    double *rows = work, *columns = work + n;
    for (int i = 0; i < n && scale != NULL; i++) scale[i] = 1;
    measure_1(n, h, true, rows, columns);
    bool moderate = !extreme_1(2 * n, work);
    if (!moderate) {
        balance_exponents(n, h, work);
        for (int i = 0; i < n && scale != NULL; i++) scale[i] = ldexp(1, (int)work[i]);
        measure_1(n, h, true, rows, columns);
    }
    even_out_all_1(n, h, true, rows, columns, scale);
    return moderate;
}
