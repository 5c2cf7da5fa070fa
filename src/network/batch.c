/* Points of one form, collected, classified and analysed in lanes. */
#include <math.h>
#include <string.h>

#include "network/analyse.h"
#include "network/batch.h"
#include "network/spectrum.h"

/* Lanes without a point repeat the first map. */
static void fill_up(costab_network_work *work) {
    network_batch *batch = &work->batch;
    size_t cells = (size_t)work->size * (size_t)work->size;
    for (size_t e = 0; e < cells; e++)
        for (int l = batch->count; l < LANES; l++)
            batch->maps[e * LANES + (size_t)l] = batch->maps[e * LANES];
}

static void make_matrices(costab_network_work *work) {
    network_batch *batch = &work->batch;
    if (batch->grouped) {
        batch_make_monos(work);
        batch_make_maps(work);
    } else if (batch->mapped) {
        batch_fill_up(work);
        batch_take_own(work);
        batch_make_maps(work);
    } else if (batch->count < LANES) {
        fill_up(work);
    }
}

static void put_matrix(double *lanes, int lane, const double *matrix, int n) {
    for (int e = 0; e < n * n; e++) lanes[(size_t)e * LANES + (size_t)lane] = matrix[e];
}

static void get_matrix(const double *lanes, int lane, double *matrix, int n) {
    for (int e = 0; e < n * n; e++) matrix[e] = lanes[(size_t)e * LANES + (size_t)lane];
}

/* The eigenvalues of eight matrices, which stay as they are. */
static void find_values(costab_network_work *work, int n, const double *matrices, eigen_lanes_parts *parts) {
    network_batch *batch = &work->batch;
    memcpy(batch->spare, matrices, (size_t)n * (size_t)n * LANES * sizeof *matrices);
    eigen_lanes_values(work->set, n, batch->spare, parts, &batch->found, batch->room, work->eigen_iwork);
}

/* The eigenvalues of a lane become those of the workspace. */
static void take_values(costab_network_work *work, int n, const eigen_lanes_parts *parts, int lane) {
    const eigen_lanes_found *found = &work->batch.found;
    for (int i = 0; i < n; i++) {
        work->eigen_real[i] = found->re[i * LANES + lane];
        work->eigen_imaginary[i] = found->im[i * LANES + lane];
    }
    for (int p = 0, i = 0; p < parts->count; p++) {
        const eigen_home home = {parts->sizes[p], found->norm[p * LANES + lane]};
        for (int end = i + home.n; i < end; i++) work->eigen_homes[i] = home;
    }
}

/* Lanes that do not wait have the monolithic matrix of one that does. */
static void fill_monos(costab_network_work *work) {
    network_batch *batch = &work->batch;
    int first = 0, cells = work->states * work->states;
    while (!batch->waits[first]) first++;
    for (int l = 0; l < LANES; l++)
        if (l >= batch->count || !batch->waits[l])
            for (int e = 0; e < cells; e++) batch->monos[e * LANES + l] = batch->monos[e * LANES + first];
}

/* The classes of continuous systems that are stable without a doubt; they wait for nothing more. */
static void classify_monos(costab_network_work *work) {
    network_batch *batch = &work->batch;
    int n = work->states;
    bool left[LANES];
    batch->waiting = false;
    memcpy(batch->spare, batch->monos, (size_t)n * (size_t)n * LANES * sizeof *batch->spare);
    eigen_lanes_left(work->set, n, batch->spare, &batch->mono_zeros, left, batch->room, work->eigen_iwork);
    for (int l = 0; l < batch->count; l++) {
        if (batch->waits[l] && left[l]) batch->points[l].class_code |= COSTAB_CONTINUOUS_STABLE;
        batch->waits[l] = batch->waits[l] && !left[l];
        batch->waiting = batch->waiting || batch->waits[l];
    }
}

/* The continuous systems of lanes that wait for them. decided: false where one needs more. */
static void analyse_monos(costab_network_work *work, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    const neutral_rest rest = {.modes = 0};
    int n = work->states;
    fill_monos(work);
    find_values(work, n, batch->monos, &batch->mono_zeros);
    for (int l = 0; l < batch->count; l++) {
        double radius, abscissa;
        if (!batch->waits[l]) continue;
        decided[l] = batch->found.known[l];
        if (!decided[l]) continue;
        take_values(work, n, &batch->mono_zeros, l);
        get_matrix(batch->monos, l, work->mono, n);
        spectrum_moduli(work, n, &radius, &abscissa);
        analyse_mono_found(work);
        decided[l] = work->mono_regular;
        if (decided[l]) (void)analyse_take_continuous(work, &rest, &batch->points[l], NULL);
    }
    /* The matrix at hand is another one now. */
    work->mono_known = false;
    batch->numbers = 0;
}

/* Classes, as far as powers of the maps tell. */
static void classify(costab_network_work *work, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    eigen_where where[LANES];
    eigen_lanes_side(work->set, work->size, batch->maps, &batch->zeros, where, batch->room,
                     work->eigen_iwork);
    for (int l = 0; l < batch->count; l++) {
        decided[l] = decided[l] && where[l] != EIGEN_UNKNOWN;
        if (decided[l]) analyse_decide(work, where[l], NULL, &batch->points[l]);
    }
}

/* All numbers, as far as the eigenvalues tell. */
static void analyse(costab_network_work *work, bool decided[LANES]) {
    network_batch *batch = &work->batch;
    find_values(work, work->size, batch->maps, &batch->zeros);
    for (int l = 0; l < batch->count; l++) {
        decided[l] = decided[l] && batch->found.known[l];
        if (!decided[l]) continue;
        double step = batch->steps[l];
        take_values(work, work->size, &batch->zeros, l);
        decided[l] = analyse_found(work, NULL, step, &batch->points[l]);
        if (decided[l]) continue;
        get_matrix(batch->maps, l, work->map, work->size);
        decided[l] = analyse_found(work, work->map, step, &batch->points[l]);
    }
}

void network_batch_finish(costab_network_work *work, const network_results *results) {
    network_batch *batch = &work->batch;
    bool decided[LANES] = {false};
    int count = batch->count;
    if (count == 0) return;
    /* A network that has another form by now cannot tell any more what was connected how. */
    if (work_is_kept(work, work->network, &work->coupling, NULL)) {
        for (int l = 0; l < count; l++) decided[l] = true;
        make_matrices(work);
        if (batch->waiting && !results->numbers) {
            fill_monos(work);
            classify_monos(work);
        }
        if (batch->waiting) analyse_monos(work, decided);
        if (results->numbers)
            analyse(work, decided);
        else
            classify(work, decided);
    }
    batch->count = 0;
    batch->waiting = batch->grouped = false;
    for (int l = 0; l < count; l++)
        results->take(results->context, batch->tags[l], decided[l] ? &batch->points[l] : NULL);
}

/* Is the monolithic matrix made, and all known of it, or is it to be analysed in lanes, as others before it
 * were? */
static bool prepare_mono(costab_network_work *work) {
    network_batch *batch = &work->batch;
    const neutral_rest rest = {.modes = 0};
    uint64_t version = work->version;
    bool moved = batch->moved;
    work_compare(work);
    batch->moved = work->version != version;
    bool wanted;
    if (!analyse_is_quick(work, &rest) || analyse_mono(work, &wanted, NULL)) return false;
    if (work->mono_known || (moved && batch->moved)) return true;
    return analyse_continuous(work, NULL) == COSTAB_OK;
}

/* The next lane gets a point's numbers, from which the maps are made in lanes. known: but for the macro step
 * they are those of the last one. */
static bool add_numbers(costab_network_work *work, const costab_network *network,
                        const costab_coupling *coupling, bool known) {
    network_batch *batch = &work->batch;
    int lane = batch->count;
    work->network = network;
    work->coupling = *coupling;
    if (!known) {
        const neutral_rest rest = {.modes = 0};
        batch->share =
            (costab_network_point){.size = work->size, .period = 1, .iteration_radius = (double)NAN};
        if (!prepare_mono(work)) return false;
        if (work->mono_known) (void)analyse_take_continuous(work, &rest, &batch->share, NULL);
    } else {
        batch->moved = false;
    }
    if (work->mono_known && !work->mono_regular) return false;
    batch->points[lane] = batch->share;
    batch->waits[lane] = !work->mono_known;
    batch->waiting = batch->waiting || batch->waits[lane];
    if (batch->waits[lane]) put_matrix(batch->monos, lane, work->mono, work->states);
    batch_put(work, lane);
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
    put_matrix(batch->maps, batch->count, work->map, work->size);
    batch->waits[batch->count] = false;
    batch->own_steps[batch->count] = coupling->macro_step;
    batch->steps = batch->own_steps;
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

bool network_batch_group(costab_network_work *work, const costab_network *network,
                         const costab_coupling *coupling, const network_numbers *numbers, int count,
                         const size_t *tags, const network_results *results) {
    network_batch *batch = &work->batch;
    const neutral_rest rest = {.modes = 0};
    network_batch_finish(work, results);
    if (!work_is_kept(work, network, coupling, NULL) || !batch->mapped || work->kept_step) return false;
    work->network = network;
    work->coupling = *coupling;
    if (!analyse_is_quick(work, &rest) || analyse_sampled(network)) return false;
    batch_take_numbers(work, numbers);
    for (int l = 0; l < count; l++) {
        batch->tags[l] = tags[l];
        batch->points[l] =
            (costab_network_point){.size = work->size, .period = 1, .iteration_radius = (double)NAN};
        batch->waits[l] = true;
    }
    batch->count = count;
    batch->waiting = batch->grouped = true;
    batch->moved = true;
    network_batch_finish(work, results);
    return true;
}
