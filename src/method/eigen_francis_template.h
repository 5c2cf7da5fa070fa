/* Francis' QR iteration with double shifts on small Hessenberg matrices, several side by side in lanes;
 * included by eigen_values_template.h (Golub and Van Loan, Matrix Computations, 7.5).
 *
 *  1. Deflation: negligible entries below the diagonal become 0. Eigenvalues and pairs at the end that they
 *     cut off are done; each lane goes on with its active rows, from `first` to `last`.
 *  2. A double shift comes from the last two active rows; every 10th step without a new eigenvalue it is
 *     another one.
 *  3. A sweep chases the bulge: reflections of three rows and columns from the first active row to the last.
 *  4. Again from 1. until all lanes are done, or have taken too many steps.
 *
 * In a sweep two reflections at a time pass through the matrix. What the next two depend on, five rows and
 * columns around the bulge, is updated at once; the columns right of it and the rows above it wait until the
 * next two are being computed, whose square roots and divisions take as long. Every entry still meets its
 * reflections in their order. A lane in which a reflection does nothing has tau = 0, which changes no entry.
 */

/* Of each lane the active rows, as doubles, because all instruction sets compare these; `turn`: its steps
 * since the last eigenvalue; `open`: lanes that lack eigenvalues. */
typedef struct LANE_NAME(active_rows) {
    VECTOR first, last, turn;
    VECTOR largest, size; /* the largest entry at first; Frobenius' norm, above which no entry ever is */
    VECTOR most; /* steps after which entries that are small compared with the largest one count as 0 */
    MASK open;
} LANE_NAME(active_rows);

/* The largest and the smallest row number of some lanes; 0 and n where there are no lanes. */
LANE_FUNCTION int LANE_NAME(largest_row_of)(MASK which, VECTOR rows) {
    const VECTOR own = LANE_NAME(only)(which, rows);
#if LANE_WIDTH == 8
    return (int)_mm512_reduce_max_pd((__m512d)own);
#else
    double most = 0;
    for (int l = 0; l < LANE_WIDTH; l++) most = LANE(own, l) > most ? LANE(own, l) : most;
    return (int)most;
#endif
}

LANE_FUNCTION int LANE_NAME(smallest_row_of)(MASK which, VECTOR rows, int n) {
    return n - LANE_NAME(largest_row_of)(which, n - rows);
}

/* ---- Deflation ---- */

/* The deflation criterion of Ahues and Tisseur (1997), which keeps small eigenvalues of graded matrices. */
LANE_FUNCTION MASK LANE_NAME(passes_ahues_tisseur)(VECTOR below, VECTOR above, VECTOR a, VECTOR d) {
    const VECTOR large = LANE_NAME(larger)(LANE_NAME(size)(a), LANE_NAME(size)(d));
    const VECTOR apart = LANE_NAME(size)(a - d), bigger = LANE_NAME(larger)(large, apart);
    const VECTOR smaller = LANE_NAME(lesser)(LANE_NAME(size)(d), apart);
    const VECTOR most = LANE_NAME(larger)(above, below), least = LANE_NAME(lesser)(above, below);
    const VECTOR whole = bigger + most;
    return least * (most / whole) <=
           LANE_NAME(larger)(ALL(DBL_MIN), DBL_EPSILON * (smaller * (bigger / whole)));
}

/* The lanes of `here` in which the entry left of the diagonal in row k may be set to 0: where it is below
 * EIGEN_VANISHES; where it is small compared with its neighbours on the diagonal and, in the first steps,
 * passes Ahues' and Tisseur's criterion; after `most` steps, where it is small compared with the largest
 * entry of the matrix. Most entries are far above all of these, which is asked first. */
LANE_FUNCTION MASK LANE_NAME(negligible)(int places, const double *h, int k, const LANE_NAME(active_rows) * w,
                                         MASK here) {
    if (k == 0) return here;
    const double *row = h + (k * places + k) * LANE_STEP, *before = row - (places + 1) * LANE_STEP;
    const VECTOR below = LANE_NAME(size)(GET(before, places));
    const MASK vanishes = below <= ALL(EIGEN_VANISHES);
    MASK small = here & (vanishes | (below <= 4 * DBL_EPSILON * w->size));
    if (!LANE_NAME(any)(small)) return small;
    const VECTOR a = GET(before, 0), d = GET(row, 0), sum = LANE_NAME(size)(a) + LANE_NAME(size)(d);
    const MASK beside = (sum > ALL(0.0)) & (w->turn < w->most);
    small &= vanishes | (below <= DBL_EPSILON * LANE_NAME(select)(beside, sum, w->largest));
    const MASK doubt = small & NOT(vanishes) & (w->turn < ALL((double)EIGEN_PATIENCE));
    if (LANE_NAME(any)(doubt))
        small &= NOT(doubt) | LANE_NAME(passes_ahues_tisseur)(below, LANE_NAME(size)(GET(before, 1)), a, d);
    return small;
}

/* Step 1, until each open lane has three active rows at least. one, two, more: lanes with so many rows from k
 * to their last. */
LANE_FUNCTION void LANE_NAME(deflate)(int places, double *h, LANE_NAME(active_rows) * w) {
    MASK left = w->open, two = (MASK){0}, more = two;
    for (int k = LANE_NAME(largest_row_of)(left, w->last); k >= 0; k--) {
        const MASK one = left & (w->last == ALL((double)k)), here = one | two | more;
        const MASK small = LANE_NAME(negligible)(places, h, k, w, here);
        if (LANE_NAME(any)(small)) {
            const MASK settled = small & more, gone = small & NOT(more);
            double *below = h + (k * places + k - 1) * LANE_STEP;
            if (k > 0) AT(below, 0) = LANE_NAME(select)(small, ALL(0.0), GET(below, 0));
            w->first = LANE_NAME(select)(settled, ALL((double)k), w->first);
            w->last = LANE_NAME(select)(gone, ALL(k - 1.0), w->last);
            w->turn = LANE_NAME(only)(NOT(gone), w->turn);
            left &= NOT(settled);
            if (!LANE_NAME(any)(left)) break;
        }
        more = (more | two) & NOT(small);
        two = one & NOT(small);
    }
    w->open &= w->last >= ALL(0.0);
}

/* ---- Shifts ---- */

LANE_FUNCTION MASK LANE_NAME(needs_other_shift)(VECTOR turn) {
    VECTOR rest = ALL(0.0);
    for (int l = 0; l < LANE_WIDTH && LANE_NAME(any)(turn >= ALL(EIGEN_PATIENCE - 1.0)); l++)
        LANE(rest, l) = (int)LANE(turn, l) % EIGEN_PATIENCE;
    return rest == ALL(EIGEN_PATIENCE - 1.0);
}

/* Step 2: the real part of the double shift, and the size of its imaginary part. */
LANE_FUNCTION void LANE_NAME(choose_shift)(int places, const double *h, const LANE_NAME(active_rows) * w,
                                           int low, int most, VECTOR shift[2]) {
    VECTOR a = ALL(0.0), b = a, c = a, d = a, next = a;
    for (int k = low; k <= most; k++) {
        const MASK here = w->last == ALL((double)k);
        const double *r0 = h + ((k - 1) * places + k - 1) * LANE_STEP, *r1 = r0 + places * LANE_STEP;
        a = LANE_NAME(select)(here, GET(r0, 0), a);
        b = LANE_NAME(select)(here, GET(r0, 1), b);
        c = LANE_NAME(select)(here, GET(r1, 0), c);
        d = LANE_NAME(select)(here, GET(r1, 1), d);
        next = LANE_NAME(select)(here, GET(r0 - LANE_STEP, 0), next);
    }
    const MASK needs_other_shift = LANE_NAME(needs_other_shift)(w->turn);
    if (LANE_NAME(any)(needs_other_shift)) {
        const VECTOR off = LANE_NAME(size)(c) + LANE_NAME(size)(next), other = 0.75 * off + d;
        a = LANE_NAME(select)(needs_other_shift, other, a);
        d = LANE_NAME(select)(needs_other_shift, other, d);
        b = LANE_NAME(select)(needs_other_shift, -0.4375 * off, b);
        c = LANE_NAME(select)(needs_other_shift, off, c);
    }
    const VECTOR half = 0.5 * (a - d), under = half * half + b * c;
    const MASK paired = under < ALL(0.0);
    const VECTOR root = LANE_NAME(root)(LANE_NAME(size)(under));
    const VECTOR far = half + LANE_NAME(like)(root, half);
    shift[1] = LANE_NAME(only)(paired, root);
    shift[0] = LANE_NAME(select)(paired, d + half, d - LANE_NAME(only)(far != ALL(0.0), b * c / far));
}

/* ---- Sweeps ---- */

/* A sweep: the row at which each lane begins, and the vector x whose reflection is the first there. */
typedef struct LANE_NAME(sweep) {
    const LANE_NAME(active_rows) * w;
    VECTOR from, x[3];
} LANE_NAME(sweep);

/* x := the vector of a sweep that begins at row k, scaled. Returns the lanes of `others` in which it may
 * begin there: the product of two successive entries below the diagonal is negligible. */
LANE_FUNCTION MASK LANE_NAME(may_begin_at)(int places, const double *h, int k, const VECTOR shift[2],
                                           MASK others, VECTOR x[3]) {
    const double *r0 = h + (k * places + k) * LANE_STEP, *r1 = r0 + places * LANE_STEP,
                 *r2 = r1 + places * LANE_STEP;
    const VECTOR a = GET(r0, 0), c = GET(r1, 0), d = GET(r1, 1), away = a - shift[0];
    x[0] = away * away + shift[1] * shift[1] + GET(r0, 1) * c;
    x[1] = c * (away + (d - shift[0]));
    x[2] = c * GET(r2, 1);
    const VECTOR sum = LANE_NAME(size)(x[0]) + LANE_NAME(size)(x[1]) + LANE_NAME(size)(x[2]);
    const VECTOR size = LANE_NAME(select)(sum > ALL(0.0), sum, ALL(1.0));
    for (int i = 0; i < 3; i++) x[i] /= size;
    if (k == 0) return others;
    const double *before = r0 - (places + 1) * LANE_STEP;
    const VECTOR side =
        LANE_NAME(size)(GET(before, places)) * (LANE_NAME(size)(x[1]) + LANE_NAME(size)(x[2]));
    const VECTOR along =
        LANE_NAME(size)(x[0]) * (LANE_NAME(size)(GET(before, 0)) + LANE_NAME(size)(a) + LANE_NAME(size)(d));
    return others & (side <= DBL_EPSILON * along);
}

/* The row at which the sweep begins in each lane: the last one at which it may. With entries up to F and
 * shifts up to 5 F, before they are scaled, `side` is at least the product of three entries below the
 * diagonal, and `along` below 2^8 F^3: mostly that is enough to know that it may not begin at k. */
LANE_FUNCTION void LANE_NAME(choose_first_row)(int places, const double *h, int most, const VECTOR shift[2],
                                               LANE_NAME(sweep) * s) {
    const LANE_NAME(active_rows) *w = s->w;
    const VECTOR least = 0x1p10 * DBL_EPSILON * (w->size * w->size * w->size);
    const double *entry = h + ((most - 1) * places + most - 2) * LANE_STEP;
    int next = (places + 1) * LANE_STEP;
    VECTOR upper = LANE_NAME(size)(GET(entry, 0)), both = upper * LANE_NAME(size)(GET(entry + next, 0)), x[3];
    MASK open = w->open;
    s->from = s->x[0] = s->x[1] = s->x[2] = ALL(0.0);
    for (int k = most - 2; k >= 0; k--) {
        MASK found = open & (w->first == ALL((double)k)), others = open & NOT(found);
        if (k > 0) {
            const VECTOR above = LANE_NAME(size)(GET(entry -= next, 0));
            others &= (w->last >= ALL(k + 2.0)) & NOT(above * both > least);
            both = above * upper;
            upper = above;
        }
        if (!LANE_NAME(any)(found | others)) continue;
        found |= LANE_NAME(may_begin_at)(places, h, k, shift, others, x);
        for (int i = 0; i < 3; i++) s->x[i] = LANE_NAME(select)(found, x[i], s->x[i]);
        s->from = LANE_NAME(select)(found, ALL((double)k), s->from);
        open &= NOT(found);
        if (!LANE_NAME(any)(open)) return;
    }
}

/* A reflection of three rows: I - tau v v', v = (1, v1, v2), t = tau v. */
typedef struct LANE_NAME(reflection) {
    VECTOR tau, v1, v2, t1, t2;
} LANE_NAME(reflection);

/* The reflection that annihilates the bulge in column k - 1, or, where the sweep begins, that of x. [in, out]
 * below: the three entries of that column from row k on. */
LANE_INLINE LANE_NAME(reflection)
    LANE_NAME(make_reflection)(int k, const LANE_NAME(sweep) * s, VECTOR below[3]) {
    const VECTOR row = ALL((double)k);
    const MASK here = s->w->open & (row >= s->from) & (row < s->w->last), later = here & (row > s->from),
               three = row <= s->w->last - 2.0;
    const VECTOR x0 = LANE_NAME(select)(later, below[0], s->x[0]);
    const VECTOR x1 = LANE_NAME(select)(later, below[1], s->x[1]);
    const VECTOR x2 = LANE_NAME(only)(three, LANE_NAME(select)(later, below[2], s->x[2]));
    const VECTOR rest = x1 * x1 + x2 * x2;
    const MASK some = here & (rest != ALL(0.0));
    const VECTOR length = LANE_NAME(like)(LANE_NAME(root)(x0 * x0 + rest), x0), sum = x0 + length;
    const VECTOR divisor = LANE_NAME(only)(some, 1 / sum), tau = LANE_NAME(only)(some, sum / length);
    below[0] = LANE_NAME(select)(some & later, -length, below[0] * (1 - LANE_NAME(only)(NOT(later), tau)));
    below[1] = below[2] = ALL(0.0);
    const VECTOR v1 = x1 * divisor, v2 = x2 * divisor;
    return (LANE_NAME(reflection)){tau, v1, v2, tau * v1, tau * v2};
}

/* Applies it to three entries. */
LANE_INLINE void LANE_NAME(apply)(const LANE_NAME(reflection) * r, VECTOR *a, VECTOR *b, VECTOR *c) {
    const VECTOR sum = *a + r->v1 * *b + r->v2 * *c;
    *a -= r->tau * sum;
    *b -= r->t1 * sum;
    *c -= r->t2 * sum;
}

/* Two reflections, of the rows k and k + 1 on. */
typedef struct LANE_NAME(reflection_pair) {
    int k;
    LANE_NAME(reflection) one, two;
} LANE_NAME(reflection_pair);

/* Applies both to `count` groups of four entries. Entries of a group lie `apart` from each other, groups
 * `step`. */
LANE_INLINE void LANE_NAME(apply_pair)(const LANE_NAME(reflection_pair) * both, double *entries, int count,
                                       int step, int apart) {
    const LANE_NAME(reflection) one = both->one, two = both->two;
    for (int i = 0; i < count; i++, entries += step * LANE_STEP) {
        VECTOR a = AT(entries, 0), b = AT(entries, apart), c = AT(entries, 2 * apart),
               d = AT(entries, 3 * apart);
        LANE_NAME(apply)(&one, &a, &b, &c);
        LANE_NAME(apply)(&two, &b, &c, &d);
        AT(entries, 0) = a;
        AT(entries, apart) = b;
        AT(entries, 2 * apart) = c;
        AT(entries, 3 * apart) = d;
    }
}

/* Apply both to the columns right of the bulge, and to the rows above it. */
LANE_FUNCTION void LANE_NAME(apply_right_of_bulge)(const LANE_NAME(reflection_pair) * both, int places,
                                                   double *h, int last) {
    int k = both->k;
    LANE_NAME(apply_pair)(both, h + (k * places + k + 5) * LANE_STEP, last - k - 4, 1, places);
}

LANE_FUNCTION void LANE_NAME(apply_above_bulge)(const LANE_NAME(reflection_pair) * both, int places,
                                                double *h, int first) {
    int k = both->k;
    LANE_NAME(apply_pair)(both, h + (first * places + k) * LANE_STEP, k - first, places, 1);
}

/* The block e, five rows and columns around the bulge, stays in registers. At first three rows and columns
 * are loaded. */
LANE_INLINE void LANE_NAME(load_first_block)(VECTOR e[5][5], const double *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) e[i + 2][j + 2] = GET(corner, i * places + j);
}

/* Moves the block two rows and columns on. */
LANE_INLINE void LANE_NAME(advance_block)(VECTOR e[5][5], const double *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) e[i][j] = e[i + 2][j + 2];
    for (int i = 0; i < 5; i++)
        for (int j = 3; j < 5; j++) e[i][j] = GET(corner, i * places + j);
    for (int j = 0; j < 3; j++) e[3][j] = e[4][j] = ALL(0.0);
    e[3][2] = GET(corner, 3 * places + 2);
}

/* Stores the two rows that the block has passed; below them their columns hold 0, or what is in `below`. */
LANE_INLINE void LANE_NAME(store_passed_rows)(const VECTOR e[5][5], double *corner, int places) {
    for (int i = 0; i < 2; i++)
        for (int j = i; j < 5; j++) AT(corner, i * places + j) = e[i][j];
    AT(corner, places) = e[1][0];
}

LANE_INLINE void LANE_NAME(store_last_block)(const VECTOR e[5][5], double *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) AT(corner, i * places + j) = e[i + 2][j + 2];
}

/* Step 3. Beyond `last` there are zeros, or entries that no lane still reads. What the next reflection
 * depends on is updated first, and the rest while its square root is taken. */
LANE_FUNCTION void LANE_NAME(chase)(int places, double *h, int first, int last, const LANE_NAME(sweep) * s) {
    LANE_NAME(reflection_pair) before = {.k = -1}, both;
    int k = LANE_NAME(smallest_row_of)(s->w->open, s->from, last), next = (places + 1) * LANE_STEP;
    VECTOR e[5][5], below[3] = {ALL(0.0), ALL(0.0), ALL(0.0)};
    double *corner = h + k * next;
    if (k > 0) below[0] = GET(corner - LANE_STEP, 0);
    LANE_NAME(load_first_block)(e, corner, places);
    both.one = LANE_NAME(make_reflection)(k, s, below);
    for (; k < last; k += 2, corner += 2 * next) {
        const bool more = k + 2 < last;
        both.k = k;
        if (k > 0) AT(corner - LANE_STEP, 0) = below[0];
        if (before.k >= 0) LANE_NAME(apply_right_of_bulge)(&before, places, h, last);
        LANE_NAME(advance_block)(e, corner, places);
        for (int j = 0; j < 3; j++) LANE_NAME(apply)(&both.one, &e[0][j], &e[1][j], &e[2][j]);
        for (int i = 1; i < 3; i++) LANE_NAME(apply)(&both.one, &e[i][0], &e[i][1], &e[i][2]);
        if (more) LANE_NAME(apply)(&both.one, &e[3][0], &e[3][1], &e[3][2]);
        for (int i = 0; i < 3; i++) below[i] = e[i + 1][0];
        both.two = k + 1 < last ? LANE_NAME(make_reflection)(k + 1, s, below)
                                : (LANE_NAME(reflection)){.tau = ALL(0.0)};
        e[1][0] = below[0];
        for (int j = 3; j < 5 && more; j++) LANE_NAME(apply)(&both.one, &e[0][j], &e[1][j], &e[2][j]);
        LANE_NAME(apply)(&both.one, &e[0][0], &e[0][1], &e[0][2]);
        if (before.k >= 0) LANE_NAME(apply_above_bulge)(&before, places, h, first);
        before = both;
        for (int j = 1; j < 3; j++) LANE_NAME(apply)(&both.two, &e[1][j], &e[2][j], &e[3][j]);
        if (more) LANE_NAME(apply)(&both.two, &e[1][3], &e[2][3], &e[3][3]);
        LANE_NAME(apply)(&both.two, &e[2][1], &e[2][2], &e[2][3]);
        for (int i = 3; i < 5 && more; i++) LANE_NAME(apply)(&both.two, &e[i][1], &e[i][2], &e[i][3]);
        for (int i = 0; i < 3; i++) below[i] = e[i + 2][1];
        if (more) both.one = LANE_NAME(make_reflection)(k + 2, s, below);
        if (more) LANE_NAME(apply)(&both.two, &e[1][4], &e[2][4], &e[3][4]);
        for (int i = 0; i < 2; i++) LANE_NAME(apply)(&both.two, &e[i][1], &e[i][2], &e[i][3]);
        LANE_NAME(store_passed_rows)((const VECTOR(*)[5])e, corner, places);
    }
    AT(corner - LANE_STEP, 0) = below[0];
    LANE_NAME(store_last_block)((const VECTOR(*)[5])e, corner, places);
    LANE_NAME(apply_right_of_bulge)(&before, places, h, last);
    LANE_NAME(apply_above_bulge)(&before, places, h, first);
}

/* The iteration. Returns the lanes of `alive` in which it converges. norm: Frobenius'. */
LANE_FUNCTION MASK LANE_NAME(francis)(int n, int places, double *h, VECTOR norm, MASK alive) {
    const double most = eigen_turns_most(n);
    LANE_NAME(active_rows) w = {ALL(0.0), ALL(n - 1.0), ALL(0.0), ALL(0.0), norm, ALL(most), alive};
    LANE_NAME(sweep) s = {.w = &w};
    for (int i = 0; i < n; i++)
        for (int j = i > 0 ? i - 1 : 0; j < n; j++)
            w.largest = LANE_NAME(larger)(w.largest, LANE_NAME(size)(GET(h, i * places + j)));
    for (;;) {
        VECTOR shift[2];
        LANE_NAME(deflate)(places, h, &w);
        const MASK failed = w.open & (w.turn == 2 * w.most);
        alive &= NOT(failed);
        w.open &= NOT(failed);
        if (!LANE_NAME(any)(w.open)) return alive;
        int first = LANE_NAME(smallest_row_of)(w.open, w.first, n),
            last = LANE_NAME(largest_row_of)(w.open, w.last);
        LANE_NAME(choose_shift)(places, h, &w, LANE_NAME(smallest_row_of)(w.open, w.last, n), last, shift);
        w.turn += 1.0;
        LANE_NAME(choose_first_row)(places, h, last, shift, &s);
        LANE_NAME(chase)(places, h, first, last, &s);
    }
}
