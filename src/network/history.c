/* Time histories: runs macro steps and passes rows to a sink. A row is one signal at one time, with the value
 * of the monolithic solution.
 *
 * 1. Start: at t = 0 all states, inputs and outputs of the monolithic solution (reference.h).
 * 2. Macro step (simulator.h). Recorded micro steps are sorted by time and passed on up to the communication
 *    point; those of longer steps beyond it follow later.
 * 3. Communication point: signals of the subsystems that exchange there. With options.points only points
 *    evenly distributed over the run.
 * 4. Power bonds: with outputs y1, y2 and delivered inputs u1, u2, the residual power is -(u1 y1 + sigma u2
 *    y2), sigma from the gains; the residual energy is this times the macro step. Quadrature gives the
 *    spurious energy of the coupling (energy.h).
 * 5. Macro steps follow until the end, until a state exceeds its limit, or until the sink or `stop` ends the
 *    run.
 * 6. Between macro steps a run can be saved as bytes and restored, equal to the last bit.
 *
 * Cost: a macro step, and a step of the reference per time of a row. Limitation: the reference is accurate to
 * its own tolerance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/history.h"
#include "network/step.h"

/* Largest number of steps of a run: indices and times remain exact in a double. */
#define STEPS_MAX 4503599627370496.0 /* 2^52 */

typedef struct costab_network_simulator history;

/* ---- Rows ---- */

/* Passes on a row; COSTAB_CANCELLED if the sink returns false. */
static costab_status put(const history *h, costab_row row) {
    if (!h->has_reference && row.subsystem >= 0) row.monolithic = (double)NAN;
    return h->sink(h->context, &row) ? COSTAB_OK : COSTAB_CANCELLED;
}

/* Passes on `count` signals of a kind, from values[] and the monolithic solution. */
static costab_status put_values(const history *h, costab_row row, int count, const double *values,
                                const double *monolithic) {
    for (int i = 0; i < count; i++) {
        row.index = i;
        row.value = values[i];
        row.monolithic = monolithic[i];
        TRY(put(h, row));
    }
    return COSTAB_OK;
}

/* Passes on all signals of one subsystem at time t, the time of the reference. */
static costab_status put_subsystem(const history *h, double t, int s, bool communication, const double *x,
                                   const double *u, const double *y) {
    const network_subsystem *sub = &h->sim.work->subs[s];
    costab_row row = {.t = t, .subsystem = s, .communication = communication, .kind = COSTAB_SIGNAL_STATE};
    int states = h->sim.network->subsystems[s].stepper != NULL ? 0 : sub->n;
    TRY(put_values(h, row, states, x, h->reference.z + sub->x));
    row.kind = COSTAB_SIGNAL_INPUT;
    TRY(put_values(h, row, sub->m, u, h->reference.u + sub->u));
    row.kind = COSTAB_SIGNAL_OUTPUT;
    return put_values(h, row, sub->q, y, h->reference.y + sub->y);
}

/* Advances the reference to time t. */
static costab_status follow_reference(history *h, double t, costab_error *error) {
    return h->has_reference ? reference_to(&h->reference, t, error) : COSTAB_OK;
}

/* By time, then by subsystem: a strict order. */
static int compare_samples(const void *one, const void *other) {
    const simulator_sample *a = one, *b = other;
    if (a->t != b->t) return a->t < b->t ? -1 : 1;
    return (a->subsystem > b->subsystem) - (a->subsystem < b->subsystem);
}

/* Passes on the micro steps up to time t; later samples remain in the buffer. */
static costab_status put_samples(history *h, double t, costab_error *error) {
    simulator_buffer *buffer = &h->sim.buffer;
    costab_status status = COSTAB_OK;
    size_t done = 0;
    if (buffer->count > 1) qsort(buffer->samples, buffer->count, sizeof *buffer->samples, compare_samples);
    for (; done < buffer->count && !status; done++) {
        const simulator_sample *sample = &buffer->samples[done];
        if (!(sample->t <= t)) break;
        const network_subsystem *sub = &h->sim.work->subs[sample->subsystem];
        const double *x = buffer->values + sample->at;
        status = follow_reference(h, sample->t, error);
        if (!status)
            status =
                put_subsystem(h, sample->t, sample->subsystem, false, x, x + sub->n, x + sub->n + sub->m);
    }
    buffer->count -= done;
    if (done > 0) memmove(buffer->samples, buffer->samples + done, buffer->count * sizeof *buffer->samples);
    if (buffer->count == 0) buffer->values_used = 0;
    return status;
}

/* ---- Power bonds ---- */

/* Returns the connection between two ports, or -1. */
static int find_connection(const costab_network *network, int from, int output_number, int to, int input) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->from == from && k->output == output_number && k->to == to && k->input == input) return c;
    }
    return -1;
}

/* Passes on the spurious energy at a bond: the sum of the energies that both ports take. connections: into
 * the first and into the second port. */
static costab_status put_energy_made(history *h, const costab_bond *bond, const int connections[2],
                                     double sigma, costab_row *row, costab_error *error) {
    double first, second;
    if (!h->options.energy_made) return COSTAB_OK;
    TRY(energy_port_work(&h->meter, &h->sim, h->state, connections[0], bond->output1, &first, error));
    TRY(energy_port_work(&h->meter, &h->sim, h->state, connections[1], bond->output2, &second, error));
    row->kind = COSTAB_SIGNAL_ENERGY_MADE;
    row->value = first + sigma * second;
    return put(h, *row);
}

/* Passes on residual power, residual energy and spurious energy of every bond over the last macro step. */
static costab_status put_bonds(history *h, double t, costab_error *error) {
    const costab_network *network = h->sim.network;
    for (int b = 0; b < network->bond_count; b++) {
        const costab_bond *bond = &network->bonds[b];
        const network_subsystem *one = &h->sim.work->subs[bond->subsystem1],
                                *two = &h->sim.work->subs[bond->subsystem2];
        int forth = find_connection(network, bond->subsystem2, bond->output2, bond->subsystem1, bond->input1);
        int back = find_connection(network, bond->subsystem1, bond->output1, bond->subsystem2, bond->input2);
        if (forth < 0 || back < 0) continue;
        double sigma = -network->connections[forth].gain / network->connections[back].gain;
        double u1 = work_delivered(h->sim.work, forth, h->state),
               u2 = work_delivered(h->sim.work, back, h->state);
        double y1 = h->sim.work->y1[one->y + bond->output1], y2 = h->sim.work->y1[two->y + bond->output2];
        double power = -(u1 * y1 + sigma * u2 * y2);
        costab_row row = {.t = t, .subsystem = -1, .index = b, .communication = true};
        row.kind = COSTAB_SIGNAL_POWER;
        row.value = power;
        TRY(put(h, row));
        row.kind = COSTAB_SIGNAL_ENERGY;
        row.value = power * h->sim.coupling.macro_step;
        TRY(put(h, row));
        TRY(put_energy_made(h, bond, (int[2]){forth, back}, sigma, &row, error));
    }
    return COSTAB_OK;
}

/* ---- The run ---- */

/* Time of a communication point. */
static double point_time(const history *h, int64_t point) {
    return h->sim.turns != NULL ? turns_begin(h->sim.turns, point)
                                : (double)point * h->sim.coupling.macro_step;
}

/* Returns true if this point is one of options.points points, evenly distributed over the points at which all
 * subsystems communicate. */
static bool is_shown(const history *h, int64_t macro_step) {
    if (h->options.points == 0) return true;
    int64_t last = (h->points - 1) / h->common_stride, at = macro_step / h->common_stride;
    double spaces = (double)h->options.points - 1, each = (double)last / spaces;
    if (macro_step % h->common_stride != 0) return false;
    if (spaces >= (double)last) return true;
    double near = round((double)at / each);
    for (double k = near - 1; k <= near + 1; k++)
        if (k >= 0 && k <= spaces && (int64_t)round(k * each) == at) return true;
    return false;
}

/* Passes on the rows of communication point `macro_step`. x: states; u, y: at the ends of all subsystems'
 * steps. */
static costab_status put_communication(history *h, int64_t macro_step, const double *x, const double *u,
                                       const double *y, costab_error *error) {
    double t = point_time(h, macro_step);
    if (!is_shown(h, macro_step)) return COSTAB_OK;
    TRY(follow_reference(h, t, error));
    for (int s = 0; s < h->sim.work->count; s++) {
        const network_subsystem *sub = &h->sim.work->subs[s];
        if (sub->stride > 1 && macro_step % sub->stride != 0) continue; /* inside a longer step */
        TRY(put_subsystem(h, t, s, true, x + sub->x, u + sub->u, y + sub->y));
    }
    return COSTAB_OK;
}

/* Takes one macro step and passes on its rows. COSTAB_CANCELLED with sim.diverged ends the run. */
static costab_status take_step(history *h, costab_error *error) {
    const costab_status status = simulator_step(&h->sim, h->state, h->next, error);
    if (h->sim.diverged) return COSTAB_CANCELLED;
    TRY(status);
    double H = h->sim.coupling.macro_step, t = simulator_time(&h->sim, 1);
    if (h->sim.turns != NULL && h->sim.network->bond_count > 0 && h->options.energy_made)
        TRY(energy_make(&h->meter, &h->sim, error));
    if (h->sim.had_event) h->reference.failed = true;
    TRY(put_samples(h, t + SAME_TIME * H, error));
    TRY(put_communication(h, h->sim.index + 1, h->next, h->sim.work->end, h->sim.work->y1, error));
    if (is_shown(h, h->sim.index + 1)) TRY(put_bonds(h, t, error));
    memcpy(h->state, h->next, (size_t)h->sim.work->size * sizeof *h->state);
    return COSTAB_OK;
}

costab_status history_continue(history *h, int64_t last, costab_row_sink sink, void *context,
                               costab_simulate_outcome *outcome, costab_error *error) {
    costab_status status = COSTAB_OK;
    *outcome = (costab_simulate_outcome){.subsystem = -1};
    h->sink = sink;
    h->context = context;
    if (last > h->points) last = h->points;
    if (h->done == 0 && last > 0) {
        status = put_communication(h, 0, h->reference.z, h->reference.u, h->reference.y, error);
        h->done += !status;
    }
    if (!status && h->sim.whole_steps && !h->sim.mapped && h->points > h->sim.work->size)
        status = simulator_make_map(&h->sim, error);
    for (; h->done < last && !status && !h->sim.diverged; h->done += !status) {
        h->sim.index = h->done - 1;
        status = take_step(h, error);
    }
    outcome->macro_steps = h->done > 0 ? (long)h->done - 1 : 0;
    outcome->t = point_time(h, outcome->macro_steps);
    outcome->diverged = h->sim.diverged;
    if (h->sim.diverged) {
        outcome->subsystem = h->sim.diverged_subsystem;
        outcome->no_value = h->sim.no_value;
        outcome->ended_at = h->sim.diverged_at;
        memcpy(outcome->reason, h->sim.reason, sizeof outcome->reason);
        status = COSTAB_OK;
    }
    if (!status && (h->sim.diverged || h->done == h->points))
        status = put_samples(h, (double)INFINITY, error);
    if (status == COSTAB_CANCELLED)
        error_set(error, COSTAB_CANCELLED, "the simulation was stopped at t = %.6g", outcome->t);
    return status;
}

static void lay_states(void *owner, network_arena *arena) {
    history *h = owner;
    h->state = arena_take(arena, (size_t)h->sim.work->size, sizeof *h->state);
    h->next = arena_take(arena, (size_t)h->sim.work->size, sizeof *h->next);
}

/* [out] micro: micro steps of subsystem s in the first `macro_steps`, of unequal lengths. */
static costab_status count_unlike(const costab_network *network, const costab_coupling *coupling,
                                  const step_turns *turns, int s, int64_t macro_steps, int64_t *micro,
                                  costab_error *error) {
    costab_coupling now = *coupling;
    int64_t rounds = macro_steps / turns->count, left = macro_steps % turns->count;
    *micro = 0;
    for (int64_t k = 0; k < turns->count; k++) {
        network_clock clock;
        now.macro_step = turns->steps[k];
        TRY(clock_make(network, &now, s, &clock, error));
        *micro += clock_ticks(&clock, 1) * (rounds + (k < left));
    }
    return COSTAB_OK;
}

/* Like count_unlike, for equal macro steps; -1 if a double cannot represent the count. */
static costab_status count_alike(const costab_network *network, const costab_coupling *coupling, int s,
                                 int64_t macro_steps, int64_t *micro, costab_error *error) {
    network_clock clock;
    TRY(clock_make(network, coupling, s, &clock, error));
    int64_t stride = network->subsystems[s].stride > 1 ? network->subsystems[s].stride : 1;
    double all = (double)macro_steps * ((double)clock.p / (double)clock.q);
    *micro = all < STEPS_MAX ? clock_ticks(&clock, (macro_steps + stride - 1) / stride) : -1; /* steps
                                                                                               * started */
    return COSTAB_OK;
}

costab_status history_count(const costab_network *network, const costab_coupling *coupling,
                            const step_turns *turns, double until, int64_t *macro_steps, int64_t *micro,
                            costab_error *error) {
    if (!(until >= 0) || !isfinite(until))
        return error_invalid(error, "until: %g; it must be finite and not negative", until);
    double steps =
        turns != NULL ? turns_ended(turns, until) : floor(until / coupling->macro_step + SAME_TIME);
    bool few = steps < STEPS_MAX;
    *macro_steps = few ? (int64_t)steps : 0;
    for (int s = 0; s < network->subsystem_count && micro != NULL && few; s++) {
        TRY(turns != NULL ? count_unlike(network, coupling, turns, s, *macro_steps, &micro[s], error)
                          : count_alike(network, coupling, s, *macro_steps, &micro[s], error));
        few = micro[s] >= 0;
    }
    if (few) return COSTAB_OK;
    return error_invalid(error, "until: %g; that is more than %.3g steps", until, STEPS_MAX);
}

costab_status history_start(history *h, const costab_network *network, const costab_coupling *coupling,
                            const costab_simulate_options *options, costab_error *error) {
    double blow_up = options->blow_up > 0 ? options->blow_up : 1e100;
    h->options = *options;
    if (options->points < 0 || options->points == 1)
        return error_invalid(error, "points: %ld; it must be 2 or more, or 0 for all", options->points);
    TRY(turns_make(&h->turns, network, coupling, options->steps, options->step_count, error));
    step_turns *turns = h->turns.count > 0 ? &h->turns : NULL;
    TRY(history_count(network, coupling, turns, options->until, &h->points, NULL, error));
    costab_coupling first = *coupling;
    if (turns != NULL) first.macro_step = options->steps[0];
    if (h->points == 0 && options->until > 0)
        return error_invalid(error, "until: %g s; that is before the end of the first macro step, %g s",
                             options->until, first.macro_step);
    TRY(simulator_make(&h->sim, network, &first, turns, blow_up, error));
    TRY(work_prepare(h->reference_work, network, &first, NULL, error));
    TRY(reference_make(&h->reference, network, h->reference_work, error));
    TRY(arena_fill(&h->memory, lay_states, h, error));
    if (options->energy_made) TRY(energy_make(&h->meter, &h->sim, error));
    h->has_reference = options->monolithic && reference_exists(network);
    h->points++;
    h->done = 0;
    h->common_stride = 1;
    for (int s = 0; s < h->sim.work->count; s++)
        h->common_stride = clock_lcm(h->common_stride, h->sim.work->subs[s].stride, COSTAB_PERIOD_MAX);
    h->sim.records_micro_steps = options->local && options->points == 0;
    h->sim.whole_steps = !h->sim.records_micro_steps && network->bond_count == 0;
    h->reference.until = options->until;
    h->sim.stop = h->reference.stop = (network_stop){.ask = options->stop, .context = options->stop_context};
    return simulator_initial(&h->sim, &h->reference, h->state, error);
}

costab_status costab_network_simulator_create(costab_network_simulator **made, costab_error *error) {
    TRY(memory_make(made, 1, error));
    costab_status status = costab_network_work_create(&(*made)->reference_work, error);
    if (status) costab_network_simulator_destroy(made);
    return status;
}

void costab_network_simulator_destroy(costab_network_simulator **made) {
    if (made == NULL || *made == NULL) return;
    history *h = *made;
    memory_free_all(h->memory.base, h->bound_memory.base, h->meter.memory.base);
    reference_free(&h->reference);
    turns_free(&h->turns);
    costab_network_work_destroy(&h->reference_work);
    simulator_free(&h->sim);
    memory_free(h);
    *made = NULL;
}

costab_status costab_network_simulator_run(costab_network_simulator *h, const costab_network *network,
                                           const costab_coupling *coupling,
                                           const costab_simulate_options *options, costab_row_sink sink,
                                           void *context, costab_simulate_outcome *outcome,
                                           costab_error *error) {
    *outcome = (costab_simulate_outcome){.subsystem = -1};
    TRY(history_start(h, network, coupling, options, error));
    return history_continue(h, h->points, sink, context, outcome, error);
}

costab_status costab_network_simulate(const costab_network *network, const costab_coupling *coupling,
                                      const costab_simulate_options *options, costab_row_sink sink,
                                      void *context, costab_simulate_outcome *outcome, costab_error *error) {
    ends_by(costab_network_simulator_destroy) costab_network_simulator *h = NULL;
    *outcome = (costab_simulate_outcome){.subsystem = -1};
    TRY(costab_network_check(network, error));
    TRY(costab_coupling_check(network, coupling, error));
    TRY(costab_network_simulator_create(&h, error));
    return costab_network_simulator_run(h, network, coupling, options, sink, context, outcome, error);
}

/* ---- Saving and restoring a run ---- */

/* Newton workspaces with factors that the next step reuses. */
enum { SPACES = 3 };

static newton_space *newton_space_of(history *h, int i) {
    newton_space *const spaces[SPACES] = {&h->reference.loop, &h->sim.loop, &h->sim.work->iteration.newton};
    return spaces[i];
}

/* Header of a saved run. */
typedef struct saved_head {
    int64_t done, instant;
    double reference_time, reference_step, reference_begin, reference_length, cached[REFERENCE_CACHE];
    int32_t next_cached, failed, diverged, diverged_subsystem, no_value;
    int32_t factored[SPACES];
    double diverged_at;
    char reason[COSTAB_REASON_MAX];
} saved_head;

/* Visits the numbers that a run continues from: the map's state, the reference with the nodes that its next
 * step extrapolates, and Newton factors. */
static void visit_numbers(history *h, void (*visit)(void *context, void *numbers, size_t size),
                          void *context) {
    const costab_network_work *work = h->sim.work;
    const size_t each = sizeof(double);
    visit(context, h->state, (size_t)work->size * each);
    visit(context, h->reference.z, (size_t)work->states * each);
    visit(context, h->reference.u, 2 * (size_t)work->inputs * each);
    visit(context, h->reference.y, (size_t)work->outputs * each);
    /* signals at the end of a longer step in progress */
    visit(context, work->end, (size_t)work->inputs * each);
    visit(context, work->y1, (size_t)work->outputs * each);
    for (int i = 0; i < REFERENCE_NODES && h->reference.length > 0; i++) {
        visit(context, h->reference.states[i], (size_t)work->states * each);
        visit(context, h->reference.slopes[i], (size_t)work->states * each);
    }
    for (int i = 0; i < SPACES; i++) {
        const newton_space *space = newton_space_of(h, i);
        if (!space->factored) continue;
        visit(context, space->work, (size_t)space->n * (size_t)space->n * each);
        visit(context, space->iwork, (size_t)space->n * sizeof *space->iwork);
    }
}

static void put_numbers(void *context, void *numbers, size_t size) {
    text_append_n(context, numbers, size);
}

static void get_numbers(void *context, void *numbers, size_t size) {
    const char **from = context;
    if (size > 0) memcpy(numbers, *from, size);
    *from += size;
}

static void count_numbers(void *context, void *numbers, size_t size) {
    (void)numbers;
    *(size_t *)context += size;
}

void history_save(history *h, text *to) {
    saved_head head = {.done = h->done,
                       .instant = h->reference.instant,
                       .reference_time = h->reference.t,
                       .reference_step = h->reference.step,
                       .reference_begin = h->reference.begin,
                       .reference_length = h->reference.length,
                       .next_cached = h->reference.next_cached,
                       .failed = h->reference.failed,
                       .diverged = h->sim.diverged,
                       .diverged_subsystem = h->sim.diverged_subsystem,
                       .no_value = h->sim.no_value,
                       .diverged_at = h->sim.diverged_at};
    memcpy(head.cached, h->reference.cached, sizeof head.cached);
    memcpy(head.reason, h->sim.reason, sizeof head.reason);
    for (int i = 0; i < SPACES; i++) head.factored[i] = newton_space_of(h, i)->factored;
    text_append_n(to, (const char *)&head, sizeof head);
    visit_numbers(h, put_numbers, to);
}

costab_status history_restore(history *h, const void *bytes, size_t size, costab_error *error) {
    saved_head head = {.done = 0};
    size_t expected = sizeof head;
    const char *from = (const char *)bytes + sizeof head;
    if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
    for (int i = 0; i < SPACES; i++)
        newton_space_of(h, i)->factored = head.factored[i] != 0 && newton_space_of(h, i)->n > 0;
    h->reference.length = head.reference_length;
    visit_numbers(h, count_numbers, &expected);
    if (size != expected || head.done < 1 || head.done > h->points || head.instant < 0 ||
        head.instant > INT64_MAX / 2 || head.next_cached < 0 || head.next_cached >= REFERENCE_CACHE)
        return error_invalid(error, "the saved state belongs to another simulation");
    visit_numbers(h, get_numbers, (void *)&from);
    h->done = head.done;
    h->reference.instant = head.instant;
    h->sim.diverged = head.diverged != 0;
    h->sim.diverged_subsystem = head.diverged_subsystem;
    h->sim.no_value = head.no_value != 0;
    h->sim.diverged_at = head.diverged_at;
    memcpy(h->sim.reason, head.reason, sizeof h->sim.reason);
    h->sim.reason[sizeof h->sim.reason - 1] = '\0';
    h->reference.t = head.reference_time;
    h->reference.step = head.reference_step;
    h->reference.begin = head.reference_begin;
    h->reference.failed = head.failed != 0;
    h->reference.known = false;
    reference_remember(&h->reference, head.cached, head.next_cached);
    return COSTAB_OK;
}
