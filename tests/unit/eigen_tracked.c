/* One eigenvalue that is followed from matrix to matrix, against matrices whose eigenvalues are known. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/eigen.h"
#include "support.h"

enum { N = 12, PART = 8 };

/* M(t) = D S L(t) S^-1 D^-1: L(t) has pairs re(t) +- i im(t), and real ones at its end; S = I + a nilpotent
 * matrix, D powers of 2. From row PART on the matrix is a part of its own, which the first feeds. */
typedef struct moving {
    double strict[N][N], units[N], real[N];
} moving;

static double pair_re(int p, double t) {
    return 0.3 * p - 0.4 + 0.2 * sin(t + p);
}

static double pair_im(int p, double t) {
    return 0.5 + 0.2 * p + 0.1 * t;
}

static void matrix_at(const moving *m, double t, double a[N * N]) {
    double plain[N][N] = {{0}}, left[N][N] = {{0}};
    for (int i = 0; i < N; i++) plain[i][i] = m->real[i] + 0.05 * t;
    for (int p = 0; p < 3; p++) {
        int i = 2 * p;
        plain[i][i] = plain[i + 1][i + 1] = pair_re(p, t);
        plain[i][i + 1] = -(plain[i + 1][i] = pair_im(p, t));
    }
    /* (I + U) L */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            left[i][j] = plain[i][j];
            for (int k = i + 1; k < N; k++) left[i][j] += m->strict[i][k] * plain[k][j];
        }
    /* X (I + U) = (I + U) L, column by column. */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = left[i][j];
            for (int k = 0; k < j; k++) sum -= a[i * N + k] * m->strict[k][j];
            a[i * N + j] = sum;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] *= m->units[i] / m->units[j];
}

static moving moving_of(rng *r) {
    moving m = {.units = {0}};
    for (int i = 0; i < N; i++) {
        m.units[i] = ldexp(1, rng_int(r, -20, 20));
        m.real[i] = i < PART ? -0.9 + 0.05 * i : 0.9 + 0.06 * i;
        for (int j = i + 1; j < N; j++)
            if (i < PART || j >= PART)
                m.strict[i][j] = (i < PART) == (j < PART) ? rng_uniform(r, -0.5, 0.5) : 0;
    }
    return m;
}

typedef struct one {
    double right[2 * N], left[2 * N];
    eigen_tracked branch;
} one;

static double work[6 * N * N + 200 * N + 64];
static int iwork[4 * N + 4];

static bool find(const double *a, const one *from, one *to) {
    to->branch = (eigen_tracked){.right = to->right, .left = to->left};
    assert_true(eigen_work(N) <= sizeof work / sizeof *work &&
                eigen_iwork(N) <= sizeof iwork / sizeof *iwork);
    return eigen_tracked_find(N, a, 0, &from->branch, &to->branch, work, iwork);
}

/* Of every eigenvalue: it is found where it is said to be, its vectors are those of it alone, it is followed
 * as it moves, and is never off by more than it says. */
TEST(test_followed) {
    rng r = rng_start("followed");
    for (int turn = 0; turn < 40; turn++) {
        moving m = moving_of(&r);
        static one at[2][N];
        double a[N * N], b[N * N];
        const double t[2] = {0.1, 0.13};
        matrix_at(&m, t[0], a);
        matrix_at(&m, t[1], b);
        for (int e = 0; e < N; e++) {
            bool pair = e < 6;
            one begin = {.branch = {.re = pair ? pair_re(e / 2, t[0]) : m.real[e] + 0.05 * t[0],
                                    .im = pair ? (e % 2 == 0 ? 1 : -1) * pair_im(e / 2, t[0]) : 0}};
            assert_true(find(a, &begin, &at[0][e]));
            assert_true(find(b, &at[0][e], &at[1][e]));
            for (int k = 0; k < 2; k++) {
                const eigen_tracked *f = &at[k][e].branch;
                double re = pair ? pair_re(e / 2, t[k]) : m.real[e] + 0.05 * t[k],
                       im = pair ? (e % 2 == 0 ? 1 : -1) * pair_im(e / 2, t[k]) : 0;
                check_true(hypot(f->re - re, f->im - im) <= f->slack && f->slack < 1e-11,
                           "turn %d, %d: off by %g, slack %g", turn, e, hypot(f->re - re, f->im - im),
                           f->slack);
            }
            double alike = eigen_tracked_overlap(N, &at[0][e].branch, &at[1][e].branch);
            check_true(alike > 0.9 && alike < 1.1, "turn %d, %d: %g alike", turn, e, alike);
        }
        for (int e = 0; e < N; e++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                double alike = eigen_tracked_overlap(N, &at[0][e].branch, &at[0][k].branch);
                check_near(alike, e == k, 1e-9L, "turn %d: %d and %d", turn, e, k);
                sum += eigen_tracked_overlap(N, &at[0][k].branch, &at[1][e].branch);
            }
            check_near(sum, 1, 1e-9L, "turn %d: all of %d", turn, e);
        }
    }
}

/* Where there is no eigenvalue none is found. */
TEST(test_none) {
    rng r = rng_start("none");
    moving m = moving_of(&r);
    double a[N * N];
    one begin = {.branch = {.re = 0.5, .im = 3}}, found;
    matrix_at(&m, 0.1, a);
    assert_false(find(a, &begin, &found));
}
