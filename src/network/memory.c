/* What the master remembers: the polynomials of all connections, and the rows of the map's state that follow
 * from them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/work.h"

/* The largest multiple of `stride` that is not above n. */
static int64_t published(int64_t n, int64_t stride) {
    int64_t rest = n % stride;
    return n - (rest < 0 ? rest + stride : rest);
}

/* Does the target of connection c see its source's new value at macro step n, at which it exchanges? */
static bool is_known(const costab_network_work *work, int c, int64_t n) {
    if (work->delays[c] > 0) return false;
    if (work->coupling.scheme != COSTAB_GAUSS_SEIDEL) return work->coupling.scheme == COSTAB_ITERATED;
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    return n % from->stride != 0 || from->position < to->position;
}

/* ---- Polynomials ---- */

/* The extrapolation for the step that begins at macro step n; *newest is the publication it ends with. */
static void extrapolate(const costab_network_work *work, int c, int64_t n, int64_t *newest,
                        polynomial_rule *rule) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    *newest = published(n - work->delays[c], from->stride);
    double first = -(double)(n - *newest - work->delays[c]) / to->stride;
    polynomial_extrapolate(work->coupling.extrapolation,
                           polynomial_even(first, (double)from->stride / to->stride, work_length(work, to)),
                           rule);
}

/* With strides. */
static void make_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                      int *shift) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    int64_t last = published(n, from->stride), newest;
    *shift = 0;
    if (!held && is_known(work, c, n)) {
        polynomial_interpolate(work->coupling.interpolation,
                               polynomial_even((double)(last + from->stride - n) / to->stride,
                                               (double)from->stride / to->stride, work_length(work, to)),
                               rule);
        return;
    }
    extrapolate(work, c, n, &newest, rule);
    *shift = (int)((last - newest) / from->stride);
    if (held || !work->coupling.smoothed) return;
    polynomial_rule before, now = *rule;
    int64_t newest_before;
    extrapolate(work, c, n - to->stride, &newest_before, &before);
    polynomial_smooth(&before, &now, (int)((newest - newest_before) / from->stride), rule);
}

const polynomial_rule *memory_strided(const costab_network_work *work, int c, int64_t n, bool held,
                                      polynomial_rule *local, int *shift) {
    make_rule(work, c, n, held, local, shift);
    return local;
}

/* ---- After steps of other lengths ---- */

static double past_length(const costab_network_work *work, int back) {
    const network_past *past = work->past;
    if (past == NULL || past->count == 0) return work->coupling.macro_step;
    return past->lengths[back < past->count ? back : past->count - 1];
}

/* Seconds from where the last `steps` steps begin to where the step `from` before the one at hand does. */
static double past_seconds(const costab_network_work *work, int from, int steps) {
    double seconds = 0;
    for (int i = from; i < from + steps; i++) seconds += past_length(work, i);
    return seconds;
}

/* What lies `steps` steps before the step `from` before the one at hand, a delay's seconds at least. A time
 * that is a whole number of steps may be off by the rounding of its input. */
static int steps_late(const costab_network_work *work, int from, double seconds) {
    double passed = 0;
    int steps = 0;
    for (; !(passed >= seconds * (1 - 1e-12)); steps++) passed += past_length(work, from + steps);
    return steps;
}

/* Nodes at the begins of the last steps, seen from the step `from` before the one at hand, whose length this
 * is. */
static polynomial_times past_times(const costab_network_work *work, int from, double length) {
    polynomial_times times = {.length = length};
    for (int i = 0; i < MATRIX_POWERS; i++) times.at[i] = -past_seconds(work, from, i) / length;
    return times;
}

/* The polynomials that all connections share, of values that arrived one step after the other. */
static void make_unlike_rules(costab_network_work *work) {
    const costab_coupling *now = &work->coupling;
    polynomial_times unknown = past_times(work, 0, now->macro_step), known = unknown;
    for (int i = MATRIX_POWERS - 1; i > 0; i--) known.at[i] = known.at[i - 1];
    known.at[0] = 1;
    polynomial_interpolate(now->interpolation, known, &work->rules[1]);
    polynomial_extrapolate(now->extrapolation, unknown, &work->rules[0]);
    if (now->smoothed) {
        polynomial_rule plain = work->rules[0], before;
        polynomial_extrapolate(now->extrapolation, past_times(work, 1, past_length(work, 0)), &before);
        polynomial_smooth(&before, &plain, 1, &work->rules[0]);
    }
    polynomial_extrapolate(now->predictor, unknown, &work->first_guess);
    work->rules_made.macro_step = 0;
}

/* The master extrapolates through what it had received at the begins of the last steps. */
const polynomial_rule *memory_late(const costab_network_work *work, int c, polynomial_rule *local) {
    *local = work->rules[0];
    double seconds = work->network->connections[c].delay_time;
    for (int i = 0; i < local->count; i++)
        local->nodes[i].back += steps_late(work, local->nodes[i].back, seconds);
    for (int i = 0; i < local->term_count; i++)
        local->terms[i].back += steps_late(work, local->terms[i].back, seconds);
    return local;
}

/* Without strides all connections share two polynomials. */
static void make_rules(costab_network_work *work) {
    const costab_coupling *now = &work->coupling, *made = &work->rules_made;
    if (work->past != NULL) {
        make_unlike_rules(work);
        return;
    }
    bool same = made->macro_step > 0 && made->interpolation == now->interpolation &&
                made->extrapolation == now->extrapolation && made->smoothed == now->smoothed &&
                made->predictor == now->predictor && (!work->slopes || made->macro_step == now->macro_step);
    if (same) return;
    polynomial_times known = polynomial_even(1, 1, now->macro_step),
                     unknown = polynomial_even(0, 1, now->macro_step);
    polynomial_interpolate(now->interpolation, known, &work->rules[1]);
    polynomial_extrapolate(now->extrapolation, unknown, &work->rules[0]);
    if (now->smoothed) {
        polynomial_rule plain = work->rules[0];
        polynomial_smooth(&plain, &plain, 1, &work->rules[0]);
    }
    polynomial_extrapolate(now->predictor, unknown, &work->first_guess);
    work->rules_made = *now;
}

/* ---- Rows ---- */

static int output_of(const costab_network_work *work, int c) {
    const costab_connection *connection = &work->network->connections[c];
    return work->subs[connection->from].y + connection->output;
}

static void keep(costab_network_work *work, int signal, int values) {
    if (values > work->depth[signal]) work->depth[signal] = values;
}

/* Former values that a connection from output o delivers. */
static void keep_rule(costab_network_work *work, int o, const polynomial_rule *rule, int shift,
                      bool publishes) {
    for (int slope = 0; slope < 2; slope++)
        if (rule->reach[slope] > 0)
            keep(work, o + slope * work->outputs, rule->reach[slope] + shift - (publishes ? 1 : 0));
}

/* The degree and the slopes that a connection needs. */
static void note_polynomial(costab_network_work *work, bool known) {
    const costab_coupling *coupling = &work->coupling;
    costab_hold hold = known ? coupling->interpolation : coupling->extrapolation;
    int degree = !known && coupling->smoothed ? 1 : polynomial_degree(hold, known);
    if (degree > work->degree) work->degree = degree;
    if (hold == COSTAB_HERMITE) work->slopes = true;
}

/* A new value of output o that a connection sees: it is guessed, or comes out of a longer step. */
static void keep_new(costab_network_work *work, int o, bool under_way) {
    int step = work->coupling.interpolation == COSTAB_HERMITE ? work->outputs : work->signals;
    for (int signal = o; signal < work->signals; signal += step) {
        if (work->coupling.scheme == COSTAB_ITERATED) work->guess[signal] = 0;
        if (under_way) work->ahead[signal] = 0;
    }
    if (work->coupling.scheme == COSTAB_ITERATED && work->coupling.iterations > 0)
        keep(work, o, work->first_guess.count - 1);
}

/* With strides: connection c at macro step n. */
static void keep_exchange(costab_network_work *work, int c, int64_t n) {
    const costab_connection *connection = &work->network->connections[c];
    int o = output_of(work, c), shift;
    bool publishes = n % work->subs[connection->from].stride == 0;
    polynomial_rule rule;
    make_rule(work, c, n, false, &rule, &shift);
    keep_rule(work, o, &rule, shift, publishes);
    if (is_known(work, c, n)) keep_new(work, o, !publishes);
    if (work->loop && work->network->subsystems[connection->to].D != NULL &&
        (work->delays[c] > 0 || !publishes)) {
        make_rule(work, c, n, true, &rule, &shift);
        keep_rule(work, o, &rule, shift, publishes);
    }
}

static void note_exchange(costab_network_work *work, int c, int64_t n) {
    note_polynomial(work, is_known(work, c, n));
}

/* With strides: calls `visit` at every macro step of the common period at which connection c is evaluated. */
static void visit_exchanges(costab_network_work *work,
                            void (*visit)(costab_network_work *work, int c, int64_t n)) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        int to = work->subs[connection->to].stride, from = work->subs[connection->from].stride;
        int64_t period = clock_lcm(to, from, INT64_MAX);
        for (int64_t n = 0; n < period; n += to) visit(work, c, n);
    }
}

static void note_connections(costab_network_work *work) {
    bool any[2] = {false, false};
    for (int c = 0; c < work->network->connection_count; c++) {
        work->known[c] = is_known(work, c, 0);
        any[work->known[c]] = true;
    }
    for (int known = 0; known < 2; known++)
        if (any[known]) note_polynomial(work, known != 0);
    if (work->strided) visit_exchanges(work, note_exchange);
}

static void keep_connections(costab_network_work *work) {
    if (work->strided) {
        visit_exchanges(work, keep_exchange);
        return;
    }
    const polynomial_rule *unknown = &work->rules[0];
    bool newest = unknown->reach[0] <= 1 && unknown->reach[1] <= 1; /* alone is asked for */
    for (int c = 0; c < work->network->connection_count; c++) {
        bool known = work->known[c];
        if (!known && newest && work->delays[c] == 0) continue; /* nothing is kept */
        int o = output_of(work, c), delay = work->delays[c];
        if (work->late && work->network->connections[c].delay_time > 0)
            delay = (int)ceil(work->network->connections[c].delay_time / work->past->shortest);
        keep_rule(work, o, &work->rules[known], known ? 0 : delay, true);
        if (known) keep_new(work, o, false);
    }
}

static void number_inputs(costab_network_work *work) {
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        bool direct = work->network->subsystems[s].D != NULL && sub->m > 0;
        if (direct && work->coupling.feedthrough == COSTAB_SOLVED) work->loop = true;
        bool delayed = direct && work->coupling.feedthrough == COSTAB_DELAYED;
        if (!delayed && !(work->slopes && sub->m > 0)) continue;
        sub->held = work->size;
        work->size += sub->m;
    }
}

/* What a subsystem needs beyond the inputs it ended with. */
static void number_memory(costab_network_work *work, int s) {
    network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    if (work->slopes && subsystem->D != NULL && sub->m > 0) {
        sub->bend = work->size;
        work->size += sub->m;
    }
    matrix_system plain = {.n = sub->n, .pairs = subsystem->pairs};
    sub->means = work->area;
    sub->extra = work->area ? sub->q : matrix_memory(&subsystem->method, &plain);
    sub->extra_row = work->size;
    work->size += sub->extra;
    if (work->area) {
        sub->sent = work->size;
        work->size += sub->m;
    }
    sub->full = work->full;
    work->full += sub->n + sub->extra;
}

static costab_status number_delays(costab_network_work *work, costab_error *error) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        work->delays[c] = connection->delay;
        if (!(connection->delay_time > 0)) continue;
        work->late = work->late || work->past != NULL;
        double step = work->late ? work->past->shortest : work->coupling.macro_step;
        /* A time that is a whole number of macro steps may be off by the rounding of its input. */
        double ratio = connection->delay_time / step, whole = round(ratio);
        if (!(fabs(ratio - whole) <= 1e-12 * ratio)) whole = ceil(ratio);
        if (!(whole <= COSTAB_DELAY_MAX))
            return error_set(error, COSTAB_INVALID,
                             "connection %d: its delay of %g s is more than %d macro steps of %g s: take a "
                             "longer macro step",
                             c + 1, connection->delay_time, COSTAB_DELAY_MAX, step);
        work->delays[c] = work->late ? steps_late(work, 0, connection->delay_time) : (int)whole;
    }
    return COSTAB_OK;
}

/* The connections of each target, in their order. */
static void list_connections(costab_network_work *work) {
    for (int s = 0; s < work->count; s++) work->first_to[s] = -1;
    for (int c = work->network->connection_count - 1; c >= 0; c--) {
        int to = work->network->connections[c].to;
        work->next_to[c] = work->first_to[to];
        work->first_to[to] = c;
    }
}

costab_status memory_number(costab_network_work *work, costab_error *error) {
    work->size = work->states;
    work->full = 0;
    work->loop = work->slopes = work->late = false;
    /* Sources are taken as linear over a micro step where it goes by a block; and real powers of a block
     * round the same for constants as for lines. */
    bool line = (work->hooks != NULL && work->network->source_count > 0) ||
                work->coupling.micro_steps == COSTAB_REAL_POWER;
    work->degree = line ? 1 : 0;
    work->area = work->coupling.area_correction != 0;
    costab_status status = number_delays(work, error);
    if (status) return status;
    list_connections(work);
    note_connections(work);
    work->signals = work->slopes ? 2 * work->outputs : work->outputs;
    make_rules(work);
    number_inputs(work);
    for (int o = 0; o < work->signals; o++) {
        work->history[o] = work->guess[o] = work->ahead[o] = -1;
        work->depth[o] = 0;
    }
    keep_connections(work);
    work->guesses = 0;
    for (int o = 0; o < work->signals; o++) {
        if (work->guess[o] == 0) work->guess[o] = work->guesses++;
        if (work->depth[o] == 0) continue;
        work->history[o] = work->size;
        work->size += work->depth[o];
    }
    for (int s = 0; s < work->count; s++) number_memory(work, s);
    for (int o = 0; o < work->signals; o++)
        if (work->ahead[o] == 0) work->ahead[o] = work->size++;
    return COSTAB_OK;
}
