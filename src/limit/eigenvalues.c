/* Computes and ranks the eigenvalues of one matrix of a family, with a rounding error bound (slack) for each.
 * 1. Real matrix: the Schur form also gives the conditions of the eigenvalues, hence the bounds
 *    (method/eigen.h).
 * 2. Map of a short step: the eigenvalues of the increment and of the remaining part
 *    (costab_family_point.increment), instead of those of M. They are accurate relative to their distance
 *    from 1.
 * 3. Complex matrix: the bound is the backward error, without conditions.
 * 4. A_mono is often equal at consecutive values; its eigenvalues are then copied.
 * Cost: 10 n^3, plus 15 n^3 for the conditions. Limitation: bounds are of first order. */
#include "limit/eigenvalues.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/matrix.h"

/* Eigenvalues above this are certainly unstable; their products would overflow. */
#define HUGE_MODULUS 1e140

void eigenvalues_workspace_free(eigenvalues_workspace *workspace) {
    memory_free_all(workspace->work, workspace->iwork);
    *workspace = (eigenvalues_workspace){.size = 0};
}

static costab_status make_workspace(eigenvalues_workspace *workspace, int n, costab_error *error) {
    if (n <= workspace->size) return COSTAB_OK;
    eigenvalues_workspace_free(workspace);
    size_t square = (size_t)n * (size_t)n, most = eigen_work(n) + eigen_complex_work(n);
    workspace->work = memory_alloc(most + 3 * square, sizeof(double));
    workspace->iwork = memory_alloc(eigen_iwork(n), sizeof(int));
    if (workspace->work == NULL || workspace->iwork == NULL) {
        eigenvalues_workspace_free(workspace);
        return error_memory(error);
    }
    workspace->size = n;
    workspace->schur =
        (eigen_schur){.hessenberg = workspace->work + most, .form = workspace->work + most + square};
    workspace->last = workspace->work + most + 2 * square;
    return COSTAB_OK;
}

static bool complex_values(const costab_matrix *m, double *work, crossing_spectrum *s) {
    int n = m->size;
    size_t count = (size_t)n * (size_t)n;
    if (!eigen_complex_values(n, m->entries, m->imaginary, s->re, s->im, work)) return false;
    s->backward = n * DBL_EPSILON * hypot(matrix_norm(count, m->entries), matrix_norm(count, m->imaginary));
    for (int i = 0; i < n; i++) s->slack[i] = s->backward;
    return true;
}

static int descending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Sorts the distances beyond the limit, largest first, and detects overflow. */
static void rank_eigenvalues(crossing_spectrum *s, bool line) {
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        double size = hypot(s->re[i], s->im[i]);
        s->ranks[i] = eigenvalues_beyond(s, line, i);
        if (!(size <= most)) most = size;
    }
    qsort(s->ranks, (size_t)s->n, sizeof *s->ranks, descending);
    s->furthest = s->ranks[0];
    s->overflow = !(most < HUGE_MODULUS);
}

/* Stores the eigenvalues of a real matrix in `s` from index `at` on. `limit`: stability limit of the
 * matrix. */
static bool real_values(eigenvalues_workspace *workspace, const costab_matrix *m, eigen_limit limit, int at,
                        crossing_spectrum *s) {
    eigen_found all = {.count = m->size,
                       .re = s->re + at,
                       .im = s->im + at,
                       .slack = s->slack + at,
                       .schur = &workspace->schur,
                       .roundings = 1,
                       .limit = limit,
                       .noise = limit == EIGEN_INCREMENT ? m->noise : 0};
    eigen_list list = {.re = s->re + at, .im = s->im + at, .schur = &workspace->schur};
    if (!eigen_find(m->size, m->entries, &list, workspace->work, workspace->iwork)) return false;
    eigen_slack(m->size, m->entries, &all, workspace->work, workspace->iwork);
    s->backward = fmax(s->backward, all.backward + m->noise);
    for (int i = at; i < at + m->size; i++) {
        s->slack[i] = fmax(s->slack[i], m->noise);
        if (limit == EIGEN_CIRCLE) s->re[i] -= 1;
    }
    return true;
}

static bool is_finite(const costab_matrix *m) {
    size_t count = (size_t)m->size * (size_t)m->size;
    return matrix_finite(count, m->entries) && (m->imaginary == NULL || matrix_finite(count, m->imaginary));
}

/* Copies the eigenvalues of the previous A_mono if the matrix is equal. */
static bool recall(const eigenvalues_workspace *workspace, const costab_matrix *m, crossing_spectrum *s) {
    const crossing_spectrum *last = &workspace->last_has;
    size_t n = (size_t)m->size;
    if (m->size != last->n || m->imaginary != NULL || m->noise != workspace->last_noise ||
        memcmp(m->entries, workspace->last, n * n * sizeof *workspace->last) != 0)
        return false;
    memcpy(s->re, last->re, n * sizeof *s->re);
    memcpy(s->im, last->im, n * sizeof *s->im);
    memcpy(s->slack, last->slack, n * sizeof *s->slack);
    s->backward = last->backward;
    return true;
}

static void remember(eigenvalues_workspace *workspace, const costab_matrix *m, const crossing_spectrum *s) {
    size_t n = (size_t)m->size;
    memcpy(workspace->last, m->entries, n * n * sizeof *workspace->last);
    workspace->last_noise = m->noise;
    workspace->last_has = *s;
}

costab_status eigenvalues_find(eigenvalues_workspace *workspace, const costab_matrix *m,
                               const costab_matrix increment[2], bool line, crossing_spectrum *s,
                               costab_error *error) {
    TRY(make_workspace(workspace, m->size, error));
    bool found = is_finite(m);
    if (found && m->imaginary != NULL) {
        found = complex_values(m, workspace->work, s);
        for (int i = 0; i < m->size && found; i++) s->re[i] -= 1;
    } else if (found && increment != NULL) {
        found = is_finite(&increment[0]) && is_finite(&increment[1]) &&
                real_values(workspace, &increment[0], EIGEN_INCREMENT, 0, s) &&
                real_values(workspace, &increment[1], EIGEN_CIRCLE, increment[0].size, s);
    } else if (found && !(line && recall(workspace, m, s))) {
        found = real_values(workspace, m, line ? EIGEN_AXIS : EIGEN_CIRCLE, 0, s);
        if (found && line) remember(workspace, m, s);
    }
    if (found) rank_eigenvalues(s, line);
    if (!found) s->overflow = true, s->furthest = (double)INFINITY;
    return COSTAB_OK;
}
