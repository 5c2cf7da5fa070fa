/* Loops of feedthrough. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/matrix.h"
#include "network/loop.h"

/* The first input of a subsystem among those of all. */
static int first_input(const costab_network *network, int subsystem) {
    int first = 0;
    for (int s = 0; s < subsystem; s++) first += network->subsystems[s].inputs;
    return first;
}

bool loop_gain(const costab_network *network, int inputs, bool undelayed, double *gain) {
    bool any = false;
    memset(gain, 0, (size_t)inputs * (size_t)inputs * sizeof *gain);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[k->from];
        if (from->D == NULL || (undelayed && (k->delay > 0 || k->delay_time > 0))) continue;
        double *row = gain + (size_t)(first_input(network, k->to) + k->input) * (size_t)inputs;
        row += first_input(network, k->from);
        for (int j = 0; j < from->inputs; j++) row[j] += k->gain * from->D[k->output * from->inputs + j];
        any = true;
    }
    return any;
}

/* Signals that depend on no other signal left are struck out, until none is. */
bool loop_closed(int n, const double *matrix, double unit, int *open) {
    int left = n;
    for (int i = 0; i < n; i++) open[i] = 1;
    for (bool struck = true; struck;) {
        struck = false;
        for (int i = 0; i < n; i++) {
            bool depends = open[i] == 0;
            for (int j = 0; j < n && !depends; j++)
                depends = open[j] != 0 && matrix[i * n + j] != (i == j ? unit : 0);
            if (depends) continue;
            open[i] = 0;
            left--;
            struck = true;
        }
    }
    return left > 0;
}

/* ---- Units ---- */

enum { SCALING_TURNS = 16 };

/* Multiplies row i by 2^shift and divides column i by it. */
static void shift_signal(int n, double *a, double *scale, int i, int shift) {
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        a[i * n + j] = ldexp(a[i * n + j], shift);
        a[j * n + i] = ldexp(a[j * n + i], -shift);
    }
    if (scale != NULL) scale[i] = ldexp(scale[i], shift);
}

/* The size of a matrix that no units change: its diagonal, and pairs of entries that go round. */
static double size_without_units(int n, const double *a) {
    double most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) most = fmax(most, sqrt(fabs(a[i * n + j])) * sqrt(fabs(a[j * n + i])));
    return most;
}

void loop_balance(int n, double *a, double *scale) {
    double size = size_without_units(n, a);
    for (int i = 0; i < n && scale != NULL; i++) scale[i] = 1;
    for (int turn = 0; turn < SCALING_TURNS; turn++)
        for (int i = 0; i < n; i++) {
            double row = 0, column = 0;
            for (int j = 0; j < n; j++) {
                row += j == i ? 0 : fabs(a[i * n + j]);
                column += j == i ? 0 : fabs(a[j * n + i]);
            }
            if (row > 0 && column > 0)
                shift_signal(n, a, scale, i, (ilogb(column) - ilogb(row)) / 2);
            else if (row > 0 && size > 0)
                shift_signal(n, a, scale, i, ilogb(size) - ilogb(row) - 1);
            else if (column > 0 && size > 0)
                shift_signal(n, a, scale, i, ilogb(column) - ilogb(size) + 1);
        }
}

/* Of a loop that is closed. */
static bool is_regular(int n, const double *matrix, const loop_room *room) {
    int *pivots = room->iwork + n;
    memcpy(room->scaled, matrix, (size_t)n * (size_t)n * sizeof *matrix);
    loop_balance(n, room->scaled, NULL);
    double norm = matrix_norm_rows(n, room->scaled);
    return matrix_factor(n, room->scaled, pivots) &&
           matrix_condition(n, room->scaled, norm, room->work, room->iwork) > n * DBL_EPSILON;
}

bool loop_regular(int n, const double *matrix, const loop_room *room) {
    return !loop_closed(n, matrix, 1, room->iwork) || is_regular(n, matrix, room);
}

/* Without exchanges, as all pivots are and stay 1. */
static void factor_open(int n, double *matrix, int *pivots) {
    for (int k = 0; k < n; k++) {
        pivots[k] = k + 1;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n && matrix[i * n + k] != 0; j++)
                matrix[i * n + j] -= matrix[i * n + k] * matrix[k * n + j];
    }
}

bool loop_factor(int n, double *matrix, int *pivots, const loop_room *room) {
    if (loop_closed(n, matrix, 1, room->iwork))
        return is_regular(n, matrix, room) && matrix_factor(n, matrix, pivots);
    factor_open(n, matrix, pivots);
    return true;
}
