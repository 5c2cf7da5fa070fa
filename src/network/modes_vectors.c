/* Eigenvalues and eigenvectors of a real matrix.
 *
 * 1. LAPACK's dgeev computes all eigenvalues and vectors.
 * 2. Split: vectors v, w of a network's map M are converted to v', w' of the map M' of the split network, in
 *    which every connection has its own output (by_connection.h). Rows of M' are either copies of rows of M
 *    (several if connections share an output), or new; M' does not depend on new rows. v' repeats the entries
 *    of v in copies and is M' v' / l in new rows. w' equals w in rows with a single copy. Several copies
 *    share the entry of w: they start with equal parts, and w'* = w'* M' / l is iterated once per history
 *    value, after which the result is independent of the start.
 *
 * Cost: 25 n^3; the map M', and n^2 per vector and history value.
 * Limitation: vectors of almost equal eigenvalues may have errors far above rounding. */
#include "network/modes_vectors.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/rows.h"
#include "network/step.h"

/* LAPACK reads the row-major M as its transpose M'. Its left vectors u* M' = l u* are conj(v), its right
 * vectors M' r = l r are conj(w). Changing the sign of the imaginary part gives v. */
costab_status modes_vectors_find(modes_vectors *v, int n, const double *matrix, costab_error *error) {
    *v = (modes_vectors){.n = n, .count = n};
    memory_local_array(double, copy, cells(n, n), error);
    TRY(memory_make(&v->re, (size_t)n, error));
    TRY(memory_make(&v->im, (size_t)n, error));
    TRY(memory_make(&v->column, (size_t)n, error));
    TRY(memory_make(&v->right, cells(n, n), error));
    TRY(memory_make(&v->left, cells(n, n), error));
    memcpy(copy, matrix, cells(n, n) * sizeof *copy);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, copy, n, v->re, v->im, v->right, n, v->left, n) != 0)
        return error_set(error, COSTAB_NUMERIC, "the eigenvectors were not found");
    for (int i = 0; i < n; i++) {
        v->column[i] = v->im[i] < 0 ? i - 1 : i;
        for (int k = 0; k < n && v->im[i] < 0; k++) v->right[cells(i, n) + (size_t)k] *= -1;
    }
    return COSTAB_OK;
}

void modes_vectors_choose(modes_vectors *v, const bool *chosen) {
    for (int i = 0; i < v->n; i++)
        if (!chosen[i]) v->column[i] = -1;
}

void modes_vectors_free(modes_vectors *v) {
    memory_free_all(v->re, v->im, v->column, v->right, v->left);
    *v = (modes_vectors){.n = 0};
}

/* ---- Conversion to the split network ---- */

typedef struct vector_splitter {
    const costab_network_work *split; /* workspace of the split network, with M' */
    int *source;                      /* per row of M': the row of M that it copies; -1: new row */
    int *copies;                      /* per row of M: number of copies in M' */
    int turns;                        /* number of iterations for rows with several copies */
    double *space;                    /* workspace: two rows of M' */
    double re, im;                    /* current eigenvalue, scaled like M' */
} vector_splitter;

/* Divides a + ib by the eigenvalue. */
static void divide_by_eigenvalue(const vector_splitter *s, double *a, double *b) {
    double x = *a, y = *b, under = s->re * s->re + s->im * s->im;
    *a = (x * s->re + y * s->im) / under;
    *b = (y * s->re - x * s->im) / under;
}

static void find_sources(vector_splitter *s, const costab_network_work *work, const by_connection *split) {
    for (int r = 0; r < s->split->size; r++) {
        map_row row = s->split->rows[r];
        if (row_port_of(row.kind) == ROW_OF_OUTPUT) {
            int output = s->split->subs[row.subsystem].y + row.index;
            row.index = work->network->connections[split->of_output[output]].output;
        }
        s->source[r] = rows_find(work, &row);
        if (s->source[r] >= 0) s->copies[s->source[r]]++;
    }
    for (int o = 0; o < s->split->signals; o++)
        if (s->turns < s->split->remembered[o] + 2) s->turns = s->split->remembered[o] + 2;
}

/* Scales a vector to length 1. A zero vector remains. */
static void normalise(int count, double *x) {
    double length = matrix_norm((size_t)count, x);
    for (int e = 0; e < count && length > 0; e++) x[e] /= length;
}

/* [out] made: v', `width` columns, stored by columns. */
static void split_right(const vector_splitter *s, int n, int width, const double *v, double *made) {
    const int rows = s->split->size;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < width && s->source[r] >= 0; c++)
            made[cells(c, rows) + (size_t)r] = v[cells(c, n) + (size_t)s->source[r]];
    for (int r = 0; r < rows; r++) {
        double product[2] = {0, 0};
        if (s->source[r] >= 0) continue;
        for (int c = 0; c < width; c++)
            matrix_multiply(1, rows, 1, s->split->map + cells(r, rows), made + cells(c, rows), &product[c]);
        divide_by_eigenvalue(s, &product[0], &product[1]);
        for (int c = 0; c < width; c++) made[cells(c, rows) + (size_t)r] = product[c];
    }
    normalise(rows * width, made);
}

static bool is_shared(const vector_splitter *s, int row) {
    return s->source[row] >= 0 && s->copies[s->source[row]] > 1;
}

/* [out] made: conj(w'). */
static void split_left(const vector_splitter *s, int n, int width, const double *w, double *made) {
    const int rows = s->split->size;
    bool shared = false;
    for (int r = 0; r < rows; r++) shared = shared || is_shared(s, r);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < width && s->source[r] >= 0; c++)
            made[cells(c, rows) + (size_t)r] =
                w[cells(c, n) + (size_t)s->source[r]] / s->copies[s->source[r]];
    for (int k = 0; k < s->turns && shared; k++) {
        matrix_multiply(width, rows, rows, made, s->split->map, s->space);
        for (int r = 0; r < rows; r++) {
            double re = s->space[r], im = width > 1 ? s->space[rows + r] : 0;
            if (!is_shared(s, r)) continue;
            divide_by_eigenvalue(s, &re, &im);
            made[r] = re;
            if (width > 1) made[rows + r] = im;
        }
    }
    normalise(rows * width, made);
}

static void free_splitter(const vector_splitter *s) {
    memory_free_all(s->source, s->copies, s->space);
}

costab_status modes_vectors_split(modes_vectors *v, const costab_network_work *work,
                                  const by_connection *split, costab_network_work *split_work,
                                  costab_error *error) {
    ends_by(free_splitter) vector_splitter s = {.split = split_work};
    ends_by(modes_vectors_free) modes_vectors made = {.n = split_work->size};
    double radius;
    long exponent;
    TRY(map_make(split_work, &radius, &exponent, error));
    TRY(memory_make(&s.source, (size_t)made.n, error));
    TRY(memory_make(&s.copies, (size_t)v->n, error));
    TRY(memory_make(&s.space, cells(made.n, 2), error));
    TRY(memory_make(&made.right, cells(made.n, v->count), error));
    TRY(memory_make(&made.left, cells(made.n, v->count), error));
    find_sources(&s, work, split);
    for (int i = 0; i < v->count; i++) {
        if (v->column[i] < 0 || v->im[i] < 0) continue;
        const int width = v->im[i] != 0 ? 2 : 1;
        const size_t from = cells(v->column[i], v->n), to = cells(v->column[i], made.n);
        s.re = ldexp(v->re[i], (int)-exponent);
        s.im = ldexp(v->im[i], (int)-exponent);
        split_right(&s, v->n, width, v->right + from, made.right + to);
        split_left(&s, v->n, width, v->left + from, made.left + to);
    }
    const modes_vectors former = *v;
    v->n = made.n;
    v->right = made.right;
    v->left = made.left;
    made.right = former.right;
    made.left = former.left;
    return COSTAB_OK;
}
