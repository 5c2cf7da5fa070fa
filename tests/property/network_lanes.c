/* The class of a point, and all of its numbers, are the same in the lanes of vectors as alone, whatever their
 * width: random networks and couplings, along sweeps of the macro step and of a gain. */
#include "network/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_network.h"

enum { POINTS = 50 };

static rng weights; /* of extrapolations */

/* One of the named couplings, some of them by weights, a number of sweeps, relaxed, or with the area
 * correction. */
static void random_choices(rng *r, const model *m, costab_coupling *coupling) {
    *coupling = (costab_coupling){.macro_step = 1};
    int i = rng_int(r, 0, costab_coupling_count() - 3), spectral = 10;
    const char *name = costab_coupling_name(i < spectral ? i : i + 2);
    check_ok(costab_coupling_find(name, coupling, &why));
    if (coupling->scheme == COSTAB_JACOBI && rng_int(&weights, 0, 3) == 0) {
        coupling->extrapolation = (costab_hold)rng_int(&weights, COSTAB_SPECTRAL, COSTAB_TUNED_2);
        coupling->a0 = rng_uniform(&weights, -2, 2), coupling->a1 = rng_uniform(&weights, -2, 2);
        coupling->b0 = rng_uniform(&weights, -1, 1), coupling->b1 = rng_uniform(&weights, -1, 1);
    }
    bool delayed = false, memory = false;
    for (int c = 0; c < m->network.connection_count; c++) delayed = delayed || m->connections[c].delay > 0;
    for (int s = 0; s < m->network.subsystem_count; s++)
        memory = memory || m->subsystems[s].method.kind == COSTAB_BDF;
    if (coupling->scheme == COSTAB_ITERATED && rng_int(r, 0, 1) == 0) {
        coupling->iterations = rng_int(r, 1, 3);
        coupling->predictor = (costab_hold)rng_int(r, COSTAB_CONSTANT, COSTAB_QUADRATIC);
        if (rng_int(r, 0, 1) == 0) coupling->relaxation = rng_uniform(r, 0.5, 1.5);
    }
    if (coupling->scheme == COSTAB_JACOBI && coupling->extrapolation == COSTAB_CONSTANT && !delayed &&
        !memory && rng_int(r, 0, 3) == 0)
        coupling->area_correction = rng_uniform(r, 0, 1);
}

static void random_sweep(rng *r, model *m, costab_coupling *coupling) {
    static const char *const methods[] = {"euler",          "rk4",         "heun", "exact",
                                          "backward-euler", "trapezoidal", "bdf2"};
    int count = rng_int(r, 2, 5), explicit = rng_int(r, 0, 1), strided = rng_int(r, 0, 4) == 0;
    model_start(m);
    for (int s = 0; s < count; s++) {
        random_sizes sizes = {rng_int(r, 1, 3), rng_int(r, 1, 2), rng_int(r, 1, 2), rng_int(r, 1, 4), 0, 0};
        if (rng_int(r, 0, 9) == 0) sizes.feedthrough = 0.3;
        int made = random_subsystem(r, m, &sizes, methods[rng_int(r, 0, explicit != 0 ? 2 : 6)]);
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
    random_choices(r, m, coupling);
    strided = strided && coupling->extrapolation <= COSTAB_HERMITE && coupling->scheme != COSTAB_ITERATED &&
              coupling->area_correction == 0;
    for (int s = 0; s < count && strided; s++) m->subsystems[s].stride = rng_int(r, 1, 3);
}

/* Another tableau of two stages for a subsystem, in the place of the one that it has; a third of the input's
 * weight lies elsewhere. */
static void change_method(costab_subsystem *sub, double share) {
    const double place = 0.5 + share, A[] = {0, 0, place, 0}, b[] = {1 - 0.3 / place, 0.3 / place},
                 c[] = {0, place};
    check_ok(costab_method_from_tableau(2, A, b, c, &sub->method, &why));
}

typedef struct counts {
    size_t points, taken, decided, mapped, codes[256]; /* mapped: their maps were made in lanes */
    size_t numbers;                                    /* all of their numbers, not the class alone */
    size_t maps;
} counts;

/* What one width of vectors has found. */
typedef struct width {
    lanes_set set;
    costab_network_work *work;
    counts found;
} width;

static width widths[LANES_SETS]; /* those of this machine */
static int width_count;
static costab_network_work *alone; /* points one by one */

static void start(void) {
    weights = rng_start("weights in lanes");
    width_count = 0;
    check_ok(costab_network_work_create(&alone, &why));
    for (int set = 0; set < LANES_SETS; set++) {
        if (!lanes_has((lanes_set)set)) continue;
        width *w = &widths[width_count++];
        *w = (width){.set = (lanes_set)set};
        check_ok(costab_network_work_create(&w->work, &why));
        w->work->set = w->set;
    }
}

static void stop(void) {
    for (int w = 0; w < width_count; w++) costab_network_work_destroy(&widths[w].work);
    costab_network_work_destroy(&alone);
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

/* What is asked for: the class; the radius; the decay, too; all. */
typedef enum asked { CLASS, RADIUS, RATES, ALL } asked;

static network_results results_of(asked what, said *told) {
    static const unsigned bits[] = {0, NETWORK_OF_RADIUS, NETWORK_OF_RADIUS | NETWORK_OF_RATES,
                                    NETWORK_OF_RADIUS | NETWORK_OF_RATES | NETWORK_OF_MONO};
    return (network_results){.context = told, .asked = bits[what], .take = take};
}

static void compare_points(const costab_network_point *lane, const costab_network_point *one, asked what) {
    check_true(lane->class_code == one->class_code, "class %d in lanes, %d alone", lane->class_code,
               one->class_code);
    if (what == CLASS) return;
    assert_true(lane->size == one->size && lane->period == one->period && lane->neutral == one->neutral &&
                lane->motions == one->motions && lane->kept == one->kept);
    const double pairs[][2] = {{lane->spectral_radius, one->spectral_radius},
                               {lane->beyond, one->beyond},
                               {lane->rounding, one->rounding},
                               {lane->iteration_radius, one->iteration_radius},
                               {lane->decay, one->decay},
                               {lane->spectral_abscissa, one->spectral_abscissa},
                               {lane->growth, one->growth},
                               {lane->abscissa_rounding, one->abscissa_rounding}};
    static const size_t of_asked[] = {[RADIUS] = 4, [RATES] = 5, [ALL] = sizeof pairs / sizeof *pairs};
    size_t count = of_asked[what];
    for (size_t k = 0; k < count; k++)
        check_true(same_number(pairs[k][0], pairs[k][1]), "number %zu: %a in lanes, %a alone", k, pairs[k][0],
                   pairs[k][1]);
}

/* The network of a sweep at one point, and what the scalar code says of it. */
typedef struct at_point {
    const costab_network *network;
    const costab_coupling *coupling;
    bool failed;
    uint8_t code;
} at_point;

static void add_point(width *w, const at_point *at, uint64_t own, size_t tag,
                      const network_results *results) {
    bool taken = network_batch_add(w->work, at->network, at->coupling, own, tag, results);
    w->found.taken += taken;
    if (taken) return;
    uint8_t code;
    costab_error error = {0};
    assert_int_equal(costab_network_classify(w->work, at->network, at->coupling, &code, &error) != COSTAB_OK,
                     at->failed);
    if (!at->failed) assert_int_equal(code, at->code);
}

/* A sweep of some kind moves to its point i; `gain` is the first one's, `first` the first macro step. */
static void move_sweep(model *m, costab_coupling *coupling, int kind, size_t i, double first, double gain) {
    double share = (double)i / POINTS;
    coupling->macro_step = kind == 0 ? first : first * (1 + 3 * share);
    if (kind != 1 && m->network.connection_count > 0) m->connections[0].gain = gain * (0.1 + 4 * share);
    if (kind == 2) m->A[0][0] -= 0.05;
    if (kind == 3 && i % 13 == 5) change_method(&m->subsystems[0], share);
}

/* growth: how much faster than at random the first subsystem grows. */
static void sweep(rng *r, uint64_t number, double growth) {
    static model m;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    m.A[0][0] += growth;
    static costab_network_point points[POINTS];
    static said said_by[LANES_SETS];
    network_results results[LANES_SETS];
    bool failed[POINTS];
    asked what = (asked)rng_int(r, CLASS, ALL);
    for (int w = 0; w < width_count; w++) {
        memset(said_by[w].decided, 0, sizeof said_by[w].decided);
        results[w] = results_of(what, &said_by[w]);
    }
    int kind = rng_int(r, 0, 3); /* of kind 1 only the macro step moves */
    double first = fabs(rng_magnitude(r, 1e-2, 1)),
           gain = m.network.connection_count > 0 ? m.connections[0].gain : 0;
    for (size_t i = 0; i < POINTS; i++) {
        move_sweep(&m, &coupling, kind, i, first, gain);
        costab_error error = {0};
        failed[i] = costab_network_analyse(alone, &m.network, &coupling, &points[i], &error) != COSTAB_OK;
        const at_point at = {&m.network, &coupling, failed[i], points[i].class_code};
        for (int w = 0; w < width_count; w++)
            add_point(&widths[w], &at, kind == 1 ? number : 0, i, &results[w]);
    }
    for (width *w = widths; w < widths + width_count; w++) {
        const said *all = &said_by[w - widths];
        network_batch_finish(w->work, &results[w - widths]);
        for (size_t i = 0; i < POINTS; i++) {
            w->found.points++;
            if (!all->decided[i]) continue;
            assert_false(failed[i]);
            compare_points(&all->points[i], &points[i], what);
            w->found.decided++;
            w->found.numbers += what >= RADIUS;
            w->found.mapped += w->work->batch.usable;
            w->found.codes[points[i].class_code]++;
        }
    }
}

/* The maps themselves: every entry of every lane is that of the scalar code. */
static void compare_maps(rng *r) {
    static model m;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    said all = {.decided = {false}};
    const network_results results = {.context = &all, .take = take};
    costab_error error = {0};
    uint8_t code;
    for (int w = 0; w < width_count; w++)
        if (costab_network_classify(widths[w].work, &m.network, &coupling, &code, &error)) return;
    const costab_network_work *any = widths[0].work;
    double steps[LANES];
    static double maps[LANES][EIGEN_LANES_MOST * EIGEN_LANES_MOST];
    size_t count = 0, cells = (size_t)any->size * (size_t)any->size;
    for (; count < LANES - 1 && any->batch.usable; count++) { /* one lane stays free */
        steps[count] = coupling.macro_step = rng_uniform(r, 0.01, 1);
        m.A[0][0] -= 0.1 * rng_int(r, 0, 1);
        bool added = true;
        for (int w = 0; w < width_count; w++)
            added = network_batch_add(widths[w].work, &m.network, &coupling, 0, count, &results) && added;
        if (!added || costab_network_classify(alone, &m.network, &coupling, &code, &error)) break;
        memcpy(maps[count], alone->map, cells * sizeof(double));
    }
    for (int w = 0; w < width_count; w++) {
        costab_network_work *lanes = widths[w].work;
        if (count > 0) {
            for (int l = (int)count; l < LANES; l++) (void)lanes_put(lanes, l);
            lanes_take_own(lanes, lanes->batch.current.own_steps);
            lanes_make_maps(lanes, lanes->batch.current.maps, true);
        }
        for (size_t l = 0; l < count; l++)
            for (size_t e = 0; e < cells && !lanes->lanes_room->alone[l]; e++)
                check_true(lanes->batch.current.maps[e * LANES + l] == maps[l][e],
                           "entry %zu of lane %zu at H = %g", e, l, steps[l]);
        network_batch_finish(lanes, &results);
        widths[w].found.maps += count;
    }
}

/* ---- Eight points at once ---- */

/* Numbers of LANES points, each matrix in the lanes. */
typedef struct lane_numbers {
    double matrices[MODEL_PARTS][3][MODEL_STATES * MODEL_STATES * LANES], gains[MODEL_CONNECTIONS][LANES],
        steps[LANES];
    network_matrices places[MODEL_PARTS];
    const double *gain_places[MODEL_CONNECTIONS];
} lane_numbers;

static void put_point(lane_numbers *all, int lane, const model *m, double step) {
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

/* The next point: other entries, gains and macro steps, or these alone. Now and then subsystems that were
 * alike are not. */
static void move_point(rng *r, model *m, bool step_alone, double *step) {
    *step *= step_alone || rng_int(r, 0, 1) == 0 ? 1.01 : 1;
    if (step_alone) return;
    for (int s = 0; s < m->network.subsystem_count; s++)
        for (int k = 0; k < m->subsystems[s].states; k++) {
            double *diagonal = &m->A[s][k * m->subsystems[s].states + k];
            *diagonal += s > 0 && rng_int(r, 0, 9) == 0 ? rng_uniform(r, -0.3, 0.3) : 0.02;
        }
    for (int c = 0; c < m->network.connection_count; c++) m->connections[c].gain *= 1.03;
}

/* What the scalar code says of the points of a group. */
typedef struct group {
    int count;
    costab_network_point points[LANES];
    double monos[LANES][EIGEN_LANES_MOST * EIGEN_LANES_MOST];
    bool failed[LANES];
} group;

/* Their results are those of points alone, and monolithic matrices are the same, too. */
static void compare_group(width *w, const model *m, const costab_coupling *coupling,
                          const network_numbers *given, const group *by_one, asked what) {
    costab_network_work *lanes = w->work;
    said told = {.decided = {false}};
    const network_results results = results_of(what, &told);
    size_t tags[LANES], cells = (size_t)lanes->states * (size_t)lanes->states;
    for (size_t l = 0; l < LANES; l++) tags[l] = l;
    w->found.points += (size_t)by_one->count;
    if (!network_batch_group(lanes, &m->network, coupling, given, by_one->count, tags, &results)) return;
    w->found.taken += (size_t)by_one->count;
    /* Once more: what points share is known by then. */
    assert_true(network_batch_group(lanes, &m->network, coupling, given, by_one->count, tags, &results));
    network_batch_finish(lanes, &results);
    lanes_take_numbers(lanes, given);
    bool inexact[LANES] = {false};
    lanes_make_monos(lanes, lanes->batch.current.monos, inexact);
    for (int l = 0; l < by_one->count; l++) {
        const costab_network_point *point = &by_one->points[l];
        for (size_t e = 0; e < cells; e++)
            check_true(lanes->batch.current.monos[e * LANES + (size_t)l] == by_one->monos[l][e],
                       "entry %zu of lane %d", e, l);
        if (!told.decided[l]) continue;
        assert_false(by_one->failed[l]);
        compare_points(&told.points[l], point, what);
        w->found.decided++;
        w->found.codes[point->class_code]++;
    }
}

static void try_group(rng *r) {
    static model m;
    static lane_numbers all;
    static group by_one;
    costab_coupling coupling;
    random_sweep(r, &m, &coupling);
    costab_error error = {0};
    uint8_t code;
    for (int w = 0; w < width_count; w++)
        if (costab_network_classify(widths[w].work, &m.network, &coupling, &code, &error)) return;
    asked what = (asked)rng_int(r, CLASS, ALL);
    bool step_alone = rng_int(r, 0, 1) == 0;
    int states = widths[0].work->states;
    by_one.count = rng_int(r, 1, LANES);
    for (int l = 0; l < LANES; l++) {
        put_point(&all, l, &m, coupling.macro_step);
        by_one.failed[l] =
            costab_network_analyse(alone, &m.network, &coupling, &by_one.points[l], &error) != COSTAB_OK;
        memcpy(by_one.monos[l], alone->mono.matrix, (size_t)(states * states) * sizeof(double));
        if (l + 1 < by_one.count) move_point(r, &m, step_alone, &coupling.macro_step);
    }
    const network_numbers given = {all.places, all.gain_places, all.steps, step_alone};
    for (int w = 0; w < width_count; w++) compare_group(&widths[w], &m, &coupling, &given, &by_one, what);
}

TEST(test_groups) {
    rng r = rng_start("groups in lanes");
    start();
    for (size_t i = 0; i < effort(1500); i++) try_group(&r);
    for (int w = 0; w < width_count; w++) {
        const counts *found = &widths[w].found;
        printf("# %d doubles: %zu points, %zu in groups, %zu decided there\n", 2 << widths[w].set,
               found->points, found->taken, found->decided);
        assert_true(4 * found->taken > found->points && 10 * found->decided > 9 * found->taken);
        /* Of US there are three in ten thousand: with some seeds none. */
        for (int code = 0; code < 4; code++) assert_true(found->codes[code] > 0 || code == 1);
    }
    stop();
}

TEST(test_maps) {
    rng r = rng_start("maps in lanes");
    start();
    for (size_t i = 0; i < effort(2000); i++) compare_maps(&r);
    for (int w = 0; w < width_count; w++) {
        printf("# %d doubles: %zu maps\n", 2 << widths[w].set, widths[w].found.maps);
        assert_true(widths[w].found.maps > effort(2000));
    }
    stop();
}

TEST(test_lanes) {
    rng r = rng_start("classes in lanes");
    start();
    for (size_t i = 0; i < effort(1000); i++) sweep(&r, i + 1, 0);
    for (int w = 0; w < width_count; w++) {
        const counts *found = &widths[w].found;
        printf("# %d doubles: %zu points, %zu in lanes, %zu decided there, %zu with all numbers\n",
               2 << widths[w].set, found->points, found->taken, found->decided, found->numbers);
        assert_true(5 * found->decided > 4 * found->points && 4 * found->mapped > found->points &&
                    3 * found->numbers > found->points);
        for (int code = 0; code < 4; code++) assert_true(found->codes[code] > 0);
    }
    stop();
}

/* Products over a period that pass 2^200 are scaled, which lanes leave to the scalar code: also where the
 * lanes find what the continuous systems are. */
TEST(test_scaled) {
    rng r = rng_start("growth in lanes");
    start();
    for (size_t i = 0; i < effort(300); i++) sweep(&r, i + 1, 1e3);
    for (int w = 0; w < width_count; w++) {
        const counts *found = &widths[w].found;
        printf("# %d doubles: %zu points, %zu in lanes, %zu decided there\n", 2 << widths[w].set,
               found->points, found->taken, found->decided);
        assert_true(2 * found->decided > found->points);
    }
    stop();
}
