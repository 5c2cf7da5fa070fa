/* Verdicts and eigenvalues in the lanes of vectors are those of matrices one by one: a million matrices of
 * all sizes and kinds, in vectors of every width that this machine has. */
#include "method/eigen_lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/eigen_parts.h"
#include "support.h"

enum { KINDS = 13, N = EIGEN_LANES_MOST };

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
        }
    if (kind == 6 && rng_int(r, 0, 3) == 0) a[rng_int(r, 0, n * n - 1)] = rng_int(r, 0, 1) ? (double)NAN : 0;
}

typedef struct counts {
    size_t matrices, known[3], left; /* left: the lanes do not know what the scalar code knows */
    size_t values, without;          /* matrices whose eigenvalues they know, and those that they leave */
    size_t clear, leftmost; /* all eigenvalues are far left of the axis; left of it, as the lanes say */
} counts;

static double one[LANES][N * N], batch[N * N * LANES], work[6 * N * N * LANES];
static int iwork[8 * N];

static void put_all(int n) {
    for (int l = 0; l < LANES; l++)
        for (int e = 0; e < n * n; e++) batch[e * LANES + l] = one[l][e];
}

static bool is_finite(int n, const double *a) {
    bool finite = true;
    for (int e = 0; e < n * n; e++) finite = finite && isfinite(a[e]);
    return finite;
}

/* Every eigenvalue, and the norm of its part, are the same to the last bit. */
static void compare_values(lanes_set set, int n, int kind, eigen_lanes_parts *parts, counts *found) {
    static double re[N * LANES], im[N * LANES], norm[N * LANES], alone_re[N], alone_im[N];
    static eigen_home home[N];
    eigen_lanes_found all = {.re = re, .im = im, .norm = norm};
    put_all(n);
    eigen_lanes_values(set, n, batch, parts, &all, work, iwork);
    for (int l = 0; l < LANES; l++) {
        found->values += all.known[l];
        found->without += !all.known[l];
        if (!all.known[l]) continue;
        assert_true(is_finite(n, one[l]));
        assert_true(
            eigen_find(n, one[l], &(eigen_list){.re = alone_re, .im = alone_im, .home = home}, work, iwork));
        for (int p = 0, i = 0; p < parts->count; p++)
            for (int end = i + parts->sizes[p]; i < end; i++) {
                check_true(re[i * LANES + l] == alone_re[i] && im[i * LANES + l] == alone_im[i],
                           "n %d, kind %d: (%a, %a) in lane %d, (%a, %a) alone", n, kind, re[i * LANES + l],
                           im[i * LANES + l], l, alone_re[i], alone_im[i]);
                assert_true(home[i].n == parts->sizes[p] && home[i].norm == norm[p * LANES + l]);
            }
    }
}

/* Does what a lane says hold for all eigenvalues that eigen_find finds, with their vicinity to spare? */
static bool holds(int n, const double *a, eigen_where where) {
    static double re[N], im[N];
    static eigen_home home[N];
    bool all = true, one_out = false;
    if (!eigen_find(n, a, &(eigen_list){.re = re, .im = im, .home = home}, work, iwork)) return false;
    for (int i = 0; i < n; i++) {
        double beyond = eigen_beyond(EIGEN_CIRCLE, re[i], im[i]),
               vicinity = eigen_vicinity(home[i].n) * home[i].norm;
        all = all && beyond < -vicinity;
        one_out = one_out || beyond > vicinity;
    }
    return where == EIGEN_INSIDE ? all : one_out;
}

/* Eigenvalues are moved to the left, some just so far that they lie near the axis; what is then said to be
 * left of it is so for what eigen_find finds, with room to spare. */
static void compare_left(rng *r, lanes_set set, int n, eigen_lanes_parts *parts, counts *found) {
    static double re[N], im[N];
    static eigen_home home[N];
    bool left[LANES], known[LANES], sure[LANES];
    for (int l = 0; l < LANES; l++) {
        double *a = one[l], furthest = -INFINITY, size = 0, square = 0;
        known[l] = sure[l] = false;
        if (!is_finite(n, a)) continue;
        const eigen_list list = {.re = re, .im = im, .home = home};
        if (!eigen_find(n, a, &list, work, iwork)) continue;
        for (int i = 0; i < n; i++) furthest = fmax(furthest, re[i]);
        for (int e = 0; e < n * n; e++) size = fmax(size, fabs(a[e]));
        double near = rng_int(r, 0, 1) == 0 ? pow(10, rng_uniform(r, -18, -1)) : rng_uniform(r, 0.1, 1);
        for (int i = 0; i < n; i++) a[i * n + i] -= furthest + near * size;
        if (!is_finite(n, a)) continue;
        known[l] = eigen_find(n, a, &list, work, iwork);
        sure[l] = known[l];
        bool clear = true;
        for (int e = 0; e < n * n; e++) square += a[e] * a[e];
        for (int i = 0; i < n; i++) {
            sure[l] = sure[l] && re[i] < -eigen_vicinity(home[i].n) * home[i].norm &&
                      hypot(re[i], im[i]) > eigen_vicinity(n) * sqrt(square);
            clear = clear && re[i] < -0.1 * home[i].norm && re[i] < -0.1 * sqrt(square);
        }
        found->clear += known[l] && clear;
    }
    put_all(n);
    eigen_lanes_left(set, n, batch, parts, left, work, iwork);
    for (int l = 0; l < LANES; l++) {
        check_true(!left[l] || sure[l], "n %d: not left of the axis in lane %d", n, l);
        found->leftmost += left[l];
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

static void compare(rng *r, lanes_set set, int n, int kind, eigen_lanes_parts *parts, counts *found) {
    assert_true(eigen_lanes_work(n) <= sizeof work / sizeof *work);
    uint64_t seed = rng_bits(r) & rng_bits(r);
    double strength = rng_uniform(r, 0.2, 3) / sqrt(n);
    for (int l = 0; l < LANES; l++) fill(r, n, kind, seed, strength, one[l]);
    for (int l = 0, some = rng_int(r, 0, 3); l < LANES && some == 0; l++) move_to_circle(r, n, one[l]);
    put_all(n);
    eigen_where where[LANES];
    eigen_lanes_side(set, n, batch, parts, where, work, iwork);
    for (int l = 0; l < LANES; l++) {
        eigen_where alone = is_finite(n, one[l]) ? eigen_side(n, one[l], work, iwork) : EIGEN_UNKNOWN;
        bool fine = where[l] == alone || where[l] == EIGEN_UNKNOWN ||
                    (alone == EIGEN_UNKNOWN && holds(n, one[l], where[l]));
        check_true(fine, "n %d, kind %d: %d in lane %d, %d alone", n, kind, (int)where[l], l, (int)alone);
        found->matrices++;
        found->known[where[l]]++;
        found->left += where[l] == EIGEN_UNKNOWN && alone != EIGEN_UNKNOWN;
    }
    if (rng_int(r, 0, 1) == 0) compare_values(set, n, kind, parts, found);
    if (rng_int(r, 0, 3) == 0) compare_left(r, set, n, parts, found);
}

static void test_lanes(void **state) {
    (void)state;
    for (int set = 0; set < LANES_SETS; set++) {
        if (!lanes_has((lanes_set)set)) continue;
        rng r = rng_start("verdicts in lanes");
        eigen_lanes_parts parts = {.n = 0};
        counts found[KINDS] = {{0}}, all = {0};
        for (size_t i = 0; i < effort(42000); i++) {
            int kind = (int)(i % KINDS), small = rng_int(&r, 0, 60);
            int n = small > 0 ? 1 + small % 6 : rng_int(&r, 7, EIGEN_LANES_MOST);
            compare(&r, (lanes_set)set, n, kind, &parts, &found[kind]);
        }
        for (int kind = 0; kind < KINDS; kind++) {
            const counts *c = &found[kind];
            printf(
                "# %d doubles, kind %d: %zu matrices, %zu inside, %zu outside, %zu left to the scalar code; "
                "eigenvalues of %zu; %zu left of the axis, %zu far\n",
                2 << set, kind, c->matrices, c->known[EIGEN_INSIDE], c->known[EIGEN_OUTSIDE], c->left,
                c->values, c->leftmost, c->clear);
            all.matrices += c->matrices;
            if (kind < 7) assert_true(c->known[EIGEN_INSIDE] > 0 && c->known[EIGEN_OUTSIDE] > 0);
            /* Other zeros in each lane, and units far apart, are not for lanes. */
            if (kind < 5 && kind != 2) assert_true(100 * c->left <= c->matrices);
            assert_true(c->values > 0);
            if (kind < 2) assert_true(c->clear > 0 && c->leftmost >= c->clear);
            if (kind < 6 || kind == 8) assert_true(100 * c->without <= c->values);
        }
        assert_true(all.matrices >= effort(42000) * LANES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
