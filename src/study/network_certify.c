/* A tile of a certified sweep: the class of each point and its certificate (docs/algorithms.md, Certified
 * charts).
 *
 * 1. The parcel of a point is the rectangle that reaches half the way to its neighbours. The tile is
 *    covered by rectangles of whole parcels (proof/chart.h), once for the map and once for the continuous
 *    system. In each rectangle the system is stable throughout, or unstable throughout, or not decided:
 *    an eigenvalue may cross the limit.
 * 2. A point in decided rectangles of both systems has its class from them: `certified`. All others are
 *    analysed one by one. They are `computed` where both systems have a rectangle there, and `grey` where
 *    one has none.
 * 3. Where crossings are stored both ends of an edge between different classes are analysed, too: the
 *    search for the crossing needs their numbers. Their certificates stay.
 *
 * Nothing is shared between tiles: what a point gets depends on its tile alone. Cost: for each of both
 * systems about 2 evaluations for each point of the tile and 2000 at most; then one analysis for each
 * point that is not certified. Not guaranteed: errors of interpolants are estimates, so `certified` is no
 * proof; study/prove.c checks certificates in balls. */
#include "base/error.h"
#include "base/memory.h"
#include "proof/chart.h"
#include "study/network_study.h"

/* Evaluations for one tile and system at most, per point and beside that. What is not covered by then has no
 * rectangle. */
enum { EVALUATIONS_PER_POINT = 2, EVALUATIONS_BESIDE = 2000 };

/* A tile has at most so many points along a side. */
enum { TILE_SIDE = 160 };

enum { DISCRETE, CONTINUOUS, SYSTEMS };

/* The mark of a point: no rectangle covers it; one does in which a crossing may pass; COVERED + the outcome
 * of its rectangle. */
enum { OPEN, NEARBY, COVERED };

/* The points of a tile's box (network_study.h), and what covers them. */
typedef struct coverage {
    const network_box *box;
    costab_study_family family;
    double *edges[2]; /* of the points' parcels (proof/chart.h), from the box's first point on */
    size_t count[2];
    uint8_t *marks[SYSTEMS]; /* of each point */
} coverage;

void network_certify_plan_tiles(network_study *study) {
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
static bool find_parcel_edges(coverage *c) {
    bool ascend = true;
    for (int a = 0; a < 2; a++) {
        int axis = c->box->study->refine_axes[a];
        size_t start = c->box->start[axis];
        const costab_axis *all = &c->box->study->base.plan.axes[axis];
        for (size_t i = 0; i <= c->count[a]; i++)
            c->edges[a][i] = chart_edge(all->values, all->count, start + i);
        for (size_t i = 0; i < c->count[a]; i++) ascend = ascend && c->edges[a][i] < c->edges[a][i + 1];
    }
    return ascend;
}

/* Marks the points of a rectangle with its verdict. `alike`: the system does not depend on this axis, so
 * that one rectangle stands for all of its points. */
static void mark_rectangle(const coverage *c, const chart_rectangle *rectangle, const bool alike[2],
                           uint8_t *marks) {
    size_t first[2], end[2];
    uint8_t word =
        rectangle->verdict == COSTAB_OUTCOME_UNDECIDED ? NEARBY : (uint8_t)(COVERED + rectangle->verdict);
    for (int a = 0; a < 2; a++) {
        first[a] = alike[a] ? 0 : rectangle->first[a];
        end[a] = alike[a] ? c->count[a] : rectangle->end[a];
    }
    for (size_t i = first[0]; i < end[0]; i++)
        for (size_t j = first[1]; j < end[1]; j++) {
            uint8_t *at = &marks[i * c->count[1] + j];
            if (word > *at) *at = word;
        }
}

/* Step 1 for one system. */
static costab_status cover_by_rectangles(coverage *c, int which, costab_error *error) {
    costab_family family = costab_study_family_of(&c->family);
    ends_by(chart_free) chart found = {.count = 0};
    double ends[2][2];
    chart_options options = {.family = &family,
                             .continuous = which == CONTINUOUS,
                             .evaluations = EVALUATIONS_PER_POINT * c->box->points + EVALUATIONS_BESIDE};
    for (int a = 0; a < 2; a++) {
        options.alike[a] =
            which == CONTINUOUS && !costab_model_instance_shapes(c->family.instance, c->family.parameters[a]);
        options.edges[a] = c->edges[a];
        options.count[a] = c->count[a];
        if (!options.alike[a]) continue;
        ends[a][0] = c->edges[a][0];
        ends[a][1] = c->edges[a][c->count[a]];
        options.edges[a] = ends[a];
        options.count[a] = 1;
    }
    costab_status status = chart_cover(&options, &found, error);
    for (size_t i = 0; i < found.count && !status; i++)
        mark_rectangle(c, &found.rectangles[i], options.alike, c->marks[which]);
    c->box->worker->analysed += found.evaluations;
    return status;
}

/* The class of a point that is certified. */
static uint8_t code_of(const coverage *c, size_t number) {
    const uint8_t stable = COVERED + COSTAB_OUTCOME_STABLE;
    unsigned discrete = c->marks[DISCRETE][number] == stable ? COSTAB_DISCRETE_STABLE : 0;
    unsigned continuous = c->marks[CONTINUOUS][number] == stable ? COSTAB_CONTINUOUS_STABLE : 0;
    return (uint8_t)(discrete | continuous);
}

/* Step 3. */
static costab_status analyse_edges(const coverage *c, costab_error *error) {
    costab_network_point point;
    network_known *known = c->box->worker->known;
    for (size_t number = 0; number < c->box->points; number++)
        for (int a = 0; a < 2; a++) {
            int axis = c->box->study->refine_axes[a];
            size_t next = number + c->box->stride[axis];
            bool last =
                network_box_index(c->box, axis, number) + 1 == c->box->start[axis] + c->box->count[axis];
            if (last || known[number].code == known[next].code) continue;
            const size_t ends[2] = {number, next};
            for (int e = 0; e < 2; e++) {
                uint8_t certificate = known[ends[e]].certificate;
                if (known[ends[e]].analysed) continue;
                TRY(network_box_analyse(c->box, ends[e], false, &point, error));
                known[ends[e]].certificate = certificate;
            }
        }
    return COSTAB_OK;
}

/* Step 2, then step 3. */
static costab_status set_codes(const coverage *c, costab_error *error) {
    network_known *known = c->box->worker->known;
    costab_network_point point;
    for (size_t number = 0; number < c->box->points; number++) {
        uint8_t discrete = c->marks[DISCRETE][number], continuous = c->marks[CONTINUOUS][number];
        bool certified = discrete >= COVERED && continuous >= COVERED;
        if (certified)
            network_know_code(&known[number], code_of(c, number));
        else
            TRY(network_box_analyse(c->box, number, c->box->study->class_only, &point, error));
        known[number].certificate = certified                                ? COSTAB_CERTIFIED
                                    : discrete != OPEN && continuous != OPEN ? COSTAB_COMPUTED
                                                                             : COSTAB_GREY;
    }
    return c->box->study->edge_count > 0 ? analyse_edges(c, error) : COSTAB_OK;
}

static costab_status certify(const network_box *box, costab_error *error) {
    coverage c = {.box = box, .family = network_family(box->worker, box->start[NETWORK_COUPLING], 0)};
    c.family.count = 2;
    for (int a = 0; a < 2; a++) {
        c.count[a] = box->count[box->study->refine_axes[a]];
        c.family.parameters[a] =
            box->study->base.spec->axis_parameters[box->study->refine_axes[a] - NETWORK_FIRST_AXIS];
    }
    memory_local_array(uint8_t, bytes, SYSTEMS * box->points, error);
    memory_local_array(double, edges, c.count[0] + c.count[1] + 2, error);
    for (int s = 0; s < SYSTEMS; s++) c.marks[s] = bytes + (size_t)s * box->points;
    c.edges[0] = edges;
    c.edges[1] = edges + c.count[0] + 1;
    network_box_set_parameters(box, 0); /* the axes that are not refined */
    bool ascend = find_parcel_edges(&c);
    if (ascend) TRY(cover_by_rectangles(&c, DISCRETE, error));
    if (ascend) TRY(cover_by_rectangles(&c, CONTINUOUS, error));
    return set_codes(&c, error);
}

costab_status network_certify_evaluate(const network_study *study, network_worker *worker,
                                       const costab_tile *tile, void *const *blocks, costab_error *error) {
    const network_box box = network_box_of(study, worker, tile);
    TRY(certify(&box, error));
    return network_box_write(&box, blocks, error);
}
