/* Micro steps of a linear subsystem x' = A x + B u as matrix blocks: Phi, and one input matrix for each power
 * of the input polynomial sum U_l s^l (matrix.h).
 *
 * 1. Units: A and B are converted to balanced units of the states if rounding depends on units.
 * 2. One micro step, for the columns of (x, U_0, U_1, ..) together:
 *    a. Runge-Kutta: the stage equations k_i = Z (x + sum a_ij k_j) + hB sum (c_i ratio)^l U_l with Z = hA.
 *       An explicit tableau gives a polynomial in Z, by Horner's rule; an implicit tableau a linear system of
 *       s n equations.
 *    b. Exact: the Taylor series of the exponential for all micro steps together, scaled by 2^-k to ||Z|| <=
 *       1/2 and squared k times. B enters linearly and is not scaled.
 *    c. Sampled: the given step.
 *    d. Discrete: the given step, with the input at its end.
 *    e. All other methods: block_structured.c.
 * 3. Many steps by repeated squaring. After c1 steps the polynomial has moved by c1 ratio. The input matrix
 *    of power l of these and c2 further steps is Phi2 V1_l + sum_r binomial(l, r) (c1 ratio)^(l - r) V2_r.
 * 4. Conversion back to the given units.
 *
 * Steps are computed as P = Phi - I. The rounding error of a short step is then relative to P, and m steps
 * lose log2(m) roundings of this size instead of m roundings of 1. A block receives Phi and the diagonal of
 * P. Cost: (s n)^3 for an implicit step, n^3 log2 m for m steps. Limitation: overflow gives inf and NaN. */
#include <math.h>
#include <string.h>

#include "method/block.h"
#include "method/eigen_components.h"
#include "method/method.h"

static block_shape shape_of(const costab_method *method, const matrix_system *system) {
    int rows = system->n + matrix_memory(method, system), width = rows + (system->degree + 1) * system->m;
    return (block_shape){rows, system->m, system->degree, width, (size_t)rows * (size_t)width};
}

/* Adds to `to` the effect of one row of later steps, which start at `moved`, on the coefficients of the whole
 * step. */
static void add_moved_inputs(const block_shape *s, const double *row, double moved, double *to) {
    static const double binomials[MATRIX_POWERS][MATRIX_POWERS] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    for (int l = 1; l <= s->degree; l++) {
        double factor = 1;
        for (int r = l - 1; r >= 0; r--) {
            factor *= moved;
            const double weight = binomials[l][r] * factor;
            const double *from = row + s->rows + r * s->m;
            double *part = to + s->rows + l * s->m;
            for (int j = 0; j < s->m; j++) part[j] += weight * from[j];
        }
    }
}

/* out = the steps of `second` after those of `first`; `moved`: local time of `first`. */
static void compose(const block_shape *s, const double *second, const double *first, double moved,
                    double *out) {
    for (int i = 0; i < s->rows; i++) {
        const double *row = second + i * s->width;
        double *to = out + i * s->width;
        const double *before = first + i * s->width;
        for (int j = 0; j < s->width; j++) to[j] = row[j] + before[j];
        add_moved_inputs(s, row, moved, to);
    }
    matrix_multiply_add_rows(s->rows, s->rows, s->width, second, s->width, first, out);
}

/* [out] k: right-hand side of a stage at c, [Z  hB  c ratio hB  (c ratio)^2 hB ..]. */
static void stage_rows(const matrix_system *system, const block_shape *s, double h, double ratio, double c,
                       double *k) {
    for (int i = 0; i < s->rows; i++) {
        double *row = k + i * s->width;
        for (int j = 0; j < s->rows; j++) row[j] = h * system->A[i * s->rows + j];
        row += s->rows;
        for (int j = 0; j < s->m; j++) row[j] = h * system->B[i * s->m + j];
        for (int l = 1; l <= s->degree; l++, row += s->m)
            for (int j = 0; j < s->m; j++) row[s->m + j] = c * ratio * row[j];
    }
}

/* Explicit Runge-Kutta step: P = Z phi(Z) and the input parts P_l(Z) ratio^l hB by Horner's rule, for the
 * columns of [Z  hB  ratio hB ..] together. */
static void explicit_step(const costab_method *method, const matrix_system *system, const block_shape *s,
                          double h, double ratio, double *step, double *work) {
    const double *const numerators[MATRIX_POWERS] = {method->phi, method->p1, method->p2, method->p3};
    double *columns = work, *next = work + s->size;
    stage_rows(system, s, h, ratio, 1, columns);
    memset(step, 0, s->size * sizeof *step);
    for (int k = method->stages - 1; k >= 0; k--) {
        for (int i = 0; i < s->rows; i++) {
            const double *from = columns + i * s->width;
            double *to = next + i * s->width;
            int j = 0, end = s->rows + s->m;
            for (int l = 0; l <= s->degree; l++, end += s->m)
                for (const double factor = numerators[l][k]; j < end; j++) to[j] = factor * from[j];
        }
        if (k < method->stages - 1)
            matrix_multiply_add_rows(s->rows, s->rows, s->width, columns, s->width, step, next);
        memcpy(step, next, s->size * sizeof *step);
    }
}

/* Implicit Runge-Kutta step. Returns false if the stage equations are singular. */
static bool implicit_step(const costab_method *method, const matrix_system *system, const block_shape *s,
                          double h, double ratio, double *step, double *work, int *pivots) {
    int stages = method->stages, n = s->rows, total = stages * n;
    double *matrix = work, *k = work + (size_t)total * (size_t)total;
    for (int i = 0; i < stages; i++) {
        stage_rows(system, s, h, ratio, method->c[i], k + (size_t)i * s->size);
        for (int r = 0; r < n; r++) {
            double *row = matrix + (size_t)(i * n + r) * (size_t)total;
            for (int j = 0; j < stages; j++)
                for (int c = 0; c < n; c++)
                    row[j * n + c] = (i == j && r == c) - h * method->A[i][j] * system->A[r * n + c];
        }
    }
    if (!matrix_factor(total, matrix, pivots)) return false;
    matrix_solve(total, matrix, pivots, s->width, k);
    memset(step, 0, s->size * sizeof *step);
    for (int i = 0; i < stages; i++)
        for (size_t e = 0; e < s->size; e++) step[e] += method->b[i] * k[(size_t)i * s->size + e];
    return true;
}

/* With ||Z|| <= 1/2 the twentieth term is below 2^-60 times the first. */
enum { TAYLOR_TERMS = 20 };

/* Exponential over a length h. */
static void exact_step(const matrix_system *system, const block_shape *s, double h, double ratio,
                       double *step, double *work) {
    double norm = h * matrix_norm_rows(s->rows, system->A);
    int squarings = 0;
    if (norm > 0.5 && isfinite(norm)) squarings = (int)ceil(log2(norm)) + 1;
    double part = ldexp(h, -squarings), slope = ldexp(ratio, -squarings);
    double *term = work, *next = work + s->size;

    memset(term, 0, s->size * sizeof *term);
    for (int i = 0; i < s->rows; i++) {
        term[i * s->width + i] = 1;
        for (int j = 0; j < s->m; j++) {
            double factor = 1;
            for (int l = 0; l <= s->degree; l++, factor *= slope)
                term[i * s->width + s->rows + l * s->m + j] =
                    factor * part * system->B[i * s->m + j] / (l + 1);
        }
    }
    memcpy(step, term, s->size * sizeof *step);
    for (int i = 0; i < s->rows; i++) step[i * s->width + i] = 0;
    for (int k = 1; k < TAYLOR_TERMS; k++) {
        matrix_multiply(s->rows, s->rows, s->width, system->A, term, next);
        for (int i = 0; i < s->rows; i++) {
            double *row = next + i * s->width, *sum = step + i * s->width;
            int j = 0;
            for (int l = -1; l <= s->degree; l++)
                for (int end = s->rows + (l + 1) * s->m; j < end; j++) {
                    row[j] *= part / (k + l + 1);
                    sum[j] += row[j];
                }
        }
        double *swap = term;
        term = next;
        next = swap;
    }
    double count = 1;
    for (int k = 0; k < squarings; k++, count *= 2) {
        compose(s, step, step, count * slope, work);
        memcpy(step, work, s->size * sizeof *step);
    }
}

/* Computes step^count. The result is in `step` itself, which is overwritten, or in `result`. */
static const double *power(const block_shape *s, double *step, long count, double ratio, double *result,
                           double *work) {
    if (count == 1) return step;
    double length = 1;
    bool started = false;
    if (count == 0) memset(result, 0, s->size * sizeof *result);
    for (; count > 0; count >>= 1) {
        if ((count & 1) != 0) {
            if (started) {
                compose(s, result, step, length * ratio, work);
                memcpy(result, work, s->size * sizeof *result);
            } else {
                memcpy(result, step, s->size * sizeof *result);
            }
            started = true;
        }
        if (count > 1) {
            compose(s, step, step, length * ratio, work);
            memcpy(step, work, s->size * sizeof *step);
            length *= 2;
        }
    }
    return result;
}

/* Returns true if block_structured.c computes the steps of the method. */
static bool is_structured(const costab_method *method) {
    return method->kind != COSTAB_RUNGE_KUTTA && method->kind != COSTAB_EXACT &&
           method->kind != COSTAB_SAMPLED && method->kind != COSTAB_DISCRETE;
}

/* Fills a step with A - I and B. */
static void given_step(const matrix_system *system, const block_shape *s, double *step) {
    memset(step, 0, s->size * sizeof *step);
    for (int i = 0; i < s->rows; i++) {
        double *row = step + i * s->width;
        for (int j = 0; j < s->rows; j++) row[j] = system->A[i * s->rows + j] - (i == j);
        for (int j = 0; j < s->m; j++) row[s->rows + j] = system->B[i * s->m + j];
    }
}

/* Discrete step: x+ = A x + B u(end), u = sum u_l s^l. */
static void discrete_step(const matrix_system *system, const block_shape *s, double ratio, double *step) {
    given_step(system, s, step);
    for (int i = 0; i < s->rows; i++) {
        double *inputs = step + i * s->width + s->rows;
        for (int j = s->m; j < (s->degree + 1) * s->m; j++) inputs[j] = ratio * inputs[j - s->m];
    }
}

/* Sampled step: x+ = A x + B u_0 + R u_1, R the effect of a rising input. */
static void sampled_step(const matrix_system *system, const block_shape *s, double *step) {
    given_step(system, s, step);
    for (int i = 0; i < s->rows; i++) {
        double *row = step + i * s->width;
        for (int j = 0; j < s->m && s->degree > 0 && system->rise != NULL; j++)
            row[s->rows + s->m + j] = system->rise[i * s->m + j];
    }
}

/* ---- Units ---- */

/* Returns true if the rounding of a step depends on the units of states: by pivoting, or by the norm that
 * scales the exponential. Polynomials and sampled steps are independent of units. */
static bool depends_on_units(const costab_method *method) {
    return method->kind == COSTAB_EXACT || is_structured(method) ||
           (method->kind == COSTAB_RUNGE_KUTTA && method->implicit);
}

/* The system in units (powers of 2) of the states that balance A. History values have the units of their
 * states. */
typedef struct balanced {
    matrix_system system;
    double *units; /* NULL: the given units */
} balanced;

/* Number of units stored after those of the states: of history values, or of pairs. */
static int extra_units(const costab_method *method, const matrix_system *system) {
    int memory = matrix_memory(method, system);
    return memory > system->pairs ? memory : system->pairs;
}

/* Workspace of balance_system in doubles. */
static size_t balanced_space(const costab_method *method, const matrix_system *system) {
    size_t n = (size_t)system->n;
    return n * n + n * (size_t)system->m + 3 * n + (size_t)extra_units(method, system);
}

/* Computes units of the states, powers of 2, that balance A. A position and its velocity, its derivative,
 * share the unit that balances the accelerations. space: n^2, extra: pairs, work: 2 n. */
static void find_units(const costab_method *method, const matrix_system *system, double *units, double *extra,
                       double *space, double *work) {
    int n = system->n, pairs = system->pairs;
    if (!costab_method_paired(method)) {
        if (n > 0) memcpy(space, system->A, (size_t)n * (size_t)n * sizeof *space);
        (void)eigen_balance(n, space, units, work);
        return;
    }
    for (int r = 0; r < pairs; r++)
        for (int p = 0; p < pairs; p++) {
            const double *row = system->A + system->velocities[r] * n;
            space[r * pairs + p] = fabs(row[system->positions[p]]) + fabs(row[system->velocities[p]]);
        }
    (void)eigen_balance(pairs, space, extra, work);
    for (int p = 0; p < pairs; p++) units[system->positions[p]] = units[system->velocities[p]] = extra[p];
}

/* Returns the system as given, or in balanced units; space: balanced_space doubles. */
static balanced balance_system(const costab_method *method, const matrix_system *system, double *space) {
    const balanced as_given = {.system = *system};
    int n = system->n;
    double *A = space, *B = A + n * n, *units = B + n * system->m, *extra = units + n;
    double *work = extra + extra_units(method, system);
    bool same = true;
    if (!depends_on_units(method)) return as_given;
    find_units(method, system, units, extra, A, work);
    for (int k = 0; k < matrix_memory(method, system); k++)
        extra[k] = units[matrix_kept_at(method, system, k).state];
    for (int i = 0; i < n; i++) {
        if (!isnormal(units[i]) || !isnormal(1 / units[i])) return as_given;
        same = same && units[i] == 1;
    }
    if (same) return as_given;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = matrix_scaled(system->A[i * n + j], units[j], units[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < system->m; j++) B[i * system->m + j] = system->B[i * system->m + j] / units[i];
    balanced made = {.system = *system, .units = units};
    made.system.A = A;
    made.system.B = B;
    return made;
}

/* Writes the block from [P input_0 ..] in the given units. */
static void write_block(const block_shape *s, const double *steps, const double *units,
                        const matrix_block *block) {
    for (int i = 0; i < s->rows; i++) {
        const double *row = steps + i * s->width;
        double *phi = block->phi + i * s->rows;
        memcpy(phi, row, (size_t)s->rows * sizeof *row);
        for (int j = 0; j < s->rows && units != NULL; j++) phi[j] = matrix_scaled(row[j], units[i], units[j]);
        if (block->diagonal != NULL) block->diagonal[i] = row[i];
        phi[i] += 1;
        for (int l = 0; l <= s->degree && s->m > 0; l++) {
            double *input = block->input[l] + i * s->m;
            memcpy(input, row + s->rows + l * s->m, (size_t)s->m * sizeof *row);
            for (int j = 0; j < s->m && units != NULL; j++) input[j] *= units[i];
        }
    }
}

size_t matrix_step_work(const costab_method *method, const matrix_system *system) {
    block_shape shape = shape_of(method, system);
    size_t block = shape.size, stages = (size_t)method->stages, n = (size_t)system->n;
    size_t units = depends_on_units(method) ? balanced_space(method, system) : 0;
    size_t inner = method->kind == COSTAB_EXACT ? 2 * block : (stages + 1) * block;
    if (is_structured(method)) inner = block + block_structured_work(method, system, shape.width);
    if (method->implicit) inner += stages * n * stages * n;
    return 2 * block + inner + units;
}

size_t matrix_step_iwork(const costab_method *method, const matrix_system *system) {
    if (is_structured(method)) return (size_t)block_structured_iwork(method, system);
    return method->implicit ? (size_t)method->stages * (size_t)system->n : 0;
}

bool matrix_steps(const costab_method *method, const matrix_system *given, double h, double ratio, long count,
                  const matrix_block *block, double *work, int *iwork) {
    const block_shape s = shape_of(method, given);
    double *step = work, *space = work + 2 * s.size;
    const balanced b = balance_system(method, given, space);
    const matrix_system *system = &b.system;
    double *inner = space + (depends_on_units(method) ? balanced_space(method, given) : 0);
    const double *result = step;
    if (method->kind == COSTAB_EXACT) {
        exact_step(system, &s, h * (double)count, ratio * (double)count, step, inner);
    } else {
        bool done = true;
        if (method->kind == COSTAB_SAMPLED)
            sampled_step(system, &s, step);
        else if (method->kind == COSTAB_DISCRETE)
            discrete_step(system, &s, ratio, step);
        else if (is_structured(method))
            done = block_structured_step(method, system, &s, h, ratio, step, inner, iwork);
        else if (method->implicit)
            done = implicit_step(method, system, &s, h, ratio, step, inner, iwork);
        else
            explicit_step(method, system, &s, h, ratio, step, inner);
        if (!done) return false;
        result = power(&s, step, count, ratio, work + s.size, inner);
    }
    write_block(&s, result, b.units, block);
    return true;
}
