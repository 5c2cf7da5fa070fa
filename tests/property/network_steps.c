/* Sequences of macro steps of several lengths, on random networks with random choices: the maps in
 * coordinates that depend on fewer lengths, along the places of a graph, against products of the maps after
 * steps of other lengths. cli/pattern.py and cli/turns.py hold the latter against macro steps in NumPy. */
#include <math.h>

#include "network/work.h"
#include "pattern/step_graph.h"
#include "support/random_setting.h"

enum { LARGEST = 400, LIST = 3, WORD = 7, PAST = 64 };

/* Steps of a list, in the order of a word that is repeated for ever. */
typedef struct sequence {
    double list[LIST];
    int count;
    int taken[PAST + WORD];   /* before and at macro step n: [n + PAST] */
    double lengths[PAST / 2]; /* room for those seen from a step */
    network_past past;
} sequence;

static void choose_steps(rng *r, double longest, sequence *s) {
    s->count = rng_int(r, 1, LIST);
    for (int i = 0; i < s->count; i++) s->list[i] = longest * rng_uniform(r, 0.35, 1);
    s->past.shortest = s->list[0];
    for (int i = 1; i < s->count; i++) s->past.shortest = fmin(s->past.shortest, s->list[i]);
}

/* The coupling, and what came before, at macro step n. */
static void look_back(sequence *s, int n, costab_coupling *c) {
    c->macro_step = s->list[s->taken[n + PAST]];
    s->past.count = PAST / 2;
    s->past.lengths = s->lengths;
    for (int k = 0; k < s->past.count; k++) s->lengths[k] = s->list[s->taken[n - 1 - k + PAST]];
}

/* The map of macro step n; false where a loop is so nearly singular that it would say nothing. */
static bool map_at(costab_network_work *work, setting *s, sequence *q, int n, const double **map) {
    const double *imaginary;
    costab_error error = {0};
    look_back(q, n, &s->c);
    work->past = &q->past;
    costab_status status = costab_network_analyse(work, &s->m.network, &s->c, &s->point, &error);
    work->past = NULL;
    if (status) fail_msg("%s: %s", s->where, error.message);
    costab_network_matrix(work, map, &imaginary);
    double most = 0;
    for (int e = 0; e < s->point.size * s->point.size; e++) most = fmax(most, fabs((*map)[e]));
    bool solved = s->c.scheme == COSTAB_ITERATED && s->c.iterations <= 0;
    return most < 1e3 && s->point.size <= LARGEST && !(solved && s->point.iteration_radius > 0.9);
}

static void next_state(const setting *s, const double *map, double *state) {
    static double next[LARGEST];
    int size = s->point.size;
    for (int i = 0; i < size; i++) {
        next[i] = 0;
        for (int j = 0; j < size; j++) next[i] += map[i * size + j] * state[j];
    }
    memcpy(state, next, (size_t)size * sizeof *state);
}

typedef struct tally {
    size_t compared, weighted, curved, smoothed, hermite, late, solved, swept;
    real worst;
} tally;

static void count(const setting *s, tally *t) {
    bool late = false;
    for (int c = 0; c < s->m.network.connection_count; c++) late = late || s->m.connections[c].delay_time > 0;
    bool iterated = s->c.scheme == COSTAB_ITERATED;
    costab_hold hold = iterated ? s->c.interpolation : s->c.extrapolation;
    t->compared++;
    t->weighted += !iterated && hold > COSTAB_HERMITE;
    t->curved += hold == COSTAB_QUADRATIC || hold == COSTAB_CUBIC;
    t->hermite += hold == COSTAB_HERMITE;
    t->smoothed += s->c.smoothed && !iterated;
    t->late += late;
    t->solved += s->c.feedthrough == COSTAB_SOLVED;
    t->swept += iterated && s->c.iterations > 0;
}

/* The trace and the size of the product of maps of a word that is repeated for ever. */
static bool whole_trace(costab_network_work *work, setting *s, sequence *q, real *trace, real *size) {
    static double columns[LARGEST][LARGEST];
    const double *map;
    for (int n = 0; n < WORD; n++) {
        if (!map_at(work, s, q, n, &map)) return false;
        for (int j = 0; j < s->point.size; j++) {
            for (int i = 0; i < s->point.size && n == 0; i++) columns[j][i] = i == j;
            next_state(s, map, columns[j]);
        }
    }
    *trace = *size = 0;
    for (int j = 0; j < s->point.size; j++)
        for (int i = 0; i < s->point.size; i++) {
            *trace += i == j ? (real)columns[j][i] : 0;
            *size = fmaxl(*size, fabsl((real)columns[j][i]));
        }
    return true;
}

static int edge_of(const step_graph *graph, int place, int step) {
    for (int e = 0; e < graph->edges; e++)
        if (graph->from[e] == place && graph->step[e] == step) return e;
    fail_msg("no edge from %d by %d", place, step);
    return -1;
}

/* The growth along the graph: after enough of the word, once around. */
static real graph_trace(const step_graph *graph, int n, const int *word, int rounds) {
    static real product[LARGEST * LARGEST], next[LARGEST * LARGEST];
    int place = 0;
    real trace = 0;
    for (int k = 0; k < WORD * rounds; k++) place = graph->to[edge_of(graph, place, word[k % WORD])];
    int begin = place;
    for (int e = 0; e < n * n; e++) product[e] = e % (n + 1) == 0;
    for (int k = 0; k < WORD; k++) {
        int edge = edge_of(graph, place, word[k]);
        const double *map = graph->matrices + (size_t)edge * (size_t)(n * n);
        place = graph->to[edge];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                next[i * n + j] = 0;
                for (int l = 0; l < n; l++) next[i * n + j] += (real)map[i * n + l] * product[l * n + j];
            }
        memcpy(product, next, sizeof product);
    }
    assert_int_equal(begin, place);
    for (int i = 0; i < n; i++) trace += product[i * n + i];
    return trace;
}

static void compare_graph(rng *r, costab_network_work *work, tally *t) {
    static setting s;
    static sequence q;
    step_map *maps;
    step_graph graph;
    costab_error error = {0};
    real trace, size;
    random_setting(r, work, 1.2, true, &s);
    for (int i = 0; i < s.m.network.subsystem_count; i++)
        if (s.m.subsystems[i].method.kind == COSTAB_BDF) return;
    choose_steps(r, s.c.macro_step, &q);
    if (s.point.neutral > 0) return;
    int word[WORD];
    for (int k = 0; k < WORD; k++) word[k] = rng_int(r, 0, q.count - 1);
    for (int n = -PAST; n < WORD; n++) q.taken[n + PAST] = word[((n % WORD) + WORD) % WORD];
    if (!whole_trace(work, &s, &q, &trace, &size) || size > 1e6L) return;
    check_ok(step_map_create(&s.m.network, &s.c, q.list, q.count, &maps, &why));
    costab_status status = step_graph_make(maps, q.list, q.count, &graph, &error);
    if (status) {
        /* Of long delays in seconds there are too many sequences. */
        check_true(strstr(error.message, "with less memory") != NULL, "%s: %s", s.where, error.message);
        step_graph_free(&graph);
        step_map_destroy(&maps);
        return;
    }
    real found = graph_trace(&graph, step_map_size(maps), word, 10);
    t->worst = fmaxl(t->worst, fabsl(found - trace) / fmaxl(size, 1));
    check_near((double)found, trace, 1e-11L * fmaxl(size, 1), "%s: the trace", s.where);
    step_graph_free(&graph);
    step_map_destroy(&maps);
    count(&s, t);
}

TEST(test_graph) {
    rng r = rng_start("network steps, coordinates");
    costab_network_work *work = work_open();
    const size_t wanted = effort(100);
    tally t = {0};
    for (size_t i = 0; t.compared < wanted && i < 6 * wanted; i++) compare_graph(&r, work, &t);
    costab_network_work_destroy(&work);
    print_message(
        "# %zu networks: %zu weighted, %zu curved, %zu slopes, %zu smoothed, %zu delays in seconds, %zu solved "
        "feedthrough, %zu sweeps; worst difference %.1Le\n",
        t.compared, t.weighted, t.curved, t.hermite, t.smoothed, t.late, t.solved, t.swept, t.worst);
    assert_true(t.compared >= wanted);
    assert_true(t.weighted > 0 && t.curved > 0 && t.hermite > 0 && t.smoothed > 0 && t.late > 0 &&
                t.solved > 0 && t.swept > 0);
}
