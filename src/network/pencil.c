/* Inverse iteration on the pencil M - l E (pencil.h; G. H. Golub, C. F. Van Loan, Matrix Computations,
 * 7.6.1).
 *
 * 1. From a given l: factors of the equilibrated M - l E; v and w from two solutions with right-hand sides E
 *    v and E w; then l = w' M v / w' E v, accurate to second order. This is repeated TURNS times.
 * 2. Error bound: the sum of |w_i| |M_ij| |v_j| times the relative error of each entry, divided by |w' E v|.
 * 3. The result replaces the given eigenvalue if both agree within their errors, the new error is smaller and
 *    no other eigenvalue is within these errors; otherwise two eigenvalues could have converged to the same
 *    value.
 *
 * Cost: (8/3) n^3 per iteration, n = states + inputs + outputs. Limitation: error bounds are of first order;
 * at a multiple eigenvalue w' E v tends to 0, and the bound is large. */
#include "network/pencil.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/structure.h"

enum { TURNS = 4, SOLUTIONS = 2 };

typedef double complex number;

typedef struct pencil_value {
    double re, im, error;
} pencil_value;

struct pencil_space {
    network_arena memory;
    int states, inputs, outputs;
    structure_space equations;
    number *shifted, *v, *w; /* n^2, n, n */
    int *pivots;
    pencil_value *values; /* states */
};

static void lay(void *owner, network_arena *arena) {
    pencil_space *space = owner;
    size_t n = (size_t)space->states + (size_t)space->inputs + (size_t)space->outputs;
    structure_lay(&space->equations, space->states, space->inputs, space->outputs, arena);
    space->shifted = arena_take(arena, n * n, sizeof(number));
    space->v = arena_take(arena, n, sizeof(number));
    space->w = arena_take(arena, n, sizeof(number));
    space->pivots = arena_take(arena, n, sizeof(int));
    space->values = arena_take(arena, (size_t)space->states, sizeof *space->values);
}

void pencil_free(pencil_space *space) {
    if (space == NULL) return;
    memory_free_all(space->memory.base, space);
}

/* ---- Iteration ---- */

/* Diagonal entry i of the scaled E (row unit times column unit). */
static double unit_of(const structure_space *m, int i) {
    return i < m->states ? m->row_unit[i] * m->column_unit[i] : 0;
}

/* Factors the transpose of M - l E (column-major storage). A perturbation of the size of rounding keeps it
 * regular. */
static bool factor(pencil_space *space, number l) {
    const structure_space *m = &space->equations;
    number *shifted = space->shifted;
    int n = m->n;
    double norm = 0;
    for (int e = 0; e < n * n; e++) shifted[e] = m->matrix[e];
    for (int i = 0; i < n; i++) shifted[i * n + i] -= l * unit_of(m, i);
    for (int e = 0; e < n * n; e++) norm = fmax(norm, cabs(shifted[e]));
    for (int i = 0; i < n; i++) shifted[i * n + i] += norm * DBL_EPSILON;
    return isfinite(norm) && LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, shifted, n, space->pivots) == 0;
}

/* x = (M - l E)^-1 E x (turned: with the transpose), divided by its largest entry. */
static bool iterate(const pencil_space *space, bool turned, number *x) {
    const structure_space *m = &space->equations;
    int n = m->n;
    double most = 0;
    for (int i = 0; i < n; i++) x[i] *= unit_of(m, i);
    if (LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, turned ? 'N' : 'T', n, 1, space->shifted, n, space->pivots, x,
                            n) != 0)
        return false;
    for (int i = 0; i < n; i++) most = fmax(most, cabs(x[i]));
    if (!(most > 0) || !isfinite(most)) return false;
    for (int i = 0; i < n; i++) x[i] /= most;
    return true;
}

/* Computes the quotient w' M v / w' E v and its error bound. Returns false if w' E v is 0. */
static bool take_quotient(const pencil_space *space, const number *v, const number *w, number *l,
                          double *error) {
    const structure_space *m = &space->equations;
    number above = 0, below = 0;
    double moved = 0, of_shift = 0;
    for (int i = 0; i < m->n; i++) {
        const double *row = m->matrix + (size_t)i * (size_t)m->n;
        double moduli = 0;
        number sum = 0;
        for (int j = 0; j < m->n; j++) {
            sum += row[j] * v[j];
            moduli += fabs(row[j]) * cabs(v[j]);
        }
        above += w[i] * sum;
        below += w[i] * unit_of(m, i) * v[i];
        moved += (m->trusted[i] + m->states * DBL_EPSILON) * cabs(w[i]) * moduli;
        of_shift += DBL_EPSILON * m->states * cabs(w[i]) * unit_of(m, i) * cabs(v[i]);
    }
    *l = above / below;
    *error = (moved + cabs(*l) * of_shift) / cabs(below);
    return below != 0 && isfinite(creal(*l)) && isfinite(cimag(*l));
}

/* Finds an eigenvalue by inverse iteration from re + i im. Returns false if it fails. */
static bool find_from(pencil_space *space, double re, double im, pencil_value *found) {
    number *v = space->v, *w = space->w, l = re + im * I;
    for (int i = 0; i < space->equations.n; i++) { /* start vectors, orthogonal to an eigenvector only by
                                                    * chance */
        v[i] = 1 + 0.5 * sin(1.3 * i + 0.7) + 0.25 * cos(2.9 * i) * I;
        w[i] = 1 + 0.5 * cos(1.7 * i + 0.3) + 0.25 * sin(2.3 * i + 1) * I;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        if (!factor(space, l)) return false;
        for (int k = 0; k < SOLUTIONS; k++)
            if (!iterate(space, false, v) || !iterate(space, true, w)) return false;
        if (!take_quotient(space, v, w, &l, &found->error)) return false;
    }
    found->re = creal(l);
    found->im = cimag(l);
    return true;
}

/* ---- Acceptance ---- */

static bool in_doubt(const costab_network_work *work, int i) {
    return !(fabs(work->eigen.real[i]) > work->eigen.slack[i]);
}

static bool is_pair(const costab_network_work *work, int i) {
    return i > 0 && work->eigen.imaginary[i] < 0 &&
           work->eigen.imaginary[i] == -work->eigen.imaginary[i - 1] &&
           work->eigen.real[i] == work->eigen.real[i - 1];
}

/* Computes refined values of the undecided eigenvalues and copies the others. */
static void find_values(costab_network_work *work, int n) {
    pencil_space *space = work->pencil;
    for (int i = 0; i < n; i++) {
        const double re = work->eigen.real[i], im = work->eigen.imaginary[i], slack = work->eigen.slack[i];
        pencil_value *value = &space->values[i];
        if (is_pair(work, i)) {
            *value = space->values[i - 1];
            value->im = -value->im;
            continue;
        }
        bool found = in_doubt(work, i) && find_from(space, re, im, value) &&
                     hypot(value->re - re, value->im - im) <= slack + value->error && value->error < slack;
        if (!found) *value = (pencil_value){re, im, slack};
        if (found && im == 0 && fabs(value->im) <= value->error) value->im = 0;
    }
}

/* Returns true if no other eigenvalue is within the error bounds of eigenvalue i. */
static bool stands_alone(const pencil_space *space, int n, int i) {
    const pencil_value *a = &space->values[i];
    for (int k = 0; k < n; k++) {
        const pencil_value *b = &space->values[k];
        if (k != i && !(hypot(a->re - b->re, a->im - b->im) > a->error + b->error)) return false;
    }
    return true;
}

costab_status pencil_refine(costab_network_work *work, int n, spectrum_reach *reach, costab_error *error) {
    if (work->pencil == NULL) TRY(memory_make(&work->pencil, 1, error));
    pencil_space *space = work->pencil;
    space->states = work->states;
    space->inputs = work->inputs;
    space->outputs = work->outputs;
    TRY(arena_fill(&space->memory, lay, space, error));
    if (!structure_fill(&space->equations, work->network)) return COSTAB_OK;
    find_values(work, n);
    for (int i = 0; i < n; i++) {
        if (!in_doubt(work, i) || !stands_alone(space, n, i)) continue;
        work->eigen.real[i] = space->values[i].re;
        work->eigen.imaginary[i] = space->values[i].im;
        work->eigen.slack[i] = space->values[i].error;
    }
    *reach = spectrum_reach_of_slack(work, n, EIGEN_AXIS);
    return COSTAB_OK;
}
