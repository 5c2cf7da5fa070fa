/* The classes of points of one form, or all of their numbers, eight at a time in the lanes of vectors
 * (src/README.md, Points in lanes).
 *
 * 1. Numbers of points are put into lanes one by one, or all at once; the maps of eight points are made
 *    (lanes_map.h).
 * 2. Where classes alone are asked for: powers of the maps, and of a polynomial of A_mono, decide most of
 *    them. Points that these leave open are collected (batch.late) until there are eight.
 * 3. Eigenvalues of eight matrices at once, with their backward error. Those next to the limit have their
 *    conditions found by the scalar code.
 * 4. Points that need more are told as NULL: the caller analyses them alone.
 *
 * A lane does the operations of the scalar code in their order: it has its bits, or no answer. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "network/analyse.h"
#include "network/batch.h"
#include "network/spectrum.h"

/* Matrices of so few rows have their eigenvalues in closed form: nothing is faster. */
enum { CLOSED_MOST = 2 };

/* Copies eight matrices to batch->spare, for what destroys them. */
static void copy_matrices(costab_network_work *work, int n, const double *from) {
    memcpy(work->batch.spare, from, (size_t)n * (size_t)n * LANES * sizeof *from);
}

/* The same of the lanes that wait; the other ones become copies of the first that does. False where none
 * waits. */
static bool copy_waiting(costab_network_work *work, int n, const double *from, const bool waits[LANES],
                         int count) {
    double *to = work->batch.spare;
    int first = 0;
    while (first < count && !waits[first]) first++;
    if (first == count) return false;
    copy_matrices(work, n, from);
    for (int l = 0; l < LANES; l++)
        for (int e = 0; e < n * n && !(l < count && waits[l]); e++) to[e * LANES + l] = to[e * LANES + first];
    return true;
}

/* The eigenvalues of the matrices in batch->spare. */
static void find_values(costab_network_work *work, int n, eigen_lanes_components *components) {
    network_batch *batch = &work->batch;
    eigen_lanes_values(work->set, n, batch->spare, components, &batch->found, batch->room, work->eigen.iwork);
}

/* The eigenvalues of a lane become those of the workspace. */
static void take_values(costab_network_work *work, int n, const eigen_lanes_components *components,
                        int lane) {
    const eigen_lanes_found *found = &work->batch.found;
    for (int i = 0; i < n; i++) {
        work->eigen.real[i] = found->re[i * LANES + lane];
        work->eigen.imaginary[i] = found->im[i * LANES + lane];
    }
    for (int p = 0, i = 0; p < components->count; p++) {
        const eigen_home home = {components->sizes[p], found->norm[p * LANES + lane]};
        for (int end = i + home.n; i < end; i++) work->eigen.homes[i] = home;
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The largest modulus of `n` eigenvalues of a lane, whose largest square is known: rounding may have made one
 * next to it the largest. */
static double largest_modulus(const double *re, const double *im, int n, double square) {
    const double almost = square * (1 - 16 * DBL_EPSILON);
    double most = 0;
    for (int i = 0; i < n; i++) {
        double x = re[i * LANES], y = im[i * LANES];
        if (y >= 0 && x * x + y * y >= almost) most = larger(most, y == 0 ? fabs(x) : hypot(x, y));
    }
    return most;
}

/* How far the eigenvalues of a lane are beyond the circle, as spectrum_reach_of says it where rounding moves
 * all of a component as far. [out] radius: their largest modulus. */
static spectrum_reach reach_of_lane(const costab_network_work *work, int lane, double *radius) {
    const eigen_lanes_found *found = &work->batch.found;
    const eigen_lanes_components *components = &work->batch.zeros;
    const double none = -(double)INFINITY;
    const double *re = found->re + lane, *im = found->im + lane;
    double furthest = none, slack_there = 0;
    spectrum_reach reach = {.found = none, .most = none, .sure = none};
    *radius = 0;
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        double slack = (n + (double)SPECTRUM_ENTRIES) * DBL_EPSILON * found->norm[p * LANES + lane];
        double modulus = largest_modulus(re, im, n, found->top[p * LANES + lane]), beyond = modulus - 1;
        *radius = larger(*radius, modulus);
        reach.found = larger(reach.found, beyond);
        reach.sure = larger(reach.sure, beyond - slack);
        if (beyond + slack > reach.most) {
            reach.most = beyond + slack;
            furthest = beyond;
            slack_there = slack;
        }
        re += n * LANES;
        im += n * LANES;
    }
    reach.rounding = slack_there - (reach.found - furthest);
    return reach;
}

/* Do so many lanes wait for their continuous system that it is analysed at once? */
static bool do_most_wait(const lane_points *at) {
    int waits = 0;
    for (int l = 0; l < at->count; l++) waits += at->mono_waits[l];
    return 4 * waits >= 3 * LANES;
}

/* Of continuous systems in batch->spare: those that are stable without a doubt. */
static void find_left(costab_network_work *work, bool left[LANES]) {
    network_batch *batch = &work->batch;
    eigen_lanes_left(work->set, work->states, batch->spare, &batch->mono_zeros, left, batch->room,
                     work->eigen.iwork);
}

/* The classes of continuous systems that are stable without a doubt; they wait for nothing more. Where most
 * are not stable that is not tried again, until eigenvalues say that most are. */
static void classify_monos(costab_network_work *work) {
    network_batch *batch = &work->batch;
    lane_points *at = &batch->now;
    int n = work->states;
    bool left[LANES];
    if (batch->powers_fail || !copy_waiting(work, n, at->monos, at->mono_waits, at->count)) return;
    find_left(work, left);
    for (int l = 0; l < at->count; l++) {
        if (!at->mono_waits[l] || !left[l]) continue;
        at->points[l].class_code |= COSTAB_CONTINUOUS_STABLE;
        at->mono_waits[l] = false;
    }
    batch->powers_fail = do_most_wait(at);
}

/* The continuous system at hand is another one than that of the point. */
static void forget_mono(costab_network_work *work) {
    work->mono.known = false;
    work->batch.numbers = 0;
}

/* What the eigenvalues of a lane's continuous system say, as the scalar code says it. False where it needs
 * more. */
static bool take_mono(costab_network_work *work, lane_points *at, int lane) {
    const neutral_rest rest = {.modes = 0};
    double radius, abscissa;
    take_values(work, work->states, &work->batch.mono_zeros, lane);
    lane_get(at->monos, (size_t)lane, cells(work->states, work->states), work->mono.matrix);
    spectrum_moduli(work, work->states, &radius, &abscissa);
    analyse_mono_found(work);
    if (work->mono.found.regular) (void)analyse_take_continuous(work, &rest, &at->points[lane], NULL);
    return work->mono.found.regular;
}

/* Step 3 for the continuous systems that wait for it. decided: becomes false where one needs more. */
static void analyse_monos(costab_network_work *work, lane_points *at, unsigned asked, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    int n = work->states;
    int waited = 0, inside = 0;
    eigen_where where[LANES] = {EIGEN_UNKNOWN};
    if (!copy_waiting(work, n, at->monos, at->mono_waits, at->count)) return;
    find_values(work, n, &batch->mono_zeros);
    if ((asked & NETWORK_OF_MONO) == 0)
        eigen_lanes_axis(work->set, n, at->monos, &batch->mono_zeros, &batch->found, SPECTRUM_ENTRIES, where);
    for (int l = 0; l < at->count; l++) {
        if (!at->mono_waits[l]) continue;
        bool told = batch->found.known[l] && (where[l] != EIGEN_UNKNOWN || take_mono(work, at, l));
        decided[l] = decided[l] && told;
        if (where[l] == EIGEN_INSIDE && decided[l]) at->points[l].class_code |= COSTAB_CONTINUOUS_STABLE;
        at->mono_waits[l] = false;
        waited++;
        inside += where[l] == EIGEN_INSIDE;
    }
    if (2 * inside >= waited) batch->powers_fail = false;
    forget_mono(work);
}

/* Step 2 for the maps. */
static void classify_maps(costab_network_work *work) {
    network_batch *batch = &work->batch;
    lane_points *at = &batch->now;
    eigen_where where[LANES] = {EIGEN_UNKNOWN};
    int n = work->size;
    copy_matrices(work, n, at->maps);
    if (work->period == 1)
        eigen_lanes_side(work->set, n, batch->spare, &batch->zeros, where, batch->room, work->eigen.iwork);
    for (int l = 0; l < at->count; l++) {
        if (analyse_diverges(work, at->points[l].iteration_radius)) where[l] = EIGEN_OUTSIDE;
        at->map_waits[l] = where[l] == EIGEN_UNKNOWN;
        if (!at->map_waits[l]) analyse_decide(work, where[l], NULL, &at->points[l]);
    }
}

/* Step 3 for the maps that wait for it. */
static void analyse_maps(costab_network_work *work, lane_points *at, unsigned asked, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    int n = work->size;
    if (!copy_waiting(work, n, at->maps, at->map_waits, at->count)) return;
    find_values(work, n, &batch->zeros);
    eigen_lanes_tops(work->set, &batch->zeros, &batch->found);
    for (int l = 0; l < at->count; l++) {
        if (!at->map_waits[l]) continue;
        decided[l] = decided[l] && batch->found.known[l];
        if (!decided[l]) continue;
        double radius, step = (asked & NETWORK_OF_RATES) != 0 ? at->steps[l] : 0;
        const spectrum_reach reach = reach_of_lane(work, l, &radius);
        if ((!batch->found.near[l] || reach.found > batch->found.close[l]) &&
            analyse_reached(work, radius, &reach, step, &at->points[l]))
            continue;
        take_values(work, n, &batch->zeros, l);
        decided[l] = analyse_found(work, NULL, at->steps[l], &at->points[l]);
        if (decided[l]) continue;
        lane_get(at->maps, (size_t)l, cells(n, n), work->map);
        decided[l] = analyse_found(work, work->map, at->steps[l], &at->points[l]);
    }
}

/* Step 3 for all that points wait for; then tells of them all. */
static void decide(costab_network_work *work, lane_points *at, bool known, const network_results *results) {
    bool decided[LANES];
    int count = at->count;
    for (int l = 0; l < count; l++) decided[l] = known;
    if (known) {
        analyse_monos(work, at, results->asked, decided);
        analyse_maps(work, at, results->asked, decided);
    }
    at->count = 0;
    for (int l = 0; l < count; l++)
        results->take(results->context, at->tags[l], decided[l] ? &at->points[l] : NULL);
}

/* Collects a point that step 2 leaves open, until there are as many as lanes. */
static void put_aside(costab_network_work *work, int lane, const network_results *results) {
    lane_points *from = &work->batch.now, *to = &work->batch.late;
    int place = to->count++, n = work->size;
    to->tags[place] = from->tags[lane];
    to->points[place] = from->points[lane];
    to->map_waits[place] = from->map_waits[lane];
    to->mono_waits[place] = from->mono_waits[lane];
    work->batch.late_steps[place] = from->steps[lane];
    for (int e = 0; e < n * n && to->map_waits[place]; e++)
        to->maps[e * LANES + place] = from->maps[e * LANES + lane];
    n = work->states;
    for (int e = 0; e < n * n && to->mono_waits[place]; e++)
        to->monos[e * LANES + place] = from->monos[e * LANES + lane];
    if (to->count == LANES) decide(work, to, true, results);
}

/* Makes work->map alone. */
static costab_status prepare_map(costab_network_work *work, const costab_network *network,
                                 const costab_coupling *coupling) {
    double iteration_radius;
    long exponent = 0;
    costab_status status = work_prepare(work, network, coupling, NULL, NULL);
    return status ? status : map_make(work, &iteration_radius, &exponent, NULL);
}

/* How far the eigenvalue that is nearest to the circle is from it. */
static double nearest_of(const network_eigenvalues *found) {
    double nearest = (double)INFINITY;
    for (int i = 0; i < found->n; i++)
        nearest = fmin(nearest, fabs(eigen_beyond(EIGEN_CIRCLE, found->re[i], found->im[i])));
    return nearest;
}

/* Tells of eigenvalues and homes that lie in the workspace, lane: of the map; -1: of the one at hand. */
static void tell_spectrum(costab_network_work *work, const network_results *results, int lane, size_t tag) {
    const network_eigenvalues found = {work->size, work->eigen.real, work->eigen.imaginary,
                                       work->eigen.slack};
    double within = results->slack_within(results->context, tag);
    if (within >= 0 && !analyse_slack(work, NULL) && nearest_of(&found) <= within) {
        if (lane >= 0) lane_get(work->batch.now.maps, (size_t)lane, cells(work->size, work->size), work->map);
        (void)analyse_slack(work, work->map);
    }
    results->spectrum(results->context, tag, &found);
}

/* The eigenvalues of the lanes at hand alone. */
static void tell_spectra(costab_network_work *work, bool known, const bool alone[LANES],
                         const network_results *results) {
    network_batch *batch = &work->batch;
    int count = batch->now.count;
    if (known) copy_matrices(work, work->size, batch->now.maps);
    if (known) find_values(work, work->size, &batch->zeros);
    batch->now.count = 0;
    for (int l = 0; l < count; l++) {
        bool near_pole = analyse_near_pole(work, batch->now.points[l].iteration_radius);
        if (known && batch->found.known[l] && !alone[l] && !near_pole) {
            take_values(work, work->size, &batch->zeros, l);
            tell_spectrum(work, results, l, batch->now.tags[l]);
        } else {
            results->spectrum(results->context, batch->now.tags[l], NULL);
        }
    }
}

bool network_batch_alone(costab_network_work *work, const costab_network *network,
                         const costab_coupling *coupling, size_t tag, const network_results *results) {
    const neutral_rest rest = {.modes = 0};
    double radius, abscissa;
    if (prepare_map(work, network, coupling) || !analyse_is_quick(work, &rest) ||
        spectrum_radius(work, work->size, work->map, &radius, &abscissa, NULL) || !isfinite(radius))
        return false;
    tell_spectrum(work, results, -1, tag);
    return true;
}

/* Can lanes decide a point? Not next to a pole of the map, unless the iteration diverges beyond rounding and
 * nothing but the class is asked for. */
static bool is_decidable(const costab_network_work *work, double iteration_radius, unsigned asked) {
    return !analyse_near_pole(work, iteration_radius) ||
           (asked == 0 && analyse_diverges(work, iteration_radius));
}

/* Steps 2 and 3 for the lanes at hand, as far as it does not pay to collect them. decided: becomes false
 * where a point needs more. */
static void analyse_now(costab_network_work *work, const network_results *results, bool decided[LANES]) {
    lane_points *at = &work->batch.now;
    for (int l = 0; l < at->count; l++)
        decided[l] = decided[l] && is_decidable(work, at->points[l].iteration_radius, results->asked);
    bool all = (results->asked & NETWORK_OF_MONO) != 0 || work->states <= CLOSED_MOST;
    if (!all) classify_monos(work);
    if (all || do_most_wait(at)) analyse_monos(work, at, results->asked, decided);
    if (results->asked == 0) {
        classify_maps(work);
        return;
    }
    for (int l = 0; l < at->count; l++) at->map_waits[l] = true;
    analyse_maps(work, at, results->asked, decided);
    for (int l = 0; l < at->count; l++) at->map_waits[l] = false;
}

/* Maps of the lanes at hand, then results of those that need not be collected. `known`: the network has still
 * the form of the workspace. */
static void finish_lanes(costab_network_work *work, bool known, const network_results *results) {
    lane_points *at = &work->batch.now;
    int count = at->count;
    const bool *alone = work->lanes_room->alone;
    bool decided[LANES];
    if (known) lanes_make_maps(work, at->maps, results->spectrum == NULL && results->asked != 0);
    for (int l = 0; l < count; l++) {
        at->points[l].iteration_radius = work->lanes_room->radius[l];
        decided[l] = !alone[l];
    }
    if (results->spectrum != NULL) {
        tell_spectra(work, known, alone, results);
    } else if (!known) {
        decide(work, at, known, results);
    } else {
        analyse_now(work, results, decided);
        at->count = 0;
        for (int l = 0; l < count; l++)
            if (decided[l] && (at->map_waits[l] || at->mono_waits[l]))
                put_aside(work, l, results);
            else
                results->take(results->context, at->tags[l], decided[l] ? &at->points[l] : NULL);
    }
}

/* The same of those that were put there one by one. */
static void finish_now(costab_network_work *work, bool known, const network_results *results) {
    network_batch *batch = &work->batch;
    if (batch->now.count == 0) return;
    for (int l = batch->now.count; l < LANES; l++) {
        batch->own_steps[l] = batch->own_steps[0];
        if (known) (void)lanes_put(work, l); /* whatever numbers there are */
    }
    if (known) lanes_take_own(work, batch->own_steps);
    finish_lanes(work, known, results);
}

/* A network that has another form by now cannot tell any more what was connected how. */
static bool is_known(const costab_network_work *work) {
    return work_is_kept(work, work->network, &work->coupling, NULL);
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    work->batch.shared = 0;
    if (work->batch.now.count == 0 && work->batch.late.count == 0) return;
    bool known = is_known(work);
    finish_now(work, known, results);
    decide(work, &work->batch.late, known, results);
}

/* Makes A_mono. It is analysed by the scalar code, but in lanes where the last points had different numbers,
 * too. False: not for lanes. */
static bool prepare_mono(costab_network_work *work) {
    network_batch *batch = &work->batch;
    uint64_t version = work->version;
    bool moved = batch->moved;
    work_compare(work);
    batch->moved = work->version != version;
    bool wanted;
    if (!analyse_is_plain(work) || analyse_mono(work, &wanted, NULL)) return false;
    if (work->mono.known || (moved && batch->moved)) return true;
    return analyse_continuous(work, NULL) == COSTAB_OK;
}

/* The same where nothing is asked of that matrix. */
static bool pass_mono(costab_network_work *work) {
    work_compare(work);
    work->batch.moved = false;
    return analyse_is_plain(work) && work->period == 1;
}

/* The next lane gets a point's numbers, from which the maps are made in lanes. known: but for the macro step
 * they are those of the last one. */
static bool add_numbers(costab_network_work *work, const costab_network *network,
                        const costab_coupling *coupling, bool known, bool bare) {
    network_batch *batch = &work->batch;
    int lane = batch->now.count;
    work->network = network;
    work->coupling = *coupling;
    batch->own_steps[lane] = coupling->macro_step;
    batch->now.mono_waits[lane] = false;
    batch->now.steps = batch->own_steps;
    if (bare) {
        return (known || pass_mono(work)) && lanes_put(work, lane);
    }
    if (!known) {
        const neutral_rest rest = {.modes = 0};
        batch->share = (costab_network_point){.size = work->size, .period = (long)work->period};
        batch->shared = 0;
        if (!prepare_mono(work)) return false;
        if (work->mono.known) (void)analyse_take_continuous(work, &rest, &batch->share, NULL);
    } else {
        batch->moved = false;
    }
    if (work->mono.known && !work->mono.found.regular) return false;
    batch->now.points[lane] = batch->share;
    batch->now.mono_waits[lane] = !work->mono.known;
    if (batch->now.mono_waits[lane])
        lane_put(batch->now.monos, (size_t)lane, cells(work->states, work->states), work->mono.matrix);
    return lanes_put(work, lane);
}

bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, uint64_t numbers, size_t tag,
                       const network_results *results) {
    network_batch *batch = &work->batch;
    bool bare = results->spectrum != NULL;
    bool known = numbers != 0 && batch->numbers == numbers && (bare || !batch->bare) &&
                 work_choices_kept(work, coupling);
    if ((results->asked & NETWORK_OF_REST) != 0 || (!known && !work_is_kept(work, network, coupling, NULL))) {
        network_batch_finish(work, results);
        return false;
    }
    if (!batch->mapped || !add_numbers(work, network, coupling, known, bare)) return false;
    batch->numbers = numbers;
    batch->bare = bare;
    batch->now.tags[batch->now.count++] = tag;
    if (batch->now.count == LANES) finish_now(work, is_known(work), results);
    return true;
}

static bool has_feedthrough(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].D != NULL) return true;
    return false;
}

/* The continuous system that all lanes share: powers where these tell its class and no more is asked for. */
static void find_shared(costab_network_work *work, unsigned asked) {
    const neutral_rest rest = {.modes = 0};
    network_batch *batch = &work->batch;
    bool left[LANES] = {false};
    if ((asked & NETWORK_OF_MONO) == 0) {
        copy_matrices(work, work->states, batch->now.monos);
        find_left(work, left);
    }
    if (left[0]) batch->share.class_code = COSTAB_CONTINUOUS_STABLE;
    batch->regular = left[0];
    if (left[0]) return;
    lane_get(batch->now.monos, 0, cells(work->states, work->states), work->mono.matrix);
    batch->regular = !analyse_mono_at_hand(work, NULL) && work->mono.found.regular;
    if (batch->regular) (void)analyse_take_continuous(work, &rest, &batch->share, NULL);
    forget_mono(work);
}

/* The continuous systems of a group into its points; one that they share is found but once. */
static void make_monos(costab_network_work *work, const network_numbers *numbers, unsigned asked) {
    const costab_network_point none = {.size = work->size, .period = (long)work->period};
    network_batch *batch = &work->batch;
    lane_points *at = &batch->now;
    bool shared = numbers->shared != 0, known = shared && batch->shared == numbers->shared;
    if (!known) lanes_make_monos(work, at->monos);
    if (shared && !known) {
        batch->shared = numbers->shared;
        batch->share = none;
        batch->numbers = 0;
        find_shared(work, asked);
    }
    for (int l = 0; l < at->count; l++) {
        at->mono_waits[l] = !shared;
        if (asked != 0)
            at->points[l] = shared ? batch->share : none;
        else /* filling all of a point would take long */
            at->points[l].class_code = shared ? batch->share.class_code : 0;
    }
    for (int l = 0; l < LANES && shared && !batch->regular; l++) work->lanes_room->alone[l] = true;
}

/* Have all points of a group micro steps and delays as the workspace has them? */
static bool steps_kept(const costab_network_work *work, const network_numbers *numbers, int count) {
    bool kept = !work->kept_step;
    for (int l = 0; l < count && kept; l++) kept = work_delays_kept(work, numbers->steps[l]);
    return kept;
}

bool network_batch_group(costab_network_work *work, const costab_network *network,
                         const costab_coupling *coupling, const network_numbers *numbers, int count,
                         const size_t *tags, const network_results *results) {
    network_batch *batch = &work->batch;
    if (batch->now.count > 0) finish_now(work, is_known(work), results);
    if ((results->asked & NETWORK_OF_REST) != 0 || !work_is_kept(work, network, coupling, NULL) ||
        !batch->mapped || !steps_kept(work, numbers, count) || work->area || has_feedthrough(network) ||
        !lanes_explicit(work) || (results->spectrum != NULL && work->period > 1))
        return false;
    work->network = network;
    work->coupling = *coupling;
    if (!analyse_is_plain(work)) return false;
    lanes_take_numbers(work, numbers);
    batch->now.steps = numbers->steps;
    batch->now.count = count;
    memcpy(batch->now.tags, tags, (size_t)count * sizeof *tags);
    if (results->spectrum == NULL) make_monos(work, numbers, results->asked);
    batch->moved = true;
    finish_lanes(work, true, results);
    return true;
}
