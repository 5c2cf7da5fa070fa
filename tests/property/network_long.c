/* Linear subsystems take all micro steps of a macro step at once if no rows are wanted: on random
 * networks with random choices each macro step ends where one of single micro steps does (which a run takes
 * if their rows are wanted), and a run that diverges ends at the same one, by the same subsystem. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "network/history.h"
#include "support/random_setting.h"

enum { STEPS = 60 };

static bool ignore(void *context, const costab_row *row) {
    (void)context;
    (void)row;
    return true;
}

static costab_simulate_options options_of(const setting *s, double limit, bool local) {
    return (costab_simulate_options){.until = STEPS * s->c.macro_step, .local = local, .blow_up = limit};
}

/* Both differ by the rounding of their sums, whose terms come from repeated squaring. */
#define ROUNDING 1e3

/* The largest sum of a row's moduli. */
static double norm_of_map(costab_network_work *work, int size) {
    const double *map, *imaginary;
    double most = 0;
    costab_network_matrix(work, &map, &imaginary);
    for (int i = 0; i < size; i++) {
        double sum = 0;
        for (int j = 0; j < size; j++) sum += fabs(map[i * size + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* Each macro step from where the last one ended, by both. Returns how many moved anything. */
static int compare_steps(costab_network_simulator *one, costab_network_simulator *whole, const setting *s,
                         double norm) {
    costab_simulate_outcome outcome = {0}, other = {0};
    costab_simulate_options options = options_of(s, 1e100, true);
    int size = s->point.size, moved = 0;
    check_ok(history_start(one, &s->m.network, &s->c, &options, &why));
    options.local = false;
    check_ok(history_start(whole, &s->m.network, &s->c, &options, &why));
    for (int64_t last = 1; last <= one->points; last++) {
        double most = 0;
        if (last > 1) memcpy(whole->state, one->state, (size_t)size * sizeof(double));
        for (int i = 0; i < size; i++) most = fmax(most, fabs(one->state[i]));
        if (!(most < 1e30)) break;
        check_ok(history_continue(one, last, ignore, NULL, &outcome, &why));
        check_ok(history_continue(whole, last, ignore, NULL, &other, &why));
        for (int i = 0; i < size; i++)
            check_near(whole->state[i], one->state[i], (real)(ROUNDING * DBL_EPSILON * (1 + norm) * most),
                       "%s: step %d, entry %d", s->where, (int)last, i);
        moved += most > 0;
    }
    return moved;
}

static costab_status run(costab_network_simulator *h, const setting *s, double limit, bool local,
                         costab_simulate_outcome *outcome) {
    costab_error error = {0};
    costab_simulate_options options = options_of(s, limit, local);
    return costab_network_simulator_run(h, &s->m.network, &s->c, &options, ignore, NULL, outcome, &error);
}

TEST(test_long) {
    rng r = rng_start("network, long");
    costab_network_work *work = work_open();
    costab_network_simulator *one = NULL, *whole = NULL;
    static setting s;
    int runs = 0, moved = 0, diverged = 0;
    check_ok(costab_network_simulator_create(&one, &why));
    check_ok(costab_network_simulator_create(&whole, &why));
    for (int turn = 0; turn < (int)effort(200); turn++) {
        costab_simulate_outcome first, second;
        random_setting(&r, work, 0.3, false, &s);
        bool solved = s.c.scheme == COSTAB_ITERATED && s.c.iterations <= 0;
        if (s.c.micro_steps == COSTAB_REAL_POWER || s.point.period > 1) continue;
        if (solved && s.point.iteration_radius > 0.8) continue;
        for (int k = 0; k < s.m.network.subsystem_count; k++)
            for (int i = 0; i < MODEL_STATES; i++) s.m.x0[k][i] = rng_uniform(&r, -1, 1);
        double limit = s.point.spectral_radius > 1 ? 1e6 : 1e100;
        costab_status status = run(one, &s, limit, true, &first);
        assert_int_equal(run(whole, &s, limit, false, &second), status);
        if (status) continue;
        assert_true(first.diverged == second.diverged && first.macro_steps == second.macro_steps &&
                    first.subsystem == second.subsystem);
        diverged += first.diverged;
        moved += compare_steps(one, whole, &s, norm_of_map(work, s.point.size)) > 0;
        runs++;
    }
    printf("# %d runs, %d of them moved, %d diverged\n", runs, moved, diverged);
    assert_true((size_t)runs >= effort_least(60) && moved > runs / 2 && diverged > 0);
    costab_network_simulator_destroy(&one);
    costab_network_simulator_destroy(&whole);
    costab_network_work_destroy(&work);
}
