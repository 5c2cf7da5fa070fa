/* Chooses the held states of an equilibrium with free states, and the motions along them (rest.h).
 * 1. Null vectors: common to the derivatives at the given point and at two nearby points, so accidental
 *    singularity does not count. In units of the equations, singular values are below 1e-11 of the largest.
 * 2. Test: F must be constant along them, near (1) and far (-7.3); otherwise the point is a fold.
 * 3. Choice: elimination of the vectors' rows selects one state for each: states named by the model first,
 *    then states with a given value, then the others in file order.
 * 4. Speeds: repeats the search with the speeds as unknowns. A motion possible at any speed needs one more
 *    held state.
 * A motion has 1 at its held state, 0 at the others. Cost: O(N^3), once per instance. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/rest.h"

enum { DRAWS = 3, HALVINGS_MAX = 40 };
#define NULL_VECTOR 1e-11
#define PIVOT       1e-6
#define UNCHANGED   1e-9

/* Returns a quasi-random number of either sign, 0.5 to 1 in magnitude. */
static double draw(int i, int k) {
    const double golden = 0.6180339887498949, plastic = 0.7548776662466927;
    double size = fmod((i + 1) * golden + k * plastic, 1), sign = fmod((i + 1) * plastic + k * golden, 1);
    return (sign < 0.5 ? -1 : 1) * (0.5 + size / 2);
}

bool rest_nearby(model_rest *r, const double *z, const double *units, int k) {
    double share = k == 0 ? 0 : 0.125;
    for (int half = 0; half < HALVINGS_MAX; half++, share /= 2) {
        memcpy(r->trial, z, (size_t)(r->size + r->motions) * sizeof *z);
        for (int j = 0; j < r->column_count && k > 0; j++) {
            const int at = r->columns[j];
            r->trial[at] += share * draw(j, k) * (z[at] != 0 ? z[at] : units[j]);
        }
        if (rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, r->J)) return true;
        if (k == 0) return false;
    }
    return false;
}

/* Null vectors of a stack of matrices [J, -V_x], without the held columns. */
typedef struct null_space {
    int columns, count;
    double *stack, *units, *row_units, *vectors, *singular, *work; /* vectors: columns x columns, in rows */
} null_space;

static void null_space_free(null_space *n) {
    memory_free_all(n->stack, n->units, n->row_units, n->vectors, n->singular, n->work);
}

/* Copies the columns of the derivatives at one point into a block of the stack. */
static void put_block(model_rest *r, null_space *n, int block) {
    const size_t height = (size_t)r->row_count;
    rest_put_columns(r);
    for (size_t j = 0; j < (size_t)n->columns; j++)
        memcpy(n->stack + (j * DRAWS + (size_t)block) * height, r->matrix + j * height,
               height * sizeof *r->matrix);
}

static costab_status find_null_space(model_rest *r, const double *z, null_space *n, costab_error *error) {
    const size_t height = (size_t)r->row_count * DRAWS;
    n->columns = r->column_count;
    const size_t width = (size_t)n->columns;
    TRY(memory_make(&n->stack, height * width + 1, error));
    TRY(memory_make(&n->units, width + (size_t)r->row_count + 1, error));
    TRY(memory_make(&n->row_units, height + 1, error));
    TRY(memory_make(&n->vectors, width * width + 1, error));
    TRY(memory_make(&n->singular, width + height + 1, error));
    TRY(memory_make(&n->work, width + height + 1, error));
    if (width == 0 || !rest_nearby(r, z, NULL, 0)) return COSTAB_OK;
    for (int block = 0; block < DRAWS; block++) put_block(r, n, block);
    rest_equilibrate((int)height, n->columns, n->stack, n->row_units, n->units);
    for (int block = 1; block < DRAWS; block++)
        if (rest_nearby(r, z, n->units, block)) put_block(r, n, block);
    rest_equilibrate((int)height, n->columns, n->stack, n->row_units, n->units);
    for (size_t j = 0; j < width; j++)
        for (size_t i = 0; i < height; i++) n->stack[j * height + i] *= n->row_units[i] * n->units[j];
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'A', (int)height, n->columns, n->stack, (int)height,
                       n->singular, NULL, 1, n->vectors, n->columns, n->work) != 0)
        return COSTAB_OK;
    while (n->count < n->columns && n->singular[n->columns - 1 - n->count] <= NULL_VECTOR * n->singular[0])
        n->count++;
    return COSTAB_OK;
}

/* Returns entry j of the k-th null vector, in units of the equations. */
static double *vector_entry(const null_space *n, int k, int j) {
    return &n->vectors[(size_t)j * (size_t)n->columns + (size_t)(n->columns - 1 - k)];
}

/* Combines all null vectors in n->work, with a largest entry of at most 1. */
static void combine(null_space *n) {
    double most = 1;
    for (int j = 0; j < n->columns; j++) {
        n->work[j] = 0;
        for (int k = 0; k < n->count; k++) n->work[j] += *vector_entry(n, k, j) * (1 + k / 8.0);
        n->work[j] *= n->units[j];
        most = fmax(most, fabs(n->work[j]));
    }
    for (int j = 0; j < n->columns; j++) n->work[j] /= most;
}

/* Returns true if F is constant along the combination. */
static bool is_unchanged(model_rest *r, const double *z, null_space *n) {
    static const double ways[] = {1, -7.3};
    if (!rest_evaluate(r, z, r->F, r->terms, NULL)) return false;
    combine(n);
    for (int w = 0; w < 2; w++) {
        double all = 0, apart = 0;
        memcpy(r->trial, z, (size_t)(r->size + r->motions) * sizeof *z);
        for (int j = 0; j < n->columns; j++) r->trial[r->columns[j]] += ways[w] * n->work[j];
        if (!rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, NULL)) return false;
        for (int i = 0; i < r->row_count; i++) {
            const int row = r->rows[i];
            const double change = r->trial_F[row] - r->F[row];
            all = hypot(all, n->row_units[i] * fmax(r->terms[row], r->trial_terms[row]));
            apart = hypot(apart, n->row_units[i] * change);
        }
        if (apart > UNCHANGED * (1 + all)) return false;
    }
    return true;
}

/* Returns the priority of a state to be held; 0 is first. */
static int preference(const model_rest *r, int state) {
    int i;
    const model_subsystem *from = &r->instance->model->body->subsystems[rest_subsystem(r, state, &i)];
    if (from->hold != NULL && from->hold[i]) return 0;
    return from->typed != NULL && from->typed[i] ? 1 : 2;
}

/* Holds the state of column j; the other vectors get 0 there. */
static void eliminate(null_space *n, int k, int j) {
    for (int other = k + 1; other < n->count; other++) {
        const double share = *vector_entry(n, other, j) / *vector_entry(n, k, j);
        for (int i = 0; i < n->columns; i++) *vector_entry(n, other, i) -= share * *vector_entry(n, k, i);
    }
}

static void exchange(null_space *n, int a, int b) {
    for (int j = 0; j < n->columns && a != b; j++) {
        const double kept = *vector_entry(n, a, j);
        *vector_entry(n, a, j) = *vector_entry(n, b, j);
        *vector_entry(n, b, j) = kept;
    }
}

/* Chooses a state for each null vector. Returns the number of held states. */
static int hold_states(model_rest *r, null_space *n) {
    int found = 0;
    for (int wanted = 0; wanted < 3; wanted++)
        for (int j = 0; j < r->column_count && found < n->count; j++) {
            const int at = r->columns[j];
            if (at >= r->states || preference(r, at) != wanted) continue;
            int most = found;
            for (int k = found + 1; k < n->count; k++)
                if (fabs(*vector_entry(n, k, j)) > fabs(*vector_entry(n, most, j))) most = k;
            if (fabs(*vector_entry(n, most, j)) <= PIVOT) continue;
            exchange(n, found, most);
            eliminate(n, found++, j);
            r->held[at] = true;
        }
    return found;
}

static void list_columns(model_rest *r) {
    r->column_count = 0;
    for (int i = 0; i < r->size; i++)
        if (r->unknown[i] && !r->held[i]) r->columns[r->column_count++] = i;
    for (int k = 0; k < r->motions; k++) r->columns[r->column_count++] = r->size + k;
}

/* Holds the states of motions that satisfy the equations. */
static costab_status hold(model_rest *r, const double *z, costab_error *error) {
    ends_by(null_space_free) null_space n = {.count = 0};
    TRY(find_null_space(r, z, &n, error));
    if (n.count == 0 || !is_unchanged(r, z, &n)) return COSTAB_OK;
    (void)hold_states(r, &n);
    return COSTAB_OK;
}

static costab_status check_wishes(const model_rest *r, costab_error *error) {
    const model_body *body = r->instance->model->body;
    for (int s = 0; s < body->subsystem_count; s++)
        for (int i = 0; body->subsystems[s].hold != NULL && i < body->subsystems[s].states; i++) {
            const model_subsystem *from = &body->subsystems[s];
            if (!from->hold[i] || r->held[r->state[s] + i]) continue;
            char name[24];
            return error_invalid(
                error,
                "hold: the state %s.%s cannot be held: the network determines it, or another "
                "held state does",
                from->name, model_state_name(from, i, name));
        }
    return COSTAB_OK;
}

bool rest_find_motions(model_rest *r, const double *z) {
    const size_t height = (size_t)r->row_count, size = (size_t)r->size;
    const int columns = r->column_count - r->motions;
    if (r->motions == 0) return true;
    if (!rest_evaluate(r, z, r->F, r->terms, r->J)) return false;
    rest_put_columns(r);
    for (int k = 0; k < r->motions; k++)
        for (size_t i = 0; i < height; i++)
            r->right[(size_t)k * size + i] = -r->J[(size_t)r->moving[k] * size + (size_t)r->rows[i]];
    if (!rest_solve(r, r->row_count, columns, r->motions)) return false;
    memset(r->V, 0, size * (size_t)r->motions * sizeof *r->V);
    for (int k = 0; k < r->motions; k++) {
        for (int j = 0; j < columns; j++)
            r->V[(size_t)k * size + (size_t)r->columns[j]] = r->right[(size_t)k * size + (size_t)j];
        r->V[(size_t)k * size + (size_t)r->moving[k]] = 1;
    }
    return true;
}

costab_status rest_choose_held(model_rest *r, const double *z, costab_error *error) {
    memset(r->held, 0, (size_t)r->size * sizeof *r->held);
    r->motions = 0; /* the second search includes the speeds, 0 in z */
    list_columns(r);
    TRY(hold(r, z, error));
    for (int i = 0; i < r->states; i++)
        if (r->held[i]) r->moving[r->motions++] = i;
    memset(r->V, 0, (size_t)r->size * (size_t)r->motions * sizeof *r->V);
    list_columns(r);
    if (r->motions > 0 && rest_find_motions(r, z)) {
        TRY(hold(r, z, error));
        list_columns(r);
    }
    return check_wishes(r, error);
}
