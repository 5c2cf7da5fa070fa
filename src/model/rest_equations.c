/* Equations of a network at rest, F(z) = (f(x, u) - V_x c; u - L g(x, u) - s) in the states x, inputs u and
 * speeds c (rest.h). For Newton's method (rest.c, rest_settle.c, misfit.c): F, its derivatives, and the
 * largest term of each equation, to which its rounding error is relative. Also: which entries of z are
 * unknown.
 * 1. Each row of a subsystem, x' and outputs, has a value and slopes by the subsystem's states and inputs:
 *    from a formula's tape, a matrix row, or an FMU.
 * 2. Outputs enter the equations of the connected inputs.
 * FMUs for co-simulation stay at their start: constant outputs, given inputs. Cost: one gradient per formula,
 * and the product of connections and outputs. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/rest.h"

/* A row: its value, its largest term, and its slopes in r->slopes. */
typedef struct equation {
    double value, terms;
} equation;

static size_t entry(const model_rest *r, int row, int column) {
    return (size_t)column * (size_t)r->size + (size_t)row;
}

/* ---- Rows of a subsystem ---- */

static equation formula_row(const model_rest *r, const model_subsystem *from, int row) {
    const costab_model_instance *instance = r->instance;
    const formula_tape *tape = &from->equations[row].tape;
    equation e;
    e.value = formula_gradient(tape, instance->values, r->local, from->states + from->inputs + 1, r->slopes,
                               instance->scratch);
    e.terms = formula_terms(tape, instance->scratch);
    return e;
}

/* Computes a row of [A B; C D]. `value`: the FMU's value; NULL: the row's value. */
static equation matrix_row(const model_rest *r, const model_subsystem *from, int row, const double *value) {
    const int n = from->states, m = from->inputs, output = row - n;
    const double *slots = r->instance->slots;
    const int by_states = row < n ? from->A : from->C, by_inputs = row < n ? from->B : from->D;
    const int at = row < n ? row : output;
    equation e = {.value = 0};
    for (int j = 0; j < n + m; j++) {
        const int first = j < n ? by_states : by_inputs, width = j < n ? n : m, column = j < n ? j : j - n;
        r->slopes[j] = first >= 0 ? slots[first + at * width + column] : 0;
        if (from->discrete && row == j) r->slopes[j] -= 1; /* x+ - x at a sample */
        e.value += r->slopes[j] * r->local[j];
        e.terms = fmax(e.terms, fabs(r->slopes[j] * r->local[j]));
    }
    if (value == NULL) return e;
    return (equation){*value, fmax(e.terms, fabs(*value))};
}

static equation constant_row(const model_rest *r, const model_subsystem *from, int output) {
    double value = from->x0 >= 0 ? r->instance->slots[from->x0 + output] : 0;
    memset(r->slopes, 0, (size_t)from->inputs * sizeof *r->slopes);
    return (equation){value, fabs(value)};
}

/* ---- The network ---- */

static void put_state(const model_rest *r, const model_subsystem *from, int s, int row, equation e, double *F,
                      double *terms, double *J) {
    const int at = r->state[s] + row;
    F[at] = e.value;
    terms[at] = e.terms;
    for (int j = 0; j < from->states && J != NULL; j++) J[entry(r, at, r->state[s] + j)] = r->slopes[j];
    for (int j = 0; j < from->inputs && J != NULL; j++)
        J[entry(r, at, r->input[s] + j)] = r->slopes[from->states + j];
}

static void put_output(const model_rest *r, const model_subsystem *from, int s, int output, equation e,
                       double *F, double *terms, double *J) {
    const model_body *body = r->instance->model->body;
    for (int c = 0; c < body->connection_count; c++) {
        const model_connection *k = &body->connections[c];
        if (k->from != s || k->output != output) continue;
        const double gain = r->instance->slots[k->gain];
        const int at = r->input[k->to] + k->input;
        F[at] -= gain * e.value;
        terms[at] = fmax(terms[at], fabs(gain) * e.terms);
        for (int j = 0; j < from->states && J != NULL; j++)
            J[entry(r, at, r->state[s] + j)] -= gain * r->slopes[j];
        for (int j = 0; j < from->inputs && J != NULL; j++)
            J[entry(r, at, r->input[s] + j)] -= gain * r->slopes[from->states + j];
    }
}

/* Computes u - s with the sources s, before connections are added. */
static void put_inputs(const model_rest *r, const double *z, double *F, double *terms, double *J) {
    const model_body *body = r->instance->model->body;
    const double t = 0;
    for (int i = r->states; i < r->size; i++) {
        F[i] = z[i];
        terms[i] = fabs(z[i]);
        if (J != NULL) J[entry(r, i, i)] = 1;
    }
    for (int k = 0; k < body->source_count; k++) {
        const model_source *source = &body->sources[k];
        const int at = r->input[source->subsystem] + source->input;
        double value = formula_value(&source->formula.tape, r->instance->values, &t, r->instance->scratch);
        F[at] -= value;
        terms[at] = fmax(terms[at], fabs(value));
    }
}

static bool put_subsystem(const model_rest *r, int s, const double *z, double *F, double *terms, double *J) {
    const model_subsystem *from = &r->instance->model->body->subsystems[s];
    const int n = from->states, m = from->inputs;
    memcpy(r->local, z + r->state[s], (size_t)n * sizeof *z);
    memcpy(r->local + n, z + r->input[s], (size_t)m * sizeof *z);
    r->local[n + m] = 0;
    const bool shown = from->foreign && !from->sampled;
    if (shown && !model_foreign_values(r->instance, s, r->local, J != NULL, r->values)) return false;
    for (int row = 0; row < n + from->outputs; row++) {
        equation e = from->equations != NULL ? formula_row(r, from, row)
                     : from->sampled         ? constant_row(r, from, row)
                                             : matrix_row(r, from, row, shown ? &r->values[row] : NULL);
        if (row < n)
            put_state(r, from, s, row, e, F, terms, J);
        else
            put_output(r, from, s, row - n, e, F, terms, J);
    }
    return true;
}

/* Subtracts the constant speed along the motions, V_x c (rest.h), from f. */
static void put_motions(const model_rest *r, const double *z, double *F, double *terms, double *J) {
    for (int k = 0; k < r->motions; k++)
        for (int i = 0; i < r->states; i++) {
            const double slope = r->V[entry(r, i, k)], part = slope * z[r->size + k];
            F[i] -= part;
            terms[i] = fmax(terms[i], fabs(part));
            if (J != NULL) J[entry(r, i, r->size + k)] = -slope;
        }
}

bool rest_evaluate(model_rest *r, const double *z, double *F, double *terms, double *J) {
    const size_t size = (size_t)r->size;
    bool fine = true;
    if (J != NULL) memset(J, 0, size * (size + (size_t)r->motions) * sizeof *J);
    put_inputs(r, z, F, terms, J);
    for (int s = 0; s < r->instance->model->body->subsystem_count && fine; s++)
        fine = put_subsystem(r, s, z, F, terms, J);
    put_motions(r, z, F, terms, J);
    for (int k = 0; k < r->row_count && fine; k++) {
        fine = isfinite(F[r->rows[k]]);
        for (int j = 0; j < r->row_count && J != NULL && fine; j++)
            fine = isfinite(J[entry(r, r->rows[k], r->rows[j])]);
    }
    return fine;
}

int rest_subsystem(const model_rest *r, int entry, int *i) {
    const model_body *body = r->instance->model->body;
    const int *first = entry < r->states ? r->state : r->input;
    int s = 0;
    while (s + 1 < body->subsystem_count && first[s + 1] <= entry) s++;
    *i = entry - first[s] + (entry < r->states ? 0 : body->subsystems[s].states);
    return s;
}

/* ---- Given values ---- */

static bool is_driven(const model_body *body, int s, int input) {
    for (int c = 0; c < body->connection_count; c++)
        if (body->connections[c].to == s && body->connections[c].input == input) return true;
    for (int k = 0; k < body->source_count; k++)
        if (body->sources[k].subsystem == s && body->sources[k].input == input) return true;
    return false;
}

void rest_mark_unknown(model_rest *r, bool all) {
    const model_body *body = r->instance->model->body;
    r->row_count = 0;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        bool nonlinear = from->equations != NULL || from->foreign;
        bool states = !from->sampled && (all || !nonlinear || from->solve);
        bool inputs = states && (all || !from->inputs_given);
        for (int i = 0; i < from->states; i++) r->unknown[r->state[s] + i] = states;
        for (int i = 0; i < from->inputs; i++) r->unknown[r->input[s] + i] = inputs && is_driven(body, s, i);
    }
    for (int i = 0; i < r->size; i++)
        if (r->unknown[i]) r->rows[r->row_count++] = i;
}

bool rest_load(model_rest *r, double *z) {
    const costab_model_instance *instance = r->instance;
    const model_body *body = instance->model->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        const int n = from->states, m = from->inputs;
        memset(r->local, 0, (size_t)(n + m) * sizeof *z);
        if (from->point >= 0) memcpy(r->local, instance->slots + from->point, (size_t)(n + m) * sizeof *z);
        /* Missing values come from the FMU. */
        bool own = false;
        for (int i = 0; i < n + m; i++) own = own || isnan(r->local[i]);
        if (own && from->sampled)
            memcpy(r->local, instance->functions[s].local, (size_t)(n + m) * sizeof *z);
        else if (own && !model_foreign_values(instance, s, r->local, true, r->values))
            return false;
        memcpy(z + r->state[s], r->local, (size_t)n * sizeof *z);
        memcpy(z + r->input[s], r->local + n, (size_t)m * sizeof *z);
    }
    return true;
}
