/* Where the spectral radius first passes 1 on each of up to EDGES edges of the grid. The edges' points are
 * evaluated together, in lanes: in each round every edge requests the points that it needs next, and then
 * advances.
 *
 *   1. Root: of each edge whose ends are on different sides a root of log(radius) by Brent's method
 *      (root.h), one point per round.
 *   2. Just before the root (BEFORE_SHARE, relative) the spectrum has to be on the side of the edge's
 *      begin.
 *   3. Cells: from the begin to there, Chebyshev nodes, in stages of more and more of them, show that no
 *      eigenvalue passes earlier (proof/edge.h); a cell that stays open is divided near the root.
 *   4. An end at which an equilibrium is set aside is replaced by a point just beside it. The crossing is
 *      then between there and the other end, or at the equilibrium itself.
 *   5. Edges that stay open are searched one by one, and roots that rounding may move are found again
 *      (network_edge.c).
 * An edge's answer depends on the edge and its share of the axis alone: not on other edges, nor on the
 * lanes.
 *
 * Not guaranteed: what lies between nodes may be missed. They are no further apart, on average, than a
 * 32nd of the edge, or a 256th of its axis if that is more: the fewer edges an axis has, the more nodes
 * each of them gets. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/batch.h"
#include "proof/edge.h"
#include "spec/model_body.h"
#include "study/network_study.h"
#include "study/root.h"

/* Edges of one round; steps of a root, cells of an edge, and cells that wait behind the one at hand, at most.
 */
enum { EDGES = 32, ROOT_STEPS = 40, CELLS = 8, OPEN_CELLS = 4 };
/* An axis has at least so many steps between nodes, unless each of its edges has as many as it can. */
enum { AXIS_STEPS = 256 };
/* Where a cell is divided: the part next to the root is at least this share. */
#define NEAR_SHARE 0.15
/* The distance before the root at which the spectrum is asked for, relative. A root that is guessed from the
 * last points may be off by GUESS_SHARE of this distance, and by EXACT_SHARE once the point before it is
 * known. */
#define BEFORE_SHARE 1e-9
#define GUESS_SHARE  0.25
#define EXACT_SHARE  1e-4
/* A root that rounding may move further than this, relative, is found again. */
#define ROUNDING_MOST 1e-12
/* The rounding of an eigenvalue at a node is computed only where the eigenvalue is nearer to the circle than
 * so many times the rounding just before the root. */
#define WORSE_MOST 1e8
/* Of a short step the eigenvalue that passes the limit is no further from 1 than this. */
#define AWAY_MOST 0.1

/* What an edge does next: step 4 of the head; 1; 2; 3; nothing, it has its answer; step 5. */
typedef enum edge_state { EDGE_ASIDE, EDGE_ROOT, EDGE_BEFORE, EDGE_CELL, EDGE_FOUND, EDGE_SEARCH } edge_state;

/* One of the edges. */
typedef struct waiting_edge {
    network_crossing asked;
    network_edge alone;             /* the same for what looks at one edge only */
    double values[COSTAB_AXES_MAX]; /* of all axes, at its begin */
    double ends[2], margins[2];
    double node_distance; /* between nodes, at most */
    edge_state state;
    root root;
    double next;                /* the root's next step */
    bool guessed, guess_failed; /* the root is a guess so far; a guess was wrong before */
    bool at_equilibrium;        /* the crossing is at an end, an equilibrium's eigenvalue 1 */
    double before, margin;      /* just before the root; the logarithm of the radius there, */
    double worst;               /* the largest rounding of its eigenvalues, */
    double distance_from_1;     /* and how far the furthest of them is from 1 */
    edge_cell cell;
    int root_steps, stage;       /* of Brent's method so far; of the cell at hand */
    bool begin_known, end_known; /* the first node of the cell at hand is known; the last one */
    int cells, open_count; /* cells so far; ends of those that come after the one at hand, the next last */
    double open[OPEN_CELLS];
    edge_node open_nodes[OPEN_CELLS]; /* at these ends */
} waiting_edge;

struct network_crossings {
    chebyshev_table table;
    int count, open_count;
    waiting_edge edges[EDGES];
    network_group group;
    size_t open[EDGES * EDGE_NODES]; /* tags of points that lanes left open */
};

costab_status network_crossings_create(network_crossings **crossings, costab_error *error) {
    TRY(memory_make(crossings, 1, error));
    chebyshev_table_make(&(*crossings)->table);
    return COSTAB_OK;
}

void network_crossings_destroy(network_crossings **crossings) {
    memory_free(*crossings);
    *crossings = NULL;
}

/* ---- Places in lanes ---- */

/* The value at which the edge is to be evaluated: the root's next step, or a node. */
static double point_of(const waiting_edge *edge, int node) {
    return edge->state <= EDGE_ROOT ? edge->next : edge_place(&edge->cell, node);
}

/* Evaluates a point without others: in the lanes, where these can, or else alone. Its tag: EDGE_NODES times
 * the edge's number, plus the node. */
static void evaluate_point(const network_box *box, size_t tag, bool lanes, const network_results *results) {
    const network_worker *worker = box->worker;
    waiting_edge *edge = &worker->crossings->edges[tag / EDGE_NODES];
    size_t coupling = edge->alone.coupling;
    if (edge->state == EDGE_SEARCH) return;
    network_box_set_parameters(box, edge->asked.number);
    costab_model_instance_set(worker->instance, edge->alone.parameter,
                              point_of(edge, (int)(tag % EDGE_NODES)));
    if (lanes && network_worker_add_to_batch(worker, coupling, tag, results)) return;
    if (costab_model_instance_update(worker->instance, NULL) ||
        !network_batch_alone(worker->work, network_of(worker), coupling_of(worker, coupling), tag, results))
        edge->state = EDGE_SEARCH;
}

/* Evaluates the points of the group together; one by one where that cannot be. */
static void finish_group(const network_box *box, const network_results *results) {
    network_group *group = &box->worker->crossings->group;
    if (!network_group_evaluate(box, group, results))
        for (int l = 0; l < group->count; l++) evaluate_point(box, group->tags[l], true, results);
    group->count = 0;
}

/* Adds a point of an edge to the group, which is evaluated when it is full. */
static void add_point(const network_box *box, waiting_edge *edge, int node, const network_results *results) {
    network_crossings *crossings = box->worker->crossings;
    network_group *group = &crossings->group;
    size_t tag = (size_t)(edge - crossings->edges) * EDGE_NODES + (size_t)node;
    int coupling = (int)edge->alone.coupling;
    if (edge->state == EDGE_SEARCH) return;
    if (box->worker->lanes == NULL) {
        evaluate_point(box, tag, true, results);
        return;
    }
    if (coupling != group->coupling) finish_group(box, results);
    group->coupling = coupling;
    edge->values[edge->asked.axis - NETWORK_FIRST_AXIS] = point_of(edge, node);
    network_group_add(box, group, edge->values, tag);
    if (group->count == LANES) finish_group(box, results);
}

/* Evaluates what is left in group and lanes; points that lanes leave open are evaluated alone, so that an
 * answer does not depend on the other points. */
static void finish_points(const network_box *box, const network_results *results) {
    network_crossings *crossings = box->worker->crossings;
    finish_group(box, results);
    network_batch_finish(box->worker->work, results);
    for (int i = 0; i < crossings->open_count; i++) evaluate_point(box, crossings->open[i], false, results);
    crossings->open_count = 0;
}

/* ---- What places tell ---- */

/* The number of the eigenvalue that is the furthest from 0. */
static int furthest_of(const network_eigenvalues *found) {
    double most = 0;
    int furthest = 0;
    for (int i = 0; i < found->n; i++) {
        double square = found->re[i] * found->re[i] + found->im[i] * found->im[i];
        if (square > most) furthest = i;
        most = fmax(most, square);
    }
    return furthest;
}

/* The logarithm of the radius. */
static double margin_of(const network_eigenvalues *found) {
    int furthest = furthest_of(found);
    return log1p(eigen_beyond(EIGEN_CIRCLE, found->re[furthest], found->im[furthest]));
}

/* The spectrum just before the root: margin, largest rounding, and the last node of the first cell. */
static void receive_before(waiting_edge *edge, const network_eigenvalues *found) {
    int furthest = furthest_of(found);
    edge->worst = 0;
    edge->margin = margin_of(found);
    edge->distance_from_1 = hypot(found->re[furthest] - 1, found->im[furthest]);
    for (int i = 0; i < found->n; i++) edge->worst = fmax(edge->worst, found->slack[i]);
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->cell.nodes[EDGE_LAST]);
    edge->end_known = true;
}

/* A node of a cell. Rounding that was not computed is taken to be that just before the root: to hide an
 * eigenvalue it would have to be WORSE_MOST times as large. */
static void receive_node(waiting_edge *edge, int node, const network_eigenvalues *found) {
    for (int i = 0; i < found->n; i++)
        if (isinf(found->slack[i])) found->slack[i] = edge->worst;
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->cell.nodes[node]);
}

/* The result of a point; NULL: lanes leave it open. */
static void receive(void *context, size_t tag, const network_eigenvalues *found) {
    network_crossings *crossings = context;
    waiting_edge *edge = &crossings->edges[tag / EDGE_NODES];
    if (found == NULL)
        crossings->open[crossings->open_count++] = tag;
    else if (edge->state == EDGE_ROOT)
        root_set_value(&edge->root, margin_of(found));
    else if (edge->state == EDGE_BEFORE || edge->state == EDGE_ASIDE)
        receive_before(edge, found);
    else if (edge->state == EDGE_CELL)
        receive_node(edge, (int)(tag % EDGE_NODES), found);
}

/* Up to which distance from the circle the rounding of eigenvalues is needed; -1: of none. */
static double slack_limit(void *context, size_t tag) {
    const network_crossings *crossings = context;
    const waiting_edge *edge = &crossings->edges[tag / EDGE_NODES];
    return edge->state == EDGE_ROOT   ? -1
           : edge->state == EDGE_CELL ? WORSE_MOST * edge->worst
                                      : (double)INFINITY;
}

/* ---- What edges ask for ---- */

/* The distance before the root at which the spectrum is asked for. */
static double tolerance_at(const waiting_edge *edge, double place) {
    return BEFORE_SHARE * fmax(fabs(place), fabs(edge->ends[1] - edge->ends[0]));
}

/* The edge's share of its axis, in values or in logarithms, whichever is smaller (logarithms where the
 * axis is on one side of 0); at least that of an edge of an equidistant axis. */
static double share_of_axis(const costab_axis *axis, const double ends[2]) {
    double first = axis->values[0], last = axis->values[axis->count - 1];
    double share = fabs((ends[1] - ends[0]) / (last - first));
    if (first * last > 0 && ends[0] * last > 0 && ends[1] * last > 0)
        share = fmin(share, fabs(log(ends[1] / ends[0]) / log(last / first)));
    return fmax(share, 1.0 / (double)(axis->count - 1));
}

/* How far nodes may be apart. */
static double node_distance_most(const costab_axis *axis, const double ends[2]) {
    return fabs(ends[1] - ends[0]) / fmin(EDGE_LAST, AXIS_STEPS * share_of_axis(axis, ends));
}

/* The first cell, from the edge's begin up to just before the root `passed`. Where there is no room for
 * one the edge is searched. */
static void begin_cell(const network_crossings *crossings, waiting_edge *edge, double passed) {
    double from = edge->ends[0], beside = tolerance_at(edge, passed);
    edge->state = fabs(passed - from) > 2 * beside ? EDGE_BEFORE : EDGE_SEARCH;
    edge->before = passed - copysign(beside, passed - from);
    edge->cell = (edge_cell){.table = &crossings->table,
                             .from = from,
                             .passed = passed,
                             .to = edge->before,
                             .apart = edge->node_distance};
}

/* The next step of Brent's method; or, where the root is known well enough, the first cell. */
static void next_root_step(const network_crossings *crossings, waiting_edge *edge) {
    double ends[2], values[2], doubt, guess = root_guess(&edge->root, &doubt);
    edge->guessed = !edge->guess_failed && doubt < GUESS_SHARE * tolerance_at(edge, guess);
    if (edge->guessed) {
        begin_cell(crossings, edge, guess);
    } else if (edge->root_steps++ == ROOT_STEPS) {
        edge->state = EDGE_SEARCH;
    } else if (!root_next(&edge->root, &edge->next)) {
        root_get_bracket(&edge->root, ends, values);
        begin_cell(crossings, edge, root_line_zero(&edge->root));
        if (fmax(fabs(values[0]), fabs(values[1])) > NETWORK_JUMP) edge->state = EDGE_SEARCH;
    }
}

static void add_nodes(const network_box *box, waiting_edge *edge, const network_results *results) {
    for (int node = 0; node < EDGE_NODES; node++) {
        bool known = (node == 0 && edge->begin_known) || (node == EDGE_LAST && edge->end_known);
        if (edge_needs(edge->stage, node) && !known) add_point(box, edge, node, results);
    }
}

/* Adds the points that an edge needs next; false where it needs none. */
static bool request_points(const network_box *box, waiting_edge *edge, const network_results *results) {
    if (edge->state == EDGE_ROOT) next_root_step(box->worker->crossings, edge);
    if (edge->state <= EDGE_ROOT) add_point(box, edge, 0, results);
    if (edge->state == EDGE_BEFORE) add_point(box, edge, EDGE_LAST, results);
    if (edge->state == EDGE_CELL) add_nodes(box, edge, results);
    return edge->state != EDGE_FOUND && edge->state != EDGE_SEARCH;
}

/* ---- What follows from them ---- */

/* Whether no subsystem turns further over the edge than over the first cells of a complete search. */
static bool turns_little(const network_box *box, const waiting_edge *edge) {
    const network_worker *worker = box->worker;
    double turns[2];
    network_box_set_parameters(box, edge->asked.number);
    for (int end = 0; end < 2; end++) {
        costab_model_instance_set(worker->instance, edge->alone.parameter, edge->ends[end]);
        if (costab_model_instance_update(worker->instance, NULL) ||
            analyse_turn(worker->work, network_of(worker),
                         coupling_of(worker, edge->alone.coupling)->macro_step, &turns[end], NULL))
            return false;
    }
    return fabs(turns[1] - turns[0]) <= CROSSING_TURN_MOST;
}

/* The cell is clear: goes to the one that waits behind it, or ends. */
static void next_cell(const network_box *box, waiting_edge *edge) {
    if (edge->open_count > 0) {
        edge->cell.from = edge->cell.to;
        edge->cell.to = edge->open[--edge->open_count];
        edge->cell.nodes[0] = edge->cell.nodes[EDGE_LAST];
        edge->cell.nodes[EDGE_LAST] = edge->open_nodes[edge->open_count];
        edge->end_known = true;
    } else {
        edge->state = turns_little(box, edge) ? EDGE_FOUND : EDGE_SEARCH;
    }
}

/* The cell stays open: its part near the root waits, the rest is the cell at hand. */
static void divide_cell(waiting_edge *edge) {
    double far = fabs(edge->cell.passed - edge->cell.from), near = fabs(edge->cell.passed - edge->cell.to);
    double distance = fmax(sqrt(far * near), NEAR_SHARE * far);
    if (++edge->cells == CELLS || edge->open_count == OPEN_CELLS) {
        edge->state = EDGE_SEARCH;
        return;
    }
    edge->open_nodes[edge->open_count] = edge->cell.nodes[EDGE_LAST];
    edge->open[edge->open_count++] = edge->cell.to;
    edge->begin_known = true;
    edge->end_known = false;
    edge->cell.to = edge->cell.passed - copysign(distance, edge->cell.passed - edge->cell.from);
}

/* Whether the spectrum just before a guessed root confirms it. If not, Brent's method goes on. */
static bool guess_holds(waiting_edge *edge) {
    double beside = fabs(edge->cell.passed - edge->before), doubt;
    if (!edge->guessed) return true;
    root_add_point(&edge->root, edge->before, edge->margin);
    double place = root_guess(&edge->root, &doubt);
    edge->guess_failed =
        !(doubt <= EXACT_SHARE * beside && fabs(place - edge->cell.passed) <= GUESS_SHARE * beside &&
          (edge->margin < 0) == (edge->margins[0] < 0));
    if (!edge->guess_failed) edge->cell.passed = place;
    return !edge->guess_failed;
}

/* Step 4: just beside the end, at `next`, the margin is known. If its sign differs from the other end's
 * the root is in between; else it is at the equilibrium, where all else is stable there. */
static void resolve_equilibrium_end(const network_crossings *crossings, waiting_edge *edge) {
    int end = edge->asked.aside[0] ? 0 : 1;
    edge->at_equilibrium = (edge->margin < 0) == (edge->margins[1 - end] < 0);
    edge->end_known = false;
    if (!(fabs(edge->margin) > edge->worst) || (edge->at_equilibrium && edge->margins[end] > 0)) {
        edge->state = EDGE_SEARCH;
    } else if (!edge->at_equilibrium) {
        edge->ends[end] = edge->next;
        edge->margins[end] = edge->margin;
        edge->root = root_start(edge->ends, edge->margins);
        edge->state = EDGE_ROOT;
    } else if (end == 0) {
        edge->cell.passed = edge->ends[0];
        edge->state = EDGE_FOUND;
    } else {
        begin_cell(crossings, edge, edge->ends[1]);
    }
}

/* From the results of a round to the edge's next state. */
static void advance(const network_box *box, waiting_edge *edge) {
    if (edge->state == EDGE_ASIDE) {
        resolve_equilibrium_end(box->worker->crossings, edge);
        return;
    }
    if (edge->state == EDGE_BEFORE) {
        edge->state = guess_holds(edge) ? EDGE_CELL : EDGE_ROOT;
        return;
    }
    if (edge->state != EDGE_CELL) return;
    if (edge_is_clear(&edge->cell, edge->stage))
        next_cell(box, edge);
    else if (++edge->stage < edge_stages(&edge->cell))
        return;
    else
        divide_cell(edge);
    edge->stage = 0;
    edge->cell.clear = 0;
}

/* ---- Edges alone ---- */

static network_edge edge_alone(const network_box *box, const network_crossing *asked) {
    return (network_edge){box->worker, network_box_index(box, NETWORK_COUPLING, asked->number), asked->level,
                          box->study->base.spec->axis_parameters[asked->axis - NETWORK_FIRST_AXIS]};
}

/* Whether rounding moves the root by more than ROUNDING_MOST. Only of short steps, with an eigenvalue near
 * 1, does an evaluation alone know more (network/short_step.h). */
static bool rounding_moves_root(const waiting_edge *edge) {
    double slope = fabs(edge->margins[0] / (edge->cell.passed - edge->ends[0]));
    return !edge->at_equilibrium && edge->distance_from_1 < AWAY_MOST &&
           edge->worst > ROUNDING_MOST * slope * fabs(edge->cell.passed);
}

/* Finds such a root again, by evaluations alone. */
static costab_status search_around(const network_box *box, const waiting_edge *edge, costab_error *error) {
    double beside = edge->cell.passed - edge->before;
    const double ends[2] = {edge->before, edge->cell.passed + beside};
    network_box_set_parameters(box, edge->asked.number);
    return network_edge_find_single(&edge->alone, ends, edge->asked.margins, edge->asked.crossing, error);
}

static costab_status search_edge(const network_box *box, const network_crossing *asked, costab_error *error) {
    const network_edge edge = edge_alone(box, asked);
    const double *values = box->study->base.plan.axes[asked->axis].values;
    network_box_set_parameters(box, asked->number);
    return network_edge_find_first(&edge, &values[network_box_index(box, asked->axis, asked->number)],
                                   asked->margins, asked->crossing, error);
}

/* ---- All together ---- */

costab_status network_crossings_finish(const network_box *box, costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    const network_results results = {.context = crossings, .spectrum = receive, .slack_within = slack_limit};
    costab_status status = COSTAB_OK;
    if (crossings == NULL || crossings->count == 0) return COSTAB_OK;
    for (bool open = true; open;) {
        open = false;
        for (int i = 0; i < crossings->count; i++)
            open = request_points(box, &crossings->edges[i], &results) || open;
        finish_points(box, &results);
        for (int i = 0; i < crossings->count; i++) advance(box, &crossings->edges[i]);
    }
    for (int i = 0; i < crossings->count && !status; i++) {
        const waiting_edge *edge = &crossings->edges[i];
        *edge->asked.crossing = edge->cell.passed;
        if (edge->state != EDGE_FOUND)
            status = search_edge(box, &edge->asked, error);
        else if (rounding_moves_root(edge))
            status = search_around(box, edge, error);
    }
    crossings->count = 0;
    return status;
}

/* Step 4 or 1; where equilibria are set aside at both ends the edge is searched, as eigenvalues alone do
 * not show which of those that are 1 passes. */
static void first_state(waiting_edge *edge) {
    const network_crossing *asked = &edge->asked;
    int end = asked->aside[0] ? 0 : 1;
    memcpy(edge->margins, asked->margins, sizeof edge->margins);
    edge->state = asked->aside[0] && asked->aside[1] ? EDGE_SEARCH
                  : asked->aside[end]                ? EDGE_ASIDE
                                                     : EDGE_ROOT;
    if (edge->state == EDGE_ROOT) edge->root = root_start(edge->ends, edge->margins);
    edge->next = edge->ends[end] +
                 copysign(tolerance_at(edge, edge->ends[end]), edge->ends[1 - end] - edge->ends[end]);
}

costab_status network_crossings_add(const network_box *box, const network_crossing *asked,
                                    costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    if (crossings == NULL || asked->level != NETWORK_LEVEL_RADIUS ||
        monolithic_unknown(network_of(box->worker)))
        return search_edge(box, asked, error);
    TRY(network_box_lanes(box, error));
    const costab_axis *axis = &box->study->base.plan.axes[asked->axis];
    waiting_edge *edge = &crossings->edges[crossings->count++];
    *edge = (waiting_edge){.asked = *asked, .alone = edge_alone(box, asked)};
    for (int end = 0; end < 2; end++)
        edge->ends[end] = axis->values[network_box_index(box, asked->axis, asked->number) + (size_t)end];
    for (int k = NETWORK_FIRST_AXIS; k < box->study->base.plan.swept; k++)
        edge->values[k - NETWORK_FIRST_AXIS] =
            box->study->base.plan.axes[k].values[network_box_index(box, k, asked->number)];
    edge->node_distance = node_distance_most(axis, edge->ends);
    first_state(edge);
    return crossings->count < EDGES ? COSTAB_OK : network_crossings_finish(box, error);
}
