/* Computes the null space of a network's equilibrium equations (structure.h; docs/explanation/algorithms.md,
 * Structural modes).
 *
 * 1. Equations: M from the numbers of subsystems and connections, in balanced units (units.h), with rows
 *    divided by their largest entries. All factors are powers of 2.
 * 2. Candidates: each entry has an error of 16 epsilon, its subsystem's doubt, and the rounding of a sum as
 *    long as its row. Singular values below the square root of the largest error are candidates. Elimination
 *    transforms their left and right vectors W and V so that each has an entry 1 at a position where the
 *    others are 0.
 * 3. Null vectors: errors of the entries change a product in W' M V by at most |W|' errors |V|. The product
 *    furthest beyond this bound proves that a combination is not a null vector; the combination is eliminated
 *    and dropped. The remaining vectors are null vectors. Products are independent of first-order errors of
 *    the vectors, so the scale of the numbers cannot hide a small product.
 * 4. Refinement: [M W; V' 0] is regular; its factors refine V and W and solve M y = E v and the transposed
 *    system.
 * 5. Motions: M z1 = E z has a solution if W' E z = 0. The products W' E V are eliminated likewise with their
 *    bounds |Z|' errors |V| + |W|' errors |Y|; the remaining vectors are rigid motions.
 *
 * Cost: about 25 n^3 for n unknowns, or n^3 if an estimated condition number proves M regular. Limitation:
 * bounds are of first order; maps of steps and samples and systems with dead time are not searched for rigid
 * motions. An entry counts as correct to its roundings, even if a formula computes it as a small difference
 * of larger terms. */
#include "network/structure.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/matrix.h"
#include "network/monolithic.h"
#include "network/network.h"
#include "network/units.h"

/* Roundings of an entry: those of its formula and of its decimal text. */
enum { ENTRY_ROUNDINGS = 16 };
/* Factor by which the estimated condition number may be too small. */
#define ESTIMATE_FACTOR 100

void structure_lay(structure_space *space, int states, int inputs, int outputs, network_arena *arena) {
    int n = space->n = states + inputs + outputs;
    size_t count = (size_t)n, square = count * count;
    space->states = states;
    space->inputs = inputs;
    space->outputs = outputs;
    double **const squares[] = {&space->matrix,      &space->right,    &space->left,  &space->starts,
                                &space->left_starts, &space->products, &space->bounds},
                   **const rows[] = {&space->row_unit, &space->column_unit, &space->trusted, &space->units};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        *squares[i] = arena_take(arena, square, sizeof(double));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = arena_take(arena, count, sizeof(double));
    space->bordered = arena_take(arena, 4 * square, sizeof(double));
    space->rest = arena_take(arena, 2 * square, sizeof(double));
    space->work_size = 4 * n * n + 7 * n + 64; /* required by dgesdd, jobz A */
    space->work = arena_take(arena, (size_t)space->work_size + square, sizeof(double));
    space->iwork = arena_take(arena, 8 * count, sizeof(int));
    space->units_space = arena_take(arena, units_work(n), sizeof(double));
    space->units_ispace = arena_take(arena, units_iwork(n), sizeof(int));
}

/* ---- Equations ---- */

static double *row_of(const structure_space *space, double *matrix, int i) {
    return matrix + (size_t)i * (size_t)space->n;
}

/* Copies a block to row `to` and column `at` of M. */
static void put_block(structure_space *space, int to, int at, int rows, int columns, const double *block) {
    for (int i = 0; i < rows && block != NULL && columns > 0; i++)
        memcpy(row_of(space, space->matrix, to + i) + at, block + (size_t)i * (size_t)columns,
               (size_t)columns * sizeof *block);
}

/* Subtracts I: the equilibrium equation of a map x+ = A x + B u is (A - I) x + B u = 0. Its rows
 * start at `to`; their errors are relative to A. */
static void subtract_identity(structure_space *space, int to, const costab_subsystem *sub) {
    for (int i = 0; i < sub->states; i++) {
        double *row = row_of(space, space->matrix, to + i), before = matrix_norm((size_t)space->n, row);
        row[to + i] -= 1;
        double after = matrix_norm((size_t)space->n, row);
        if (after > 0) space->trusted[to + i] *= fmax(1, before / after);
    }
}

static bool is_map(const costab_subsystem *sub) {
    return sub->method.kind == COSTAB_SAMPLED || sub->method.kind == COSTAB_DISCRETE;
}

static void fill_matrix(structure_space *space, const costab_network *network) {
    int x = 0, u = space->states, y = space->states, n = space->n;
    int first_input = space->states, links = space->states + space->outputs;
    memset(space->matrix, 0, (size_t)n * (size_t)n * sizeof *space->matrix);
    for (int i = 0; i < n; i++) space->trusted[i] = ENTRY_ROUNDINGS * DBL_EPSILON;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *sub = &network->subsystems[s];
        put_block(space, x, x, sub->states, sub->states, sub->A);
        put_block(space, x, u, sub->states, sub->inputs, sub->B);
        put_block(space, y, x, sub->outputs, sub->states, sub->C);
        put_block(space, y, u, sub->outputs, sub->inputs, sub->D);
        for (int i = 0; i < sub->states; i++) space->trusted[x + i] += sub->doubt;
        if (is_map(sub)) subtract_identity(space, x, sub);
        for (int i = 0; i < sub->outputs; i++) {
            row_of(space, space->matrix, y + i)[space->inputs + y + i] = -1;
            space->trusted[y + i] += sub->doubt;
        }
        x += sub->states;
        u += sub->inputs;
        y += sub->outputs;
    }
    for (int i = 0; i < space->inputs; i++) row_of(space, space->matrix, links + i)[first_input + i] = -1;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        int input = k->input, output = k->output;
        for (int s = 0; s < k->to; s++) input += network->subsystems[s].inputs;
        for (int s = 0; s < k->from; s++) output += network->subsystems[s].outputs;
        row_of(space, space->matrix, links + input)[first_input + space->inputs + output] += k->gain;
    }
}

/* Index of the signal that equation i determines: x' of a state, then y, then u. */
static int signal_of_row(const structure_space *space, int i) {
    if (i < space->states) return i;
    return i < space->states + space->outputs ? i + space->inputs : i - space->outputs;
}

/* Scales by the units of all signals, then divides rows by their largest entries. */
static void equilibrate(structure_space *space, const costab_network *network) {
    int n = space->n;
    (void)units_find(network, n, space->units, space->units_space, space->units_ispace);
    for (int i = 0; i < n; i++) {
        double *row = row_of(space, space->matrix, i), most = 0, unit = space->units[signal_of_row(space, i)];
        for (int j = 0; j < n; j++) {
            row[j] = matrix_scaled(row[j], space->units[j], unit);
            most = fmax(most, fabs(row[j]));
        }
        int shift = most > 0 && isfinite(most) ? -ilogb(most) : 0;
        for (int j = 0; j < n; j++) row[j] = ldexp(row[j], shift);
        space->row_unit[i] = ldexp(1 / unit, shift);
        space->column_unit[i] = space->units[i];
    }
}

/* Adds the rounding of sums, once per term. */
static void trust_sums(structure_space *space) {
    for (int i = 0; i < space->n; i++)
        for (int j = 0; j < space->n; j++)
            if (row_of(space, space->matrix, i)[j] != 0) space->trusted[i] += DBL_EPSILON;
}

bool structure_fill(structure_space *space, const costab_network *network) {
    fill_matrix(space, network);
    if (!matrix_finite((size_t)space->n * (size_t)space->n, space->matrix)) return false;
    trust_sums(space);
    equilibrate(space, network);
    return matrix_finite((size_t)space->n * (size_t)space->n, space->matrix);
}

/* ---- Candidates ---- */

/* Largest change of a singular value by the errors of the entries. */
static double error_bound(const structure_space *space) {
    double sum = 0;
    for (int i = 0; i < space->n; i++) {
        double norm = space->trusted[i] * matrix_norm((size_t)space->n, row_of(space, space->matrix, i));
        sum += norm * norm;
    }
    return sqrt(sum);
}

/* Returns true if the condition number proves M regular for all errors of its entries. */
static bool is_regular(structure_space *space) {
    int n = space->n;
    double *factors = space->work + 4 * (size_t)n, norm = matrix_norm_rows(n, space->matrix);
    memcpy(factors, space->matrix, (size_t)n * (size_t)n * sizeof *factors);
    if (!matrix_factor(n, factors, space->iwork)) return false;
    double condition = matrix_reciprocal_condition(n, factors, norm, space->work, space->iwork + n);
    double least = condition * norm / (ESTIMATE_FACTOR * sqrt(n));
    return least > error_bound(space) + n * DBL_EPSILON * norm;
}

/* Transforms the vectors so that each has an entry 1 at a position where the others are 0. */
static void localise(const structure_space *space, int count, double *vectors) {
    int n = space->n;
    for (int done = 0; done < count; done++) {
        int row = done, column = 0;
        for (int c = done; c < count; c++)
            for (int i = 0; i < n; i++)
                if (fabs(row_of(space, vectors, c)[i]) > fabs(row_of(space, vectors, row)[column])) {
                    row = c;
                    column = i;
                }
        double *pivot = row_of(space, vectors, done), value = row_of(space, vectors, row)[column];
        if (row != done) cblas_dswap(n, pivot, 1, row_of(space, vectors, row), 1);
        for (int i = 0; i < n; i++) pivot[i] /= value;
        for (int c = 0; c < count; c++)
            if (c != done)
                cblas_daxpy(n, -row_of(space, vectors, c)[column], pivot, 1, row_of(space, vectors, c), 1);
    }
}

/* Computes left and right vectors of the candidates. [out] count: their number. */
static bool find_candidates(structure_space *space, int *count) {
    int n = space->n;
    size_t square = (size_t)n * (size_t)n;
    /* LAPACK reads the transpose: its left vectors are the right vectors of R M C. */
    double *values = space->rest, *left = space->bordered, error = 0;
    memcpy(space->work, space->matrix, square * sizeof *space->work);
    if (LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, n, space->work, n, values, space->right, n, left, n,
                            space->work + square, space->work_size, space->iwork) != 0)
        return false;
    for (int i = 0; i < n; i++) error = fmax(error, space->trusted[i]);
    for (*count = 0; *count < n && values[n - 1 - *count] <= sqrt(error) * values[0];) ++*count;
    double kept = *count < n ? values[n - 1 - *count] : values[0];
    space->slack = kept > 0 ? n * DBL_EPSILON * DBL_EPSILON * values[0] / kept * values[0] : 0;
    for (int c = 0; c < *count; c++) {
        memmove(row_of(space, space->right, c), row_of(space, space->right, n - *count + c),
                (size_t)n * sizeof(double));
        for (int i = 0; i < n; i++) row_of(space, space->left, c)[i] = left[i * n + n - *count + c];
    }
    memset(space->starts, 0, square * sizeof *space->starts);
    memset(space->left_starts, 0, square * sizeof *space->left_starts);
    localise(space, *count, space->right);
    localise(space, *count, space->left);
    return true;
}

/* ---- Products of left and right vectors ---- */

/* Largest change of w' M v by errors of the entries. */
static double error_of(const structure_space *space, const double *w, const double *v) {
    double sum = 0;
    for (int i = 0; i < space->n; i++) {
        const double *row = space->matrix + (size_t)i * (size_t)space->n;
        double moduli = 0;
        for (int j = 0; j < space->n && w[i] != 0; j++) moduli += fabs(row[j] * v[j]);
        sum += space->trusted[i] * fabs(w[i]) * moduli;
    }
    size_t n = (size_t)space->n;
    return sum + space->slack * matrix_norm(n, w) * matrix_norm(n, v);
}

/* w' M v. */
static double product_of(const structure_space *space, const double *w, const double *v) {
    double sum = 0;
    for (int i = 0; i < space->n; i++) {
        const double *row = space->matrix + (size_t)i * (size_t)space->n;
        double along = 0;
        for (int j = 0; j < space->n; j++) along += row[j] * v[j];
        sum += w[i] * along;
    }
    return sum;
}

/* Diagonal entry i of R E C. */
static double state_unit(const structure_space *space, int i) {
    return space->row_unit[i] * space->column_unit[i];
}

/* Fills space->products and space->bounds, count^2 each. */
typedef void (*structure_products)(structure_space *space, int count);

static void find_residuals(structure_space *space, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            const double *w = row_of(space, space->left, i), *v = row_of(space, space->right, j);
            space->products[i * count + j] = product_of(space, w, v);
            space->bounds[i * count + j] = error_of(space, w, v);
        }
}

/* Subtracts `factor` times vector `other` and its start from vector c and its start. */
static void subtract_vector(const structure_space *space, double *vectors, double *starts, int c,
                            double factor, int other) {
    cblas_daxpy(space->n, -factor, row_of(space, vectors, other), 1, row_of(space, vectors, c), 1);
    cblas_daxpy(space->n, -factor, row_of(space, starts, other), 1, row_of(space, starts, c), 1);
}

static void swap_vectors(const structure_space *space, double *vectors, double *starts, int c, int other) {
    if (c == other) return;
    cblas_dswap(space->n, row_of(space, vectors, c), 1, row_of(space, vectors, other), 1);
    cblas_dswap(space->n, row_of(space, starts, c), 1, row_of(space, starts, other), 1);
}

static void find_rates(structure_space *space, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            const double *w = row_of(space, space->left, i), *v = row_of(space, space->right, j);
            double sum = 0, moduli = 0;
            for (int k = 0; k < space->states; k++) {
                sum += w[k] * state_unit(space, k) * v[k];
                moduli += fabs(w[k] * state_unit(space, k) * v[k]);
            }
            space->products[i * count + j] = sum;
            space->bounds[i * count + j] = error_of(space, row_of(space, space->left_starts, i), v) +
                                           error_of(space, w, row_of(space, space->starts, j)) +
                                           ENTRY_ROUNDINGS * DBL_EPSILON * moduli;
        }
}

/* Eliminates combinations with a product beyond its bound, and moves them to the end. Returns the number of
 * remaining vectors. */
static int eliminate(structure_space *space, int count, structure_products find) {
    for (; count > 0; count--) {
        const double *products = space->products;
        int row = -1, column = -1;
        double furthest = 1;
        find(space, count);
        for (int e = 0; e < count * count; e++)
            if (fabs(products[e]) > furthest * space->bounds[e]) {
                furthest = fabs(products[e]) / space->bounds[e];
                row = e / count;
                column = e % count;
            }
        if (row < 0) break;
        double pivot = products[row * count + column];
        for (int c = 0; c < count; c++) {
            if (c != row)
                subtract_vector(space, space->left, space->left_starts, c,
                                products[c * count + column] / pivot, row);
            if (c != column)
                subtract_vector(space, space->right, space->starts, c, products[row * count + c] / pivot,
                                column);
        }
        swap_vectors(space, space->left, space->left_starts, row, count - 1);
        swap_vectors(space, space->right, space->starts, column, count - 1);
    }
    return count;
}

/* ---- Refinement ---- */

/* Factors [M W; V' 0], or its transpose. */
static bool factor_bordered(structure_space *space, bool turned) {
    int n = space->n, d = space->equilibria, size = n + d;
    memset(space->bordered, 0, (size_t)size * (size_t)size * sizeof *space->bordered);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            space->bordered[turned ? j * size + i : i * size + j] = row_of(space, space->matrix, i)[j];
    for (int c = 0; c < d; c++)
        for (int i = 0; i < n; i++) {
            space->bordered[i * size + n + c] = row_of(space, turned ? space->right : space->left, c)[i];
            space->bordered[(n + c) * size + i] = row_of(space, turned ? space->left : space->right, c)[i];
        }
    return matrix_factor(size, space->bordered, space->iwork);
}

/* Replaces x by the first n unknowns of the solution for the right-hand side (x, 0). */
static void solve_bordered(structure_space *space, double *x) {
    int n = space->n, size = n + space->equilibria;
    memcpy(space->rest, x, (size_t)n * sizeof *x);
    memset(space->rest + n, 0, (size_t)space->equilibria * sizeof *x);
    matrix_solve(size, space->bordered, space->iwork, 1, space->rest);
    memcpy(x, space->rest, (size_t)n * sizeof *x);
}

/* Refines the right vectors (turned: the left vectors), and solves M start = E v for each. */
static bool refine(structure_space *space, bool turned) {
    int n = space->n;
    if (!factor_bordered(space, turned)) return false;
    for (int c = 0; c < space->equilibria; c++) {
        double *v = row_of(space, turned ? space->left : space->right, c),
               *start = row_of(space, turned ? space->left_starts : space->starts, c);
        memset(start, 0, (size_t)n * sizeof *start);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                start[turned ? j : i] += row_of(space, space->matrix, i)[j] * v[turned ? i : j];
        solve_bordered(space, start);
        cblas_daxpy(n, -1, start, 1, v, 1);
        memset(start, 0, (size_t)n * sizeof *start);
        for (int i = 0; i < space->states; i++) start[i] = state_unit(space, i) * v[i];
        solve_bordered(space, start);
    }
    return true;
}

bool structure_decompose(structure_space *space, const costab_network *network) {
    int candidates;
    space->equilibria = space->motions = 0;
    if (!structure_fill(space, network) || !find_candidates(space, &candidates)) return false;
    space->equilibria = eliminate(space, candidates, find_residuals);
    if (space->equilibria > 0 && !(refine(space, false) && refine(space, true))) space->equilibria = 0;
    bool maps = monolithic_unknown(network) || network_is_sampled_data(network);
    space->motions =
        maps || network_has_dead_time(network) ? 0 : eliminate(space, space->equilibria, find_rates);
    return true;
}

void structure_vector(const structure_space *space, int c, double *z, double *start) {
    const double *v = row_of(space, space->right, c), *y = row_of(space, space->starts, c);
    for (int i = 0; i < space->n; i++) {
        z[i] = v[i] * space->column_unit[i];
        if (start != NULL) start[i] = y[i] * space->column_unit[i];
    }
}

/* ---- Networks with fixed numbers ---- */

typedef struct structure_owner {
    const costab_network *network;
    structure_space space;
} structure_owner;

static void lay(void *owner, network_arena *arena) {
    structure_owner *o = owner;
    int states = 0, inputs = 0, outputs = 0;
    for (int s = 0; s < o->network->subsystem_count; s++) {
        states += o->network->subsystems[s].states;
        inputs += o->network->subsystems[s].inputs;
        outputs += o->network->subsystems[s].outputs;
    }
    structure_lay(&o->space, states, inputs, outputs, arena);
}

static void free_arena(network_arena *arena) {
    memory_free(arena->base);
}

costab_status costab_network_structure(const costab_network *network, costab_structure *structure,
                                       costab_error *error) {
    structure_owner owner = {.network = network};
    ends_by(free_arena) network_arena memory = {.base = NULL};
    *structure = (costab_structure){0};
    TRY(arena_fill(&memory, lay, &owner, error));
    if (owner.space.states == 0) return COSTAB_OK;
    if (!structure_fill(&owner.space, network))
        return error_set(error, COSTAB_NUMERIC, "a number of the network is not finite");
    if (is_regular(&owner.space)) return COSTAB_OK;
    if (!structure_decompose(&owner.space, network))
        return error_set(error, COSTAB_NUMERIC, "LAPACK finds no singular values");
    structure->equilibria = owner.space.equilibria;
    structure->motions = owner.space.motions;
    return COSTAB_OK;
}
