/* Where the spectral radius first passes 1 on many edges of the grid, all evaluations of which go through
 * the lanes together.
 *   1. Of each edge whose ends differ a root of log(radius) is found by Brent's method (root.h), one value
 *      per round.
 *   2. Just before it (BESIDE, relative) the spectrum is asked for; it has to be on the side of the edge's
 *      begin.
 *   3. From the begin to there, cells of Chebyshev nodes with more and more of them show that no eigenvalue
 *      passes before (proof/edge.h); a cell that is left open is divided towards the root.
 *   4. An end at which an equilibrium is set aside is replaced by a value beside it; the limit is passed
 *      from there on, or at the equilibrium.
 *   5. Edges that are left open are searched alone; a place that rounding may move is looked for more
 *      closely (network_edge.c).
 * An edge's answer depends on nothing but the edge and its share of the axis: not on those beside it, nor on
 * the lanes.
 *
 * Not guaranteed: nodes far apart may miss what is between them. They are no further apart, on average, than
 * a 32nd of the edge, or a 256th of its axis if that is more: the fewer edges an axis has, the more nodes
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

/* So many edges are looked at together; a root takes at most so many places, and what is before it so many
 * cells, of which so many wait. */
enum { EDGES = 32, PLACES = 40, CELLS = 8, OPEN_CELLS = 4 };
/* An axis has at least so many steps between nodes, unless each of its edges has as many as it can. */
enum { AXIS_STEPS = 256 };
/* The part of a cell that is next to the place, where cells are divided. */
#define NEAR_SHARE 0.15
/* What is not told apart from the place itself, relative; a guess of the place may be off by this part of it,
 * and by that one once what is found there is known. */
#define BESIDE      1e-9
#define GUESS_SHARE 0.25
#define EXACT_SHARE 1e-4
/* Rounding that may move the place further than this, relative, is looked at. */
#define ROUNDING_MOST 1e-12
/* What rounding does at a node is asked for where an eigenvalue is not so many times as far from the circle
 * as what it does just before the place. */
#define WORSE_MOST 1e8
/* How far the eigenvalue that passes the limit is from 1 at most, of a short step. */
#define AWAY_MOST 0.1

/* How far an edge has come; end: one of its ends may be the place; left: to the search. */
typedef enum edge_state { EDGE_END, EDGE_ROOT, EDGE_BESIDE, EDGE_CELL, EDGE_FOUND, EDGE_LEFT } edge_state;

/* One edge that waits. */
typedef struct waiting_edge {
    network_crossing asked;
    network_edge alone;             /* the same for what looks at one edge only */
    double values[COSTAB_AXES_MAX]; /* of all axes, at its begin */
    double ends[2], margins[2];
    double apart; /* how far nodes may be apart */
    edge_state state;
    root root;
    double next;         /* the place that it asks for */
    bool guessed, tried; /* the place is a guess so far; one has been wrong */
    bool still;          /* the place is an equilibrium's, at an end */
    double beside;       /* just before the place, */
    double margin;       /* the logarithm of the radius there */
    double worst, away; /* what rounding does to its eigenvalues there; how far the one of them that passes is
                           from 1 */
    edge_cell cell;
    int places, stage;           /* of the root so far; of the cell at hand */
    bool begin_known, end_known; /* the first node of the cell at hand is known; the last one */
    int cells, open_count; /* cells so far; ends of those that come after the one at hand, the next last */
    double open[OPEN_CELLS];
    edge_node open_nodes[OPEN_CELLS]; /* at these ends */
} waiting_edge;

struct network_crossings {
    chebyshev_table table;
    int count, open_count;
    waiting_edge edges[EDGES];
    network_group group;             /* places */
    size_t open[EDGES * EDGE_NODES]; /* tags of places that lanes left open */
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

/* The place of an edge that is asked for: the next one by itself, or a node. */
static double place_of(const waiting_edge *edge, int node) {
    return edge->state <= EDGE_ROOT ? edge->next : edge_place(&edge->cell, node);
}

/* The worker's parameters there. */
static void go_to(const network_box *box, const waiting_edge *edge, int node) {
    network_box_set(box, edge->asked.number);
    costab_model_instance_set(box->worker->instance, edge->alone.parameter, place_of(edge, node));
}

static void look_alone(const network_box *box, size_t tag, const network_results *results) {
    const network_worker *worker = box->worker;
    waiting_edge *edge = &worker->crossings->edges[tag / EDGE_NODES];
    if (edge->state == EDGE_LEFT) return;
    go_to(box, edge, (int)(tag % EDGE_NODES));
    if (costab_model_instance_update(worker->instance, NULL) ||
        !network_batch_alone(worker->work, network_of(worker), coupling_of(worker, edge->alone.coupling), tag,
                             results))
        edge->state = EDGE_LEFT;
}

/* The place with that tag into the lanes, where it is one for them. */
static void add_alone(const network_box *box, size_t tag, const network_results *results) {
    const waiting_edge *edge = &box->worker->crossings->edges[tag / EDGE_NODES];
    if (edge->state == EDGE_LEFT) return;
    go_to(box, edge, (int)(tag % EDGE_NODES));
    if (!network_worker_add(box->worker, edge->alone.coupling, tag, results)) look_alone(box, tag, results);
}

static void finish_group(const network_box *box, const network_results *results) {
    network_group *group = &box->worker->crossings->group;
    if (!network_group_evaluate(box, group, results))
        for (int l = 0; l < group->count; l++) add_alone(box, group->tags[l], results);
    group->count = 0;
}

/* A place of an edge, with others if they are for that. Its tag: EDGE_NODES times the edge, and the node. */
static void add_place(const network_box *box, waiting_edge *edge, int node, const network_results *results) {
    network_crossings *crossings = box->worker->crossings;
    network_group *group = &crossings->group;
    size_t tag = (size_t)(edge - crossings->edges) * EDGE_NODES + (size_t)node;
    int coupling = (int)edge->alone.coupling;
    if (edge->state == EDGE_LEFT) return;
    if (box->worker->lanes == NULL) {
        add_alone(box, tag, results);
        return;
    }
    if (coupling != group->coupling) finish_group(box, results);
    group->coupling = coupling;
    edge->values[edge->asked.axis - NETWORK_FIRST_AXIS] = place_of(edge, node);
    network_group_put(box, group, edge->values, tag);
    if (group->count == LANES) finish_group(box, results);
}

/* What is still in the lanes, and what these left open: other points beside a point must not matter. */
static void finish_places(const network_box *box, const network_results *results) {
    network_crossings *crossings = box->worker->crossings;
    finish_group(box, results);
    network_batch_finish(box->worker->work, results);
    for (int i = 0; i < crossings->open_count; i++) look_alone(box, crossings->open[i], results);
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

static void take_beside(waiting_edge *edge, const network_eigenvalues *found) {
    int furthest = furthest_of(found);
    edge->worst = 0;
    edge->margin = margin_of(found);
    edge->away = hypot(found->re[furthest] - 1, found->im[furthest]);
    for (int i = 0; i < found->n; i++) edge->worst = fmax(edge->worst, found->slack[i]);
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->cell.nodes[EDGE_LAST]);
    edge->end_known = true;
}

/* What rounding does to eigenvalues near the limit takes long to find. Where it has not been asked for it is
 * that just before the place: it would have to be so much more than there to hide anything. */
static void take_node(waiting_edge *edge, int node, const network_eigenvalues *found) {
    for (int i = 0; i < found->n; i++)
        if (isinf(found->slack[i])) found->slack[i] = edge->worst;
    edge_node_make(found->n, found->re, found->im, found->slack, &edge->cell.nodes[node]);
}

/* found: NULL where the lanes leave the place open. */
static void take(void *context, size_t tag, const network_eigenvalues *found) {
    network_crossings *crossings = context;
    waiting_edge *edge = &crossings->edges[tag / EDGE_NODES];
    if (found == NULL)
        crossings->open[crossings->open_count++] = tag;
    else if (edge->state == EDGE_ROOT)
        root_take(&edge->root, margin_of(found));
    else if (edge->state == EDGE_BESIDE || edge->state == EDGE_END)
        take_beside(edge, found);
    else if (edge->state == EDGE_CELL)
        take_node(edge, (int)(tag % EDGE_NODES), found);
}

static double slack_within(void *context, size_t tag) {
    const network_crossings *crossings = context;
    const waiting_edge *edge = &crossings->edges[tag / EDGE_NODES];
    return edge->state == EDGE_ROOT   ? -1
           : edge->state == EDGE_CELL ? WORSE_MOST * edge->worst
                                      : (double)INFINITY;
}

/* ---- What edges ask for ---- */

/* What is not told apart from a place of the edge. */
static double beside_of(const waiting_edge *edge, double place) {
    return BESIDE * fmax(fabs(place), fabs(edge->ends[1] - edge->ends[0]));
}

/* How large a part of its axis an edge is: a number's distance is its difference, or, where all of the axis
 * is on one side of 0, the logarithm of its quotient, if that makes the part smaller; but the part is at
 * least that of an edge of an axis whose edges are alike. */
static double share_of_axis(const costab_axis *axis, const double ends[2]) {
    double first = axis->values[0], last = axis->values[axis->count - 1];
    double share = fabs((ends[1] - ends[0]) / (last - first));
    if (first * last > 0 && ends[0] * last > 0 && ends[1] * last > 0)
        share = fmin(share, fabs(log(ends[1] / ends[0]) / log(last / first)));
    return fmax(share, 1.0 / (double)(axis->count - 1));
}

/* How far nodes may be apart. */
static double apart_of(const costab_axis *axis, const double ends[2]) {
    return fabs(ends[1] - ends[0]) / fmin(EDGE_LAST, AXIS_STEPS * share_of_axis(axis, ends));
}

/* The stretch from the edge's begin up to just before the place, where there is one. */
static void lay_cell(const network_crossings *crossings, waiting_edge *edge, double passed) {
    double from = edge->ends[0], beside = beside_of(edge, passed);
    edge->state = fabs(passed - from) > 2 * beside ? EDGE_BESIDE : EDGE_LEFT;
    edge->beside = passed - copysign(beside, passed - from);
    edge->cell = (edge_cell){
        .table = &crossings->table, .from = from, .passed = passed, .to = edge->beside, .apart = edge->apart};
}

/* The next place of the root, or, where that is known well enough, the cell before it. */
static void follow_root(const network_crossings *crossings, waiting_edge *edge) {
    double ends[2], values[2], doubt, guess = root_guess(&edge->root, &doubt);
    edge->guessed = !edge->tried && doubt < GUESS_SHARE * beside_of(edge, guess);
    if (edge->guessed) {
        lay_cell(crossings, edge, guess);
    } else if (edge->places++ == PLACES) {
        edge->state = EDGE_LEFT;
    } else if (!root_next(&edge->root, &edge->next)) {
        root_bracket(&edge->root, ends, values);
        lay_cell(crossings, edge, root_place(&edge->root));
        if (fmax(fabs(values[0]), fabs(values[1])) > NETWORK_JUMP) edge->state = EDGE_LEFT;
    }
}

static void add_nodes(const network_box *box, waiting_edge *edge, const network_results *results) {
    for (int node = 0; node < EDGE_NODES; node++) {
        bool known = (node == 0 && edge->begin_known) || (node == EDGE_LAST && edge->end_known);
        if (edge_needs(edge->stage, node) && !known) add_place(box, edge, node, results);
    }
}

/* The places that an edge needs next; false where it needs none. */
static bool ask(const network_box *box, waiting_edge *edge, const network_results *results) {
    if (edge->state == EDGE_ROOT) follow_root(box->worker->crossings, edge);
    if (edge->state <= EDGE_ROOT) add_place(box, edge, 0, results);
    if (edge->state == EDGE_BESIDE) add_place(box, edge, EDGE_LAST, results);
    if (edge->state == EDGE_CELL) add_nodes(box, edge, results);
    return edge->state != EDGE_FOUND && edge->state != EDGE_LEFT;
}

/* ---- What follows from them ---- */

/* From one end of the cell to the other no subsystem turns further than in a search's first cells. */
static bool turns_little(const network_box *box, const waiting_edge *edge) {
    const network_worker *worker = box->worker;
    double turns[2];
    network_box_set(box, edge->asked.number);
    for (int end = 0; end < 2; end++) {
        costab_model_instance_set(worker->instance, edge->alone.parameter, edge->ends[end]);
        if (costab_model_instance_update(worker->instance, NULL) ||
            analyse_turn(worker->work, network_of(worker),
                         coupling_of(worker, edge->alone.coupling)->macro_step, &turns[end], NULL))
            return false;
    }
    return fabs(turns[1] - turns[0]) <= CROSSING_TURN_MOST;
}

/* The cell at hand is clear: the one that follows it. */
static void go_on(const network_box *box, waiting_edge *edge) {
    if (edge->open_count > 0) {
        edge->cell.from = edge->cell.to;
        edge->cell.to = edge->open[--edge->open_count];
        edge->cell.nodes[0] = edge->cell.nodes[EDGE_LAST];
        edge->cell.nodes[EDGE_LAST] = edge->open_nodes[edge->open_count];
        edge->end_known = true;
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
    edge->open_nodes[edge->open_count] = edge->cell.nodes[EDGE_LAST];
    edge->open[edge->open_count++] = edge->cell.to;
    edge->begin_known = true;
    edge->end_known = false;
    edge->cell.to = edge->cell.passed - copysign(distance, edge->cell.passed - edge->cell.from);
}

/* What was found beside a guessed place is part of the root. False where it is not as it should be there: the
 * root goes on. */
static bool is_right(waiting_edge *edge) {
    double beside = fabs(edge->cell.passed - edge->beside), doubt;
    if (!edge->guessed) return true;
    root_put(&edge->root, edge->beside, edge->margin);
    double place = root_guess(&edge->root, &doubt);
    edge->tried =
        !(doubt <= EXACT_SHARE * beside && fabs(place - edge->cell.passed) <= GUESS_SHARE * beside &&
          (edge->margin < 0) == (edge->margins[0] < 0));
    if (!edge->tried) edge->cell.passed = place;
    return !edge->tried;
}

/* The edge begins, or ends, where an equilibrium is set aside, an eigenvalue 1 of the map; just beside is
 * `next`. Either the limit is passed between there and the other end, or, if what remains is stable at the
 * equilibrium, there. */
static void leave_end(const network_crossings *crossings, waiting_edge *edge) {
    int end = edge->asked.aside[0] ? 0 : 1;
    edge->still = (edge->margin < 0) == (edge->margins[1 - end] < 0);
    edge->end_known = false;
    if (!(fabs(edge->margin) > edge->worst) || (edge->still && edge->margins[end] > 0)) {
        edge->state = EDGE_LEFT;
    } else if (!edge->still) {
        edge->ends[end] = edge->next;
        edge->margins[end] = edge->margin;
        edge->root = root_start(edge->ends, edge->margins);
        edge->state = EDGE_ROOT;
    } else if (end == 0) {
        edge->cell.passed = edge->ends[0];
        edge->state = EDGE_FOUND;
    } else {
        lay_cell(crossings, edge, edge->ends[1]);
    }
}

/* Once what it has asked for is there. */
static void move_on(const network_box *box, waiting_edge *edge) {
    if (edge->state == EDGE_END) {
        leave_end(box->worker->crossings, edge);
        return;
    }
    if (edge->state == EDGE_BESIDE) {
        edge->state = is_right(edge) ? EDGE_CELL : EDGE_ROOT;
        return;
    }
    if (edge->state != EDGE_CELL) return;
    if (edge_is_clear(&edge->cell, edge->stage))
        go_on(box, edge);
    else if (++edge->stage < edge_stages(&edge->cell))
        return;
    else
        divide(edge);
    edge->stage = 0;
    edge->cell.clear = 0;
}

/* ---- Edges alone ---- */

static network_edge edge_alone(const network_box *box, const network_crossing *asked) {
    return (network_edge){box->worker, network_box_index(box, NETWORK_COUPLING, asked->number), asked->level,
                          box->study->base.spec->axis_parameters[asked->axis - NETWORK_FIRST_AXIS]};
}

/* Does rounding move the place further than it is to be known, by how fast the radius comes up to it? More is
 * known only where the step is short, and the eigenvalue near 1 (network/short_step.h). */
static bool is_uncertain(const waiting_edge *edge) {
    double slope = fabs(edge->margins[0] / (edge->cell.passed - edge->ends[0]));
    return !edge->still && edge->away < AWAY_MOST &&
           edge->worst > ROUNDING_MOST * slope * fabs(edge->cell.passed);
}

/* The place once more, where rounding matters: alone a point is looked at more closely. */
static costab_status look_closer(const network_box *box, const waiting_edge *edge, costab_error *error) {
    double beside = edge->cell.passed - edge->beside;
    const double ends[2] = {edge->beside, edge->cell.passed + beside};
    network_box_set(box, edge->asked.number);
    return network_edge_follow(&edge->alone, ends, edge->asked.margins, edge->asked.crossing, error);
}

static costab_status search(const network_box *box, const network_crossing *asked, costab_error *error) {
    const network_edge edge = edge_alone(box, asked);
    const double *values = box->study->base.plan.axes[asked->axis].values;
    network_box_set(box, asked->number);
    return network_edge_cross(&edge, &values[network_box_index(box, asked->axis, asked->number)],
                              asked->margins, asked->crossing, error);
}

/* ---- All together ---- */

costab_status network_crossings_finish(const network_box *box, costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    const network_results results = {.context = crossings, .spectrum = take, .slack_within = slack_within};
    costab_status status = COSTAB_OK;
    if (crossings == NULL || crossings->count == 0) return COSTAB_OK;
    for (bool open = true; open;) {
        open = false;
        for (int i = 0; i < crossings->count; i++) open = ask(box, &crossings->edges[i], &results) || open;
        finish_places(box, &results);
        for (int i = 0; i < crossings->count; i++) move_on(box, &crossings->edges[i]);
    }
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

/* Where equilibria are set aside at both ends, eigenvalues alone do not tell them from what passes. */
static void begin_edge(waiting_edge *edge) {
    const network_crossing *asked = &edge->asked;
    int end = asked->aside[0] ? 0 : 1;
    memcpy(edge->margins, asked->margins, sizeof edge->margins);
    edge->state = asked->aside[0] && asked->aside[1] ? EDGE_LEFT : asked->aside[end] ? EDGE_END : EDGE_ROOT;
    if (edge->state == EDGE_ROOT) edge->root = root_start(edge->ends, edge->margins);
    edge->next =
        edge->ends[end] + copysign(beside_of(edge, edge->ends[end]), edge->ends[1 - end] - edge->ends[end]);
}

costab_status network_crossings_add(const network_box *box, const network_crossing *asked,
                                    costab_error *error) {
    network_crossings *crossings = box->worker->crossings;
    if (crossings == NULL || asked->level != NETWORK_LEVEL_RADIUS ||
        monolithic_unknown(network_of(box->worker)))
        return search(box, asked, error);
    costab_status status = network_box_lanes(box, error);
    if (status) return status;
    const costab_axis *axis = &box->study->base.plan.axes[asked->axis];
    waiting_edge *edge = &crossings->edges[crossings->count++];
    *edge = (waiting_edge){.asked = *asked, .alone = edge_alone(box, asked)};
    for (int end = 0; end < 2; end++)
        edge->ends[end] = axis->values[network_box_index(box, asked->axis, asked->number) + (size_t)end];
    for (int k = NETWORK_FIRST_AXIS; k < box->study->base.plan.swept; k++)
        edge->values[k - NETWORK_FIRST_AXIS] =
            box->study->base.plan.axes[k].values[network_box_index(box, k, asked->number)];
    edge->apart = apart_of(axis, edge->ends);
    begin_edge(edge);
    return crossings->count < EDGES ? COSTAB_OK : network_crossings_finish(box, error);
}
