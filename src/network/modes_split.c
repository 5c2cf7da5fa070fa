/* From the right and left vectors v, w of a network's map M to those v', w' of its split network's map M'
 * (every connection has an output of its own: by_connection.h).
 *
 * Rows of M' are either copies of rows of M (several where connections share an output), or only M' has them.
 * Let E copy a state of M to one of M', with 0 in the rows that only M' has. M' does not depend on these
 * rows, so M' E = E M but for them.
 * 1. v' = E v; in the rows that only M' has it is M' E v / l.
 * 2. w' is w in rows with one copy. In rows with several copies these sum up to w: at first in equal parts.
 *    Then w'* = w'* M' / l again and again, as often as there are remembered values, after which M' has
 *    forgotten what the copies began with.
 *
 * Cost: a macro step of two columns for each eigenvalue, and one of each shared row. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/modes_vectors.h"
#include "network/rows.h"
#include "network/step.h"

typedef struct vector_splitter {
    const costab_network_work *work; /* of M */
    const by_connection *split;
    costab_network_work *split_work; /* of M' */
    modes_vectors *v;                /* those of M, which become those of M' */
    int n;                           /* rows of M' */
    int *source;                     /* per row of M': the row of M that it copies; -1: only M' has it */
    int *copies;                     /* per row of M: how many rows of M' copy it */
    int *shared;                     /* rows of M' that are one of several copies */
    int shared_count;
    int depth;            /* the most values of an output that are remembered */
    double *right, *left; /* v', conj(w'): width columns of n numbers, one behind the other */
    double *columns;      /* n rows of up to n columns: what M' is applied to, then the result */
} vector_splitter;

/* ---- Rows ---- */

/* Fills `source`. */
static void find_sources(const vector_splitter *s) {
    for (int r = 0; r < s->n; r++) {
        map_row row = s->split_work->rows[r];
        if (row_port_of(row.kind) == ROW_OF_OUTPUT) {
            int output = s->split_work->subs[row.subsystem].y + row.index;
            row.index = s->work->network->connections[s->split->of_output[output]].output;
        }
        s->source[r] = rows_find(s->work, &row);
    }
}

/* Fills copies, shared, shared_count and depth. */
static void find_shared(vector_splitter *s) {
    for (int r = 0; r < s->n; r++)
        if (s->source[r] >= 0) s->copies[s->source[r]]++;
    for (int r = 0; r < s->n; r++)
        if (s->source[r] >= 0 && s->copies[s->source[r]] > 1) s->shared[s->shared_count++] = r;
    for (int o = 0; o < s->split_work->signals; o++)
        if (s->split_work->remembered[o] > s->depth) s->depth = s->split_work->remembered[o];
}

/* ---- M' of columns ---- */

/* s->columns, n x width, become M' times them, by the macro steps of a period. */
static costab_status apply_map(const vector_splitter *s, int width, costab_error *error) {
    size_t count = cells(s->n, width);
    for (int64_t k = 0; k < s->split_work->period; k++) {
        TRY(work_step(s->split_work, k, width, s->columns, s->split_work->next, error));
        memcpy(s->columns, s->split_work->next, count * sizeof *s->columns);
    }
    return COSTAB_OK;
}

/* a + ib becomes its quotient by eigenvalue i; b does not count where that is real. */
static void divide_by_eigenvalue(const modes_vectors *v, int i, double *a, double *b) {
    double re = v->re[i], im = v->im[i], x = *a, y = im != 0 ? *b : 0, under = re * re + im * im;
    *a = (x * re + y * im) / under;
    if (im != 0) *b = (y * re - x * im) / under;
}

/* ---- Right vectors ---- */

/* Step 1: the rows that only M' has, of one eigenvalue. */
static costab_status find_own_rows(const vector_splitter *s, int i, costab_error *error) {
    const modes_vectors *v = s->v;
    int width = v->im[i] != 0 ? 2 : 1;
    double *first = s->right + cells(v->column[i], s->n), *second = first + (width > 1 ? s->n : 0);
    for (int r = 0; r < s->n; r++) {
        s->columns[cells(r, width)] = first[r];
        if (width > 1) s->columns[cells(r, width) + 1] = second[r];
    }
    TRY(apply_map(s, width, error));
    for (int r = 0; r < s->n; r++) {
        if (s->source[r] >= 0) continue;
        first[r] = s->columns[cells(r, width)];
        if (width > 1) second[r] = s->columns[cells(r, width) + 1];
        divide_by_eigenvalue(v, i, first + r, second + r);
    }
    return COSTAB_OK;
}

/* Step 1: fills s->right. */
static costab_status find_right(const vector_splitter *s, costab_error *error) {
    const modes_vectors *v = s->v;
    bool own = false;
    for (int r = 0; r < s->n; r++) {
        own = own || s->source[r] < 0;
        for (int c = 0; c < v->width && s->source[r] >= 0; c++)
            s->right[cells(c, s->n) + (size_t)r] = v->right[cells(c, v->n) + (size_t)s->source[r]];
    }
    for (int i = 0; i < v->count && own; i++)
        if (v->column[i] >= 0 && v->im[i] >= 0) TRY(find_own_rows(s, i, error));
    return COSTAB_OK;
}

/* ---- Left vectors ---- */

/* [out] made, n x shared_count: the columns of M' that belong to the shared rows. */
static costab_status apply_map_to_shared(const vector_splitter *s, double *made, costab_error *error) {
    int most = s->split_work->size < s->shared_count ? s->split_work->size : s->shared_count;
    for (int first = 0; first < s->shared_count; first += most) {
        int width = s->shared_count - first < most ? s->shared_count - first : most;
        memset(s->columns, 0, cells(s->n, width) * sizeof *s->columns);
        for (int j = 0; j < width; j++) s->columns[cells(s->shared[first + j], width) + (size_t)j] = 1;
        TRY(apply_map(s, width, error));
        for (int r = 0; r < s->n; r++)
            memcpy(made + cells(r, s->shared_count) + (size_t)first, s->columns + cells(r, width),
                   (size_t)width * sizeof *made);
    }
    return COSTAB_OK;
}

/* One iteration of step 2: the shared entries of w'* M' / l. made: those columns of M'; entries: room for
 * width x shared_count numbers. */
static void iterate_shared_entries(const vector_splitter *s, const double *made, double *entries) {
    const modes_vectors *v = s->v;
    int count = s->shared_count;
    matrix_multiply(v->width, s->n, count, s->left, made, entries);
    for (int i = 0; i < v->count; i++) {
        if (v->column[i] < 0 || v->im[i] < 0) continue;
        double *re = entries + cells(v->column[i], count), *im = re + (v->im[i] != 0 ? count : 0);
        double *first = s->left + cells(v->column[i], s->n), *second = first + (v->im[i] != 0 ? s->n : 0);
        for (int j = 0; j < count; j++) {
            divide_by_eigenvalue(v, i, re + j, im + j);
            first[s->shared[j]] = re[j];
            if (v->im[i] != 0) second[s->shared[j]] = im[j];
        }
    }
}

/* Step 2: fills s->left. */
static costab_status find_left(const vector_splitter *s, costab_error *error) {
    const modes_vectors *v = s->v;
    for (int r = 0; r < s->n; r++)
        for (int c = 0; c < v->width && s->source[r] >= 0; c++)
            s->left[cells(c, s->n) + (size_t)r] =
                v->left[cells(c, v->n) + (size_t)s->source[r]] / s->copies[s->source[r]];
    if (s->shared_count == 0) return COSTAB_OK;
    memory_local_array(double, made, cells(s->n, s->shared_count), error);
    memory_local_array(double, entries, cells(v->width, s->shared_count), error);
    TRY(apply_map_to_shared(s, made, error));
    for (int k = 0; k < s->depth + 2; k++) iterate_shared_entries(s, made, entries);
    return COSTAB_OK;
}

/* ---- All together ---- */

static void free_splitter(const vector_splitter *s) {
    memory_free_all(s->source, s->shared, s->copies, s->right, s->left, s->columns);
}

/* Gives the vectors in `columns` the length 1. */
static void normalise(const vector_splitter *s, double *columns) {
    const modes_vectors *v = s->v;
    for (int i = 0; i < v->count; i++) {
        if (v->column[i] < 0 || v->im[i] < 0) continue;
        eigen_normalise(s->n, v->im[i] != 0 ? 2 : 1, false, columns + cells(v->column[i], s->n));
    }
}

costab_status modes_vectors_split(modes_vectors *v, const costab_network_work *work,
                                  const by_connection *split, costab_network_work *split_work,
                                  costab_error *error) {
    ends_by(free_splitter)
        vector_splitter s = {.work = work, .split = split, .split_work = split_work, .v = v};
    TRY(work_prepare(split_work, &split->network, &work->coupling, NULL, error));
    s.n = split_work->size;
    size_t rows = (size_t)s.n, count = cells(s.n, v->width);
    TRY(memory_make(&s.source, rows, error));
    TRY(memory_make(&s.shared, rows, error));
    TRY(memory_make(&s.copies, (size_t)work->size, error));
    TRY(memory_make(&s.right, count, error));
    TRY(memory_make(&s.left, count, error));
    TRY(memory_make(&s.columns, cells(s.n, s.n > 1 ? s.n : 2), error));
    find_sources(&s);
    find_shared(&s);
    TRY(find_right(&s, error));
    TRY(find_left(&s, error));
    normalise(&s, s.right);
    normalise(&s, s.left);
    const modes_vectors former = *v;
    v->n = s.n;
    v->right = s.right;
    v->left = s.left;
    s.right = former.right;
    s.left = former.left;
    return COSTAB_OK;
}
