/* A chart of the macro step against the parameter with the nearest margin: what costab sweep finds, kept in
 * memory instead of a file.
 *
 * 1. The ranges: both nominal values are inside, and so are today's limit and the nearest change of the
 *    parameter, unless that is far off.
 * 2. The study of the model over these two axes, on all threads (costab_run).
 * 3. The classes are put as runs, and the places at which a radius passes 1 on the edges of the grid one by
 *    one: the page joins them to lines, cell by cell.
 *
 * Cost: some 20,000 points of a small network, 3,000 of one that is larger or not linear. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"
#include "study/limit_sampled.h"

enum { FIELDS_MAX = 8, SMALL_STATES = 8 };

/* Ranges in shares of the nominal values, and of the nearest change where it is within FAR of it. */
#define LOW    0.1
#define HIGH   3.0
#define BEYOND 1.6
#define FAR    10.0

/* Where the grid goes: the values of one coupling, row-major over both axes. */
typedef struct keeper {
    report *report;
    const costab_plan *plan;
    int coupling;
    uint8_t *codes;
    double *crossings[FIELDS_MAX]; /* by the plan's fields; NULL: another field */
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

static costab_status make_axis(const report *r, int parameter, const double range[2], size_t count,
                               costab_axis *axis, costab_error *error) {
    char shown[32];
    double ends[2];
    for (int k = 0; k < 2; k++) { /* few digits, for the command */
        (void)text_format(shown, sizeof shown, "%.3g", range[k]);
        if (!number_parse(shown, strlen(shown), &ends[k])) ends[k] = range[k];
    }
    *axis = (costab_axis){.count = count, .values = memory_alloc(count, sizeof *axis->values)};
    (void)text_format(axis->name, sizeof axis->name, "%s", r->variant.model->parameters[parameter].name);
    if (axis->values == NULL) return error_memory(error);
    for (size_t i = 0; i < count; i++) axis->values[i] = number_linspace(ends[0], ends[1], count, i);
    return COSTAB_OK;
}

/* How fine: by what a point costs. */
static void counts_of(const report *r, size_t counts[2]) {
    const costab_network *network = report_network(r);
    int states = 0;
    bool dear = study_is_sampled(network);
    for (int s = 0; s < network->subsystem_count; s++) {
        states += network->subsystems[s].states;
        dear = dear || network->subsystems[s].dynamics != NULL;
    }
    bool small = states <= SMALL_STATES && !dear;
    counts[0] = small ? 161 : dear ? 41 : 65;
    counts[1] = small ? 121 : dear ? 31 : 49;
}

/* ---- The grid ---- */

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
            else if (k->plan->fields[field].type == COSTAB_U8)
                k->codes[to] = ((const uint8_t *)block)[from];
        }
    return COSTAB_OK;
}

static costab_status done(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                          costab_error *error) {
    (void)context;
    (void)tile;
    (void)field;
    (void)packed;
    (void)error;
    return COSTAB_OK;
}

static bool run_stops(void *context, size_t finished, size_t total) {
    (void)finished;
    (void)total;
    return report_stops(context);
}

static costab_status make_room(keeper *k, costab_error *error) {
    size_t points = k->plan->axes[1].count * k->plan->axes[2].count;
    k->codes = memory_alloc(points, sizeof *k->codes);
    if (k->codes == NULL) return error_memory(error);
    for (int f = 0; f < k->plan->field_count; f++) {
        const char *name = k->plan->fields[f].name;
        if (strncmp(name, "level_one_", 10) != 0 && strncmp(name, "iteration_one_", 14) != 0) continue;
        k->crossings[f] = memory_alloc(points, sizeof(double));
        if (k->crossings[f] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

/* ---- What is put ---- */

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

/* The crossings along one axis: point, value; of the radius and of iterations. */
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

/* The spec with the parameters that were set, but for the axes. */
static costab_status copy_spec(const report *r, costab_spec **copy, costab_error *error) {
    char *whole = NULL;
    costab_setting *settings = memory_alloc((size_t)r->asked.setting_count + 1, sizeof *settings);
    int count = 0;
    if (settings == NULL) return error_memory(error);
    for (int i = 0; i < r->asked.setting_count; i++) {
        int parameter = costab_model_parameter(r->variant.model, r->asked.settings[i].name);
        if (parameter != r->parameter && parameter != r->nearest) settings[count++] = r->asked.settings[i];
    }
    costab_status status = costab_spec_whole(r->options->spec, &whole, error);
    if (!status)
        status = costab_spec_parse_with(r->options->spec->path, whole, strlen(whole),
                                        r->options->spec->foreign, copy, error);
    if (!status && count > 0) status = costab_spec_set(copy, settings, count, error);
    costab_spec_free_text(&whole);
    memory_free(settings);
    return status;
}

static costab_status sweep(report *r, const costab_spec *spec, costab_error *error) {
    costab_study *study = NULL;
    keeper k = {.report = r, .coupling = r->variant.couplings[0].own};
    const costab_sink sink = {.context = &k, .pack = keep, .commit = done};
    const costab_run_options options = {
        .threads = r->options->threads, .progress = run_stops, .progress_context = r};
    costab_status status = costab_study_create(spec, &study, error);
    if (!status) k.plan = costab_study_plan(study);
    if (!status) status = make_room(&k, error);
    if (!status) {
        const costab_evaluator evaluator = costab_study_evaluator(study);
        status = costab_run(k.plan, &evaluator, &sink, &options, error);
    }
    if (!status) put_chart(r, &k);
    for (int f = 0; f < FIELDS_MAX; f++) memory_free(k.crossings[f]);
    memory_free(k.codes);
    costab_study_destroy(&study);
    return status;
}

/* Over the two axes alone, the fields that are needed. The axes are the caller's to free. */
static costab_status find(report *r, costab_axis axes[2], costab_error *error) {
    costab_spec *copy = NULL;
    size_t counts[2];
    double x[2], y[2];
    counts_of(r, counts);
    x_range(r, x);
    y_range(r, y);
    costab_status status = make_axis(r, r->parameter, x, counts[0], &axes[0], error);
    if (!status) status = make_axis(r, r->nearest, y, counts[1], &axes[1], error);
    if (!status) status = copy_spec(r, &copy, error);
    if (!status) {
        costab_spec over = *copy;
        over.axis_count = 2;
        over.axes[0] = axes[0];
        over.axes[1] = axes[1];
        over.axis_parameters[0] = r->parameter;
        over.axis_parameters[1] = r->nearest;
        over.fields = COSTAB_NETWORK_CLASS | COSTAB_NETWORK_SPECTRAL_RADIUS | COSTAB_NETWORK_ITERATION_RADIUS;
        over.refine_cell = 0;
        over.certified = false;
        status = sweep(r, &over, error);
    }
    costab_spec_destroy(&copy);
    return status;
}

/* Why there is no chart; NULL: there is one. */
static const char *reason(const report *r) {
    if (r->parameter < 0) return r->refusal;
    if (r->nearest < 0)
        return "No other parameter has a margin: there is nothing to draw the macro step against.";
    if (r->variant.couplings[0].own < 0)
        return "A chart is drawn of the couplings that the model itself names; name this one in its key "
               "`coupling` or `couplings` to have one.";
    return NULL;
}

costab_status report_chart(report *r, costab_error *error) {
    costab_axis axes[2] = {{.count = 0}, {.count = 0}};
    const char *why_not = reason(r);
    costab_error why;
    json_object(&r->out, "chart");
    costab_status status =
        why_not != NULL ? error_set(&why, COSTAB_INVALID, "%s", why_not) : find(r, axes, &why);
    if (status) status = report_refused(r, status, &why, error);
    memory_free_all(axes[0].values, axes[1].values);
    json_end_object(&r->out);
    return status;
}
