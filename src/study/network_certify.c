/* A block of a certified sweep: rectangles of the two parameters on which no eigenvalue crosses the limit
 * give their points a class; the other points are analysed one by one. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/chart.h"
#include "study/network_study.h"

/* Evaluations for one block, per point of it, and beside that: what is then not covered stays open. */
enum { EVALUATIONS_PER_POINT = 4, EVALUATIONS_BESIDE = 2000 };

enum { DISCRETE, CONTINUOUS, SYSTEMS };

/* What is not yet known of a point. */
enum { OPEN = 0xff };

typedef struct block {
    const network_box *box;
    costab_study_family family;
    double from[2], to[2];      /* the block's rectangle */
    uint8_t *verdicts[SYSTEMS]; /* of each point: a costab_outcome, or OPEN */
} block;

static double value_along(const network_box *box, size_t number, int axis) {
    return box->study->base.plan.axes[axis].values[network_box_index(box, axis, number)];
}

/* The rectangle around all points of the box; their values may stand in any order. */
static void measure(block *b) {
    for (int a = 0; a < 2; a++) {
        int axis = b->box->study->refine_axes[a];
        const double *values = &b->box->study->base.plan.axes[axis].values[b->box->start[axis]];
        b->from[a] = b->to[a] = values[0];
        for (size_t i = 1; i < b->box->count[axis]; i++) {
            b->from[a] = fmin(b->from[a], values[i]);
            b->to[a] = fmax(b->to[a], values[i]);
        }
    }
}

/* Gives the points of a rectangle its verdict. */
static void fill(const block *b, const chart_rectangle *rectangle, uint8_t *verdicts) {
    const int *axes = b->box->study->refine_axes;
    for (size_t number = 0; number < b->box->points; number++) {
        bool inside = true;
        for (int a = 0; a < 2 && inside; a++) {
            double value = value_along(b->box, number, axes[a]);
            inside = rectangle->from[a] <= value && value <= rectangle->to[a];
        }
        if (inside) verdicts[number] = (uint8_t)rectangle->verdict;
    }
}

static costab_status cover(block *b, int which, costab_error *error) {
    costab_family family = costab_study_family_of(&b->family);
    chart found = {.count = 0};
    chart_options options = {.family = &family,
                             .continuous = which == CONTINUOUS,
                             .evaluations = EVALUATIONS_PER_POINT * b->box->points + EVALUATIONS_BESIDE};
    memset(b->verdicts[which], OPEN, b->box->points);
    for (int a = 0; a < 2; a++) {
        options.from[a] = b->from[a];
        options.to[a] = b->to[a];
        options.finest[a] =
            (b->to[a] - b->from[a]) / (double)(b->box->count[b->box->study->refine_axes[a]] - 1);
        if (!(b->from[a] < b->to[a])) return COSTAB_OK; /* a single line of points: each is analysed */
    }
    costab_status status = chart_cover(&options, &found, error);
    for (size_t i = 0; i < found.count && !status; i++) fill(b, &found.rectangles[i], b->verdicts[which]);
    if (which == DISCRETE) b->box->worker->analysed += found.evaluations;
    chart_free(&found);
    return status;
}

static uint8_t code_of(const block *b, size_t number) {
    unsigned discrete = b->verdicts[DISCRETE][number] == COSTAB_OUTCOME_STABLE ? COSTAB_DISCRETE_STABLE : 0;
    unsigned continuous =
        b->verdicts[CONTINUOUS][number] == COSTAB_OUTCOME_STABLE ? COSTAB_CONTINUOUS_STABLE : 0;
    return (uint8_t)(discrete | continuous);
}

static bool is_certified(const block *b, size_t number) {
    return b->verdicts[DISCRETE][number] != OPEN && b->verdicts[CONTINUOUS][number] != OPEN;
}

/* Is one of the points around it certified? Then what is not certified is a band around a boundary. */
static bool has_certified_neighbour(const block *b, size_t number) {
    const int *axes = b->box->study->refine_axes;
    size_t at[2], count[2];
    for (int a = 0; a < 2; a++) {
        at[a] = network_box_index(b->box, axes[a], number) - b->box->start[axes[a]];
        count[a] = b->box->count[axes[a]];
    }
    for (size_t i = at[0] > 0 ? at[0] - 1 : 0; i <= at[0] + 1 && i < count[0]; i++)
        for (size_t j = at[1] > 0 ? at[1] - 1 : 0; j <= at[1] + 1 && j < count[1]; j++)
            if (is_certified(b, number + i * b->box->stride[axes[0]] + j * b->box->stride[axes[1]] -
                                    at[0] * b->box->stride[axes[0]] - at[1] * b->box->stride[axes[1]]))
                return true;
    return false;
}

/* Both ends of an edge between different classes are analysed: crossings are looked for there. */
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

static costab_status classify(const block *b, costab_error *error) {
    network_known *known = b->box->worker->known;
    costab_network_point point;
    costab_status status = COSTAB_OK;
    for (size_t number = 0; number < b->box->points && !status; number++) {
        bool certified = is_certified(b, number);
        if (certified)
            known[number] = network_unknown(code_of(b, number));
        else
            status = network_box_analyse(b->box, number, false, &point, error);
        known[number].certificate = certified                            ? NETWORK_CERTIFIED
                                    : has_certified_neighbour(b, number) ? NETWORK_COMPUTED
                                                                         : NETWORK_GREY;
    }
    bool edges = b->box->study->edge_count > 0;
    return !status && edges ? analyse_edges(b, error) : status;
}

costab_status network_certify_box(const network_box *box, costab_error *error) {
    network_worker *worker = box->worker;
    block b = {.box = box,
               .family = {.instance = worker->instance,
                          .work = worker->work,
                          .own = (int)box->start[NETWORK_COUPLING],
                          .count = 2}};
    for (int a = 0; a < 2; a++)
        b.family.parameters[a] =
            box->study->base.spec->axis_parameters[box->study->refine_axes[a] - NETWORK_FIRST_AXIS];
    uint8_t *bytes = memory_alloc(SYSTEMS * box->points, sizeof *bytes);
    if (bytes == NULL) return error_memory(error);
    for (int s = 0; s < SYSTEMS; s++) b.verdicts[s] = bytes + (size_t)s * box->points;
    measure(&b);
    network_box_set(box, 0); /* the axes that are not refined */
    costab_status status = cover(&b, DISCRETE, error);
    if (!status) status = cover(&b, CONTINUOUS, error);
    if (!status) status = classify(&b, error);
    memory_free(bytes);
    return status;
}
