/* The class of a point, and all of its numbers, are the same in the lanes of vectors as alone, whatever their
 * width: random networks and couplings, along sweeps of the macro step and of a gain. */
#include "network/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network/words.h"
#include "random_network.h"

enum { POINTS = 50 };

static rng weights; /* of extrapolations */

/* The members of costab_coupling that some coupling set. */
static bool chosen[COUPLING_CHOICE_COUNT];

static void note_choices(const costab_coupling *coupling) {
#define WORD(member, words, count) NUMBER(member)
#define NUMBER(member)             chosen[COUPLING_OF_##member] = chosen[COUPLING_OF_##member] || coupling->member != 0;
    COUPLING_CHOICES(WORD, NUMBER, NUMBER)
#undef WORD
#undef NUMBER
}

/* micro_steps: test_fixed_micro_steps. */
static void check_choices(void) {
#define WORD(member, words, count) NUMBER(member)
#define NUMBER(member)                                                                                       \
    check_true(chosen[COUPLING_OF_##member] || COUPLING_OF_##member == COUPLING_OF_micro_steps,              \
               "no coupling sets " #member ": set it in random_choices; sweeps analyse most points by "      \
               "network/lanes_map.c, which must compute it, too");
    COUPLING_CHOICES(WORD, NUMBER, NUMBER)
#undef WORD
#undef NUMBER
}

/* One of the named couplings, some of them by weights, a number of sweeps, relaxed, smoothed, in another
 * order, or with the area correction. */
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
    if (coupling->scheme == COSTAB_JACOBI && !delayed && !memory && rng_int(r, 0, 3) == 0) {
        coupling->extrapolation = COSTAB_CONSTANT;
        coupling->area_correction = rng_uniform(r, 0, 1);
    }
    coupling->smoothed = coupling->extrapolation <= COSTAB_HERMITE && coupling->area_correction == 0 &&
                         rng_int(&weights, 0, 3) == 0;
    static int order[MODEL_PARTS];
    random_order(&weights, m->network.subsystem_count, order);
    if (coupling->scheme == COSTAB_GAUSS_SEIDEL && rng_int(&weights, 0, 1) == 0) coupling->order = order;
    note_choices(coupling);
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
              coupling->area_correction == 0 &&
              !(coupling->smoothed && coupling->scheme == COSTAB_GAUSS_SEIDEL);
    for (int s = 0; s < count && strided; s++) m->subsystems[s].stride = rng_int(r, 1, 3);
}

/* Another tableau of two stages for a subsystem, in place of its method; a third of the input's
 * weight lies elsewhere. */
static void change_method(costab_subsystem *sub, double share) {
    const double place = 0.5 + share, A[] = {0, 0, place, 0}, b[] = {1 - 0.3 / place, 0.3 / place},
                 c[] = {0, place};
    check_ok(costab_method_from_tableau(2, A, b, c, &sub->method, &why));
}

typedef struct counts {
    size_t points, taken, decided, codes[256];
    size_t numbers; /* all of their numbers, not the class alone */
} counts;

/* Results with one vector width. */
typedef struct width {
    costab_network_work *work;
    counts found;
} width;

static width widths[3]; /* those of this machine: 2, 4, 8 */
static int width_count;
static costab_network_work *alone; /* points one by one */

static void start(void) {
    weights = rng_start("weights in lanes");
    width_count = 0;
    check_ok(costab_network_work_create(&alone, &why));
    for (int points = 2; points <= LANES_MOST; points *= 2) {
        if (!lanes_has(points)) continue;
        width *w = &widths[width_count++];
        *w = (width){.work = NULL};
        check_ok(costab_network_work_create(&w->work, &why));
        lanes_choose(w->work, points);
    }
}

static void stop(void) {
    for (int w = 0; w < width_count; w++) costab_network_work_destroy(&widths[w].work);
    costab_network_work_destroy(&alone);
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Requested fields: the class; the radius; the decay, too; all. */
typedef enum asked { CLASS, RADIUS, RATES, ALL } asked;

static const unsigned asked_bits[] = {0, NETWORK_OF_RADIUS, NETWORK_OF_RADIUS | NETWORK_OF_RATES,
                                      NETWORK_OF_RADIUS | NETWORK_OF_RATES | NETWORK_OF_MONO};

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

/* ---- Batches ---- */

/* Numbers of LANES_MOST points, or of a batch of them. */
typedef struct lane_numbers {
    _Alignas(64) double matrices[MODEL_PARTS][4][MODEL_STATES * MODEL_STATES * LANES_MOST];
    _Alignas(64) double gains[MODEL_CONNECTIONS][LANES_MOST], steps[LANES_MOST];
    network_matrices places[MODEL_PARTS];
    const double *gain_places[MODEL_CONNECTIONS];
} lane_numbers;

static void put_point(lane_numbers *all, int lane, const model *m, double step) {
    all->steps[lane] = step;
    for (int c = 0; c < m->network.connection_count; c++) all->gains[c][lane] = m->connections[c].gain;
    for (int s = 0; s < m->network.subsystem_count; s++) {
        const costab_subsystem *sub = &m->subsystems[s];
        const double *const from[4] = {m->A[s], m->B[s], m->C[s], m->D[s]};
        int cells[4] = {sub->states * sub->states, sub->states * sub->inputs, sub->outputs * sub->states,
                        sub->outputs * sub->inputs};
        for (int k = 0; k < 4; k++)
            for (int e = 0; e < cells[k]; e++) all->matrices[s][k][e * LANES_MOST + lane] = from[k][e];
    }
}

static void take_lanes(const double *all, int first, int points, int count, double *batch) {
    for (int e = 0; e < count; e++)
        for (int l = 0; l < points; l++) batch[e * points + l] = all[e * LANES_MOST + first + l];
}

/* The batch of `points` points from point `first` on. */
static network_numbers take_batch(const lane_numbers *all, const model *m, int first, int points,
                                  uint64_t shared) {
    static lane_numbers batch;
    for (int s = 0; s < m->network.subsystem_count; s++) {
        double(*to)[MODEL_STATES * MODEL_STATES * LANES_MOST] = batch.matrices[s];
        for (int k = 0; k < 4; k++)
            take_lanes(all->matrices[s][k], first, points, MODEL_STATES * MODEL_STATES, to[k]);
        batch.places[s] = (network_matrices){to[0], to[1], to[2], m->subsystems[s].D != NULL ? to[3] : NULL};
    }
    for (int c = 0; c < m->network.connection_count; c++) {
        take_lanes(all->gains[c], first, points, 1, batch.gains[c]);
        batch.gain_places[c] = batch.gains[c];
    }
    take_lanes(all->steps, first, points, 1, batch.steps);
    return (network_numbers){batch.places, batch.gain_places, batch.steps, shared};
}

/* The scalar code's results for the points of a group. */
typedef struct group {
    int count;
    costab_network_point points[LANES_MOST];
    double monos[LANES_MOST][EIGEN_LANES_MOST * EIGEN_LANES_MOST],
        maps[LANES_MOST][EIGEN_LANES_MOST * EIGEN_LANES_MOST];
    bool failed[LANES_MOST];
} group;

static void analyse_one(group *by_one, int lane, const model *m, const costab_coupling *coupling) {
    costab_error error = {0};
    by_one->failed[lane] =
        costab_network_analyse(alone, &m->network, coupling, &by_one->points[lane], &error) != COSTAB_OK;
    if (by_one->failed[lane] || alone->size > EIGEN_LANES_MOST || alone->halves > 1) return;
    memcpy(by_one->monos[lane], alone->mono.matrix, (size_t)(alone->states * alone->states) * sizeof(double));
    memcpy(by_one->maps[lane], alone->map, (size_t)(alone->size * alone->size) * sizeof(double));
}

static void compare_matrices(int count, const double *lanes, int lane, int n, const double *one,
                             const char *what) {
    for (int e = 0; e < n * n; e++)
        check_true(lanes[e * count + lane] == one[e], "%s: entry %d of lane %d", what, e, lane);
}

/* Points, maps and monolithic matrices are those of points alone: of a batch from point `first` on. */
static void compare_batch(width *w, const model *m, const costab_coupling *coupling,
                          const network_numbers *given, const group *by_one, int first, asked what) {
    costab_network_work *lanes = w->work;
    costab_network_point points[LANES_MOST];
    bool decided[LANES_MOST];
    const int left = by_one->count - first, count = left < lanes->width ? left : lanes->width;
    w->found.points += (size_t)count;
    if (!network_run_lanes(lanes, &m->network, coupling, given, count, asked_bits[what], points, decided))
        return;
    w->found.taken += (size_t)count;
    for (int l = 0; l < count; l++) {
        const int i = first + l;
        if (!by_one->failed[i] && !lanes->lanes_space->alone[l]) {
            if (given->shared == 0)
                compare_matrices(lanes->width, lanes->batch.monos, l, lanes->states, by_one->monos[i],
                                 "A_mono");
            if (lanes->period == 1)
                compare_matrices(lanes->width, lanes->batch.maps, l, lanes->size, by_one->maps[i], "map");
        }
        if (!decided[l]) continue;
        assert_false(by_one->failed[i]);
        compare_points(&points[l], &by_one->points[i], what);
        w->found.decided++;
        w->found.numbers += what >= RADIUS;
        w->found.codes[points[l].class_code]++;
    }
}

/* Those of a group in batches of each width. */
static void compare_group(const lane_numbers *all, const model *m, const costab_coupling *coupling,
                          const group *by_one, uint64_t shared, asked what) {
    for (width *w = widths; w < widths + width_count; w++)
        for (int first = 0; first < by_one->count; first += w->work->width) {
            const network_numbers given = take_batch(all, m, first, w->work->width, shared);
            compare_batch(w, m, coupling, &given, by_one, first, what);
        }
}

/* A sweep of some kind moves to its point i; `gain` is the first one's, `first` the first macro step. Returns
 * whether the structure changes. */
static bool move_sweep(model *m, costab_coupling *coupling, int kind, int i, double first, double gain) {
    double share = (double)i / POINTS;
    coupling->macro_step = kind == 0 ? first : first * (1 + 3 * share);
    if (kind != 1 && m->network.connection_count > 0) m->connections[0].gain = gain * (0.1 + 4 * share);
    if (kind == 2) m->A[0][0] -= 0.05;
    bool changes = kind == 3 && i % (3 * LANES_MOST) == LANES_MOST;
    if (changes) change_method(&m->subsystems[0], share);
    return changes || i == 0;
}

/* growth: how much faster than at random the first subsystem grows. */
static void sweep(rng *r, uint64_t version, double growth) {
    static model m;
    static lane_numbers all;
    static group by_one;
    costab_coupling coupling;
    static uint64_t structures;
    random_sweep(r, &m, &coupling);
    m.A[0][0] += growth;
    asked what = (asked)rng_int(r, CLASS, ALL);
    int kind = rng_int(r, 0, 3); /* of kind 1 only the macro step moves */
    double first = fabs(rng_magnitude(r, 1e-2, 1)),
           gain = m.network.connection_count > 0 ? m.connections[0].gain : 0;
    for (int i = 0; i < POINTS; i += LANES_MOST) {
        by_one.count = POINTS - i < LANES_MOST ? POINTS - i : LANES_MOST;
        for (int l = 0; l < LANES_MOST; l++) {
            if (l < by_one.count && move_sweep(&m, &coupling, kind, i + l, first, gain))
                m.network.structure_version = ++structures;
            put_point(&all, l, &m, coupling.macro_step);
            analyse_one(&by_one, l, &m, &coupling);
        }
        compare_group(&all, &m, &coupling, &by_one, kind == 1 ? version : 0, what);
    }
}

TEST(test_lanes) {
    rng r = rng_start("classes in lanes");
    start();
    for (size_t i = 0; i < effort(200); i++) sweep(&r, i + 1, i % 4 == 0 ? 30 : 0); /* growth: for class US */
    for (int w = 0; w < width_count; w++) {
        const counts *found = &widths[w].found;
        printf("# %d doubles: %zu points, %zu in lanes, %zu decided there, %zu with all numbers\n",
               widths[w].work->width, found->points, found->taken, found->decided, found->numbers);
        assert_true(5 * found->decided > 4 * found->points && 3 * found->numbers > found->points);
        for (int code = 0; code < 4; code++) assert_true(found->codes[code] >= effort_least(1));
    }
    if (effort_least(1) > 0) check_choices(); /* enough couplings */
    stop();
}

/* Products over a period that pass 2^200 are scaled, which lanes leave to the scalar code: also where the
 * lanes find what the continuous systems are. */
TEST(test_scaled) {
    rng r = rng_start("growth in lanes");
    start();
    for (size_t i = 0; i < effort(60); i++) sweep(&r, i + 1, 1e3);
    for (int w = 0; w < width_count; w++) {
        const counts *found = &widths[w].found;
        printf("# %d doubles: %zu points, %zu in lanes, %zu decided there\n", widths[w].work->width,
               found->points, found->taken, found->decided);
        assert_true(2 * found->decided > found->points);
    }
    stop();
}

/* Micro steps of 1 ms in macro steps of 4 to 11 ms: each lane has its own number of them. */
TEST(test_fixed_micro_steps) {
    static model m;
    static lane_numbers all;
    static group by_one = {.count = LANES_MOST};
    costab_coupling coupling = {.macro_step = 0.004};
    start();
    model_start(&m);
    for (int i = 0; i < 2; i++) {
        (void)model_scalar(&m, -40 - 7 * i, 1, 30 + i, i == 0 ? "rk4" : "trapezoidal", 0, 0.001);
        model_connect(&m, i, 0, 1 - i, 0, i == 0 ? 20 : -25, 0);
    }
    for (int l = 0; l < LANES_MOST; l++) {
        coupling.macro_step = 0.001 * (4 + l);
        put_point(&all, l, &m, coupling.macro_step);
        analyse_one(&by_one, l, &m, &coupling);
    }
    compare_group(&all, &m, &coupling, &by_one, 0, ALL);
    for (int w = 0; w < width_count; w++) assert_int_equal(widths[w].found.decided, LANES_MOST);
    stop();
}
