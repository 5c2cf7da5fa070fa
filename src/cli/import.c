/* costab import: an FMU or a system of FMUs as a model file. The file becomes the text of a model
 * (costab_ssp_text), which is checked as every model is, without running an FMU. That text is written with
 * two changes: paths of FMUs begin with the system's folder, and parameters have the values of --set. */
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

static bool begins(const char *line, const char *words) {
    return strncmp(line, words, strlen(words)) == 0;
}

/* A subsystem, with the folder before the path of its FMU if that is relative. */
static void append_subsystem(text *t, const char *line, size_t size, const text *folder) {
    static const char key[] = ", fmu: \"";
    const char *path = strstr(line, key);
    size_t before = path != NULL && path < line + size ? (size_t)(path - line) + sizeof key - 1 : size;
    text_append_n(t, line, before);
    if (before < size && line[before] != '/') text_append_n(t, folder->data + 1, folder->size - 2);
    text_append_n(t, line + before, size - before);
}

/* A parameter, "  NAME: NUMBER" or "  NAME: {value: NUMBER, unit: UNIT}", with its present value. */
static void append_parameter(text *t, const char *line, size_t size, double value) {
    static const char key[] = "{value: ";
    char shown[NUMBER_SHOWN_MAX];
    size_t number = strcspn(line, ":") + 2, end;
    if (begins(line + number, key)) number += sizeof key - 1;
    end = number + strcspn(line + number, ",\n");
    text_append_n(t, line, number);
    text_append(t, number_shortest(value, shown));
    text_append_n(t, line + end, size - end);
}

static void append_model(text *t, const char *source, const cli_network *network, const text *folder) {
    bool parameters = false, subsystems = false;
    int count = 0;
    for (const char *line = source; *line != '\0';) {
        size_t size = strcspn(line, "\n");
        size += line[size] == '\n';
        if (line[0] != ' ') {
            parameters = begins(line, "parameters:");
            subsystems = begins(line, "subsystems:");
        }
        if (line[0] == ' ' && subsystems)
            append_subsystem(t, line, size, folder);
        else if (line[0] == ' ' && parameters && count < network->model->parameter_count)
            append_parameter(t, line, size, costab_model_instance_value(network->instance, count++));
        else
            text_append_n(t, line, size);
        line += size;
    }
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

static costab_status write_out(const text *model, const cli_arguments *arguments, costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_MODEL];
    const file_terms terms = {.force = arguments->force};
    text_local marked = {0};
    if (model->failed) return error_memory(error);
    if (output == NULL) {
        cli_print(stdout, "%s", model->data);
        return cli_flush(error);
    }
    file_mark(&marked, "model", model);
    if (marked.failed) return error_memory(error);
    TRY(file_write(output, &terms, marked.data, marked.size, error));
    cli_tell_file(output, arguments);
    return COSTAB_OK;
}

costab_status cli_import(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    text_local folder = {0};
    text_local quoted = {0};
    text_local model = {0};
    ends_by(costab_spec_free_text) char *source = NULL;
    if (!costab_ssp_is(arguments->operands[0]))
        return error_invalid(error, "'%s' is none of .fmu, .ssp, .ssd and .xml (OspSystemStructure)",
                             arguments->operands[0]);
    TRY(costab_spec_whole(network->spec, &source, error));
    TRY(find_folder(arguments->operands[0], &folder, error));
    escape(&quoted, ESCAPE_YAML, folder.data);
    if (quoted.failed) return error_memory(error);
    append_model(&model, source, network, &quoted);
    return write_out(&model, arguments, error);
}
