/* balls.c - a network's map in balls against the one in doubles. */
#include "balls.h"

#include <math.h>
#include <string.h>

#include "proof/ball_map.h"
#include "proof/ball_neutral.h"

/* Traces of powers k = 1 .. TRACES of a matrix, and of the matrix of moduli: how large what was rounded is.
 */
enum { TRACES = 4 };
static void traces(int n, const double *matrix, real *trace, real *size) {
    static real power[2][BALLS_MOST * BALLS_MOST], next[BALLS_MOST * BALLS_MOST];
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < n * n; i++)
            power[which][i] = which == 0 ? (real)matrix[i] : fabsl((real)matrix[i]);
        for (int k = 0; k < TRACES; k++) {
            real sum = 0;
            for (int i = 0; i < n; i++) sum += power[which][i * n + i];
            (which == 0 ? trace : size)[k] = sum;
            memset(next, 0, (size_t)(n * n) * sizeof *next);
            for (int i = 0; i < n; i++)
                for (int l = 0; l < n; l++)
                    for (int j = 0; j < n; j++)
                        next[i * n + j] +=
                            power[which][i * n + l] *
                            (which == 0 ? (real)matrix[l * n + j] : fabsl((real)matrix[l * n + j]));
            memcpy(power[which], next, sizeof next);
        }
    }
}

/* The map in balls, which keeps its memory in other places and in another number, has the same eigenvalues
 * but for zeros, and so the same traces of powers. */
void balls_compare(const costab_network *like, const costab_coupling *coupling, const balls_map *map,
                   real bound, const char *where) {
    int n = map->size;
    ball_network network;
    check_ok(ball_network_make(like, coupling, &network, &why));
    ball_network_set(like, coupling, &network);
    check_true(ball_network_fit(&network, true, 128), "%s: delays", where);
    arb_t shift;
    acb_mat_t ball, power;
    acb_t sum;
    arb_init(shift);
    acb_init(sum);
    arb_one(shift);
    check_true(ball_network_matrix(&network, BALL_STEP, shift, 128, ball), "%s: balls", where);
    acb_mat_init(power, acb_mat_nrows(ball), acb_mat_nrows(ball));
    acb_mat_set(power, ball);
    real trace[TRACES], size[TRACES];
    traces(n, map->entries, trace, size);
    for (int k = 0; k < TRACES; k++) {
        acb_mat_trace(sum, power, 128);
        double found = arf_get_d(arb_midref(acb_realref(sum)), ARF_RND_NEAR);
        check_true(acb_is_real(sum) &&
                       mag_get_d(arb_radref(acb_realref(sum))) < 1e-16 * (1 + (double)size[k]),
                   "%s: narrow: %g of %g", where, mag_get_d(arb_radref(acb_realref(sum))), (double)size[k]);
        check_near(found, trace[k], bound * (real)n * (real)(k + 1) * (1 + size[k]), "%s: trace %d in balls",
                   where, k);
        acb_mat_mul(power, power, ball, 128);
    }
    acb_mat_clear(power);
    acb_mat_clear(ball);
    acb_clear(sum);
    arb_clear(shift);
    ball_network_free(&network);
}

/* The trace of a power of a network's map, about. */
static double trace_of(const ball_network *network, int power, const char *where) {
    arb_t shift;
    acb_t sum;
    acb_mat_t map;
    arb_init(shift);
    acb_init(sum);
    arb_one(shift);
    check_true(ball_network_matrix(network, BALL_STEP, shift, 128, map), "%s: balls", where);
    acb_mat_pow_ui(map, map, (ulong)power, 128);
    acb_mat_trace(sum, map, 128);
    double found = arf_get_d(arb_midref(acb_realref(sum)), ARF_RND_NEAR);
    acb_mat_clear(map);
    acb_clear(sum);
    arb_clear(shift);
    return found;
}

int balls_equilibria(const costab_network *like, const costab_coupling *coupling, const char *where) {
    ball_network network;
    check_ok(ball_network_make(like, coupling, &network, &why));
    ball_network_set(like, coupling, &network);
    check_true(ball_network_fit(&network, true, 128), "%s: delays", where);
    double whole[TRACES];
    for (int k = 0; k < TRACES; k++) whole[k] = trace_of(&network, k + 1, where);
    ball_neutral_find(&network);
    int modes = network.modes;
    for (int k = 0; k < TRACES; k++)
        check_near(trace_of(&network, k + 1, where) + modes, whole[k], 1e-13L * (1 + fabsl((real)whole[k])),
                   "%s: trace %d without %d equilibria", where, k, modes);
    ball_network_free(&network);
    return modes;
}
