/* Points of one form, collected, classified and analysed in lanes. */
#include <math.h>
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

static void make_maps(costab_network_work *work) {
    if (work->batch.mapped) {
        batch_fill_up(work);
        batch_make_maps(work);
    } else if (work->batch.count < LANES) {
        fill_up(work);
    }
}

/* Classes, as far as powers of the maps tell. */
static void classify(costab_network_work *work, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    eigen_where where[LANES];
    eigen_lanes_side(work->set, work->size, batch->maps, &batch->zeros, where, batch->room,
                     work->eigen_iwork);
    for (int l = 0; l < batch->count; l++) {
        decided[l] = where[l] != EIGEN_UNKNOWN;
        if (decided[l]) analyse_decide(work, where[l], NULL, &batch->points[l]);
    }
}

/* The eigenvalues of a lane become those of the workspace. */
static void take_lane(costab_network_work *work, int lane) {
    const network_batch *batch = &work->batch;
    const eigen_lanes_found *found = &batch->found;
    for (int i = 0; i < work->size; i++) {
        work->eigen_real[i] = found->re[i * LANES + lane];
        work->eigen_imaginary[i] = found->im[i * LANES + lane];
    }
    for (int p = 0, i = 0; p < batch->zeros.count; p++) {
        const eigen_home home = {batch->zeros.sizes[p], found->norm[p * LANES + lane]};
        for (int end = i + home.n; i < end; i++) work->eigen_homes[i] = home;
    }
}

/* All numbers, as far as the eigenvalues tell. */
static void analyse(costab_network_work *work, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    eigen_lanes_values(work->set, work->size, batch->maps, &batch->zeros, &batch->found, batch->room,
                       work->eigen_iwork);
    for (int l = 0; l < batch->count; l++) {
        decided[l] = batch->found.known[l];
        if (!decided[l]) continue;
        take_lane(work, l);
        decided[l] = analyse_found(work, batch->steps[l], &batch->points[l]);
    }
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    network_batch *batch = &work->batch;
    bool decided[LANES] = {false};
    if (batch->count == 0) return;
    /* A network that has another form by now cannot tell any more what was connected how. */
    if (work_is_kept(work, work->network, &work->coupling, NULL)) {
        make_maps(work);
        if (results->numbers)
            analyse(work, decided);
        else
            classify(work, decided);
    }
    int count = batch->count;
    batch->count = 0;
    for (int l = 0; l < count; l++)
        results->take(results->context, batch->tags[l], decided[l] ? &batch->points[l] : NULL);
}

/* The next lane gets a point's numbers, from which the maps are made in lanes. known: but for the macro step
 * they are those of the last one. */
static bool add_numbers(costab_network_work *work, const costab_network *network,
                        const costab_coupling *coupling, bool known) {
    network_batch *batch = &work->batch;
    costab_network_point *point = &batch->points[batch->count];
    neutral_rest rest = {.modes = 0};
    work->network = network;
    work->coupling = *coupling;
    if (!known) {
        work_compare(work);
        if (analyse_continuous(work, NULL) || !work->mono_regular || !analyse_is_quick(work, &rest))
            return false;
    }
    *point = (costab_network_point){.size = work->size, .period = 1, .iteration_radius = (double)NAN};
    (void)analyse_take_continuous(work, &rest, point, NULL); /* it needs no eigenvalues */
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
    batch->steps[batch->count] = coupling->macro_step;
    return true;
}

bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, uint64_t numbers, size_t tag,
                       const network_results *results) {
    network_batch *batch = &work->batch;
    bool known = numbers != 0 && batch->numbers == numbers && work_choices_kept(work, coupling);
    if (!known && !work_is_kept(work, network, coupling, NULL)) {
        network_batch_finish(work, results);
        return false;
    }
    bool added =
        batch->mapped ? add_numbers(work, network, coupling, known) : add_map(work, network, coupling);
    if (!added) return false;
    batch->numbers = numbers;
    batch->tags[batch->count++] = tag;
    if (batch->count == LANES) network_batch_finish(work, results);
    return true;
}
