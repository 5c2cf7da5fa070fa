/* Builds the table of rows of a map's state, and their indices (docs/explanation/algorithms.md, Maps). The
 * state is all that one macro step hands to the next: states, held inputs, previous values and slopes of
 * signals. Each entry is a row.
 *
 * 1. History: the polynomials of all connections (exchange.h), at each macro step of the multirate period,
 *    determine the history values and slopes to store, and the iteration variables.
 * 2. Order of rows: all x; inputs at the ends of steps; previous signals; then for each subsystem the slopes
 *    of these inputs, the history of its method, and means and inputs sent under area correction. At most
 *    ROWS_MOST rows.
 * 3. Values of rows for constant or linear signals.
 *
 * Cost: a polynomial per connection and macro step of the period, once per structure. */
#include "network/rows.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/exchange.h"
#include "network/words.h"
#include "network/work.h"

/* Limit of the map's size. */
enum { ROWS_MOST = 10000 };

/* Per kind of row: the quantity, and whether the row is its slope. */
static const struct {
    row_port port;
    bool slope;
} kinds[ROW_KINDS] = {[ROW_STATE] = {ROW_OF_STATE, false},  [ROW_HELD] = {ROW_OF_INPUT, false},
                      [ROW_PAST] = {ROW_OF_OUTPUT, false},  [ROW_HELD_SLOPE] = {ROW_OF_INPUT, true},
                      [ROW_BEFORE] = {ROW_OF_STATE, false}, [ROW_PAST_SLOPE] = {ROW_OF_OUTPUT, true},
                      [ROW_MEAN] = {ROW_OF_OUTPUT, false},  [ROW_BEFORE_SLOPE] = {ROW_OF_STATE, true},
                      [ROW_SENT] = {ROW_OF_INPUT, false}};

row_port row_port_of(row_kind kind) {
    return kinds[kind].port;
}

bool row_is_slope(row_kind kind) {
    return kinds[kind].slope;
}

/* ---- Values of rows ---- */

double row_value_of(const costab_network_work *work, int i, const row_values *values) {
    const map_row *row = &work->rows[i];
    const network_subsystem *sub = &work->subs[row->subsystem];
    switch (kinds[row->kind].port) {
    case ROW_OF_STATE:
        return values->x[sub->x + row->index];
    case ROW_OF_INPUT:
        return values->u[sub->u + row->index];
    default:
        return values->y[sub->y + row->index];
    }
}

double row_at(const costab_network_work *work, int i, const row_values *values, const row_values *slopes) {
    const map_row *row = &work->rows[i];
    const network_subsystem *sub = &work->subs[row->subsystem];
    if (kinds[row->kind].slope) return row_value_of(work, i, slopes);
    double ago = row->kind == ROW_PAST     ? row->back * work_length(work, sub)
                 : row->kind == ROW_BEFORE ? row->back * sub->clock.h
                                           : 0;
    double value = row_value_of(work, i, values);
    return ago > 0 ? value - ago * row_value_of(work, i, slopes) : value;
}

/* ---- History ---- */

/* Index of the output of connection c. */
static int output_of(const costab_network_work *work, int c) {
    const costab_connection *connection = &work->network->connections[c];
    return work->subs[connection->from].y + connection->output;
}

/* Notes that the state needs at least this number of previous values of a signal. */
static void remember_values(costab_network_work *work, int signal, int values) {
    if (values > work->remembered[signal]) work->remembered[signal] = values;
}

/* Notes the previous values used by a connection from output o. publishes: the output has a new value at this
 * macro step. */
static void remember_nodes(costab_network_work *work, int o, const polynomial_rule *rule, int shift,
                           bool publishes) {
    for (int slope = 0; slope < 2; slope++)
        if (rule->reach[slope] > 0)
            remember_values(work, o + slope * work->outputs,
                            rule->reach[slope] + shift - (publishes ? 1 : 0));
}

/* Makes output o an iteration variable because a connection uses its new value. */
static void note_guess(costab_network_work *work, int o) {
    int step = work->coupling.interpolation == COSTAB_HERMITE ? work->outputs : work->signals;
    for (int signal = o; signal < work->signals; signal += step) work->guess_number[signal] = 0;
    if (work->coupling.iterations > 0)
        remember_values(work, o, polynomial_values(work->coupling.predictor) - 1);
}

/* Notes the history values, and the new value, that connection c uses at macro step n. */
static void note_values(costab_network_work *work, int c, int64_t n) {
    const costab_connection *connection = &work->network->connections[c];
    int o = output_of(work, c), shift;
    bool publishes = n % work->subs[connection->from].stride == 0;
    polynomial_rule rule;
    exchange_rule(work, c, n, false, &rule, &shift);
    /* With unequal steps, the largest number of steps that a delay in seconds can take. */
    if (work->uneven_times && connection->delay_time > 0)
        shift = (int)ceil(connection->delay_time / work->past->shortest);
    remember_nodes(work, o, &rule, shift, publishes);
    if (work->coupling.scheme == COSTAB_ITERATED && exchange_known(work, c, n)) note_guess(work, o);
    if (work->has_loop && exchange_given(work, c, n)) {
        exchange_rule(work, c, n, true, &rule, &shift);
        remember_nodes(work, o, &rule, shift, publishes);
    }
}

/* Notes the degree and the slopes that a connection requires. */
static void note_degree(costab_network_work *work, int c, int64_t n) {
    const costab_coupling *coupling = &work->coupling;
    bool known = exchange_known(work, c, n);
    const costab_hold extrapolated = coupling_extrapolation(work->network, coupling, c).hold,
                      hold = known ? coupling_interpolation(work->network, coupling, c) : extrapolated;
    int degree = !known && coupling->smoothed ? 1 : polynomial_degree(hold, known);
    if (degree > work->degree) work->degree = degree;
    if (hold == COSTAB_HERMITE ||
        (extrapolated == COSTAB_HERMITE && work->has_loop && exchange_given(work, c, n)))
        work->slopes = true;
}

/* Calls `visit` at each macro step of the common period at which connection c is evaluated; without
 * multirate the period is a single macro step. */
static void visit_exchanges(costab_network_work *work,
                            void (*visit)(costab_network_work *work, int c, int64_t n)) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        int to = work->subs[connection->to].stride, from = work->subs[connection->from].stride;
        int64_t period = clock_lcm(to, from, INT64_MAX);
        for (int64_t n = 0; n < period; n += to) visit(work, c, n);
    }
}

/* ---- Rows ---- */

/* Adds `count` rows of one kind from value `index` of the subsystem; returns the index of the first row. Rows
 * beyond ROWS_MOST are counted but not stored. */
static int add_of_kind(costab_network_work *work, row_kind kind, int s, int index, int count) {
    int first = work->size;
    for (int i = 0; i < count; i++, work->size++)
        if (work->size < ROWS_MOST) work->rows[work->size] = (map_row){kind, s, index + i, 0};
    return first;
}

/* Returns the row of the output that belongs to a signal. */
static map_row row_of_signal(const costab_network_work *work, int signal, row_kind value, row_kind slope) {
    int o = signal % work->outputs, s = 0;
    while (o >= work->subs[s].y + work->subs[s].q) s++;
    return (map_row){signal < work->outputs ? value : slope, s, o - work->subs[s].y, 0};
}

/* Adds the inputs at the ends of steps. */
static void add_held(costab_network_work *work) {
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        bool direct = work->network->subsystems[s].D != NULL && sub->m > 0;
        bool delayed = direct && work->coupling.feedthrough == COSTAB_DELAYED;
        bool slopes = work->slopes && sub->m > 0 && !sub->discrete;
        if (delayed || slopes) sub->held = add_of_kind(work, ROW_HELD, s, 0, sub->m);
    }
}

/* Adds previous values and slopes of signals. */
static void add_past(costab_network_work *work) {
    for (int signal = 0; signal < work->signals; signal++) {
        if (work->remembered[signal] == 0) continue;
        map_row row = row_of_signal(work, signal, ROW_PAST, ROW_PAST_SLOPE);
        work->newest_row[signal] = work->size;
        for (row.back = 1; row.back <= work->remembered[signal]; row.back++, work->size++)
            if (work->size < ROWS_MOST) work->rows[work->size] = row;
    }
}

/* Adds the history of a subsystem's method. */
static void add_carried(costab_network_work *work, int s) {
    network_subsystem *sub = &work->subs[s];
    const costab_method *method = &work->network->subsystems[s].method;
    matrix_system system = work_system(work, s);
    sub->extra = matrix_memory(method, &system);
    sub->extra_row = work->size;
    for (int k = 0; k < sub->extra; k++) {
        matrix_kept kept = matrix_kept_at(method, &system, k);
        int r = add_of_kind(work, kept.slope ? ROW_BEFORE_SLOPE : ROW_BEFORE, s, kept.state, 1);
        if (r < ROWS_MOST) work->rows[r].back = kept.back;
    }
}

/* Adds the other history values of a subsystem. */
static void add_memory(costab_network_work *work, int s) {
    network_subsystem *sub = &work->subs[s];
    if (work->slopes && work->network->subsystems[s].D != NULL && sub->m > 0)
        sub->held_slope = add_of_kind(work, ROW_HELD_SLOPE, s, 0, sub->m);
    sub->integrates_outputs = work->area;
    if (work->area) {
        sub->extra = sub->q;
        sub->extra_row = add_of_kind(work, ROW_MEAN, s, 0, sub->q);
        sub->sent = add_of_kind(work, ROW_SENT, s, 0, sub->m);
    } else {
        add_carried(work, s);
    }
    sub->advanced_row = work->advanced_rows;
    work->advanced_rows += sub->n + sub->extra;
}

/* Adds all rows in order. */
static void add_rows(costab_network_work *work) {
    work->size = work->guesses = work->advanced_rows = 0;
    for (int s = 0; s < work->count; s++) (void)add_of_kind(work, ROW_STATE, s, 0, work->subs[s].n);
    add_held(work);
    for (int signal = 0; signal < work->signals; signal++)
        if (work->guess_number[signal] == 0) work->guess_number[signal] = work->guesses++;
    add_past(work);
    for (int s = 0; s < work->count; s++) add_memory(work, s);
}

/* Lists the connections of each target in their order. */
static void list_connections(costab_network_work *work) {
    for (int s = 0; s < work->count; s++) work->first_to[s] = -1;
    for (int c = work->network->connection_count - 1; c >= 0; c--) {
        int to = work->network->connections[c].to;
        work->next_to[c] = work->first_to[to];
        work->first_to[to] = c;
    }
}

/* Sets properties that follow from options alone: smallest degree of the inputs, area correction, the
 * loop. */
static void note_choices(costab_network_work *work) {
    work->has_loop = work->slopes = work->uneven_times = false;
    /* Inputs are at least linear in two cases. Sources vary linearly during a micro step. With real powers of
     * a micro step, constant and linear inputs must round equally. */
    bool line = (work->hooks != NULL && work->network->source_count > 0) ||
                work->coupling.micro_steps == COSTAB_REAL_POWER;
    work->degree = line ? 1 : 0;
    work->area = work->coupling.area_correction != 0;
    for (int s = 0; s < work->count; s++)
        work->has_loop = work->has_loop || (work->network->subsystems[s].D != NULL && work->subs[s].m > 0 &&
                                            work->coupling.feedthrough == COSTAB_SOLVED);
}

costab_status rows_number(costab_network_work *work, costab_error *error) {
    note_choices(work);
    TRY(exchange_delays(work, error));
    if (work->rows == NULL) TRY(memory_make(&work->rows, ROWS_MOST, error));
    list_connections(work);
    visit_exchanges(work, note_degree);
    work->signals = work->slopes ? 2 * work->outputs : work->outputs;
    for (int o = 0; o < work->signals; o++) {
        work->newest_row[o] = work->guess_number[o] = -1;
        work->remembered[o] = 0;
    }
    visit_exchanges(work, note_values);
    add_rows(work);
    if (work->size <= ROWS_MOST) return COSTAB_OK;
    return error_invalid(error, "the map has %d entries with all delays, at most %d: shorten the delays",
                         work->size, ROWS_MOST);
}

int rows_find(const costab_network_work *work, const map_row *row) {
    for (int r = 0; r < work->size; r++) {
        const map_row *at = &work->rows[r];
        if (at->kind == row->kind && at->subsystem == row->subsystem && at->index == row->index &&
            at->back == row->back)
            return r;
    }
    return -1;
}

/* ---- Labels ---- */

/* Labels the entries of a map's state from the table of its rows (rows.h): signal name, kind of history value
 * (held, slope, mean, ...) and age, such as "plant.y1 2 macro steps ago". */

static const char *const texts[ROW_KINDS] = {[ROW_STATE] = "",
                                             [ROW_HELD] = " held",
                                             [ROW_HELD_SLOPE] = "' held",
                                             [ROW_PAST] = "",
                                             [ROW_PAST_SLOPE] = "'",
                                             [ROW_BEFORE] = "",
                                             [ROW_BEFORE_SLOPE] = "' of the method",
                                             [ROW_MEAN] = " mean",
                                             [ROW_SENT] = " sent"};

void costab_network_label(const costab_network_work *work, int i, char *text, size_t size) {
    static const costab_signal_kind signals[] = {[ROW_OF_STATE] = COSTAB_SIGNAL_STATE,
                                                 [ROW_OF_INPUT] = COSTAB_SIGNAL_INPUT,
                                                 [ROW_OF_OUTPUT] = COSTAB_SIGNAL_OUTPUT};
    char name[COSTAB_SIGNAL_NAME_MAX], ago[48] = "";
    if (size > 0) text[0] = '\0';
    if (i < 0 || i >= work->size) return;
    const map_row *row = &work->rows[i];
    bool micro = row_port_of(row->kind) == ROW_OF_STATE;
    int steps = micro ? row->back : row->back * work->subs[row->subsystem].stride;
    if (micro && steps == 1)
        (void)snprintf(ago, sizeof ago, " one micro step ago");
    else if (steps > 0)
        (void)snprintf(ago, sizeof ago, " %d %s step%s ago", steps, micro ? "micro" : "macro",
                       steps == 1 ? "" : "s");
    (void)snprintf(
        text, size, "%s.%s%s%s", work->network->subsystems[row->subsystem].name,
        costab_signal_name(work->network, row->subsystem, signals[row_port_of(row->kind)], row->index, name),
        texts[row->kind], ago);
}
