/* Eigenvalues of small matrices and norms of resolvents, against singular values by LAPACK and against
 * matrices whose eigenvalues are known. */
#include "method/eigen.h"
#include "method/eigen_components.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "support.h"

#define PI 3.14159265358979323846

enum { MOST = 44 };

typedef struct solved {
    double re[MOST], im[MOST];
    double work[6 * MOST * MOST + 140 * MOST];
    int iwork[8 * MOST];
} solved;

static void solve(solved *s, int n, const double *a) {
    assert_true(eigen_work(n) <= sizeof s->work / sizeof *s->work);
    assert_true(eigen_iwork(n) <= sizeof s->iwork / sizeof *s->iwork);
    assert_true(eigen_values(n, a, s->re, s->im, s->work, s->iwork));
}

static double norm_of(int n, const double *a) {
    double norm = 0;
    for (int e = 0; e < n * n; e++) norm = hypot(norm, a[e]);
    return norm;
}

/* The least singular value of a - (re + i im) I, from the real matrix of twice the size. */
static double least_singular(int n, const double *a, double re, double im) {
    static double big[4 * MOST * MOST], values[2 * MOST], rest[2 * MOST];
    int m = 2 * n;
    memset(big, 0, sizeof big);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double entry = a[i * n + j] - (i == j ? re : 0);
            big[i * m + j] = big[(n + i) * m + n + j] = entry;
        }
        big[i * m + n + i] = im;
        big[(n + i) * m + i] = -im;
    }
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', m, m, big, m, values, NULL, 1, NULL, 1, rest),
                     0);
    return values[m - 1];
}

static void fill(rng *r, int n, int kind, double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = &a[i * n + j], any = rng_uniform(r, -1, 1);
            switch (kind) {
            case 0:
                *entry = any;
                break;
            case 1:
                *entry = (i == j) + 1e-3 * any;
                break; /* a short macro step */
            case 2:
                *entry = (i == j) + 1e-12 * any;
                break;
            case 3:
                *entry = rng_int(r, 0, 2) == 0 ? any : 0;
                break; /* falls into components */
            case 4:
                *entry = j > i - 2 ? any : 0;
                break; /* a Hessenberg matrix */
            case 5:
                *entry = i == (j + 1) % n ? 1 : 0;
                break; /* roots of unity */
            case 6:
                *entry = rng_int(r, -1, 1);
                break; /* multiple eigenvalues */
            default:
                *entry = i == j + 1 ? 1 : j == n - 1 ? any : 0;
                break; /* a companion matrix */
            }
        }
}

/* Each eigenvalue is one of a matrix near by, and together they have the trace of a and of a^2. A
 * perturbation moves the trace of a^2 by no more than 2 n ||E|| ||a||. Of 100 eps ||a|| some ten are seen. */
TEST(test_backward) {
    static solved s;
    static double a[MOST * MOST];
    rng r = rng_start("backward");
    for (int turn = 0; turn < (int)effort(600); turn++) {
        int n = turn % 40 < 39 ? 1 + turn % 12 : 13 + rng_int(&r, 0, MOST - 13), kind = rng_int(&r, 0, 7);
        fill(&r, n, kind, a);
        solve(&s, n, a);
        double norm = norm_of(n, a);
        real bound = 100 * DBL_EPSILON * (real)norm, trace = 0, square = 0, sum = 0, sum2 = 0;
        for (int i = 0; i < n; i++) {
            trace += (real)a[i * n + i];
            sum += (real)s.re[i];
            sum2 += (real)s.re[i] * s.re[i] - (real)s.im[i] * s.im[i];
            for (int j = 0; j < n; j++) square += (real)a[i * n + j] * a[j * n + i];
        }
        check_near((double)sum, trace, n * bound, "kind %d, n %d: trace", kind, n);
        check_near((double)sum2, square, 2 * n * bound * (real)norm, "kind %d, n %d: trace of a^2", kind, n);
        for (int i = 0; i < n; i++)
            check_near(least_singular(n, a, s.re[i], s.im[i]), 0, bound, "kind %d, n %d: (%g, %g)", kind, n,
                       s.re[i], s.im[i]);
    }
}

/* D A D^-1, D powers of 2 from 2^-500 to 2^500: exactly similar, so that each eigenvalue is one of a matrix
 * as near to A as if the units were alike, and what is known of sides is true of A. */
TEST(test_far_units) {
    static solved s;
    static double a[MOST * MOST], scaled[MOST * MOST];
    static eigen_component_norm component[MOST];
    rng r = rng_start("units far apart");
    size_t known = 0;
    for (int turn = 0; turn < (int)effort(600); turn++) {
        int n = turn % 40 < 39 ? 2 + turn % 11 : 13 + rng_int(&r, 0, MOST - 13), unit[MOST];
        for (int i = 0; i < n; i++) unit[i] = rng_int(&r, -500, 500);
        for (int e = 0; e < n * n; e++)
            a[e] = ldexp(rng_int(&r, 1, 4096) * (rng_int(&r, 0, 1) == 0 ? 1 : -1), -10 - turn % 5);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) scaled[i * n + j] = ldexp(a[i * n + j], unit[i] - unit[j]);
        assert_true(eigen_find(n, scaled, &(eigen_list){s.re, s.im, component, NULL}, s.work, s.iwork));
        double norm = norm_of(n, a), radius = 0;
        real trace = 0, sum = 0;
        for (int i = 0; i < n; i++) {
            trace += (real)a[i * n + i];
            sum += (real)s.re[i];
            radius = fmax(radius, hypot(s.re[i], s.im[i]));
            check_near(least_singular(n, a, s.re[i], s.im[i]), 0, 100 * DBL_EPSILON * (real)norm,
                       "n %d: (%g, %g)", n, s.re[i], s.im[i]);
        }
        check_near((double)sum, trace, n * 100 * DBL_EPSILON * (real)norm, "n %d: trace", n);
        assert_true(component[0].n == n && component[0].norm < 4 * norm && norm < 4 * component[0].norm);
        eigen_where where = eigen_side(n, scaled, s.work, s.iwork);
        known += where != EIGEN_UNKNOWN;
        check_true(where == EIGEN_UNKNOWN || (where == EIGEN_INSIDE) == (radius < 1), "n %d: radius %g", n,
                   radius);
    }
    assert_true(known > effort(300));
}

/* S T S^-1 with whole numbers: S a product of elementary steps, which the inverse undoes, T with eigenvalues
 * that are known, each `block` times in a Jordan block. All is exact in doubles. [out] condition: at least
 * that of S, by Frobenius norms. */
static void make_known(rng *r, int n, int block, int spread, double *a, double *values, double *condition) {
    double left[12 * 12] = {0}, right[12 * 12] = {0};
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n; i++) {
        left[i * n + i] = right[i * n + i] = 1;
        values[i] = i % block == 0 ? rng_int(r, -spread, spread) : values[i - 1];
        a[i * n + i] = values[i];
        if (i % block != 0) a[(i - 1) * n + i] = 1;
    }
    for (int turn = 0; turn < n; turn++) { /* rows i += c rows j, columns j -= c columns i */
        int i = rng_int(r, 0, n - 1), j = (i + rng_int(r, 1, n - 1)) % n, c = rng_int(r, 0, 1) * 2 - 1;
        for (int k = 0; k < n; k++) a[i * n + k] += c * a[j * n + k];
        for (int k = 0; k < n; k++) left[i * n + k] += c * left[j * n + k];
        for (int k = 0; k < n; k++) a[k * n + j] -= c * a[k * n + i];
        for (int k = 0; k < n; k++) right[k * n + j] -= c * right[k * n + i];
    }
    *condition = norm_of(n, left) * norm_of(n, right);
}

/* Clusters, multiple and defective eigenvalues. Of a matrix S J S^-1 near which 100 eps ||a|| away another
 * matrix has the eigenvalue z, J of blocks of m rows, the nearest l has |z - l|^m / (1 + |z - l| + ...) <=
 * cond(S) 100 eps ||a|| (Kahan, Parlett and Jiang 1982); so it has for the norms of Frobenius. And around
 * every l there are as many z. */
TEST(test_known) {
    static solved s;
    static double a[MOST * MOST];
    rng r = rng_start("known");
    for (int turn = 0; turn < (int)effort(400); turn++) {
        int block = 1 + turn % 3, n = block * rng_int(&r, 1, 12 / block), spread = 1 + turn % 5;
        double values[12], condition;
        if (n < 2) continue;
        make_known(&r, n, block, spread, a, values, &condition);
        solve(&s, n, a);
        double noise = condition * 100 * DBL_EPSILON * norm_of(n, a),
               radius = pow(block * noise, 1.0 / block);
        assert_true(radius < 0.5);
        for (int i = 0; i < n; i++) {
            int known = 0, found = 0;
            for (int j = 0; j < n; j++) {
                known += values[j] == values[i];
                found += hypot(s.re[j] - values[i], s.im[j]) <= radius;
            }
            check_true(found == known, "turn %d, n %d: %d eigenvalues near %g, not %d", turn, n, found,
                       values[i], known);
        }
    }
}

/* A triangular matrix in any order of its indices: every component is one entry, and nothing is rounded. */
TEST(test_triangular) {
    static solved s;
    rng r = rng_start("triangular");
    for (int turn = 0; turn < 200; turn++) {
        int n = rng_int(&r, 1, 20), order[20];
        double a[400] = {0};
        for (int i = 0; i < n; i++) order[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int j = rng_int(&r, 0, i), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                a[order[i] * n + order[j]] = j == i ? rng_int(&r, 0, 1) : rng_magnitude(&r, -8, 8);
        solve(&s, n, a);
        int ones = 0, found = 0;
        for (int i = 0; i < n; i++) {
            ones += a[i * n + i] == 1;
            found += s.re[i] == 1;
            assert_true((s.re[i] == 0 || s.re[i] == 1) && s.im[i] == 0);
        }
        assert_int_equal(found, ones);
    }
}

/* Units of the states and of time: powers of 2 are exact, even where squares would overflow. */
TEST(test_units) {
    static solved s, scaled;
    rng r = rng_start("units");
    for (int turn = 0; turn < 200; turn++) {
        int n = rng_int(&r, 2, 8), power = rng_int(&r, -900, 900);
        double a[64], b[64];
        fill(&r, n, 0, a);
        solve(&s, n, a);
        for (int e = 0; e < n * n; e++) b[e] = ldexp(a[e], power);
        solve(&scaled, n, b);
        double most = 0, most_scaled = 0;
        for (int i = 0; i < n; i++) {
            most = fmax(most, hypot(s.re[i], s.im[i]));
            most_scaled = fmax(most_scaled, hypot(ldexp(scaled.re[i], -power), ldexp(scaled.im[i], -power)));
        }
        check_near(most_scaled, most, 1e-10L, "time, n %d", n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b[i * n + j] = ldexp(a[i * n + j], 40 * (i % 3) - 40 * (j % 3));
        solve(&scaled, n, b);
        most_scaled = 0;
        for (int i = 0; i < n; i++) most_scaled = fmax(most_scaled, hypot(scaled.re[i], scaled.im[i]));
        check_near(most_scaled, most, 1e-10L, "states, n %d", n);
    }
}

/* The next component in Hessenberg form; false after the last. */
static bool next_component(solved *s, int n, const double *a, int *first, eigen_component *component) {
    if (*first == 0) eigen_components_start(n, s->iwork);
    if (!eigen_component_gather(n, a, first, component, s->work, s->iwork)) return false;
    ++*first;
    return eigen_component_reduce(component, s->work, s->work + (size_t)n * (size_t)n);
}

/* The norm of the resolvent near an eigenvalue of a matrix of one component: one over the least singular
 * value. */
TEST(test_resolvent) {
    static solved s;
    rng r = rng_start("resolvent");
    for (int turn = 0; turn < (int)effort(300); turn++) {
        int n = turn % 30 < 29 ? rng_int(&r, 2, 9) : rng_int(&r, 10, MOST), next = 0;
        static double a[MOST * MOST];
        fill(&r, n, turn % 2, a);
        if (turn % 2 == 1)
            for (int i = 0; i < n; i++) a[i * n + i] = 1;
        solve(&s, n, a);
        double norm = norm_of(n, a), re = s.re[0] + 1e-9 * norm, im = s.im[0];
        eigen_component component;
        assert_true(next_component(&s, n, a, &next, &component));
        assert_int_equal(component.n, n);
        check_near(component.norm, norm_of(n, component.hessenberg), 1e-12L * (real)norm, "norm");
        assert_true(component.norm <= norm * 1.0001); /* balancing takes away */
        double expected = 1 / least_singular(n, component.hessenberg, re, im);
        double found = eigen_resolvent(&component, re, im, s.work, s.iwork + 3 * n);
        check_near(found, expected, 0.05L * (real)expected, "n %d", n);
        assert_false(next_component(&s, n, a, &next, &component));
    }
}

/* A large matrix, near one of its eigenvalues: the sum over all eigenvalues bounds the resolvent's norm,
 * and the largest share is most of it where no other is near. */
TEST(test_conditions) {
    static solved s;
    static double a[MOST * MOST];
    rng r = rng_start("conditions");
    for (int turn = 0; turn < (int)effort(20); turn++) {
        int n = rng_int(&r, 41, MOST), next = 0;
        fill(&r, n, turn % 2, a);
        for (int i = 0; i < n; i++) a[i * n + i] = a[(i + 1) % n * n + i] = 1;
        eigen_component component;
        eigen_conditions known;
        assert_true(next_component(&s, n, a, &next, &component));
        size_t square = (size_t)component.n * (size_t)component.n;
        assert_int_equal(component.n, n);
        assert_true(eigen_conditions_find(&component, &known, s.work + 3 * square + 8 * (size_t)n));
        int at = rng_int(&r, 0, n - 1);
        double re = known.re[at] + 1e-6 * component.norm, im = known.im[at], most;
        double bound = eigen_conditions_resolvent(&known, re, im, &most);
        double norm = eigen_resolvent(&component, re, im, s.work, s.iwork + 3 * n);
        check_true(norm < bound * 1.0001, "n %d: the bound %g is below %g", n, bound, norm);
        check_near(most, norm, 0.05L * (real)norm, "n %d, next to the eigenvalue", n);
        for (int i = 0; i < n; i++) assert_true(known.condition[i] > 1 - 1e-9);
    }
}

/* Rotations that are a little smaller than 1, and K [1 -1; 1 -1] = N, of which rounding makes two eigenvalues
 * next to 0. Their share of the resolvent is some 1e8 each, and cancels: it is 1/z + N/z^2, of the norm
 * 2 K / |z|^2, where that of the rotations is 1 over the distance. (Its link to one component is far below
 * rounding.) */
TEST(test_cancelling) {
    enum { PAIRS = 4 };
    const int n = MOST;
    const double K = 0x1p20, roundings = 3;
    static solved s;
    static double a[MOST * MOST], slack[MOST];
    for (double inside = 1e-6; inside < 2e-2; inside *= 10) {
        for (int e = 0; e < n * n; e++) a[e] = 1e-30;
        for (int k = 0; k < PAIRS; k++) {
            double *block = a + 2 * k * (n + 1), angle = 0.5 + 0.5 * k;
            block[0] = block[n + 1] = (1 - inside) * cos(angle);
            block[n] = (1 - inside) * sin(angle);
            block[1] = -block[n];
        }
        for (int i = 2 * PAIRS; i < n; i++) a[i * (n + 1)] = 0.25;
        double *twice = a + (n - 2) * (n + 1);
        twice[0] = twice[n] = K;
        twice[1] = twice[n + 1] = -K;
        solve(&s, n, a);
        eigen_found found = {.count = n,
                             .re = s.re,
                             .im = s.im,
                             .slack = slack,
                             .limit = EIGEN_CIRCLE,
                             .roundings = roundings,
                             .entry_error = 32};
        eigen_slack(n, a, &found, s.work, s.iwork);
        const double half = inside / 2, norm = fmax(1 / half, 2 * K / ((1 - half) * (1 - half))),
                     expected = (1 + roundings * (half * norm - 1)) / 2 * found.backward;
        int seen = 0;
        for (int i = 0; i < n; i++) {
            if (hypot(s.re[i], s.im[i]) < 0.9) continue;
            seen++;
            check_near(slack[i], fmax(expected, found.backward), 0.1L * (real)expected, "%g inside", inside);
        }
        assert_int_equal(seen, 2 * PAIRS);
    }
}

/* From one Schur form come the eigenvalues and how far rounding may move them: as without it, except for the
 * points that the power method leaves open. */
TEST(test_schur) {
    static solved s;
    static double a[MOST * MOST], m[MOST * MOST], rooms[2][MOST * MOST];
    rng r = rng_start("schur");
    for (int turn = 0; turn < (int)effort(20); turn++) {
        int n = rng_int(&r, 41, MOST);
        double unit[MOST], slack[2][MOST];
        eigen_component_norm component[MOST];
        eigen_schur schur = {.hessenberg = rooms[0], .form = rooms[1]};
        fill(&r, n, turn % 2, a);
        for (int i = 0; i < n; i++) unit[i] = ldexp(1, rng_int(&r, -20, 20));
        for (int e = 0; e < n * n; e++) m[e] = a[e] * (unit[e / n] / unit[e % n]);
        assert_true(eigen_find(n, m, &(eigen_list){s.re, s.im, component, &schur}, s.work, s.iwork));
        assert_int_equal(schur.n, n);
        for (int k = 0; k < 2; k++) { /* with the form, without it */
            eigen_found found = {
                .count = n, .re = s.re, .im = s.im, .slack = slack[k], .roundings = 1, .entry_error = 32};
            found.limit = EIGEN_CIRCLE;
            found.schur = k == 1 ? NULL : &schur;
            eigen_slack(n, m, &found, s.work, s.iwork);
        }
        for (int i = 0; i < n; i++)
            check_near(slack[0][i], slack[1][i], 0.1L * (real)slack[1][i], "n %d: slack", n);
    }
}

/* Certain answers are true: against the radius of the eigenvalues, which 100 eps ||a|| may move (as far as
 * the matrix is not defective: a margin of the square root covers a double one). Known are a rotation within
 * 10
 * %, whose powers have norms of known size, and a multiple of I. */
TEST(test_side) {
    static solved s;
    static double a[MOST * MOST];
    rng r = rng_start("side");
    size_t known[3] = {0};
    for (int turn = 0; turn < (int)effort(3000); turn++) {
        int n = turn % 20 < 19 ? rng_int(&r, 1, 9) : rng_int(&r, 10, MOST);
        fill(&r, n, rng_int(&r, 0, 7), a);
        solve(&s, n, a);
        double most = 0, wanted = exp(rng_magnitude(&r, -6, 0));
        for (int i = 0; i < n; i++) most = fmax(most, hypot(s.re[i], s.im[i]));
        if (most == 0) continue;
        for (int e = 0; e < n * n; e++) a[e] *= wanted / most;
        eigen_where where = eigen_side(n, a, s.work, s.iwork);
        double margin = 10 * sqrt(DBL_EPSILON * norm_of(n, a));
        check_true(where != EIGEN_INSIDE || wanted < 1 + margin, "inside, but %g", wanted);
        check_true(where != EIGEN_OUTSIDE || wanted > 1 - margin, "outside, but %g", wanted);
        known[where]++;
    }
    assert_true(known[EIGEN_INSIDE] > 0 && known[EIGEN_OUTSIDE] > 0);
    double rotation[4] = {0.9 * 0.6, -0.9 * 0.8, 0.9 * 0.8, 0.9 * 0.6}, multiple[4] = {1.1, 0, 0, 1.1};
    assert_int_equal(eigen_side(2, rotation, s.work, s.iwork), EIGEN_INSIDE);
    assert_int_equal(eigen_side(2, multiple, s.work, s.iwork), EIGEN_OUTSIDE);
}

/* Rows that are alike, whose sum is the only eigenvalue other than 0, however large their entries are: the
 * squares of such a matrix are small beside its own, and nothing may be taken for inside by that. */
TEST(test_steep) {
    static double a[MOST * MOST], work[10 * MOST * MOST];
    static int iwork[8 * MOST];
    size_t known = 0;
    for (int n = 2; n <= MOST; n++)
        for (int k = -4; k < 40; k++) {
            for (int e = 0; e < n * n; e++) a[e] = ldexp(cos(2 * acos(-1) * (e % n) / n), k) + 2. / n;
            eigen_where where = eigen_side(n, a, work, iwork);
            check_true(where != EIGEN_INSIDE, "%d rows of size 2^%d: inside, but an eigenvalue is 2", n, k);
            known += where == EIGEN_OUTSIDE;
        }
    assert_true(known > 0);
}

/* Where the eigenvalues' components are known, and none of them is near the limit, their slack is what
 * looking into the components gives, to the rounding of a norm. */
TEST(test_component_norms) {
    rng r = rng_start("eigenvalues at home");
    static solved s;
    static double a[MOST * MOST], slack[2][MOST];
    static eigen_component_norm component[MOST];
    size_t far = 0;
    for (size_t round = 0; round < effort(300); round++) {
        int n = rng_int(&r, 1, 8);
        double size = rng_uniform(&r, 0.1, 2);
        for (int e = 0; e < n * n; e++)
            a[e] = rng_int(&r, 0, 2) == 0 ? 0 : size * rng_uniform(&r, -1, 1) * exp2(rng_int(&r, -9, 9));
        assert_true(eigen_find(n, a, &(eigen_list){s.re, s.im, component, NULL}, s.work, s.iwork));
        double backward[2];
        for (int k = 0; k < 2; k++) {
            eigen_found found = {.count = n,
                                 .re = s.re,
                                 .im = s.im,
                                 .components = k == 0 ? component : NULL,
                                 .slack = slack[k],
                                 .limit = round % 2 == 0 ? EIGEN_CIRCLE : EIGEN_AXIS,
                                 .roundings = 1,
                                 .entry_error = 32};
            eigen_slack(n, a, &found, s.work, s.iwork);
            backward[k] = found.backward;
        }
        check_near(backward[0], backward[1], 1e-14L * (real)backward[1], "backward error");
        for (int i = 0; i < n; i++) {
            check_near(slack[0][i], slack[1][i], 1e-14L * (real)slack[1][i], "round %zu, %d of %d", round, i,
                       n);
            far += slack[1][i] == (component[i].n + 32) * DBL_EPSILON * component[i].norm;
        }
    }
    assert_true(far > 0);
}

/* An eigenvalue may be off by all that the entries are, near the limit too, where that is more than its
 * condition can tell; and by anything where it is not known how far they are off. */
TEST(test_noise) {
    static solved s;
    const double a[4] = {1, 1, 1, 1}, re[2] = {0, 2}, im[2] = {0, 0}, noises[] = {0.5, 3, (double)NAN};
    for (int k = 0; k < 3; k++) {
        double slack[2];
        eigen_found found = {.count = 2,
                             .re = re,
                             .im = im,
                             .slack = slack,
                             .limit = EIGEN_AXIS,
                             .roundings = 1,
                             .noise = noises[k]};
        eigen_slack(2, a, &found, s.work, s.iwork);
        for (int i = 0; i < 2; i++) {
            const bool enough = isnan(noises[k]) ? isinf(slack[i]) : slack[i] >= noises[k];
            check_true(enough, "%g at %g, noise %g", slack[i], re[i], noises[k]);
        }
    }
}

/* A chain of undamped oscillators, each of which pulls at the next one with g of what that pulls at it with:
 * x_i'' = -2 k x_i + g k x_{i-1} + k x_{i+1}. Its eigenvalues are +-i sqrt(2 k (1 - sqrt(g) cos(pi j/(N +
 * 1)))) (eigenvalues of tridiagonal Toeplitz matrices), where rows and columns are as long as each other, and
 * as the springs are stiff those at the ends nearly so. */
TEST(test_chain) {
    enum { COUNT = 20, ROWS = 2 * COUNT };
    static solved s;
    static double a[ROWS * ROWS], scale[ROWS];
    for (int e = 1; e <= 6; e++) {
        const double g = pow(10, -e), k = 60;
        memset(a, 0, sizeof a);
        for (int i = 0; i < COUNT; i++) {
            double *row = &a[(2 * i + 1) * ROWS];
            a[2 * i * ROWS + 2 * i + 1] = 1;
            row[2 * i] = -2 * k;
            if (i > 0) row[2 * i - 2] = g * k;
            if (i + 1 < COUNT) row[2 * i + 2] = k;
        }
        solve(&s, ROWS, a);
        for (int j = 1; j <= COUNT; j++) {
            double nearest = (double)INFINITY, is = sqrt(2 * k * (1 - sqrt(g) * cos(PI * j / (COUNT + 1))));
            for (int i = 0; i < ROWS; i++) nearest = fmin(nearest, hypot(s.re[i], fabs(s.im[i]) - is));
            /* some n eps, times what units that are powers of 2 leave of the asymmetry */
            check_true(nearest <= 1e-10 * is, "g = %g, eigenvalue %d: off by %g of %g", g, j, nearest, is);
        }
        /* pulled alike both ways in units 1/sqrt(g) apart from each to the next, which steps come near to */
        assert_true(eigen_balance_component(ROWS, a, scale, s.work));
        const double apart = log2(scale[0] / scale[ROWS - 2]), alike = log2(1 / sqrt(g)) * (COUNT - 1);
        check_true(apart >= 0.85 * fmin(alike, 80), "g = %g: units 2^%g apart, not 2^%g", g, apart, alike);
    }
}

/* Units 2^903 apart are put around 1; what has no entries with others keeps its own, as what is counted in
 * them beside the matrix (2^-765 of an input) would vanish else. */
TEST(units_of_what_is_alone) {
    for (int sign = -1; sign <= 1; sign += 2) {
        const int apart[4] = {0, sign * 730, sign * 903, 0};
        double h[16] = {0}, scale[4], work[8];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) h[i * 4 + j] = ldexp(i == j ? -1 : 0.5, apart[i] - apart[j]);
        assert_false(eigen_balance(4, h, scale, work));
        assert_true(scale[3] == 1);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                assert_true(fabs(h[i * 4 + j]) >= 0.25 && fabs(h[i * 4 + j]) <= 1);
                assert_int_equal(abs(ilogb(scale[i]) - ilogb(scale[j]) - apart[i] + apart[j]) <= 1, 1);
            }
    }
}
