/* Decides by powers of a component M, without eigenvalues, whether all its eigenvalues are inside the unit
 * circle or one is outside.
 *
 * 1. X = M, r = 1 - eigen_vicinity, the distance at which conditions would matter. `missing` bounds the
 *    difference between X and the power of M.
 * 2. All eigenvalues are inside r if ||X|| < r: the spectral radius is at most the norm.
 * 3. One is outside 1 if |trace X| > n: the trace is the sum of the eigenvalues.
 * 4. Otherwise X and r are squared and the tests repeated, at most EIGEN_SQUARINGS times.
 *
 * Powers of R(hM), R a polynomial with |R| > 1 right of the imaginary axis, prove in the same way that all
 * eigenvalues are left of the axis (left_of_component).
 *
 * Cost: n^3 operations per squaring. Results hold for every matrix within rounding. Limitation: undecided
 * near the circle. Nearly all random matrices with up to 10 rows are decided from 0.1 % on, those with 80
 * rows from 0.7 % inside and 5 % outside. Multiplications and additions may be fused (src/build.mk). */
#include <float.h>

#include "method/eigen_components.h"
#include "method/eigen_kernel.h"
#include "method/matrix.h"

/* Frobenius norm, in eight independent partial sums, which hides latency. */
LANE_INLINE lane norm_of(int n, const lane *x) {
    enum { SUMS = 8 };
    lane sum[SUMS];
    int e = 0;
    for (int l = 0; l < SUMS; l++) sum[l] = (lane){0};
    for (; e + SUMS <= n * n; e += SUMS)
        for (int l = 0; l < SUMS; l++) sum[l] += x[e + l] * x[e + l];
    for (; e < n * n; e++) sum[0] += x[e] * x[e];
    for (int half = SUMS / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) sum[l] += sum[l + half];
    return lane_root(sum[0]);
}

LANE_INLINE lane trace_of(int n, const lane *x) {
    lane sum = (lane){0};
    for (int i = 0; i < n; i++) sum += x[i * n + i];
    return lane_size(sum);
}

#if W > 1
/* out(i.., j..) = x y: `height` rows and `width` columns, in registers (most instruction sets have 16). */
enum { TALL = W == 8 ? 4 : 2 };

LANE_INLINE void block(int n, int i, int j, const int height, const int width, const lane *x, const lane *y,
                       lane *out) {
    lane sum[4 * TALL], row[4];
    for (int e = 0; e < height * width; e++) sum[e] = (lane){0};
    for (int k = 0; k < n; k++) {
        for (int q = 0; q < width; q++) row[q] = y[k * n + j + q];
        for (int p = 0; p < height; p++) {
            const lane factor = x[(i + p) * n + k];
            for (int q = 0; q < width; q++) sum[p * width + q] += factor * row[q];
        }
    }
    for (int p = 0; p < height; p++)
        for (int q = 0; q < width; q++) out[(i + p) * n + j + q] = sum[p * width + q];
}

LANE_INLINE void product_of(int n, const lane *x, const lane *y, lane *out) {
    int i = 0;
    for (; i + TALL <= n; i += TALL) {
        int j = 0;
        for (; j + 4 <= n; j += 4) block(n, i, j, TALL, 4, x, y, out);
        for (; j < n; j++) block(n, i, j, TALL, 1, x, y, out);
    }
    for (; i < n; i++) {
        int j = 0;
        for (; j + 4 <= n; j += 4) block(n, i, j, 1, 4, x, y, out);
        for (; j < n; j++) block(n, i, j, 1, 1, x, y, out);
    }
}

static __attribute__((noinline)) void product_of_many(int n, const lane *x, const lane *y, lane *out) {
    if (n == 8)
        product_of(8, x, y, out);
    else
        product_of(n, x, y, out);
}
#endif

/* out = x y. */
LANE_INLINE void product(int n, const lane *x, const lane *y, lane *out) {
#if W == 1
    matrix_multiply(n, n, n, x, y, out);
#else
    if (n == 4)
        product_of(4, x, y, out);
    else
        product_of_many(n, x, y, out);
#endif
}

/* A power X of a matrix: its norm, a bound of its difference from the exact power, and the same power of the
 * radius r. */
typedef struct powers {
    lane norm, missing, radius;
} powers;

/* Squares x until all open lanes are inside or outside. */
LANE_INLINE eigen_sides square_until_known(int n, lane *x, lane *next, mask open, powers p) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    eigen_sides found;
    found.inside = found.outside = (mask){0};
    for (int k = 0;; k++) {
        open &= p.norm < EIGEN_SCALE_MOST;
        const mask in = open & (p.radius > EIGEN_SCALE_LEAST) & ((p.norm + p.missing) * slack < p.radius);
        open &= lane_not(in);
        const mask out =
            open & (trace_of(n, x) > n * (slack + p.missing) + 2.0 * n * n * DBL_EPSILON * p.norm);
        open &= lane_not(out);
        found.inside |= in;
        found.outside |= out;
        if (k == EIGEN_SQUARINGS || !lane_any(open)) return found;
        p.missing =
            (2 * p.norm * p.missing + p.missing * p.missing + (n + 2) * DBL_EPSILON * p.norm * p.norm) *
            slack;
        p.radius *= p.radius * (1 - 4 * DBL_EPSILON);
        product(n, x, x, next);
        lane *swap = x;
        x = next;
        next = swap;
        p.norm = norm_of(n, x) * slack;
    }
}

LANE_INLINE eigen_sides sides_of(int n, lane *x, lane *next, mask open) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    powers p;
    p.norm = norm_of(n, x) * slack;
    p.missing = EIGEN_BACKWARD * n * DBL_EPSILON * p.norm;
    const lane vicinity = 1.01 * eigen_vicinity(n) * p.norm;
    p.radius = lane_larger(1 - vicinity, (lane){0}); /* 0: nothing can be inside */
    return square_until_known(n, x, next, open, p);
}

/* Step h for R(hM), from a bound `most` of the eigenvalues' moduli and their mean damping. With t = h most, R
 * increases the modulus of an undamped eigenvalue by t^8 / 4350, and damping decreases it by t damping /
 * most. The best t satisfies t^7 = 540 damping / most; t is reduced by a quarter or more, because one mode
 * may have less damping than the mean. */
static inline lane step_for(lane most, lane damping) {
    const lane ratio = damping / most;
    lane length = lane_all(1.75), bound = lane_all(1.0);
    for (int k = 0; k < 8; k++, bound /= 8) /* a factor of 2^(-3/7) */
        length *= lane_select(ratio < bound, lane_all(0.743), lane_all(1.0));
    return length / most;
}

/* Largest row sum of moduli, a bound of the moduli of all eigenvalues. */
static inline lane largest_row(int n, const lane *x) {
    lane largest = (lane){0};
    for (int i = 0; i < n; i++) {
        lane sum = (lane){0};
        for (int j = 0; j < n; j++) sum += lane_size(x[i * n + j]);
        largest = lane_larger(largest, sum);
    }
    return largest;
}

/* x := R(x), R(z) = (1 + (1 - q) z + b z^2) (1 + q z + b z^2), q = sqrt(1/2), b = (1 - q) / 2. space: two
 * matrices. */
LANE_INLINE void butterworth(int n, lane *x, lane *space) {
    const double q = 0.70710678118654752440, b = 0.14644660940672623780;
    lane *square = space, *factor = space + (size_t)(n * n);
    product(n, x, x, square);
    for (int e = 0; e < n * n; e++) {
        const lane z = x[e], last = b * square[e];
        factor[e] = (1 - q) * z + last;
        square[e] = q * z + last;
    }
    for (int i = 0; i < n; i++) {
        factor[i * n + i] += 1.0;
        square[i * n + i] += 1.0;
    }
    product(n, factor, square, x);
}

/* Lanes in which all eigenvalues of a component A (overwritten) are left of the axis by more than its
 * vicinity and `distance`.
 *
 * The zeros r of R are those of a Butterworth filter, -1 +- (1 + sqrt(2)) i and -1 - sqrt(2) +- i, and
 * |R(iy)|^2 = 1 + b^4 y^8. Right of the axis each |z - r| is larger than on it, so |R| >= 1 there. For points
 * up to s <= 1/16 left of the axis and at most t <= 1.75 from 0, d log |R| / dx = Re sum 1 / (z - r) is at
 * most c = 1.02 + 0.1 t^2 + 1.2 s. Thus
 * |R(z)| < 1 - c s implies Re z < -s, and it suffices to show that the eigenvalues of X = R(Z), Z = hA, are
 * inside this radius. A perturbation of Z by m changes X by less than m (1 + l + 3 b l^2 + 4 b^2 l^3), l =
 * ||Z|| + m. Both factors are below sqrt(n) + ||Z|| + b ||Z||^2. */
LANE_INLINE mask left_of_component(int n, lane *x, lane *next, mask open, lane distance) {
    const double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    const lane size = norm_of(n, x) * slack;
    lane damping = (lane){0};
    for (int i = 0; i < n; i++) damping -= x[i * n + i];
    damping *= 1.0 / n;
    const lane needed = lane_larger(eigen_vicinity(n) * size, distance);
    open &= (damping > needed) & (size > EIGEN_SCALE_LEAST) & (size < EIGEN_SCALE_MOST);
    if (!lane_any(open)) return open;
    lane most = largest_row(n, x);
    most = lane_select(open, lane_select(most < size, most, size), lane_all(1.0));
    const lane h = step_for(most, damping), z = h * size * slack,
               moved = (EIGEN_BACKWARD * n + 1) * DBL_EPSILON * z, all = z + moved,
               factor = sqrt(n) + z + 0.147 * z * z, t = h * most, s = h * needed;
    open &= s <= 0x1p-4;
    powers p = {.radius = 1 - s * (1.02 + 0.1 * t * t + 1.2 * s)};
    for (int e = 0; e < n * n; e++) x[e] *= h;
    butterworth(n, x, next);
    p.norm = norm_of(n, x) * slack;
    p.missing =
        (moved * (1 + all * (1 + all * (0.44 + 0.086 * all))) + (3 * n + 8) * DBL_EPSILON * factor * factor) *
        slack;
    return square_until_known(n, x, next, open, p).inside;
}

/* ---- Whole matrices ---- */

eigen_sides OF_WIDTH(eigen_sides_of)(int n, lane *x, lane *space, mask open) {
    return n == 4 ? sides_of(4, x, space, open) : sides_of(n, x, space, open);
}

void OF_WIDTH(eigen_side)(int n, double *a, const eigen_lanes_components *components, eigen_where *where,
                          double *work) {
    lane *component = lane_in(work), *space = component + n * n, *sums = space + 2 * n * n;
    mask alive = is_regular(n, lane_in(a), components->rows), all = alive, one = {0};
    const int *list = components->list;
    bool inside[W], outside[W];
    for (int p = 0; p < components->count && lane_any(alive); p++) {
        int size = components->sizes[p];
        lane *x = take_component(n, lane_in(a), components, list, size, component);
        alive = OF_WIDTH(eigen_balance)(size, x, alive, sums);
        const eigen_sides found = OF_WIDTH(eigen_sides_of)(size, x, space, alive);
        one |= found.outside;
        all &= found.inside;
        list += size;
    }
    lane_tell(alive & all, inside);
    lane_tell(alive & one, outside);
    for (int l = 0; l < W; l++)
        where[l] = outside[l] ? EIGEN_OUTSIDE : inside[l] ? EIGEN_INSIDE : EIGEN_UNKNOWN;
}

void OF_WIDTH(eigen_left_of_axis)(int n, double *a, const eigen_lanes_components *components, bool *left,
                                  double *work) {
    lane *component = lane_in(work), *space = component + n * n, *sums = space + 2 * n * n;
    mask alive = is_regular(n, lane_in(a), components->rows);
    const lane distance = eigen_vicinity(n) * norm_of(n, lane_in(a));
    const int *list = components->list;
    for (int p = 0; p < components->count && lane_any(alive); p++) {
        int size = components->sizes[p];
        lane *x = take_component(n, lane_in(a), components, list, size, component);
        alive = OF_WIDTH(eigen_balance)(size, x, alive, sums);
        alive = size == 4 ? left_of_component(4, x, space, alive, distance)
                          : left_of_component(size, x, space, alive, distance);
        list += size;
    }
    lane_tell(alive, left);
}
