/* Long linear runs go by their map: on random networks with random choices the rows are those of a run that
 * takes every micro step (it is asked for the rows of micro steps, too), and so is where a run ends that
 * diverges. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "network/history.h"
#include "support/play_setting.h"

enum { ROWS = 40000, STEPS = 60 };

typedef struct rows {
    double value[ROWS], time[ROWS];
    int count;
} rows;

static bool keep(void *context, const costab_row *row) {
    rows *r = (rows *)context;
    if (!row->communication) return true;
    if (r->count == ROWS) return false;
    r->time[r->count] = row->t;
    r->value[r->count++] = row->value;
    return true;
}

static costab_status run(costab_network_simulator *h, const setting *s, double limit, bool local, rows *r,
                         costab_simulate_outcome *outcome) {
    costab_error error = {0};
    int64_t steps = STEPS + 5 * (int64_t)s->point.size;
    costab_simulate_options options = {
        .until = (double)steps * s->c.macro_step, .local = local, .blow_up = limit};
    r->count = 0;
    return costab_network_simulator_run(h, &s->m.network, &s->c, &options, keep, r, outcome, &error);
}

/* Each macro step rounds by some n eps of the largest number; what is off follows the map, whose powers are
 * larger than the numbers of this run by no more than GROWTH (else the comparison fails), and adds up over
 * the steps. */
#define GROWTH 1e4

static int compare(const setting *s, const rows *a, const rows *b) {
    double most = 0;
    int n = s->point.size + 20;
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        most = fmax(most, fabs(b->value[i]));
        double steps = b->time[i] / s->c.macro_step + 1;
        double bound = steps * n * DBL_EPSILON * GROWTH * most;
        assert_true(a->time[i] == b->time[i]);
        check_near(a->value[i], b->value[i], (real)bound, "%s: row %d", s->where, i);
    }
    return most > 0;
}

static void test_long(void **state) {
    (void)state;
    rng r = rng_start("network, long");
    costab_network_work *work = NULL;
    costab_network_simulator *h = NULL;
    costab_error error = {0};
    static setting s;
    static rows mapped, stepped;
    int maps = 0, moved = 0, diverged = 0;
    check_status(costab_network_work_create(&work, &error), &error);
    check_status(costab_network_simulator_create(&h, &error), &error);
    for (int turn = 0; turn < (int)effort(120); turn++) {
        costab_simulate_outcome one, two;
        random_setting(&r, work, 0.3, false, &s);
        if (s.c.micro_steps == COSTAB_REAL_POWER) continue;
        for (int k = 0; k < s.m.network.subsystem_count; k++)
            for (int i = 0; i < MODEL_STATES; i++) s.m.x0[k][i] = rng_uniform(&r, -1, 1);
        double limit = s.point.spectral_radius > 1 ? 1e6 : 1e100;
        costab_status status = run(h, &s, limit, false, &mapped, &one);
        bool known = h->map.known;
        assert_int_equal(run(h, &s, limit, true, &stepped, &two), status);
        assert_false(h->map.known);
        if (status || !known) continue;
        maps++;
        moved += compare(&s, &mapped, &stepped);
        diverged += one.diverged;
        assert_true(one.diverged == two.diverged && one.macro_steps == two.macro_steps &&
                    one.subsystem == two.subsystem);
    }
    assert_true(maps > 10 && moved > maps / 2 && diverged > 0);
    costab_network_simulator_destroy(&h);
    costab_network_work_destroy(&work);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
