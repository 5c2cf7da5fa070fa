/* A subsystem's functions and their derivatives.
 *
 * 1. f and g: matrices, formulas, or the outputs of a stepper.
 * 2. Derivatives: the model's own, otherwise forward differences with relative step sqrt(eps).
 * 3. Faults: the first value of a macro step that is not finite at finite arguments is recorded with its
 *    equation.
 * 4. y' = dg/dx f + dg/du u' + dg/dt, otherwise the central difference of g along the solution with relative
 *    step eps^(1/3).
 *
 * Limitation: forward differences have about 8 correct digits, central differences about 10. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "network/dynamics.h"

void dynamics_sources(const costab_network *network, int s, double t, double *u) {
    for (int i = 0; i < network->source_count; i++)
        if (network->sources[i].subsystem == s)
            u[network->sources[i].input] += network->sources[i].value(network->sources[i].context, t);
}

bool dynamics_has_sources(const costab_network *network, int s) {
    for (int i = 0; i < network->source_count; i++)
        if (network->sources[i].subsystem == s) return true;
    return false;
}

/* Step of a central difference of a function known to rounding. */
static double difference_step(double length) {
    return cbrt(DBL_EPSILON) * length;
}

void dynamics_source_slopes(const costab_network *network, int s, double t, double length, double *u_slope) {
    double h = difference_step(length);
    for (int i = 0; i < network->source_count; i++) {
        const costab_source *source = &network->sources[i];
        if (source->subsystem != s) continue;
        double before = t - h, after = t + h;
        u_slope[source->input] +=
            source->slope != NULL
                ? source->slope(source->context, t)
                : (source->value(source->context, after) - source->value(source->context, before)) /
                      (after - before);
    }
}

costab_status dynamics_slope(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                             double *dx, costab_error *error) {
    if (subsystem->dynamics != NULL)
        return subsystem->dynamics->f(subsystem->dynamics->context, t, x, u, dx, error);
    matrix_multiply(subsystem->states, subsystem->states, 1, subsystem->A, x, dx);
    matrix_multiply_add(subsystem->states, subsystem->inputs, 1, subsystem->B, u, dx);
    return COSTAB_OK;
}

costab_status dynamics_output(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                              double *y, costab_error *error) {
    if (subsystem->dynamics != NULL)
        return subsystem->dynamics->g(subsystem->dynamics->context, t, x, u, y, error);
    if (subsystem->stepper != NULL) {
        memcpy(y, x, (size_t)subsystem->outputs * sizeof *y);
        return COSTAB_OK;
    }
    const double *C = subsystem->C, *D = subsystem->D;
    for (int o = 0; o < subsystem->outputs; o++) {
        double sum = 0;
        for (int i = 0; i < subsystem->states; i++, C++)
            if (*C != 0) sum += *C * x[i];
        for (int i = 0; D != NULL && i < subsystem->inputs; i++, D++)
            if (*D != 0) sum += *D * u[i];
        y[o] = sum;
    }
    return COSTAB_OK;
}

/* ---- Values that are not finite ---- */

static int first_not_finite(const double *values, int count) {
    int i = 0;
    while (i < count && isfinite(values[i])) i++;
    return i;
}

static bool are_within(const double *values, int count, double most) {
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= most)) return false;
    return true;
}

/* Appends the first arguments with their values: states, for f also inputs: ", where h = -0.1, q = 2". */
static void put_arguments(char *words, const costab_network *network, int s, costab_signal_kind kind,
                          const double *x, const double *u) {
    enum { SHOWN = 4 };
    const costab_subsystem *of = &network->subsystems[s];
    const char *before = ", where ";
    int all = of->states + (kind == COSTAB_SIGNAL_STATE ? of->inputs : 0);
    for (int i = 0; i < all; i++, before = ", ") {
        const bool input = i >= of->states;
        char name[COSTAB_SIGNAL_NAME_MAX];
        size_t used = strlen(words), space = COSTAB_REASON_MAX - used;
        if (i == SHOWN || space < sizeof name + 40) {
            (void)text_format(words + used, space, ", ..");
            return;
        }
        (void)text_format(words + used, space, "%s%s = %.6g", before,
                          costab_signal_name(network, s, input ? COSTAB_SIGNAL_INPUT : COSTAB_SIGNAL_STATE,
                                             input ? i - of->states : i, name),
                          input ? u[i - of->states] : x[i]);
    }
}

static void note_fault(dynamics_fault *fault, const costab_network *network, int s, costab_signal_kind kind,
                       int index, double t, double value) {
    char name[COSTAB_SIGNAL_NAME_MAX];
    const char *of = kind == COSTAB_SIGNAL_STATE    ? "f of state"
                     : kind == COSTAB_SIGNAL_OUTPUT ? "g of output"
                                                    : "the source of input";
    fault->found = true;
    fault->t = t;
    (void)text_format(fault->words, sizeof fault->words, "%s '%s' in subsystem '%.120s' is %s at t = %.6g",
                      of, costab_signal_name(network, s, kind, index, name), network->subsystems[s].name,
                      isnan(value) ? "not a number" : "infinite", t);
}

void dynamics_look_for_fault(dynamics_fault *fault, const costab_network *network, int s,
                             costab_signal_kind kind, double t, const double *x, const double *u,
                             const double *values) {
    const costab_subsystem *of = &network->subsystems[s];
    int count = kind == COSTAB_SIGNAL_STATE ? of->states : of->outputs;
    int bad = first_not_finite(values, count);
    if (fault->found || bad == count || !are_within(x, of->states, fault->most)) return;
    for (int i = 0; i < network->source_count; i++) {
        const costab_source *source = &network->sources[i];
        double value = source->subsystem == s ? source->value(source->context, t) : 0;
        if (isfinite(value)) continue;
        note_fault(fault, network, s, COSTAB_SIGNAL_INPUT, source->input, t, value);
        return;
    }
    if (!are_within(u, of->inputs, fault->most)) return;
    note_fault(fault, network, s, kind, bad, t, values[bad]);
    put_arguments(fault->words, network, s, kind, x, u);
}

/* Computes a column of A or B by a forward difference of f. dx: f at x and u. at: the varied entry of x or
 * u. */
static costab_status difference(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                                const double *dx, double *at, double step, double *shifted,
                                costab_error *error) {
    double kept = *at;
    *at = kept + step;
    step = *at - kept;
    costab_status status = dynamics_slope(subsystem, t, x, u, shifted, error);
    *at = kept;
    for (int i = 0; i < subsystem->states; i++) shifted[i] = (shifted[i] - dx[i]) / step;
    return status;
}

costab_status dynamics_derivatives(const costab_subsystem *subsystem, double t, double *x, double *u,
                                   const double *dx, double *A, double *B, double *space,
                                   costab_error *error) {
    const costab_dynamics *d = subsystem->dynamics;
    int n = subsystem->states, m = subsystem->inputs;
    if (d == NULL) memcpy(A, subsystem->A, (size_t)(n * n) * sizeof *A);
    if (d == NULL && m > 0) memcpy(B, subsystem->B, (size_t)(n * m) * sizeof *B);
    if (d == NULL) return COSTAB_OK;
    if (d->jacobian != NULL) return d->jacobian(d->context, t, x, u, A, B, error);
    for (int j = 0; j < n + m; j++) {
        double *at = j < n ? &x[j] : &u[j - n], step = sqrt(DBL_EPSILON) * fabs(*at);
        TRY(difference(subsystem, t, x, u, dx, at, step > 0 ? step : sqrt(DBL_EPSILON), space, error));
        for (int i = 0; i < n; i++) (j < n ? A + i * n + j : B + i * m + j - n)[0] = space[i];
    }
    return COSTAB_OK;
}

void dynamics_shift(const dynamics_input *input, int i, double dt, double c[MATRIX_POWERS]) {
    for (int l = 0; l < MATRIX_POWERS; l++) c[l] = l <= input->degree ? input->rate[l][i] : 0;
    for (int first = 0; first < input->degree; first++)
        for (int l = input->degree - 1; l >= first; l--) c[l] += dt * c[l + 1];
}

/* ---- Slopes of outputs ---- */

size_t dynamics_output_slope_work(const costab_subsystem *subsystem) {
    size_t n = (size_t)subsystem->states, m = (size_t)subsystem->inputs, q = (size_t)subsystem->outputs;
    return 2 * n + m + q * (n + m + 1);
}

/* Central difference of g along the solution. dx: f at the point. */
static costab_status difference_output(const dynamics_point *at, const double *dx, double *dy, double *space,
                                       costab_error *error) {
    const costab_subsystem *subsystem = at->subsystem;
    int n = subsystem->states, m = subsystem->inputs, q = subsystem->outputs;
    double *x = space, *u = x + n, *before = u + m, h = difference_step(at->length);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < n; i++) x[i] = at->x[i] + side * h * dx[i];
        for (int i = 0; i < m; i++) u[i] = at->u[i] + (at->u_slope != NULL ? side * h * at->u_slope[i] : 0);
        TRY(dynamics_output(subsystem, at->t + side * h, x, u, side < 0 ? before : dy, error));
    }
    for (int i = 0; i < q; i++) dy[i] = (dy[i] - before[i]) / (2 * h);
    return COSTAB_OK;
}

costab_status dynamics_output_slope(const dynamics_point *at, double *dy, double *space,
                                    costab_error *error) {
    const costab_subsystem *subsystem = at->subsystem;
    const costab_dynamics *d = subsystem->dynamics;
    int n = subsystem->states, m = subsystem->inputs, q = subsystem->outputs;
    double *dx = space, *C = dx + n, *D = C + q * n;
    TRY(dynamics_slope(subsystem, at->t, at->x, at->u, dx, error));
    if (d == NULL) {
        matrix_multiply(q, n, 1, subsystem->C, dx, dy);
        if (subsystem->D != NULL && at->u_slope != NULL)
            matrix_multiply_add(q, m, 1, subsystem->D, at->u_slope, dy);
        return COSTAB_OK;
    }
    if (d->output_jacobian == NULL) return difference_output(at, dx, dy, space + n, error);
    TRY(d->output_jacobian(d->context, at->t, at->x, at->u, C, D, dy, error));
    matrix_multiply_add(q, n, 1, C, dx, dy);
    if (at->u_slope != NULL) matrix_multiply_add(q, m, 1, D, at->u_slope, dy);
    return COSTAB_OK;
}
