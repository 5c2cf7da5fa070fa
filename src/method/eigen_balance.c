/* Balances one matrix of any size, so that rounding errors do not depend on the units of the states: h = D^-1
 * h D with a diagonal D of powers of 2. The eigenvalue computations and block.c use it.
 *
 * 1. If sums of entries would overflow or underflow: first by the exponents of the largest entries.
 * 2. Rows and columns with sums that differ by a factor of 4 or more: balance_kernel.c.
 * 3. Components with more rows than lanes allow: smaller differences may accumulate along a chain of n rows
 *    to 2^n. Therefore the sum of |h_ij| 2^(x_j - x_i) is minimised. It is convex in x and smallest if each
 *    row sum equals its column sum (B. Kalantari, L. Khachiyan, A. Shokoufandeh 1997, On the complexity of
 *    matrix balancing). A Newton step from x = 0, by conjugate gradients, is rounded to integers x and halved
 *    until the sum decreases. The iteration ends after NEWTON_STEPS, or if no x reaches 1.
 *
 * D is exact. Cost: the minimisation up to n^3 per step. Limitation: the minimum is approximate. */
#include <float.h>
#include <math.h>

#define W 1 /* one matrix */
#include "method/eigen_components.h"
#include "method/eigen_kernel.h"

/* Powers of 2 up to this exponent, and their products in later balancing, are normal numbers. */
#define SHIFTS_MOST 900

/* Exponents of the largest off-diagonal entries in row and column i of D^-1 h D, D = 2^shifts. */
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

/* Returns true if row and column i are zero off the diagonal: the unit is then arbitrary. */
static bool is_alone(int n, const double *h, int i) {
    bool alone = true;
    for (int j = 0; j < n; j++) alone = alone && (j == i || (h[i * n + j] == 0 && h[j * n + i] == 0));
    return alone;
}

/* Like eigen_balance, by exponents of the largest entries alone, without overflow or underflow. [out] shifts:
 * exponents of D, n doubles, centred at 0 if they are large. Isolated rows have shift 0, to avoid underflow
 * of related quantities in the same units. */
static void balance_exponents(int n, double *h, double *shifts) {
    bool changed = true;
    for (int i = 0; i < n; i++) shifts[i] = 0;
    for (int pass = 0; pass < 64 && changed; pass++) {
        changed = false;
        for (int i = 0; i < n; i++) {
            double row, column;
            largest_exponents(n, h, shifts, i, &row, &column);
            double shift = trunc((row - column) / 2);
            if (!isfinite(shift) || shift == 0) continue;
            shifts[i] += shift;
            changed = true;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) h[i * n + j] = ldexp(h[i * n + j], (int)(shifts[j] - shifts[i]));
    double least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        least = fmin(least, shifts[i]);
        most = fmax(most, shifts[i]);
    }
    for (int i = 0; i < n && most - least > SHIFTS_MOST; i++)
        if (!is_alone(n, h, i)) shifts[i] -= trunc((least + most) / 2);
}

bool eigen_balance(int n, double *h, double *scale, double *work) {
    double *rows = work, *columns = work + n;
    for (int i = 0; i < n && scale != NULL; i++) scale[i] = 1;
    eigen_sum_sizes_1(n, h, true, rows, columns);
    bool moderate = eigen_extreme_1(2 * n, work) == 0;
    if (!moderate) {
        balance_exponents(n, h, work);
        for (int i = 0; i < n && scale != NULL; i++) scale[i] = ldexp(1, (int)work[i]);
        eigen_sum_sizes_1(n, h, true, rows, columns);
    }
    eigen_balance_by_sums_1(n, h, true, rows, columns, scale);
    return moderate;
}

/* ---- Components with many rows ---- */

/* NEWTON_STEPS: maximum. SHIFT_MOST: largest power of 2 in a step, which keeps D in the range of doubles.
 * RESIDUAL: squared relative tolerance of conjugate gradients. */
enum { NEWTON_STEPS = 8, SHIFT_MOST = 60 };
#define RESIDUAL 1e-4
#define LN_2     0.693147180559945309

/* q = (diag(rows + columns) - |h| - |h|^T) p, the Laplacian of a graph, by flows along edges; returns p^T
 * q. */
static double apply_laplacian(int n, const double *h, const double *p, double *q) {
    double along = 0;
    for (int i = 0; i < n; i++) {
        double out = 0;
        for (int j = 0; j < i; j++) {
            const double flow = (fabs(h[i * n + j]) + fabs(h[j * n + i])) * (p[i] - p[j]);
            out += flow;
            q[j] -= flow;
        }
        q[i] = out;
    }
    for (int i = 0; i < n; i++) along += p[i] * q[i];
    return along;
}

/* x = the Newton step at 0: solves Laplacian x = rows - columns by conjugate gradients with diagonal
 * preconditioner. sums: of rows, then of columns. space: 3 n. */
static void newton_step(int n, const double *h, const double *sums, double *x, double *space) {
    double *residual = space, *direction = residual + n, *image = direction + n, size = 0, first;
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        residual[i] = sums[i] - sums[n + i];
        direction[i] = residual[i] / (sums[i] + sums[n + i]);
        size += residual[i] * direction[i];
    }
    first = size;
    for (int turn = 0; turn < n && size > RESIDUAL * first; turn++) {
        double share = size / apply_laplacian(n, h, direction, image), next = 0;
        for (int i = 0; i < n; i++) {
            x[i] += share * direction[i];
            residual[i] -= share * image[i];
            next += residual[i] * residual[i] / (sums[i] + sums[n + i]);
        }
        for (int i = 0; i < n; i++)
            direction[i] = residual[i] / (sums[i] + sums[n + i]) + next / size * direction[i];
        size = next;
    }
}

/* Sum of moduli after `share` times the step x, rounded; infinite if the step is too large. [out] powers: the
 * diagonal of D. */
static double sum_after(int n, const double *h, const double *x, double share, double *powers) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double shift = round(share * x[i] / LN_2);
        if (!(fabs(shift) <= SHIFT_MOST)) return (double)INFINITY;
        powers[i] = exp2(shift);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j != i) sum += fabs(h[i * n + j]) * (powers[j] / powers[i]);
    return sum;
}

/* Scales h and `scale` to the units that minimise the sum. work: 2 n sums of rows and columns of h, and 4 n
 * numbers of workspace. */
static void minimise_sum(int n, double *h, double *scale, double *work) {
    double *x = work + 2 * n, *powers = x + n, sum = 0;
    for (int i = 0; i < n; i++) sum += work[i];
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double share = 1, most = 0, after;
        newton_step(n, h, work, x, powers);
        for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
        do {
            if (!(share * most >= LN_2)) return;
            after = sum_after(n, h, x, share, powers);
            share /= 2;
        } while (!(after < sum));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) h[i * n + j] *= powers[j] / powers[i];
        for (int i = 0; i < n && scale != NULL; i++) scale[i] *= powers[i];
        eigen_sum_sizes_1(n, h, true, work, work + n);
        sum = after;
    }
}

bool eigen_balance_component(int n, double *h, double *scale, double *work) {
    bool moderate = eigen_balance(n, h, scale, work);
    if (!moderate || n <= EIGEN_LANES_MOST)
        return moderate; /* lanes balance such matrices like
                          * eigen_balance */
    eigen_sum_sizes_1(n, h, true, work, work + n);
    minimise_sum(n, h, scale, work);
    return true;
}
