/* Is the limit, function is passed at the end of an edge, passed nowhere before on it?
 *
 * 1. The order m of each crossing function's zero at the end is told by its two nodes next to it; the
 *    function is divided by the m-th power of the distance from the end.
 * 2. In up to four stages it is interpolated (interpolant.h): through 9 nodes; through the same, also scaled;
 *    through 17, also scaled; and, where these are too far apart, through 33.
 * 3. Where no function has a zero, and as many eigenvalues are beyond the limit at all nodes, it is passed
 *    nowhere before.
 *
 * Cost: an eigenvalue problem a node, function the caller finds. Not guaranteed: the interpolation's error is
 * an estimate. */
#include "proof/edge.h"

#include <float.h>
#include <math.h>

#include "method/eigen.h"

/* Eigenvalues beyond this are beyond all doubt. */
#define HUGE_RADIUS 1e30

/* The nodes of a stage: every step-th of all; number of the degree; check points, 0 where nothing is scaled.
 */
typedef struct stage_shape {
    int degree, step, checks;
} stage_shape;

static const stage_shape shapes[EDGE_STAGES] = {
    {0, 4, 0}, {0, 4, INTERPOLANT_CHECKS}, {1, 2, INTERPOLANT_CHECKS}, {2, 1, 0}};

/* Is node i one of this stage, or a check point of it? */
static bool is_of(const stage_shape *shape, int i) {
    int check = shape->step / 2;
    return i % shape->step == 0 || (shape->checks > 0 && (i == check || i == EDGE_LAST - check));
}

/* Is a node one of the first `stages`? */
static bool is_known(int stages, int i) {
    for (int s = 0; s < stages; s++)
        if (is_of(&shapes[s], i)) return true;
    return false;
}

bool edge_needs(int stage, int i) {
    return !is_known(stage, i) && is_of(&shapes[stage], i);
}

/* Do the nodes of a stage stand near enough to each other? */
static bool is_dense(const edge_cell *cell, int stage) {
    return chebyshev_dense(fabs(cell->to - cell->from), EDGE_LAST / shapes[stage].step, cell->apart);
}

int edge_stages(const edge_cell *cell) {
    return is_dense(cell, EDGE_STAGES - 2) ? EDGE_STAGES - 1 : EDGE_STAGES;
}

void edge_node_make(int n, double *re, double *im, double *slack, edge_node *node) {
    double most = -1;
    int beyond = 0;
    bool sure = true;
    for (int i = 0; i < n; i++) {
        double past = eigen_beyond(EIGEN_CIRCLE, re[i], im[i]);
        re[i] -= 1;
        most = fmax(most, past);
        beyond += past - slack[i] > 0;
        sure = sure && (past - slack[i] > 0 || past + slack[i] < 0);
    }
    sure = sure && most < HUGE_RADIUS;
    *node = (edge_node){.beyond = sure ? beyond : -1};
    if (!sure) return;
    const crossing_spectrum spectrum = {.n = n, .re = re, .im = im, .slack = slack};
    crossing_values(CROSSING_CIRCLE, &spectrum, 0, node->functions);
}

double edge_place(const edge_cell *cell, int i) {
    double share = (cell->table->points[CHEBYSHEV_DEGREES - 1][i] + 1) / 2;
    return i == 0 ? cell->from : i == EDGE_LAST ? cell->to : cell->from + (cell->to - cell->from) * share;
}

static double distance_of(const edge_cell *cell, int i) {
    return fabs(cell->passed - edge_place(cell, i));
}

/* The order of a function's zero at the end of the edge. */
static int order_of(const edge_cell *cell, int function, int step) {
    const crossing_value *near = &cell->nodes[EDGE_LAST].functions[function],
                         *next = &cell->nodes[EDGE_LAST - step].functions[function];
    double factor = distance_of(cell, EDGE_LAST - step) / distance_of(cell, EDGE_LAST);
    double order = (crossing_log(next) - crossing_log(near)) / log2(factor);
    return isfinite(order) && order > 0.5 ? (int)lrint(order) : 0;
}

/* Divides by a power of the distance from the end of the edge. */
static crossing_value without_zero(const crossing_value *v, double distance, int order) {
    if (order == 0) return *v;
    double power = -order * log2(distance), whole = floor(power);
    return (crossing_value){.mantissa = v->mantissa * exp2(power - whole),
                            .exponent = v->exponent + (long)whole,
                            .noise = v->noise + (1 + fabs(power)) * DBL_EPSILON};
}

/* Steps 1 and 2 for one function. */
static bool has_no_zero(const edge_cell *cell, const stage_shape *shape, int function) {
    crossing_value at[INTERPOLANT_SAMPLES];
    interpolant_reading r;
    int order = order_of(cell, function, shape->step), count = chebyshev_degree(shape->degree) + 1;
    interpolant_nodes nodes = {
        .table = cell->table, .k = shape->degree, .count = count, .checks = shape->checks, .strict = true};
    for (int i = 0; i < count + shape->checks; i++) {
        int check = i == count ? shape->step / 2 : EDGE_LAST - shape->step / 2;
        int node = i < count ? i * shape->step : check;
        nodes.p[i] = -distance_of(cell, node); /* ascending, and not above 0: scalings are polynomials */
        at[i] = without_zero(&cell->nodes[node].functions[function], -nodes.p[i], order);
    }
    interpolant_read(&nodes, at, &r);
    return r.count == 0 && !r.neutral;
}

bool edge_is_clear(edge_cell *cell, int stage) {
    for (int i = 0; i < EDGE_NODES; i++)
        if (is_known(stage + 1, i) &&
            (cell->nodes[i].beyond < 0 || cell->nodes[i].beyond != cell->nodes[0].beyond))
            return false;
    if (!is_dense(cell, stage)) return false;
    for (int function = 0; function < CROSSING_FUNCTIONS; function++)
        if ((cell->clear >> function & 1) == 0 && has_no_zero(cell, &shapes[stage], function))
            cell->clear |= 1U << function;
    return cell->clear == (1U << CROSSING_FUNCTIONS) - 1;
}
