/* On which side of the unit circle all eigenvalues of a component M lie, or one of them, by powers of M and
 * without eigenvalues; included by eigen_lanes_template.h and eigen_side.c.
 *
 *  1. X = M, r = 1 - the vicinity of the circle in which conditions would matter (eigen_vicinity). `missing`
 *     bounds by how much X differs from the power of M that it stands for.
 *  2. All eigenvalues are inside of r where ||X|| < r: the spectral radius is at most the norm.
 *  3. One is outside of 1 where |trace X| > n: the trace is the sum of the eigenvalues.
 *  4. Else X becomes X^2 and r becomes r^2, and again from 2.; after EIGEN_SQUARINGS squarings it is not
 *     known.
 *
 * That all eigenvalues are left of the imaginary axis is shown in the same way by the powers of R(hM), R a
 * polynomial that is larger than 1 right of the axis (left_of_component).
 *
 * Cost: n^3 operations for each squaring. What is said holds for every matrix within rounding. Not
 * guaranteed: within some per cent of the circle it may stay unknown. */

/* Frobenius' norm, in eight sums that the processor adds at the same time. */
LANE_INLINE VECTOR LANE_NAME(norm_of)(int n, const double *x) {
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

LANE_INLINE VECTOR LANE_NAME(trace_of)(int n, const double *x) {
    VECTOR sum = ALL(0.0);
    for (int i = 0; i < n; i++) sum += GET(x, i * n + i);
    return LANE_NAME(size)(sum);
}

#if LANE_WIDTH > 1
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

static __attribute__((noinline)) LANE_TARGET void LANE_NAME(product_of_many)(int n, const double *x,
                                                                             const double *y, double *out) {
    if (n == 8)
        LANE_NAME(product_of)(8, x, y, out);
    else
        LANE_NAME(product_of)(n, x, y, out);
}
#endif

/* out = x y. */
LANE_INLINE void LANE_NAME(product)(int n, const double *x, const double *y, double *out) {
#if LANE_WIDTH == 1
    matrix_multiply(n, n, n, x, y, out);
#else
    if (n == 4)
        LANE_NAME(product_of)(4, x, y, out);
    else
        LANE_NAME(product_of_many)(n, x, y, out);
#endif
}

/* Of a power X of a matrix: its norm, how much it may differ from the true power, and the radius r to the
 * same power. */
typedef struct LANE_NAME(powers) {
    VECTOR norm, missing, radius;
    MASK inside, outside; /* [out] of the open lanes */
} LANE_NAME(powers);

/* Steps 2 to 4: x is squared until all open lanes are known to be inside or outside. */
LANE_INLINE void LANE_NAME(square_until_known)(int n, double *x, double *next, MASK open,
                                               LANE_NAME(powers) * p) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    VECTOR norm = p->norm, missing = p->missing, radius = p->radius;
    p->inside = p->outside = (MASK){0};
    for (int k = 0;; k++) {
        open &= norm < ALL(EIGEN_SCALE_MOST);
        const MASK in = open & (radius > ALL(EIGEN_SCALE_LEAST)) & ((norm + missing) * slack < radius);
        open &= NOT(in);
        const MASK out =
            open & (LANE_NAME(trace_of)(n, x) > n * (slack + missing) + 2.0 * n * n * DBL_EPSILON * norm);
        open &= NOT(out);
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

/* Of a balanced component x, destroyed: lanes in which all eigenvalues are inside of the circle and further
 * from it than their vicinity, and lanes in which one is outside. */
LANE_INLINE void LANE_NAME(side_of_component)(int n, double *x, double *next, MASK open,
                                              LANE_NAME(powers) * p) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    p->norm = LANE_NAME(norm_of)(n, x) * slack;
    p->missing = EIGEN_BACKWARD * n * DBL_EPSILON * p->norm;
    const VECTOR vicinity = 1.01 * eigen_vicinity(n) * p->norm;
    p->radius = LANE_NAME(larger)(1 - vicinity, ALL(0.0)); /* 0: nothing is shown to be inside */
    LANE_NAME(square_until_known)(n, x, next, open, p);
}

/* A step h for R(hM), from a bound `most` of the eigenvalues' sizes and their mean damping. With t = h most,
 * R increases the modulus of an undamped eigenvalue by t^8 / 4350, and damping decreases it by t damping /
 * most: the difference is best where t^7 = 540 damping / most. t is taken shorter by a quarter or more, as
 * one mode may be damped less than the mean. */
LANE_FUNCTION VECTOR LANE_NAME(step_for)(VECTOR most, VECTOR damping) {
    const VECTOR ratio = damping / most;
    VECTOR length = ALL(1.75), bound = ALL(1.0);
    for (int k = 0; k < 8; k++, bound /= 8) /* times 2^(-3/7) */
        length *= LANE_NAME(select)(ratio < bound, ALL(0.743), ALL(1.0));
    return length / most;
}

/* The largest sum of a row's sizes, which bounds the sizes of all eigenvalues. */
LANE_FUNCTION VECTOR LANE_NAME(largest_row)(int n, const double *x) {
    VECTOR largest = ALL(0.0);
    for (int i = 0; i < n; i++) {
        VECTOR sum = ALL(0.0);
        for (int j = 0; j < n; j++) sum += LANE_NAME(size)(GET(x, i * n + j));
        largest = LANE_NAME(larger)(largest, sum);
    }
    return largest;
}

/* x := R(x), R(z) = (1 + (1 - q) z + b z^2) (1 + q z + b z^2), q = sqrt(1/2), b = (1 - q) / 2. room: two
 * matrices. */
LANE_INLINE void LANE_NAME(butterworth)(int n, double *x, double *room) {
    const double q = 0.70710678118654752440, b = 0.14644660940672623780;
    double *square = room, *factor = room + (size_t)(n * n) * LANE_STEP;
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

/* Of a component A, destroyed: lanes in which all eigenvalues are further left than its vicinity and than
 * `distance`. R's zeros r are those of a Butterworth filter, -1 +- (1 + sqrt(2)) i and -1 - sqrt(2) +- i, and
 * |R(iy)|^2 = 1 + b^4 y^8. Right of the axis each |z - r| is larger than on it, so |R| >= 1 there. Up to s <=
 * 1/16 to the left of it, at most t from 0, t <= 1.75, d log |R| / dx = Re sum 1 / (z - r) is at most c
 * = 1.02 + 0.1 t^2 + 1.2 s: so if |R(z)| < 1 - c s, then Re z < -s, and it is enough to know that the
 * eigenvalues of X = R(Z), Z = hA, are inside of that radius. What is added to Z, up to m, moves X by less
 * than m (1 + l + 3 b l^2 + 4 b^2 l^3), l = ||Z|| + m. Both factors are below sqrt(n) + ||Z|| + b ||Z||^2. */
LANE_INLINE MASK LANE_NAME(left_of_component)(int n, double *x, double *next, MASK open, VECTOR distance) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    const VECTOR size = LANE_NAME(norm_of)(n, x) * slack;
    VECTOR damping = ALL(0.0);
    for (int i = 0; i < n; i++) damping -= GET(x, i * n + i);
    damping *= 1.0 / n;
    const VECTOR needed = LANE_NAME(larger)(eigen_vicinity(n) * size, distance);
    open &= (damping > needed) & (size > ALL(EIGEN_SCALE_LEAST)) & (size < ALL(EIGEN_SCALE_MOST));
    if (!LANE_NAME(any)(open)) return open;
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
    LANE_NAME(square_until_known)(n, x, next, open, &p);
    return p.inside;
}
