/* Finds the operating point of the whole network: its equilibrium, or a steady motion (rest.h).
 * 1. Own parameters, once per instance: chooses held states (rest_held.c), then runs Newton's method from the
 *    given values. A step is halved until |F| falls to (1 - t/4) of its value, t being the fraction of the
 *    step. After a failure it restarts at nearby points, because the derivatives may be singular at the given
 *    values by chance. Without a point there, every update searches like this at its own parameters, until
 *    costab_model_instance_anchor makes one of them the start of lines.
 * 2. Convergence: each equation is at the rounding of its largest term, or below EQUILIBRIUM of it if no step
 *    reduces it further.
 * 3. Continuation to other parameters along the straight line from the own ones. The derivatives at one point
 *    of the line predict the next. A part of the line is halved until each correction is at most a quarter of
 *    the previous one, and the first a quarter of the predicted change. This follows the same equilibrium
 *    even across an intersecting branch (P. Deuflhard, Newton Methods for Nonlinear Problems, 5.1). The
 *    result is independent of the order of updates, except of the one that is the anchor.
 * 4. End of the line: parts shorter than SHORTEST mean that the equilibrium vanishes (a fold) or a formula
 *    has no value. The branch beyond the fold is not followed, since its equilibria belong to parameters
 *    already covered.
 * Cost: one O(N^3) solution and N gradients per step, 4 to 10 steps, for N states and inputs. Limitation: may
 * find another equilibrium than intended, or miss an existing one. */
#include "model/rest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/instance.h"

enum { STEPS_MAX = 60, HALVINGS_MAX = 40, CORRECTIONS_MAX = 16, STARTS = 3 };

/* Largest relative residual of an equilibrium, far above rounding. */
#define EQUILIBRIUM 1e-9
/* Rounding of the unknowns. */
#define ROUNDING 1e-12
/* First and shortest part of a line in the parameters. */
#define FIRST    0.25
#define SHORTEST 1e-13

/* ---- Creation ---- */

void model_rest_free(model_rest **freed) {
    model_rest *r = *freed;
    if (r == NULL) return;
    memory_free_all(r->state, r->input, r->kept, r->unknown, r->held, r->rows, r->columns, r->moving, r->z,
                    r->F, r->terms, r->J, r->V, r->start, r->nominal, r->own, r->target, r->row_units,
                    r->column_units, r->step, r->matrix, r->copy, r->right, r->singular, r->trial, r->trial_F,
                    r->trial_terms, r->local, r->slopes, r->values, r);
    *freed = NULL;
}

static costab_status allocate(model_rest *r, costab_error *error) {
    const costab_model *model = r->instance->model;
    const size_t size = (size_t)r->size + 1, count = (size_t)model->body->subsystem_count + 1;
    double **const squares[] = {&r->J, &r->V, &r->matrix, &r->copy, &r->right};
    double **const lists[] = {&r->z,        &r->F,      &r->terms,     &r->start,
                              &r->nominal,  &r->step,   &r->row_units, &r->column_units,
                              &r->singular, &r->trial,  &r->trial_F,   &r->trial_terms,
                              &r->local,    &r->slopes, &r->values,    &r->kept};
    int **const numbers[] = {&r->rows, &r->columns, &r->moving};
    TRY(memory_make(&r->state, count, error));
    TRY(memory_make(&r->input, count, error));
    TRY(memory_make(&r->unknown, size, error));
    TRY(memory_make(&r->held, size, error));
    TRY(memory_make(&r->target, (size_t)model->parameter_count + 1, error));
    TRY(memory_make(&r->own, (size_t)model->parameter_count + 1, error));
    for (int i = 0; i < model->parameter_count; i++) r->own[i] = model->parameters[i].value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) TRY(memory_make(numbers[i], size, error));
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        TRY(memory_make(squares[i], 2 * size * size, error));
    size_t longest = 2 * size; /* including speeds */
    for (int s = 0; s < model->body->subsystem_count; s++) {
        const model_subsystem *from = &model->body->subsystems[s];
        size_t row = (size_t)(from->states + from->inputs + from->outputs) + 2;
        longest = row > longest ? row : longest;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) TRY(memory_make(lists[i], longest, error));
    return COSTAB_OK;
}

costab_status model_rest_make(costab_model_instance *instance, bool all, model_rest **rest,
                              costab_error *error) {
    const model_body *body = instance->model->body;
    TRY(memory_make(rest, 1, error));
    model_rest *r = *rest;
    r->instance = instance;
    for (int s = 0; s < body->subsystem_count; s++) r->states += body->subsystems[s].states;
    r->size = r->states;
    for (int s = 0; s < body->subsystem_count; s++) r->size += body->subsystems[s].inputs;
    costab_status status = allocate(r, error);
    if (status) {
        model_rest_free(rest);
        return status;
    }
    int state = 0, input = r->states;
    for (int s = 0; s < body->subsystem_count; s++) {
        r->state[s] = state;
        r->input[s] = input;
        state += body->subsystems[s].states;
        input += body->subsystems[s].inputs;
    }
    rest_mark_unknown(r, all);
    return COSTAB_OK;
}

/* ---- Newton's method ---- */

/* Copies a point with its speeds. */
static void copy_point(const model_rest *r, double *to, const double *from) {
    memcpy(to, from, (size_t)(r->size + r->motions) * sizeof *to);
}

/* Returns |F| in the units of the last step. */
static double norm(const model_rest *r, const double *F) {
    double sum = 0;
    for (int i = 0; i < r->row_count; i++) sum = hypot(sum, r->row_units[i] * F[r->rows[i]]);
    return sum;
}

/* Returns the largest unknown in the units of the last step, comparable with F in these units. */
static double largest_unknown(const model_rest *r, const double *z) {
    double most = 0;
    for (int j = 0; j < r->column_count; j++) most = fmax(most, fabs(z[r->columns[j]] / r->column_units[j]));
    return most;
}

void rest_drop_roundings(model_rest *r, double share) {
    const double most = share * largest_unknown(r, r->trial);
    for (int j = 0; j < r->column_count; j++)
        if (fabs(r->trial[r->columns[j]]) <= most * r->column_units[j]) r->trial[r->columns[j]] = 0;
}

/* Returns true if each equation is below `share` of its largest term, or below `rounding` in the units. */
static bool is_small(const model_rest *r, const double *F, const double *terms, double share,
                     double rounding) {
    for (int i = 0; i < r->row_count; i++) {
        const double value = fabs(F[r->rows[i]]);
        if (value > share * terms[r->rows[i]] && !(rounding > 0 && r->row_units[i] * value <= rounding))
            return false;
    }
    return true;
}

static bool is_exact(const model_rest *r) {
    return is_small(r, r->F, r->terms, 4 * DBL_EPSILON, 0);
}

static void add_step(const model_rest *r, double fraction, double *to) {
    for (int j = 0; j < r->column_count; j++) to[r->columns[j]] += fraction * r->step[j];
}

/* Adds the last step, halved until |F| falls. Returns false with unchanged z if no fraction reduces F. */
static bool add_damped_step(model_rest *r) {
    const double before = norm(r, r->F);
    double fraction = 1;
    for (int half = 0; half < HALVINGS_MAX; half++, fraction /= 2) {
        copy_point(r, r->trial, r->z);
        add_step(r, fraction, r->trial);
        if (rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, r->J) &&
            norm(r, r->trial_F) <= (1 - fraction / 4) * before)
            break;
    }
    if (fraction < ldexp(1, -HALVINGS_MAX + 1)) return false;
    copy_point(r, r->z, r->trial);
    memcpy(r->F, r->trial_F, (size_t)r->size * sizeof *r->F);
    memcpy(r->terms, r->trial_terms, (size_t)r->size * sizeof *r->terms);
    return true;
}

/* Runs Newton's method from z, in place. */
static bool newton(model_rest *r) {
    if (!rest_evaluate(r, r->z, r->F, r->terms, r->J)) return false;
    for (int k = 0; k < STEPS_MAX; k++) {
        if (!rest_step(r)) return false;
        if (is_exact(r) || !add_damped_step(r)) break;
    }
    return is_small(r, r->F, r->terms, EQUILIBRIUM, ROUNDING * largest_unknown(r, r->z));
}

/* Sets unknowns at rounding level to 0, to detect corners of formulas at 0. */
static void drop_roundings(model_rest *r) {
    const double most = ROUNDING / 100 * largest_unknown(r, r->z);
    copy_point(r, r->trial, r->z);
    rest_drop_roundings(r, ROUNDING / 100);
    if (rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, NULL) &&
        is_small(r, r->trial_F, r->trial_terms, EQUILIBRIUM, most))
        copy_point(r, r->z, r->trial);
}

/* ---- Parameters ---- */

/* Sets the parameters at `share` of the line from the own ones to the target, and all slots. */
static void move_parameters(model_rest *r, double share) {
    costab_model_instance *instance = r->instance;
    const costab_model *model = instance->model;
    const model_body *body = model->body;
    for (int i = 0; i < model->parameter_count; i++) {
        const double own = r->own[i];
        if (share == 1)
            instance->values[i] = r->target[i];
        else if (!model->parameters[i].derived || instance->fixed[i])
            instance->values[i] = own + share * (r->target[i] - own);
    }
    for (int k = 0; k < body->derived_count && share != 1; k++) {
        const int i = body->derived_order[k];
        if (!instance->fixed[i])
            instance->values[i] =
                formula_value(&body->derived[i].tape, instance->values, NULL, instance->scratch);
    }
    for (int i = 0; i < body->formula_count; i++)
        model_put(instance, body->formulas[i].slot,
                  formula_value(&body->formulas[i].tape, instance->values, NULL, instance->scratch));
}

/* Sets the given and the held values of z at the present parameters. */
static bool take_given(model_rest *r) {
    if (!rest_load(r, r->start)) return false;
    for (int i = 0; i < r->size; i++)
        if (!r->unknown[i] || r->held[i]) r->z[i] = r->start[i];
    return true;
}

/* Adds the last step to z. Returns its largest entry in the units of the step. */
static double take_step(model_rest *r) {
    double size = 0;
    for (int j = 0; j < r->column_count; j++) size = fmax(size, fabs(r->step[j] / r->column_units[j]));
    add_step(r, 1, r->z);
    return size;
}

/* Moves z to the present parameters, with the derivatives J of the previous ones. Returns false if the
 * corrections do not contract. */
static bool predict_and_correct(model_rest *r) {
    r->finite = take_given(r) && rest_evaluate(r, r->z, r->F, r->terms, NULL);
    if (!r->finite || !rest_step(r)) return false;
    double scale = largest_unknown(r, r->z), last = take_step(r); /* in the units of this step */
    r->finite = rest_find_motions(r, r->z);
    for (int k = 0; k < CORRECTIONS_MAX && r->finite; k++) {
        r->finite = rest_evaluate(r, r->z, r->F, r->terms, r->J);
        if (!r->finite) return false;
        if (is_exact(r)) return true;
        if (!rest_step(r)) return false;
        scale = fmax(scale, largest_unknown(r, r->z));
        const double size = take_step(r);
        if (size <= ROUNDING / 10 * scale)
            return rest_evaluate(r, r->z, r->F, r->terms, r->J) &&
                   is_small(r, r->F, r->terms, EQUILIBRIUM, ROUNDING * scale);
        if (size > last / 4) return false;
        last = size;
    }
    return false;
}

/* Follows the equilibrium from the own parameters to the target. Returns the reached share of the line; z is
 * the point there. */
static double follow(model_rest *r) {
    double at = 0, part = FIRST;
    copy_point(r, r->kept, r->nominal);
    while (at < 1 && part >= SHORTEST) {
        const double next = at + part < 1 ? at + part : 1;
        copy_point(r, r->z, r->kept);
        move_parameters(r, at);
        (void)rest_evaluate(r, r->z, r->F, r->terms, r->J);
        move_parameters(r, next);
        if (!predict_and_correct(r)) {
            part = (next - at) / 2;
            continue;
        }
        copy_point(r, r->kept, r->z);
        at = next;
        part *= 2;
    }
    return at;
}

/* ---- Reasons ---- */

const char *rest_name(const model_rest *r, int entry, char name[REST_NAME_MAX]) {
    int i;
    const model_subsystem *from = &r->instance->model->body->subsystems[rest_subsystem(r, entry, &i)];
    char usual[24];
    (void)snprintf(name, REST_NAME_MAX, "%.90s.%.90s", from->name,
                   i < from->states ? model_state_name(from, i, usual) : from->input_names[i - from->states]);
    return name;
}

/* Reports the first equation without a finite value or derivative at z. */
static void say_not_finite(model_rest *r) {
    char name[REST_NAME_MAX];
    int bad = -1;
    (void)rest_evaluate(r, r->z, r->F, r->terms, r->J);
    for (int i = 0; i < r->row_count && bad < 0; i++) {
        const int row = r->rows[i];
        bool fine = isfinite(r->F[row]);
        for (int j = 0; j < r->row_count; j++)
            fine = fine && isfinite(r->J[(size_t)r->rows[j] * (size_t)r->size + (size_t)row]);
        if (!fine) bad = row;
    }
    if (bad < 0)
        (void)snprintf(r->reason, sizeof r->reason,
                       "the equations have no finite values at the given values");
    else
        (void)snprintf(r->reason, sizeof r->reason,
                       "at the given values %s%s has no finite value or derivative; give other "
                       "values with the key operating_point",
                       bad < r->states ? "the derivative of " : "what is connected to ",
                       rest_name(r, bad, name));
}

/* Reports the reason for Newton's failure at z. */
static void say_stopped(model_rest *r) {
    char name[REST_NAME_MAX];
    int most = r->row_count > 0 ? r->rows[0] : 0;
    double largest = 0;
    for (int i = 0; i < r->row_count; i++) {
        const double value = r->row_units[i] * fabs(r->F[r->rows[i]]);
        if (value > largest) most = r->rows[i];
        largest = fmax(largest, value);
    }
    if (r->lost > 0.5 && !r->regular)
        (void)snprintf(r->reason, sizeof r->reason,
                       "the network has neither an equilibrium nor a steady motion: %s%s",
                       rest_name(r, r->worst, name),
                       r->worst < r->states ? " accelerates" : " has no solution in its loop");
    else
        (void)snprintf(r->reason, sizeof r->reason,
                       "no equilibrium was found from the given values: the least is |%s%s| = %.3g%s",
                       rest_name(r, most, name), most < r->states ? "'" : " - what is connected",
                       fabs(r->F[most]),
                       r->ratio < 1e-6 ? "; the derivatives are singular there, as near values at which two "
                                         "equilibria meet and vanish (a fold)"
                                       : "");
}

/* Reports the end of the line, as a value if a single parameter moves. */
static void say_lost(model_rest *r, double share) {
    const costab_model *model = r->instance->model;
    char where[200] = "", value[NUMBER_SHOWN_MAX];
    int moved = 0, last = 0;
    for (int i = 0; i < model->parameter_count; i++) {
        const bool own = !model->parameters[i].derived || r->instance->fixed[i];
        const model_set moving = model_moving(r->instance, &i, 1);
        if (!own || !model_set_meets(&model->body->rest_uses, &moving) || r->target[i] == r->own[i]) continue;
        moved++;
        last = i;
    }
    const double own = r->own[last];
    const double unit = 1e-10 * fmax(fabs(own), fabs(r->target[last]));
    if (moved == 1)
        (void)snprintf(
            where, sizeof where, "%.90s = %s", model->parameters[last].name,
            number_rounded(rint((own + share * (r->target[last] - own)) / unit) * unit, 9, 0, value));
    else
        (void)snprintf(where, sizeof where, "%.9g of the way to these parameters", share);
    (void)snprintf(r->reason, sizeof r->reason,
                   "no equilibrium was found: the equilibrium at %s can be followed up to %s; %s",
                   r->anchored ? "a value of the range" : "the model's own parameters", where,
                   r->finite ? "there it meets another equilibrium and vanishes (a fold)"
                             : "from there on the equations have no finite values");
}

/* ---- Points ---- */

static bool newton_from_start(model_rest *r) {
    costab_error error = {.status = COSTAB_OK};
    bool found = false;
    if (!rest_load(r, r->start)) {
        (void)snprintf(r->reason, sizeof r->reason, "an FMU does not answer at the given values");
        return false;
    }
    r->motions = 0;
    copy_point(r, r->z, r->start);
    if (!rest_evaluate(r, r->z, r->F, r->terms, r->J)) {
        say_not_finite(r);
        return false;
    }
    if (rest_choose_held(r, r->start, &error)) {
        (void)snprintf(r->reason, sizeof r->reason, "%.390s", error.message);
        return false;
    }
    r->regular = false;
    for (int k = 0; k < STARTS && !found; k++) {
        if (k > 0 && !rest_nearby(r, r->start, r->column_units, k)) continue;
        copy_point(r, r->z, k == 0 ? r->start : r->trial);
        found = newton(r);
    }
    if (!found) say_stopped(r);
    if (found) drop_roundings(r);
    return found;
}

/* Finds the point at the model's own parameters, once. */
static void begin(model_rest *r) {
    r->begun = true;
    move_parameters(r, 0);
    r->at_rest = newton_from_start(r);
    copy_point(r, r->nominal, r->z);
}

/* Returns true if no parameter that affects the point differs between the target and the start of lines: the
 * model's own parameters, or the anchor. */
static bool is_nominal(const model_rest *r) {
    const costab_model *model = r->instance->model;
    for (int i = 0; i < model->parameter_count; i++)
        if ((!model->parameters[i].derived || r->instance->fixed[i]) && r->target[i] != r->own[i] &&
            costab_model_instance_solves(r->instance, i))
            return false;
    return true;
}

static bool find(model_rest *r) {
    if (!r->begun) begin(r);
    if (!r->at_rest) {
        move_parameters(r, 1);
        return newton_from_start(r);
    }
    r->finite = true;
    if (!is_nominal(r)) {
        const double share = follow(r);
        if (share < 1) say_lost(r, share);
        if (share == 1) drop_roundings(r);
        return share == 1;
    }
    copy_point(r, r->z, r->nominal);
    move_parameters(r, 1);
    if (rest_find_motions(r, r->z)) return true;
    say_not_finite(r);
    return false;
}

void model_rest_update(model_update *u) {
    model_rest *r = u->instance->rest;
    const model_body *body = u->instance->model->body;
    if (!model_has_numbers(u->instance->model)) return;
    memcpy(r->target, u->instance->values, (size_t)u->instance->model->parameter_count * sizeof *r->target);
    r->reason[0] = '\0';
    bool found = find(r);
    move_parameters(r, 1);
    r->solved = found;
    if (!found) model_tell(u, &body->rest_uses, &body->rest_place, "operating_point", r->reason);
}

bool costab_model_instance_solves(const costab_model_instance *instance, int parameter) {
    const model_set moving = model_moving(instance, &parameter, 1);
    return instance->rest != NULL && model_set_meets(&instance->model->body->rest_uses, &moving);
}

void costab_model_instance_anchor(costab_model_instance *instance) {
    model_rest *r = instance->rest;
    if (r == NULL || !r->solved || r->at_rest) return;
    r->at_rest = r->anchored = true;
    memcpy(r->own, r->target, (size_t)instance->model->parameter_count * sizeof *r->own);
    copy_point(r, r->nominal, r->z);
}

/* ---- Results ---- */

const char *costab_model_instance_unsolved(const costab_model_instance *instance) {
    const model_rest *r = instance->rest;
    return r != NULL && !r->solved && r->reason[0] != '\0' ? r->reason : NULL;
}

bool costab_model_instance_point(const costab_model_instance *instance, int s, int i,
                                 costab_rest_value *value) {
    const model_rest *r = instance->rest;
    const model_body *body = instance->model->body;
    if (r == NULL || !r->solved || s < 0 || s >= body->subsystem_count) return false;
    const model_subsystem *from = &body->subsystems[s];
    if (i < 0 || i >= from->states + from->inputs) return false;
    const bool state = i < from->states;
    const int at = state ? r->state[s] + i : r->input[s] + i - from->states;
    *value = (costab_rest_value){.value = r->z[at], .unknown = r->unknown[at], .held = r->held[at]};
    (void)rest_name(r, at, value->name);
    for (int k = 0; k < r->motions; k++)
        if (r->moving[k] == at) value->speed = r->z[r->size + k];
    return true;
}
