/* The report of a model: one JSON with the results of costab's other commands, in a template.
 *   1. The nominal point. If it cannot be analysed, the report is refused.
 *   2. The parameter of the macro step: its value is the macro step, also at another value.
 *   3. The parts. Each part calls the same functions as a command of costab, and prints that command. If the
 *      model is refused there, the part prints the reason, and the report continues. A part also ends if its
 *      share of the time is over.
 *
 * Later parts use results of earlier parts: sequences of steps, modes, histories and chart use the limit;
 * histories the dominant subsystem and the recommended coupling; the chart the nearest margin. Cost: mostly
 * that of costab advise. */
#include "page/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "page/page.h"
#include "plots.h"

/* Default range of macro steps: the nominal step divided by RANGE_BELOW, and multiplied by RANGE_ABOVE or,
 * for large maps, by RANGE_LARGE. Default horizon: CONSTANTS slowest time constants, but HORIZON_LEAST to
 * HORIZON_MOST macro steps. */
#define RANGE_BELOW   20.0
#define RANGE_ABOVE   400.0
#define RANGE_LARGE   20.0
#define HORIZON_LEAST 20.0
#define HORIZON_MOST  2000.0
#define CONSTANTS     3.0

static const costab_advise_error one_percent = {.error = 0.01, .relative = true};

/* ---- Options ---- */

/* [out] *same: true if the macro step equals the parameter at this value. */
static costab_status follows(report *r, int parameter, double value, bool *same, costab_error *error) {
    costab_coupling coupling;
    costab_error why;
    costab_model_instance_set(r->instance, parameter, value);
    costab_status status = costab_model_instance_update(r->instance, &why);
    if (!status) status = analysis_variant_coupling(&r->variant, r->instance, 0, &coupling, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    *same = !status && coupling.macro_step == value;
    return report_reset(r, error);
}

/* Finds the parameter of the macro step: that of the options, or the first that is equal to the macro step,
 * also at twice its value. */
static costab_status find_parameter(report *r, double step, costab_error *error) {
    const costab_model *model = r->variant.model;
    int from = 0, to = model->parameter_count;
    if (r->options->parameter != NULL) {
        TRY(costab_model_find_parameter(model, r->options->parameter, &from, error));
        to = from + 1;
    }
    r->parameter = -1;
    r->refusal =
        "The macro step of this model is not a parameter of its own: give it one, such as H, to see how "
        "large it may be.";
    for (int p = from; p < to && r->parameter < 0; p++) {
        bool same = costab_model_instance_value(r->instance, p) == step;
        if (same) TRY(follows(r, p, 2 * step, &same, error));
        if (same) r->parameter = p;
    }
    if (r->parameter < 0 && r->options->parameter != NULL)
        return error_invalid(error, "the parameter '%s' is not the macro step", r->options->parameter);
    if (r->parameter >= 0) r->name = model->parameters[r->parameter].name;
    return COSTAB_OK;
}

/* Returns the end time of histories and errors. */
static double horizon(const report *r) {
    const costab_network_history *history = &r->variant.model->history;
    double rate = fabs(r->point.spectral_abscissa), least = HORIZON_LEAST * r->step,
           most = HORIZON_MOST * r->step;
    if (r->options->until > 0) return r->options->until;
    if (history->until > 0) return history->until;
    if (!(rate > 0)) rate = fabs(r->point.decay);
    double until = rate > 0 ? CONSTANTS / rate : most;
    return report_rounded(until < least ? least : until > most ? most : until, 2, 0);
}

static costab_status check_options(const report *r, costab_error *error) {
    const costab_report_options *o = r->options;
    if (!(o->until >= 0) || !isfinite(o->until))
        return error_invalid(error, "the end time %g is not positive", o->until);
    if ((o->lower != 0 || o->upper != 0) && !(o->lower > 0 && o->lower < o->upper && isfinite(o->upper)))
        return error_invalid(error, "the range %g:%g is empty or not positive", o->lower, o->upper);
    return COSTAB_OK;
}

/* Analyses the nominal point and sets the values derived from it. */
static costab_status begin(report *r, costab_error *error) {
    const costab_report_options *o = r->options;
    costab_coupling coupling;
    TRY(check_options(r, error));
    TRY(analysis_variant_fitting(&r->variant, r->instance, 0, &coupling, error));
    TRY(costab_network_analyse(r->work, report_network(r), &coupling, &r->point, error));
    r->step = coupling.macro_step;
    r->limit = (double)NAN;
    r->limit_is = COSTAB_END_COUNT;
    r->dominant = -1;
    r->nearest = -1;
    r->range[0] = o->upper > 0 ? o->lower : report_rounded(r->step / RANGE_BELOW, NUMBER_LIMIT_DIGITS, 0);
    r->large = r->point.size > REPORT_SMALL;
    r->range[1] = o->upper > 0 ? o->upper
                               : report_rounded(r->step * (r->large ? RANGE_LARGE : RANGE_ABOVE),
                                                NUMBER_LIMIT_DIGITS, 0);
    r->errors = o->error_count > 0 ? o->errors : &one_percent;
    r->error_count = o->error_count > 0 ? o->error_count : 1;
    r->until = horizon(r);
    return find_parameter(r, r->step, error);
}

/* ---- The whole report ---- */

/* Approximate cost of a part in thousandths of the total: for a usual model, for a model with measured maps
 * (limits, modes and histories only), and for a model whose macro step is not a parameter (no limits). */
enum { USUAL, MEASURED, NO_STEP, MODELS };

static const struct {
    costab_status (*put)(report *r, costab_error *error);
    size_t work[MODELS];
} parts[] = {
    {report_head, {1, 2, 10}},          {report_structure, {1, 2, 10}}, {report_limit, {20, 690, 1}},
    {report_couplings, {445, 2, 1}},    {report_masters, {200, 2, 1}},  {report_margins, {60, 2, 467}},
    {report_uncertainty, {15, 2, 100}}, {report_patterns, {130, 2, 1}}, {report_modes, {8, 90, 60}},
    {report_histories, {60, 200, 328}}, {report_chart, {50, 2, 1}},     {report_files, {10, 4, 20}}};

static costab_status put_parts(report *r, costab_error *error) {
    const int model = r->parameter < 0 ? NO_STEP : analysis_is_sampled(report_network(r)) ? MEASURED : USUAL;
    json_object(&r->out, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        r->part_work = parts[i].work[model];
        (void)report_progress(r, 0); /* short parts do not report progress themselves */
        TRY(parts[i].put(r, error));
        r->done += r->part_work;
    }
    json_end_object(&r->out);
    return r->data.failed || r->out.failed ? error_memory(error) : COSTAB_OK;
}

/* Makes the variant with its first coupling alone. */
static costab_status open_variant(report *r, const costab_variant *variant, costab_error *error) {
    r->requested = *variant;
    if (variant->model == NULL || variant->model != r->options->spec->model)
        return error_missing(error, "the model of the spec");
    if (variant->couplings == NULL) {
        r->first = variant->model->coupling_names[0];
        r->requested.couplings = &r->first;
    }
    r->requested.coupling_count = 1;
    return analysis_variant_make(&r->variant, &r->requested, error);
}

costab_status costab_report(const costab_variant *variant, const costab_report_options *options, char **page,
                            costab_error *error) {
    report r = {.options = options, .parameter = -1, .begun = number_seconds()};
    *page = NULL;
    r.out.to = &r.data;
    costab_status status = open_variant(&r, variant, error);
    if (!status) status = analysis_variant_instance(&r.variant, &r.instance, error);
    if (!status) status = costab_network_work_create(&r.work, error);
    if (!status) status = begin(&r, error);
    if (!status) status = put_parts(&r, error);
    if (!status) status = page_make(plot_template_report, &r.data, page, error);
    if (!status && r.cut)
        status = error_set(error, COSTAB_CANCELLED, "the page says which parts are missing");
    text_free(&r.data);
    memory_free(r.recommended);
    costab_network_work_destroy(&r.work);
    costab_model_instance_destroy(&r.instance);
    analysis_variant_free(&r.variant);
    return status;
}
