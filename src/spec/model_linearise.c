/* Nonlinear subsystems at their operating points.
 *   1. Where an equilibrium is to be found: f(x) = 0 at the given inputs by Newton's method from the given
 *      states. Each step is halved until the largest x' is smaller (a line search); an x' counts relative
 *      to the largest term that it is the sum of.
 *   2. It is found where x' is rounding, or below EQUILIBRIUM where no step makes it smaller.
 *   3. The derivatives of f and g there, at t = 0, are A, B, C and D. A formula with a kink at the point
 *      (such as abs at 0) is refused, and one whose derivatives depend on t unless the instance allows it;
 *      an x' that is more than rounding is reported as a drift.
 * Cost: per step a factorisation, and n gradients per halving; at the point n + q gradients. Not
 * guaranteed: that the equilibrium found is the one that was meant, or that none exists where none is
 * found. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/matrix.h"
#include "spec/model_instance.h"

void model_tell(model_update *u, const model_place *place, const char *what, const char *reason) {
    u->succeeded = false;
    if (!u->complain(u->context, place, what, reason)) u->stopped = true;
}

/* The largest relative x' of an equilibrium: far above the rounding of f. */
#define EQUILIBRIUM 1e-9

/* Arrays of the search for an equilibrium, in one block, in this order: A, n x n; x'; the largest term of
 * each x', now and where a step began; the step; the states where it began. */
typedef struct equilibrium_search {
    double *A, *dx, *size, *before, *step, *kept;
} equilibrium_search;

size_t model_rest_work(int n) {
    return (size_t)n * (size_t)n + 5 * (size_t)n;
}

/* x', its largest terms and its derivatives, at the instance's local variables. False where something is
 * not finite. */
static bool derivatives(costab_model_instance *instance, int s, const equilibrium_search *r) {
    const model_subsystem *from = &instance->model->body->subsystems[s];
    int n = from->states;
    bool finite = true;
    for (int i = 0; i < n; i++) {
        const formula_tape *tape = &from->equations[i].tape;
        r->dx[i] = formula_gradient(tape, instance->values, instance->functions[s].local,
                                    n + from->inputs + 1, instance->gradient, instance->scratch);
        r->size[i] = formula_largest(tape, instance->scratch);
        memcpy(r->A + i * n, instance->gradient, (size_t)n * sizeof *r->A);
        finite = finite && isfinite(r->dx[i]);
        for (int j = 0; j < n; j++) finite = finite && isfinite(r->A[i * n + j]);
    }
    return finite;
}

/* The largest x' relative to `size`; infinite where it is not finite. */
static double largest_relative(int n, const double *dx, const double *size) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        double relative = dx[i] == 0 ? 0 : fabs(dx[i]) / size[i];
        if (!(relative <= most)) most = isnan(relative) ? (double)INFINITY : relative;
    }
    return most;
}

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 40 };

/* A step of Newton's method, halved until x' is smaller. False where it does not become smaller; the
 * states are then as they were. */
static bool damped_newton_step(costab_model_instance *instance, int s, const equilibrium_search *r) {
    int n = instance->model->body->subsystems[s].states;
    double *x = instance->functions[s].local, fraction = 1, now = (double)INFINITY;
    double before = largest_relative(n, r->dx, r->size);
    memcpy(r->before, r->size, (size_t)n * sizeof *x);
    memcpy(r->kept, x, (size_t)n * sizeof *x);
    for (int half = 0; half < HALVINGS_MAX; half++, fraction /= 2) {
        for (int i = 0; i < n; i++) x[i] = r->kept[i] - fraction * r->step[i];
        if (derivatives(instance, s, r)) now = largest_relative(n, r->dx, r->before);
        if (now < before) return true;
    }
    memcpy(x, r->kept, (size_t)n * sizeof *x);
    return false;
}

/* NULL, or why no equilibrium was found. */
static const char *find_equilibrium(costab_model_instance *instance, int s) {
    instance_functions *g = &instance->functions[s];
    int n = g->subsystem->states;
    double *room = g->room;
    equilibrium_search r = {room,
                            room + n * n,
                            room + n * n + n,
                            room + n * n + 2 * n,
                            room + n * n + 3 * n,
                            room + n * n + 4 * n};
    if (!derivatives(instance, s, &r)) return "f has no finite value and derivatives at the given values";
    for (int k = 0; k < ITERATIONS_MAX && largest_relative(n, r.dx, r.size) > 4 * DBL_EPSILON; k++) {
        if (!matrix_factor(n, r.A, g->pivots))
            return "the derivatives of f are singular, so that none lies alone";
        memcpy(r.step, r.dx, (size_t)n * sizeof *r.step);
        matrix_solve(n, r.A, g->pivots, 1, r.step);
        if (damped_newton_step(instance, s, &r)) continue;
        (void)derivatives(instance, s, &r);
        break;
    }
    return largest_relative(n, r.dx, r.size) <= EQUILIBRIUM ? NULL : "Newton's method did not come to one";
}

/* Copies a gradient into a row of [A B] or [C D]. */
static void copy_row(const costab_model_instance *instance, const model_subsystem *from, int row,
                     int by_states, int by_inputs) {
    for (int j = 0; j < from->states; j++)
        instance->slots[by_states + row * from->states + j] = instance->gradient[j];
    for (int j = 0; j < from->inputs && by_inputs >= 0; j++)
        instance->slots[by_inputs + row * from->inputs + j] = instance->gradient[from->states + j];
}

/* Derivatives that depend on t are those of one instant: no stability follows from them, at whatever
 * parameters, so that the failure ends a search over parameters. */
static void refuse_time(model_update *u, const model_subsystem *from, const model_formula *equation,
                        const double *local) {
    char words[FORMULA_SIZE_MAX + 200];
    int through = formula_time_varying(&equation->tape, u->instance->values, local,
                                       from->states + from->inputs, u->instance->scratch);
    if (through < 0) return;
    snprintf(words, sizeof words,
             "'%.300s' depends on t through %.100s: its coefficients vary in time, so that eigenvalues say "
             "nothing of stability; costab simulate runs this model",
             equation->tape.text, from->local_names[through]);
    model_tell(u, &equation->place, equation->what, words);
    u->instance->failure = COSTAB_UNSUPPORTED;
}

/* The value and gradient of an equation; a mistake where it cannot be linearised. */
static double value_and_gradient(model_update *u, int s, const model_formula *equation) {
    costab_model_instance *instance = u->instance;
    const model_subsystem *from = &instance->model->body->subsystems[s];
    const double *local = instance->functions[s].local;
    int variables = from->states + from->inputs;
    const char *kink;
    char words[FORMULA_SIZE_MAX + 200];
    double value = formula_gradient(&equation->tape, instance->values, local, variables + 1,
                                    instance->gradient, instance->scratch);
    bool finite = isfinite(value);
    for (int j = 0; j < variables; j++) finite = finite && isfinite(instance->gradient[j]);
    if (!finite)
        model_tell(
            u, &equation->place, equation->what,
            "it has no finite value and derivatives at the operating point; choose another one with the key operating_point");
    if (finite && !instance->time_varying) refuse_time(u, from, equation, local);
    if (!finite || formula_is_smooth(&equation->tape, instance->values, local, variables,
                                     instance->gradient + variables + 1, instance->scratch, &kink))
        return formula_value(&equation->tape, instance->values, local, instance->scratch);
    snprintf(words, sizeof words,
             "'%.300s' has no derivatives at the operating point: a corner of %s lies there; choose another "
             "point with the key operating_point, or a smooth function",
             equation->tape.text, kink);
    model_tell(u, &equation->place, equation->what, words);
    return value;
}

void model_linearise(model_update *u, int s) {
    costab_model_instance *instance = u->instance;
    instance_functions *g = &instance->functions[s];
    const model_subsystem *from = g->subsystem;
    int variables = from->states + from->inputs;
    memcpy(g->local, instance->slots + from->point, (size_t)variables * sizeof *g->local);
    g->local[variables] = 0;
    const char *fault = from->solve ? find_equilibrium(instance, s) : NULL;
    if (fault != NULL) {
        char words[200], what[MODEL_WHAT_MAX];
        snprintf(what, sizeof what, "subsystem '%.60s', operating_point", from->name);
        snprintf(words, sizeof words, "no equilibrium was found from the given values: %s", fault);
        model_tell(u, &from->point_place, what, words);
        return;
    }
    g->found.drift = 0;
    for (int i = 0; i < from->states + from->outputs && !u->stopped; i++) {
        double value = value_and_gradient(u, s, &from->equations[i]);
        bool state = i < from->states;
        bool drifts =
            state && fabs(value) > EQUILIBRIUM * formula_largest(&from->equations[i].tape, instance->scratch);
        if (drifts && fabs(value) > g->found.drift) {
            g->found.drift = fabs(value);
            g->found.drifting = i;
        }
        copy_row(instance, from, state ? i : i - from->states, state ? from->A : from->C,
                 state ? from->B : from->D);
    }
}
