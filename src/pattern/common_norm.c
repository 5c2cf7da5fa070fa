/* Finds a common quadratic norm of a set of matrices M_i with weights w_i by the method of centres (S. Boyd,
 * L. El Ghaoui, Method of centers for minimizing generalized eigenvalues, 1993).
 * Finds P > 0 and a small rate g with e^(2 g w_i) P - M_i' P M_i > 0 for all i. With P = T'T this means ||T
 * M_i T^-1|| <= e^(g w_i). If the matrices are edges of a graph, each vertex has its own P, and the condition
 * is e^(2 g w_i) P_from - M_i' P_to M_i > 0.
 * 1. Balance: T starts diagonal, with powers of 2 that balance rows and columns of all matrices together.
 * 2. Centre: for a level g the analytic centre minimises - sum ln det(e^(2 g w_i) P - M_i' P M_i) - ln det P
 *    over all P of one trace. Newton steps approach it in coordinates with P = I; each step replaces M_i by T
 *    M_i T^-1.
 * 3. Level: the centre is inside the feasible set, so its rate, the largest ln ||T M_i T^-1|| / w_i, is below
 *    the level. The next level is a fifth of the way from this rate back to the level. The loop ends if the
 *    rate stops falling.
 * 4. Finish: recomputes the norms in the final T.
 * Cost: d^3 per matrix and (v d)^3 per Newton step, d = n (n + 1)/2, for v vertices. If v d exceeds 300, all
 * vertices share one P; if d exceeds 300, balance alone. Limitation: T need not be optimal; the rate holds
 * for this T, up to rounding. */
#include "pattern/common_norm.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/matrix.h"

enum { LEVELS_MAX = 150, NEWTON_MAX = 15, DIMENSION_MAX = 300, BALANCE_MAX = 20, PATIENCE = 6 };

/* Position of the next level on the way from the rate to the previous level. */
#define BACK 0.2
/* Newton decrement at which the centre counts as reached. */
#define CENTRED 0.3
/* The loop ends after PATIENCE consecutive levels in which the rate falls by less than this and is within
 * 1000 times this of the level, both times the mean weight. */
#define FALLS 1e-7

typedef struct centre {
    const costab_sequence_set *set;
    int n, d, all; /* rows of a matrix; entries of a symmetric matrix; entries of all P */
    int vertices;
    double *T, *maps; /* the coordinates, and the matrices in them */
    double *hessian, *gradient, *gradient_copy, *jacobian;
    double *ones_solved; /* 1 per diagonal entry, then H^-1 times this: keeps the trace constant */
    double *steps;       /* per vertex: the factor of T in a Newton step, and its inverse */
    double *F, *U, *V, *work, *scratch; /* n x n each; work: norm_work(n) */
} centre;

double norm_of(int n, const double *M, double *work) {
    double *copy = work, *values = copy + n * n, *rest = values + n;
    for (int e = 0; e < n * n; e++)
        if (!isfinite(M[e])) return (double)INFINITY;
    if (n == 0) return 0;
    memcpy(copy, M, (size_t)(n * n) * sizeof *copy);
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', n, n, copy, n, values, NULL, 1, NULL, 1,
                                          rest, 11 * n);
    return info == 0 ? values[0] : (double)INFINITY;
}

void common_norm_transform(const common_norm *norm, int from, int to, const double *M, double *out,
                           double *work) {
    size_t cells = norm->vertices > 1 ? (size_t)(norm->n * norm->n) : 0;
    matrix_multiply(norm->n, norm->n, norm->n, M, norm->inverse + (size_t)from * cells, work);
    matrix_multiply(norm->n, norm->n, norm->n, norm->T + (size_t)to * cells, work, out);
}

static int from_of(const centre *c, int i) {
    return c->vertices > 1 ? vertex_from(c->set, i) : 0;
}

static int to_of(const centre *c, int i) {
    return c->vertices > 1 ? vertex_to(c->set, i) : 0;
}

/* Returns the largest ln ||M_i|| / w_i. */
static double rate_of(const costab_sequence_set *set, const double *maps, double *work) {
    double largest = -(double)INFINITY;
    size_t cells = (size_t)(set->size * set->size);
    for (int i = 0; i < set->count; i++)
        largest = fmax(largest, log(norm_of(set->size, maps + (size_t)i * cells, work)) / length_of(set, i));
    return largest;
}

/* ---- Newton steps ---- */

/* Returns the index of entry (a, b), a <= b, in the packed symmetric matrix. */
static int entry(int n, int a, int b) {
    return a * n - a * (a - 1) / 2 + b - a;
}

/* Adds to k the symmetric matrix f (p q' + q p')/root 2 for a < b, f p p' for a = b, in orthonormal
 * coordinates of symmetric matrices. p and q are columns a and b of A, n x n. */
static void add_product(int n, double f, const double *A, int a, int b, double *k) {
    const double root = sqrt(2);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double value = a == b ? A[i * n + a] * A[j * n + a]
                                  : (A[i * n + a] * A[j * n + b] + A[i * n + b] * A[j * n + a]) / root;
            k[entry(n, i, j)] += f * (i == j ? value : root * value);
        }
}

/* Adds the terms of one matrix to the gradient (- trace of its derivatives) and to the upper half of the
 * Hessian (products of its derivatives). The derivatives are with respect to the P of two vertices, or of one
 * if both are equal, with d rows each. */
static void add_derivatives(centre *c, const int vertex[2], double *const derivative[2]) {
    int n = c->n, d = c->d, blocks = vertex[0] == vertex[1] ? 1 : 2;
    for (int k = 0; k < blocks; k++)
        for (int p = 0; p < d; p++) {
            const double *at = derivative[k] + (size_t)p * (size_t)d;
            int row = vertex[k] * d + p;
            for (int i = 0; i < n; i++) c->gradient[row] -= at[entry(n, i, i)];
            for (int l = 0; l < blocks; l++)
                for (int q = 0; q < d; q++) {
                    int column = vertex[l] * d + q;
                    if (column < row) continue;
                    const double *other = derivative[l] + (size_t)q * (size_t)d;
                    double sum = 0;
                    for (int e = 0; e < d; e++) sum += at[e] * other[e];
                    c->hessian[(size_t)row * (size_t)c->all + (size_t)column] += sum;
                }
        }
}

/* Adds the terms of - ln det(factor I - M'M) for matrix i. Returns false if the level is not above its
 * norm. */
static bool add_matrix(centre *c, int i, double factor) {
    const double *M = c->maps + (size_t)i * (size_t)(c->n * c->n);
    int n = c->n, d = c->d;
    /* F = factor I - M'M = R'R, U = R'^-1, V = U M' */
    for (int r = 0; r < n; r++)
        for (int j = 0; j < n; j++) {
            double sum = r == j ? factor : 0;
            for (int k = 0; k < n; k++) sum -= M[k * n + r] * M[k * n + j];
            c->F[r * n + j] = sum;
            c->scratch[r * n + j] = M[j * n + r];
        }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, c->F, n) != 0) return false;
    if (LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', n, c->F, n) != 0) return false;
    /* The inverse of the upper R, column-major, is row-major the lower R'^-1. */
    for (int r = 0; r < n; r++)
        for (int j = 0; j < n; j++) c->U[r * n + j] = j <= r ? c->F[r * n + j] : 0;
    matrix_multiply(n, n, n, c->U, c->scratch, c->V);
    const int vertex[2] = {from_of(c, i), to_of(c, i)};
    double *derivative[2] = {c->jacobian, c->jacobian + (size_t)d * (size_t)d};
    memset(c->jacobian, 0, 2 * (size_t)d * (size_t)d * sizeof *c->jacobian);
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            size_t row = (size_t)entry(n, a, b) * (size_t)d;
            add_product(n, factor, c->U, a, b, derivative[0] + row);
            add_product(n, -1, c->V, a, b, derivative[vertex[0] == vertex[1] ? 0 : 1] + row);
        }
    add_derivatives(c, vertex, derivative);
    return true;
}

/* Moves by t along the Newton direction D: with P = I + t D = L L' at each vertex, T becomes L' T and M
 * becomes L' M L'^-1. Returns false if some P is not positive definite. */
static bool take_step(centre *c, double t) {
    int n = c->n;
    size_t cells = (size_t)(n * n);
    for (int vertex = 0; vertex < c->vertices; vertex++) {
        double *P = c->steps + 2 * (size_t)vertex * cells, *inverse = P + cells,
               *T = c->T + (size_t)vertex * cells;
        const double *D = c->gradient + (size_t)vertex * (size_t)c->d;
        for (int a = 0; a < n; a++)
            for (int b = a; b < n; b++)
                P[a * n + b] = P[b * n + a] = t * D[entry(n, a, b)] / (a == b ? 1 : sqrt(2)) + (a == b);
        if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', n, P, n) != 0) return false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) P[i * n + j] = 0;
        memcpy(inverse, P, cells * sizeof *inverse);
        if (LAPACKE_dtrtri(LAPACK_ROW_MAJOR, 'U', 'N', n, inverse, n) != 0) return false;
        matrix_multiply(n, n, n, P, T, c->scratch);
        memcpy(T, c->scratch, cells * sizeof *T);
    }
    for (int i = 0; i < c->set->count; i++) {
        double *M = c->maps + (size_t)i * cells;
        matrix_multiply(n, n, n, c->steps + 2 * (size_t)to_of(c, i) * cells, M, c->scratch);
        matrix_multiply(n, n, n, c->scratch, c->steps + (2 * (size_t)from_of(c, i) + 1) * cells, M);
    }
    return true;
}

/* Makes one Newton step towards the centre of the level. [out] *decrement: Newton decrement before it. */
static bool newton_step(centre *c, double level, double *decrement) {
    int n = c->n, d = c->d, all = c->all;
    memset(c->hessian, 0, (size_t)all * (size_t)all * sizeof *c->hessian);
    memset(c->gradient, 0, (size_t)all * sizeof *c->gradient);
    for (int p = 0; p < all; p++) c->hessian[(size_t)p * (size_t)(all + 1)] = 1;
    memset(c->ones_solved, 0, (size_t)all * sizeof *c->ones_solved);
    for (int k = 0; k < n * c->vertices; k++) {
        int at = k / n * d + entry(n, k % n, k % n);
        c->gradient[at] -= 1;
        c->ones_solved[at] = 1;
    }
    for (int i = 0; i < c->set->count; i++)
        if (!add_matrix(c, i, exp(2 * level * length_of(c->set, i)))) return false;
    /* Direction of constant trace: D = - H^-1 (g - m 1). The upper half of H by rows is the lower half by
     * columns. */
    double *g = c->gradient, *ones = c->ones_solved, *copy = c->gradient_copy, along = 0, whole = 0,
           slope = 0;
    memcpy(copy, g, (size_t)all * sizeof *g);
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', all, c->hessian, all) != 0 ||
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', all, 1, c->hessian, all, g, all) != 0 ||
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', all, 1, c->hessian, all, ones, all) != 0)
        return false;
    for (int k = 0; k < n * c->vertices; k++) {
        int at = k / n * d + entry(n, k % n, k % n);
        along += g[at];
        whole += ones[at];
    }
    for (int p = 0; p < all; p++) {
        g[p] = -(g[p] - along / whole * ones[p]);
        slope += copy[p] * g[p];
    }
    *decrement = sqrt(fmax(-slope, 0));
    return take_step(c, *decrement > 0.25 ? 1 / (1 + *decrement) : 1);
}

/* Lowers the level until the rate stops falling. */
static void descend(centre *c) {
    double rate = rate_of(c->set, c->maps, c->work), mean = 0, least = rate;
    for (int i = 0; i < c->set->count; i++) mean += length_of(c->set, i) / c->set->count;
    double level = rate + 1 / mean;
    if (!isfinite(rate)) return;
    for (int l = 0, idle = 0; l < LEVELS_MAX && idle < PATIENCE; l++) {
        double decrement = 1, before = rate;
        for (int k = 0; k < NEWTON_MAX && decrement > CENTRED; k++)
            if (!newton_step(c, level, &decrement)) return;
        rate = rate_of(c->set, c->maps, c->work);
        if (!(rate < level)) return;
        level = rate + BACK * (level - rate);
        idle =
            (fmin(before, least) - rate) * mean < FALLS && (level - rate) * mean < 1e3 * FALLS ? idle + 1 : 0;
        least = fmin(least, rate);
    }
}

/* ---- Balance and finish ---- */

/* Sums the magnitudes of row i over the matrices into a vertex, and of column i over the matrices out of it,
 * without the diagonal. */
static void sum_row_and_column(const centre *c, int vertex, int i, double *row, double *column) {
    int n = c->n;
    *row = *column = 0;
    for (int k = 0; k < c->set->count; k++) {
        const double *M = c->maps + (size_t)k * (size_t)(n * n);
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            if (to_of(c, k) == vertex) *row += fabs(M[i * n + j]);
            if (from_of(c, k) == vertex) *column += fabs(M[j * n + i]);
        }
    }
}

/* Multiplies coordinate i of a vertex by a power of 2. */
static void scale(centre *c, int vertex, int i, int shift) {
    int n = c->n;
    double *T = c->T + (size_t)vertex * (size_t)(n * n);
    T[i * n + i] = ldexp(T[i * n + i], shift);
    for (int k = 0; k < c->set->count; k++) {
        double *M = c->maps + (size_t)k * (size_t)(n * n);
        for (int j = 0; j < n; j++) {
            if (to_of(c, k) == vertex) M[i * n + j] = ldexp(M[i * n + j], shift);
            if (from_of(c, k) == vertex) M[j * n + i] = ldexp(M[j * n + i], -shift);
        }
    }
}

/* Balances rows and columns by powers of 2. */
static void balance(centre *c) {
    int n = c->n;
    for (int k = 0; k < n * c->vertices; k++) c->T[(k / n) * n * n + (k % n) * (n + 1)] = 1;
    for (int round = 0; round < BALANCE_MAX; round++) {
        bool changed = false;
        for (int k = 0; k < n * c->vertices; k++) {
            double row, column;
            sum_row_and_column(c, k / n, k % n, &row, &column);
            if (!(row > 0) || !(column > 0) || !isfinite(row + column)) continue;
            int shift = (int)lround(0.5 * log2(column / row));
            if (shift == 0) continue;
            changed = true;
            scale(c, k / n, k % n, shift);
        }
        if (!changed) break;
    }
}

static costab_status allocate(centre *c, common_norm *norm, costab_error *error) {
    size_t n = (size_t)c->n, d = (size_t)c->d, all = (size_t)c->all, cells = n * n,
           vertices = (size_t)c->vertices;
    norm->T = memory_alloc(vertices * cells + 1, sizeof(double));
    norm->inverse = memory_alloc(vertices * cells + 1, sizeof(double));
    c->maps = memory_alloc((size_t)c->set->count * cells + 1, sizeof(double));
    c->hessian = memory_alloc(all * all + 2 * d * d + 3 * all + 1, sizeof(double));
    c->F = memory_alloc((4 + 2 * vertices) * cells + norm_work(c->n), sizeof(double));
    if (!norm->T || !norm->inverse || !c->maps || !c->hessian || !c->F) return error_memory(error);
    c->T = norm->T;
    c->jacobian = c->hessian + all * all;
    c->gradient = c->jacobian + 2 * d * d;
    c->ones_solved = c->gradient + all;
    c->gradient_copy = c->ones_solved + all;
    c->U = c->F + cells;
    c->V = c->U + cells;
    c->scratch = c->V + cells;
    c->steps = c->scratch + cells;
    c->work = c->steps + 2 * vertices * cells;
    memcpy(c->maps, c->set->matrices, (size_t)c->set->count * cells * sizeof *c->maps);
    return COSTAB_OK;
}

/* Computes the inverses of T and the norms in the final T. */
static costab_status finish(centre *c, common_norm *norm, costab_error *error) {
    int n = c->n;
    size_t cells = (size_t)(n * n);
    bool regular = true;
    memory_local_array(lapack_int, pivots, (size_t)n + 1, error);
    memcpy(norm->inverse, c->T, (size_t)c->vertices * cells * sizeof *norm->inverse);
    for (int vertex = 0; vertex < c->vertices && regular && n > 0; vertex++) { /* LAPACK refuses n = 0 */
        double *inverse = norm->inverse + (size_t)vertex * cells;
        regular = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, inverse, n, pivots) == 0 &&
                  LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, inverse, n, pivots) == 0;
    }
    if (!regular) return error_set(error, COSTAB_NUMERIC, "the coordinates of a common norm are singular");
    for (int i = 0; i < c->set->count; i++) {
        size_t at = (size_t)i * cells;
        common_norm_transform(norm, from_of(c, i), to_of(c, i), c->set->matrices + at, c->maps + at, c->F);
    }
    norm->rate = rate_of(c->set, c->maps, c->work);
    return COSTAB_OK;
}

costab_status common_norm_find(const costab_sequence_set *set, common_norm *norm, costab_error *error) {
    int vertices = set->vertices > 1 ? set->vertices : 1, d = set->size * (set->size + 1) / 2;
    if ((double)d * vertices > DIMENSION_MAX) vertices = 1; /* separate norms would have too many unknowns */
    bool small = d <= DIMENSION_MAX;
    *norm = (common_norm){.n = set->size, .vertices = vertices, .rate = -(double)INFINITY};
    centre c = {.set = set, .n = set->size, .d = small ? d : 0, .vertices = vertices};
    c.all = c.d * vertices;
    costab_status status = allocate(&c, norm, error);
    if (!status) {
        balance(&c);
        if (small && set->size > 0) descend(&c);
        status = finish(&c, norm, error);
    }
    memory_free_all(c.maps, c.hessian, c.F);
    return status;
}

void common_norm_free(common_norm *norm) {
    memory_free_all(norm->T, norm->inverse);
    norm->T = norm->inverse = NULL;
}
