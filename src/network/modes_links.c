/* Which connections cause a mode: |w* (g dM/dg) v| for the gain g of each connection, with the right and left
 * eigenvectors v and w of a network's matrix M, by one central difference of w* M v. For an eigenvalue l,
 * divided by |w* v|, it is |g dl/dg|; w* v is common to all connections and not needed for their shares.
 *
 * 1. Products: each gain is changed to g (1 + s) and g (1 - s), and M v is computed for both; for a map by
 *    the macro steps of a period.
 * 2. Difference: divided by 2 s it is w* (g dM/dg) v. The truncation error is s^2/6 times the third
 *    derivative, the rounding error eps/s times w* M v. A gain acts over a macro step like exp(g x), where x
 *    is the relative change that it makes: the first derivative is of order x, the third of order x^3. So the
 *    relative error is s^2 x^2/6 + eps/(s x). With s = 2^-12 it is 1e-8 at x = 1, 1e-10 at x = 1e-2, and 1e-6
 *    at x = 1e-6.
 * 3. Fixed point: an iteration to convergence takes one Newton step from the fixed point of the nominal
 *    gains, with their I - J, J the matrix of one sweep (iterate.h). Its error is of order s^2 and equal for
 *    g (1 + s) and g (1 - s).
 * 4. Normalisation: differences within rounding count as 0; the values of an eigenvalue are divided by their
 *    sum.
 *
 * Cost: 2 periods of macro steps of the vectors for each gain. */
#include "network/modes_links.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/iterate.h"
#include "network/rows.h"
#include "network/step.h"

/* Relative change of a gain. */
#define STEP 0x1p-12
/* Rounding error of M v, in units of eps. */
#define ROUNDING 16

/* One eigenvalue: the columns of its vector, and w* (g dM/dg) v for the current gain with its rounding error
 * `noise`. */
typedef struct link_mode {
    int i, column, width;
    double re, im, noise;
} link_mode;

typedef struct link_search {
    modes_matrix of;
    link_mode *modes;
    int count, width;     /* modes; columns of all modes, at most the rows of M */
    double *made, *other; /* n rows of columns: M v; workspace of the next product */
    double *fixed_point;  /* fixed point for v of a macro step with an iteration to convergence: rows of
                           * iteration variables; NULL for other matrices */
} link_search;

/* Computes s->made = M v. */
static costab_status multiply(const link_search *s, costab_error *error) {
    costab_network_work *work = s->of.work;
    const modes_vectors *v = s->of.vectors;
    for (int m = 0; m < s->count; m++)
        for (int k = 0; k < v->n; k++) {
            double im, *entry = s->made + cells(k, s->width) + s->modes[m].column;
            modes_entry(v, v->right, s->modes[m].i, k, entry, s->modes[m].width > 1 ? entry + 1 : &im);
        }
    const size_t bytes = cells(v->n, s->width) * sizeof *s->made;
    for (int64_t k = 0; k < work->period && s->of.kind == COSTAB_MODES_MAP; k++) {
        work->iteration.start = s->fixed_point;
        costab_status status = work_step(work, k, s->width, s->made, s->other, error);
        work->iteration.start = NULL;
        if (status) return status;
        memcpy(s->made, s->other, bytes);
    }
    if (s->of.kind == COSTAB_MODES_MAP) return COSTAB_OK;
    memcpy(s->other, s->made, bytes);
    matrix_multiply(v->n, v->n, s->width,
                    s->of.kind == COSTAB_MODES_CONTINUOUS ? work->mono.matrix : work->iteration.matrix,
                    s->other, s->made);
    return COSTAB_OK;
}

/* Recomputes the matrix for the current gain; of a map, whose macro steps are applied to v, only the gains.
 */
static costab_status change_matrix(const link_search *s, costab_error *error) {
    costab_network_work *work = s->of.work;
    TRY(work_prepare(work, &s->of.split->network, s->of.coupling, NULL, error));
    if (s->of.kind == COSTAB_MODES_ITERATION) return iterate_map(work, error);
    if (s->of.kind == COSTAB_MODES_CONTINUOUS) return monolithic_make(work, error);
    work->iteration.known = s->fixed_point != NULL; /* keep I - J of the nominal gains */
    return COSTAB_OK;
}

/* Adds weight w* M v for all modes. */
static void add_products(const link_search *s, double weight) {
    const modes_vectors *v = s->of.vectors;
    for (int m = 0; m < s->count; m++)
        for (int k = 0; k < v->n; k++) {
            link_mode *mode = &s->modes[m];
            const double *entry = s->made + cells(k, s->width) + mode->column;
            double a, b, re = entry[0], im = mode->width > 1 ? entry[1] : 0;
            modes_entry(v, v->left, mode->i, k, &a, &b);
            mode->re += weight * (a * re - b * im);
            mode->im += weight * (a * im + b * re);
            mode->noise += fabs(weight) * ROUNDING * DBL_EPSILON * hypot(a, b) * hypot(re, im);
        }
}

/* Differentiates by the gain of connection c. */
static costab_status differentiate(const link_search *s, int c, costab_error *error) {
    double *gain = &s->of.split->connections[c].gain;
    const double nominal = *gain;
    costab_status status = COSTAB_OK;
    for (int m = 0; m < s->count; m++) s->modes[m].re = s->modes[m].im = s->modes[m].noise = 0;
    for (int sign = -1; sign <= 1 && !status; sign += 2) {
        *gain = nominal * (1 + sign * STEP);
        status = change_matrix(s, error);
        if (!status) status = multiply(s, error);
        if (!status) add_products(s, sign / (2 * STEP));
    }
    *gain = nominal;
    return status;
}

static void free_search(const link_search *s) {
    memory_free_all(s->modes, s->made, s->other, s->fixed_point);
}

/* Stores the fixed point for v from a macro step. */
static costab_status find_fixed_point(link_search *s, costab_error *error) {
    const costab_network_work *work = s->of.work;
    const size_t size = cells(work->guesses, s->width);
    if (s->of.kind != COSTAB_MODES_MAP || work->coupling.scheme != COSTAB_ITERATED ||
        work->coupling.iterations > 0 || work->period > 1)
        return COSTAB_OK;
    TRY(multiply(s, error));
    TRY(memory_make(&s->fixed_point, size, error));
    memcpy(s->fixed_point, work->iteration.rows, size * sizeof *s->fixed_point);
    return COSTAB_OK;
}

/* Assigns columns to the modes. Modes may share an eigenvalue, so there are at most as many columns as
 * rows. */
static costab_status place_modes(link_search *s, const int *chosen, costab_error *error) {
    TRY(memory_make(&s->modes, (size_t)s->count + 1, error));
    for (int m = 0; m < s->count; m++) {
        int same = 0;
        while (chosen[same] != chosen[m]) same++;
        s->modes[m] = (link_mode){.i = chosen[m],
                                  .column = same < m ? s->modes[same].column : s->width,
                                  .width = s->of.vectors->im[chosen[m]] != 0 ? 2 : 1};
        if (same == m) s->width += s->modes[m].width;
    }
    TRY(memory_make(&s->made, cells(s->of.vectors->n, s->width), error));
    return memory_make(&s->other, cells(s->of.vectors->n, s->width), error);
}

costab_status modes_links(const modes_matrix *of, const int *chosen, int count, double *links,
                          costab_error *error) {
    const int connections = of->split->network.connection_count;
    ends_by(free_search) link_search s = {.of = *of, .count = count};
    TRY(place_modes(&s, chosen, error));
    TRY(find_fixed_point(&s, error));
    for (int c = 0; c < connections; c++) {
        TRY(differentiate(&s, c, error));
        for (int m = 0; m < count; m++) {
            const double size = hypot(s.modes[m].re, s.modes[m].im);
            links[cells(m, connections) + (size_t)c] = size > s.modes[m].noise ? size : 0;
        }
    }
    for (int m = 0; m < count; m++) {
        double sum = 0, *row = links + cells(m, connections);
        for (int c = 0; c < connections; c++) sum += row[c];
        for (int c = 0; c < connections; c++) row[c] = sum > 0 ? row[c] / sum : 0;
    }
    return COSTAB_OK;
}
