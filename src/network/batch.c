/* Points of one form, collected and classified in lanes. */
#include <string.h>

#include "network/analyse.h"
#include "network/batch.h"
#include "network/neutral.h"
#include "network/spectrum.h"

/* The map as the scalar code makes it, into a lane. */
static void put_map(costab_network_work *work, int lane) {
    size_t cells = (size_t)work->size * (size_t)work->size;
    double *maps = work->batch.maps + lane;
    for (size_t e = 0; e < cells; e++) maps[e * LANES] = work->map[e];
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    network_batch *batch = &work->batch;
    eigen_where where[LANES];
    int count = batch->count;
    if (count == 0) return;
    size_t cells = (size_t)work->size * (size_t)work->size;
    for (size_t e = 0; e < cells && count < LANES; e++) /* lanes without a point repeat the first */
        for (int l = count; l < LANES; l++) batch->maps[e * LANES + (size_t)l] = batch->maps[e * LANES];
    eigen_lanes_side(work->set, work->size, batch->maps, &batch->parts, where, batch->room,
                     work->eigen_iwork);
    batch->count = 0;
    for (int l = 0; l < count; l++) {
        costab_network_point *point = &batch->points[l];
        bool decided = where[l] != EIGEN_UNKNOWN;
        if (decided) analyse_decide(work, where[l], NULL, point);
        results->take(results->context, batch->tags[l], decided, point->class_code);
    }
}

bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, size_t tag, const network_results *results) {
    network_batch *batch = &work->batch;
    if (!work_is_kept(work, network, coupling, NULL)) {
        network_batch_finish(work, results);
        return false;
    }
    long exponent = 0;
    neutral_rest rest;
    costab_network_point *point = &batch->points[batch->count];
    if (batch->maps == NULL || analyse_begin(work, network, coupling, point, &exponent, &rest, NULL) ||
        !analyse_is_quick(work, &rest))
        return false;
    put_map(work, batch->count);
    batch->tags[batch->count++] = tag;
    if (batch->count == LANES) network_batch_finish(work, results);
    return true;
}
