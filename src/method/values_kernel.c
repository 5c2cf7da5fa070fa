/* Eigenvalues of small matrices, one matrix per SIMD lane (base/lane.h), about 10 n^3 operations. Compiled
 * once per number W of lanes: one for eigen.c, several for eigen_lanes.c.
 *
 * 1. Householder reflections reduce a balanced matrix to Hessenberg form.
 * 2. Francis' QR iteration with double shifts reduces it to blocks of one and two rows.
 * 3. Each block has its eigenvalues in closed form (Golub and Van Loan, Matrix Computations, 7.4 and 7.5).
 * 4. Norms of the components give error bounds of eigenvalues away from the limit.
 *
 * The matrix is first padded: an odd row length distributes the entries of a column over the sets of the
 * cache, and rows and columns of zeros follow the last ones. */
#include <float.h>

#include "method/eigen_components.h"
#include "method/eigen_kernel.h"

static inline lane lesser(lane a, lane b) {
    return lane_select(a < b, a, b);
}

/* size (>= 0) with the sign of `of`. Both zeros count as positive, because different orders of operations may
 * give 0 or -0. */
static inline lane like(lane size, lane of) {
    return lane_select(of < 0, -size, size);
}

/* ---- Padding ---- */

/* Number of zero rows and columns after the last, and length of a row. */
enum { BORDER = 3 };

static inline int places_of(int n) {
    return (n + BORDER) | 1;
}

/* Copies a to h, padded. */
static inline void give_space(int n, const lane *a, lane *h) {
    int places = places_of(n);
    for (int i = 0; i < n + BORDER; i++) {
        int known = i < n ? n : 0;
        for (int j = 0; j < known; j++) h[i * places + j] = a[i * n + j];
        for (int j = known; j < places; j++) h[i * places + j] = (lane){0};
    }
}

/* ---- Hessenberg form ---- */

/* Eliminates column c below the first subdiagonal. [out] v: vector of the reflection, from row c + 1. Returns
 * its factor. */
static inline lane annihilate(int n, int places, lane *h, int c, lane *v) {
    const lane first = h[(c + 1) * places + c];
    lane rest = {0};
    for (int i = c + 2; i < n; i++) rest += h[i * places + c] * h[i * places + c];
    const mask some = rest != 0;
    const lane length = like(lane_root(first * first + rest), first);
    const lane divisor = lane_only(some, 1 / (first + length));
    v[c + 1] = lane_all(1.0);
    for (int i = c + 2; i < n; i++) {
        v[i] = h[i * places + c] * divisor;
        h[i * places + c] = (lane){0};
    }
    h[(c + 1) * places + c] = lane_select(some, -length, first);
    return lane_only(some, (first + length) / length);
}

/* Applies the reflection to rows from c + 1, in `width` columns from j. */
LANE_INLINE void reflect_rows(int n, int places, lane *h, int c, int j, const int width, const lane *v,
                              lane tau) {
    lane sums[4];
    for (int q = 0; q < width; q++) sums[q] = (lane){0};
    for (int i = c + 1; i < n; i++)
        for (int q = 0; q < width; q++) sums[q] += v[i] * h[i * places + j + q];
    for (int i = c + 1; i < n; i++) {
        const lane factor = tau * v[i];
        for (int q = 0; q < width; q++) h[i * places + j + q] -= factor * sums[q];
    }
}

/* Applies the reflection to columns from c + 1, in `height` rows from i. */
LANE_INLINE void reflect_columns(int n, int places, lane *h, int c, int i, const int height, const lane *v,
                                 lane tau) {
    lane sums[4];
    for (int p = 0; p < height; p++) sums[p] = (lane){0};
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) sums[p] += h[(i + p) * places + j] * v[j];
    for (int p = 0; p < height; p++) sums[p] *= tau;
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < height; p++) h[(i + p) * places + j] -= sums[p] * v[j];
}

void OF_WIDTH(eigen_reduce)(int n, int places, lane *h, lane *v) {
    for (int c = 0; c + 2 < n; c++) {
        const lane tau = annihilate(n, places, h, c, v);
        int j = c + 1, i = 0;
        for (; j + 4 <= n; j += 4) reflect_rows(n, places, h, c, j, 4, v, tau);
        for (; j < n; j++) reflect_rows(n, places, h, c, j, 1, v, tau);
        for (; i + 4 <= n; i += 4) reflect_columns(n, places, h, c, i, 4, v, tau);
        for (; i < n; i++) reflect_columns(n, places, h, c, i, 1, v, tau);
    }
}

/* ---- Francis' iteration ----
 * 1. Deflation: negligible entries below the diagonal become 0. Eigenvalues and pairs separated at the end
 *    are finished; each lane continues with its active rows, `first` to `last`.
 * 2. Shift: a double shift from the last two active rows; an exceptional shift every 10th step without a new
 *    eigenvalue.
 * 3. Sweep: reflections of three rows and columns chase the bulge from the first active row to the last.
 * 4. Repeat until all lanes are finished or exceed the number of steps.
 *
 * A sweep applies reflections in pairs. The next pair depends on five rows and columns around the bulge,
 * which are updated at once. The columns to the right and the rows above are updated during the square roots
 * and divisions of the next pair. Every entry still receives its reflections in order. A lane without a
 * reflection has tau = 0, which changes no entry. */

/* Active rows of each lane, as doubles, which all instruction sets can compare. `turn`: steps since the last
 * eigenvalue; `open`: lanes with missing eigenvalues. */
typedef struct active_rows {
    lane first, last, turn;
    lane largest, size; /* largest initial entry; Frobenius norm, an upper bound of all entries */
    lane most;          /* steps after which entries are compared with the largest entry */
    mask open;
} active_rows;

/* Largest and smallest row number of some lanes; 0 and n without lanes. */
static inline int largest_row_of(mask which, lane rows) {
    const lane own = lane_only(which, rows);
    double numbers[W], most = 0;
    memcpy(numbers, &own, sizeof numbers);
    for (int l = 0; l < W; l++) most = numbers[l] > most ? numbers[l] : most;
    return (int)most;
}

static inline int smallest_row_of(mask which, lane rows, int n) {
    return n - largest_row_of(which, n - rows);
}

/* ---- Deflation ---- */

/* Deflation criterion of Ahues and Tisseur (1997), which preserves small eigenvalues of graded matrices. */
static inline mask passes_ahues_tisseur(lane below, lane above, lane a, lane d) {
    const lane large = lane_larger(lane_size(a), lane_size(d));
    const lane apart = lane_size(a - d), bigger = lane_larger(large, apart);
    const lane smaller = lesser(lane_size(d), apart);
    const lane most = lane_larger(above, below), least = lesser(above, below);
    const lane whole = bigger + most;
    return least * (most / whole) <=
           lane_larger(lane_all(DBL_MIN), DBL_EPSILON * (smaller * (bigger / whole)));
}

/* Lanes of `here` in which the entry left of the diagonal in row k may become 0. It must be below
 * EIGEN_VANISHES, or small compared with its neighbours on the diagonal; in the first steps it must also pass
 * the criterion of Ahues and Tisseur. After `most` steps it is compared with the largest entry of the matrix.
 * A coarse test comes first, because most entries are far above all thresholds. */
static inline mask negligible(int places, const lane *h, int k, const active_rows *w, mask here) {
    if (k == 0) return here;
    const lane *row = h + (k * places + k), *before = row - (places + 1);
    const lane below = lane_size(before[places]);
    const mask vanishes = below <= EIGEN_VANISHES;
    mask small = here & (vanishes | (below <= 4 * DBL_EPSILON * w->size));
    if (!lane_any(small)) return small;
    const lane a = before[0], d = row[0], sum = lane_size(a) + lane_size(d);
    const mask beside = (sum > 0) & (w->turn < w->most);
    small &= vanishes | (below <= DBL_EPSILON * lane_select(beside, sum, w->largest));
    const mask doubt = small & lane_not(vanishes) & (w->turn < (double)EIGEN_PATIENCE);
    if (lane_any(doubt)) small &= lane_not(doubt) | passes_ahues_tisseur(below, lane_size(before[1]), a, d);
    return small;
}

/* Deflates until each open lane has at least three active rows. one, two, more: lanes with this number of
 * rows from k to their last. */
static inline void deflate(int places, lane *h, active_rows *w) {
    mask left = w->open, two = {0}, more = two;
    for (int k = largest_row_of(left, w->last); k >= 0; k--) {
        const mask one = left & (w->last == k), here = one | two | more;
        const mask small = negligible(places, h, k, w, here);
        if (lane_any(small)) {
            const mask settled = small & more, gone = small & lane_not(more);
            lane *below = h + (k * places + k - 1);
            if (k > 0) below[0] = lane_select(small, (lane){0}, below[0]);
            w->first = lane_select(settled, lane_all((double)k), w->first);
            w->last = lane_select(gone, lane_all(k - 1.0), w->last);
            w->turn = lane_only(lane_not(gone), w->turn);
            left &= lane_not(settled);
            if (!lane_any(left)) break;
        }
        more = (more | two) & lane_not(small);
        two = one & lane_not(small);
    }
    w->open &= w->last >= 0;
}

/* ---- Shifts ---- */

static inline mask needs_other_shift(lane turn) {
    double numbers[W];
    if (!lane_any(turn >= EIGEN_PATIENCE - 1.0)) return (mask){0};
    memcpy(numbers, &turn, sizeof numbers);
    for (int l = 0; l < W; l++) numbers[l] = (int)numbers[l] % EIGEN_PATIENCE;
    memcpy(&turn, numbers, sizeof numbers);
    return turn == EIGEN_PATIENCE - 1.0;
}

/* Computes the double shift: its real part, and the modulus of its imaginary part. */
static inline void choose_shift(int places, const lane *h, const active_rows *w, int low, int most,
                                lane shift[2]) {
    lane a = {0}, b = a, c = a, d = a, next = a;
    for (int k = low; k <= most; k++) {
        const mask here = w->last == k;
        const lane *r0 = h + ((k - 1) * places + k - 1), *r1 = r0 + places;
        a = lane_select(here, r0[0], a);
        b = lane_select(here, r0[1], b);
        c = lane_select(here, r1[0], c);
        d = lane_select(here, r1[1], d);
        next = lane_select(here, r0[-1], next);
    }
    const mask stuck = needs_other_shift(w->turn);
    if (lane_any(stuck)) {
        const lane off = lane_size(c) + lane_size(next), other = 0.75 * off + d;
        a = lane_select(stuck, other, a);
        d = lane_select(stuck, other, d);
        b = lane_select(stuck, -0.4375 * off, b);
        c = lane_select(stuck, off, c);
    }
    const lane half = 0.5 * (a - d), under = half * half + b * c;
    const mask paired = under < 0;
    const lane root = lane_root(lane_size(under));
    const lane far = half + like(root, half);
    shift[1] = lane_only(paired, root);
    shift[0] = lane_select(paired, d + half, d - lane_only(far != 0, b * c / far));
}

/* ---- Sweeps ---- */

/* A sweep: first row of each lane, and the vector x of the first reflection. */
typedef struct sweep {
    const active_rows *w;
    lane from, x[3];
} sweep;

/* x := the scaled vector of a sweep that starts at row k. Returns the lanes of `others` in which it may start
 * there: the product of two consecutive subdiagonal entries is negligible. */
static inline mask may_begin_at(int places, const lane *h, int k, const lane shift[2], mask others,
                                lane x[3]) {
    const lane *r0 = h + (k * places + k), *r1 = r0 + places, *r2 = r1 + places;
    const lane a = r0[0], c = r1[0], d = r1[1], away = a - shift[0];
    x[0] = away * away + shift[1] * shift[1] + r0[1] * c;
    x[1] = c * (away + (d - shift[0]));
    x[2] = c * r2[1];
    const lane sum = lane_size(x[0]) + lane_size(x[1]) + lane_size(x[2]);
    const lane size = lane_select(sum > 0, sum, lane_all(1.0));
    for (int i = 0; i < 3; i++) x[i] /= size;
    if (k == 0) return others;
    const lane *before = r0 - (places + 1);
    const lane side = lane_size(before[places]) * (lane_size(x[1]) + lane_size(x[2]));
    const lane along = lane_size(x[0]) * (lane_size(before[0]) + lane_size(a) + lane_size(d));
    return others & (side <= DBL_EPSILON * along);
}

/* Chooses the first row of the sweep in each lane: the last possible row. With entries up to F and shifts up
 * to 5 F, before scaling, `side` is at least the product of three subdiagonal entries, and `along` is below
 * 2^8 F^3. This usually suffices to exclude row k. */
static inline void choose_first_row(int places, const lane *h, int most, const lane shift[2], sweep *s) {
    const active_rows *w = s->w;
    const lane least = 0x1p10 * DBL_EPSILON * (w->size * w->size * w->size);
    const lane *entry = h + ((most - 1) * places + most - 2);
    int next = (places + 1);
    lane upper = lane_size(entry[0]), both = upper * lane_size((entry + next)[0]), x[3];
    mask open = w->open;
    s->from = s->x[0] = s->x[1] = s->x[2] = (lane){0};
    for (int k = most - 2; k >= 0; k--) {
        mask found = open & (w->first == k), others = open & lane_not(found);
        if (k > 0) {
            const lane above = lane_size((entry -= next)[0]);
            others &= (w->last >= k + 2.0) & lane_not(above * both > least);
            both = above * upper;
            upper = above;
        }
        if (!lane_any(found | others)) continue;
        found |= may_begin_at(places, h, k, shift, others, x);
        for (int i = 0; i < 3; i++) s->x[i] = lane_select(found, x[i], s->x[i]);
        s->from = lane_select(found, lane_all((double)k), s->from);
        open &= lane_not(found);
        if (!lane_any(open)) return;
    }
}

/* A reflection of three rows: I - tau v v', v = (1, v1, v2), t = tau v. */
typedef struct reflection {
    lane tau, v1, v2, t1, t2;
} reflection;

/* Computes the reflection that eliminates the bulge in column k - 1, or, at the start of the sweep, the
 * reflection of x. [in, out] below: three entries of that column from row k. */
LANE_INLINE reflection make_reflection(int k, const sweep *s, lane below[3]) {
    const lane row = lane_all((double)k);
    const mask here = s->w->open & (row >= s->from) & (row < s->w->last), later = here & (row > s->from),
               three = row <= s->w->last - 2.0;
    const lane x0 = lane_select(later, below[0], s->x[0]);
    const lane x1 = lane_select(later, below[1], s->x[1]);
    const lane x2 = lane_only(three, lane_select(later, below[2], s->x[2]));
    const lane rest = x1 * x1 + x2 * x2;
    const mask some = here & (rest != 0);
    const lane length = like(lane_root(x0 * x0 + rest), x0), sum = x0 + length;
    const lane divisor = lane_only(some, 1 / sum), tau = lane_only(some, sum / length);
    below[0] = lane_select(some & later, -length, below[0] * (1 - lane_only(lane_not(later), tau)));
    below[1] = below[2] = (lane){0};
    const lane v1 = x1 * divisor, v2 = x2 * divisor;
    return (reflection){tau, v1, v2, tau * v1, tau * v2};
}

/* Applies a reflection to three entries. */
LANE_INLINE void apply(const reflection *r, lane *a, lane *b, lane *c) {
    const lane sum = *a + r->v1 * *b + r->v2 * *c;
    *a -= r->tau * sum;
    *b -= r->t1 * sum;
    *c -= r->t2 * sum;
}

/* Two reflections, starting at rows k and k + 1. */
typedef struct reflection_pair {
    int k;
    reflection one, two;
} reflection_pair;

/* Applies both to `count` groups of four entries. Entries of a group are `apart` apart, groups `step`. */
LANE_INLINE void apply_pair(const reflection_pair *both, lane *entries, int count, int step, int apart) {
    const reflection one = both->one, two = both->two;
    for (int i = 0; i < count; i++, entries += step) {
        lane a = entries[0], b = entries[apart], c = entries[2 * apart], d = entries[3 * apart];
        apply(&one, &a, &b, &c);
        apply(&two, &b, &c, &d);
        entries[0] = a;
        entries[apart] = b;
        entries[2 * apart] = c;
        entries[3 * apart] = d;
    }
}

/* Apply both to the columns right of the bulge and to the rows above it. */
static inline void apply_right_of_bulge(const reflection_pair *both, int places, lane *h, int last) {
    int k = both->k;
    apply_pair(both, h + (k * places + k + 5), last - k - 4, 1, places);
}

static inline void apply_above_bulge(const reflection_pair *both, int places, lane *h, int first) {
    int k = both->k;
    apply_pair(both, h + (first * places + k), k - first, places, 1);
}

/* The block e, five rows and columns around the bulge, stays in registers. Initially three rows and columns
 * are loaded. */
LANE_INLINE void load_first_block(lane e[5][5], const lane *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) e[i + 2][j + 2] = corner[i * places + j];
}

/* Advances the block by two rows and columns. */
LANE_INLINE void advance_block(lane e[5][5], const lane *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) e[i][j] = e[i + 2][j + 2];
    for (int i = 0; i < 5; i++)
        for (int j = 3; j < 5; j++) e[i][j] = corner[i * places + j];
    for (int j = 0; j < 3; j++) e[3][j] = e[4][j] = (lane){0};
    e[3][2] = corner[3 * places + 2];
}

/* Stores the two rows that leave the block; their columns contain 0, or `below`, beneath them. */
LANE_INLINE void store_passed_rows(const lane e[5][5], lane *corner, int places) {
    for (int i = 0; i < 2; i++)
        for (int j = i; j < 5; j++) corner[i * places + j] = e[i][j];
    corner[places] = e[1][0];
}

LANE_INLINE void store_last_block(const lane e[5][5], lane *corner, int places) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) corner[i * places + j] = e[i + 2][j + 2];
}

/* Runs a sweep. After `last` there are zeros, or entries that all lanes have finished with. Operands of the
 * next reflection are updated first, the rest during its square root. */
static inline void chase(int places, lane *h, int first, int last, const sweep *s) {
    reflection_pair before = {.k = -1}, both;
    int k = smallest_row_of(s->w->open, s->from, last), next = (places + 1);
    lane e[5][5], below[3] = {(lane){0}, (lane){0}, (lane){0}};
    lane *corner = h + k * next;
    if (k > 0) below[0] = corner[-1];
    load_first_block(e, corner, places);
    both.one = make_reflection(k, s, below);
    for (; k < last; k += 2, corner += 2 * next) {
        const bool more = k + 2 < last;
        both.k = k;
        if (k > 0) corner[-1] = below[0];
        if (before.k >= 0) apply_right_of_bulge(&before, places, h, last);
        advance_block(e, corner, places);
        for (int j = 0; j < 3; j++) apply(&both.one, &e[0][j], &e[1][j], &e[2][j]);
        for (int i = 1; i < 3; i++) apply(&both.one, &e[i][0], &e[i][1], &e[i][2]);
        if (more) apply(&both.one, &e[3][0], &e[3][1], &e[3][2]);
        for (int i = 0; i < 3; i++) below[i] = e[i + 1][0];
        both.two = k + 1 < last ? make_reflection(k + 1, s, below) : (reflection){.tau = (lane){0}};
        e[1][0] = below[0];
        for (int j = 3; j < 5 && more; j++) apply(&both.one, &e[0][j], &e[1][j], &e[2][j]);
        apply(&both.one, &e[0][0], &e[0][1], &e[0][2]);
        if (before.k >= 0) apply_above_bulge(&before, places, h, first);
        before = both;
        for (int j = 1; j < 3; j++) apply(&both.two, &e[1][j], &e[2][j], &e[3][j]);
        if (more) apply(&both.two, &e[1][3], &e[2][3], &e[3][3]);
        apply(&both.two, &e[2][1], &e[2][2], &e[2][3]);
        for (int i = 3; i < 5 && more; i++) apply(&both.two, &e[i][1], &e[i][2], &e[i][3]);
        for (int i = 0; i < 3; i++) below[i] = e[i + 2][1];
        if (more) both.one = make_reflection(k + 2, s, below);
        if (more) apply(&both.two, &e[1][4], &e[2][4], &e[3][4]);
        for (int i = 0; i < 2; i++) apply(&both.two, &e[i][1], &e[i][2], &e[i][3]);
        store_passed_rows((const lane(*)[5])e, corner, places);
    }
    corner[-1] = below[0];
    store_last_block((const lane(*)[5])e, corner, places);
    apply_right_of_bulge(&before, places, h, last);
    apply_above_bulge(&before, places, h, first);
}

/* Runs the iteration. Returns the lanes of `alive` with convergence. norm: Frobenius norm. */
static inline mask francis(int n, int places, lane *h, lane norm, mask alive) {
    const double most = eigen_turns_most(n);
    active_rows w = {(lane){0}, lane_all(n - 1.0), (lane){0}, (lane){0}, norm, lane_all(most), alive};
    sweep s = {.w = &w};
    for (int i = 0; i < n; i++)
        for (int j = i > 0 ? i - 1 : 0; j < n; j++)
            w.largest = lane_larger(w.largest, lane_size(h[i * places + j]));
    for (;;) {
        lane shift[2];
        deflate(places, h, &w);
        const mask failed = w.open & (w.turn == 2 * w.most);
        alive &= lane_not(failed);
        w.open &= lane_not(failed);
        if (!lane_any(w.open)) return alive;
        int first = smallest_row_of(w.open, w.first, n), last = largest_row_of(w.open, w.last);
        choose_shift(places, h, &w, smallest_row_of(w.open, w.last, n), last, shift);
        w.turn += 1.0;
        choose_first_row(places, h, last, shift, &s);
        chase(places, h, first, last, &s);
    }
}

/* ---- Eigenvalues ---- */

/* Computes eigenvalues of the diagonal blocks; a nonzero subdiagonal entry marks a block of two rows. */
static inline void read_off(int n, int places, const lane *h, lane *re, lane *im) {
    mask second = {0};
    lane second_re = {0}, second_im = {0};
    for (int k = 0; k < n; k++) {
        const lane *r0 = h + (k * places + k), *r1 = r0 + places;
        const lane a = r0[0];
        re[k] = lane_select(second, second_re, a);
        im[k] = lane_only(second, second_im);
        if (k + 1 == n) return;
        const mask two = n == 2 ? a == a : r1[0] != 0;
        second = two;
        if (!lane_any(two)) continue;
        const lane d = r1[1], bc = r0[1] * r1[0], half = 0.5 * (a - d), under = half * half + bc;
        const mask paired = under < 0;
        const lane root = lane_root(lane_size(under));
        const lane far = half + like(root, half);
        const mask alike = paired | (far == 0);
        re[k] = lane_select(two, d + lane_select(alike, half, far), re[k]);
        im[k] = lane_select(two & paired, root, im[k]);
        second_re = lane_select(alike, d + half, d - bc / far);
        second_im = lane_only(paired, -root);
    }
}

/* Frobenius norm, in four independent partial sums. */
lane OF_WIDTH(eigen_frobenius)(int n, const lane *h) {
    lane sums[4] = {(lane){0}, (lane){0}, (lane){0}, (lane){0}};
    int whole = n * n / 4 * 4;
    for (int e = 0; e < whole; e += 4)
        for (int k = 0; k < 4; k++) sums[k] += h[e + k] * h[e + k];
    for (int e = whole; e < n * n; e++) sums[0] += h[e] * h[e];
    return lane_root((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

mask OF_WIDTH(eigen_find_values)(int n, const lane *a, lane norm, mask open, lane *re, lane *im, lane *work) {
    if (n == 2) {
        read_off(n, n, a, re, im);
        return open;
    }
    lane *h = work + n;
    int places = places_of(n);
    give_space(n, a, h);
    OF_WIDTH(eigen_reduce)(n, places, h, work);
    open = francis(n, places, h, norm, open);
    read_off(n, places, h, re, im);
    return open;
}

/* Lanes whose entries, with this norm, require no scaling before squaring. */
static inline mask is_moderate(int n, const lane *h, lane norm) {
    lane largest = {0};
    for (int e = 0; e < n * n; e++) largest = lane_larger(largest, lane_size(h[e]));
    return (norm < EIGEN_SCALE_MOST) & (largest > EIGEN_SCALE_LEAST);
}

static inline mask component_values(int n, lane *h, mask alive, lane *re, lane *im, lane *norm, lane *work) {
    if (n == 1) {
        *re = *h;
        *im = (lane){0};
        *norm = lane_size(*h);
        return alive;
    }
    alive = OF_WIDTH(eigen_balance)(n, h, alive, work);
    *norm = OF_WIDTH(eigen_frobenius)(n, h);
    return OF_WIDTH(eigen_find_values)(n, h, *norm, alive & is_moderate(n, h, *norm), re, im, work);
}

static void find_all(int n, double *a, const eigen_lanes_components *components, eigen_lanes_found *found,
                     double *work) {
    lane *component = lane_in(work), *space = component + n * n, *norm = lane_in(found->norm);
    lane *re = lane_in(found->re), *im = lane_in(found->im);
    mask alive = is_regular(n, lane_in(a), components->rows);
    const int *list = components->list;
    for (int p = 0; p < components->count && lane_any(alive); p++) {
        int size = components->sizes[p];
        lane *x = take_component(n, lane_in(a), components, list, size, component);
        alive = component_values(size, x, alive, re, im, norm + p, space);
        re += size;
        im += size;
        list += size;
    }
    lane_tell(alive, found->known);
}

/* ---- Position relative to the limit ---- */

/* Distance beyond the limit that no eigenvalue near the limit exceeds, whatever its condition. If another
 * eigenvalue is further out, it determines the excess, and the conditions do not matter. */
static inline lane outweighs_at(int n, lane norm) {
    return (3 * eigen_vicinity(n) + EIGEN_FURTHEST) * norm;
}

static void compare_to_circle(const eigen_lanes_components *components, eigen_lanes_found *found) {
    mask near = {0};
    lane outweighs = {0};
    const lane *re = lane_of(found->re), *im = lane_of(found->im), *norms = lane_of(found->norm);
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        const lane distance = eigen_vicinity(n) * norms[p], below = lane_larger(1 - distance, (lane){0}),
                   low = below * below, above = 1 + distance, high = above * above;
        lane largest = {0};
        for (int i = 0; i < n; i++, re++, im++) {
            const lane square = *re * *re + *im * *im;
            largest = lane_larger(square, largest);
            if (n > 1) near |= (square >= low) & (square <= high);
        }
        lane_in(found->largest_square)[p] = largest;
        outweighs = lane_larger(outweighs_at(n, norms[p]), outweighs);
    }
    *lane_in(found->outweighs) = outweighs;
    lane_tell(near, found->near_circle);
}

static void compare_to_axis(int size, const double *a, const eigen_lanes_components *components,
                            const eigen_lanes_found *found, double entry_error, eigen_where *where) {
    mask near = {0};
    lane outweighs = {0}, least = lane_all((double)INFINITY), furthest = -least, most = furthest,
         sure = furthest;
    const lane *re = lane_of(found->re), *im = lane_of(found->im), *norms = lane_of(found->norm);
    bool inside[W], outside[W];
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        const lane distance = eigen_vicinity(n) * norms[p],
                   slack = (n + entry_error) * DBL_EPSILON * norms[p];
        lane rightmost = lane_all(-(double)INFINITY);
        for (int i = 0; i < n; i++, re++, im++) {
            least = lesser(*re * *re + *im * *im, least);
            rightmost = lane_larger(*re, rightmost);
            if (n > 1) near |= lane_size(*re) <= 1.001 * distance;
        }
        furthest = lane_larger(rightmost, furthest);
        most = lane_larger(rightmost + slack, most);
        sure = lane_larger(rightmost - slack, sure);
        outweighs = lane_larger(outweighs_at(n, norms[p]), outweighs);
    }
    const lane zero = 1.001 * eigen_vicinity(size) * OF_WIDTH(eigen_frobenius)(size, lane_of(a));
    const mask known = (least > zero * zero) & (lane_not(near) | (furthest > outweighs));
    lane_tell(known & (most < 0), inside);
    lane_tell(known & (sure > 0), outside);
    for (int l = 0; l < W; l++)
        where[l] = inside[l] ? EIGEN_INSIDE : outside[l] ? EIGEN_OUTSIDE : EIGEN_UNKNOWN;
}

const eigen_kernels OF_WIDTH(eigen_kernels) = {.width = W,
                                               .side = OF_WIDTH(eigen_side),
                                               .left_of_axis = OF_WIDTH(eigen_left_of_axis),
                                               .values = find_all,
                                               .circle = compare_to_circle,
                                               .axis = compare_to_axis};
