/* A chart of the macro step against the parameter with the nearest margin: the results of costab sweep in
 * memory.
 *   1. Ranges: they include both nominal values, today's limit and the nearest change of the parameter,
 *      unless these are far off.
 *   2. The study of the model over these two axes (costab_study_chart), on all threads (costab_run).
 *   3. The classes are written as runs, and the crossings of 1 on the edges of the grid one by one; the page
 *      joins them to lines, cell by cell.
 *
 * Cost: about 20,000 points of a small network, 3,000 of a larger network, 1,300 of a network with formulas
 * or measured maps. */
#include <math.h>
#include <string.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"
#include "study/create.h"
#include "sweep/run.h"

enum { SMALL_STATES = 8 }; /* most states of a small network */

/* Ends of the ranges: LOW and HIGH times the nominal value, or BEYOND times the limit or the nearest change
 * if that is below FAR times the nominal value. */
#define LOW    0.1
#define HIGH   3.0
#define BEYOND 1.6
#define FAR    10.0

/* Destination of the study's tiles (blocks of the grid): the values of one coupling, row-major over both
 * axes. */
typedef struct keeper {
    const costab_plan *plan;
    int coupling;
    uint8_t *codes;
    double *crossings[COSTAB_FIELDS_MAX]; /* by the plan's fields; NULL: another field */
} keeper;

/* ---- Axes ---- */

static double nominal_of(const report *r, int parameter) {
    return costab_model_instance_value(r->instance, parameter);
}

static void x_range(const report *r, double range[2]) {
    bool limited = r->limit_is == COSTAB_END_LIMIT && r->limit < FAR * r->step;
    range[0] = LOW * r->step;
    range[1] = limited ? fmax(2 * r->step, BEYOND * r->limit) : HIGH * r->step;
    if (r->range[0] > range[0] && r->range[0] < r->step) range[0] = r->range[0];
}

static void y_range(const report *r, double range[2]) {
    double nominal = nominal_of(r, r->nearest), near = r->nearest_value / nominal;
    double low = LOW, high = HIGH;
    if (near > 1 && near < FAR) high = fmax(2, BEYOND * near);
    if (near > 0 && near < 2 * LOW) low = near / BEYOND;
    range[0] = nominal > 0 ? low * nominal : high * nominal;
    range[1] = nominal > 0 ? high * nominal : low * nominal;
}

enum { CHART_DIGITS = 3 }; /* digits of the ranges, so that the command is short */

/* Chooses the resolution by the cost of a point. */
static void counts_of(const report *r, size_t counts[2]) {
    const costab_network *network = report_network(r);
    int states = 0;
    bool costly = analysis_is_sampled(network);
    for (int s = 0; s < network->subsystem_count; s++) {
        states += network->subsystems[s].states;
        costly = costly || network->subsystems[s].dynamics != NULL;
    }
    bool small = states <= SMALL_STATES && !costly;
    counts[0] = small ? 161 : costly ? 41 : 65;
    counts[1] = small ? 121 : costly ? 31 : 49;
}

static void make_axes(const report *r, costab_chart_axis axes[2]) {
    size_t counts[2];
    double ranges[2][2];
    counts_of(r, counts);
    x_range(r, ranges[0]);
    y_range(r, ranges[1]);
    for (int k = 0; k < 2; k++) {
        int parameter = k == 0 ? r->parameter : r->nearest;
        axes[k] = (costab_chart_axis){.parameter = r->variant.model->parameters[parameter].name,
                                      .from = report_rounded(ranges[k][0], CHART_DIGITS, 0),
                                      .to = report_rounded(ranges[k][1], CHART_DIGITS, 0),
                                      .points = counts[k]};
    }
}

/* ---- The grid ---- */

/* costab_sink.pack: copies the points of a tile that belong to the coupling. */
static costab_status keep(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const keeper *k = context;
    const size_t *start = tile->start, *count = tile->count, rows = k->plan->axes[2].count;
    (void)packed;
    (void)error;
    if (k->coupling < (int)start[0] || k->coupling >= (int)(start[0] + count[0])) return COSTAB_OK;
    size_t first = ((size_t)k->coupling - start[0]) * count[1] * count[2];
    for (size_t i = 0; i < count[1]; i++)
        for (size_t j = 0; j < count[2]; j++) {
            size_t from = first + i * count[2] + j, to = (start[1] + i) * rows + start[2] + j;
            if (k->crossings[field] != NULL)
                k->crossings[field][to] = ((const double *)block)[from];
            else if (strcmp(k->plan->fields[field].name, "class") == 0)
                k->codes[to] = ((const uint8_t *)block)[from];
        }
    return COSTAB_OK;
}

static costab_status make_space(keeper *k, costab_error *error) {
    size_t points = k->plan->axes[1].count * k->plan->axes[2].count;
    TRY(memory_make(&k->codes, points, error));
    for (int f = 0; f < k->plan->field_count; f++) {
        const char *name = k->plan->fields[f].name;
        if (strncmp(name, "level_one_", 10) != 0 && strncmp(name, "iteration_one_", 14) != 0) continue;
        TRY(memory_make(&k->crossings[f], points, error));
    }
    return COSTAB_OK;
}

/* ---- Output ---- */

static void put_axis(report *r, const char *key, const costab_axis *axis, int parameter) {
    json_object(&r->out, key);
    json_text(&r->out, "name", axis->name);
    json_number(&r->out, "from", axis->values[0]);
    json_number(&r->out, "to", axis->values[axis->count - 1]);
    json_number(&r->out, "points", (double)axis->count);
    json_number(&r->out, "nominal", nominal_of(r, parameter));
    json_end_object(&r->out);
}

static void put_runs(report *r, const keeper *k) {
    size_t points = k->plan->axes[1].count * k->plan->axes[2].count;
    json_array(&r->out, "runs");
    for (size_t i = 0, next; i < points; i = next) {
        for (next = i + 1; next < points && k->codes[next] == k->codes[i];) next++;
        json_number(&r->out, NULL, k->codes[i]);
        json_number(&r->out, NULL, (double)(next - i));
    }
    json_end_array(&r->out);
}

/* Puts the crossings on edges along one axis, of the spectral radius and of iterations: point, value, and so
 * on. */
static void put_crossings(report *r, const keeper *k, int axis) {
    size_t points = k->plan->axes[1].count * k->plan->axes[2].count;
    const char *name = k->plan->axes[axis].name;
    json_array(&r->out, axis == 1 ? "across" : "along");
    for (int f = 0; f < k->plan->field_count; f++) {
        const char *of = strstr(k->plan->fields[f].name, "_one_");
        if (k->crossings[f] == NULL || of == NULL || strcmp(of + 5, name) != 0) continue;
        for (size_t i = 0; i < points; i++) {
            if (isnan(k->crossings[f][i])) continue;
            json_number(&r->out, NULL, (double)i);
            json_number(&r->out, NULL, k->crossings[f][i]);
        }
    }
    json_end_array(&r->out);
}

static void put_chart(report *r, const keeper *k) {
    put_axis(r, "x", &k->plan->axes[1], r->parameter);
    put_axis(r, "y", &k->plan->axes[2], r->nearest);
    put_runs(r, k);
    put_crossings(r, k, 1);
    put_crossings(r, k, 2);
}

/* ---- The part ---- */

static costab_status run(report *r, costab_study *study, costab_error *error) {
    keeper k = {.plan = costab_study_plan(study), .coupling = r->variant.couplings[0].own};
    const costab_sink sink = {.context = &k, .pack = keep};
    const costab_evaluator evaluator = costab_study_evaluator(study);
    const costab_run_options options = {
        .threads = r->options->threads, .progress = report_counts, .progress_context = r};
    costab_status status = make_space(&k, error);
    if (!status) status = costab_run(k.plan, &evaluator, &sink, &options, error);
    if (!status) put_chart(r, &k);
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) memory_free(k.crossings[f]);
    memory_free(k.codes);
    return status;
}

/* Lists the set parameters except the axes. Returns their number. */
static int settings_of(const report *r, costab_setting *settings) {
    int count = 0;
    for (int i = 0; i < r->requested.setting_count; i++) {
        int parameter = costab_model_parameter(r->variant.model, r->requested.settings[i].name);
        if (parameter != r->parameter && parameter != r->nearest)
            settings[count++] = r->requested.settings[i];
    }
    return count;
}

/* Puts the command, with the settings of parameters that are no axes. */
static void put_command(report *r, const costab_chart_axis axes[2], const costab_changes *changes) {
    const costab_variant requested = r->requested;
    text_local options = {0};
    for (int k = 0; k < 2; k++) {
        text_printf(&options, " --axis %s=", axes[k].parameter);
        text_append_number(&options, "", axes[k].from);
        text_append_number(&options, ":", axes[k].to);
        text_printf(&options, ":%zu", axes[k].points);
    }
    text_append(&options, " -o chart.h5");
    r->requested.settings = changes->settings;
    r->requested.setting_count = changes->setting_count;
    report_command_alone(r, "sweep", "", &options);
    r->requested = requested;
}

static costab_status find(report *r, const costab_chart_axis axes[2], costab_error *error) {
    memory_local costab_setting *settings =
        memory_alloc((size_t)r->requested.setting_count + 1, sizeof *settings);
    ends_by(costab_study_destroy) costab_study *study = NULL;
    if (settings == NULL) return error_memory(error);
    const costab_changes changes = {.settings = settings, .setting_count = settings_of(r, settings)};
    TRY(costab_study_chart(r->options->spec->path, axes, 2, &changes, &study, error));
    TRY(run(r, study, error));
    put_command(r, axes, &changes);
    return COSTAB_OK;
}

/* Returns the reason why the chart is left out; NULL if it is drawn. */
static const char *reason(const report *r) {
    if (r->parameter < 0) return r->refusal;
    if (r->single) return "Single macro steps were tried: the chart would be drawn between them.";
    if (analysis_is_sampled(report_network(r)))
        return "The nearest parameter margin, the second axis of the chart, is not known for FMUs that step by "
               "themselves. costab sweep draws a chart over axes of your choice.";
    if (r->nearest < 0)
        return "No other parameter has a margin: there is nothing to draw the macro step against.";
    if (r->variant.couplings[0].own < 0)
        return "A chart is drawn of the couplings that the model itself names; name this coupling in its key "
               "`coupling` or `couplings` to have one.";
    return NULL;
}

costab_status report_chart(report *r, costab_error *error) {
    costab_chart_axis axes[2];
    const char *why_not = reason(r);
    costab_error why;
    json_object(&r->out, "chart");
    if (why_not == NULL) make_axes(r, axes);
    costab_status status = why_not != NULL ? error_invalid(&why, "%s", why_not) : find(r, axes, &why);
    if (status) status = report_refused(r, status, &why, error);
    json_end_object(&r->out);
    return status;
}
