/* What the parts of a report share: where a part is refused, the macro step, and commands. */
#include <string.h>

#include "base/error.h"
#include "page/report.h"

const costab_network *report_network(const report *r) {
    return costab_model_instance_network(r->instance);
}

bool report_stops(void *context) {
    const report *r = context;
    const costab_report_options *options = r->options;
    return options->progress != NULL && options->progress(options->progress_context, r->done, REPORT_WORK);
}

costab_status report_refused(report *r, costab_status status, const costab_error *why, costab_error *error) {
    if (status == COSTAB_MEMORY || status == COSTAB_CANCELLED)
        return error_set(error, status, "%s", why->message);
    json_text(&r->out, "refused", why->message);
    return COSTAB_OK;
}

costab_status report_set(report *r, double step, costab_error *error) {
    costab_model_instance_set(r->instance, r->parameter, step);
    return costab_model_instance_update(r->instance, error);
}

costab_status report_reset(report *r, costab_error *error) {
    costab_model_instance_destroy(&r->instance);
    return study_variant_instance(&r->variant, &r->instance, error);
}

/* ---- Commands ---- */

void report_argument(text *t, const char *argument) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,%+-@";
    if (argument[0] != '\0' && strspn(argument, plain) == strlen(argument)) {
        text_append(t, argument);
        return;
    }
    text_append(t, "'");
    for (const char *c = argument; *c != '\0'; c++)
        if (*c == '\'')
            text_append(t, "'\\''");
        else
            text_append_n(t, c, 1);
    text_append(t, "'");
}

void report_add_over(const report *r, text *t) {
    text_printf(t, " --over %s=", r->name);
    text_append_number(t, "", r->range[0]);
    text_append_number(t, ":", r->range[1]);
}

void report_add_error(const report *r, text *t) {
    for (int i = 0; i < r->error_count; i++) {
        const costab_advise_error *entry = &r->errors[i];
        text value = {0};
        if (entry->signal != NULL) text_printf(&value, "%s=", entry->signal);
        text_append_number(&value, "", entry->relative ? 100 * entry->error : entry->error);
        if (entry->relative) text_append(&value, "%");
        text_append(t, " --error ");
        report_argument(t, value.failed ? "" : value.data);
        text_free(&value);
    }
    text_append_number(t, " --until ", r->until);
}

void report_commands(report *r) {
    json_array(&r->out, "commands");
}

void report_commands_end(report *r) {
    json_end_array(&r->out);
}

void report_command(report *r, const char *command, const char *coupling, const text *options) {
    text line = {0}, plain = {0};
    const char *own = r->variant.couplings[0].own == 0 ? NULL : r->variant.couplings[0].name;
    text_printf(&line, "costab %s ", command);
    report_argument(&line, r->options->spec->path);
    for (int i = 0; i < r->asked.setting_count; i++) {
        text_printf(&line, " --set %s", r->asked.settings[i].name);
        text_append_number(&line, "=", r->asked.settings[i].value);
    }
    if (coupling == NULL) coupling = own;
    if (coupling != NULL && coupling[0] != '\0') {
        text_append(&line, " --coupling ");
        report_argument(&line, coupling);
    }
    if (options != NULL) text_append_text(&line, options);
    text_append_plain(&plain, line.failed ? "" : line.data);
    if (line.failed || plain.failed) r->data.failed = true;
    json_text(&r->out, NULL, plain.failed ? "" : plain.data);
    text_free(&line);
    text_free(&plain);
}
