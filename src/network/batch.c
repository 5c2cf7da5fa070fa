/* The classes of points of one form, or all of their numbers, eight at a time in the lanes of vectors
 * (docs/algorithms.md, Points in lanes).
 *
 * 1. A point's numbers are put into the next lane (network_batch_add), or those of eight points into all
 *    lanes (network_batch_group). What the last point had in common is not made again (lane_points.h).
 * 2. With eight points the lanes are full: their maps are made (lanes_map.h). With fewer at the end the other
 *    lanes repeat the last point's numbers.
 * 3. Each point is decided (lanes_decide.h), and told to the caller. Where classes alone are asked for,
 *    points that powers leave open are moved to batch->open; when there are eight of these, or at the end,
 *    their eigenvalues are found, and they are told.
 * 4. A point that lanes cannot decide is told as NULL: the caller analyses it alone.
 *
 * Cost: that of lanes_map.h and lanes_decide.h. A lane does the operations of the scalar code in their order:
 * it has its bits, or no answer. */
#include "network/batch.h"

#include <string.h>

#include "base/error.h"
#include "network/analyse.h"
#include "network/lanes_decide.h"

/* ---- Step 3: classes and numbers ---- */

/* Decides the open points, tells of them all, and leaves none there. */
static void finish_open(costab_network_work *work, const network_results *results) {
    lane_points *at = &work->batch.open;
    bool decided[LANES];
    int count = at->count;
    for (int l = 0; l < count; l++) decided[l] = true;
    lanes_decide_waiting(work, at, results->asked, decided);
    at->count = 0;
    for (int l = 0; l < count; l++)
        results->take(results->context, at->tags[l], decided[l] ? &at->points[l] : NULL);
}

/* Moves a current point that powers leave open to batch->open. */
static void move_to_open(costab_network_work *work, int lane, const network_results *results) {
    lane_points *from = &work->batch.current, *to = &work->batch.open;
    int place = to->count++, n = work->size;
    to->tags[place] = from->tags[lane];
    to->points[place] = from->points[lane];
    to->map_waits[place] = from->map_waits[lane];
    to->mono_waits[place] = from->mono_waits[lane];
    to->own_steps[place] = from->steps[lane];
    for (int e = 0; e < n * n && to->map_waits[place]; e++)
        to->maps[e * LANES + place] = from->maps[e * LANES + lane];
    n = work->states;
    for (int e = 0; e < n * n && to->mono_waits[place]; e++)
        to->monos[e * LANES + place] = from->monos[e * LANES + lane];
    if (to->count == LANES) finish_open(work, results);
}

/* Tells of the current points what can be told now, and leaves no point there. */
static void tell_points(costab_network_work *work, bool decided[LANES], const network_results *results) {
    lane_points *at = &work->batch.current;
    int count = at->count;
    lanes_decide_current(work, results->asked, decided);
    at->count = 0;
    for (int l = 0; l < count; l++)
        if (decided[l] && (at->map_waits[l] || at->mono_waits[l]))
            move_to_open(work, l, results);
        else
            results->take(results->context, at->tags[l], decided[l] ? &at->points[l] : NULL);
}

/* ---- Step 2: full lanes ---- */

/* Makes the maps of the current points, and tells of those that do not go to batch->open. */
static void finish_lanes(costab_network_work *work, const network_results *results) {
    lane_points *at = &work->batch.current;
    bool decided[LANES];
    lanes_make_maps(work, at->maps, results->asked != 0);
    for (int l = 0; l < at->count; l++) {
        at->points[l].iteration_radius = work->lanes_room->radius[l];
        decided[l] = !work->lanes_room->alone[l];
    }
    tell_points(work, decided, results);
}

/* Finishes the current points, which were put in one by one. */
static void finish_added(costab_network_work *work, const network_results *results) {
    lane_points *at = &work->batch.current;
    if (at->count == 0) return;
    for (int l = at->count; l < LANES; l++) {
        at->own_steps[l] = at->own_steps[0];
        (void)lanes_put(work, l); /* whatever numbers there are */
    }
    lanes_take_own(work, at->own_steps);
    finish_lanes(work, results);
}

/* Leaves all points there to the caller. */
static void give_up(lane_points *at, const network_results *results) {
    int count = at->count;
    at->count = 0;
    for (int l = 0; l < count; l++) results->take(results->context, at->tags[l], NULL);
}

/* A network that has another form by now cannot tell any more what was connected how. */
static bool is_form_kept(const costab_network_work *work) {
    return work_is_kept(work, work->network, &work->coupling, NULL);
}

/* Finishes the current points, or leaves them to the caller. */
static void finish_current(costab_network_work *work, const network_results *results) {
    if (is_form_kept(work))
        finish_added(work, results);
    else
        give_up(&work->batch.current, results);
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    network_batch *batch = &work->batch;
    batch->common_of = 0;
    if (batch->current.count == 0 && batch->open.count == 0) return;
    if (is_form_kept(work)) {
        finish_added(work, results);
        finish_open(work, results);
    } else {
        give_up(&batch->current, results);
        give_up(&batch->open, results);
    }
}

/* ---- Step 1: points into lanes ---- */

/* Makes A_mono of a new point. One point's alone is analysed at once by the scalar code; where every point
 * has another one it waits for lanes. False: the point is not for lanes. */
static bool make_mono(costab_network_work *work) {
    network_batch *batch = &work->batch;
    uint64_t version = work->version;
    bool differed = batch->numbers_differ, wanted;
    work_compare(work);
    batch->numbers_differ = work->version != version;
    if (!analyse_is_plain(work) || analyse_mono(work, &wanted, NULL)) return false;
    if (work->mono.known || (differed && batch->numbers_differ)) return true;
    return analyse_continuous(work, NULL) == COSTAB_OK;
}

/* The continuous system of the next lane's point. numbers_kept: it is the last point's. False: the point is
 * not for lanes. */
static bool add_mono(costab_network_work *work, bool numbers_kept) {
    const neutral_rest rest = {.equilibria = 0};
    network_batch *batch = &work->batch;
    lane_points *at = &batch->current;
    int lane = at->count;
    if (numbers_kept) {
        batch->numbers_differ = false;
    } else {
        batch->common = (costab_network_point){.size = work->size, .period = (long)work->period};
        batch->common_of = 0;
        if (!make_mono(work)) return false;
        if (work->mono.known) (void)analyse_take_continuous(work, &rest, &batch->common, NULL);
    }
    if (work->mono.known ? !work->mono.found.regular : monolithic_errors(work)) return false;
    at->points[lane] = batch->common;
    at->mono_waits[lane] = !work->mono.known;
    if (at->mono_waits[lane])
        lane_put(at->monos, (size_t)lane, cells(work->states, work->states), work->mono.matrix);
    return true;
}

bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, uint64_t numbers, size_t tag,
                       const network_results *results) {
    network_batch *batch = &work->batch;
    lane_points *at = &batch->current;
    bool kept = numbers != 0 && batch->last_network == numbers && work_choices_kept(work, coupling);
    if ((results->asked & NETWORK_OF_REST) != 0 || (!kept && !work_is_kept(work, network, coupling, NULL))) {
        network_batch_finish(work, results);
        return false;
    }
    if (!batch->usable) return false;
    work->network = network;
    work->coupling = *coupling;
    at->own_steps[at->count] = coupling->macro_step;
    at->steps = at->own_steps;
    if (!add_mono(work, kept) || !lanes_put(work, at->count)) return false;
    batch->last_network = numbers;
    at->tags[at->count++] = tag;
    if (at->count == LANES) finish_current(work, results);
    return true;
}

static bool has_feedthrough(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].D != NULL) return true;
    return false;
}

/* The continuous systems of a group into its points; one that they share is found but once. */
static void make_monos(costab_network_work *work, const network_numbers *numbers, unsigned asked) {
    const costab_network_point none = {.size = work->size, .period = (long)work->period};
    network_batch *batch = &work->batch;
    lane_points *at = &batch->current;
    bool shared = numbers->shared != 0, kept = shared && batch->common_of == numbers->shared;
    bool inexact[LANES] = {false};
    if (!kept) lanes_make_monos(work, at->monos, inexact);
    if (shared && !kept) {
        batch->common_of = numbers->shared;
        batch->common = none;
        batch->last_network = 0;
        lanes_decide_common(work, asked);
        batch->common_regular = batch->common_regular && !inexact[0];
    }
    for (int l = 0; l < at->count; l++) {
        at->mono_waits[l] = !shared;
        if (asked != 0)
            at->points[l] = shared ? batch->common : none;
        else /* filling all of a point would take long */
            at->points[l].class_code = shared ? batch->common.class_code : 0;
    }
    for (int l = 0; l < LANES; l++)
        if (shared ? !batch->common_regular : inexact[l]) work->lanes_room->alone[l] = true;
}

/* Have all points of a group micro steps and delays as the workspace has them? */
static bool steps_kept(const costab_network_work *work, const network_numbers *numbers, int count) {
    bool kept = !work->layout_needs_step;
    for (int l = 0; l < count && kept; l++) kept = work_delays_kept(work, numbers->steps[l]);
    return kept;
}

bool network_batch_group(costab_network_work *work, const costab_network *network,
                         const costab_coupling *coupling, const network_numbers *numbers, int count,
                         const size_t *tags, const network_results *results) {
    network_batch *batch = &work->batch;
    if (batch->current.count > 0) finish_current(work, results);
    if ((results->asked & NETWORK_OF_REST) != 0 || !work_is_kept(work, network, coupling, NULL) ||
        !batch->usable || !steps_kept(work, numbers, count) || work->area || has_feedthrough(network) ||
        !lanes_explicit(work))
        return false;
    work->network = network;
    work->coupling = *coupling;
    if (!analyse_is_plain(work)) return false;
    lanes_take_numbers(work, numbers);
    batch->current.steps = numbers->steps;
    batch->current.count = count;
    memcpy(batch->current.tags, tags, (size_t)count * sizeof *tags);
    make_monos(work, numbers, results->asked);
    batch->numbers_differ = true;
    finish_lanes(work, results);
    return true;
}
