/* Maximises the largest macro step with all models stable, over the weights of the extrapolation: one set for
 * each group of connections.
 * 1. Starts: all groups have equal weights. Tries those of known couplings, then a grid of one or two
 *    unknowns. With more unknowns, differential evolution improves random weights (R. Storn and K. Price, J.
 *    Global Optim. 11, 1997).
 * 2. Simplex method of Nelder and Mead (Computer J. 7, 1965) from the best starts with all groups free.
 *    Restarts around its result, since the objective has kinks and jumps at merging stable intervals.
 * 3. Objective: decides stability at the nodes in ascending order and bisects to the first unstable macro
 *    step. A comparison ends at the first model below the value to beat; the next comparison begins with that
 *    model.
 * Cost: some hundred sets of weights at up to 130 macro steps of each model. Limitation: better weights may
 * exist. */
#include <math.h>
#include <string.h>

#include "analysis/tune.h"
#include "base/error.h"

enum { STARTS = 4, BISECTIONS = 24, RESTARTS = 3, LINE = 97, MEANS = 16, SLOPES = 25 };
/* Individuals per unknown, and generations, of differential evolution. */
enum { INDIVIDUALS = 15, GENERATIONS = 60 };

/* ---- One set of weights ---- */

bool tune_is_ended(tuner *t) {
    if (!t->status && t->options->progress != NULL &&
        t->options->progress(t->options->progress_context, t->done, t->total > t->done ? t->total : t->done))
        t->status = error_set(t->error, COSTAB_CANCELLED, "the search was ended");
    return t->status != COSTAB_OK;
}

/* Returns true if the instance is stable at H with a margin. Failed analyses count as unstable. */
static bool stable_at(tuner *t, double H) {
    /* Decay and abscissa are negative: the simulation decays at least 1 % as fast as the continuous system.
     * This avoids curves close to the limit. */
    const double share = 0.01;
    costab_network_point point;
    costab_model_instance_set(t->instance, t->parameter, H);
    costab_status status = costab_model_instance_update(t->instance, NULL);
    const costab_coupling coupling = analysis_coupling_at(t->instance, -1, &t->base);
    if (!status) status = costab_network_analyse(t->work, t->network, &coupling, &point, NULL);
    if (status == COSTAB_MEMORY) t->status = error_memory(t->error);
    return !status && (point.class_code & COSTAB_DISCRETE_STABLE) != 0 &&
           point.decay <= share * point.spectral_abscissa;
}

/* Returns the macro step up to which model m is stable, at most `enough`: by all nodes, then bisection. */
static double stable_up_to(tuner *t, int m, double enough) {
    if (tune_is_ended(t) || tune_set_model(t, &t->models[m], NULL)) return 0;
    double good = 0, bad = 0;
    for (size_t k = 0; k < t->node_count && bad == 0; k++) {
        if (good >= enough) return enough;
        *(stable_at(t, t->nodes[k]) ? &good : &bad) = t->nodes[k];
    }
    for (int i = 0; i < BISECTIONS && good > 0 && bad > 0; i++) {
        double middle = (good + bad) / 2;
        *(stable_at(t, middle) ? &good : &bad) = middle;
    }
    return fmin(good, enough);
}

/* Returns the objective, the smallest stable_up_to of all models; a value up to `least` is only an upper
 * bound. 0: the error is too large. */
static double worst_step(tuner *t, const double *unknowns, double least) {
    double worst = t->options->upper, made = 0;
    t->done++;
    tune_set_weights(t, unknowns);
    for (int k = 0; k < t->model_count && worst > least; k++) {
        int m = k == 0 ? t->hardest : k <= t->hardest ? k - 1 : k;
        worst = stable_up_to(t, m, worst);
        if (worst <= least) t->hardest = m;
    }
    if (!(t->options->error > 0 && worst > least)) return worst;
    costab_status status = tune_find_error(t, &t->base, &made, NULL);
    if (status == COSTAB_MEMORY) t->status = error_memory(t->error);
    return !status && made <= t->options->error ? worst : 0;
}

/* ---- Nelder and Mead ---- */

typedef struct vertex {
    double value, at[TUNE_UNKNOWNS];
} vertex;

static void sort_by_value(vertex *simplex, int count) {
    for (int i = 1; i < count; i++) {
        vertex one = simplex[i];
        int j = i;
        for (; j > 0 && simplex[j - 1].value < one.value; j--) simplex[j] = simplex[j - 1];
        simplex[j] = one;
    }
}

/* Returns the point c + share (c - x) and its objective; x: the last vertex, c: the centre of the others. */
static vertex reflect(tuner *t, const vertex *simplex, double share) {
    int n = t->unknowns;
    vertex made = {0};
    for (int i = 0; i < n; i++) {
        double centre = 0;
        for (int v = 0; v < n; v++) centre += simplex[v].at[i] / n;
        made.at[i] = centre + share * (centre - simplex[n].at[i]);
    }
    made.value = worst_step(t, made.at, simplex[n].value);
    return made;
}

static void shrink(tuner *t, vertex *simplex) {
    for (int v = 1; v <= t->unknowns; v++) {
        for (int i = 0; i < t->unknowns; i++) simplex[v].at[i] = (simplex[v].at[i] + simplex[0].at[i]) / 2;
        simplex[v].value = worst_step(t, simplex[v].at, 0);
    }
}

static double size_of(const vertex *simplex, int n) {
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(simplex[n].at[i] - simplex[0].at[i]));
    return size;
}

static int nelder_mead_steps(int unknowns) {
    return unknowns < 13 ? 30 + 20 * unknowns : 300;
}

/* Runs the method from `best` with an initial simplex of this width; stores its best vertex. */
static void nelder_mead(tuner *t, double width, vertex *best) {
    static const double precision = 1e-6;
    int n = t->unknowns;
    vertex simplex[TUNE_UNKNOWNS + 1] = {*best};
    for (int v = 1; v <= n; v++) {
        simplex[v] = *best;
        simplex[v].at[v - 1] += width;
        simplex[v].value = worst_step(t, simplex[v].at, 0);
    }
    for (int k = 0; k < nelder_mead_steps(n) && !t->status; k++) {
        sort_by_value(simplex, n + 1);
        if (size_of(simplex, n) < precision) break;
        vertex next = reflect(t, simplex, 1);
        if (next.value > simplex[0].value) {
            vertex further = reflect(t, simplex, 2);
            if (further.value > next.value) next = further;
        } else if (n == 1 || !(next.value > simplex[n - 1].value)) {
            next = reflect(t, simplex, next.value > simplex[n].value ? 0.5 : -0.5);
        }
        if (next.value > simplex[n].value)
            simplex[n] = next;
        else
            shrink(t, simplex);
    }
    sort_by_value(simplex, n + 1);
    *best = simplex[0];
}

/* ---- Starts ---- */

/* Sets the k-th start from a known coupling: linear, spectral and constant extrapolation; order 2 has only
 * the first two. Returns false if `k` is beyond. */
static bool known_weights(const tuner *t, int k, double one[TUNE_WEIGHTS]) {
    static const double known[][2] = {{0.5, 1}, {0.5, -4}, {0, 0}};
    if (t->order == 3 || k >= (t->order == 1 ? 3 : 2)) return false;
    memcpy(one, known[k] + (t->order == 2), (size_t)(t->order == 1 ? 2 : 1) * sizeof *one);
    return true;
}

static int start_count(const tuner *t) {
    return t->group_unknowns == 1   ? LINE
           : t->group_unknowns == 2 ? MEANS * SLOPES
                                    : INDIVIDUALS * t->group_unknowns;
}

/* Returns the next pseudo-random number, 0 <= number < 1. */
static double random_share(uint64_t *seed) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Sets the unknowns of a group in the k-th start. */
static void start_weights(const tuner *t, int k, uint64_t *seed, double one[TUNE_WEIGHTS]) {
    static const double widest = 12;
    if (known_weights(t, k, one)) return;
    if (t->group_unknowns == 1) {
        one[0] = widest * (2.0 * k / (LINE - 1) - 1);
    } else if (t->group_unknowns == 2) { /* mean and slope of the first difference's weight */
        one[0] = -1 + 0.2 * (k % MEANS);
        one[1] = -widest + k / MEANS;
    } else {
        for (int i = 0; i < t->group_unknowns; i++)
            one[i] = (2 * random_share(seed) - 1) * (i == 0 && t->order == 1 ? 1.5 : 2 * widest);
    }
}

/* Evaluates the objective with the same unknowns for all groups. */
static vertex evaluate_for_all_groups(tuner *t, const double one[TUNE_WEIGHTS], double least) {
    vertex made;
    for (int u = 0; u < t->unknowns; u++) made.at[u] = one[u % t->group_unknowns];
    made.value = worst_step(t, made.at, least);
    return made;
}

typedef struct individual {
    double value, at[TUNE_WEIGHTS];
} individual;

/* In each generation, compares every individual with a trial: in some of its unknowns, the best individual
 * plus a fraction of the difference of two others. */
static void differential_evolution(tuner *t, individual *all, uint64_t *seed, vertex *best) {
    static const double crossing = 0.7, least_share = 0.5; /* the fraction is between this and 1 */
    int count = INDIVIDUALS * t->group_unknowns;
    for (int k = 0; k < GENERATIONS * count && !t->status; k++) {
        individual *one = &all[k % count];
        const individual *a = &all[(int)(count * random_share(seed))],
                         *b = &all[(int)(count * random_share(seed))];
        double trial[TUNE_WEIGHTS], share = least_share + (1 - least_share) * random_share(seed);
        int always = (int)(t->group_unknowns * random_share(seed));
        for (int i = 0; i < t->group_unknowns; i++)
            trial[i] = i == always || random_share(seed) < crossing
                           ? best->at[i] + share * (a->at[i] - b->at[i])
                           : one->at[i];
        vertex made = evaluate_for_all_groups(t, trial, one->value);
        if (!(made.value > one->value)) continue;
        one->value = made.value;
        memcpy(one->at, trial, sizeof trial);
        if (made.value > best->value) *best = made;
    }
}

/* Finds the best STARTS weights of the grid, or one by evolution. */
static void find_starts(tuner *t, vertex starts[STARTS + 1]) {
    individual all[INDIVIDUALS * TUNE_WEIGHTS] = {{.value = 0}};
    double one[TUNE_WEIGHTS] = {0};
    uint64_t seed = 1;
    bool evolves = t->group_unknowns > 2;
    for (int k = 0; !t->status && k < start_count(t); k++) {
        start_weights(t, k, &seed, one);
        vertex made = starts[STARTS] =
            evaluate_for_all_groups(t, one, evolves ? 0 : starts[STARTS - 1].value);
        if (made.value > starts[STARTS - 1].value) sort_by_value(starts, STARTS + 1);
        if (!evolves) continue;
        all[k].value = made.value;
        memcpy(all[k].at, one, sizeof one);
    }
    if (evolves) differential_evolution(t, all, &seed, &starts[0]);
}

double tune_search(tuner *t, bool polish, double *best) {
    vertex starts[STARTS + 1] = {{.value = 0}};
    int count = polish ? 1 : STARTS, evolving = t->group_unknowns > 2 ? GENERATIONS : 0;
    t->total += (size_t)(count * RESTARTS * 2 * nelder_mead_steps(t->unknowns));
    if (!polish) t->total += (size_t)(start_count(t) * (1 + evolving));
    if (polish) {
        memcpy(starts[0].at, best, sizeof starts[0].at);
        starts[0].value = worst_step(t, best, 0);
    }
    if (!polish) find_starts(t, starts);
    for (int s = 0; s < count; s++) {
        double width = polish ? 0.1 : 0.25;
        for (int r = 0; r < RESTARTS && !t->status && starts[s].value > 0; r++, width /= 4)
            nelder_mead(t, width, &starts[s]);
    }
    sort_by_value(starts, count);
    memcpy(best, starts[0].at, sizeof starts[0].at);
    return starts[0].value;
}
