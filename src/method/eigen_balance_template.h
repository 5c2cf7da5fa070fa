/* Balance of matrices by powers of 2, h = D^-1 h D, which is exact: rows and columns become alike in size, by
 * their 1-norms without the diagonal, after Parlett and Reinsch (1969). Included by eigen_lanes_template.h
 * and eigen_balance.c.
 *
 * 1. Sum the sizes of each row and each column.
 * 2. A row that is 4 times its column, or the other way, is scaled by the power of 2 next to the square root
 *    of that ratio, where this makes both together less than 0.95 of what they were.
 * 3. The other sums follow; where a shift is so large that they lose digits all are summed again.
 * 4. Again from 2. until nothing moves, 64 times at most: n^2 operations each. */

/* Step 1, in the lanes `which`: into `rows` and `columns`. */
LANE_INLINE void LANE_NAME(sum_sizes)(int n, const double *h, MASK which, double *rows, double *columns) {
    for (int j = 0; j < n; j++) AT(columns, j) = LANE_NAME(only)(NOT(which), GET(columns, j));
    for (int i = 0; i < n; i++) {
        VECTOR row = ALL(0.0);
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            const VECTOR size = LANE_NAME(only)(which, LANE_NAME(size)(GET(h, i * n + j)));
            row += size;
            AT(columns, j) += size;
        }
        AT(rows, i) = LANE_NAME(select)(which, row, GET(rows, i));
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

/* The powers of 2 with which row and column i become alike; 1 in lanes where they stay. Returns the lanes in
 * which they move; far: those in which sums that follow from them lose digits. */
LANE_FUNCTION MASK LANE_NAME(choose_powers)(VECTOR row, VECTOR column, MASK uneven, MASK *far, VECTOR *up,
                                            VECTOR *down) {
    const BITS zero = (BITS){0}, one = zero + 1, most = zero + SHIFT_FOLLOWED;
    const BITS apart = (LANE_NAME(bits_of)(row) >> 52) - (LANE_NAME(bits_of)(column) >> 52);
    const BITS low = apart >> 63 & one; /* halves are cut towards 0 */
    const BITS half = ((apart + low + 8192) >> 1) - 4096;
    *up = LANE_NAME(number_of)((half + 1023) << 52);
    *down = LANE_NAME(number_of)((1023 - half) << 52);
    const MASK moves = uneven & NOT(column * *up + row * *down >= 0.95 * (row + column)) & (half != zero);
    *far |= moves & (((WHOLE)(half + most) < (WHOLE)zero) | ((WHOLE)half > (WHOLE)most));
    *up = LANE_NAME(select)(moves, *up, ALL(1.0));
    *down = LANE_NAME(select)(moves, *down, ALL(1.0));
    return moves;
}

/* Scales row i by `down` and column i by `up`; sums of the other rows and columns follow, those of row and
 * column i are made anew in the lanes in which they move. */
LANE_INLINE void LANE_NAME(scale_row_and_column)(int n, double *h, int i, double *rows, double *columns,
                                                 MASK moves, VECTOR up, VECTOR down) {
    double *row = h + (size_t)(i * n) * LANE_STEP;
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

/* Step 2: the lanes in which row and column i are to become alike. */
LANE_FUNCTION MASK LANE_NAME(is_uneven)(const double *rows, const double *columns, int i) {
    const VECTOR row = GET(rows, i), column = GET(columns, i), least = ALL(DBL_MIN);
    return ((row >= 4 * column) | (column >= 4 * row)) & (row > least) & (column > least);
}

/* Does any row ask for it? Most matrices are left as they are, or after one pass. */
LANE_INLINE bool LANE_NAME(any_uneven)(int n, const double *rows, const double *columns, MASK open) {
    MASK found = (MASK){0};
    for (int i = 0; i < n; i++) found |= LANE_NAME(is_uneven)(rows, columns, i);
    return LANE_NAME(any)(found & open);
}

/* Steps 2 to 4 in the open lanes, whose sums are known. scale: it is multiplied by the diagonal of D; or
 * NULL. */
LANE_INLINE void LANE_NAME(balance_by_sums)(int n, double *h, MASK open, double *rows, double *columns,
                                            double *scale) {
    bool moved = true;
    for (int pass = 0; pass < 64 && moved && LANE_NAME(any_uneven)(n, rows, columns, open); pass++) {
        MASK far = (MASK){0};
        moved = false;
        for (int i = 0; i < n; i++) {
            VECTOR up, down;
            MASK moves = LANE_NAME(is_uneven)(rows, columns, i) & open;
            if (!LANE_NAME(any)(moves)) continue;
            moves = LANE_NAME(choose_powers)(GET(rows, i), GET(columns, i), moves, &far, &up, &down);
            if (!LANE_NAME(any)(moves)) continue;
            LANE_NAME(scale_row_and_column)(n, h, i, rows, columns, moves, up, down);
            if (scale != NULL) AT(scale, i) *= up;
            moved = true;
        }
        if (LANE_NAME(any)(far)) LANE_NAME(sum_sizes)(n, h, far, rows, columns);
    }
}
