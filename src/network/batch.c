/* Analyses points of one structure in batches, one point per SIMD lane (docs/explanation/algorithms.md,
 * Points in lanes).
 *
 * 1. Layout of the workspace for the structure, unless present.
 * 2. Continuous systems of all lanes; a single one if only macro steps differ.
 * 3. Maps of all lanes (lanes_map.h).
 * 4. Classes and numbers. Undecided points are left to the scalar code.
 *
 * Cost: that of lanes_map.h, and of the decisions below. A lane does the operations of the scalar code in the
 * same order, so decided results are equal to the last bit. */
#include "network/batch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/analyse.h"
#include "network/spectrum.h"

/* ---- Classes and numbers ----
 * Decides a batch of points from their matrices (docs/explanation/algorithms.md, Points in lanes, and
 * Verdicts and rounding).
 *
 * 1. Powers (eigen_lanes.h): powers of a polynomial of A_mono prove a stable continuous system; powers of the
 *    map M prove all eigenvalues inside the unit circle, or one outside. Powers cost less than eigenvalues
 *    and come first if only classes are requested.
 * 2. Eigenvalues of all matrices at once, if most lanes are pending or numbers are requested. Lanes that are
 *    not pending hold copies of a pending matrix.
 * 3. Excess over the limit: each component's backward error gives an interval. If the condition of an
 *    eigenvalue near the limit matters, the scalar code finds it from the lane's matrix.
 *
 * Cost: 10 n^3 per matrix for eigenvalues, n^3 for powers, divided by the number of lanes. */

/* Matrices up to this size have eigenvalues in closed form, faster than powers. */
enum { CLOSED_MOST = 2 };

/* ---- Copies of matrices ---- */

/* Copies the matrices of order n to batch->spare. */
static void copy_to_spare(costab_network_work *work, int n, const double *from) {
    memcpy(work->batch.spare, from, cells(n * n, work->width) * sizeof *from);
}

/* Copies the matrices of pending points; all other lanes receive copies of the first pending matrix. Returns
 * false if no point is pending. */
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

/* Computes eigenvalues of the matrices in batch->spare into batch->found. */
static void find_eigenvalues(costab_network_work *work, int n, eigen_lanes_components *components) {
    network_batch *batch = &work->batch;
    eigen_lanes_values(work->eigen_kernels, n, batch->spare, components, &batch->found, batch->eigen_work,
                       work->eigen.iwork);
}

/* Copies the eigenvalues and components of one lane to work->eigen. */
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

/* Largest modulus of n eigenvalues of a lane. square: largest rounded square of a modulus; all eigenvalues
 * with a square close to it are compared by hypot. */
static double largest_modulus(int width, const double *re, const double *im, int n, double square) {
    const double almost = square * (1 - 16 * DBL_EPSILON);
    double most = 0;
    for (int i = 0; i < n; i++) {
        double x = re[i * width], y = im[i * width];
        if (y >= 0 && x * x + y * y >= almost) most = larger(most, y == 0 ? fabs(x) : hypot(x, y));
    }
    return most;
}

/* Excess of a lane's map if no condition matters: rounding moves all eigenvalues of a component equally. The
 * result equals that of spectrum_reach_of. [out] radius: largest modulus. */
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

/* Returns true if enough lanes are pending for eigenvalues in lanes to cost less than the scalar code. */
static bool do_most_wait(const costab_network_work *work, const bool waits[LANES_MOST]) {
    int count = 0;
    for (int l = 0; l < work->batch.count; l++) count += waits[l];
    return 4 * count >= 3 * work->width;
}

/* stable[l]: the l-th continuous system in batch->spare is stable beyond rounding. False also if powers do
 * not decide. */
static void find_stable_by_powers(costab_network_work *work, bool stable[LANES_MOST]) {
    network_batch *batch = &work->batch;
    eigen_lanes_left_of_axis(work->eigen_kernels, work->states, batch->spare, &batch->mono_components, stable,
                             batch->eigen_work, work->eigen.iwork);
}

/* Decides pending continuous systems by powers. If most remain undecided, later batches skip powers until
 * eigenvalues find most systems stable. */
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

/* Takes the numbers of a lane's continuous system from its eigenvalues by the scalar code. Returns false if
 * it may have equilibria. */
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

/* Decides pending continuous systems by eigenvalues. For classes alone most lanes are decided in parallel. */
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

/* Returns true if the iteration of a lane's point diverges and its map is finite. A map that overflows has no
 * class. */
static bool diverges(const costab_network_work *work, int lane) {
    const network_batch *batch = &work->batch;
    bool finite = analyse_diverges(work, batch->points[lane].iteration_radius);
    for (int e = 0; e < work->size * work->size && finite; e++)
        finite = isfinite(batch->maps[e * work->width + lane]);
    return finite;
}

/* Decides the current maps of one macro step by powers; undecided maps become pending. */
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

/* Decides the pending maps by eigenvalues. */
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
        double radius, step = (asked & NETWORK_OF_RATES) != 0 ? work->lanes_space->steps[l] : 0;
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

/* ---- All points ---- */

/* Returns true if lanes can decide a point: it is away from poles of the map, or only classes are requested
 * and the iteration diverges beyond rounding. */
static bool is_decidable(const costab_network_work *work, double iteration_radius, unsigned asked) {
    return !analyse_near_pole(work, iteration_radius) ||
           (asked == 0 && analyse_diverges(work, iteration_radius));
}

/* Decides the points of the batch. [in, out] decided: lanes to be decided; set to false if the scalar code
 * must analyse the point. */
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

/* Analyses the continuous system shared by all points (lane 0 of batch->monos) into batch->common and
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

/* Computes the continuous systems. `common` remains valid while only macro steps change. */
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
        else /* filling all members would dominate the run time */
            batch->points[l].class_code = shared ? batch->common.class_code : 0;
    }
    for (int l = 0; l < work->width; l++)
        if (shared ? !batch->common_regular : inexact[l]) work->lanes_space->alone[l] = true;
}

/* Returns true if delays in seconds take as many macro steps in all lanes as in the layout. Lanes share the
 * times of clocks with a period of several macro steps, so such macro steps must be equal. */
static bool are_times_kept(const costab_network_work *work, const network_numbers *numbers, int count) {
    bool kept = true, clocks = false;
    for (int s = 0; s < work->count; s++) clocks = clocks || work->subs[s].clock.q > 1;
    for (int l = 0; l < count && kept; l++)
        kept = work_delays_kept(work, work->network, numbers->steps[l]) &&
               !(clocks && numbers->steps[l] != numbers->steps[0]);
    return kept;
}

/* Lays out the workspace. Returns false if lanes cannot compute such points. */
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
    batch->points = points;
    lanes_take_numbers(work, numbers);
    make_monos(work, numbers, asked);
    lanes_make_maps(work, batch->maps, asked != 0);
    for (int l = 0; l < count; l++) {
        points[l].iteration_radius = work->lanes_space->radius[l];
        decided[l] = !work->lanes_space->alone[l];
    }
    lanes_decide(work, asked, decided);
    return true;
}
