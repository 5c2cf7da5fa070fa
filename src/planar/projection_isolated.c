#include "planar/projection_isolated.h"

#include <math.h>

enum { N = ISOLATED_LENGTH };

/* ---- expansion ---- */

__extension__ typedef __int128 wide;

/* [j][i]: of d^j a^i. Entries are below MOST, those of phi below PHI_MOST, so that nothing overflows. */
typedef struct grid {
    wide c[N][N];
} grid;

static const wide most = (wide)1 << 90;

enum { PHI_MOST = 1 << 24 };

static bool set_grid(grid *g, const projection_factor *f) {
    *g = (grid){{{0}}};
    if (f->degree >= N) return false;
    for (int j = 0; j <= f->degree; j++) {
        const resultant_poly *row = &f->coefficient[j];
        if (row->length > N) return false;
        for (long i = 0; i < row->length; i++) {
            if (!mpz_fits_slong_p(row->c[i])) return false;
            g->c[j][i] = mpz_get_si(row->c[i]);
        }
    }
    return true;
}

static bool is_large(const grid *g) {
    bool large = false;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) large = large || g->c[j][i] >= most || g->c[j][i] <= -most;
    return large;
}

/* phi[degree] times the polynomial, of which row j becomes one of the quotient by phi: row j times phi is
 * taken away, which also changes the `degree` rows below. */
static bool take_row(grid *g, int j, const long *phi, int degree) {
    if (is_large(g)) return false;
    for (int row = 0; row < N; row++)
        for (int i = 0; i < N; i++) {
            const int l = row - (j - degree);
            if (row != j) g->c[row][i] *= phi[degree];
            if (l >= 0 && l < degree) g->c[row][i] -= g->c[j][i] * phi[l];
        }
    return true;
}

/* A multiple's expansion by phi in the variable of the rows. */
static bool expand(grid *g, const long *phi, int degree) {
    bool fine = true;
    for (int from = degree; from <= 2 * degree; from += degree)
        for (int j = N - 1; j >= from && fine; j--) {
            bool zero = true;
            for (int i = 0; i < N && zero; i++) zero = g->c[j][i] == 0;
            if (!zero) fine = take_row(g, j, phi, degree);
        }
    return fine;
}

static void turn(grid *g) {
    for (int j = 0; j < N; j++)
        for (int i = 0; i < j; i++) {
            const wide c = g->c[j][i];
            g->c[j][i] = g->c[i][j];
            g->c[i][j] = c;
        }
}

bool isolated_make(isolated *at, const projection_factor *f, const projection_factor *phi) {
    grid g;
    long p[N];
    const int n = phi->degree;
    at->degree = n;
    if (n < 1 || n >= N || !set_grid(&g, phi)) return false;
    for (int k = 0; k <= n; k++) {
        if (g.c[k][0] > PHI_MOST || g.c[k][0] < -PHI_MOST) return false;
        at->phi[k] = (double)g.c[k][0];
        p[k] = (long)g.c[k][0];
    }
    if (!set_grid(&g, f) || !expand(&g, p, n)) return false;
    turn(&g);
    if (!expand(&g, p, n)) return false;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (i / n + j / n < 2 && g.c[i][j] != 0) return false;
            at->c[i][j] = (double)g.c[i][j];
        }
    return true;
}

/* ---- values in a box ---- */

static isolated_ball number(double x) {
    return (isolated_ball){x, 0x1p-52 * fabs(x)};
}

static isolated_ball rounded(double mid, double off) {
    return (isolated_ball){mid, 1.001 * off + 0x1p-50 * fabs(mid) + 0x1p-1000};
}

static isolated_ball sum(isolated_ball x, isolated_ball y) {
    return rounded(x.mid + y.mid, x.off + y.off);
}

static isolated_ball product(isolated_ball x, isolated_ball y) {
    return rounded(x.mid * y.mid, fabs(x.mid) * y.off + x.off * (fabs(y.mid) + y.off));
}

/* c[0] + c[1] x + .., by the expansion at the middle of x. Changes c. */
static isolated_ball value(isolated_ball *c, int count, isolated_ball x) {
    const isolated_ball middle = {x.mid, 0};
    isolated_ball v = {0, 0};
    for (int i = 0; i < count - 1; i++)
        for (int k = count - 2; k >= i; k--) c[k] = sum(c[k], product(middle, c[k + 1]));
    for (int k = count - 1; k > 0; k--) v = rounded(0, (v.off + fabs(c[k].mid) + c[k].off) * x.off);
    return count > 0 ? sum(c[0], v) : v;
}

static isolated_ball value_of(const double *c, int count, isolated_ball x) {
    isolated_ball room[N + 1];
    for (int k = 0; k < count; k++) room[k] = number(c[k]);
    return value(room, count, x);
}

static int least(int x, int y) {
    return x < y ? x : y;
}

/* The factor of p^u q^v. */
static isolated_ball part(const isolated *at, int u, int v, isolated_ball a, isolated_ball d) {
    const int n = at->degree, row = u * n, column = v * n;
    const int rows = least(u < 2 ? n : N, N - row), columns = least(v < 2 ? n : N, N - column);
    isolated_ball in_a[N];
    for (int i = 0; i < rows; i++) in_a[i] = value_of(&at->c[row + i][column], columns, d);
    return value(in_a, rows, a);
}

bool isolated_seen(const isolated *at, isolated_ball a, isolated_ball d) {
    const isolated_ball p = value_of(at->phi, at->degree + 1, a), q = value_of(at->phi, at->degree + 1, d);
    const isolated_ball A =
        sum(part(at, 2, 0, a, d), product(q, sum(part(at, 2, 1, a, d), product(q, part(at, 2, 2, a, d)))));
    const isolated_ball B = part(at, 1, 1, a, d);
    const isolated_ball C = sum(part(at, 0, 2, a, d), product(p, part(at, 1, 2, a, d)));
    const isolated_ball AC = product(A, C), BB = product(B, B);
    return 4 * (AC.mid - AC.off) > (BB.mid + BB.off) * (1 + 0x1p-50);
}
