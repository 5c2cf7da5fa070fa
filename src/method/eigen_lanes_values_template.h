/* The Hessenberg form and Francis' iteration of eigen.c in lanes, operation by operation; included by
 * eigen_lanes_template.h. Each lane has its own rows at work. A lane in which a reflection does nothing has
 * zeros for its numbers, which change no entry; what a lane does beyond its rows at work nobody reads. */

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

/* The largest and the smallest of those lanes; 0 and n where there are none. */
LANE_FUNCTION int LANE_NAME(top)(MASK which, VECTOR rows) {
    int most = 0;
    for (int l = 0; l < LANE_WIDTH; l++)
        if (which[l] != 0 && (int)rows[l] > most) most = (int)rows[l];
    return most;
}

LANE_FUNCTION int LANE_NAME(bottom)(MASK which, VECTOR rows, int n) {
    int least = n;
    for (int l = 0; l < LANE_WIDTH; l++)
        if (which[l] != 0 && (int)rows[l] < least) least = (int)rows[l];
    return least;
}

/* ---- Hessenberg form ---- */

/* Column c loses what is below the first subdiagonal. [out] v: the reflection's vector, from row c + 1 on.
 * Returns its factor. */
LANE_FUNCTION VECTOR LANE_NAME(annihilate)(int n, double *h, int c, double *v) {
    const VECTOR first = GET(h, (c + 1) * n + c);
    VECTOR rest = ALL(0.0);
    for (int i = c + 2; i < n; i++) rest += GET(h, i * n + c) * GET(h, i * n + c);
    const MASK some = rest != ALL(0.0);
    const VECTOR length = LANE_NAME(like)(LANE_NAME(root)(first * first + rest), first);
    const VECTOR divisor = LANE_NAME(only)(some, 1 / (first + length));
    AT(v, c + 1) = ALL(1.0);
    for (int i = c + 2; i < n; i++) {
        AT(v, i) = GET(h, i * n + c) * divisor;
        AT(h, i * n + c) = ALL(0.0);
    }
    AT(h, (c + 1) * n + c) = LANE_NAME(select)(some, -length, first);
    return LANE_NAME(only)(some, (first + length) / length);
}

/* The reflection of rows c + 1 on, in `width` columns from j on. */
LANE_INLINE void LANE_NAME(reflect_rows)(int n, double *h, int c, int j, const int width, const double *v,
                                         VECTOR tau) {
    VECTOR sums[4];
    for (int q = 0; q < width; q++) sums[q] = ALL(0.0);
    for (int i = c + 1; i < n; i++)
        for (int q = 0; q < width; q++) sums[q] += GET(v, i) * GET(h, i * n + j + q);
    for (int i = c + 1; i < n; i++) {
        const VECTOR factor = tau * GET(v, i);
        for (int q = 0; q < width; q++) AT(h, i * n + j + q) -= factor * sums[q];
    }
}

/* The reflection of columns c + 1 on, in `height` rows from i on. */
LANE_INLINE void LANE_NAME(reflect_columns)(int n, double *h, int c, int i, const int height, const double *v,
                                            VECTOR tau) {
    VECTOR sums[4];
    for (int p = 0; p < height; p++) sums[p] = ALL(0.0);
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) sums[p] += GET(h, (i + p) * n + j) * GET(v, j);
    for (int p = 0; p < height; p++) sums[p] *= tau;
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) AT(h, (i + p) * n + j) -= sums[p] * GET(v, j);
}

LANE_FUNCTION void LANE_NAME(reduce)(int n, double *h, double *v) {
    for (int c = 0; c + 2 < n; c++) {
        const VECTOR tau = LANE_NAME(annihilate)(n, h, c, v);
        int j = c + 1, i = 0;
        for (; j + 4 <= n; j += 4) LANE_NAME(reflect_rows)(n, h, c, j, 4, v, tau);
        for (; j < n; j++) LANE_NAME(reflect_rows)(n, h, c, j, 1, v, tau);
        for (; i + 4 <= n; i += 4) LANE_NAME(reflect_columns)(n, h, c, i, 4, v, tau);
        for (; i < n; i++) LANE_NAME(reflect_columns)(n, h, c, i, 1, v, tau);
    }
}

/* ---- Francis' iteration ---- */

/* Per lane the rows at work, as numbers: comparisons of doubles are what all sets have; and its turns since
 * the last eigenvalue. `open`: lanes that lack eigenvalues. */
typedef struct LANE_NAME(windows) {
    VECTOR first, last, turn;
    MASK open;
} LANE_NAME(windows);

/* The criterion of Ahues and Tisseur. */
LANE_FUNCTION MASK LANE_NAME(harmless)(VECTOR below, VECTOR above, VECTOR a, VECTOR d) {
    const VECTOR large = LANE_NAME(larger)(LANE_NAME(size)(a), LANE_NAME(size)(d));
    const VECTOR apart = LANE_NAME(size)(a - d), bigger = LANE_NAME(larger)(large, apart);
    const VECTOR smaller = LANE_NAME(lesser)(LANE_NAME(size)(d), apart);
    const VECTOR most = LANE_NAME(larger)(above, below), least = LANE_NAME(lesser)(above, below);
    const VECTOR whole = bigger + most;
    return least * (most / whole) <=
           LANE_NAME(larger)(ALL(DBL_MIN), DBL_EPSILON * (smaller * (bigger / whole)));
}

/* In the lanes of `moved`: the first row at work, whose entry on the subdiagonal becomes 0. */
LANE_FUNCTION void LANE_NAME(find_first)(int n, double *h, VECTOR norm, MASK moved, LANE_NAME(windows) * w) {
    w->first = LANE_NAME(select)(moved, w->last, w->first);
    for (int k = LANE_NAME(top)(moved, w->last); k > 0; k--) {
        const MASK here = moved & (w->first == ALL((double)k));
        const VECTOR a = GET(h, (k - 1) * n + k - 1), d = GET(h, k * n + k), entry = GET(h, k * n + k - 1);
        const VECTOR below = LANE_NAME(size)(entry), sum = LANE_NAME(size)(a) + LANE_NAME(size)(d);
        MASK small = here & (below <= DBL_EPSILON * LANE_NAME(select)(sum > ALL(0.0), sum, norm));
        const MASK doubt = small & (below != ALL(0.0)) & (w->turn < ALL((double)EIGEN_PATIENCE));
        if (LANE_NAME(any)(doubt))
            small &= ~doubt | LANE_NAME(harmless)(below, LANE_NAME(size)(GET(h, (k - 1) * n + k)), a, d);
        AT(h, k * n + k - 1) = LANE_NAME(select)(small, ALL(0.0), entry);
        w->first = LANE_NAME(select)(here & ~small, ALL(k - 1.0), w->first);
    }
}

/* Takes leave of eigenvalues that are alone and of pairs, until each open lane has three rows at work. */
LANE_FUNCTION void LANE_NAME(settle)(int n, double *h, VECTOR norm, LANE_NAME(windows) * w) {
    MASK moved = w->open;
    while (LANE_NAME(any)(moved)) {
        LANE_NAME(find_first)(n, h, norm, moved, w);
        const MASK one = w->open & (w->first == w->last), two = w->open & (w->first == w->last - 1.0);
        w->last -= LANE_NAME(only)(one, ALL(1.0)) + LANE_NAME(only)(two, ALL(2.0));
        w->turn = LANE_NAME(only)(~(one | two), w->turn);
        w->open &= w->last >= ALL(0.0);
        moved = (one | two) & w->open;
    }
}

LANE_FUNCTION MASK LANE_NAME(stuck)(VECTOR turn) {
    MASK found = (MASK){0};
    if (!LANE_NAME(any)(turn >= ALL(EIGEN_PATIENCE - 1.0))) return found;
    for (int l = 0; l < LANE_WIDTH; l++)
        found[l] = (int)turn[l] % EIGEN_PATIENCE == EIGEN_PATIENCE - 1 ? -1 : 0;
    return found;
}

/* A double shift, from the last two rows at work. */
LANE_FUNCTION void LANE_NAME(choose_shift)(int n, const double *h, const LANE_NAME(windows) * w, VECTOR *re,
                                           VECTOR *im) {
    VECTOR a = ALL(0.0), b = a, c = a, d = a, next = a;
    int most = LANE_NAME(top)(w->open, w->last);
    for (int k = LANE_NAME(bottom)(w->open, w->last, n); k <= most; k++) {
        const MASK here = w->last == ALL((double)k);
        const double *r0 = h + ((k - 1) * n + k - 1) * LANES, *r1 = r0 + n * LANES;
        a = LANE_NAME(select)(here, GET(r0, 0), a);
        b = LANE_NAME(select)(here, GET(r0, 1), b);
        c = LANE_NAME(select)(here, GET(r1, 0), c);
        d = LANE_NAME(select)(here, GET(r1, 1), d);
        next = LANE_NAME(select)(here, *(const VECTOR *)(const void *)(r0 - LANES), next);
    }
    const MASK stuck = LANE_NAME(stuck)(w->turn);
    const VECTOR off = LANE_NAME(size)(c) + LANE_NAME(size)(next), other = 0.75 * off + d;
    a = LANE_NAME(select)(stuck, other, a);
    d = LANE_NAME(select)(stuck, other, d);
    b = LANE_NAME(select)(stuck, -0.4375 * off, b);
    c = LANE_NAME(select)(stuck, off, c);
    const VECTOR half = 0.5 * (a - d), under = half * half + b * c;
    const MASK complex = under < ALL(0.0);
    const VECTOR root = LANE_NAME(root)(LANE_NAME(size)(under));
    const VECTOR far = half + LANE_NAME(like)(root, half);
    *im = LANE_NAME(only)(complex, root);
    *re = LANE_NAME(select)(complex, d + half, d - LANE_NAME(only)(far != ALL(0.0), b * c / far));
}

/* Where the sweep may begin, with the first column there in x. */
LANE_FUNCTION VECTOR LANE_NAME(begin)(int n, const double *h, const LANE_NAME(windows) * w, VECTOR re,
                                      VECTOR im, VECTOR x[3]) {
    MASK open = w->open;
    VECTOR from = ALL(0.0), square = im * im;
    x[0] = x[1] = x[2] = ALL(0.0);
    for (int k = LANE_NAME(top)(open, w->last) - 2; k >= 0 && LANE_NAME(any)(open); k--) {
        const double *r0 = h + (k * n + k) * LANES, *r1 = r0 + n * LANES, *r2 = r1 + n * LANES;
        const VECTOR a = GET(r0, 0), b = GET(r0, 1), c = GET(r1, 0), d = GET(r1, 1), away = a - re;
        const VECTOR y0 = away * away + square + b * c, y1 = c * (away + (d - re)), y2 = c * GET(r2, 1);
        const VECTOR sum = LANE_NAME(size)(y0) + LANE_NAME(size)(y1) + LANE_NAME(size)(y2);
        const VECTOR size = LANE_NAME(select)(sum > ALL(0.0), sum, ALL(1.0));
        const VECTOR x0 = y0 / size, x1 = y1 / size, x2 = y2 / size;
        MASK found = w->first == ALL((double)k);
        if (k > 0) {
            const double *before = r0 - (n + 1) * LANES;
            const VECTOR side = LANE_NAME(size)(GET(before, n)) * (LANE_NAME(size)(x1) + LANE_NAME(size)(x2));
            const VECTOR along = LANE_NAME(size)(x0) *
                                 (LANE_NAME(size)(GET(before, 0)) + LANE_NAME(size)(a) + LANE_NAME(size)(d));
            found |= side <= DBL_EPSILON * along;
        }
        found &= open & (w->last >= ALL(k + 2.0));
        x[0] = LANE_NAME(select)(found, x0, x[0]);
        x[1] = LANE_NAME(select)(found, x1, x[1]);
        x[2] = LANE_NAME(select)(found, x2, x[2]);
        from = LANE_NAME(select)(found, ALL((double)k), from);
        open &= ~found;
    }
    return from;
}

/* A reflection of three rows: I - tau v v', v = (1, v1, v2), t = tau v. */
typedef struct LANE_NAME(reflection) {
    VECTOR tau, v1, v2, t1, t2;
} LANE_NAME(reflection);

/* The reflection that the bulge in column k - 1 asks for, or where the sweep begins x. */
LANE_FUNCTION LANE_NAME(reflection) LANE_NAME(meet)(int n, double *h, int k, int most, VECTOR from,
                                                    const LANE_NAME(windows) * w, const VECTOR x[3]) {
    const VECTOR row = ALL((double)k);
    const MASK here = w->open & (row >= from) & (row < w->last), later = here & (row > from),
               three = row <= w->last - 2.0;
    VECTOR x0 = x[0], x1 = x[1], x2 = x[2];
    double *column = h + (k * n + k - 1) * LANES;
    if (k > 0) {
        x0 = LANE_NAME(select)(later, AT(column, 0), x0);
        x1 = LANE_NAME(select)(later, AT(column, n), x1);
        AT(column, n) = LANE_NAME(only)(~later, AT(column, n));
    }
    if (k > 0 && k + 2 <= most) {
        x2 = LANE_NAME(select)(later, AT(column, 2 * n), x2);
        AT(column, 2 * n) = LANE_NAME(only)(~(later & three), AT(column, 2 * n));
    }
    x2 = LANE_NAME(only)(three, x2);
    const VECTOR rest = x1 * x1 + x2 * x2;
    const MASK some = here & (rest != ALL(0.0));
    const VECTOR length = LANE_NAME(like)(LANE_NAME(root)(x0 * x0 + rest), x0), sum = x0 + length;
    const VECTOR divisor = LANE_NAME(only)(some, 1 / sum), tau = LANE_NAME(only)(some, sum / length);
    if (k > 0)
        AT(column, 0) =
            LANE_NAME(select)(some & later, -length, AT(column, 0) * (1 - LANE_NAME(only)(~later, tau)));
    const VECTOR v1 = x1 * divisor, v2 = x2 * divisor;
    return (LANE_NAME(reflection)){tau, v1, v2, tau * v1, tau * v2};
}

/* Applies it to `count` triples of entries `apart` from each other, the next one `step` further. */
LANE_FUNCTION void LANE_NAME(apply)(const LANE_NAME(reflection) * r, double *entries, int count, int step,
                                    int apart) {
    const VECTOR tau = r->tau, v1 = r->v1, v2 = r->v2, t1 = r->t1, t2 = r->t2;
    for (int i = 0; i < count; i++, entries += step * LANES) {
        const VECTOR e0 = AT(entries, 0), e1 = AT(entries, apart), e2 = AT(entries, 2 * apart);
        const VECTOR sum = e0 + v1 * e1 + v2 * e2;
        AT(entries, 0) = e0 - tau * sum;
        AT(entries, apart) = e1 - t1 * sum;
        AT(entries, 2 * apart) = e2 - t2 * sum;
    }
}

/* The same of the last two rows. */
LANE_FUNCTION void LANE_NAME(apply_two)(const LANE_NAME(reflection) * r, double *entries, int count, int step,
                                        int apart) {
    const VECTOR tau = r->tau, v1 = r->v1, t1 = r->t1;
    for (int i = 0; i < count; i++, entries += step * LANES) {
        const VECTOR e0 = AT(entries, 0), e1 = AT(entries, apart), sum = e0 + v1 * e1;
        AT(entries, 0) = e0 - tau * sum;
        AT(entries, apart) = e1 - t1 * sum;
    }
}

LANE_FUNCTION void LANE_NAME(chase)(int n, double *h, VECTOR from, const LANE_NAME(windows) * w,
                                    const VECTOR x[3]) {
    int first = LANE_NAME(bottom)(w->open, w->first, n), last = LANE_NAME(top)(w->open, w->last);
    for (int k = LANE_NAME(bottom)(w->open, from, n); k < last; k++) {
        const LANE_NAME(reflection) r = LANE_NAME(meet)(n, h, k, last, from, w, x);
        double *rows = h + (k * n + k) * LANES, *columns = h + (first * n + k) * LANES;
        int end = k + 3 < last ? k + 3 : last;
        if (k + 2 <= last) {
            LANE_NAME(apply)(&r, rows, last - k + 1, 1, n);
            LANE_NAME(apply)(&r, columns, end - first + 1, n, 1);
        } else {
            LANE_NAME(apply_two)(&r, rows, last - k + 1, 1, n);
            LANE_NAME(apply_two)(&r, columns, end - first + 1, n, 1);
        }
    }
}

/* What is left of the living: lanes in which the iteration converges. */
LANE_FUNCTION MASK LANE_NAME(francis)(int n, double *h, MASK alive) {
    LANE_NAME(windows) w = {ALL(0.0), ALL(n - 1.0), ALL(0.0), alive};
    VECTOR norm = ALL(0.0), re, im, x[3];
    for (int e = 0; e < n * n; e++) norm = LANE_NAME(larger)(norm, LANE_NAME(size)(GET(h, e)));
    for (;;) {
        LANE_NAME(settle)(n, h, norm, &w);
        const MASK failed = w.open & (w.turn == ALL((double)eigen_turns_most(n)));
        alive &= ~failed;
        w.open &= ~failed;
        if (!LANE_NAME(any)(w.open)) return alive;
        LANE_NAME(choose_shift)(n, h, &w, &re, &im);
        w.turn += 1.0;
        const VECTOR from = LANE_NAME(begin)(n, h, &w, re, im, x);
        LANE_NAME(chase)(n, h, from, &w, x);
    }
}

/* ---- Eigenvalues ---- */

/* Of the blocks on the diagonal: those of two rows are where the subdiagonal is not 0. */
LANE_FUNCTION void LANE_NAME(read_off)(int n, const double *h, double *re, double *im) {
    MASK second = (MASK){0};
    VECTOR kept_re = ALL(0.0), kept_im = ALL(0.0);
    for (int k = 0; k < n; k++) {
        const double *r0 = h + (k * n + k) * LANES, *r1 = r0 + n * LANES;
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
    for (int e = 0; e < n * n; e++) sums[e < whole ? e % 4 : 0] += GET(h, e) * GET(h, e);
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
    if (n > 2) {
        LANE_NAME(reduce)(n, h, work);
        alive = LANE_NAME(francis)(n, h, alive);
    }
    LANE_NAME(read_off)(n, h, re, im);
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
