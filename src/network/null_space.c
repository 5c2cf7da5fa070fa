/* The null space within rounding, by Gaussian elimination that carries the entries' errors along
 * (docs/algorithms.md, Maps, step 6).
 *
 * 1. E, the error of each entry of A_mono, from the moduli of the model's numbers.
 * 2. Elimination with full pivoting (method/elimination.h): a pivot is an entry larger than its error, which
 *    is carried along.
 * 3. Right and left null vectors X, W of what the pivots leave, by one step of iterative refinement. Errors
 *    that are carried along may be too large: where an entry of W' A_mono X exceeds |W|' E |X| it is a pivot,
 *    too, and step 3 is done again.
 * 4. Rigid motions: A_mono x1 = x has a solution for those combinations x of X with W' x = 0 within rounding.
 *    They are the null vectors of the matrix W' X, by the same elimination.
 * 5. The null space is made orthonormal by Gram and Schmidt, twice, the x of rigid motions first. Each x1 is
 *    made orthogonal to it.
 *
 * Cost: O(n^3) for each turn of step 3. Not guaranteed: E is of first order in epsilon. */
#include "network/null_space.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/rows.h"
#include "network/spectrum.h"

/* Roundings in a number of the model, and in a product of some of them; beside those of sums of n numbers. */
enum { ENTRIES = 16 };
/* The first turn solves; the second refines: it solves again with the residual on the right. */
enum { TURNS = 2 };

void null_space_lay(null_space_room *room, const costab_network_work *work, network_arena *arena) {
    size_t n = (size_t)work->states, inputs = (size_t)work->inputs;
    double **const squares[] = {
        &room->matrix, &room->errors, &room->parts.entries, &room->parts.errors, &room->x, &room->w,
        &room->z,      &room->y};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        *squares[i] = arena_take(arena, n * n, sizeof(double));
    double **const rows[] = {&room->rest, &room->change, &room->parts.room};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = arena_take(arena, n, sizeof(double));
    room->parts.rows = arena_take(arena, n, sizeof(int));
    room->parts.columns = arena_take(arena, n, sizeof(int));
    room->moduli = arena_take(arena, inputs * n, sizeof(double));
    room->solved = arena_take(arena, inputs * n, sizeof(double));
    room->inverse = arena_take(arena, inputs * inputs, sizeof(double));
    room->n = work->states;
}

static double *vector_of(double *vectors, int n, int number) {
    return vectors + (size_t)number * (size_t)n;
}

static double scalar_product(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double product_of_moduli(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(a[i]) * fabs(b[i]);
    return sum;
}

/* ---- Step 1 ---- */

/* |L| |C|, and where there is feedthrough (I + |L D|) |K| added to it; T into room->inverse. */
static void sum_inputs(const costab_network_work *work, null_space_room *room) {
    const costab_network *network = work->network;
    int n = work->states, inputs = work->inputs;
    double *sums = room->moduli;
    memset(sums, 0, cells(inputs, n) * sizeof *sums);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const network_subsystem *source = &work->subs[connection->from];
        const double *row = network->subsystems[connection->from].C + connection->output * source->n;
        double *to = sums + cells(work->subs[connection->to].u + connection->input, n) + source->x;
        for (int j = 0; j < source->n; j++) to[j] += fabs(connection->gain * row[j]);
    }
    if (!work->mono.feedthrough) return;
    for (int i = 0; i < inputs; i++)
        for (int k = 0; k < inputs; k++) {
            double share = (i == k) + fabs(work->mono.gain[i * inputs + k]);
            for (int j = 0; j < n && share > 0; j++)
                sums[cells(i, n) + (size_t)j] += share * fabs(work->mono.rows[cells(k, n) + (size_t)j]);
        }
    for (int e = 0; e < inputs * inputs; e++) room->inverse[e] = e % (inputs + 1) == 0;
    monolithic_solve(work, inputs, room->inverse);
}

/* |T| times these sums. */
static const double *solve_inputs(const costab_network_work *work, null_space_room *room) {
    int n = work->states, inputs = work->inputs;
    if (!work->mono.feedthrough) return room->moduli;
    memset(room->solved, 0, cells(inputs, n) * sizeof *room->solved);
    for (int i = 0; i < inputs; i++)
        for (int k = 0; k < inputs; k++)
            add_row(room->solved + cells(i, n), fabs(room->inverse[i * inputs + k]),
                    room->moduli + cells(k, n), n);
    return room->solved;
}

/* The matrix and its errors in the units of the states. */
static void set_matrix(const costab_network_work *work, const double *units, null_space_room *room) {
    int n = work->states;
    double trusted = (n + ENTRIES) * DBL_EPSILON + spectrum_doubt(work);
    sum_inputs(work, room);
    const double *inputs = solve_inputs(work, room);
    memset(room->errors, 0, cells(n, n) * sizeof *room->errors);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *from = &work->network->subsystems[s];
        for (int i = 0; i < sub->n; i++) {
            double *row = vector_of(room->errors, n, sub->x + i);
            for (int j = 0; j < sub->n; j++) row[sub->x + j] = fabs(from->A[i * sub->n + j]);
            for (int j = 0; j < sub->m; j++)
                add_row(row, fabs(from->B[i * sub->m + j]), inputs + cells(sub->u + j, n), n);
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t e = cells(i, n) + (size_t)j;
            room->matrix[e] = matrix_scaled(work->mono.matrix[e], units[j], units[i]);
            room->errors[e] = trusted * matrix_scaled(room->errors[e], units[j], units[i]);
        }
}

/* What rounding leaves of a number that is 0 after two turns, relative to the norms of its factors. */
static double left_of_zero(int n) {
    double once = (n + ENTRIES) * DBL_EPSILON;
    return once * once;
}

/* ---- Steps 2 and 3: the rank ---- */

/* x of M x = 0 in the pivots' rows, 1 in the column of `number`, 0 in the others that are no pivots'. */
static void set_right(null_space_room *room, int rank, int number, double *x) {
    int n = room->n;
    memset(x, 0, (size_t)n * sizeof *x);
    x[room->parts.columns[number]] = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        matrix_multiply(n, n, 1, room->matrix, x, room->rest);
        elimination_solve(&room->parts, rank, room->rest, room->change);
        add_row(x, -1, room->change, n);
    }
}

/* The same of the left: w' M = 0 in the pivots' columns. */
static void set_left(null_space_room *room, int rank, int number, double *w) {
    int n = room->n;
    memset(w, 0, (size_t)n * sizeof *w);
    w[room->parts.rows[number]] = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        matrix_multiply(1, n, n, w, room->matrix, room->rest);
        elimination_solve_left(&room->parts, rank, room->rest, room->change);
        add_row(w, -1, room->change, n);
    }
}

/* |E| |x|, x of moduli: what the errors of M make of M x, into room->change. */
static void set_errors_of(null_space_room *room, const double *x) {
    for (int i = 0; i < room->n; i++)
        room->change[i] = product_of_moduli(room->n, vector_of(room->errors, room->n, i), x);
}

/* Step 3: W' M X of what `rank` pivots leave, and its errors |W|' E |X|, into the places of the elimination.
 */
static void set_remains(null_space_room *room, int rank) {
    int n = room->n;
    double whole = left_of_zero(n) * matrix_norm(cells(n, n), room->matrix);
    for (int c = rank; c < n; c++) {
        set_right(room, rank, c, vector_of(room->x, n, c));
        set_left(room, rank, c, vector_of(room->w, n, c));
    }
    for (int j = rank; j < n; j++) {
        const double *x = vector_of(room->x, n, j);
        matrix_multiply(n, n, 1, room->matrix, x, room->rest);
        set_errors_of(room, x);
        double left = whole * matrix_norm((size_t)n, x);
        for (int i = rank; i < n; i++) {
            const double *w = vector_of(room->w, n, i);
            size_t e = cells(i, n) + (size_t)j;
            room->parts.entries[e] = scalar_product(n, w, room->rest);
            room->parts.errors[e] = product_of_moduli(n, w, room->change) + left * matrix_norm((size_t)n, w);
        }
    }
}

/* Steps 2 and 3: returns the number of pivots. The null vectors are in x and w, numbered from the rank on. */
static int find_rank(null_space_room *room) {
    int n = room->n, before = -1;
    elimination *e = &room->parts;
    memcpy(e->entries, room->matrix, cells(n, n) * sizeof *e->entries);
    memcpy(e->errors, room->errors, cells(n, n) * sizeof *e->errors);
    elimination_begin(e, n);
    int rank = elimination_run(e, 0);
    while (rank < n && rank > before) {
        before = rank;
        set_remains(room, rank);
        rank = elimination_run(e, rank);
    }
    return rank;
}

/* ---- Steps 4 and 5: rigid motions ---- */

/* W' X, k x k, and its errors into the places of the elimination. M+ is elimination_solve. With M+ X = Z and
 * W' M+ = Y' errors E of M change X by -M+ E X and W' by -W' E M+, so W' X by |Y|' E |X| + |W|' E |Z| at
 * most. */
static void set_products(null_space_room *room, int rank) {
    int n = room->n, k = n - rank;
    for (int c = rank; c < n; c++) {
        elimination_solve(&room->parts, rank, vector_of(room->x, n, c), vector_of(room->z, n, c));
        elimination_solve_left(&room->parts, rank, vector_of(room->w, n, c), vector_of(room->y, n, c));
    }
    for (int j = 0; j < k; j++) {
        const double *x = vector_of(room->x, n, rank + j);
        double left = left_of_zero(n) * matrix_norm((size_t)n, x);
        set_errors_of(room, x);
        for (int i = 0; i < k; i++) {
            const double *w = vector_of(room->w, n, rank + i), *y = vector_of(room->y, n, rank + i);
            room->parts.entries[i * k + j] = scalar_product(n, w, x);
            room->parts.errors[i * k + j] = (n + ENTRIES) * DBL_EPSILON * product_of_moduli(n, w, x) +
                                            product_of_moduli(n, y, room->change) +
                                            left * matrix_norm((size_t)n, w);
        }
        set_errors_of(room, vector_of(room->z, n, rank + j));
        for (int i = 0; i < k; i++)
            room->parts.errors[i * k + j] +=
                product_of_moduli(n, vector_of(room->w, n, rank + i), room->change);
    }
}

/* Takes out of x what it has along `count` vectors of length 1, and the same combination of `along` out of
 * `other`, unless this is NULL. Twice, for rounding. */
static void separate(int n, int count, const double *vectors, double *x, const double *along, double *other) {
    for (int turn = 0; turn < 2; turn++)
        for (int c = 0; c < count; c++) {
            const double *vector = vectors + cells(c, n);
            double part = scalar_product(n, vector, x);
            add_row(x, -part, vector, n);
            if (other != NULL) add_row(other, -part, along + cells(c, n), n);
        }
}

static void divide(int n, double *x, double by) {
    for (int i = 0; i < n; i++) x[i] /= by;
}

/* The null vectors x in the range of M, orthonormal, into the first rows of w; the z of M z = x into those of
 * y. Returns their number. The other null vectors are those of X whose columns the elimination of W' X has as
 * pivots, in its first places. */
static int find_motions(null_space_room *room, int rank) {
    int n = room->n, k = n - rank;
    set_products(room, rank);
    double *products = room->matrix, *x = room->w, *z = room->y;
    elimination *e = &room->parts;
    memcpy(products, e->entries, cells(k, k) * sizeof *products);
    elimination_begin(e, k);
    int apart = elimination_run(e, 0), found = k - apart;
    for (int m = 0; m < found; m++) {
        double *xm = vector_of(x, n, m), *zm = vector_of(z, n, m);
        for (int i = 0; i < k; i++) room->rest[i] = products[i * k + e->columns[apart + m]];
        elimination_solve(e, apart, room->rest, room->change);
        divide(k, room->change, -1);
        room->change[e->columns[apart + m]] = 1;
        memset(xm, 0, (size_t)n * sizeof *xm);
        memset(zm, 0, (size_t)n * sizeof *zm);
        for (int c = 0; c < k; c++) {
            add_row(xm, room->change[c], vector_of(room->x, n, rank + c), n);
            add_row(zm, room->change[c], vector_of(room->z, n, rank + c), n);
        }
        separate(n, m, x, xm, z, zm);
        double length = matrix_norm((size_t)n, xm);
        divide(n, xm, length);
        divide(n, zm, length);
    }
    return found;
}

int null_space_find(const costab_network_work *work, const double *units, null_space_room *room,
                    double *vectors, int *motions) {
    set_matrix(work, units, room);
    int n = room->n, rank = find_rank(room), dimension = n - rank;
    *motions = dimension > 0 ? find_motions(room, rank) : 0;
    int still = dimension - *motions;
    /* Orthogonal to the x of rigid motions, which are in room->w. */
    for (int c = 0; c < still; c++) {
        double *x = vector_of(vectors, n, c);
        memcpy(x, vector_of(room->x, n, rank + room->parts.columns[c]), (size_t)n * sizeof *x);
        separate(n, *motions, room->w, x, NULL, NULL);
        separate(n, c, vectors, x, NULL, NULL);
        divide(n, x, matrix_norm((size_t)n, x));
    }
    memcpy(vector_of(vectors, n, still), room->w, cells(*motions, n) * sizeof *vectors);
    if (dimension + *motions > n) *motions = 0;
    for (int m = 0; m < *motions; m++) {
        double *z = vector_of(vectors, n, dimension + m);
        memcpy(z, vector_of(room->y, n, m), (size_t)n * sizeof *z);
        separate(n, dimension, vectors, z, NULL, NULL);
    }
    return dimension;
}
