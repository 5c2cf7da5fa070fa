/* First and last parts of the report: its subject (title, file, version, requested numbers, and the nominal
 * point, with the key `today`); the structure of the network by subsystems and connections; and the texts of
 * the files. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/file.h"
#include "model/instance.h"
#include "page/page.h"
#include "page/report.h"

/* Puts the day of SOURCE_DATE_EPOCH, if it is set. */
static void put_date(json *out) {
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char shown[32];
    size_t seconds;
    struct tm day;
    if (given == NULL || !number_parse_size(given, strlen(given), &seconds)) return;
    const time_t at = (time_t)seconds;
    if (gmtime_r(&at, &day) != NULL && strftime(shown, sizeof shown, "%Y-%m-%d", &day) > 0)
        json_text(out, "date", shown);
}

static void put_errors(report *r) {
    json_array(&r->out, "errors");
    for (int i = 0; i < r->error_count; i++) {
        json_object(&r->out, NULL);
        if (r->errors[i].signal != NULL) json_text(&r->out, "signal", r->errors[i].signal);
        json_number(&r->out, "error", r->errors[i].error);
        json_bool(&r->out, "relative", r->errors[i].relative);
        json_end_object(&r->out);
    }
    json_end_array(&r->out);
}

static void put_point(report *r) {
    const costab_network_point *p = &r->point;
    json *out = &r->out;
    json_object(out, "today");
    json_text(out, "class", costab_class_name(p->class_code));
    json_number(out, "spectral_radius", p->spectral_radius);
    json_maybe(out, "iteration_radius", p->iteration_radius);
    json_maybe(out, "spectral_abscissa", p->spectral_abscissa);
    json_maybe(out, "decay", p->decay);
    json_number(out, "size", p->size);
    json_number(out, "neutral", p->neutral);
    report_command_alone(r, "map", NULL, NULL);
    json_end_object(out);
}

/* Puts the parameters, with their values in the instance. */
static void put_parameters(report *r) {
    const costab_model *model = r->variant.model;
    json *out = &r->out;
    json_array(out, "parameters");
    for (int p = 0; p < model->parameter_count; p++) {
        json_object(out, NULL);
        json_text(out, "name", model->parameters[p].name);
        json_number(out, "value", costab_model_instance_value(r->instance, p));
        json_end_object(out);
    }
    json_end_array(out);
}

costab_status report_head(report *r, costab_error *error) {
    json *out = &r->out;
    (void)error;
    json_number(out, "format", 1);
    page_text(out, "title", r->options->spec->title);
    json_text(out, "model", file_name(r->options->spec->path));
    json_text(out, "version", COSTAB_VERSION);
    json_text(out, "revision", costab_revision());
    put_date(out);
    json_text(out, "coupling", r->variant.couplings[0].name);
    json_number(out, "step", r->step);
    json_bool(out, "sampled", analysis_is_sampled(report_network(r)));
    if (r->name != NULL) json_text(out, "parameter", r->name);
    if (r->name == NULL) json_text(out, "no_parameter", r->refusal);
    json_number(out, "until", r->until);
    put_errors(r);
    report_text(r, "warnings", r->options->spec->warnings != NULL ? r->options->spec->warnings : "");
    put_parameters(r);
    page_words(out, r->variant.model);
    put_point(r);
    return COSTAB_OK;
}

/* ---- The network ---- */

/* Puts the names of a subsystem's signals as an array. */
static void put_signals(json *out, const char *key, const costab_network *network, int subsystem,
                        costab_signal_kind kind, int count) {
    char made[COSTAB_SIGNAL_NAME_MAX];
    json_array(out, key);
    for (int i = 0; i < count; i++)
        json_text(out, NULL, costab_signal_name(network, subsystem, kind, i, made));
    json_end_array(out);
}

static void put_subsystem(report *r, int s) {
    const costab_network *network = report_network(r);
    const costab_subsystem *of = &network->subsystems[s];
    json *out = &r->out;
    bool linear = true;
    costab_error why;
    (void)costab_model_instance_linear(r->instance, s, &linear, &why);
    json_object(out, NULL);
    json_text(out, "name", of->name);
    put_signals(out, "states", network, s, COSTAB_SIGNAL_STATE, of->states);
    put_signals(out, "inputs", network, s, COSTAB_SIGNAL_INPUT, of->inputs);
    put_signals(out, "outputs", network, s, COSTAB_SIGNAL_OUTPUT, of->outputs);
    json_text(out, "method", of->method.kind == COSTAB_SAMPLED ? "its own" : of->method.name);
    if (of->substeps > 0)
        json_number(out, "substeps", of->substeps);
    else
        json_number(out, "micro_step", of->step);
    json_number(out, "stride", of->stride > 1 ? of->stride : 1);
    json_bool(out, "linear", linear);
    json_end_object(out);
}

costab_status report_structure(report *r, costab_error *error) {
    const costab_network *network = report_network(r);
    char made[COSTAB_SIGNAL_NAME_MAX];
    json *out = &r->out;
    (void)error;
    json_object(out, "network");
    json_array(out, "subsystems");
    for (int s = 0; s < network->subsystem_count; s++) put_subsystem(r, s);
    json_end_array(out);
    json_array(out, "connections");
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *of = &network->connections[c];
        char label[2 * COSTAB_SIGNAL_NAME_MAX + 200];
        costab_connection_label(network, c, label, sizeof label);
        json_object(out, NULL);
        json_text(out, "label", label);
        json_number(out, "from", of->from);
        json_number(out, "to", of->to);
        json_text(out, "output",
                  costab_signal_name(network, of->from, COSTAB_SIGNAL_OUTPUT, of->output, made));
        json_text(out, "input", costab_signal_name(network, of->to, COSTAB_SIGNAL_INPUT, of->input, made));
        json_number(out, "gain", of->gain);
        json_number(out, "delay", of->delay);
        json_number(out, "delay_time", of->delay_time);
        json_number(out, "dead_time", of->dead_time);
        json_end_object(out);
    }
    json_end_array(out);
    report_command_alone(r, "info", "", NULL);
    json_end_object(out);
    return COSTAB_OK;
}

/* ---- Files ---- */

static void put_file(report *r, const char *path, const char *content) {
    json_object(&r->out, NULL);
    json_text(&r->out, "name", file_name(path));
    page_text(&r->out, "text", content);
    json_end_object(&r->out);
}

costab_status report_files(report *r, costab_error *error) {
    const costab_spec *spec = r->options->spec;
    const costab_model *model = r->variant.model;
    (void)error;
    json_array(&r->out, "files");
    put_file(r, spec->path, spec->text);
    if (model->base_path != NULL && model->base_text != NULL) put_file(r, model->base_path, model->base_text);
    json_end_array(&r->out);
    return COSTAB_OK;
}
