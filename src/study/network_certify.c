/* A tile of a certified sweep (docs/algorithms.md, Certified charts).
 *   1. Every point has a parcel, half the way to its neighbours. Rectangles of whole parcels are covered by
 *      the room proof: no eigenvalue crosses the limit in them, or one may; of the map, and of the
 *      continuous system.
 *   2. Points that are covered by both get their class from there; all others are analysed one by one.
 *   3. Both ends of an edge between different classes are analysed as well, so that crossings can be
 *      searched.
 * Tiles are searched on their own: what a point gets depends on its tile alone. Cost: at most 2 evaluations
 * for each point of it and 2000. Complete in floating point; proofs are prove.c's. */
#include "base/error.h"
#include "base/memory.h"
#include "proof/chart.h"
#include "study/network_study.h"

/* Evaluations for one tile, per point of it, and beside that: what is then not covered stays open. */
enum { EVALUATIONS_PER_POINT = 2, EVALUATIONS_BESIDE = 2000 };

/* A tile has at most so many points along a side. */
enum { TILE_SIDE = 160 };

enum { DISCRETE, CONTINUOUS, SYSTEMS };

/* The mark of a point: no rectangle covers it; one does in which a crossing may pass; COVERED + the outcome
 * of its rectangle. */
enum { OPEN, NEARBY, COVERED };

typedef struct block {
    const network_box *box;
    costab_study_family family;
    double *edges[2]; /* of the points' parcels (proof/chart.h), from the box's first point on */
    size_t count[2];
    uint8_t *marks[SYSTEMS]; /* of each point */
} block;

void network_certify_plan(network_study *study) {
    costab_plan *plan = &study->base.plan;
    study->box_points = 1;
    for (int k = 0; k < plan->swept; k++) {
        bool wide = k == study->refine_axes[0] || k == study->refine_axes[1];
        size_t count = plan->axes[k].count, tiles = (count + TILE_SIDE - 1) / TILE_SIDE;
        plan->tile_shape[k] = wide ? (count + tiles - 1) / tiles : 1;
        study->box_points *= plan->tile_shape[k] + wide;
    }
}

/* The edges of the points' parcels; false where values do not ascend. */
static bool find_parcel_edges(block *b) {
    bool ascend = true;
    for (int a = 0; a < 2; a++) {
        int axis = b->box->study->refine_axes[a];
        size_t start = b->box->start[axis];
        const costab_axis *all = &b->box->study->base.plan.axes[axis];
        for (size_t i = 0; i <= b->count[a]; i++)
            b->edges[a][i] = chart_edge(all->values, all->count, start + i);
        for (size_t i = 0; i < b->count[a]; i++) ascend = ascend && b->edges[a][i] < b->edges[a][i + 1];
    }
    return ascend;
}

/* Marks the points of a rectangle with its verdict. `alike`: the system does not depend on this axis, so
 * that one rectangle stands for all of its points. */
static void mark_rectangle(const block *b, const chart_rectangle *rectangle, const bool alike[2],
                           uint8_t *marks) {
    size_t first[2], end[2];
    uint8_t word =
        rectangle->verdict == COSTAB_OUTCOME_UNDECIDED ? NEARBY : (uint8_t)(COVERED + rectangle->verdict);
    for (int a = 0; a < 2; a++) {
        first[a] = alike[a] ? 0 : rectangle->first[a];
        end[a] = alike[a] ? b->count[a] : rectangle->end[a];
    }
    for (size_t i = first[0]; i < end[0]; i++)
        for (size_t j = first[1]; j < end[1]; j++) {
            uint8_t *at = &marks[i * b->count[1] + j];
            if (word > *at) *at = word;
        }
}

/* Step 1 for one system. */
static costab_status cover_by_rectangles(block *b, int which, costab_error *error) {
    costab_family family = costab_study_family_of(&b->family);
    chart found = {.count = 0};
    double ends[2][2];
    chart_options options = {.family = &family,
                             .continuous = which == CONTINUOUS,
                             .evaluations = EVALUATIONS_PER_POINT * b->box->points + EVALUATIONS_BESIDE};
    for (int a = 0; a < 2; a++) {
        options.alike[a] =
            which == CONTINUOUS && !costab_model_instance_shapes(b->family.instance, b->family.parameters[a]);
        options.edges[a] = b->edges[a];
        options.count[a] = b->count[a];
        if (!options.alike[a]) continue;
        ends[a][0] = b->edges[a][0];
        ends[a][1] = b->edges[a][b->count[a]];
        options.edges[a] = ends[a];
        options.count[a] = 1;
    }
    costab_status status = chart_cover(&options, &found, error);
    for (size_t i = 0; i < found.count && !status; i++)
        mark_rectangle(b, &found.rectangles[i], options.alike, b->marks[which]);
    b->box->worker->analysed += found.evaluations;
    chart_free(&found);
    return status;
}

static uint8_t code_of(const block *b, size_t number) {
    const uint8_t stable = COVERED + COSTAB_OUTCOME_STABLE;
    unsigned discrete = b->marks[DISCRETE][number] == stable ? COSTAB_DISCRETE_STABLE : 0;
    unsigned continuous = b->marks[CONTINUOUS][number] == stable ? COSTAB_CONTINUOUS_STABLE : 0;
    return (uint8_t)(discrete | continuous);
}

/* Both ends of an edge between different classes are analysed: crossings are searched there. */
static costab_status analyse_edges(const block *b, costab_error *error) {
    costab_network_point point;
    network_known *known = b->box->worker->known;
    for (size_t number = 0; number < b->box->points; number++)
        for (int a = 0; a < 2; a++) {
            int axis = b->box->study->refine_axes[a];
            size_t next = number + b->box->stride[axis];
            bool last =
                network_box_index(b->box, axis, number) + 1 == b->box->start[axis] + b->box->count[axis];
            if (last || known[number].code == known[next].code) continue;
            const size_t ends[2] = {number, next};
            for (int e = 0; e < 2; e++) {
                uint8_t certificate = known[ends[e]].certificate;
                if (known[ends[e]].analysed) continue;
                costab_status status = network_box_analyse(b->box, ends[e], false, &point, error);
                if (status) return status;
                known[ends[e]].certificate = certificate;
            }
        }
    return COSTAB_OK;
}

static costab_status set_codes(const block *b, costab_error *error) {
    network_known *known = b->box->worker->known;
    costab_network_point point;
    costab_status status = COSTAB_OK;
    for (size_t number = 0; number < b->box->points && !status; number++) {
        uint8_t discrete = b->marks[DISCRETE][number], continuous = b->marks[CONTINUOUS][number];
        bool certified = discrete >= COVERED && continuous >= COVERED;
        if (certified)
            known[number] = network_unknown(code_of(b, number));
        else
            status = network_box_analyse(b->box, number, b->box->study->class_only, &point, error);
        known[number].certificate = certified                                ? COSTAB_CERTIFIED
                                    : discrete != OPEN && continuous != OPEN ? COSTAB_COMPUTED
                                                                             : COSTAB_GREY;
    }
    return !status && b->box->study->edge_count > 0 ? analyse_edges(b, error) : status;
}

static costab_status certify(const network_box *box, costab_error *error) {
    block b = {.box = box, .family = network_family(box->worker, box->start[NETWORK_COUPLING], 0)};
    b.family.count = 2;
    for (int a = 0; a < 2; a++) {
        b.count[a] = box->count[box->study->refine_axes[a]];
        b.family.parameters[a] =
            box->study->base.spec->axis_parameters[box->study->refine_axes[a] - NETWORK_FIRST_AXIS];
    }
    uint8_t *bytes = memory_alloc(SYSTEMS * box->points, sizeof *bytes);
    double *edges = memory_alloc(b.count[0] + b.count[1] + 2, sizeof *edges);
    costab_status status = bytes == NULL || edges == NULL ? error_memory(error) : COSTAB_OK;
    if (!status) {
        for (int s = 0; s < SYSTEMS; s++) b.marks[s] = bytes + (size_t)s * box->points;
        b.edges[0] = edges;
        b.edges[1] = edges + b.count[0] + 1;
        network_box_set(box, 0); /* the axes that are not refined */
        bool ascend = find_parcel_edges(&b);
        if (ascend) status = cover_by_rectangles(&b, DISCRETE, error);
        if (ascend && !status) status = cover_by_rectangles(&b, CONTINUOUS, error);
    }
    if (!status) status = set_codes(&b, error);
    memory_free_all(edges, bytes);
    return status;
}

costab_status network_certify_evaluate(const network_study *study, network_worker *worker,
                                       const costab_tile *tile, void *const *blocks, costab_error *error) {
    const network_box box = network_box_of(study, worker, tile);
    costab_status status = certify(&box, error);
    return status ? status : network_box_write(&box, blocks, error);
}
