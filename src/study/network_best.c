/* Finds the best coupling at each point of a network sweep, for the fields best, best_step and best_cost.
 *   1. Without an error bound (compare_steps): for each coupling the complete search of limits finds the end
 *      of the stable interval that starts at the first macro step. Among couplings that reach the largest end
 *      up to the factor ADVISE_WINS, the simplest is best (advise_rank.c).
 *   2. With an error bound (compare_costs): costab_advise at the point's parameters compares costs. Couplings
 *      that are too expensive to be best have no step; if none keeps the error, all have the code `none`.
 *   3. An undecided limit leaves the point undecided, unless its largest possible value is too short.
 *
 * Cost: a limit for each coupling; with errors also about ten runs. Limitations: as for limit_find and
 * costab_advise. */
#include <limits.h>
#include <math.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/advise.h"
#include "model/body.h"
#include "study/network_study.h"
#include "sweep/run.h"

/* Relative difference up to which two couplings tie. */
#define TIE 0.01

/* A coupling in the comparison at a point. */
typedef struct contender {
    network_best found;
    double upper; /* upper bound of its largest stable step */
} contender;

static int coupling_count(const network_study *study) {
    return study->model->coupling_count;
}

/* [out] *memory: size of the coupling's map, a measure of its complexity; INT_MAX if it cannot be analysed.
 */
static costab_status memory_of(network_worker *worker, int c, int *memory, costab_error *error) {
    costab_network_point point;
    costab_error why;
    bool failed;
    costab_status status = network_worker_analyse(worker, (size_t)c, &point, &failed, &why);
    *memory = failed ? INT_MAX : point.size;
    return status ? error_memory(error) : COSTAB_OK;
}

/* Returns COSTAB_INVALID unless the parameter is the macro step of all couplings, at both ends of its range.
 */
static costab_status check_steps(network_study *study, network_worker *worker, costab_error *error) {
    const costab_best *asked = &study->base.spec->best;
    for (int c = 0; c < coupling_count(study); c++)
        for (int end = 0; end < 2; end++) {
            const analysis_family family = network_family(worker, (size_t)c, asked->parameter);
            const double H = end == 0 ? asked->lower : asked->upper;
            costab_coupling coupling;
            if (analysis_family_set(&family, H, &coupling, NULL) != COSTAB_OK || coupling.macro_step == H)
                continue;
            return error_invalid(error,
                                 "%s: error: best, over: '%s' is not the macro step of the coupling '%s'",
                                 study->base.spec->path, study->model->parameters[asked->parameter].name,
                                 study->model->coupling_names[c]);
        }
    costab_model_instance_set(worker->instance, asked->parameter, study->best_nominal);
    return COSTAB_OK;
}

costab_status network_best_make(network_study *study, network_worker *worker, costab_error *error) {
    int count = coupling_count(study), parameter = study->base.spec->best.parameter;
    if (!model_instance_is_step(worker->instance, parameter))
        return error_invalid(error, "%s: error: best, over: '%s' is not the macro step",
                             study->base.spec->path, study->model->parameters[parameter].name);
    memory_local_array(int, memory, (size_t)count, error);
    study->best_nominal = costab_model_instance_value(worker->instance, parameter);
    TRY(memory_make(&study->simplicity, (size_t)count, error));
    TRY(check_steps(study, worker, error));
    for (int c = 0; c < count; c++) TRY(memory_of(worker, c, &memory[c], error));
    for (int c = 0; c < count; c++)
        for (int k = 0; k < count; k++)
            study->simplicity[c] += advise_compare_simplicity(coupling_of(worker, (size_t)k), memory[k],
                                                              coupling_of(worker, (size_t)c), memory[c]) < 0;
    return COSTAB_OK;
}

/* ---- One coupling */

/* Fills a contender from the intervals of its limit: the end of the first interval, and the largest possible
 * end. */
static void read_limit(const costab_limit *limit, double lowest, contender *c) {
    double end = advise_stable_to(limit, lowest);
    size_t last = 0;
    *c = (contender){.found = {.step = end, .cost = (double)NAN}, .upper = end};
    bool open = isnan(end) && limit->count > 0 && limit->pieces[0].from <= lowest &&
                limit->pieces[0].class_code == COSTAB_CLASS_UNDECIDED;
    if (!open && isnan(end)) c->found.code = COSTAB_BEST_NONE;
    for (size_t i = 0; i < limit->count && !isnan(end); i++)
        if (limit->pieces[i].to == end) last = i;
    if (!open && !isnan(end))
        open = limit->pieces[last].to_is == COSTAB_END_UNDECIDED && !costab_limit_ends(limit, last, true);
    if (!open) return;
    c->found = (network_best){(double)NAN, (double)NAN, COSTAB_BEST_UNDECIDED};
    c->upper = limit->pieces[limit->count - 1].to;
}

static bool is_stopped(void *tile, double share, size_t evaluations) {
    (void)share;
    (void)evaluations;
    return costab_tile_stopped(tile);
}

static costab_status find_limit(const network_box *b, int number, contender *c, costab_error *error) {
    const costab_best *asked = &b->study->base.spec->best;
    costab_tile tile = *b->tile;
    const analysis_family family = network_family(b->worker, (size_t)number, asked->parameter);
    const costab_analysis_limit_options options = {.lower = asked->lower,
                                                   .upper = asked->upper,
                                                   .first = true,
                                                   .spacing = COSTAB_SPACING_LOG,
                                                   .threads = 1,
                                                   .progress = is_stopped,
                                                   .progress_context = &tile};
    ends_by(analysis_limit_free) costab_analysis_limit limit = {.single = false};
    TRY(analysis_limit_find(&family, &options, &limit, error));
    bool single = limit.single && limit.found.discrete.count > 0;
    read_limit(&limit.found, single ? limit.found.discrete.items[0].from : asked->lower, c);
    return COSTAB_OK;
}

/* ---- All couplings of a point */

/* Returns true if the coupling has a largest stable step. */
static bool has_step(const contender *c) {
    return !isnan(c->found.step);
}

/* Returns the simplest coupling with a step within ADVISE_WINS of the longest. Of equally simple couplings it
 * is the first in the list, unless a later coupling's step is longer by more than a tie. Returns -1 if no
 * coupling is stable, or if an undecided coupling's step may be as long. */
static int choose_simplest(const network_study *study, const contender *all) {
    double longest = 0;
    int best = -1;
    for (int c = 0; c < coupling_count(study); c++)
        if (has_step(&all[c])) longest = fmax(longest, all[c].found.step);
    for (int c = 0; c < coupling_count(study); c++) {
        if (all[c].found.code == COSTAB_BEST_UNDECIDED && all[c].upper * ADVISE_WINS >= longest) return -1;
        if (!has_step(&all[c]) || all[c].found.step * ADVISE_WINS < longest) continue;
        int simpler = best < 0 ? -1 : study->simplicity[c] - study->simplicity[best];
        if (simpler < 0 || (simpler == 0 && all[c].found.step > all[best].found.step * (1 + TIE))) best = c;
    }
    return best;
}

/* Returns the largest stable step or, with an error bound, the cost. */
static double compared_number(const network_study *study, const contender *c) {
    return isnan(study->base.spec->best.error) ? c->found.step : c->found.cost;
}

/* Marks the best coupling and the couplings tied with it. best: -1 for none. */
static void mark_codes(const network_study *study, contender *all, int best) {
    for (int c = 0; c < coupling_count(study) && best >= 0; c++) {
        double number = compared_number(study, &all[c]), of = compared_number(study, &all[best]);
        if (all[c].found.code == COSTAB_BEST_OTHER && fabs(number - of) <= TIE * of)
            all[c].found.code = COSTAB_BEST_TIE;
    }
    if (best >= 0) all[best].found.code = COSTAB_BEST_CHOSEN;
}

/* Returns true if the class of a point under the c-th coupling, which has the model's own macro step, could
 * not be computed; the failure is counted already. */
static bool is_failed(const network_box *b, size_t number, int c) {
    return b->worker->known[number + (size_t)c * b->stride[NETWORK_COUPLING]].code == NETWORK_FAILED;
}

/* Compares the couplings at a point by their largest stable macro steps. */
static costab_status compare_steps(const network_box *b, size_t number, costab_error *error) {
    const network_study *study = b->study;
    contender *all = b->worker->contenders;
    bool open = false;
    for (int c = 0; c < coupling_count(study); c++) {
        costab_error why;
        size_t place = number + (size_t)c * b->stride[NETWORK_COUPLING];
        all[c] = (contender){.found = {(double)NAN, (double)NAN, NETWORK_FAILED}};
        costab_status status = find_limit(b, c, &all[c], &why);
        open = open || all[c].found.code == COSTAB_BEST_UNDECIDED;
        if (status == COSTAB_MEMORY || status == COSTAB_CANCELLED)
            return error_set(error, status, "%s", why.message);
        if (status && !is_failed(b, number, c)) TRY(network_box_fail(b, place, &why, error));
    }
    int best = choose_simplest(study, all);
    for (int c = 0; c < coupling_count(study) && best < 0 && open; c++)
        if (all[c].found.code == COSTAB_BEST_OTHER) all[c].found.code = COSTAB_BEST_UNDECIDED;
    mark_codes(study, all, best);
    return COSTAB_OK;
}

/* ---- With an error */

static bool stop_advice(void *tile, size_t done, size_t total) {
    (void)done;
    (void)total;
    return costab_tile_stopped(tile);
}

/* Runs `advise` for all couplings. Couplings equal to an earlier one, and couplings that do not fit, have no
 * result. */
static costab_status advise_at_point(const network_box *b, costab_advice *advice, costab_error *error) {
    const costab_spec *spec = b->study->base.spec;
    const costab_model *model = b->study->model;
    costab_tile tile = *b->tile;
    costab_setting settings[COSTAB_SPEC_AXES_MAX];
    for (int i = 0; i < spec->axis_count; i++)
        settings[i] = (costab_setting){
            spec->axes[i].name, costab_model_instance_value(b->worker->instance, spec->axis_parameters[i])};
    const costab_variant variant = {.model = model,
                                    .setting_count = spec->axis_count,
                                    .settings = settings,
                                    .coupling_count = model->coupling_count,
                                    .couplings = (const char *const *)model->coupling_names};
    const costab_advise_error allowed = {.error = spec->best.error};
    const costab_advise_options options = {.parameter = model->parameters[spec->best.parameter].name,
                                           .lower = spec->best.lower,
                                           .upper = spec->best.upper,
                                           .errors = &allowed,
                                           .error_count = 1,
                                           .until = spec->best.until,
                                           .progress = stop_advice,
                                           .progress_context = &tile};
    return costab_advise(&variant, &options, advice, error);
}

/* Compares the couplings at a point by their costs within the error bound. */
static costab_status compare_costs(const network_box *b, size_t number, costab_error *error) {
    const network_study *study = b->study;
    contender *all = b->worker->contenders;
    ends_by(costab_advice_free) costab_advice advice = {.count = 0};
    costab_error why;
    int best = -1;
    bool open = false;
    costab_status status = advise_at_point(b, &advice, &why);
    uint8_t code = status ? NETWORK_FAILED : COSTAB_BEST_OTHER;
    for (int c = 0; c < coupling_count(study); c++)
        all[c] =
            (contender){.found = {(double)NAN, (double)NAN, is_failed(b, number, c) ? NETWORK_FAILED : code}};
    for (size_t i = 0; i < advice.count && !status; i++) {
        const costab_advice_row *row = &advice.rows[i];
        contender *c = &all[row->listed];
        const costab_limit limit = {.count = row->interval_count, .pieces = row->intervals};
        read_limit(&limit, isnan(row->stable_to) ? study->base.spec->best.lower : row->intervals[0].from, c);
        open = open || c->found.code == COSTAB_BEST_UNDECIDED;
        if (c->found.code != COSTAB_BEST_OTHER) continue;
        c->found.step = isnan(row->cost) ? (double)NAN : row->step;
        c->found.cost = row->cost;
        if (row->recommended) best = row->listed;
    }
    if (open) best = -1;
    for (int c = 0; c < coupling_count(study) && best < 0; c++)
        if (all[c].found.code == COSTAB_BEST_OTHER)
            all[c].found.code = open ? COSTAB_BEST_UNDECIDED : COSTAB_BEST_NONE;
    mark_codes(study, all, best);
    if (status == COSTAB_MEMORY || status == COSTAB_CANCELLED)
        return error_set(error, status, "%s", why.message);
    for (int c = 0; c < coupling_count(study) && status; c++)
        if (!is_failed(b, number, c))
            TRY(network_box_fail(b, number + (size_t)c * b->stride[NETWORK_COUPLING], &why, error));
    return COSTAB_OK;
}

costab_status network_box_best(const network_box *b, costab_error *error) {
    const network_study *study = b->study;
    network_worker *worker = b->worker;
    size_t each = b->stride[NETWORK_COUPLING]; /* number of points under each coupling */
    costab_status status = COSTAB_OK;
    if (worker->contenders == NULL)
        TRY(memory_make(&worker->contenders, (size_t)coupling_count(study), error));
    for (size_t i = 0; i < each && !status; i++) {
        network_place place = network_box_place(b, i);
        if (network_box_is_beyond_tile(b, &place)) continue;
        if (costab_tile_stopped(b->tile)) return COSTAB_CANCELLED;
        network_box_set_parameters_at(b, &place);
        status =
            isnan(study->base.spec->best.error) ? compare_steps(b, i, error) : compare_costs(b, i, error);
        for (int c = 0; c < coupling_count(study) && !status; c++) {
            network_known *known = &worker->known[i + (size_t)c * each];
            network_copy_values(study, FIELD_BEST_OF, &worker->contenders[c].found, known->values);
            known->best = worker->contenders[c].found.code;
        }
    }
    costab_model_instance_set(worker->instance, study->base.spec->best.parameter, study->best_nominal);
    return status;
}
