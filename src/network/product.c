/* Repeated products of a matrix with vectors.
 *
 * 1. If at most one entry in FEW is nonzero, only nonzero entries are stored, row by row; otherwise all.
 * 2. A product sums the stored entries of a row sequentially, or all entries in eight lanes.
 *
 * Cost: the stored entries. */
#include "network/product.h"

#include <string.h>

#include "base/clones.h"
#include "base/error.h"

enum { FEW = 4 };

typedef double eight __attribute__((vector_size(64), aligned(8)));

/* out += a x. BLAS would first copy a. Fixed eight lanes make the bits equal on every machine. Rows are
 * processed in fours; the last group repeats its last row. */
BASE_CLONES
static void add_dense(int rows, int n, const double *restrict a, const double *restrict x,
                      double *restrict out) {
    enum { WIDTH = 8, ROWS = 4 };
    for (int i = 0; i < rows; i += ROWS) {
        const double *row[ROWS];
        eight sums[ROWS] = {{0}, {0}, {0}, {0}};
        for (int r = 0; r < ROWS; r++) row[r] = a + (size_t)(i + r < rows ? i + r : rows - 1) * (size_t)n;
        int j = 0;
        for (; j + WIDTH <= n; j += WIDTH) {
            const eight values = *(const eight *)(x + j);
            for (int r = 0; r < ROWS; r++) sums[r] += *(const eight *)(row[r] + j) * values;
        }
        for (int r = 0; r < ROWS && i + r < rows; r++) {
            double sum = ((sums[r][0] + sums[r][4]) + (sums[r][2] + sums[r][6])) +
                         ((sums[r][1] + sums[r][5]) + (sums[r][3] + sums[r][7]));
            for (int k = j; k < n; k++) sum += row[r][k] * x[k];
            out[i + r] += sum;
        }
    }
}

void product_dense(int rows, int n, const double *a, const double *x, double *out) {
    memset(out, 0, (size_t)rows * sizeof *out);
    add_dense(rows, n, a, x, out);
}

static void lay_product(void *owner, network_arena *arena) {
    network_product *p = owner;
    bool all = p->count == (size_t)p->rows * (size_t)p->columns;
    p->entries = arena_take(arena, p->count, sizeof *p->entries);
    p->starts = all ? NULL : arena_take(arena, (size_t)p->rows + 1, sizeof *p->starts);
    p->places = all ? NULL : arena_take(arena, p->count, sizeof *p->places);
}

costab_status product_make(network_product *p, int rows, int columns, const double *matrix,
                           costab_error *error) {
    size_t all = (size_t)rows * (size_t)columns, few = 0;
    for (size_t e = 0; e < all; e++) few += matrix[e] != 0;
    p->rows = rows;
    p->columns = columns;
    p->count = few > all / FEW ? all : few;
    TRY(arena_fill(&p->memory, lay_product, p, error));
    if (p->starts == NULL && all > 0) memcpy(p->entries, matrix, all * sizeof *matrix);
    if (p->starts == NULL) return COSTAB_OK;
    int count = 0;
    for (int r = 0; r < rows; r++) {
        p->starts[r] = count;
        for (int k = 0; k < columns; k++, matrix++) {
            if (*matrix == 0) continue;
            p->places[count] = k;
            p->entries[count++] = *matrix;
        }
    }
    p->starts[rows] = count;
    return COSTAB_OK;
}

void product_add(const network_product *p, const double *restrict x, double *restrict out) {
    if (p->starts == NULL) {
        add_dense(p->rows, p->columns, p->entries, x, out);
        return;
    }
    const double *restrict entries = p->entries;
    const int *restrict places = p->places;
    for (int r = 0; r < p->rows; r++) {
        double sum = out[r];
        for (int k = p->starts[r]; k < p->starts[r + 1]; k++) sum += entries[k] * x[places[k]];
        out[r] = sum;
    }
}

void product_apply(const network_product *p, const double *x, double *out) {
    memset(out, 0, (size_t)p->rows * sizeof *out);
    product_add(p, x, out);
}
