/* The monolithic system, and what is known of the matrices that come again.
 *
 * 1. A_mono = A + B W, (I - L D) W = L C, refined twice so that rounding leaves zeros at 0. Delays do not
 * count.
 * 2. Matrices come again across the tiles of a sweep, and along an axis that is inside another one that moves
 *    them: what their eigenvalues told is kept in a table by a sum of their bits, and the matrices with it,
 *    which are compared.
 *
 * Cost: n^3 of the inputs; of 2 n^2 of the states. */
#include <string.h>

#include "base/error.h"
#include "network/work.h"

bool monolithic_unknown(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED) return true;
    return false;
}

void monolithic_solve(const costab_network_work *work, int columns, double *b) {
    loop_solve(work->inputs, &work->mono.loop, columns, b);
}

/* L C becomes W. What rounding leaves of zeros is taken away by what is left of the equations. */
static costab_status solve_inputs(costab_network_work *work, costab_error *error) {
    int nx = work->states, nu = work->inputs;
    size_t length = cells(nu, nx) * sizeof(double);
    double *rows = work->mono.rows, *loop = work->mono.loop.matrix;
    double *given = work->mono.rest, *rest = given + cells(nu, nx);
    enum { TURNS = 2 };
    work->mono.feedthrough = loop_gain(work->network, nu, false, work->mono.gain);
    if (!work->mono.feedthrough) return COSTAB_OK;
    for (int e = 0; e < nu * nu; e++) loop[e] = (e % (nu + 1) == 0) - work->mono.gain[e];
    bool closed = loop_closed(nu, loop, 1, work->loop_room.iwork);
    if (!loop_factor(nu, &work->mono.loop, &work->loop_room))
        return error_set(error, COSTAB_INVALID,
                         "the network is not well posed: I - L D is singular, a loop of feedthrough "
                         "subsystems has no solution; change a gain or an entry of D in that loop");
    memcpy(given, rows, length);
    monolithic_solve(work, nx, rows);
    for (int turn = 0; turn < TURNS && closed; turn++) {
        memcpy(rest, given, length);
        matrix_multiply_add(nu, nu, nx, work->mono.gain, rows, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rest[e] -= rows[e];
        monolithic_solve(work, nx, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rows[e] += rest[e];
    }
    return COSTAB_OK;
}

costab_status monolithic_make(costab_network_work *work, costab_error *error) {
    const costab_network *network = work->network;
    int nx = work->states, nu = work->inputs;
    double *rows = work->mono.rows;
    memset(rows, 0, (size_t)nu * (size_t)nx * sizeof *rows);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[connection->from];
        const network_subsystem *source = &work->subs[connection->from];
        int row = work->subs[connection->to].u + connection->input;
        for (int j = 0; j < source->n; j++)
            rows[row * nx + source->x + j] += connection->gain * from->C[connection->output * source->n + j];
    }
    costab_status status = solve_inputs(work, error);
    if (status) return status;
    memset(work->mono.matrix, 0, (size_t)nx * (size_t)nx * sizeof *work->mono.matrix);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++)
                work->mono.matrix[(sub->x + i) * nx + sub->x + j] = subsystem->A[i * sub->n + j];
        matrix_multiply_add(sub->n, sub->m, nx, subsystem->B, rows + sub->u * nx,
                            work->mono.matrix + sub->x * nx);
    }
    return COSTAB_OK;
}

/* ---- What was there before ---- */

/* As many matrices as these, and no more numbers than those; where one of them may stand. */
enum { KEPT_MOST = 256, KEPT_NUMBERS = 65536, PLACES = 4 };

static size_t cells_of(const costab_network_work *work) {
    return (size_t)work->states * (size_t)work->states;
}

void monolithic_lay(costab_network_work *work, network_arena *arena) {
    size_t cells = cells_of(work), count = cells > 0 ? KEPT_NUMBERS / cells : 0;
    work->mono.slots = (int)(count < KEPT_MOST ? count : KEPT_MOST);
    work->mono.kept_matrices = arena_take(arena, (size_t)work->mono.slots * cells, sizeof(double));
    work->mono.kept = arena_take(arena, (size_t)work->mono.slots, sizeof *work->mono.kept);
    for (int i = 0; i < work->mono.slots && work->mono.kept != NULL; i++) work->mono.kept[i].known = false;
}

static uint64_t key_of(const costab_network_work *work) {
    uint64_t sum = 0, bits;
    for (size_t e = 0; e < cells_of(work); e++) {
        memcpy(&bits, work->mono.matrix + e, sizeof bits);
        sum += bits * (0x9e3779b97f4a7c15u * (2 * e + 1));
    }
    return sum;
}

static double *matrix_at(const costab_network_work *work, int slot) {
    return work->mono.kept_matrices + (size_t)slot * cells_of(work);
}

static bool is_at(const costab_network_work *work, int slot, uint64_t key) {
    const monolithic_kept *kept = &work->mono.kept[slot];
    return kept->known && kept->key == key &&
           memcmp(matrix_at(work, slot), work->mono.matrix, cells_of(work) * sizeof(double)) == 0;
}

/* The slot of work->mono.matrix, or one for it: the first free one of its few places, or else the first of
 * them. */
static int slot_of(const costab_network_work *work, uint64_t key) {
    int home = (int)((key >> 32) % (uint64_t)work->mono.slots);
    for (int i = 0; i < PLACES; i++) {
        int slot = (home + i) % work->mono.slots;
        if (!work->mono.kept[slot].known || is_at(work, slot, key)) return slot;
    }
    return home;
}

bool monolithic_recall(costab_network_work *work) {
    if (work->mono.slots == 0 || spectrum_doubt(work) > 0) return false;
    uint64_t key = key_of(work);
    int slot = slot_of(work, key);
    if (!is_at(work, slot, key)) return false;
    work->mono.found = work->mono.kept[slot].found;
    return true;
}

void monolithic_remember(costab_network_work *work) {
    if (work->mono.slots == 0 || spectrum_doubt(work) > 0) return;
    uint64_t key = key_of(work);
    int slot = slot_of(work, key);
    memcpy(matrix_at(work, slot), work->mono.matrix, cells_of(work) * sizeof(double));
    work->mono.kept[slot] = (monolithic_kept){true, key, work->mono.found};
}
