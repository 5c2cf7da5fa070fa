/* Balances matrices by exact powers of 2, h = D^-1 h D: rows and columns receive similar 1-norms without the
 * diagonal (Parlett and Reinsch 1969). Compiled once per number W of SIMD lanes, one matrix per lane
 * (base/lane.h); eigen_balance.c, powers_kernel.c and values_kernel.c use it. Only the lanes `open` are
 * balanced; eigen_balance() closes those with extreme sums (eigen_extreme).
 *
 * 1. Sum the moduli of each row and each column.
 * 2. If the sums of row and column i differ by a factor of 4 or more, scale them by the power of 2 with half
 *    the difference of their exponents, rounded towards 0, provided that this reduces their total below 0.95
 *    of its value. The power is within a factor of 2 of the square root of the ratio.
 * 3. Update the other sums; after a very large scaling, which costs digits, recompute all sums.
 * 4. Repeat the scaling until nothing changes, at most 64 times.
 *
 * Cost: n^2 operations per pass. */
#include <float.h>

#include "method/eigen_components.h"
#include "method/eigen_kernel.h"

/* The bits of lanes, as unsigned and as signed integers. */
#if W == 1
typedef unsigned long long bits;
typedef long long signed_bits;
#else
typedef unsigned long long bits __attribute__((vector_size(8 * W)));
typedef mask signed_bits;
#endif

static inline bits bits_of(lane a) {
    bits found;
    memcpy(&found, &a, sizeof found);
    return found;
}

static inline lane number_of(bits from) {
    lane a;
    memcpy(&a, &from, sizeof a);
    return a;
}

/* Computes the sums in the lanes `which`, into `rows` and `columns`. */
LANE_INLINE void sum_sizes(int n, const lane *h, mask which, lane *rows, lane *columns) {
    for (int j = 0; j < n; j++) columns[j] = lane_only(lane_not(which), columns[j]);
    for (int i = 0; i < n; i++) {
        lane row = (lane){0};
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            const lane size = lane_only(which, lane_size(h[i * n + j]));
            row += size;
            columns[j] += size;
        }
        rows[i] = lane_select(which, row, rows[i]);
    }
}

mask OF_WIDTH(eigen_extreme)(int count, const lane *sums) {
    mask found = (mask){0};
    for (int i = 0; i < count; i++) {
        const lane sum = sums[i];
        found |= (sum >= EIGEN_SCALE_MOST) | ((sum > 0) & (sum <= EIGEN_SCALE_LEAST));
    }
    return found;
}

/* Powers of 2 that make row and column i similar, 1 in lanes without scaling. Returns the scaled lanes; far:
 * lanes whose updated sums lose digits. */
static inline mask choose_powers(lane row, lane column, mask uneven, mask *far, lane *up, lane *down) {
    const bits zero = (bits){0}, one = zero + 1, most = zero + SHIFT_FOLLOWED;
    const bits apart = (bits_of(row) >> 52) - (bits_of(column) >> 52);
    const bits low = apart >> 63 & one; /* 1 if negative, so that halves are rounded towards 0 */
    /* |apart| < 2048. With 8192 added the unsigned shift halves a positive number; 4096 is half of 8192. */
    const bits half = ((apart + low + 8192) >> 1) - 4096;
    *up = number_of((half + 1023) << 52);
    *down = number_of((1023 - half) << 52);
    const mask moves =
        uneven & lane_not(column * *up + row * *down >= 0.95 * (row + column)) & (half != zero);
    *far |=
        moves & (((signed_bits)(half + most) < (signed_bits)zero) | ((signed_bits)half > (signed_bits)most));
    *up = lane_select(moves, *up, lane_all(1.0));
    *down = lane_select(moves, *down, lane_all(1.0));
    return moves;
}

/* Scales row i by `down` and column i by `up`, updates the sums of other rows and columns, and recomputes the
 * sums of row and column i in the lanes `moves`. */
LANE_INLINE void scale_row_and_column(int n, lane *h, int i, lane *rows, lane *columns, mask moves, lane up,
                                      lane down) {
    lane *row = h + (size_t)(i * n);
    const lane diagonal = row[i];
    for (int j = 0; j < n; j++) {
        const lane entry = row[j];
        columns[j] += (down - 1) * lane_size(entry);
        row[j] = entry * down;
    }
    for (int j = 0; j < n; j++) {
        const lane entry = h[j * n + i];
        rows[j] += (up - 1) * lane_size(entry);
        h[j * n + i] = entry * up;
    }
    row[i] = diagonal;
    lane all = (lane){0}, below = (lane){0};
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        all += lane_size(row[j]);
        below += lane_size(h[j * n + i]);
    }
    rows[i] = lane_select(moves, all, rows[i]);
    columns[i] = lane_select(moves, below, columns[i]);
}

/* Lanes in which row and column i require scaling. */
static inline mask is_uneven(const lane *rows, const lane *columns, int i) {
    const lane row = rows[i], column = columns[i], least = lane_all(DBL_MIN);
    return ((row >= 4 * column) | (column >= 4 * row)) & (row > least) & (column > least);
}

/* Returns true if any row requires scaling: most matrices need none, or a single pass. */
LANE_INLINE bool any_uneven(int n, const lane *rows, const lane *columns, mask open) {
    mask found = (mask){0};
    for (int i = 0; i < n; i++) found |= is_uneven(rows, columns, i);
    return lane_any(found & open);
}

/* Balances the open lanes from known sums. scale: multiplied by the diagonal of D; may be NULL. */
LANE_INLINE void by_sums(int n, lane *h, mask open, lane *rows, lane *columns, lane *scale) {
    bool changed = true;
    for (int pass = 0; pass < 64 && changed && any_uneven(n, rows, columns, open); pass++) {
        mask far = (mask){0};
        changed = false;
        for (int i = 0; i < n; i++) {
            lane up, down;
            mask moves = is_uneven(rows, columns, i) & open;
            if (!lane_any(moves)) continue;
            moves = choose_powers(rows[i], columns[i], moves, &far, &up, &down);
            if (!lane_any(moves)) continue;
            scale_row_and_column(n, h, i, rows, columns, moves, up, down);
            if (scale != NULL) scale[i] *= up;
            changed = true;
        }
        if (lane_any(far)) sum_sizes(n, h, far, rows, columns);
    }
}

LANE_INLINE mask balance(int n, lane *h, mask open, lane *sums) {
    sum_sizes(n, h, lane_all(0) == 0, sums, sums + n);
    open &= lane_not(OF_WIDTH(eigen_extreme)(2 * n, sums));
    by_sums(n, h, open, sums, sums + n, NULL);
    return open;
}

mask OF_WIDTH(eigen_balance)(int n, lane *h, mask open, lane *sums) {
    return n == 4 ? balance(4, h, open, sums) : balance(n, h, open, sums);
}

void OF_WIDTH(eigen_sum_sizes)(int n, const lane *h, mask which, lane *rows, lane *columns) {
    sum_sizes(n, h, which, rows, columns);
}

void OF_WIDTH(eigen_balance_by_sums)(int n, lane *h, mask open, lane *rows, lane *columns, lane *scale) {
    by_sums(n, h, open, rows, columns, scale);
}
