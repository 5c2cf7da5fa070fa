/* The crossings of level 1 of the spectral radius on many edges of a box at a time: all the places that they
 * ask for go through the lanes together. Of each edge a place is found where the limit is passed; then nine
 * nodes before it tell that it is not passed earlier (proof/edge.h). Where they leave that open the edge is
 * searched alone (network_edge.c).
 *
 * An edge's answer depends on nothing but the edge: not on those beside it, nor on the lanes. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/batch.h"
#include "proof/edge.h"
#include "spec/model_body.h"
#include "study/network_study.h"
#include "study/root.h"

/* So many edges are looked at together; a root takes at most so many places, and what is before it so many
 * cells, of which so many wait. */
enum { EDGES = 32, PLACES = 40, CELLS = 8, OPEN_CELLS = 4 };
/* The part of a cell that is next to the place, where cells are divided. */
#define NEAR_SHARE 0.25
/* What is not told apart from the place itself, relative. */
#define BESIDE 1e-9
/* Rounding that may move the place further than this, relative, is looked at. */
#define ROUNDING_MOST 1e-12

/* How far an edge has come; left: to the search. */
typedef enum edge_state { EDGE_ROOT, EDGE_CELL, EDGE_FOUND, EDGE_LEFT } edge_state;

/* One edge that waits. */
typedef struct waiting_edge {
    network_crossing asked;
    int parameter;
    size_t coupling;
    double ends[2];
    edge_state state;
    root root;
    double next;       /* the place that it asks for */
    double beside;     /* just before the place, */
    edge_node nearest; /* what the map is there, */
    double worst;      /* and what rounding does to its eigenvalues */
    edge_cell cell;
    int cells, open_count; /* cells so far; ends of those that come after the one at hand, the next last */
    double open[OPEN_CELLS];
} waiting_edge;

struct network_crossings {
    chebyshev_table table;
    int count, open_count;
    waiting_edge edges[EDGES];
    size_t
        open[EDGES * EDGE_NODES]; /* places that lanes left open: EDGE_NODES times the edge, and the node */
};

costab_status network_crossings_create(network_crossings **crossings, costab_error *error) {
    *crossings = memory_alloc(1, sizeof **crossings);
    if (*crossings == NULL) return error_memory(error);
    chebyshev_table_make(&(*crossings)->table);
    return COSTAB_OK;
}

void network_crossings_destroy(network_crossings **crossings) {
    memory_free(*crossings);
    *crossings = NULL;
}

/* ---- Places in lanes ---- */

/* The place of an edge that is asked for: the root's next one, or a node. */
static double place_of(const waiting_edge *edge, int node) {
    return edge->state == EDGE_ROOT ? edge->next : edge_place(&edge->cell, node);
}

/* Makes the model stand there; false where there is no network. */
static bool go_to(const network_box *box, const waiting_edge *edge, int node) {
    costab_model_instance *instance = box->worker->instance;
    network_box_set(box, edge->asked.number);
    costab_model_instance_set(instance, edge->parameter, place_of(edge, node));
    return costab_model_instance_update(instance, NULL) == COSTAB_OK;
}

static void look_alone(const network_box *box, size_t tag, const network_results *results) {
    const network_worker *worker = box->worker;
    waiting_edge *edge = &worker->crossings->edges[tag / EDGE_NODES];
    const costab_model_instance *instance = worker->instance;
    if (edge->state == EDGE_LEFT) return;
    if (!go_to(box, edge, (int)(tag % EDGE_NODES)) ||
        !network_batch_alone(worker->work, costab_model_instance_network(instance),
                             costab_model_instance_coupling(instance, (int)edge->coupling), tag, results))
        edge->state = EDGE_LEFT;
}

/* The place into the lanes, where it is one for them. */
static void add_place(const network_box *box, waiting_edge *edge, int node, const network_results *results) {
    const network_worker *worker = box->worker;
    const costab_model_instance *instance = worker->instance;
    size_t tag = (size_t)(edge - worker->crossings->edges) * EDGE_NODES + (size_t)node;
    if (edge->state == EDGE_LEFT) return;
    if (!go_to(box, edge, node))
        edge->state = EDGE_LEFT;
    else if (!network_batch_add(worker->work, costab_model_instance_network(instance),
                                costab_model_instance_coupling(instance, (int)edge->coupling),
                                model_instance_version(instance), tag, results))
        look_alone(box, tag, results);
}

/* What is still in the lanes, and what these left open: other points beside a point must not matter. */
static void finish_places(const network_box *box, const network_results *results) {
    network_crossings *crossings = box->worker->crossings;
    network_batch_finish(box->worker->work, results);
    for (int i = 0; i < crossings->open_count; i++) look_alone(box, crossings->open[i], results);
    crossings->open_count = 0;
}

/* The edge of a place, NULL where the lanes left it open. */
static waiting_edge *edge_of(void *context, size_t tag, const network_eigenvalues *found) {
    network_crossings *crossings = context;
    if (found != NULL) return &crossings->edges[tag / EDGE_NODES];
    crossings->open[crossings->open_count++] = tag;
    return NULL;
}

/* ---- The place ---- */

static void take_root(void *context, size_t tag, const network_eigenvalues *found) {
    waiting_edge *edge = edge_of(context, tag, found);
    if (edge == NULL) return;
    double most = -1;
    for (int i = 0; i < found->n; i++)
        most = fmax(most, eigen_beyond(EIGEN_CIRCLE, found->re[i], found->im[i]));
    root_take(&edge->root, log1p(most));
}

static void find_roots(const network_box *box) {
    network_crossings *crossings = box->worker->crossings;
    const network_results results = {.context = crossings, .spectrum = take_root};
    bool open = true;
    for (int k = 0; k < PLACES && open; k++) {
        open = false;
        for (int i = 0; i < crossings->count; i++) {
            waiting_edge *edge = &crossings->edges[i];
            if (edge->state != EDGE_ROOT) continue;
            if (!root_next(&edge->root, &edge->next)) {
                edge->state = EDGE_CELL;
                continue;
            }
            open = true;
            add_place(box, edge, 0, &results);
        }
        finish_places(box, &results);
    }
}

/* ---- The cell before it ---- */

/* How large the rounding of an eigenvalue is that is near the limit: it is found just before the place, and
 * stands for all nodes. */
static void take_nearest(void *context, size_t tag, const network_eigenvalues *found) {
    waiting_edge *edge = edge_of(context, tag, found);
    if (edge == NULL) return;
    edge->worst = 0;
    edge->beside = edge->cell.to;
    for (int i = 0; i < found->n; i++) edge->worst = fmax(edge->worst, found->slack[i]);
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->nearest);
}

static void take_node(void *context, size_t tag, const network_eigenvalues *found) {
    waiting_edge *edge = edge_of(context, tag, found);
    if (edge == NULL) return;
    for (int i = 0; i < found->n; i++) found->slack[i] = fmin(found->slack[i], edge->worst);
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->cell.nodes[tag % EDGE_NODES]);
}

/* The stretch from the edge's begin up to the place, where there is one. */
static void lay_cell(network_crossings *crossings, waiting_edge *edge) {
    double ends[2], values[2], from = edge->ends[0], passed = root_place(&edge->root);
    double length = fabs(passed - from), beside = BESIDE * fmax(fabs(passed), fabs(edge->ends[1] - from));
    root_bracket(&edge->root, ends, values);
    bool jumps = fmax(fabs(values[0]), fabs(values[1])) > NETWORK_JUMP;
    if (edge->state != EDGE_CELL || jumps || !(length > 2 * beside)) {
        edge->state = EDGE_LEFT;
        return;
    }
    edge->cell.table = &crossings->table;
    edge->cell.from = from;
    edge->cell.passed = passed;
    edge->cell.to = passed - copysign(beside, passed - from);
}

/* A node of the cell at hand. */
static void add_node(const network_box *box, waiting_edge *edge, int node, const network_results *results) {
    if (node == EDGE_LAST && results->spectrum == take_node && edge->cell.to == edge->beside) {
        edge->cell.nodes[node] = edge->nearest;
        return;
    }
    add_place(box, edge, node, results);
}

/* The nodes of a stage, for all cells that are not clear by now. */
static void add_nodes(const network_box *box, int stage, const bool *clear) {
    network_crossings *crossings = box->worker->crossings;
    const network_results results = {.context = crossings, .spectrum = take_node};
    for (int i = 0; i < crossings->count; i++) {
        waiting_edge *edge = &crossings->edges[i];
        for (int node = 0; node < EDGE_NODES && edge->state == EDGE_CELL && !clear[i]; node++)
            if (edge_needs(stage, node)) add_node(box, edge, node, &results);
    }
    finish_places(box, &results);
}

/* Just before the places. */
static void add_nearest(const network_box *box) {
    network_crossings *crossings = box->worker->crossings;
    const network_results results = {.context = crossings, .spectrum = take_nearest, .slack = true};
    for (int i = 0; i < crossings->count; i++) {
        waiting_edge *edge = &crossings->edges[i];
        if (edge->state == EDGE_CELL) add_node(box, edge, EDGE_LAST, &results);
    }
    finish_places(box, &results);
}

/* From one end of the cell to the other no subsystem turns further than in a search's first cells. */
static bool turns_little(const network_box *box, const waiting_edge *edge) {
    const network_worker *worker = box->worker;
    double turns[2];
    network_box_set(box, edge->asked.number);
    for (int end = 0; end < 2; end++) {
        costab_model_instance_set(worker->instance, edge->parameter, edge->ends[end]);
        if (costab_model_instance_update(worker->instance, NULL) ||
            analyse_turn(worker->work, costab_model_instance_network(worker->instance),
                         costab_model_instance_coupling(worker->instance, (int)edge->coupling)->macro_step,
                         &turns[end], NULL))
            return false;
    }
    return fabs(turns[1] - turns[0]) <= CROSSING_TURN_MOST;
}

/* The cell at hand is clear: the one that follows it. */
static void go_on(const network_box *box, waiting_edge *edge) {
    if (edge->open_count > 0) {
        edge->cell.from = edge->cell.to;
        edge->cell.to = edge->open[--edge->open_count];
    } else {
        edge->state = turns_little(box, edge) ? EDGE_FOUND : EDGE_LEFT;
    }
}

/* The cell at hand is left open: its first part. */
static void divide(waiting_edge *edge) {
    double far = fabs(edge->cell.passed - edge->cell.from), near = fabs(edge->cell.passed - edge->cell.to);
    double distance = fmax(sqrt(far * near), NEAR_SHARE * far);
    if (++edge->cells == CELLS || edge->open_count == OPEN_CELLS) {
        edge->state = EDGE_LEFT;
        return;
    }
    edge->open[edge->open_count++] = edge->cell.to;
    edge->cell.to = edge->cell.passed - copysign(distance, edge->cell.passed - edge->cell.from);
}

/* The cells at hand of all edges, with as many nodes as they need; false where there are no more. */
static bool look_at_cells(const network_box *box) {
    network_crossings *crossings = box->worker->crossings;
    bool clear[EDGES] = {false}, open = false;
    for (int stage = 0; stage < EDGE_STAGES; stage++) {
        add_nodes(box, stage, clear);
        for (int i = 0; i < crossings->count; i++) {
            const waiting_edge *edge = &crossings->edges[i];
            clear[i] = clear[i] || (edge->state == EDGE_CELL && edge_is_clear(&edge->cell, stage));
        }
    }
    for (int i = 0; i < crossings->count; i++) {
        waiting_edge *edge = &crossings->edges[i];
        if (edge->state != EDGE_CELL) continue;
        if (clear[i])
            go_on(box, edge);
        else
            divide(edge);
        open = open || edge->state == EDGE_CELL;
    }
    return open;
}

/* ---- Edges alone ---- */

static network_edge edge_alone(const network_box *box, const network_crossing *asked) {
    network_box_set(box, asked->number);
    return (network_edge){box->worker, network_box_index(box, NETWORK_COUPLING, asked->number), asked->level,
                          box->study->base.spec->axis_parameters[asked->axis - NETWORK_FIRST_AXIS]};
}

/* Does rounding move the place further than it is to be known? By how fast the radius comes up to it. */
static bool is_uncertain(const waiting_edge *edge) {
    double slope = fabs(edge->asked.margins[0] / (edge->cell.passed - edge->ends[0]));
    return edge->worst > ROUNDING_MOST * slope * fabs(edge->cell.passed);
}

/* The place once more, where rounding matters: alone a point is looked at more closely. */
static costab_status look_closer(const network_box *box, const waiting_edge *edge, costab_error *error) {
    const network_edge alone = edge_alone(box, &edge->asked);
    double beside = edge->cell.passed - edge->beside;
    const double ends[2] = {edge->beside, edge->cell.passed + beside};
    return network_edge_follow(&alone, ends, edge->asked.margins, edge->asked.crossing, error);
}

static costab_status search(const network_box *box, const network_crossing *asked, costab_error *error) {
    const network_edge edge = edge_alone(box, asked);
    const double *values = box->study->base.plan.axes[asked->axis].values;
    return network_edge_cross(&edge, &values[network_box_index(box, asked->axis, asked->number)],
                              asked->margins, asked->crossing, error);
}

/* ---- All together ---- */

costab_status network_crossings_finish(const network_box *box, costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    costab_status status = COSTAB_OK;
    if (crossings == NULL || crossings->count == 0) return COSTAB_OK;
    find_roots(box);
    for (int i = 0; i < crossings->count; i++) lay_cell(crossings, &crossings->edges[i]);
    add_nearest(box);
    while (look_at_cells(box)) continue;
    for (int i = 0; i < crossings->count && !status; i++) {
        const waiting_edge *edge = &crossings->edges[i];
        *edge->asked.crossing = edge->cell.passed;
        if (edge->state != EDGE_FOUND)
            status = search(box, &edge->asked, error);
        else if (is_uncertain(edge))
            status = look_closer(box, edge, error);
    }
    crossings->count = 0;
    return status;
}

costab_status network_crossings_add(const network_box *box, const network_crossing *asked,
                                    costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    const network_study *study = box->study;
    if (crossings == NULL || asked->level != NETWORK_LEVEL_RADIUS ||
        analyse_sampled(costab_model_instance_network(box->worker->instance)))
        return search(box, asked, error);
    const double *values = study->base.plan.axes[asked->axis].values;
    waiting_edge *edge = &crossings->edges[crossings->count++];
    *edge = (waiting_edge){.asked = *asked,
                           .parameter = study->base.spec->axis_parameters[asked->axis - NETWORK_FIRST_AXIS],
                           .coupling = network_box_index(box, NETWORK_COUPLING, asked->number)};
    for (int end = 0; end < 2; end++)
        edge->ends[end] = values[network_box_index(box, asked->axis, asked->number) + (size_t)end];
    edge->root = root_start(edge->ends, asked->margins);
    return crossings->count < EDGES ? COSTAB_OK : network_crossings_finish(box, error);
}
