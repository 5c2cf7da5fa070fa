/* Computes the map of a macro step of k steps of an FMU's own solver from the measured map of one such step,
 * z+ = A z + B u + R r, with inputs that start at u and rise by r.
 * 1. Over k steps inputs start at u and rise by r in total: the rows (A, B, R/k), (0, 1, 1/k), (0, 0, 1) map
 *    (z, u, r) from one step to the next.
 * 2. The first rows of the k-th power, by repeated squaring, are the requested map.
 * 3. A run of MEASURE_BRIEF_RUN macro steps compares it with the FMU (checks.c).
 * Cost: 2 log2 k products of matrices with n + 2 m rows. Limitation: an error of the single step's map may
 * grow k times; the comparison bounds it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"
#include "method/matrix.h"

/* Computes base^k by repeated squaring; overwrites base, `result` and `spare`. Returns the array with the
 * power. */
static double *matrix_power(int n, int k, double *base, double *result, double *spare) {
    memset(result, 0, (size_t)(n * n) * sizeof *result);
    for (int i = 0; i < n; i++) result[i * n + i] = 1;
    for (; k > 0; k /= 2) {
        double *swap;
        if (k % 2 == 1) {
            matrix_multiply(n, n, n, base, result, spare);
            swap = result, result = spare, spare = swap;
        }
        matrix_multiply(n, n, n, base, base, spare);
        swap = base, base = spare, spare = swap;
    }
    return result;
}

/* into: builds the extended matrix from A, B and R; otherwise extracts A, B and R from its power. */
static void copy_map(const costab_foreign_numbers *x, int inputs, int k, double *whole, bool into) {
    const int n = x->found.states, m = inputs, all = n + 2 * m;
    for (int i = 0; i < n; i++) {
        double *row = whole + i * all;
        memcpy(into ? row : x->A + i * n, into ? x->A + i * n : row, (size_t)n * sizeof *row);
        memcpy(into ? row + n : x->B + i * m, into ? x->B + i * m : row + n, (size_t)m * sizeof *row);
        for (int j = 0; j < m && x->rise != NULL; j++) {
            if (into) row[n + m + j] = x->rise[i * m + j] / k;
            if (!into) x->rise[i * m + j] = row[n + m + j];
        }
    }
    for (int j = 0; j < m && into; j++) {
        whole[(n + j) * all + n + j] = whole[(n + m + j) * all + n + m + j] = 1;
        whole[(n + j) * all + n + m + j] = 1.0 / k;
    }
}

/* Joins the columns of B and R, as required by measure_check_long_run. */
static void join_columns(const costab_foreign_numbers *x, int inputs, int columns, double *E) {
    for (int i = 0; i < x->found.states; i++)
        for (int j = 0; j < columns; j++)
            E[i * columns + j] = j < inputs ? x->B[i * inputs + j] : x->rise[i * inputs + j - inputs];
}

costab_status measure_power(measure *m, int steps, bool *right, costab_error *error) {
    costab_foreign_numbers *x = m->numbers;
    const int inputs = m->s->part->inputs.count, all = x->found.states + 2 * inputs;
    const size_t size = (size_t)(all * all);
    costab_error ignored;
    *right = false;
    memory_local_array(double, work, 3 * size, error);
    copy_map(x, inputs, steps, work, true);
    copy_map(x, inputs, steps, matrix_power(all, steps, work, work + size, work + 2 * size), false);
    join_columns(x, inputs, m->columns, work);
    m->amplitude = 1;
    const int steps_before = m->long_run_steps;
    m->long_run_steps = MEASURE_BRIEF_RUN;
    costab_status status = measure_check_long_run(m, x->found.states, x->A, work, x->C, &ignored);
    m->long_run_steps = steps_before;
    *right = !status && m->starts_later;
    x->found.doubt = fmin(1, fmax(steps * x->found.doubt, m->long_run));
    return status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
}
