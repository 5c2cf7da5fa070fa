/* Balance of a matrix by powers of 2. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "method/eigen_parts.h"

/* Powers of 2 up to this, and what comes of them in turns of balance by sizes, are normal numbers. */
#define SHIFTS_MOST 900

/* May row and column be scaled to advantage? Only where they differ by a factor of 4. */
static bool uneven(double row, double column) {
    return (row >= 4 * column || column >= 4 * row) && row > DBL_MIN && column > DBL_MIN;
}

/* Sizes of rows and columns without the diagonal. */
static void measure(int n, const double *h, double *rows, double *columns) {
    for (int j = 0; j < n; j++) columns[j] = 0;
    for (int i = 0; i < n; i++) {
        rows[i] = 0;
        for (int j = 0; j < n; j++) {
            double size = j == i ? 0 : fabs(h[i * n + j]);
            rows[i] += size;
            columns[j] += size;
        }
    }
}

/* Are sums so large or so small that what comes of them might overflow or vanish? */
static bool extreme(int count, const double *sums) {
    bool found = false;
    for (int i = 0; i < count; i++)
        found = found || sums[i] >= EIGEN_SCALE_MOST || (sums[i] > 0 && sums[i] <= EIGEN_SCALE_LEAST);
    return found;
}

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

/* ilogb of a positive normal number and ldexp(1, shift), from the bits: they are needed at every point. */
static int exponent_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

static double power_of_two(int shift) {
    if (shift < -1022 || shift > 1023) return ldexp(1, shift);
    uint64_t bits = (uint64_t)(shift + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Makes row and column i alike, as far as a power of 2 does; the others' sizes follow. Returns the shift, 0
 * where it would bring nothing. */
static int even_out(int n, double *h, int i, double *rows, double *columns) {
    int shift = (exponent_of(rows[i]) - exponent_of(columns[i])) / 2;
    double up = power_of_two(shift), down = power_of_two(-shift), before = rows[i] + columns[i];
    if (shift == 0 || columns[i] * up + rows[i] * down >= 0.95 * before) return 0;
    double *row = h + i * n, diagonal = row[i];
    for (int j = 0; j < n; j++) {
        columns[j] += (down - 1) * fabs(row[j]);
        row[j] *= down;
    }
    for (int j = 0; j < n; j++) {
        rows[j] += (up - 1) * fabs(h[j * n + i]);
        h[j * n + i] *= up;
    }
    row[i] = diagonal;
    rows[i] = columns[i] = 0;
    for (int j = 0; j < n; j++) {
        rows[i] += j == i ? 0 : fabs(row[j]);
        columns[i] += j == i ? 0 : fabs(h[j * n + i]);
    }
    return shift;
}

bool eigen_balance(int n, double *h, double *scale, double *work) {
    double *rows = work, *columns = work + n;
    bool moved = true;
    for (int i = 0; i < n && scale != NULL; i++) scale[i] = 1;
    measure(n, h, rows, columns);
    bool moderate = !extreme(2 * n, work);
    if (!moderate) {
        balance_exponents(n, h, work);
        for (int i = 0; i < n && scale != NULL; i++) scale[i] = ldexp(1, (int)work[i]);
        measure(n, h, rows, columns);
    }
    for (int pass = 0; pass < 64 && moved; pass++) {
        bool far = false;
        moved = false;
        for (int i = 0; i < n; i++) {
            if (!uneven(rows[i], columns[i])) continue;
            int shift = even_out(n, h, i, rows, columns);
            if (scale != NULL) scale[i] *= power_of_two(shift);
            moved = moved || shift != 0;
            far = far || shift > SHIFT_FOLLOWED || shift < -SHIFT_FOLLOWED;
        }
        if (far) measure(n, h, rows, columns);
    }
    return moderate;
}
