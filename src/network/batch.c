/* Points of one form, collected and classified in lanes. */
#include <string.h>

#include "network/analyse.h"
#include "network/batch.h"
#include "network/spectrum.h"

/* The map as the scalar code makes it, into a lane. */
static void put_map(costab_network_work *work, int lane) {
    size_t cells = (size_t)work->size * (size_t)work->size;
    double *maps = work->batch.maps + lane;
    for (size_t e = 0; e < cells; e++) maps[e * LANES] = work->map[e];
}

/* Lanes without a point repeat the first map. */
static void fill_up(costab_network_work *work) {
    network_batch *batch = &work->batch;
    size_t cells = (size_t)work->size * (size_t)work->size;
    for (size_t e = 0; e < cells; e++)
        for (int l = batch->count; l < LANES; l++)
            batch->maps[e * LANES + (size_t)l] = batch->maps[e * LANES];
}

/* What the lanes say of their points. */
static void look(costab_network_work *work, eigen_where *where) {
    network_batch *batch = &work->batch;
    if (batch->mapped) {
        batch_fill_up(work);
        batch_make_maps(work);
    } else if (batch->count < LANES) {
        fill_up(work);
    }
    eigen_lanes_side(work->set, work->size, batch->maps, &batch->zeros, where, batch->room,
                     work->eigen_iwork);
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    network_batch *batch = &work->batch;
    eigen_where where[LANES] = {EIGEN_UNKNOWN};
    int count = batch->count;
    if (count == 0) return;
    /* A network that has another form by now cannot tell any more what was connected how. */
    if (work_is_kept(work, work->network, &work->coupling, NULL)) look(work, where);
    batch->count = 0;
    for (int l = 0; l < count; l++) {
        costab_network_point *point = &batch->points[l];
        bool decided = where[l] != EIGEN_UNKNOWN;
        if (decided) analyse_decide(work, where[l], NULL, point);
        results->take(results->context, batch->tags[l], decided, point->class_code);
    }
}

/* The next lane gets a point's numbers, from which the maps are made in lanes. */
static bool add_numbers(costab_network_work *work, const costab_network *network,
                        const costab_coupling *coupling) {
    network_batch *batch = &work->batch;
    costab_network_point *point = &batch->points[batch->count];
    work->network = network;
    work->coupling = *coupling;
    work_compare(work);
    neutral_rest rest = {.modes = 0};
    if (analyse_continuous(work, NULL) || !work->mono_regular || !analyse_is_quick(work, &rest)) return false;
    point->class_code = 0;
    analyse_class_continuous(&work->mono_reach, point);
    batch_put(work, batch->count);
    return true;
}

/* It gets the map that the scalar code makes. */
static bool add_map(costab_network_work *work, const costab_network *network,
                    const costab_coupling *coupling) {
    network_batch *batch = &work->batch;
    long exponent = 0;
    neutral_rest rest;
    if (batch->maps == NULL ||
        analyse_begin(work, network, coupling, &batch->points[batch->count], &exponent, &rest, NULL) ||
        !analyse_is_quick(work, &rest))
        return false;
    put_map(work, batch->count);
    return true;
}

bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, size_t tag, const network_results *results) {
    network_batch *batch = &work->batch;
    if (!work_is_kept(work, network, coupling, NULL)) {
        network_batch_finish(work, results);
        return false;
    }
    bool added = batch->mapped ? add_numbers(work, network, coupling) : add_map(work, network, coupling);
    if (!added) return false;
    batch->tags[batch->count++] = tag;
    if (batch->count == LANES) network_batch_finish(work, results);
    return true;
}
