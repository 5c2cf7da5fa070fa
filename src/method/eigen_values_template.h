/* Eigenvalues of small matrices, n^3 times some 10 operations; included by eigen_lanes_template.h and
 * eigen.c.
 *
 * 1. Householder's reflections bring a balanced matrix to Hessenberg form.
 * 2. Francis' iteration makes it a matrix of blocks of one and two rows (eigen_francis_template.h).
 * 3. Each block has its eigenvalues in closed form (Golub and Van Loan, Matrix Computations, 7.4 and 7.5).
 *
 * A matrix is first given room: a row has an odd number of places, so that the entries of a column are not
 * all in the same few sets of the cache, and beyond its rows and columns it has zeros. */

LANE_FUNCTION VECTOR LANE_NAME(lesser)(VECTOR a, VECTOR b) {
    return LANE_NAME(select)(a < b, a, b);
}

/* `size` with the sign of `of`. Both zeros are alike: what is 0 in one order of operations may be -0 in
 * another. */
LANE_FUNCTION VECTOR LANE_NAME(like)(VECTOR size, VECTOR of) {
    const BITS sign = LANE_NAME(bits_of)(of + 0.0) >> 63 << 63;
    return LANE_NAME(number_of)(LANE_NAME(bits_of)(size) | sign);
}

/* ---- Room ---- */

/* Rows and columns of zeros beyond the last, and the places of a row. */
enum { LANE_NAME(BORDER) = 3 };

LANE_FUNCTION int LANE_NAME(places)(int n) {
    return (n + LANE_NAME(BORDER)) | 1;
}

LANE_FUNCTION void LANE_NAME(give_room)(int n, const double *a, double *h) {
    int places = LANE_NAME(places)(n);
    for (int i = 0; i < n + LANE_NAME(BORDER); i++) {
        int known = i < n ? n : 0;
        for (int j = 0; j < known; j++) AT(h, i * places + j) = GET(a, i * n + j);
        for (int j = known; j < places; j++) AT(h, i * places + j) = ALL(0.0);
    }
}

/* ---- Hessenberg form ---- */

/* Column c loses what is below the first subdiagonal. [out] v: the reflection's vector, from row c + 1 on.
 * Returns its factor. */
LANE_FUNCTION VECTOR LANE_NAME(annihilate)(int n, int places, double *h, int c, double *v) {
    const VECTOR first = GET(h, (c + 1) * places + c);
    VECTOR rest = ALL(0.0);
    for (int i = c + 2; i < n; i++) rest += GET(h, i * places + c) * GET(h, i * places + c);
    const MASK some = rest != ALL(0.0);
    const VECTOR length = LANE_NAME(like)(LANE_NAME(root)(first * first + rest), first);
    const VECTOR divisor = LANE_NAME(only)(some, 1 / (first + length));
    AT(v, c + 1) = ALL(1.0);
    for (int i = c + 2; i < n; i++) {
        AT(v, i) = GET(h, i * places + c) * divisor;
        AT(h, i * places + c) = ALL(0.0);
    }
    AT(h, (c + 1) * places + c) = LANE_NAME(select)(some, -length, first);
    return LANE_NAME(only)(some, (first + length) / length);
}

/* The reflection of rows c + 1 on, in `width` columns from j on. */
LANE_INLINE void LANE_NAME(reflect_rows)(int n, int places, double *h, int c, int j, const int width,
                                         const double *v, VECTOR tau) {
    VECTOR sums[4];
    for (int q = 0; q < width; q++) sums[q] = ALL(0.0);
    for (int i = c + 1; i < n; i++)
        for (int q = 0; q < width; q++) sums[q] += GET(v, i) * GET(h, i * places + j + q);
    for (int i = c + 1; i < n; i++) {
        const VECTOR factor = tau * GET(v, i);
        for (int q = 0; q < width; q++) AT(h, i * places + j + q) -= factor * sums[q];
    }
}

/* The reflection of columns c + 1 on, in `height` rows from i on. */
LANE_INLINE void LANE_NAME(reflect_columns)(int n, int places, double *h, int c, int i, const int height,
                                            const double *v, VECTOR tau) {
    VECTOR sums[4];
    for (int p = 0; p < height; p++) sums[p] = ALL(0.0);
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) sums[p] += GET(h, (i + p) * places + j) * GET(v, j);
    for (int p = 0; p < height; p++) sums[p] *= tau;
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) AT(h, (i + p) * places + j) -= sums[p] * GET(v, j);
}

LANE_FUNCTION void LANE_NAME(reduce)(int n, int places, double *h, double *v) {
    for (int c = 0; c + 2 < n; c++) {
        const VECTOR tau = LANE_NAME(annihilate)(n, places, h, c, v);
        int j = c + 1, i = 0;
        for (; j + 4 <= n; j += 4) LANE_NAME(reflect_rows)(n, places, h, c, j, 4, v, tau);
        for (; j < n; j++) LANE_NAME(reflect_rows)(n, places, h, c, j, 1, v, tau);
        for (; i + 4 <= n; i += 4) LANE_NAME(reflect_columns)(n, places, h, c, i, 4, v, tau);
        for (; i < n; i++) LANE_NAME(reflect_columns)(n, places, h, c, i, 1, v, tau);
    }
}

#include "method/eigen_francis_template.h"

/* ---- Eigenvalues ---- */

/* Of the blocks on the diagonal: those of two rows are where the subdiagonal is not 0. */
LANE_FUNCTION void LANE_NAME(read_off)(int n, int places, const double *h, double *re, double *im) {
    MASK second = (MASK){0};
    VECTOR kept_re = ALL(0.0), kept_im = ALL(0.0);
    for (int k = 0; k < n; k++) {
        const double *r0 = h + (k * places + k) * LANE_STEP, *r1 = r0 + places * LANE_STEP;
        const VECTOR a = GET(r0, 0);
        AT(re, k) = LANE_NAME(select)(second, kept_re, a);
        AT(im, k) = LANE_NAME(only)(second, kept_im);
        if (k + 1 == n) return;
        const MASK two = n == 2 ? a == a : GET(r1, 0) != ALL(0.0);
        second = two;
        if (!LANE_NAME(any)(two)) continue;
        const VECTOR d = GET(r1, 1), bc = GET(r0, 1) * GET(r1, 0), half = 0.5 * (a - d),
                     under = half * half + bc;
        const MASK paired = under < ALL(0.0);
        const VECTOR root = LANE_NAME(root)(LANE_NAME(size)(under));
        const VECTOR far = half + LANE_NAME(like)(root, half);
        const MASK alike = paired | (far == ALL(0.0));
        AT(re, k) = LANE_NAME(select)(two, d + LANE_NAME(select)(alike, half, far), AT(re, k));
        AT(im, k) = LANE_NAME(select)(two & paired, root, AT(im, k));
        kept_re = LANE_NAME(select)(alike, d + half, d - bc / far);
        kept_im = LANE_NAME(only)(paired, -root);
    }
}

/* Frobenius' norm, in four sums, which do not wait for each other. */
LANE_FUNCTION VECTOR LANE_NAME(frobenius)(int n, const double *h) {
    VECTOR sums[4] = {ALL(0.0), ALL(0.0), ALL(0.0), ALL(0.0)};
    int whole = n * n / 4 * 4;
    for (int e = 0; e < whole; e += 4)
        for (int k = 0; k < 4; k++) sums[k] += GET(h, e + k) * GET(h, e + k);
    for (int e = whole; e < n * n; e++) sums[0] += GET(h, e) * GET(h, e);
    return LANE_NAME(root)((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/* The eigenvalues of a balanced matrix of two rows or more, which stays as it is, with that Frobenius norm.
 * What is left of the open lanes: those in which the iteration converges. work: n (n + 9) + 12 numbers. */
LANE_FUNCTION MASK LANE_NAME(find_values)(int n, const double *a, VECTOR norm, MASK open, double *re,
                                          double *im, double *work) {
    if (n == 2) {
        LANE_NAME(read_off)(n, n, a, re, im);
        return open;
    }
    double *h = work + n * LANE_STEP;
    int places = LANE_NAME(places)(n);
    LANE_NAME(give_room)(n, a, h);
    LANE_NAME(reduce)(n, places, h, work);
    open = LANE_NAME(francis)(n, places, h, norm, open);
    LANE_NAME(read_off)(n, places, h, re, im);
    return open;
}
