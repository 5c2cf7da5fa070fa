/* The rank of matrices whose entries have errors of their own: what is planted is found in whatever units
 * rows and columns are, and what is small beside the rest but not beside its error is not lost. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/elimination.h"
#include "support/support.h"

enum { MOST = 6, SQUARE = MOST * MOST, TRUSTED = 64 };

typedef struct ranked {
    double matrix[SQUARE], entries[SQUARE], errors[SQUARE], room[MOST];
    int rows[MOST], columns[MOST];
    elimination e;
} ranked;

/* Each entry is known to TRUSTED epsilon of itself. */
static int rank_of(ranked *r, int n) {
    r->e = (elimination){0, r->entries, r->errors, r->rows, r->columns, r->room};
    memcpy(r->entries, r->matrix, sizeof r->entries);
    for (int i = 0; i < n * n; i++) r->errors[i] = TRUSTED * DBL_EPSILON * fabs(r->matrix[i]);
    elimination_begin(&r->e, n);
    return elimination_run(&r->e, 0);
}

/* [1; L] [1, R] of whole numbers, rows and columns in any order and in units 2^-most to 2^most. */
static void random_matrix(rng *g, int n, int rank, int most, double *matrix) {
    int row[MOST], column[MOST], unit[2][MOST];
    double left[SQUARE], right[SQUARE];
    for (int i = 0; i < n; i++) {
        row[i] = column[i] = i;
        for (int k = 0; k < 2; k++) unit[k][i] = rng_int(g, -most, most);
        for (int k = 0; k < rank; k++) {
            left[i * n + k] = i < rank ? i == k : rng_int(g, -3, 3);
            right[k * n + i] = i < rank ? i == k : rng_int(g, -3, 3);
        }
    }
    for (int i = n - 1; i > 0; i--) {
        int a = rng_int(g, 0, i), b = rng_int(g, 0, i), kept = row[i], other = column[i];
        row[i] = row[a];
        row[a] = kept;
        column[i] = column[b];
        column[b] = other;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) sum += left[i * n + k] * right[k * n + j];
            matrix[row[i] * n + column[j]] = ldexp(sum, unit[0][i] + unit[1][j]);
        }
}

TEST(test_rank) {
    rng g = rng_start("ranks");
    for (size_t turn = 0; turn < effort(2000); turn++) {
        ranked r;
        int n = rng_int(&g, 1, MOST), rank = rng_int(&g, 0, n);
        random_matrix(&g, n, rank, 20, r.matrix);
        int found = rank_of(&r, n);
        check_true(found == rank, "order %d: rank %d instead of %d", n, found, rank);
    }
}

/* M x = b in the pivots' rows, y' M = b' in their columns; the others are 0. In one unit what is left is some
 * epsilon of the whole: pivots are chosen from all that remains, so multipliers are small. */
TEST(test_solutions) {
    rng g = rng_start("solutions");
    for (size_t turn = 0; turn < effort(2000); turn++) {
        ranked r;
        int n = rng_int(&g, 1, MOST), rank = rng_int(&g, 1, n);
        double b[MOST], x[MOST], y[MOST], whole[2] = {0};
        random_matrix(&g, n, rank, 0, r.matrix);
        for (int i = 0; i < n; i++) b[i] = rng_int(&g, -9, 9);
        assert_int_equal(rank_of(&r, n), rank);
        elimination_solve(&r.e, rank, b, x);
        elimination_solve_left(&r.e, rank, b, y);
        for (int e = 0; e < n * n; e++) {
            whole[0] += fabs(r.matrix[e] * x[e % n]);
            whole[1] += fabs(r.matrix[e] * y[e / n]);
        }
        for (int i = 0; i < n; i++) {
            double right = -b[r.rows[i]], left = -b[r.columns[i]];
            for (int j = 0; j < n; j++) {
                right += r.matrix[r.rows[i] * n + j] * x[j];
                left += y[j] * r.matrix[j * n + r.columns[i]];
            }
            if (i >= rank) {
                assert_true(x[r.columns[i]] == 0 && y[r.rows[i]] == 0);
                continue;
            }
            check_near(right, 0, 4 * n * n * DBL_EPSILON * whole[0], "right, order %d", n);
            check_near(left, 0, 4 * n * n * DBL_EPSILON * whole[1], "left, order %d", n);
        }
    }
}

/* Two masses tied by a spring of 2^k and one of them by 1 to the ground: det = 1, however stiff the other
 * spring is, as long as the entries tell; at 2^60 the 1 is no longer in them. */
TEST(test_stiff) {
    for (int k = 0; k <= 60; k++) {
        double K = ldexp(1, k);
        ranked r = {.matrix = {-K - 1, K, K, -K}};
        int expected = K * TRUSTED * DBL_EPSILON < 0.1 ? 2 : K * TRUSTED * DBL_EPSILON > 10 ? 1 : 0;
        int found = rank_of(&r, 2);
        check_true(found == expected || expected == 0, "2^%d: rank %d", k, found);
    }
    ranked apart = {.matrix = {1e-200, 0, 0, 0, 1e200, 0, 0, 0, 0}};
    assert_int_equal(rank_of(&apart, 3), 2);
}
