/* network/batch.h - the classes of many points of a sweep, or all of their numbers, eight at a time in the
 * lanes of vectors.
 *
 * A lane does the operations of the scalar code in their order (method/eigen_lanes.h): its class and its
 * numbers are the same to the last bit, or not decided, and then the scalar code is asked. */
#pragma once

#include "network/lanes_map.h"

/* What is asked of points, beside class_code: bits. */
enum {
    NETWORK_OF_RADIUS = 1, /* spectral_radius, beyond, rounding */
    NETWORK_OF_RATES = 2,  /* with these the decay */
    NETWORK_OF_MONO = 4,   /* with both spectral_abscissa, its rounding, the growth */
    NETWORK_OF_REST = 8    /* whatever else costab_network_analyse finds: no lanes know it */
};

/* Who is told of a point that was put in as number `tag`: what costab_network_analyse finds, the class and
 * what is asked for; NULL where it must be analysed alone. */
typedef struct network_results {
    void *context;
    unsigned asked;
    void (*take)(void *context, size_t tag, const costab_network_point *point);
} network_results;

/* Puts a point into the workspace's batch; when that is full, its results come. False where a point is not
 * for lanes, among others where it is of another form than the last one, or has an error: it must be
 * analysed alone. numbers: 0, or a number that tells this network from all others that the workspace sees:
 * where it is that of the last point nothing but the macro step and the coupling may differ from it, and
 * nothing else is compared. */
bool network_batch_add(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, uint64_t numbers, size_t tag,
                       const network_results *results);

/* The first `count` of LANES points at once, instead of one by one; the numbers of the network and the
 * coupling are not looked at. Where powers do not decide, results come later, with those of other such
 * points. False where such points are not for lanes, and before the first point of that form: then none is
 * told of, and they must be put in one by one. */
bool network_batch_group(costab_network_work *work, const costab_network *network,
                         const costab_coupling *coupling, const network_numbers *numbers, int count,
                         const size_t *tags, const network_results *results);

/* The results of the points that are still in the batch. The network is still that of the last one. */
void network_batch_finish(costab_network_work *work, const network_results *results);
