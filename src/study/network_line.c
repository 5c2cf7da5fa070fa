/* Finds the classes on a line of a refined sweep: the points of a block along one axis of the grid. The
 * refinement (network_refine.c) fills no cell that contradicts them.
 *   1. A line of 257 points or more is searched; all points of a shorter line are analysed.
 *   2. The search is that of `limit` (docs/explanation/algorithms.md, Complete limits). It divides the line
 *      into cells for the map and for the continuous system; each cell is stable, unstable or open
 *      (undecided). Points inside a cell have its verdict. A change of the verdict is reported even if the
 *      points on both sides of it have the same verdict.
 *   3. Points next to a change or in an open cell are analysed, and the ends of every run of one class. If a
 *      point contradicts, or more than a quarter is open, all points are analysed.
 *   4. If a parameter allows single values only, and for measured maps, all points are analysed in lanes;
 *      changes between two points are then missed.
 *
 * Cost of a line without crossings: about 35 evaluations of the map, and of the continuous system if the line
 * changes it; at most half as many evaluations as points. As complete as `limit`: the errors of its
 * interpolants are estimated, not bounded. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/limit_sampled.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "costab/limit.h"
#include "costab/study.h"
#include "limit/limit.h"
#include "model/instance.h"
#include "study/network_study.h"
#include "sweep/refine.h"

/* Number of points from which a line is searched. */
enum { SEARCHED_FROM = 257 };

/* Relative distance to a change of the verdict within which points are analysed, because the position of the
 * change has an error. */
#define BESIDE 1e-6

/* Verdict of the search about a point, in refine_line.spare. */
enum { DECIDED, OPEN };

/* Returns the values of an axis at the points of the line. */
static const double *values_of(const network_box *line, int axis) {
    return line->study->base.plan.axes[axis].values + line->start[axis];
}

/* ---- Searching */

/* [out] *yes: whether the model is defined at every value between the ends, its maps are not measured, and
 * the values ascend. */
static costab_status is_continuous(const analysis_family *family, const double *values, size_t count,
                                   bool *yes, costab_error *error) {
    costab_network network = analysis_family_network(family);
    ends_by(analysis_values_free) analysis_values single = {.at = NULL};
    *yes = !analysis_is_sampled(&network);
    for (size_t i = 0; i + 1 < count && *yes; i++) *yes = values[i] < values[i + 1];
    if (!*yes) return COSTAB_OK;
    costab_status status =
        analysis_values_find(family, (const double[]){values[0], values[count - 1]}, &single, error);
    *yes = !status && single.at == NULL;
    return status == COSTAB_MEMORY ? status : COSTAB_OK;
}

/* Reads the verdicts of the points from the cells of one system: sets a bit of the class, or OPEN, and marks
 * the points after which the verdict changes. */
static void read_verdicts(const costab_cells *cells, unsigned bit, const double *values, size_t count,
                          const refine_line *space) {
    if (cells->count == 0) memset(space->spare, OPEN, count);
    for (size_t i = 0, k = 0; i < count && cells->count > 0; i++) {
        while (k + 1 < cells->count && cells->items[k].to < values[i]) k++;
        if (cells->items[k].verdict == COSTAB_OUTCOME_STABLE)
            space->codes[i] |= (uint8_t)bit;
        else if (cells->items[k].verdict != COSTAB_OUTCOME_UNSTABLE)
            space->spare[i] = OPEN;
    }
    for (size_t k = 1, i = 0; k < cells->count; k++) {
        double at = cells->items[k].from;
        if (cells->items[k].verdict == cells->items[k - 1].verdict) continue;
        while (i + 2 < count && values[i + 1] < at) i++;
        space->changes[i] = 1;
        for (size_t j = i; j < i + 2; j++)
            if (fabs(values[j] - at) <= BESIDE * fabs(at)) space->spare[j] = OPEN;
        if (at == values[i + 1] && i + 2 < count) space->changes[i + 1] = 1;
    }
}

/* Analyses the open points and both ends of every run of one class; *fits is false if a point contradicts. If
 * the line does not change the continuous system (`still`), one analysis gives its class. */
static costab_status analyse_open_points(const network_box *line, int axis, bool still,
                                         const refine_line *space, bool *fits, costab_error *error) {
    costab_network_point point;
    size_t count = line->count[axis];
    *fits = true;
    for (size_t i = 0; i < count && *fits; i++) {
        bool begins = i == 0 || space->spare[i - 1] == OPEN || space->codes[i - 1] != space->codes[i];
        bool ends = i + 1 == count || space->spare[i + 1] == OPEN || space->codes[i + 1] != space->codes[i];
        if (space->spare[i] == DECIDED && !begins && !ends) continue;
        TRY(network_box_analyse(line, i, true, &point, error));
        uint8_t code = line->worker->known[i].code;
        if (i == 0 && still && (code & COSTAB_CONTINUOUS_STABLE) == 0)
            for (size_t j = 0; j < count; j++) space->codes[j] &= (uint8_t)~COSTAB_CONTINUOUS_STABLE;
        *fits = space->spare[i] == OPEN || code == space->codes[i];
        if (space->spare[i] == OPEN) space->codes[i] = code;
    }
    return COSTAB_OK;
}

/* Fills the line from the cells of a search. *decided stays false if a point contradicts them or too many
 * points are open. */
static costab_status read_limit(const network_box *line, int axis, bool still, const costab_limit *limit,
                                const refine_line *space, bool *decided, costab_error *error) {
    size_t count = line->count[axis], open = 0;
    memset(space->codes, 0, count);
    memset(space->changes, 0, count);
    memset(space->spare, DECIDED, count);
    read_verdicts(&limit->discrete, COSTAB_DISCRETE_STABLE, values_of(line, axis), count, space);
    read_verdicts(&limit->continuous, COSTAB_CONTINUOUS_STABLE, values_of(line, axis), count, space);
    for (size_t i = 0; i < count; i++) open += space->spare[i] == OPEN;
    return open > count / 4 ? COSTAB_OK : analyse_open_points(line, axis, still, space, decided, error);
}

/* Searches the line. [out] *decided: false if all points must be analysed instead. */
static costab_status search(const network_box *line, int axis, const refine_line *space, bool *decided,
                            costab_error *error) {
    const network_worker *worker = line->worker;
    const double *values = values_of(line, axis);
    size_t count = line->count[axis];
    int parameter = line->study->base.spec->axis_parameters[axis - NETWORK_FIRST_AXIS];
    analysis_family bound = network_family(worker, line->start[NETWORK_COUPLING], parameter);
    costab_family family = analysis_family_of(&bound);
    family.divide = analysis_family_divide_formulas;
    const bool still = !costab_model_instance_shapes(worker->instance, parameter);
    costab_limit_options options = {.lower = values[0],
                                    .upper = values[count - 1],
                                    .evaluations = count / 2,
                                    .stable = still ? COSTAB_FAMILY_CONTINUOUS : 0};
    if (options.lower > 0 && options.upper > 4 * options.lower) options.spacing = COSTAB_SPACING_LOG;
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    costab_error why = {.status = COSTAB_OK};
    bool continuous;
    *decided = false;
    network_box_set_parameters(line, 0);
    if (costab_model_instance_update(worker->instance, NULL) != COSTAB_OK) return COSTAB_OK;
    costab_status status = is_continuous(&bound, values, count, &continuous, error);
    if (status || !continuous) return status;
    status = limit_find(&family, &options, &limit, &why);
    if (!status) return read_limit(line, axis, still, &limit, space, decided, error);
    if (status != COSTAB_MEMORY) return COSTAB_OK;
    if (error != NULL) *error = why;
    return status;
}

costab_status network_line_classes(const network_box *line, int axis, const refine_line *space,
                                   costab_error *error) {
    bool decided = false;
    costab_status status =
        line->count[axis] >= SEARCHED_FROM ? search(line, axis, space, &decided, error) : COSTAB_OK;
    if (status || decided) return status;
    memset(space->changes, 0, line->count[axis]);
    return network_box_analyse_all(line, space->codes, NULL, error);
}
