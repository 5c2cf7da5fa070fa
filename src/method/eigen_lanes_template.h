/* eigen_side.c and eigen_balance.c in lanes, operation by operation. */
#include "base/lanes_template.h"

/* ---- Zeros ---- */

/* Lanes whose matrix is finite and has the zeros of lane 0 of the batch. */
LANE_FUNCTION MASK LANE_NAME(regular)(int n, const double *a, const uint32_t *rows) {
    VECTOR sum = ALL(0.0);
    MASK odd = (MASK){0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const VECTOR entry = GET(a, i * n + j);
            const MASK zero = entry == ALL(0.0);
            sum += entry * 0.0;
            odd |= (rows[i] >> j & 1) != 0 ? zero : ~zero;
        }
    return (sum == ALL(0.0)) & ~odd;
}

/* ---- Balance ---- */

LANE_INLINE void LANE_NAME(measure)(int n, const double *h, double *rows, double *columns) {
    for (int j = 0; j < n; j++) AT(columns, j) = ALL(0.0);
    for (int i = 0; i < n; i++) {
        VECTOR row = ALL(0.0);
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            const VECTOR size = LANE_NAME(size)(GET(h, i * n + j));
            row += size;
            AT(columns, j) += size;
        }
        AT(rows, i) = row;
    }
}

/* Lanes in which sums are so large or so small that what comes of them might overflow or vanish. */
LANE_INLINE MASK LANE_NAME(extreme)(int count, const double *sums) {
    MASK found = (MASK){0};
    for (int i = 0; i < count; i++) {
        const VECTOR sum = GET(sums, i);
        found |= (sum >= ALL(EIGEN_SCALE_MOST)) | ((sum > ALL(0.0)) & (sum <= ALL(EIGEN_SCALE_LEAST)));
    }
    return found;
}

/* The powers of 2 with which row and column i become alike; 1 in lanes where they stay. */
LANE_FUNCTION MASK LANE_NAME(choose)(VECTOR row, VECTOR column, MASK uneven, MASK *alive, VECTOR *up,
                                     VECTOR *down) {
    const BITS one = (BITS){0} + 1, most = (BITS){0} + SHIFT_FOLLOWED;
    const BITS apart = ((BITS)row >> 52) - ((BITS)column >> 52);
    const BITS low = (BITS)((MASK)apart < (MASK){0}) & one; /* halves are cut towards 0 */
    const BITS half = ((apart + low + 8192) >> 1) - 4096;
    const MASK far = ((MASK)(half + most) < (MASK){0}) | ((MASK)half > (MASK)most);
    *alive &= ~(uneven & far);
    uneven &= ~far;
    const BITS shift = half & (BITS)uneven;
    *up = (VECTOR)((shift + 1023) << 52);
    *down = (VECTOR)((1023 - shift) << 52);
    const MASK worth = ~(column * *up + row * *down >= 0.95 * (row + column)) & (MASK)(shift != (BITS){0});
    uneven &= worth;
    *up = LANE_NAME(select)(uneven, *up, ALL(1.0));
    *down = LANE_NAME(select)(uneven, *down, ALL(1.0));
    return uneven;
}

LANE_INLINE void LANE_NAME(even_out)(int n, double *h, int i, double *rows, double *columns, MASK moves,
                                     VECTOR up, VECTOR down) {
    double *row = h + (size_t)(i * n) * LANES;
    const VECTOR diagonal = AT(row, i);
    for (int j = 0; j < n; j++) {
        const VECTOR entry = AT(row, j);
        AT(columns, j) += (down - 1) * LANE_NAME(size)(entry);
        AT(row, j) = entry * down;
    }
    for (int j = 0; j < n; j++) {
        const VECTOR entry = AT(h, j * n + i);
        AT(rows, j) += (up - 1) * LANE_NAME(size)(entry);
        AT(h, j * n + i) = entry * up;
    }
    AT(row, i) = diagonal;
    VECTOR all = ALL(0.0), below = ALL(0.0);
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        all += LANE_NAME(size)(AT(row, j));
        below += LANE_NAME(size)(AT(h, j * n + i));
    }
    AT(rows, i) = LANE_NAME(select)(moves, all, AT(rows, i));
    AT(columns, i) = LANE_NAME(select)(moves, below, AT(columns, i));
}

/* Lanes in which row and column i are to become alike. */
LANE_FUNCTION MASK LANE_NAME(is_uneven)(const double *rows, const double *columns, int i) {
    const VECTOR row = GET(rows, i), column = GET(columns, i), least = ALL(DBL_MIN);
    return ((row >= 4 * column) | (column >= 4 * row)) & (row > least) & (column > least);
}

/* Does any row ask for it? Most matrices are left as they are, or after one pass. */
LANE_INLINE bool LANE_NAME(moves)(int n, const double *rows, const double *columns, MASK alive) {
    MASK found = (MASK){0};
    for (int i = 0; i < n; i++) found |= LANE_NAME(is_uneven)(rows, columns, i);
    return LANE_NAME(any)(found & alive);
}

/* Lanes that need a shift beyond the common, or have entries of extreme size, leave the living. */
LANE_INLINE MASK LANE_NAME(balance_of)(int n, double *h, MASK alive, double *rows, double *columns) {
    bool moved = true;
    LANE_NAME(measure)(n, h, rows, columns);
    alive &= ~LANE_NAME(extreme)(n, rows) & ~LANE_NAME(extreme)(n, columns);
    for (int pass = 0; pass < 64 && moved && LANE_NAME(moves)(n, rows, columns, alive); pass++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            MASK moves = LANE_NAME(is_uneven)(rows, columns, i) & alive;
            if (!LANE_NAME(any)(moves)) continue;
            VECTOR up, down;
            moves = LANE_NAME(choose)(GET(rows, i), GET(columns, i), moves, &alive, &up, &down);
            if (!LANE_NAME(any)(moves)) continue;
            LANE_NAME(even_out)(n, h, i, rows, columns, moves, up, down);
            moved = true;
        }
    }
    return alive;
}

static LANE_TARGET MASK LANE_NAME(balance)(int n, double *h, MASK alive, double *rows, double *columns) {
    if (n == 4) return LANE_NAME(balance_of)(4, h, alive, rows, columns);
    return LANE_NAME(balance_of)(n, h, alive, rows, columns);
}

/* ---- Norms and traces of powers ---- */

/* a > b ? a : b, which is one instruction. */
LANE_FUNCTION VECTOR LANE_NAME(larger)(VECTOR a, VECTOR b) {
#if LANE_WIDTH == 8
    return (VECTOR)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANE_WIDTH == 4
    return (VECTOR)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return LANE_NAME(select)(a > b, a, b);
#endif
}

/* Eight sums, which do not wait for each other. */
LANE_FUNCTION VECTOR LANE_NAME(norm_of)(int n, const double *x) {
    enum { SUMS = 8 };
    VECTOR sum[SUMS];
    int e = 0;
    for (int l = 0; l < SUMS; l++) sum[l] = ALL(0.0);
    for (; e + SUMS <= n * n; e += SUMS)
        for (int l = 0; l < SUMS; l++) sum[l] = LANE_NAME(fused)(GET(x, e + l), GET(x, e + l), sum[l]);
    for (; e < n * n; e++) sum[0] = LANE_NAME(fused)(GET(x, e), GET(x, e), sum[0]);
    for (int half = SUMS / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) sum[l] += sum[l + half];
    return LANE_NAME(root)(sum[0]);
}

LANE_FUNCTION VECTOR LANE_NAME(trace_of)(int n, const double *x) {
    VECTOR sum = ALL(0.0);
    for (int i = 0; i < n; i++) sum += GET(x, i * n + i);
    return LANE_NAME(size)(sum);
}

/* out(i.., j..) = x y, `height` rows and `width` columns of it in registers, 16 of which most sets have. */
enum { LANE_NAME(TALL) = LANE_WIDTH == 8 ? 4 : 2 };

LANE_INLINE void LANE_NAME(block)(int n, int i, int j, const int height, const int width, const double *x,
                                  const double *y, double *out) {
    VECTOR sum[4 * LANE_NAME(TALL)], row[4];
    for (int e = 0; e < height * width; e++) sum[e] = ALL(0.0);
    for (int k = 0; k < n; k++) {
        for (int q = 0; q < width; q++) row[q] = GET(y, k * n + j + q);
        for (int p = 0; p < height; p++) {
            const VECTOR factor = GET(x, (i + p) * n + k);
            for (int q = 0; q < width; q++)
                sum[p * width + q] = LANE_NAME(fused)(factor, row[q], sum[p * width + q]);
        }
    }
    for (int p = 0; p < height; p++)
        for (int q = 0; q < width; q++) AT(out, (i + p) * n + j + q) = sum[p * width + q];
}

LANE_INLINE void LANE_NAME(product_of)(int n, const double *x, const double *y, double *out) {
    enum { TALL = LANE_NAME(TALL) };
    int i = 0;
    for (; i + TALL <= n; i += TALL) {
        int j = 0;
        for (; j + 4 <= n; j += 4) LANE_NAME(block)(n, i, j, TALL, 4, x, y, out);
        for (; j < n; j++) LANE_NAME(block)(n, i, j, TALL, 1, x, y, out);
    }
    for (; i < n; i++) {
        int j = 0;
        for (; j + 4 <= n; j += 4) LANE_NAME(block)(n, i, j, 1, 4, x, y, out);
        for (; j < n; j++) LANE_NAME(block)(n, i, j, 1, 1, x, y, out);
    }
}

/* out = x y. */
static __attribute__((noinline)) LANE_TARGET void LANE_NAME(product)(int n, const double *x, const double *y,
                                                                     double *out) {
    if (n == 4)
        LANE_NAME(product_of)(4, x, y, out);
    else if (n == 8)
        LANE_NAME(product_of)(8, x, y, out);
    else
        LANE_NAME(product_of)(n, x, y, out);
}

/* What is known of the powers X of a matrix: its norm, what is missing from it, and the radius to be shown,
 * to the same power. */
typedef struct LANE_NAME(powers) {
    VECTOR norm, missing, radius;
    MASK inside, outside; /* [out] of the open lanes */
} LANE_NAME(powers);

/* The loop of side_of_part: x is squared until all open lanes are inside or outside. Sums are rounded
 * otherwise there: a lane is only then outside when it is so there, too. */
LANE_FUNCTION void LANE_NAME(raise)(int n, double *x, double *next, MASK open, LANE_NAME(powers) * p) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    VECTOR norm = p->norm, missing = p->missing, radius = p->radius;
    p->inside = p->outside = (MASK){0};
    for (int k = 0;; k++) {
        open &= norm < ALL(0x1p399);
        const MASK in = open & (radius > ALL(EIGEN_SCALE_LEAST)) & ((norm + missing) * slack < radius);
        open &= ~in;
        const MASK out =
            open & (LANE_NAME(trace_of)(n, x) > n * (slack + 3 * missing) + 6.0 * n * n * DBL_EPSILON * norm);
        open &= ~out;
        p->inside |= in;
        p->outside |= out;
        if (k == EIGEN_SQUARINGS || !LANE_NAME(any)(open)) return;
        missing = (2 * norm * missing + missing * missing + (n + 2) * DBL_EPSILON * norm * norm) * slack;
        radius *= radius * (1 - 4 * DBL_EPSILON);
        LANE_NAME(product)(n, x, x, next);
        double *swap = x;
        x = next;
        next = swap;
        norm = LANE_NAME(norm_of)(n, x) * slack;
    }
}

/* A power of 2 by its exponent, and the exponent of a normal number. */
LANE_FUNCTION VECTOR LANE_NAME(power_of)(BITS exponent) {
    return (VECTOR)((exponent + 1023) << 52);
}

LANE_FUNCTION BITS LANE_NAME(exponent_of)(VECTOR a) {
    return ((BITS)a >> 52) - 1023;
}

#include "method/eigen_lanes_quartic_template.h"

LANE_FUNCTION void LANE_NAME(side_of_part)(int n, double *x, double *next, MASK open, LANE_NAME(powers) * p) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    MASK inside = (MASK){0}, outside = (MASK){0}, other;
    p->norm = LANE_NAME(norm_of)(n, x) * slack;
    p->missing = EIGEN_BACKWARD * n * DBL_EPSILON * p->norm;
    const VECTOR vicinity = 1.01 * eigen_vicinity(n) * p->norm;
    p->radius = LANE_NAME(larger)(1 - vicinity, ALL(0.0)); /* 0: nothing is shown to be inside */
    if (n == 4) {
        open &= p->norm < ALL(EIGEN_SCALE_MOST);
        LANE_NAME(side_of_four)(x, p->norm, vicinity, open, next, &inside, &other);
        open &= ~inside;
        if (LANE_NAME(any)(open & other))
            LANE_NAME(side_of_four)(x, p->norm, -vicinity, open, next, &other, &outside);
        open &= ~outside;
    }
    LANE_NAME(raise)(n, x, next, open, p);
    p->inside |= inside;
    p->outside |= outside;
}

/* A length h for the frequencies up to `most` and a damping: with t = h most, the polynomial R below adds
 * t^8 / 4350 to what is not damped and takes away t damping / most. That is best where t^7 is 540 times that
 * ratio; t is shorter by a quarter or more, as one motion may be damped less than all are on average. */
LANE_FUNCTION VECTOR LANE_NAME(step_for)(VECTOR most, VECTOR damping) {
    const BITS exponent = LANE_NAME(exponent_of)(LANE_NAME(larger)(damping / most, ALL(0x1p-24)));
    VECTOR length = ALL(1.75);
    for (unsigned long long bound = 0; bound < 24; bound += 3) /* times 2^(-3/7) */
        length *= LANE_NAME(select)((MASK)(exponent + bound) < (MASK){0}, ALL(0.743), ALL(1.0));
    return length / most;
}

/* The largest sum of a row, which bounds all eigenvalues. */
LANE_FUNCTION VECTOR LANE_NAME(largest_row)(int n, const double *x) {
    VECTOR largest = ALL(0.0);
    for (int i = 0; i < n; i++) {
        VECTOR sum = ALL(0.0);
        for (int j = 0; j < n; j++) sum += LANE_NAME(size)(GET(x, i * n + j));
        largest = LANE_NAME(larger)(largest, sum);
    }
    return largest;
}

/* x becomes R(x), R(z) = (1 + (1 - q) z + b z^2) (1 + q z + b z^2), q = sqrt(1/2), b = (1 - q) / 2. room: two
 * matrices. */
LANE_FUNCTION void LANE_NAME(butterworth)(int n, double *x, double *room) {
    const double q = 0.70710678118654752440, b = 0.14644660940672623780;
    double *square = room, *factor = room + (size_t)(n * n) * LANES;
    LANE_NAME(product)(n, x, x, square);
    for (int e = 0; e < n * n; e++) {
        const VECTOR z = GET(x, e), last = b * GET(square, e);
        AT(factor, e) = (1 - q) * z + last;
        AT(square, e) = q * z + last;
    }
    for (int i = 0; i < n; i++) {
        AT(factor, i * n + i) += 1.0;
        AT(square, i * n + i) += 1.0;
    }
    LANE_NAME(product)(n, factor, square, x);
}

/* Of a part A, destroyed: lanes in which all eigenvalues are further left than its vicinity and than
 * `distance`. R's zeros r are those of a Butterworth filter, -1 +- (1 + sqrt(2)) i and -1 - sqrt(2) +- i, and
 * |R(iy)|^2 = 1 + b^4 y^8. Right of the axis each |z - r| is larger than on it, so |R| >= 1 there. Up to s <=
 * 1/16 to the left of it, at most t from 0, t <= 1.75, d log |R| / dx = Re sum 1 / (z - r) is at most c
 * = 1.02 + 0.1 t^2 + 1.2 s: so if |R(z)| < 1 - c s, then Re z < -s, and it is enough to know that the
 * eigenvalues of X = R(Z), Z = hA, are inside of that radius. What is added to Z, up to m, moves X by less
 * than m (1 + l + 3 b l^2 + 4 b^2 l^3), l = ||Z|| + m. Both factors are below sqrt(n) + ||Z|| + b ||Z||^2. */
LANE_FUNCTION MASK LANE_NAME(left_of_part)(int n, double *x, double *next, MASK open, VECTOR distance) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    const VECTOR size = LANE_NAME(norm_of)(n, x) * slack;
    VECTOR damping = ALL(0.0);
    for (int i = 0; i < n; i++) damping -= GET(x, i * n + i) / n;
    const VECTOR needed = LANE_NAME(larger)(eigen_vicinity(n) * size, distance);
    open &= (damping > needed) & (size > ALL(EIGEN_SCALE_LEAST)) & (size < ALL(EIGEN_SCALE_MOST));
    if (!LANE_NAME(any)(open)) return open;
    MASK left = (MASK){0};
    if (n == 4) {
        left = LANE_NAME(left_of_four)(x, size, 1.01 * needed, open, next);
        open &= ~left;
        if (!LANE_NAME(any)(open)) return left;
    }
    VECTOR most = LANE_NAME(largest_row)(n, x);
    most = LANE_NAME(select)(open, LANE_NAME(select)(most < size, most, size), ALL(1.0));
    const VECTOR h = LANE_NAME(step_for)(most, damping), z = h * size * slack,
                 moved = (EIGEN_BACKWARD * n + 1) * DBL_EPSILON * z, all = z + moved,
                 factor = sqrt(n) + z + 0.147 * z * z, t = h * most, s = h * needed;
    open &= s <= ALL(0x1p-4);
    LANE_NAME(powers) p = {.radius = 1 - s * (1.02 + 0.1 * t * t + 1.2 * s)};
    for (int e = 0; e < n * n; e++) AT(x, e) *= h;
    LANE_NAME(butterworth)(n, x, next);
    p.norm = LANE_NAME(norm_of)(n, x) * slack;
    p.missing =
        (moved * (1 + all * (1 + all * (0.44 + 0.086 * all))) + (3 * n + 8) * DBL_EPSILON * factor * factor) *
        slack;
    LANE_NAME(raise)(n, x, next, open, &p);
    return p.inside | left;
}

/* ---- All together ---- */

/* A part of the matrix in `part`, or the matrix itself. */
LANE_FUNCTION double *LANE_NAME(take_part)(int n, double *a, const eigen_lanes_parts *parts, const int *list,
                                           int size, double *part) {
    if (parts->count == 1) return a;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) AT(part, i * size + j) = GET(a, list[i] * n + list[j]);
    return part;
}

static LANE_TARGET void LANE_NAME(side)(int n, double *a, const eigen_lanes_parts *parts, eigen_where *where,
                                        double *work) {
    double *part = work, *next = part + (size_t)(n * n) * LANES, *rows = next + (size_t)(2 * n * n) * LANES,
           *columns = rows + (size_t)n * LANES;
    MASK alive = LANE_NAME(regular)(n, a, parts->rows), all = alive, outside = (MASK){0};
    const int *list = parts->list;
    for (int p = 0; p < parts->count && LANE_NAME(any)(alive); p++) {
        int size = parts->sizes[p];
        LANE_NAME(powers) found;
        double *x = LANE_NAME(take_part)(n, a, parts, list, size, part);
        alive = LANE_NAME(balance)(size, x, alive, rows, columns);
        LANE_NAME(side_of_part)(size, x, next, alive, &found);
        outside |= found.outside;
        all &= found.inside;
        list += size;
    }
    outside &= alive;
    all &= alive;
    for (int l = 0; l < LANE_WIDTH; l++)
        where[l] = outside[l] != 0 ? EIGEN_OUTSIDE : all[l] != 0 ? EIGEN_INSIDE : EIGEN_UNKNOWN;
}

static LANE_TARGET void LANE_NAME(left)(int n, double *a, const eigen_lanes_parts *parts, bool *left,
                                        double *work) {
    double *part = work, *next = part + (size_t)(n * n) * LANES, *rows = next + (size_t)(2 * n * n) * LANES,
           *columns = rows + (size_t)n * LANES;
    MASK alive = LANE_NAME(regular)(n, a, parts->rows);
    const VECTOR distance = eigen_vicinity(n) * LANE_NAME(norm_of)(n, a);
    const int *list = parts->list;
    for (int p = 0; p < parts->count && LANE_NAME(any)(alive); p++) {
        int size = parts->sizes[p];
        double *x = LANE_NAME(take_part)(n, a, parts, list, size, part);
        alive = LANE_NAME(balance)(size, x, alive, rows, columns);
        alive = LANE_NAME(left_of_part)(size, x, next, alive, distance);
        list += size;
    }
    for (int l = 0; l < LANE_WIDTH; l++) left[l] = alive[l] != 0;
}

/* ---- Eigenvalues ---- */

#include "method/eigen_lanes_values_template.h"

#include "base/lanes_end.h"
