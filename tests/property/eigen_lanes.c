/* A lane does not feel its neighbours: verdicts and eigenvalues in the lanes of vectors are those of matrices
 * one by one, of many matrices of all sizes and kinds, each in vectors of every width that this machine has.
 * (tests/unit/eigen.c tests whether they are right.) */
#include "method/eigen_lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/eigen_components.h"
#include "support.h"

enum { KINDS = 15, N = EIGEN_LANES_MOST };

static bool zero(uint64_t seed, int i, int j) {
    return ((seed >> ((i * 7 + j * 3) % 61)) & 1) != 0;
}

/* A matrix of a batch. `strength` decides the side; what has zeros has them at places that `seed` gives. */
static void fill(rng *r, int n, int kind, uint64_t seed, double strength, double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = &a[i * n + j], any = rng_uniform(r, -1, 1);
            *entry = strength * any;
            if (kind == 1) *entry = (i == j) + 0.1 * strength * any; /* a short macro step */
            if (kind == 2) *entry *= pow(10, (i - j) % 7);           /* other units */
            if (kind == 3 && zero(seed, i, j)) *entry = 0;           /* parts */
            if (kind == 4 && j < i) *entry = 0;                      /* triangular */
            if (kind == 5) *entry *= pow(2, rng_int(r, -12, 12));
            if (kind == 6 && rng_int(r, 0, 40) == 0) *entry = 1e300 * any * any; /* overflows, and zeros */
        }
    for (int i = 0; i < n && kind > 6; i++)
        for (int j = 0; j < n; j++) {
            double *entry = &a[i * n + j], any = rng_uniform(r, -1, 1);
            if (kind == 7) *entry = zero(seed, i, j) ? 0 : any < 0 ? -1 : 1; /* multiple eigenvalues */
            if (kind == 8) *entry = i == j + 1 ? 1 : j == n - 1 ? strength * any : 0; /* a companion matrix */
            /* a Jordan block that rounding opens, a rotation of all states, rows of falling size */
            if (kind == 9) *entry = i == j ? 1 : j == i + 1 ? 1 : i == n - 1 && j == 0 ? 1e-9 * any : 0;
            if (kind == 10) *entry = i == (j + 1) % n ? 1 : 0;
            if (kind == 11) *entry = strength * any * pow(4, -(i % 8));
            if (kind == 12) *entry *= ldexp(1, 450 * (i % 3 - j % 3)); /* units further apart */
            if (kind == 14)
                *entry = 1e5 * cos(2 * acos(-1) * j / n) + 20 * strength / n; /* a value next to 0 */
            if (kind == 13) *entry *= 0x1p399; /* at the size from which on squares may overflow */
        }
    if (kind == 6 && rng_int(r, 0, 3) == 0) a[rng_int(r, 0, n * n - 1)] = rng_int(r, 0, 1) ? (double)NAN : 0;
}

typedef struct counts {
    size_t matrices, known[3], left; /* left: the lanes do not know what the scalar code knows */
    size_t values, without;          /* matrices whose eigenvalues they know, and those that they leave */
    size_t clear, leftmost; /* all eigenvalues are far left of the axis; left of it, as the lanes say */
} counts;

/* Results with one vector width. */
typedef struct width {
    const eigen_kernels *kernels;
    eigen_lanes_components parts;
    counts found[KINDS];
} width;

/* The eigenvalues of a matrix alone. */
typedef struct values {
    bool known;
    double re[N], im[N];
    eigen_component_norm components[N];
} values;

static width widths[3]; /* those of this machine: 2, 4, 8 */
static int width_count;
static values alone[LANES_MOST];
static _Alignas(64) double one[LANES_MOST][N * N], batch[N * N * LANES_MOST], work[6 * N * N * LANES_MOST];
static int iwork[8 * N];

/* The matrices from `first` on. */
static void put_batch(int count, int n, int first) {
    for (int l = 0; l < count; l++)
        for (int e = 0; e < n * n; e++) batch[e * count + l] = one[first + l][e];
}

static bool is_finite(int n, const double *a) {
    bool finite = true;
    for (int e = 0; e < n * n; e++) finite = finite && isfinite(a[e]);
    return finite;
}

static void find_alone(int n, int l) {
    values *v = &alone[l];
    v->known = is_finite(n, one[l]) &&
               eigen_find(n, one[l], &(eigen_list){.re = v->re, .im = v->im, .components = v->components},
                          work, iwork);
}

/* Every eigenvalue, and the norm of its part, are the same to the last bit. */
static void compare_values(width *w, int n, int kind, int first) {
    static _Alignas(64) double re[N * LANES_MOST], im[N * LANES_MOST], norm[N * LANES_MOST];
    eigen_lanes_found all = {.re = re, .im = im, .norm = norm};
    const int count = w->kernels->width;
    put_batch(count, n, first);
    eigen_lanes_values(w->kernels, n, batch, &w->parts, &all, work, iwork);
    for (int l = 0; l < count; l++) {
        const values *v = &alone[first + l];
        w->found[kind].values += all.known[l];
        w->found[kind].without += !all.known[l];
        if (!all.known[l]) continue;
        assert_true(v->known);
        for (int p = 0, i = 0; p < w->parts.count; p++)
            for (int end = i + w->parts.sizes[p]; i < end; i++) {
                check_true(re[i * count + l] == v->re[i] && im[i * count + l] == v->im[i],
                           "n %d, kind %d: (%a, %a) in lane %d, (%a, %a) alone", n, kind, re[i * count + l],
                           im[i * count + l], l, v->re[i], v->im[i]);
                assert_true(v->components[i].n == w->parts.sizes[p] &&
                            v->components[i].norm == norm[p * count + l]);
            }
    }
}

/* Does what a lane says hold for all eigenvalues that eigen_find finds, with their vicinity to spare? */
static bool holds(int n, int l, eigen_where where) {
    const values *v = &alone[l];
    bool all = true, one_out = false;
    find_alone(n, l);
    for (int i = 0; i < n && v->known; i++) {
        double beyond = eigen_beyond(EIGEN_CIRCLE, v->re[i], v->im[i]),
               vicinity = eigen_vicinity(v->components[i].n) * v->components[i].norm;
        all = all && beyond < -vicinity;
        one_out = one_out || beyond > vicinity;
    }
    return v->known && (where == EIGEN_INSIDE ? all : one_out);
}

/* Moves the eigenvalues of a matrix to the left, some just so far that they lie near the axis. sure: they are
 * left of it with room to spare; clear: far left. */
static void move_left(rng *r, int n, int l, bool *sure, bool *clear) {
    const values *v = &alone[l];
    double *a = one[l], furthest = -INFINITY, size = 0, square = 0;
    *sure = *clear = false;
    find_alone(n, l);
    if (!v->known) return;
    for (int i = 0; i < n; i++) furthest = fmax(furthest, v->re[i]);
    for (int e = 0; e < n * n; e++) size = fmax(size, fabs(a[e]));
    double near = rng_int(r, 0, 1) == 0 ? pow(10, rng_uniform(r, -18, -1)) : rng_uniform(r, 0.1, 1);
    for (int i = 0; i < n; i++) a[i * n + i] -= furthest + near * size;
    find_alone(n, l);
    if (!v->known) return;
    *sure = *clear = true;
    for (int e = 0; e < n * n; e++) square += a[e] * a[e];
    for (int i = 0; i < n; i++) {
        double norm = v->components[i].norm;
        *sure = *sure && v->re[i] < -eigen_vicinity(v->components[i].n) * norm &&
                hypot(v->re[i], v->im[i]) > eigen_vicinity(n) * sqrt(square);
        *clear = *clear && v->re[i] < -0.1 * norm && v->re[i] < -0.1 * sqrt(square);
    }
}

/* Points that are called left of the axis are so for what eigen_find finds, with room to spare. */
static void compare_left(rng *r, int n, int kind) {
    bool left[LANES_MOST], sure[LANES_MOST], clear[LANES_MOST];
    for (int l = 0; l < LANES_MOST; l++) move_left(r, n, l, &sure[l], &clear[l]);
    for (width *w = widths; w < widths + width_count; w++)
        for (int first = 0, count = w->kernels->width; first < LANES_MOST; first += count) {
            put_batch(count, n, first);
            eigen_lanes_left_of_axis(w->kernels, n, batch, &w->parts, left, work, iwork);
            for (int l = 0; l < count; l++) {
                check_true(!left[l] || sure[first + l], "n %d: not left of the axis in lane %d", n, l);
                w->found[kind].leftmost += left[l];
                w->found[kind].clear += clear[first + l];
            }
        }
}

/* Scales a matrix so that its spectral radius is near 1, on either side. */
static void move_to_circle(rng *r, int n, double *a) {
    static double re[N], im[N];
    double radius = 0, distance = pow(10, rng_uniform(r, -17, -1));
    if (!is_finite(n, a) || !eigen_values(n, a, re, im, work, iwork)) return;
    for (int i = 0; i < n; i++) radius = fmax(radius, hypot(re[i], im[i]));
    if (!(radius > 1e-3 && radius < 1e3)) return;
    for (int e = 0; e < n * n; e++) a[e] *= (rng_int(r, 0, 1) == 0 ? 1 - distance : 1 + distance) / radius;
}

/* `side`: what the scalar code says of the matrices from `first` on. */
static void compare_sides(width *w, int n, int kind, int first, const eigen_where *side) {
    counts *found = &w->found[kind];
    eigen_where where[LANES_MOST];
    put_batch(w->kernels->width, n, first);
    eigen_lanes_side(w->kernels, n, batch, &w->parts, where, work, iwork);
    for (int l = 0; l < w->kernels->width; l++) {
        bool fine = where[l] == side[l] || where[l] == EIGEN_UNKNOWN ||
                    (side[l] == EIGEN_UNKNOWN && holds(n, first + l, where[l]));
        check_true(fine, "n %d, kind %d: %d in lane %d, %d alone", n, kind, (int)where[l], l, (int)side[l]);
        found->matrices++;
        found->known[where[l]]++;
        found->left += where[l] == EIGEN_UNKNOWN && side[l] != EIGEN_UNKNOWN;
    }
}

static void compare(rng *r, int n, int kind) {
    assert_true(eigen_lanes_work(LANES_MOST, n) <= sizeof work / sizeof *work);
    uint64_t seed = rng_bits(r) & rng_bits(r);
    double strength = rng_uniform(r, 0.2, 3) / sqrt(n);
    eigen_where side[LANES_MOST];
    for (int l = 0; l < LANES_MOST; l++) fill(r, n, kind, seed, strength, one[l]);
    for (int l = 0, some = rng_int(r, 0, 3); l < LANES_MOST && some == 0; l++) move_to_circle(r, n, one[l]);
    for (int l = 0; l < LANES_MOST; l++)
        side[l] = is_finite(n, one[l]) ? eigen_side(n, one[l], work, iwork) : EIGEN_UNKNOWN;
    for (width *w = widths; w < widths + width_count; w++)
        for (int first = 0; first < LANES_MOST; first += w->kernels->width)
            compare_sides(w, n, kind, first, side + first);
    if (rng_int(r, 0, 1) == 0) {
        for (int l = 0; l < LANES_MOST; l++) find_alone(n, l);
        for (width *w = widths; w < widths + width_count; w++)
            for (int first = 0; first < LANES_MOST; first += w->kernels->width)
                compare_values(w, n, kind, first);
    }
    if (rng_int(r, 0, 3) == 0) compare_left(r, n, kind);
}

static void check_width(const width *w, size_t least) {
    size_t matrices = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const counts *c = &w->found[kind];
        printf("# %d doubles, kind %d: %zu matrices, %zu inside, %zu outside, %zu left to the scalar code; "
               "eigenvalues of %zu; %zu left of the axis, %zu far\n",
               w->kernels->width, kind, c->matrices, c->known[EIGEN_INSIDE], c->known[EIGEN_OUTSIDE], c->left,
               c->values, c->leftmost, c->clear);
        matrices += c->matrices;
        if (kind < 7) assert_true(c->known[EIGEN_INSIDE] > 0 && c->known[EIGEN_OUTSIDE] > 0);
        /* Other zeros in each lane, and units that are very far apart, are not for lanes. */
        if (kind < 6 || (kind > 6 && kind < 12)) assert_true(100 * c->left <= c->matrices);
        assert_true(c->values > 0);
        if (kind < 2) assert_true(c->clear > 0 && c->leftmost >= c->clear);
        if (kind < 6 || kind == 8) assert_true(100 * c->without <= c->values);
    }
    assert_true(matrices >= least);
}

TEST(test_lanes) {
    rng r = rng_start("verdicts in lanes");
    for (int w = 2; w <= LANES_MOST; w *= 2)
        if (lanes_has(w)) widths[width_count++] = (width){.kernels = LANES_OF(w, eigen_kernels)};
    for (size_t i = 0; i < effort(10000); i++) {
        int small = rng_int(&r, 0, 60);
        compare(&r, small > 0 ? 1 + small % 6 : rng_int(&r, 7, EIGEN_LANES_MOST), (int)(i % KINDS));
    }
    for (int w = 0; w < width_count; w++) check_width(&widths[w], effort(10000) * LANES_MOST);
}
