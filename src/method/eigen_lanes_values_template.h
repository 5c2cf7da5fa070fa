/* The Hessenberg form and the eigenvalues of eigen.c in lanes, operation by operation; included by
 * eigen_lanes_template.h.
 *
 * A matrix is first given room: a row has an odd number of places, so that the entries of a column are not
 * all in the same few sets of the cache, and beyond its rows and columns it has zeros. */

LANE_FUNCTION VECTOR LANE_NAME(lesser)(VECTOR a, VECTOR b) {
    return LANE_NAME(select)(a < b, a, b);
}

LANE_FUNCTION VECTOR LANE_NAME(like)(VECTOR size, VECTOR of) {
    return LANE_NAME(select)(of < ALL(0.0), -size, size);
}

/* The numbers of those lanes, 0 in the others. */
LANE_FUNCTION VECTOR LANE_NAME(only)(MASK which, VECTOR a) {
    return (VECTOR)((MASK)a & which);
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

#include "method/eigen_lanes_francis_template.h"

/* ---- Eigenvalues ---- */

/* Of the blocks on the diagonal: those of two rows are where the subdiagonal is not 0. */
LANE_FUNCTION void LANE_NAME(read_off)(int n, int places, const double *h, double *re, double *im) {
    MASK second = (MASK){0};
    VECTOR kept_re = ALL(0.0), kept_im = ALL(0.0);
    for (int k = 0; k < n; k++) {
        const double *r0 = h + (k * places + k) * LANES, *r1 = r0 + places * LANES;
        const VECTOR a = GET(r0, 0);
        AT(re, k) = LANE_NAME(select)(second, kept_re, a);
        AT(im, k) = LANE_NAME(only)(second, kept_im);
        if (k + 1 == n) return;
        const MASK two = n == 2 ? a == a : GET(r1, 0) != ALL(0.0);
        second = two;
        if (!LANE_NAME(any)(two)) continue;
        const VECTOR d = GET(r1, 1), bc = GET(r0, 1) * GET(r1, 0), half = 0.5 * (a - d),
                     under = half * half + bc;
        const MASK complex = under < ALL(0.0);
        const VECTOR root = LANE_NAME(root)(LANE_NAME(size)(under));
        const VECTOR far = half + LANE_NAME(like)(root, half);
        const MASK alike = complex | (far == ALL(0.0));
        AT(re, k) = LANE_NAME(select)(two, d + LANE_NAME(select)(alike, half, far), AT(re, k));
        AT(im, k) = LANE_NAME(select)(two & complex, root, AT(im, k));
        kept_re = LANE_NAME(select)(alike, d + half, d - bc / far);
        kept_im = LANE_NAME(only)(complex, -root);
    }
}

/* Of all entries, in the order of eigen.c. */
LANE_FUNCTION VECTOR LANE_NAME(frobenius)(int n, const double *h) {
    VECTOR sums[4] = {ALL(0.0), ALL(0.0), ALL(0.0), ALL(0.0)};
    int whole = n * n / 4 * 4;
    for (int e = 0; e < whole; e += 4)
        for (int k = 0; k < 4; k++) sums[k] += GET(h, e + k) * GET(h, e + k);
    for (int e = whole; e < n * n; e++) sums[0] += GET(h, e) * GET(h, e);
    return LANE_NAME(root)((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/* Lanes whose entries, of that norm, need no scaling before they are squared. */
LANE_FUNCTION MASK LANE_NAME(moderate)(int n, const double *h, VECTOR norm) {
    VECTOR largest = ALL(0.0);
    for (int e = 0; e < n * n; e++) largest = LANE_NAME(larger)(largest, LANE_NAME(size)(GET(h, e)));
    return (norm < ALL(EIGEN_SCALE_MOST)) & (largest > ALL(EIGEN_SCALE_LEAST));
}

LANE_FUNCTION MASK LANE_NAME(part_values)(int n, double *h, MASK alive, double *re, double *im, double *norm,
                                          double *work) {
    if (n == 1) {
        AT(re, 0) = GET(h, 0);
        AT(im, 0) = ALL(0.0);
        AT(norm, 0) = LANE_NAME(size)(GET(h, 0));
        return alive;
    }
    alive = LANE_NAME(balance)(n, h, alive, work, work + n * LANES);
    AT(norm, 0) = LANE_NAME(frobenius)(n, h);
    alive &= LANE_NAME(moderate)(n, h, GET(norm, 0));
    if (n == 2) {
        LANE_NAME(read_off)(n, n, h, re, im);
        return alive;
    }
    double *inner = work + n * LANES;
    int places = LANE_NAME(places)(n);
    LANE_NAME(give_room)(n, h, inner);
    LANE_NAME(reduce)(n, places, inner, work);
    alive = LANE_NAME(francis)(n, places, inner, GET(norm, 0), alive);
    LANE_NAME(read_off)(n, places, inner, re, im);
    return alive;
}

static LANE_TARGET void LANE_NAME(values)(int n, double *a, const eigen_lanes_parts *parts,
                                          eigen_lanes_found *found, int group, double *work) {
    double *part = work, *inner = part + (size_t)(n * n) * LANES;
    MASK alive = LANE_NAME(regular)(n, a + group, parts->rows);
    const int *list = parts->list;
    int at = group;
    for (int p = 0; p < parts->count && LANE_NAME(any)(alive); p++) {
        int size = parts->sizes[p];
        double *x = LANE_NAME(take_part)(n, a + group, parts, list, size, part);
        alive = LANE_NAME(part_values)(size, x, alive, found->re + at, found->im + at,
                                       found->norm + p * LANES + group, inner);
        at += size * LANES;
        list += size;
    }
    for (int l = 0; l < LANE_WIDTH; l++) found->known[group + l] = alive[l] != 0;
}

/* ---- What they tell ---- */

/* How far beyond the limit nothing of a part is, of what is near it, whatever rounding does. */
LANE_FUNCTION VECTOR LANE_NAME(close_of)(int n, VECTOR norm) {
    return (3 * eigen_vicinity(n) + EIGEN_FURTHEST) * norm;
}

static LANE_TARGET void LANE_NAME(tops)(const eigen_lanes_parts *parts, eigen_lanes_found *found, int group) {
    MASK near = (MASK){0};
    VECTOR close = ALL(0.0);
    const double *re = found->re + group, *im = found->im + group;
    for (int p = 0; p < parts->count; p++) {
        int n = parts->sizes[p];
        const VECTOR norm = GET(found->norm + group, p), distance = eigen_vicinity(n) * norm,
                     below = LANE_NAME(larger)(1 - distance, ALL(0.0)), low = below * below,
                     above = 1 + distance, high = above * above;
        VECTOR top = ALL(0.0);
        for (int i = 0; i < n; i++, re += LANES, im += LANES) {
            const VECTOR square = GET(re, 0) * GET(re, 0) + GET(im, 0) * GET(im, 0);
            top = LANE_NAME(larger)(square, top);
            if (n > 1) near |= (square >= low) & (square <= high);
        }
        AT(found->top + group, p) = top;
        close = LANE_NAME(larger)(LANE_NAME(close_of)(n, norm), close);
    }
    AT(found->close + group, 0) = close;
    for (int l = 0; l < LANE_WIDTH; l++) found->near[group + l] = near[l] != 0;
}

static LANE_TARGET void LANE_NAME(axis)(int size, const double *a, const eigen_lanes_parts *parts,
                                        const eigen_lanes_found *found, double entries, int group,
                                        eigen_where *where) {
    MASK near = (MASK){0};
    VECTOR close = ALL(0.0), least = ALL((double)INFINITY), furthest = -least, most = furthest,
           sure = furthest;
    const double *re = found->re + group, *im = found->im + group;
    for (int p = 0; p < parts->count; p++) {
        int n = parts->sizes[p];
        const VECTOR norm = GET(found->norm + group, p), distance = eigen_vicinity(n) * norm,
                     slack = (n + entries) * DBL_EPSILON * norm;
        VECTOR top = ALL(-(double)INFINITY);
        for (int i = 0; i < n; i++, re += LANES, im += LANES) {
            const VECTOR x = GET(re, 0), y = GET(im, 0);
            least = LANE_NAME(lesser)(x * x + y * y, least);
            top = LANE_NAME(larger)(x, top);
            if (n > 1) near |= LANE_NAME(size)(x) <= 1.001 * distance;
        }
        furthest = LANE_NAME(larger)(top, furthest);
        most = LANE_NAME(larger)(top + slack, most);
        sure = LANE_NAME(larger)(top - slack, sure);
        close = LANE_NAME(larger)(LANE_NAME(close_of)(n, norm), close);
    }
    const VECTOR zero = 1.001 * eigen_vicinity(size) * LANE_NAME(norm_of)(size, a);
    const MASK known = (least > zero * zero) & (~near | (furthest > close));
    const MASK left = known & (most < ALL(0.0)), right = known & (sure > ALL(0.0));
    for (int l = 0; l < LANE_WIDTH; l++)
        where[l] = left[l] != 0 ? EIGEN_INSIDE : right[l] != 0 ? EIGEN_OUTSIDE : EIGEN_UNKNOWN;
}
