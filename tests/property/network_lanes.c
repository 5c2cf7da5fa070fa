/* The class of a point, and all of its numbers, are the same in the lanes of vectors as alone, whatever their
 * width: random networks and couplings, along sweeps of the macro step and of a gain. */
#include "network/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_network.h"

enum { POINTS = 50 };

static void random_sweep(rng *r, model *m, costab_coupling *coupling) {
    static const char *const methods[] = {"euler", "rk4", "heun", "exact", "backward-euler", "trapezoidal"};
    static const char *const couplings[] = {"jacobi",           "jacobi-extrapolated",
                                            "gauss-seidel",     "gauss-seidel-linear",
                                            "jacobi-quadratic", "iterated",
                                            "jacobi-solved",    "gauss-seidel-linear-smoothed"};
    int count = rng_int(r, 2, 5), explicit = rng_int(r, 0, 1);
    model_start(m);
    for (int s = 0; s < count; s++) {
        random_sizes sizes = {rng_int(r, 1, 3), rng_int(r, 1, 2), rng_int(r, 1, 2), rng_int(r, 1, 4), 0, 0};
        if (rng_int(r, 0, 9) == 0) sizes.feedthrough = 0.3;
        int made = random_subsystem(r, m, &sizes, methods[rng_int(r, 0, explicit != 0 ? 2 : 5)]);
        costab_subsystem *sub = &m->subsystems[made];
        if (sizes.feedthrough == 0) sub->D = NULL;
        double damping = rng_uniform(r, 0, 3);
        for (int k = 0; k < sub->states; k++) m->A[made][k * sub->states + k] -= damping;
        if (made == 0 || rng_int(r, 0, 3) > 0) continue;
        /* One that is like the first, in all or in part. */
        if (sub->states != m->subsystems[0].states || sub->inputs != m->subsystems[0].inputs) continue;
        memcpy(m->A[made], m->A[0], sizeof m->A[0]);
        if (rng_int(r, 0, 1) == 0) memcpy(m->B[made], m->B[0], sizeof m->B[0]);
        sub->method = m->subsystems[0].method;
        sub->substeps = m->subsystems[0].substeps;
    }
    random_connections(r, m, rng_int(r, 1, 8), rng_int(r, 0, 2));
    costab_error error = {0};
    *coupling = (costab_coupling){.macro_step = 1};
    check_status(costab_coupling_find(couplings[rng_int(r, 0, 7)], coupling, &error), &error);
}

/* Another tableau of two stages for a subsystem, in the place of the one that it has; a third of the input's
 * weight lies elsewhere. */
static void change_method(costab_subsystem *sub, double share) {
    const double place = 0.5 + share, A[] = {0, 0, place, 0}, b[] = {1 - 0.3 / place, 0.3 / place},
                 c[] = {0, place};
    costab_error error = {0};
    check_status(costab_method_from_tableau(2, A, b, c, &sub->method, &error), &error);
}

/* What the lanes have said of the points of a sweep. */
typedef struct said {
    bool decided[POINTS];
    costab_network_point points[POINTS];
} said;

static void take(void *context, size_t tag, const costab_network_point *point) {
    said *all = context;
    all->decided[tag] = point != NULL;
    if (point != NULL) all->points[tag] = *point;
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void compare_points(const costab_network_point *lane, const costab_network_point *alone,
                           bool numbers) {
    check_true(lane->class_code == alone->class_code, "class %d in lanes, %d alone", lane->class_code,
               alone->class_code);
    if (!numbers) return;
    assert_true(lane->size == alone->size && lane->period == alone->period &&
                lane->neutral == alone->neutral && lane->motions == alone->motions &&
                lane->kept == alone->kept);
    const double pairs[][2] = {{lane->spectral_radius, alone->spectral_radius},
                               {lane->beyond, alone->beyond},
                               {lane->rounding, alone->rounding},
                               {lane->iteration_radius, alone->iteration_radius},
                               {lane->spectral_abscissa, alone->spectral_abscissa},
                               {lane->growth, alone->growth},
                               {lane->decay, alone->decay},
                               {lane->abscissa_rounding, alone->abscissa_rounding}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        check_true(same_number(pairs[k][0], pairs[k][1]), "number %zu: %a in lanes, %a alone", k, pairs[k][0],
                   pairs[k][1]);
}

typedef struct counts {
    size_t points, taken, decided, mapped, codes[256]; /* mapped: their maps were made in lanes */
    size_t numbers;                                    /* all of their numbers, not the class alone */
    uint64_t sweeps;
} counts;

static void sweep(rng *r, costab_network_work *lanes, costab_network_work *alone, counts *found) {
    static model m;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    static costab_network_point points[POINTS];
    bool failed[POINTS], numbers = rng_int(r, 0, 1) == 0;
    said all = {.decided = {false}};
    const network_results results = {.context = &all, .numbers = numbers, .take = take};
    int kind = rng_int(r, 0, 3);
    uint64_t own = ++found->sweeps; /* of kind 1 only the macro step moves */
    double first = fabs(rng_magnitude(r, 1e-2, 1)),
           gain = m.network.connection_count > 0 ? m.connections[0].gain : 0;
    for (size_t i = 0; i < POINTS; i++) {
        double share = (double)i / POINTS;
        coupling.macro_step = kind == 0 ? first : first * (1 + 3 * share);
        if (kind != 1 && m.network.connection_count > 0) m.connections[0].gain = gain * (0.1 + 4 * share);
        if (kind == 2) m.A[0][0] -= 0.05;
        if (kind == 3 && i % 13 == 5) change_method(&m.subsystems[0], share);
        costab_error error = {0};
        failed[i] = costab_network_analyse(alone, &m.network, &coupling, &points[i], &error) != COSTAB_OK;
        bool taken = network_batch_add(lanes, &m.network, &coupling, kind == 1 ? own : 0, i, &results);
        found->taken += taken;
        if (taken) continue;
        uint8_t scalar;
        assert_int_equal(costab_network_classify(lanes, &m.network, &coupling, &scalar, &error) != COSTAB_OK,
                         failed[i]);
        if (!failed[i]) assert_int_equal(scalar, points[i].class_code);
    }
    network_batch_finish(lanes, &results);
    for (size_t i = 0; i < POINTS; i++) {
        found->points++;
        if (!all.decided[i]) continue;
        assert_false(failed[i]);
        compare_points(&all.points[i], &points[i], numbers);
        found->decided++;
        found->numbers += numbers;
        found->mapped += lanes->batch.mapped;
        found->codes[points[i].class_code]++;
    }
}

/* The maps themselves: every entry of every lane is that of the scalar code. */
static size_t compare_maps(rng *r, costab_network_work *lanes, costab_network_work *alone) {
    static model m;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    said all = {.decided = {false}};
    const network_results results = {.context = &all, .take = take};
    costab_error error = {0};
    uint8_t code;
    if (costab_network_classify(lanes, &m.network, &coupling, &code, &error)) return 0;
    double steps[LANES];
    static double maps[LANES][EIGEN_LANES_MOST * EIGEN_LANES_MOST];
    size_t count = 0, cells = (size_t)lanes->size * (size_t)lanes->size;
    for (; count < LANES - 1 && lanes->batch.mapped; count++) { /* one lane stays free */
        steps[count] = coupling.macro_step = rng_uniform(r, 0.01, 1);
        m.A[0][0] -= 0.1 * rng_int(r, 0, 1);
        if (!network_batch_add(lanes, &m.network, &coupling, 0, count, &results)) break;
        if (costab_network_classify(alone, &m.network, &coupling, &code, &error)) break;
        memcpy(maps[count], alone->map, cells * sizeof(double));
    }
    if (count > 0) {
        batch_fill_up(lanes);
        batch_take_own(lanes);
        batch_make_maps(lanes);
    }
    for (size_t l = 0; l < count; l++)
        for (size_t e = 0; e < cells; e++)
            check_true(lanes->batch.now.maps[e * LANES + l] == maps[l][e], "entry %zu of lane %zu at H = %g",
                       e, l, steps[l]);
    network_batch_finish(lanes, &results);
    return count;
}

/* ---- Eight points at once ---- */

/* Numbers of LANES points, each matrix in the lanes. */
typedef struct numbers {
    double matrices[MODEL_PARTS][3][MODEL_STATES * MODEL_STATES * LANES], gains[MODEL_CONNECTIONS][LANES],
        steps[LANES];
    network_matrices places[MODEL_PARTS];
    const double *gain_places[MODEL_CONNECTIONS];
} numbers;

static void put_point(numbers *all, int lane, const model *m, double step) {
    all->steps[lane] = step;
    for (int c = 0; c < m->network.connection_count; c++) {
        all->gains[c][lane] = m->connections[c].gain;
        all->gain_places[c] = all->gains[c];
    }
    for (int s = 0; s < m->network.subsystem_count; s++) {
        const costab_subsystem *sub = &m->subsystems[s];
        const double *const from[3] = {m->A[s], m->B[s], m->C[s]};
        int cells[3] = {sub->states * sub->states, sub->states * sub->inputs, sub->outputs * sub->states};
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < cells[k]; e++) all->matrices[s][k][e * LANES + lane] = from[k][e];
        all->places[s] = (network_matrices){all->matrices[s][0], all->matrices[s][1], all->matrices[s][2]};
    }
}

/* The next point: other entries, gains and macro steps. Now and then subsystems that were alike are not. */
static void move_point(rng *r, model *m, double *step) {
    for (int s = 0; s < m->network.subsystem_count; s++)
        for (int k = 0; k < m->subsystems[s].states; k++) {
            double *diagonal = &m->A[s][k * m->subsystems[s].states + k];
            *diagonal += s > 0 && rng_int(r, 0, 9) == 0 ? rng_uniform(r, -0.3, 0.3) : 0.02;
        }
    for (int c = 0; c < m->network.connection_count; c++) m->connections[c].gain *= 1.03;
    *step *= rng_int(r, 0, 1) == 0 ? 1.01 : 1;
}

/* Their results are those of points alone, and monolithic matrices are the same, too. */
static void compare_group(rng *r, costab_network_work *lanes, costab_network_work *alone, counts *found) {
    static model m;
    static numbers all;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    costab_error error = {0};
    uint8_t code;
    if (costab_network_classify(lanes, &m.network, &coupling, &code, &error)) return;
    said told = {.decided = {false}};
    const network_results results = {.context = &told, .numbers = rng_int(r, 0, 1) == 0, .take = take};
    int count = rng_int(r, 1, LANES);
    costab_network_point points[LANES];
    static double monos[LANES][EIGEN_LANES_MOST * EIGEN_LANES_MOST];
    bool failed[LANES];
    size_t tags[LANES], cells = (size_t)lanes->states * (size_t)lanes->states;
    for (int l = 0; l < LANES; l++) {
        tags[l] = (size_t)l;
        put_point(&all, l, &m, coupling.macro_step);
        failed[l] = costab_network_analyse(alone, &m.network, &coupling, &points[l], &error) != COSTAB_OK;
        memcpy(monos[l], alone->mono, cells * sizeof(double));
        if (l + 1 < count) move_point(r, &m, &coupling.macro_step);
    }
    const network_numbers given = {all.places, all.gain_places, all.steps};
    found->points += (size_t)count;
    if (!network_batch_group(lanes, &m.network, &coupling, &given, count, tags, &results)) return;
    found->taken += (size_t)count;
    network_batch_finish(lanes, &results);
    batch_take_numbers(lanes, &given);
    batch_make_monos(lanes);
    for (int l = 0; l < count; l++) {
        for (size_t e = 0; e < cells; e++)
            check_true(lanes->batch.now.monos[e * LANES + (size_t)l] == monos[l][e], "entry %zu of lane %d",
                       e, l);
        if (!told.decided[l]) continue;
        assert_false(failed[l]);
        compare_points(&told.points[l], &points[l], results.numbers);
        found->decided++;
        found->codes[points[l].class_code]++;
    }
}

static void test_groups(void **state) {
    (void)state;
    costab_error error = {0};
    for (int set = 0; set < LANES_SETS; set++) {
        if (!lanes_has((lanes_set)set)) continue;
        rng r = rng_start("groups in lanes");
        costab_network_work *lanes, *alone;
        check_status(costab_network_work_create(&lanes, &error), &error);
        check_status(costab_network_work_create(&alone, &error), &error);
        lanes->set = (lanes_set)set;
        counts found = {.points = 0};
        for (size_t i = 0; i < effort(1500); i++) compare_group(&r, lanes, alone, &found);
        printf("# %d doubles: %zu points, %zu in groups, %zu decided there\n", 2 << set, found.points,
               found.taken, found.decided);
        assert_true(4 * found.taken > found.points && 10 * found.decided > 9 * found.taken);
        for (int one = 0; one < 4; one++) assert_true(found.codes[one] > 0);
        costab_network_work_destroy(&lanes);
        costab_network_work_destroy(&alone);
    }
}

static void test_maps(void **state) {
    (void)state;
    costab_error error = {0};
    for (int set = 0; set < LANES_SETS; set++) {
        if (!lanes_has((lanes_set)set)) continue;
        rng r = rng_start("maps in lanes");
        costab_network_work *lanes, *alone;
        check_status(costab_network_work_create(&lanes, &error), &error);
        check_status(costab_network_work_create(&alone, &error), &error);
        lanes->set = (lanes_set)set;
        size_t maps = 0;
        for (size_t i = 0; i < effort(2000); i++) maps += compare_maps(&r, lanes, alone);
        printf("# %d doubles: %zu maps\n", 2 << set, maps);
        assert_true(maps > effort(2000));
        costab_network_work_destroy(&lanes);
        costab_network_work_destroy(&alone);
    }
}

static void test_lanes(void **state) {
    (void)state;
    costab_error error = {0};
    for (int set = 0; set < LANES_SETS; set++) {
        if (!lanes_has((lanes_set)set)) continue;
        rng r = rng_start("classes in lanes");
        costab_network_work *lanes, *alone;
        check_status(costab_network_work_create(&lanes, &error), &error);
        check_status(costab_network_work_create(&alone, &error), &error);
        lanes->set = (lanes_set)set;
        counts found = {.points = 0};
        for (size_t i = 0; i < effort(1000); i++) sweep(&r, lanes, alone, &found);
        printf("# %d doubles: %zu points, %zu in lanes, %zu decided there, %zu with all numbers\n", 2 << set,
               found.points, found.taken, found.decided, found.numbers);
        assert_true(5 * found.decided > 4 * found.points && 4 * found.mapped > found.points &&
                    3 * found.numbers > found.points);
        for (int code = 0; code < 4; code++) assert_true(found.codes[code] > 0);
        costab_network_work_destroy(&lanes);
        costab_network_work_destroy(&alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_maps), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
