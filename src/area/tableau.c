/* The tableau of a Runge-Kutta method in exact numbers:
 *
 *  1. Each entry of the source text is read by area/number.c: A and b row by row, and c if it is written.
 *  2. The tableau is consistent if b sums to 1 and c is the row sums of A; without c, c is set to them.
 *  3. Where reading fails, or the tableau is not consistent, the method's doubles count as exact numbers. */
#include "area/tableau.h"

#include <string.h>

#include "base/error.h"

void surd_matrix_init(surd_matrix *M, slong rows, slong columns) {
    fmpq_mat_init(M->u, rows, columns);
    fmpq_mat_init(M->v, rows, columns);
}

void surd_matrix_clear(surd_matrix *M) {
    flint_each(fmpq_mat_clear, M->u, M->v);
}

/* Reads a matrix row by row. [in, out] at: moves behind its last entry. */
static costab_status read_matrix(const char **at, surd_matrix *M, int *root) {
    flint_local(exact_number, x);
    for (slong i = 0; i < fmpq_mat_nrows(M->u); i++)
        for (slong j = 0; j < fmpq_mat_ncols(M->u); j++) {
            const size_t size = strcspn(*at, ";");
            TRY(exact_number_read(*at, size, x, root, NULL));
            fmpq_set(fmpq_mat_entry(M->u, i, j), x->u);
            fmpq_set(fmpq_mat_entry(M->v, i, j), x->v);
            *at += size + ((*at)[size] != '\0');
        }
    return COSTAB_OK;
}

static void set_doubles(surd_matrix *M, const double *values, slong stride) {
    fmpq_mat_zero(M->v);
    for (slong i = 0; i < fmpq_mat_nrows(M->u); i++)
        for (slong j = 0; j < fmpq_mat_ncols(M->u); j++)
            rational_of(fmpq_mat_entry(M->u, i, j), values[i * stride + j]);
}

/* sums := the row sums of M */
static void add_rows(const surd_matrix *M, surd_matrix *sums) {
    flint_local_matrix(fmpq_mat, fmpq_mat_ncols(M->u), 1, ones);
    for (slong i = 0; i < fmpq_mat_nrows(ones); i++) fmpq_one(fmpq_mat_entry(ones, i, 0));
    fmpq_mat_mul(sums->u, M->u, ones);
    fmpq_mat_mul(sums->v, M->v, ones);
}

/* Steps 1 and 2. */
static costab_status read_source(exact_tableau *t, const char *at) {
    TRY(read_matrix(&at, &t->A, &t->root));
    TRY(read_matrix(&at, &t->b, &t->root));
    flint_local_matrix(surd_matrix, 1, 1, one);
    flint_local_matrix(surd_matrix, fmpq_mat_nrows(t->A.u), 1, rows);
    add_rows(&t->b, one);
    add_rows(&t->A, rows);
    if (*at != '\0')
        TRY(read_matrix(&at, &t->c, &t->root));
    else {
        fmpq_mat_set(t->c.u, rows->u);
        fmpq_mat_set(t->c.v, rows->v);
    }
    if (!fmpq_is_one(fmpq_mat_entry(one->u, 0, 0)) || !fmpq_mat_is_zero(one->v) ||
        !fmpq_mat_equal(t->c.u, rows->u) || !fmpq_mat_equal(t->c.v, rows->v))
        return COSTAB_INVALID;
    return COSTAB_OK;
}

bool exact_tableau_init(exact_tableau *t, const costab_method *m) {
    t->root = 0;
    surd_matrix_init(&t->A, m->stages, m->stages);
    surd_matrix_init(&t->b, 1, m->stages);
    surd_matrix_init(&t->c, m->stages, 1);
    const costab_status status = read_source(t, m->source);
    t->exact = status == COSTAB_OK;
    if (t->exact) return true;
    t->root = 0;
    set_doubles(&t->A, m->A[0], COSTAB_STAGES_MAX);
    set_doubles(&t->b, m->b, COSTAB_STAGES_MAX);
    set_doubles(&t->c, m->c, 1);
    return status != COSTAB_MEMORY;
}

void exact_tableau_clear(exact_tableau *t) {
    flint_each(surd_matrix_clear, &t->A, &t->b, &t->c);
}

void exact_tableau_entry(const exact_tableau *t, const surd_matrix *M, slong i, slong j, slong precision,
                         acb_t entry) {
    flint_local(arb, root);
    arb_sqrt_ui(root, (ulong)t->root, precision);
    acb_set_fmpq(entry, fmpq_mat_entry(M->v, i, j), precision);
    arb_mul(acb_realref(entry), acb_realref(entry), root, precision);
    arb_set_fmpq(root, fmpq_mat_entry(M->u, i, j), precision);
    arb_add(acb_realref(entry), acb_realref(entry), root, precision);
}
