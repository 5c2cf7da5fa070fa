/* The classes of points of one structure, or all of their numbers, a batch at a time in SIMD lanes
 * (docs/explanation/algorithms.md, Points in lanes).
 *
 * 1. The workspace is laid out for the structure, unless it is already.
 * 2. The continuous systems of all lanes; only one if the points differ in macro steps alone.
 * 3. The maps of all lanes (lanes_map.h).
 * 4. Classes and numbers. A point that lanes cannot decide is left to the scalar code.
 *
 * Cost: that of lanes_map.h, and of step 4 below. A lane does the operations of the scalar code in their
 * order: it has its bits, or no answer. */
#include "network/batch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/analyse.h"
#include "network/spectrum.h"

/* ---- Classes and numbers ---- */

/* From matrices of a batch of points to verdicts (docs/explanation/algorithms.md, Points in lanes, steps 3
 * and 4; docs/explanation/algorithms.md, Verdicts and rounding).
 *
 * 1. Powers of a polynomial of A_mono show that the continuous system is stable, powers of the map M that all
 *    of its eigenvalues are inside the unit circle, or one outside (eigen_lanes.h). They cost less than
 *    eigenvalues, and are asked first where classes alone are wanted.
 * 2. If most lanes wait for them, or numbers are requested: the eigenvalues of all matrices at once. A
 *    matrix whose lane does not wait is replaced by a copy of one that does.
 * 3. Each component's eigenvalues may be off by its backward error: reach, the interval in which the furthest
 *    distance beyond the limit lies, follows. Where an eigenvalue is so near the limit that its condition
 *    matters, and none is surely further, the scalar code finds conditions from the lane's matrix.
 * 4. A point that this leaves in doubt is not decided.
 *
 * Cost: 10 n^3 a matrix for eigenvalues, over the number of lanes; n^3 for powers. A lane does the operations
 * of the scalar code in their order: what it decides has the same bits. */

/* Matrices of so few rows have their eigenvalues in closed form: powers would take longer. */
enum { CLOSED_MOST = 2 };

/* ---- Copies of matrices ---- */

/* Copies the matrices of n rows to batch->spare. */
static void copy_to_spare(costab_network_work *work, int n, const double *from) {
    memcpy(work->batch.spare, from, cells(n * n, work->width) * sizeof *from);
}

/* Copies the matrices of points that wait; all other lanes become copies of the first that does. Returns
 * false if none waits. */
static bool copy_waiting(costab_network_work *work, int n, const double *from, const bool waits[LANES_MOST]) {
    double *to = work->batch.spare;
    int first = 0, count = work->batch.count;
    while (first < count && !waits[first]) first++;
    if (first == count) return false;
    copy_to_spare(work, n, from);
    for (int l = 0; l < work->width; l++)
        for (int e = 0; e < n * n && !(l < count && waits[l]); e++)
            to[e * work->width + l] = to[e * work->width + first];
    return true;
}

/* ---- Eigenvalues ---- */

/* Of the matrices in batch->spare, into batch->found. */
static void find_eigenvalues(costab_network_work *work, int n, eigen_lanes_components *components) {
    network_batch *batch = &work->batch;
    eigen_lanes_values(work->eigen_kernels, n, batch->spare, components, &batch->found, batch->eigen_work,
                       work->eigen.iwork);
}

/* Those of one lane, and their components, into work->eigen. */
static void take_eigenvalues(costab_network_work *work, int n, const eigen_lanes_components *components,
                             int lane) {
    const eigen_lanes_found *found = &work->batch.found;
    for (int i = 0; i < n; i++) {
        work->eigen.real[i] = found->re[i * work->width + lane];
        work->eigen.imaginary[i] = found->im[i * work->width + lane];
    }
    for (int p = 0, i = 0; p < components->count; p++) {
        const eigen_component_norm component = {components->sizes[p], found->norm[p * work->width + lane]};
        for (int end = i + component.n; i < end; i++) work->eigen.components[i] = component;
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The largest modulus of n eigenvalues of a lane. square: the largest square of a modulus, as rounded; one
 * with a square next to it may have the largest modulus. */
static double largest_modulus(int width, const double *re, const double *im, int n, double square) {
    const double almost = square * (1 - 16 * DBL_EPSILON);
    double most = 0;
    for (int i = 0; i < n; i++) {
        double x = re[i * width], y = im[i * width];
        if (y >= 0 && x * x + y * y >= almost) most = larger(most, y == 0 ? fabs(x) : hypot(x, y));
    }
    return most;
}

/* Step 3 for a lane's map where no condition matters: rounding moves all eigenvalues of a component equally
 * far, and the reach is that of spectrum_reach_of. [out] radius: their largest modulus. */
static spectrum_reach circle_reach(const costab_network_work *work, int lane, double *radius) {
    const eigen_lanes_found *found = &work->batch.found;
    const eigen_lanes_components *components = &work->batch.map_components;
    const double none = -(double)INFINITY;
    const double *re = found->re + lane, *im = found->im + lane;
    double furthest = none, slack_there = 0;
    spectrum_reach reach = {.computed = none, .upper = none, .lower = none};
    *radius = 0;
    for (int p = 0; p < components->count; p++) {
        int n = components->sizes[p];
        double slack = (n + (double)SPECTRUM_ENTRY_ERROR) * DBL_EPSILON * found->norm[p * work->width + lane];
        double modulus =
                   largest_modulus(work->width, re, im, n, found->largest_square[p * work->width + lane]),
               beyond = modulus - 1;
        *radius = larger(*radius, modulus);
        reach.computed = larger(reach.computed, beyond);
        reach.lower = larger(reach.lower, beyond - slack);
        if (beyond + slack > reach.upper) {
            reach.upper = beyond + slack;
            furthest = beyond;
            slack_there = slack;
        }
        re += n * work->width;
        im += n * work->width;
    }
    reach.rounding = slack_there - (reach.computed - furthest);
    return reach;
}

/* ---- Continuous systems ---- */

/* Do so many lanes wait that eigenvalues in lanes cost less than the scalar code does? */
static bool do_most_wait(const costab_network_work *work, const bool waits[LANES_MOST]) {
    int count = 0;
    for (int l = 0; l < work->batch.count; l++) count += waits[l];
    return 4 * count >= 3 * work->width;
}

/* stable[l]: of continuous systems in batch->spare, is the l-th one stable beyond rounding? False also where
 * powers do not tell. */
static void find_stable_by_powers(costab_network_work *work, bool stable[LANES_MOST]) {
    network_batch *batch = &work->batch;
    eigen_lanes_left_of_axis(work->eigen_kernels, work->states, batch->spare, &batch->mono_components, stable,
                             batch->eigen_work, work->eigen.iwork);
}

/* Step 1 for the continuous systems that wait. Where powers leave most of them open they are not tried again,
 * until eigenvalues have found most stable. */
static void decide_monos_by_powers(costab_network_work *work) {
    network_batch *batch = &work->batch;
    int n = work->states;
    bool stable[LANES_MOST];
    if (batch->powers_fail || !copy_waiting(work, n, batch->monos, batch->mono_waits)) return;
    find_stable_by_powers(work, stable);
    for (int l = 0; l < batch->count; l++) {
        if (!batch->mono_waits[l] || !stable[l]) continue;
        batch->points[l].class_code |= COSTAB_CONTINUOUS_STABLE;
        batch->mono_waits[l] = false;
    }
    batch->powers_fail = do_most_wait(work, batch->mono_waits);
}

/* What the eigenvalues of a lane's continuous system tell, by the scalar code. False where it has equilibria,
 * or may have. */
static bool take_mono_of_lane(costab_network_work *work, int lane) {
    const neutral_rest rest = {.equilibria = 0};
    network_batch *batch = &work->batch;
    double radius, abscissa;
    take_eigenvalues(work, work->states, &batch->mono_components, lane);
    lane_get(work->width, batch->monos, lane, cells(work->states, work->states), work->mono.matrix);
    spectrum_moduli(work, work->states, &radius, &abscissa);
    analyse_mono_found(work);
    if (work->mono.found.regular) (void)analyse_take_continuous(work, &rest, &batch->points[lane], NULL);
    return work->mono.found.regular;
}

/* Steps 2 to 4 for the continuous systems that wait. Where the class alone is asked for most follow in lanes.
 */
static void decide_monos(costab_network_work *work, unsigned asked, bool decided[LANES_MOST]) {
    network_batch *batch = &work->batch;
    int n = work->states;
    int waited = 0, stable = 0;
    eigen_where where[LANES_MOST] = {EIGEN_UNKNOWN};
    if (!copy_waiting(work, n, batch->monos, batch->mono_waits)) return;
    find_eigenvalues(work, n, &batch->mono_components);
    if ((asked & NETWORK_OF_MONO) == 0)
        work->eigen_kernels->axis(n, batch->monos, &batch->mono_components, &batch->found,
                                  SPECTRUM_ENTRY_ERROR, where);
    for (int l = 0; l < batch->count; l++) {
        if (!batch->mono_waits[l]) continue;
        bool known = batch->found.known[l] && (where[l] != EIGEN_UNKNOWN || take_mono_of_lane(work, l));
        decided[l] = decided[l] && known;
        if (where[l] == EIGEN_INSIDE && decided[l]) batch->points[l].class_code |= COSTAB_CONTINUOUS_STABLE;
        batch->mono_waits[l] = false;
        waited++;
        stable += where[l] == EIGEN_INSIDE;
    }
    if (2 * stable >= waited) batch->powers_fail = false;
    work->mono.known = false;
}

/* ---- Maps ---- */

/* Does the iteration of a lane's point diverge? Not if the map overflows: then no class is known. */
static bool diverges(const costab_network_work *work, int lane) {
    const network_batch *batch = &work->batch;
    bool finite = analyse_diverges(work, batch->points[lane].iteration_radius);
    for (int e = 0; e < work->size * work->size && finite; e++)
        finite = isfinite(batch->maps[e * work->width + lane]);
    return finite;
}

/* Step 1 for the current maps, of one macro step; those that it leaves open wait. */
static void decide_maps_by_powers(costab_network_work *work) {
    network_batch *batch = &work->batch;
    eigen_where where[LANES_MOST] = {EIGEN_UNKNOWN};
    int n = work->size;
    copy_to_spare(work, n, batch->maps);
    if (work->period == 1)
        eigen_lanes_side(work->eigen_kernels, n, batch->spare, &batch->map_components, where,
                         batch->eigen_work, work->eigen.iwork);
    for (int l = 0; l < batch->count; l++) {
        if (diverges(work, l)) where[l] = EIGEN_OUTSIDE;
        batch->map_waits[l] = where[l] == EIGEN_UNKNOWN;
        if (!batch->map_waits[l]) analyse_decide(work, where[l], NULL, &batch->points[l]);
    }
}

/* Steps 2 to 4 for the maps that wait. */
static void decide_maps(costab_network_work *work, unsigned asked, bool decided[LANES_MOST]) {
    network_batch *batch = &work->batch;
    int n = work->size;
    if (!copy_waiting(work, n, batch->maps, batch->map_waits)) return;
    find_eigenvalues(work, n, &batch->map_components);
    work->eigen_kernels->circle(&batch->map_components, &batch->found);
    for (int l = 0; l < batch->count; l++) {
        if (!batch->map_waits[l]) continue;
        batch->map_waits[l] = false;
        decided[l] = decided[l] && batch->found.known[l];
        if (!decided[l]) continue;
        double radius, step = (asked & NETWORK_OF_RATES) != 0 ? batch->steps[l] : 0;
        const spectrum_reach reach = circle_reach(work, l, &radius);
        if ((!batch->found.near_circle[l] || reach.computed > batch->found.outweighs[l]) &&
            analyse_reached(work, radius, &reach, step, &batch->points[l]))
            continue;
        take_eigenvalues(work, n, &batch->map_components, l);
        decided[l] = analyse_found(work, NULL, step, &batch->points[l]);
        if (decided[l]) continue;
        lane_get(work->width, batch->maps, l, cells(n, n), work->map);
        decided[l] = analyse_found(work, work->map, step, &batch->points[l]);
    }
}

/* ---- All together ---- */

/* Can lanes decide a point? Not next to a pole of the map, unless the iteration diverges beyond rounding and
 * nothing but the class is asked for. */
static bool is_decidable(const costab_network_work *work, double iteration_radius, unsigned asked) {
    return !analyse_near_pole(work, iteration_radius) ||
           (asked == 0 && analyse_diverges(work, iteration_radius));
}

/* Decides the points of the batch. [in, out] decided: of each lane, on entry whether it is to be decided;
 * becomes false if the point is left to the scalar code. */
static void lanes_decide(costab_network_work *work, unsigned asked, bool decided[LANES_MOST]) {
    network_batch *batch = &work->batch;
    for (int l = 0; l < batch->count; l++)
        decided[l] = decided[l] && is_decidable(work, batch->points[l].iteration_radius, asked);
    bool eigenvalues = (asked & NETWORK_OF_MONO) != 0 || work->states <= CLOSED_MOST;
    if (!eigenvalues) decide_monos_by_powers(work);
    if (eigenvalues || do_most_wait(work, batch->mono_waits)) decide_monos(work, asked, decided);
    if (asked == 0) decide_maps_by_powers(work);
    for (int l = 0; l < batch->count && asked != 0; l++) batch->map_waits[l] = true;
    if (asked != 0 || do_most_wait(work, batch->map_waits)) decide_maps(work, asked, decided);
    for (int l = 0; l < batch->count; l++)
        decided[l] = decided[l] && !batch->map_waits[l] && !batch->mono_waits[l];
}

/* The continuous system that all points of the batch share (lane 0 of batch->monos): batch->common and
 * batch->common_regular. */
static void lanes_decide_common(costab_network_work *work, unsigned asked) {
    const neutral_rest rest = {.equilibria = 0};
    network_batch *batch = &work->batch;
    bool stable[LANES_MOST] = {false};
    if ((asked & NETWORK_OF_MONO) == 0) {
        copy_to_spare(work, work->states, batch->monos);
        find_stable_by_powers(work, stable);
    }
    if (stable[0]) batch->common.class_code = COSTAB_CONTINUOUS_STABLE;
    batch->common_regular = stable[0];
    if (stable[0]) return;
    lane_get(work->width, batch->monos, 0, cells(work->states, work->states), work->mono.matrix);
    batch->common_regular = !analyse_mono_at_hand(work, NULL) && work->mono.found.regular;
    if (batch->common_regular) (void)analyse_take_continuous(work, &rest, &batch->common, NULL);
    work->mono.known = false;
}

/* ---- Batches ---- */

/* Step 2. `common` is kept as long as the points' numbers other than macro steps are. */
static void make_monos(costab_network_work *work, const network_numbers *numbers, unsigned asked) {
    const costab_network_point none = {.size = work->size, .period = (long)work->period};
    network_batch *batch = &work->batch;
    bool shared = numbers->shared != 0, kept = shared && batch->common_of == numbers->shared;
    bool inexact[LANES_MOST] = {false};
    if (!kept) lanes_make_monos(work, batch->monos, inexact);
    if (shared && !kept) {
        batch->common_of = numbers->shared;
        batch->common = none;
        lanes_decide_common(work, asked);
        batch->common_regular = batch->common_regular && !inexact[0];
    }
    for (int l = 0; l < batch->count; l++) {
        batch->mono_waits[l] = !shared;
        if (asked != 0)
            batch->points[l] = shared ? batch->common : none;
        else /* filling all of a point would take long */
            batch->points[l].class_code = shared ? batch->common.class_code : 0;
    }
    for (int l = 0; l < work->width; l++)
        if (shared ? !batch->common_regular : inexact[l]) work->lanes_room->alone[l] = true;
}

/* Do delays in seconds last as many macro steps in all lanes as the workspace is laid out for? Lanes share
 * the times of clocks that repeat after several macro steps. */
static bool are_times_kept(const costab_network_work *work, const network_numbers *numbers, int count) {
    bool kept = true, clocks = false;
    for (int s = 0; s < work->count; s++) clocks = clocks || work->subs[s].clock.q > 1;
    for (int l = 0; l < count && kept; l++)
        kept = work_delays_kept(work, work->network, numbers->steps[l]) &&
               !(clocks && numbers->steps[l] != numbers->steps[0]);
    return kept;
}

/* Step 1. False if such points are not computed in lanes. */
static bool lay_out(costab_network_work *work, const costab_network *network, const costab_coupling *coupling,
                    const network_numbers *numbers, int count) {
    costab_coupling first = *coupling;
    first.macro_step = numbers->steps[0];
    if (!work_is_kept(work, network, &first, NULL) && work_prepare(work, network, &first, NULL, NULL))
        return false;
    work->network = network;
    work->coupling = first;
    return work->batch.usable && analyse_is_plain(work) && are_times_kept(work, numbers, count);
}

bool network_run_lanes(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, const network_numbers *numbers, int count,
                       unsigned asked, costab_network_point points[LANES_MOST], bool decided[LANES_MOST]) {
    network_batch *batch = &work->batch;
    if ((asked & NETWORK_OF_REST) != 0 || !lay_out(work, network, coupling, numbers, count)) return false;
    batch->count = count;
    batch->steps = numbers->steps;
    batch->points = points;
    lanes_take_numbers(work, numbers);
    make_monos(work, numbers, asked);
    lanes_make_maps(work, batch->maps, asked != 0);
    for (int l = 0; l < count; l++) {
        points[l].iteration_radius = work->lanes_room->radius[l];
        decided[l] = !work->lanes_room->alone[l];
    }
    lanes_decide(work, asked, decided);
    return true;
}
