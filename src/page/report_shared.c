/* Common functions of the report's parts: the message of a refused part, setting the macro step, progress and
 * time limits, causes in words, and the equivalent commands. Messages and commands name the model's files
 * without their folders. */
#include <math.h>
#include <string.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/number.h"
#include "network/network.h"
#include "page/page.h"
#include "page/report.h"

/* Share of the total time before which no part is late. */
#define LEAST_SHARE 0.25

const costab_network *report_network(const report *r) {
    return costab_model_instance_network(r->instance);
}

bool report_progress(report *r, double share) {
    const costab_report_options *options = r->options;
    size_t done = r->done + (size_t)(share * (double)r->part_work);
    r->stopped = r->stopped || (options->progress != NULL &&
                                options->progress(options->progress_context, done, REPORT_WORK));
    r->late = r->stopped;
    if (r->late) return true;
    double part = fmax(LEAST_SHARE, (double)(r->done + r->part_work) / REPORT_WORK);
    r->late = options->seconds > 0 && number_seconds() - r->begun > part * options->seconds;
    return r->late;
}

bool report_counts(void *context, size_t done, size_t total) {
    return report_progress(context, total > 0 ? (double)done / (double)total : 0);
}

bool report_stops(void *context) {
    return report_progress(context, 0);
}

/* Appends `words` with the file name of `path` in place of the path. */
static void append_named(text *t, const char *words, const char *path) {
    const char *found, *name = path != NULL ? file_name(path) : NULL;
    while (name != path && (found = strstr(words, path)) != NULL) {
        text_append_n(t, words, (size_t)(found - words));
        text_append(t, name);
        words = found + strlen(path);
    }
    text_append(t, words);
}

void report_text(report *r, const char *key, const char *words) {
    text_local named = {0}, both = {0};
    append_named(&named, words, r->options->spec->path);
    append_named(&both, named.failed ? "" : named.data, r->variant.model->base_path);
    if (named.failed || both.failed) r->data.failed = true;
    page_text(&r->out, key, both.failed ? "" : both.data);
}

costab_status report_refused(report *r, costab_status status, const costab_error *why, costab_error *error) {
    text_local late = {0};
    bool over = status == COSTAB_CANCELLED && r->late;
    if (status == COSTAB_MEMORY || (status == COSTAB_CANCELLED && !over))
        return error_set(error, status, "%s", why->message);
    r->cut = r->cut || over;
    if (over && r->stopped)
        text_append(&late, "Not found: the report was stopped before.");
    else if (over)
        text_printf(&late, "Not found within --time %g: more time finds it.", r->options->seconds);
    report_text(r, "refused", over && !late.failed ? late.data : why->message);
    return COSTAB_OK;
}

costab_status report_set(report *r, double step, costab_error *error) {
    costab_model_instance_set(r->instance, r->parameter, step);
    return costab_model_instance_update(r->instance, error);
}

costab_status report_reset(report *r, costab_error *error) {
    costab_model_instance_destroy(&r->instance);
    return analysis_variant_instance(&r->variant, &r->instance, error);
}

void report_cause(report *r, costab_passes cause, double frequency, int dominant, double share) {
    json *out = &r->out;
    json_text(out, "cause", costab_passes_name(cause));
    json_maybe(out, "frequency", frequency);
    if (dominant >= 0) json_text(out, "blame", report_network(r)->subsystems[dominant].name);
    if (dominant >= 0) json_maybe(out, "share", share);
}

/* ---- Commands ---- */

double report_rounded(double value, int digits, int side) {
    char shown[NUMBER_SHOWN_MAX];
    double rounded = value;
    (void)number_rounded(value, digits, side, shown);
    (void)number_parse_double(shown, strlen(shown), &rounded);
    return rounded;
}

void report_add_over(const report *r, text *t) {
    text_printf(t, " --over %s=", r->name);
    text_append_number(t, "", r->range[0]);
    text_append_number(t, ":", r->range[1]);
}

void report_add_step(const report *r, text *t, double step) {
    if (step == r->step) return;
    text_printf(t, " --set %s", r->name);
    text_append_number(t, "=", step);
}

void report_add_error(const report *r, text *t) {
    for (int i = 0; i < r->error_count; i++) {
        const costab_advise_error *entry = &r->errors[i];
        text_local value = {0};
        if (entry->signal != NULL) text_printf(&value, "%s=", entry->signal);
        text_append_number(&value, "", entry->relative ? 100 * entry->error : entry->error);
        if (entry->relative) text_append(&value, "%");
        text_append(t, " --error ");
        if (value.failed) t->failed = true;
        if (!value.failed) escape(t, ESCAPE_SHELL, value.data);
    }
    text_append_number(t, " --until ", r->until);
}

void report_command(report *r, const char *command, const char *coupling, const text *options) {
    text_local line = {0};
    const char *name = file_name(r->options->spec->path);
    const char *own = r->variant.couplings[0].own == 0 ? NULL : r->variant.couplings[0].name;
    text_printf(&line, "costab %s ", command);
    if (name != r->options->spec->path && name[0] == '-') text_append(&line, "./");
    escape(&line, ESCAPE_SHELL, name);
    for (int i = 0; i < r->requested.setting_count; i++) {
        text_printf(&line, " --set %s", r->requested.settings[i].name);
        text_append_number(&line, "=", r->requested.settings[i].value);
    }
    if (r->options->fmu_accuracy != NULL) {
        text_append(&line, " --fmu-accuracy ");
        escape(&line, ESCAPE_SHELL, r->options->fmu_accuracy);
    }
    if (coupling == NULL) coupling = own;
    if (coupling != NULL && coupling[0] != '\0') {
        text_append(&line, " --coupling ");
        escape(&line, ESCAPE_SHELL, coupling);
    }
    if (options != NULL) text_append_text(&line, options);
    if (line.failed) r->data.failed = true;
    json_text(&r->out, NULL, line.failed ? "" : line.data);
}

void report_command_alone(report *r, const char *command, const char *coupling, const text *options) {
    json_array(&r->out, "commands");
    report_command(r, command, coupling, options);
    json_end_array(&r->out);
}
