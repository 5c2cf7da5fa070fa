/* costab import: an FMU or a system of FMUs as a model file.
 *   1. The file becomes the text of a model (costab_ssp_text), which is read, with each FMU in its own
 *      process.
 *   2. FMUs for model exchange are linearised, and become matrices; those for co-simulation stay entries
 *      `fmu:`.
 *   3. Matrices that were found by differences have their error beside them, as a comment. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/results.h"
#include "cli/table.h"
#include "costab/fmu.h"

/* What is written, and what it is made from. */
typedef struct importer {
    const costab_network *network;
    const char *source; /* the text of the system, one line per subsystem */
    const char *folder; /* before the paths of FMUs: "" or "/where/the/system/is/" */
    text out;
} importer;

static bool is_stepped(const costab_subsystem *s) {
    return s->method.kind == COSTAB_SAMPLED;
}

/* The name of a port or a state of matrices, without what names there may not have. */
static void append_plain(text *t, const char *name) {
    for (const char *c = name; *c != '\0'; c++) text_append_n(t, strchr(" .,:", *c) != NULL ? "_" : c, 1);
}

/* Appends a text as YAML takes it, and frees it. */
static void append_quoted(text *t, text *words) {
    if (words->failed)
        t->failed = true;
    else
        escape_n(t, ESCAPE_YAML, words->data, words->size);
    text_free(words);
}

static void append_name(text *t, const char *name) {
    text plain = {0};
    append_plain(&plain, name);
    append_quoted(t, &plain);
}

static void append_names(text *t, const char *key, const char *const *names, int count) {
    if (count == 0 || names == NULL) return;
    text_printf(t, "    %s: [", key);
    for (int i = 0; i < count; i++) {
        text_append(t, i > 0 ? ", " : "");
        append_name(t, names[i]);
    }
    text_append(t, "]\n");
}

static void append_row(text *t, const double *values, int count) {
    text_append(t, "[");
    for (int j = 0; j < count; j++) text_append_number(t, j > 0 ? ", " : "", values[j]);
    text_append(t, "]");
}

static void append_matrix(text *t, const char *key, const double *values, int rows, int columns) {
    if (values == NULL || rows == 0 || columns == 0) return;
    text_printf(t, "    %s: [", key);
    for (int i = 0; i < rows; i++) {
        text_append(t, i > 0 ? ", " : "");
        append_row(t, values + i * columns, columns);
    }
    text_append(t, "]\n");
}

/* Of differences; 0 where the derivatives are the FMU's own. */
static void append_error(text *t, double error) {
    if (error > 0)
        text_printf(t, "    # by differences: entries are wrong by at most %.1e of the largest\n", error);
}

static void append_matrices(text *t, const costab_subsystem *s) {
    text_append(t, "  - name: ");
    append_name(t, s->name);
    text_append(t, "\n");
    append_names(t, "states", s->state_names, s->states);
    append_names(t, "inputs", s->input_names, s->inputs);
    append_names(t, "outputs", s->output_names, s->outputs);
    append_error(t, s->doubt);
    append_matrix(t, "A", s->A, s->states, s->states);
    append_matrix(t, "B", s->B, s->states, s->inputs);
    append_matrix(t, "C", s->C, s->outputs, s->states);
    append_matrix(t, "D", s->D, s->outputs, s->inputs);
    if (s->x0 != NULL && s->states > 0) {
        text_append(t, "    x0: ");
        append_row(t, s->x0, s->states);
        text_append(t, "\n");
    }
    text_append(t, "    method: exact\n");
}

/* The line of subsystem number `s` in the system's text, with the folder before the FMU's path. */
static void append_entry(importer *i, int s) {
    static const char key[] = ", fmu: \"";
    const char *line = strstr(i->source, "\nsubsystems:\n");
    for (int k = 0; k <= s && line != NULL; k++) line = strstr(line + 1, "\n  - {name: ");
    const char *end = line != NULL ? strchr(line + 1, '\n') : NULL,
               *path = line != NULL ? strstr(line, key) : NULL;
    if (end == NULL || path == NULL || path > end) return;
    path += sizeof key - 1;
    text_append_n(&i->out, line + 1, (size_t)(path - line - 1));
    text_local folder = {0};
    escape(&folder, ESCAPE_YAML, i->folder);
    if (folder.failed) i->out.failed = true;
    if (*path != '/' && !folder.failed) text_append_n(&i->out, folder.data + 1, folder.size - 2);
    text_append_n(&i->out, path, (size_t)(end + 1 - path));
}

/* The parameters that the entries and the macro step still use. */
static void append_parameters(text *t, const char *entries, const costab_model *model,
                              const costab_model_instance *instance) {
    char shown[NUMBER_SHOWN_MAX];
    text_append(t, "parameters:\n");
    for (int p = 0; p < model->parameter_count; p++) {
        text_local used = {0};
        text_printf(&used, ": %s", model->parameters[p].name);
        bool keep = used.failed || p == costab_model_parameter(model, "H");
        for (const char *at = entries; !keep && (at = strstr(at, used.data)) != NULL; at++)
            keep = at[used.size] == ',' || at[used.size] == '}';
        if (keep)
            text_printf(t, "  %s: %s\n", model->parameters[p].name,
                        number_shortest(costab_model_instance_value(instance, p), shown));
        if (used.failed) t->failed = true;
    }
}

static void append_port(text *t, const costab_subsystem *s, const char *port) {
    text name = {0};
    text_printf(&name, "%s.", s->name);
    if (is_stepped(s))
        text_append(&name, port);
    else
        append_plain(&name, port);
    append_quoted(t, &name);
}

static void append_connections(importer *i) {
    const costab_network *n = i->network;
    if (n->connection_count > 0) text_append(&i->out, "connections:\n");
    for (int c = 0; c < n->connection_count; c++) {
        const costab_connection *k = &n->connections[c];
        const costab_subsystem *from = &n->subsystems[k->from], *to = &n->subsystems[k->to];
        text_append(&i->out, "  - {from: ");
        append_port(&i->out, from, from->output_names[k->output]);
        text_append(&i->out, ", to: ");
        append_port(&i->out, to, to->input_names[k->input]);
        if (k->gain != 1) text_append_number(&i->out, ", gain: ", k->gain);
        text_append(&i->out, "}\n");
    }
}

static void append_bonds(importer *i) {
    const costab_network *n = i->network;
    for (int b = 0; b < n->bond_count; b++) {
        const costab_bond *bond = &n->bonds[b];
        const int sides[2][3] = {{bond->subsystem1, bond->input1, bond->output1},
                                 {bond->subsystem2, bond->input2, bond->output2}};
        text_append(&i->out, b == 0 ? "power_bonds:\n  - [" : "  - [");
        for (int k = 0; k < 2; k++) {
            const costab_subsystem *s = &n->subsystems[sides[k][0]];
            append_port(&i->out, s, s->input_names[sides[k][1]]);
            text_append(&i->out, ", ");
            append_port(&i->out, s, s->output_names[sides[k][2]]);
            text_append(&i->out, k == 0 ? ", " : "]\n");
        }
    }
}

static void append_all(importer *i, const cli_network *network) {
    text_local entries = {0};
    text_append(&entries, "");
    for (int s = 0; s < i->network->subsystem_count; s++)
        if (is_stepped(&i->network->subsystems[s]))
            append_entry(i, s);
        else
            append_matrices(&i->out, &i->network->subsystems[s]);
    text_append_text(&entries, &i->out);
    text_free(&i->out);
    text_append(&i->out, "system: network\ntitle: ");
    escape(&i->out, ESCAPE_YAML, network->spec->title);
    text_append(&i->out, "\n");
    append_parameters(&i->out, entries.data != NULL ? entries.data : "", network->model, network->instance);
    text_append(&i->out, "subsystems:\n");
    text_append_text(&i->out, &entries);
    append_connections(i);
    append_bonds(i);
    text_append(&i->out, "coupling: {scheme: jacobi, macro_step: H}\n");
}

/* The folder of the system, for a file that is written elsewhere: absolute, with a slash at its end. */
static costab_status find_folder(const char *path, text *folder, costab_error *error) {
    memory_local char *target = NULL;
    TRY(file_target(path, &target, error));
    char *whole = realpath(target, NULL);
    const char *slash = whole != NULL ? strrchr(whole, '/') : NULL;
    if (slash != NULL) text_append_n(folder, whole, (size_t)(slash + 1 - whole));
    text_append(folder, "");
    free(whole);
    return folder->failed ? error_memory(error) : COSTAB_OK;
}

static costab_status write_out(importer *i, const cli_arguments *arguments, costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_MODEL];
    const file_terms terms = {.force = arguments->force};
    text_local marked = {0};
    if (i->out.failed) return error_memory(error);
    if (output == NULL) {
        cli_print(stdout, "%s", i->out.data);
        return cli_flush(error);
    }
    file_mark(&marked, "model", &i->out);
    if (marked.failed) return error_memory(error);
    TRY(file_write(output, &terms, marked.data, marked.size, error));
    cli_tell_file(output, arguments);
    return COSTAB_OK;
}

costab_status cli_import(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    text_local folder = {0};
    ends_by(costab_spec_free_text) char *source = NULL;
    if (!costab_ssp_is(arguments->operands[0]))
        return error_invalid(error, "'%s' is none of .fmu, .ssp, .ssd and .xml (OspSystemStructure)",
                             arguments->operands[0]);
    TRY(costab_spec_whole(network->spec, &source, error));
    TRY(find_folder(arguments->operands[0], &folder, error));
    importer i = {
        .network = costab_model_instance_network(network->instance), .source = source, .folder = folder.data};
    append_all(&i, network);
    costab_status status = write_out(&i, arguments, error);
    text_free(&i.out);
    return status;
}
