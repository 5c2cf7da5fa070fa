/* The classes of points of one structure, or all of their numbers, a batch at a time in SIMD lanes
 * (docs/explanation/algorithms.md, Points in lanes).
 *
 * 1. The workspace is laid out for the structure, unless it is already.
 * 2. The continuous systems of all lanes; only one if the points differ in macro steps alone.
 * 3. The maps of all lanes (lanes_map.h).
 * 4. Classes and numbers (lanes_decide.h). A point that lanes cannot decide is left to the scalar code.
 *
 * Cost: that of lanes_map.h and lanes_decide.h. A lane does the operations of the scalar code in their order:
 * it has its bits, or no answer. */
#include "network/batch.h"

#include <string.h>

#include "network/analyse.h"
#include "network/lanes_decide.h"

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
