/* Computes a realisation from Markov parameters (Ho and Kalman 1966), balanced by singular values (Kung
 * 1978):
 * 1. Scales rows and columns by their largest responses, so units have no effect.
 * 2. Builds the block Hankel matrices H0 = (G_{s(a+b)}) and H1 = (G_{s(a+b)+1}), with the stride s.
 * 3. Decomposes H0 = U S V'. The order is the number of singular values above the tolerance.
 * 4. Computes F = S^-1/2 U' H1 V S^-1/2; E and K are the first blocks of S^1/2 V' and U S^1/2. H1 is shifted
 *    by one step rather than one stride, so F is the map of one step.
 * 5. Compares K F^k E with G_k for all k: the residual.
 * Cost: a singular value decomposition of a matrix of q blocks by m blocks. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"
#include "method/matrix.h"

/* The scaled Hankel matrices and the decomposition H0 = U S V', column-major for LAPACK. Rows are blocks of q
 * outputs, columns blocks of m inputs. */
typedef struct hankel {
    int rows, columns, least;         /* least: the smaller of both */
    double *H0, *H1;                  /* rows x columns; the decomposition overwrites H0 */
    double *U, *S, *Vt;               /* rows x least; least, descending; least x columns */
    double *row_scale, *column_scale; /* of the q outputs and the m inputs */
    double *work;                     /* least + rows */
} hankel;

static void hankel_free(hankel *h) {
    memory_free_all(h->H0, h->H1, h->S, h->U, h->Vt, h->row_scale, h->column_scale, h->work);
}

static costab_status hankel_make(hankel *h, int q, int m, int blocks, costab_error *error) {
    size_t rows = (size_t)(q * blocks), columns = (size_t)(m * blocks);
    size_t least = rows < columns ? rows : columns;
    *h = (hankel){.rows = q * blocks, .columns = m * blocks, .least = (int)least};
    TRY(memory_make(&h->H0, rows * columns, error));
    TRY(memory_make(&h->H1, rows * columns, error));
    TRY(memory_make(&h->S, least, error));
    TRY(memory_make(&h->U, rows * least, error));
    TRY(memory_make(&h->Vt, least * columns, error));
    TRY(memory_make(&h->row_scale, (size_t)q, error));
    TRY(memory_make(&h->column_scale, (size_t)m, error));
    return memory_make(&h->work, least + rows, error);
}

/* Finds the scales: rows by their largest response, then columns. */
static void find_scales(const fmu_markov *g, hankel *h) {
    for (int i = 0; i < g->q; i++) h->row_scale[i] = 0;
    for (int j = 0; j < g->m; j++) h->column_scale[j] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < g->steps; k++)
            for (int i = 0; i < g->q; i++)
                for (int j = 0; j < g->m; j++) {
                    double size = fabs(g->values[(k * g->q + i) * g->m + j]);
                    if (pass == 0) h->row_scale[i] = fmax(h->row_scale[i], size);
                    if (pass == 1 && h->row_scale[i] > 0)
                        h->column_scale[j] = fmax(h->column_scale[j], size / h->row_scale[i]);
                }
}

/* Returns a value in units of its output and input. Unresponsive outputs and ineffective inputs have the
 * scale 0, so their rows of K and columns of E vanish. */
static double scaled(const hankel *h, int i, int j, double value) {
    double scale = h->row_scale[i] * h->column_scale[j];
    return scale > 0 ? value / h->row_scale[i] / h->column_scale[j] : value;
}

static void fill(const fmu_markov *g, const hankel *h, int stride, int later, double *matrix) {
    for (int c = 0; c < h->columns; c++)
        for (int r = 0; r < h->rows; r++) {
            int i = r % g->q, j = c % g->m, k = stride * (r / g->q + c / g->m) + later;
            matrix[(size_t)c * (size_t)h->rows + (size_t)r] =
                scaled(h, i, j, g->values[(k * g->q + i) * g->m + j]);
        }
}

/* Computes F = S^-1/2 U' H1 V S^-1/2, and E and K as the first blocks of S^1/2 V' and U S^1/2. */
static void project(const fmu_markov *g, hankel *h, int order, double *F, double *E, double *K) {
    double *column = h->work;
    for (int b = 0; b < order; b++) {
        memset(column, 0, (size_t)h->rows * sizeof *column);
        for (int c = 0; c < h->columns; c++) {
            double v = h->Vt[(size_t)c * (size_t)h->least + (size_t)b];
            for (int r = 0; r < h->rows; r++) column[r] += h->H1[(size_t)c * (size_t)h->rows + (size_t)r] * v;
        }
        for (int a = 0; a < order; a++) {
            double sum = 0;
            for (int r = 0; r < h->rows; r++)
                sum += h->U[(size_t)a * (size_t)h->rows + (size_t)r] * column[r];
            F[a * order + b] = sum / sqrt(h->S[a]) / sqrt(h->S[b]);
        }
    }
    for (int a = 0; a < order; a++) {
        double root = sqrt(h->S[a]);
        for (int j = 0; j < g->m; j++)
            E[a * g->m + j] = root * h->Vt[(size_t)j * (size_t)h->least + (size_t)a] * h->column_scale[j];
        for (int i = 0; i < g->q; i++)
            K[i * order + a] = root * h->U[(size_t)a * (size_t)h->rows + (size_t)i] * h->row_scale[i];
    }
}

/* Returns the largest difference between the realisation's responses and G, relative to the scales of output
 * and input. */
static double compare(const fmu_markov *g, const hankel *h, int order, const double *F, const double *E,
                      const double *K, double *work) {
    double *z = work, *next = work + order, worst = 0;
    for (int j = 0; j < g->m; j++) {
        for (int a = 0; a < order; a++) z[a] = E[a * g->m + j];
        for (int k = 0; k < g->steps; k++) {
            for (int i = 0; i < g->q; i++) {
                double y = 0;
                for (int a = 0; a < order; a++) y += K[i * order + a] * z[a];
                double off = fabs(scaled(h, i, j, y - g->values[(k * g->q + i) * g->m + j]));
                if (!(off <= worst)) worst = off;
            }
            matrix_multiply(order, order, 1, F, z, next);
            memcpy(z, next, (size_t)order * sizeof *z);
        }
    }
    return worst;
}

costab_status realise(const fmu_markov *g, int blocks, int stride, double tolerance, int most, double *F,
                      double *E, double *K, fmu_realisation *found, costab_error *error) {
    ends_by(hankel_free) hankel h = {.rows = 0};
    *found = (fmu_realisation){.order = 0};
    TRY(hankel_make(&h, g->q, g->m, blocks, error));
    find_scales(g, &h);
    fill(g, &h, stride, 0, h.H0);
    fill(g, &h, stride, 1, h.H1);
    if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', h.rows, h.columns, h.H0, h.rows, h.S, h.U, h.rows, h.Vt,
                       h.least) != 0)
        return error_set(error, COSTAB_NUMERIC, "LAPACK found no singular values of a Hankel matrix");
    double largest = h.S[0];
    while (found->order < h.least && h.S[found->order] > tolerance * largest) found->order++;
    int order = found->order;
    if (order > 0) found->least = h.S[order - 1] / largest;
    if (order > 0 && order < h.least) found->next = h.S[order] / largest;
    if (order == 0 || order > most) return COSTAB_OK;
    memory_local_array(double, work, 2 * (size_t)order, error);
    project(g, &h, order, F, E, K);
    found->residual = compare(g, &h, order, F, E, K, work);
    return COSTAB_OK;
}
