/* Balanced units of states, inputs and outputs (A. R. Curtis, J. K. Reid 1972; units.h).
 *
 * 1. Least squares: each nonzero entry a gives the equation log|a| + d_from - d_to = 0, or = w in the rows of
 *    A and B, with w the logarithm of the model's rate. The normal equations combine all entries.
 * 2. Regularisation: one signal of each connected part has d = 0; a small weight draws w to 0.
 * 3. The units e^d are rounded to powers of 2, within 2^+-1000.
 *
 * Cost: (signals)^3/3. If the equations are singular all units are 1. */
#include "network/units.h"

#include <math.h>
#include <string.h>

#include "method/matrix.h"

/* Weight of w = 0 relative to an entry. It matters only if no loop determines the rate. */
#define RATE_WEIGHT 1e-3

/* The normal equations. Unknowns: logarithms of the units of all states, inputs and outputs, then of the
 * rate. */
typedef struct equations {
    int count;           /* number of unknowns */
    double *matrix;      /* count^2 */
    double *right;       /* count: right-hand side, then the solution */
    int *representative; /* per signal: another signal of its connected part; itself for the smallest index */
} equations;

size_t units_work(int signals) {
    size_t count = (size_t)signals + 1;
    return count * (count + 1);
}

size_t units_iwork(int signals) {
    return 2 * ((size_t)signals + 1);
}

/* Smallest signal index of the connected part of signal i. */
static int representative_of(const equations *e, int i) {
    while (e->representative[i] != i) i = e->representative[i];
    return i;
}

/* Adds an entry in row `to` and column `from`: log|a| + d_from - d_to - [rated] w = 0. */
static void add_entry(const equations *e, int to, int from, bool rated, double entry) {
    if (entry == 0 || !isfinite(entry)) return;
    int at[3] = {from, to, e->count - 1};
    double factor[3] = {to == from ? 0 : 1, to == from ? 0 : -1, rated ? -1 : 0}, value = log(fabs(entry));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) e->matrix[at[i] * e->count + at[j]] += factor[i] * factor[j];
        e->right[at[i]] -= factor[i] * value;
    }
    int one = representative_of(e, to), other = representative_of(e, from);
    e->representative[one > other ? one : other] = one < other ? one : other;
}

/* Adds the entries of a rows x columns matrix; its first row and column are signals `to` and `from`. */
static void add_matrix(const equations *e, int rows, int columns, const double *entries, int to, int from,
                       bool rated) {
    for (int i = 0; i < rows && entries != NULL; i++)
        for (int j = 0; j < columns; j++) add_entry(e, to + i, from + j, rated, entries[i * columns + j]);
}

/* Rounds e^logarithms to powers of 2. Returns false if one is not finite. */
static bool set_units(int count, const double *logarithms, double *units) {
    for (int i = 0; i < count; i++) {
        units[i] = round(logarithms[i] / log(2));
        if (!isfinite(units[i])) return false;
    }
    loop_limit_shifts(count, units);
    for (int i = 0; i < count; i++) units[i] = ldexp(1, (int)units[i]);
    return true;
}

/* First state, input and output of a subsystem among all signals. */
typedef struct places {
    int x, u, y;
} places;

static places places_of(const costab_network *network, int subsystem) {
    places p = {0, 0, 0};
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *sub = &network->subsystems[s];
        p.u += sub->states;
        p.y += sub->states + sub->inputs;
        if (s >= subsystem) continue;
        p.x += sub->states;
        p.u += sub->inputs;
        p.y += sub->outputs;
    }
    return p;
}

bool units_find(const costab_network *network, int signals, double *units, double *space, int *ispace) {
    int count = signals + 1;
    equations e = {count, space, space + (size_t)count * (size_t)count, ispace + count};
    memset(space, 0, units_work(signals) * sizeof *space);
    for (int i = 0; i < count; i++) e.representative[i] = i;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *sub = &network->subsystems[s];
        places at = places_of(network, s);
        add_matrix(&e, sub->states, sub->states, sub->A, at.x, at.x, true);
        add_matrix(&e, sub->states, sub->inputs, sub->B, at.x, at.u, true);
        add_matrix(&e, sub->outputs, sub->states, sub->C, at.y, at.x, false);
        add_matrix(&e, sub->outputs, sub->inputs, sub->D, at.y, at.u, false);
    }
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        add_entry(&e, places_of(network, k->to).u + k->input, places_of(network, k->from).y + k->output,
                  false, k->gain);
    }
    for (int i = 0; i + 1 < count; i++)
        if (e.representative[i] == i) e.matrix[i * count + i] += 1;
    e.matrix[count * count - 1] += RATE_WEIGHT;
    bool found = matrix_factor(count, e.matrix, ispace);
    if (found) matrix_solve(count, e.matrix, ispace, 1, e.right);
    found = found && set_units(count - 1, e.right, units);
    for (int i = 0; i + 1 < count && !found; i++) units[i] = 1;
    return found;
}

/* Slopes have the unit of the signal per macro step. */
void units_of_map(const costab_network_work *work, const double *units, double *map_units) {
    const row_values of = {units, units + work->states, units + work->states + work->inputs};
    double step = work->coupling.macro_step;
    for (int i = 0; i < work->size; i++) {
        double unit = row_value_of(work, i, &of);
        map_units[i] = row_is_slope(work->rows[i].kind) ? unit / step : unit;
    }
}
