/* A network with all its numbers as balls, and its three matrices whose eigenvalues decide
 * (docs/algorithms.md, Ball proofs).
 *
 * 1. Choices of couplings and methods that are not built in balls are refused by name.
 * 2. The continuous system: A + B (I - L D)^-1 L C, turned by Cayley's map so that the axis becomes the
 *    circle.
 * 3. The macro step: the product of a period's maps (ball_step.c); the iteration: what a sweep makes of the
 *    guesses.
 * 4. Equilibria and kept motions are taken out (ball_neutral.c).
 *
 * Every entry encloses the true one. Cost: n^3 in balls of the given precision. */
#include "proof/ball_map.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/ball_advance.h"
#include "proof/ball_neutral.h"
#include "proof/ball_step.h"

/* ---- Networks in balls ---- */

/* The choices from which balls are built: their words, as bits, or the least that a number may be. Whatever
 * is not listed must be 0, so that a choice or a word that is new elsewhere is refused. */
#define BIT(word) (1U << (word))
#define HOLDS                                                                                                \
    (BIT(COSTAB_CONSTANT) | BIT(COSTAB_LINEAR) | BIT(COSTAB_QUADRATIC) | BIT(COSTAB_CUBIC) |                 \
     BIT(COSTAB_HERMITE))
#define WEIGHTED (BIT(COSTAB_SPECTRAL) | BIT(COSTAB_TUNED) | BIT(COSTAB_TUNED_2))
static const struct {
    const char *name;
    unsigned words;
    double least;
} known_choices[] = {
    {"scheme", BIT(COSTAB_JACOBI) | BIT(COSTAB_GAUSS_SEIDEL) | BIT(COSTAB_ITERATED), 0},
    {"macro_step", 0, 0},
    {"interpolation", HOLDS, 0},
    {"extrapolation", HOLDS | WEIGHTED, 0},
    {"feedthrough", BIT(COSTAB_DELAYED) | BIT(COSTAB_SOLVED), 0},
    {"order", 0, 0},
    {"iterations", 0, COSTAB_NEWTON},
    {"micro_steps", BIT(COSTAB_WHOLE) | BIT(COSTAB_CLOCKS), 0},
    {"smoothed", 0, 0},
    {"predictor", HOLDS & ~BIT(COSTAB_HERMITE), 0},
    {"relaxation", 0, 0},
    {"area_correction", 0, -INFINITY},
    {"a0", 0, -INFINITY},
    {"a1", 0, -INFINITY},
    {"b0", 0, -INFINITY},
    {"b1", 0, -INFINITY},
};

enum { WEIGHTS = 4 }; /* a0, a1, b0, b1 */

bool ball_knows(const coupling_choice *choice) {
    for (size_t i = 0; i < sizeof known_choices / sizeof *known_choices; i++) {
        if (strcmp(choice->name, known_choices[i].name) != 0) continue;
        if (choice->words == NULL) return choice->value >= known_choices[i].least;
        return choice->value >= 0 && choice->value < 32 &&
               (known_choices[i].words & BIT((unsigned)choice->value)) != 0;
    }
    return choice->value == 0;
}

static const char without[] = "there is no ball arithmetic, and so no proof, for";

static costab_status check_choices(const costab_coupling *coupling, costab_error *error) {
    coupling_choice choices[COUPLING_CHOICE_COUNT];
    coupling_list(coupling, choices);
    for (int i = 0; i < COUPLING_CHOICE_COUNT; i++) {
        const coupling_choice *c = &choices[i];
        if (ball_knows(c)) continue;
        if (c->words != NULL && c->value >= 0 && c->value < c->count)
            return error_invalid(error, "%s %s: %s", without, c->name, c->words[(int)c->value]);
        return error_invalid(error, "%s %s: %g", without, c->name, c->value);
    }
    return COSTAB_OK;
}

/* COSTAB_INVALID: something has no ball arithmetic. */
static costab_status check_known(const costab_network *like, const costab_coupling *coupling,
                                 costab_error *error) {
    TRY(check_choices(coupling, error));
    for (int c = 0; c < like->connection_count; c++) {
        costab_coupling own = *coupling;
        own.extrapolation = coupling_extrapolation(like, coupling, c).hold;
        TRY(check_choices(&own, error));
    }
    for (int s = 0; s < like->subsystem_count; s++)
        if (!ball_solver_knows(&like->subsystems[s].method))
            return error_invalid(error, "%s the method %s of subsystem '%.200s'", without,
                                 like->subsystems[s].method.name, like->subsystems[s].name);
    return COSTAB_OK;
}

costab_status ball_network_make(const costab_network *like, const costab_coupling *coupling,
                                ball_network *network, costab_error *error) {
    *network = (ball_network){.coupling = *coupling, .corrects_area = coupling->area_correction != 0};
    flint_each(acb_init, network->macro_step, network->relaxation, network->area_correction);
    network->weights = _acb_vec_init(WEIGHTS);
    TRY(check_known(like, coupling, error));
    network->subsystems = memory_alloc((size_t)like->subsystem_count + 1, sizeof *network->subsystems);
    network->connections = memory_alloc((size_t)like->connection_count + 1, sizeof *network->connections);
    if (network->subsystems == NULL || network->connections == NULL) return error_memory(error);
    for (int s = 0; s < like->subsystem_count; s++) {
        const costab_subsystem *from = &like->subsystems[s];
        ball_subsystem *to = &network->subsystems[s];
        to->states = from->states, to->inputs = from->inputs, to->outputs = from->outputs;
        to->method = &from->method;
        to->stride = from->stride > 1 ? from->stride : 1;
        to->pairs = from->pairs, to->positions = from->positions, to->velocities = from->velocities;
        acb_mat_init(to->A, from->states, from->states);
        acb_mat_init(to->B, from->states, from->inputs);
        acb_mat_init(to->C, from->outputs, from->states);
        acb_mat_init(to->D, from->outputs, from->inputs);
        network->subsystem_count = s + 1;
        if (!exact_tableau_init(&to->tableau, to->method)) return error_memory(error);
    }
    for (int c = 0; c < like->connection_count; c++) {
        const costab_connection *from = &like->connections[c];
        ball_connection *to = &network->connections[c];
        to->from = from->from, to->output = from->output, to->to = from->to, to->input = from->input;
        to->delay = from->delay;
        flint_each(acb_init, to->gain, to->delay_time);
        to->extrapolates = from->extrapolates, to->hold = from->extrapolation.hold;
        to->weights = _acb_vec_init(WEIGHTS);
        network->connection_count = c + 1;
    }
    return COSTAB_OK;
}

void ball_network_free(ball_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        flint_each(acb_mat_clear, network->subsystems[s].A, network->subsystems[s].B,
                   network->subsystems[s].C, network->subsystems[s].D);
        exact_tableau_clear(&network->subsystems[s].tableau);
        ball_forget_advance(&network->subsystems[s]);
    }
    for (int c = 0; c < network->connection_count; c++) {
        flint_each(acb_clear, network->connections[c].gain, network->connections[c].delay_time);
        _acb_vec_clear(network->connections[c].weights, WEIGHTS);
    }
    flint_each(acb_clear, network->macro_step, network->relaxation, network->area_correction);
    if (network->weights != NULL) _acb_vec_clear(network->weights, WEIGHTS);
    ball_neutral_free(network);
    memory_free_all(network->subsystems, network->connections);
    *network = (ball_network){0};
}

static void take_matrix(acb_mat_t to, const double *from) {
    for (slong i = 0; i < acb_mat_nrows(to); i++)
        for (slong j = 0; j < acb_mat_ncols(to); j++)
            acb_set_d(acb_mat_entry(to, i, j), from == NULL ? 0 : from[i * acb_mat_ncols(to) + j]);
}

static void take_weights(const costab_extrapolation *from, acb_ptr to) {
    const double weights[WEIGHTS] = {from->a0, from->a1, from->b0, from->b1};
    for (int i = 0; i < WEIGHTS; i++) acb_set_d(to + i, weights[i]);
}

void ball_network_set(const costab_network *from, const costab_coupling *coupling, ball_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *f = &from->subsystems[s];
        ball_subsystem *t = &network->subsystems[s];
        take_matrix(t->A, f->A);
        take_matrix(t->B, f->B);
        take_matrix(t->C, f->C);
        take_matrix(t->D, f->D);
        t->feedthrough = !acb_mat_is_zero(t->D);
        t->substeps = f->substeps;
        t->step = f->substeps > 0 ? 0 : f->step;
    }
    for (int c = 0; c < network->connection_count; c++) {
        acb_set_d(network->connections[c].gain, from->connections[c].gain);
        acb_set_d(network->connections[c].delay_time, from->connections[c].delay_time);
        network->connections[c].seconds = from->connections[c].delay_time > 0;
        take_weights(&from->connections[c].extrapolation, network->connections[c].weights);
    }
    acb_set_d(network->macro_step, coupling->macro_step);
    acb_set_d(network->relaxation, coupling->relaxation > 0 ? coupling->relaxation : 1);
    acb_set_d(network->area_correction, coupling->area_correction);
    take_weights(&(costab_extrapolation){coupling->extrapolation, coupling->a0, coupling->a1, coupling->b0,
                                         coupling->b1},
                 network->weights);
}

/* Times of which one is a whole number of the others may be off by the rounding of their input. */
#define WHOLE_TOLERANCE 1e-12

/* The delay at the balls' middles, in macro steps; 0: none that is possible. */
static int choose_delay(const arb_t time, const arb_t step) {
    double ratio = arf_get_d(arb_midref(time), ARF_RND_NEAR) / arf_get_d(arb_midref(step), ARF_RND_NEAR);
    double whole = ceil(ratio * (1 - WHOLE_TOLERANCE));
    return whole >= 1 && whole <= COSTAB_DELAY_MAX ? (int)whole : 0;
}

/* The same of a subsystem's micro steps of a given length. */
static bool fit_micro_steps(ball_subsystem *s, bool choose, const arb_t step, slong precision) {
    flint_local(arb, ratio, off);
    arb_set_d(off, s->step);
    arb_mul_si(ratio, step, s->stride, precision);
    arb_div(ratio, ratio, off, precision);
    double middle = arf_get_d(arb_midref(ratio), ARF_RND_NEAR);
    if (choose) s->substeps = middle > 0.5 && middle < COSTAB_SUBSTEPS_MAX + 0.5 ? lround(middle) : 0;
    arb_sub_si(off, ratio, s->substeps, precision);
    arb_abs(off, off);
    arb_set_d(ratio, WHOLE_TOLERANCE * (double)s->substeps);
    return s->substeps > 0 && arb_le(off, ratio);
}

bool ball_network_fit(ball_network *network, bool choose, slong precision) {
    flint_local(arb, most, step, delay);
    acb_get_real(step, network->macro_step);
    arb_set_si(most, 2);
    bool fits = arb_is_positive(step) && arb_is_positive(acb_realref(network->relaxation)) &&
                arb_lt(acb_realref(network->relaxation), most);
    for (int i = 0; i < network->subsystem_count && fits; i++)
        if (network->subsystems[i].step > 0 && network->coupling.micro_steps == COSTAB_WHOLE)
            fits = fit_micro_steps(&network->subsystems[i], choose, step, precision);
    for (int i = 0; i < network->connection_count && fits; i++) {
        ball_connection *c = &network->connections[i];
        if (!c->seconds) continue;
        acb_get_real(delay, c->delay_time);
        if (arb_is_zero(delay)) {
            c->delay = 0;
            continue;
        }
        if (choose) c->delay = choose_delay(delay, step);
        /* (delay - 1) H (1 + tolerance) < time <= delay H (1 + tolerance) */
        arb_set_d(most, 1 + WHOLE_TOLERANCE);
        arb_mul(most, most, step, precision);
        arb_mul_si(most, most, c->delay, precision);
        fits = c->delay > 0 && arb_ge(most, delay);
        arb_mul_si(most, most, c->delay - 1, precision);
        if (c->delay > 1) arb_div_si(most, most, c->delay, precision);
        fits = fits && arb_lt(most, delay);
    }
    return fits;
}

/* ---- The continuous system ---- */

/* A + B (I - L D)^-1 L C, then (shift - A)^-1 (shift + A). */
static bool system_matrix(const ball_stepper *st, const arb_t shift, acb_mat_t matrix) {
    const ball_network *network = st->network;
    slong precision = st->precision;
    flint_local_matrix(acb_mat, st->states, st->inputs, B);
    flint_local_matrix(acb_mat, st->inputs, st->states, LC);
    flint_local_matrix(acb_mat, st->inputs, st->inputs, LD);
    flint_local_matrix(acb_mat, st->states, st->states, left, right);
    acb_mat_one(LD);
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *c = &network->connections[i];
        const ball_subsystem *from = &network->subsystems[c->from];
        int row = st->u[c->to] + c->input;
        for (int k = 0; k < from->states; k++)
            acb_addmul(acb_mat_entry(LC, row, st->x[c->from] + k), c->gain,
                       acb_mat_entry(from->C, c->output, k), precision);
        for (int k = 0; k < from->inputs; k++)
            acb_submul(acb_mat_entry(LD, row, st->u[c->from] + k), c->gain,
                       acb_mat_entry(from->D, c->output, k), precision);
    }
    bool solved = acb_mat_solve(LC, LD, LC, precision) != 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        for (int r = 0; r < sub->states; r++)
            for (int k = 0; k < sub->inputs; k++)
                acb_set(acb_mat_entry(B, st->x[s] + r, st->u[s] + k), acb_mat_entry(sub->B, r, k));
    }
    acb_mat_mul(matrix, B, LC, precision);
    for (int s = 0; s < network->subsystem_count; s++)
        for (int r = 0; r < network->subsystems[s].states; r++)
            for (int k = 0; k < network->subsystems[s].states; k++) {
                acb_ptr entry = acb_mat_entry(matrix, st->x[s] + r, st->x[s] + k);
                acb_add(entry, entry, acb_mat_entry(network->subsystems[s].A, r, k), precision);
            }
    for (int i = 0; i < st->states; i++) acb_set_arb(acb_mat_entry(right, i, i), shift);
    acb_mat_sub(left, right, matrix, precision);
    acb_mat_add(right, right, matrix, precision);
    solved = solved && acb_mat_solve(matrix, left, right, precision) != 0;
    return solved;
}

/* ---- The matrices ---- */

/* Macro steps of a period whose iterations are looked at. */
enum { ITERATIONS_MOST = 64 };

/* The product of the maps of a period. */
static bool step_matrix(ball_stepper *st, acb_mat_t iteration, acb_mat_t matrix) {
    flint_local_matrix(acb_mat, st->size, st->size, map);
    acb_mat_one(matrix);
    bool made = true;
    for (st->macro_step = 0; st->macro_step < st->period && made; st->macro_step++) {
        made = ball_stepper_take(st, false, iteration);
        if (!made) break;
        ball_stepper_map(st, map);
        if (st->macro_step == 0)
            acb_mat_set(matrix, map);
        else
            acb_mat_mul(matrix, map, matrix, st->precision);
    }
    return made;
}

/* The matrices of the iterations of a period's macro steps, as blocks on the diagonal. */
static bool iteration_matrix(ball_stepper *st, acb_mat_t iteration, acb_mat_t matrix) {
    acb_mat_zero(matrix);
    for (st->macro_step = 0; st->macro_step < st->period; st->macro_step++) {
        if (!ball_stepper_take(st, true, iteration)) return false;
        slong first = st->macro_step * st->guesses;
        for (int i = 0; i < st->guesses; i++)
            for (int j = 0; j < st->guesses; j++)
                acb_set(acb_mat_entry(matrix, first + i, first + j), acb_mat_entry(iteration, i, j));
    }
    return true;
}

bool ball_network_matrix(const ball_network *network, ball_part part, const arb_t shift, slong precision,
                         acb_mat_t matrix) {
    ends_by(ball_stepper_free) ball_stepper st = {.rows = NULL};
    bool made = ball_stepper_make(network, part != BALL_SYSTEM, precision, &st);
    bool steps = st.period <= ITERATIONS_MOST;
    slong size = part == BALL_ITERATION ? (steps ? st.guesses * st.period : 0)
                 : part == BALL_STEP    ? st.size
                                        : st.states;
    acb_mat_init(matrix, size, size);
    if (!made || (part == BALL_ITERATION && !steps)) return false;
    if (part == BALL_SYSTEM) return system_matrix(&st, shift, matrix) && ball_neutral_reduce(&st, matrix);
    flint_local_matrix(acb_mat, st.guesses, st.guesses, iteration);
    if (part == BALL_STEP) return step_matrix(&st, iteration, matrix) && ball_neutral_reduce(&st, matrix);
    return iteration_matrix(&st, iteration, matrix);
}
