/* Parts of the report on margins, uncertainty, and sequences of steps.
 *   1. Margins to another class (costab margin --connections); for large models of parameters alone. The
 *      parameter with the nearest change is kept for the chart.
 *   2. With uncertain parameters: the probability of a stable co-simulation, and the contribution of each
 *      parameter (costab margin --uncertain).
 *   3. Steps that may follow each other in any order (costab pattern), from half of today's step to
 *      BELOW_LIMIT times today's limit. */
#include <math.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/margin.h"
#include "costab/pattern.h"
#include "model/instance.h"
#include "network/network.h"
#include "page/report.h"

static void put_row(report *r, const costab_margin *row) {
    json *out = &r->out;
    json_object(out, NULL);
    json_text(out, "kind", costab_margin_kind_name(row->kind));
    json_text(out, "name", row->name);
    json_number(out, "nominal", row->nominal);
    json_number(out, "side", row->side);
    json_maybe(out, "value", row->value);
    json_maybe(out, "factor", row->factor);
    json_text(out, "class", costab_class_name(row->class_code));
    report_cause(r, row->cause, row->frequency, row->blame, row->share);
    if (!isnan(row->undecided[0])) json_numbers(out, "undecided", row->undecided, 2);
    json_end_object(out);
}

/* Takes the parameter with the nearest change, by its factor, except the macro step and counts. */
static void take_nearest(report *r, const costab_margins *margins) {
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < margins->count; i++) {
        const costab_margin *row = &margins->rows[i];
        int parameter = costab_model_parameter(r->variant.model, row->name);
        if (row->kind != COSTAB_MARGIN_PARAMETER || !(row->factor > 0) || parameter == r->parameter) continue;
        if (costab_model_instance_counts(r->instance, parameter) || fabs(log(row->factor)) >= nearest)
            continue;
        nearest = fabs(log(row->factor));
        r->nearest = parameter;
        r->nearest_value = row->value;
    }
}

/* Finds the margins, for large models of parameters alone. [out] *chosen: the option of the command. */
static costab_status find(report *r, text *chosen, costab_margins *margins, costab_error *error) {
    const costab_model *model = r->variant.model;
    memory_local const char **names = memory_alloc((size_t)model->parameter_count + 1, sizeof *names);
    costab_margin_options options = {.connections = !r->large,
                                     .threads = r->options->threads,
                                     .progress = report_counts,
                                     .progress_context = r};
    if (names == NULL) return error_memory(error);
    text_append(chosen, r->large ? " --parameters " : " --connections");
    for (int p = 0; p < model->parameter_count && r->large; p++) {
        names[p] = model->parameters[p].name;
        text_printf(chosen, "%s%s", p > 0 ? "," : "", names[p]);
    }
    options.parameters = names;
    options.parameter_count = r->large ? model->parameter_count : 0;
    return r->large && model->parameter_count == 0
               ? error_invalid(error, "the model has no parameters")
               : costab_margins_find(&r->requested, &options, margins, error);
}

costab_status report_margins(report *r, costab_error *error) {
    ends_by(costab_margins_free) costab_margins margins = {.count = 0};
    costab_error why;
    text_local chosen = {0};
    json_object(&r->out, "margins");
    costab_status status = find(r, &chosen, &margins, &why);
    if (status) {
        status = report_refused(r, status, &why, error);
    } else {
        take_nearest(r, &margins);
        json_array(&r->out, "rows");
        for (size_t i = 0; i < margins.count; i++)
            if (margins.rows[i].kind <= COSTAB_MARGIN_DELAY) put_row(r, &margins.rows[i]);
        json_end_array(&r->out);
        if (margins.notes != NULL) json_text(&r->out, "notes", margins.notes);
    }
    report_command_alone(r, "margin", NULL, &chosen);
    if (r->large) {
        json_object(&r->out, "few");
        report_command_alone(r, "margin --connections", NULL, NULL);
        json_end_object(&r->out);
    }
    json_end_object(&r->out);
    return status;
}

/* ---- Uncertainty ---- */

static void put_sampled(json *out, const char *name, costab_sampled found) {
    json_object(out, name != NULL ? NULL : "probability");
    if (name != NULL) json_text(out, "name", name);
    json_maybe(out, "value", found.value);
    json_maybe(out, "error", found.error);
    json_end_object(out);
}

costab_status report_uncertainty(report *r, costab_error *error) {
    const costab_spec *spec = r->options->spec;
    const costab_uncertainty_options options = {.uncertain_count = spec->uncertain_count,
                                                .uncertain = spec->uncertain,
                                                .samples = spec->samples,
                                                .progress = report_counts,
                                                .progress_context = r};
    text_local chosen = {0};
    costab_uncertainty found;
    costab_error why;
    json *out = &r->out;
    if (spec->uncertain_count == 0) return COSTAB_OK;
    json_object(out, "uncertainty");
    costab_status status = costab_uncertainty_find(&r->requested, 0, &options, &found, &why);
    if (status) {
        status = report_refused(r, status, &why, error);
    } else {
        json_number(out, "samples", options.samples);
        put_sampled(out, NULL, found.probability);
        json_array(out, "alone");
        for (int u = 0; u < options.uncertain_count; u++)
            put_sampled(out, r->variant.model->parameters[options.uncertain[u].parameter].name,
                        found.alone[u]);
        json_end_array(out);
    }
    text_append(&chosen, " --uncertain");
    report_command_alone(r, "margin", NULL, &chosen);
    json_end_object(out);
    return status;
}

/* ---- Patterns ---- */

/* End of the range of steps, relative to today's limit. */
#define BELOW_LIMIT 0.95

/* Largest number of rows of a map in the search for a common norm. */
enum { SIZE_MOST = 12 };

costab_status report_patterns(report *r, costab_error *error) {
    const costab_pattern_options options = {.stop = report_stops, .stop_context = r, .per_step = true};
    const double range[2] = {
        r->step / 2,
        r->limit > r->step ? report_rounded(BELOW_LIMIT * r->limit, NUMBER_LIMIT_DIGITS, -1) : r->step};
    ends_by(costab_pattern_free) costab_pattern pattern = {.steps = NULL};
    costab_coupling coupling;
    text_local over = {0};
    costab_error why;
    json_object(&r->out, "pattern");
    costab_status status = analysis_variant_coupling(&r->variant, r->instance, 0, &coupling, &why);
    if (!status && r->parameter < 0) status = error_invalid(&why, "%s", r->refusal);
    if (!status && r->point.size > SIZE_MOST)
        status = error_invalid(
            &why, "a map of %d rows takes the search for a common norm long: the command below has it",
            r->point.size);
    if (!status && (r->point.class_code & COSTAB_DISCRETE_STABLE) == 0)
        status = error_invalid(&why, "today's step is not stable itself");
    if (!status) status = analysis_check_steps(r->instance, &why);
    if (!status) status = costab_pattern_over(report_network(r), &coupling, range, &options, &pattern, &why);
    json_numbers(&r->out, "range", range, 2);
    if (status) {
        status = report_refused(r, status, &why, error);
    } else {
        json_number(&r->out, "lower", pattern.lower);
        json_number(&r->out, "upper", pattern.upper);
        json_maybe(&r->out, "safe_from", pattern.safe_from);
        json_maybe(&r->out, "safe_to", pattern.safe_to);
        json_bool(&r->out, "proved", pattern.proved);
    }
    if (r->parameter >= 0 && !network_is_sampled_data(report_network(r))) {
        text_printf(&over, " --over %s=", r->name);
        text_append_number(&over, "", range[0]);
        text_append_number(&over, ":", range[1]);
        report_command_alone(r, "pattern", NULL, &over);
    }
    json_end_object(&r->out);
    return status;
}
