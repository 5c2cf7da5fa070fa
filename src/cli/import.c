/* costab import: writes an FMU or a system of FMUs as a model file. The system becomes the document of a
 * model and is checked like every model, without running an FMU. Two things change in the written document:
 * paths of FMUs start with the system's folder, and parameters have the values of --set. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/results.h"
#include "cli/table.h"
#include "costab/fmu.h"
#include "spec/sections.h"

static const cli_takes unit_files = {.kind = CLI_FILE, .words = ".fmu .ssp .ssd .xml"};
static CLI_OPTION(opt_output_model, "output", 'o', "FILE", &cli_yaml_files,
                  "the model file to be written (default: the standard output)", .output = CLI_OUTPUT_TEXT);

static const spec_node *find(const spec_file *file, const char *key) {
    return spec_find(file, spec_root(file), key);
}

/* Puts a folder before the relative paths of FMUs. */
static void add_folder(spec_file *file, const text *folder) {
    SPEC_EACH(subsystem, file, find(file, "subsystems")) {
        const spec_node *path = spec_find(file, subsystem, "fmu");
        text_local whole = {0};
        if (path->size > 0 && spec_text(file, path)[0] == '/') continue;
        text_append_text(&whole, folder);
        text_append_n(&whole, spec_text(file, path), path->size);
        spec_change(file, path, whole.failed ? "" : whole.data);
        file->memory_failed = file->memory_failed || whole.failed;
    }
}

/* Writes the present values of the parameters into the document. */
static void set_parameters(spec_file *file, const cli_network *network) {
    int i = 0;
    SPEC_EACH_KEY(name, file, find(file, "parameters")) {
        const spec_node *given = spec_next(file, name), *value = spec_find(file, given, "value");
        char shown[NUMBER_SHOWN_MAX];
        number_shortest(costab_model_instance_value(network->instance, i++), shown);
        spec_change(file, value != NULL ? value : given, shown);
    }
}

/* Finds the folder of the system as an absolute path with a final slash, for a file written elsewhere. */
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
    const char *output = cli_value(arguments, &opt_output_model);
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

static costab_status cli_import(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    text_local folder = {0};
    text_local model = {0};
    spec_file *document = &network->spec->documents->own;
    if (!costab_ssp_is(arguments->operands[0]))
        return error_invalid(error, "'%s' is none of .fmu, .ssp, .ssd and .xml (OspSystemStructure)",
                             arguments->operands[0]);
    TRY(find_folder(arguments->operands[0], &folder, error));
    add_folder(document, &folder);
    set_parameters(document, network);
    if (document->memory_failed) return error_memory(error);
    spec_write(document, &model);
    return write_out(&model, arguments, error);
}

static const cli_operands units = {"FMU|SSP", 1, 1, &unit_files};

const cli_command cli_import_command = {
    .name = "import",
    .operands = &units,
    .summary = "an FMU or a system of FMUs as a model file",
    .details =
        "Writes a model file to be edited, with an entry `fmu:` for each FMU, whose parameters become the "
        "model's. The coupling is jacobi, with the macro step H. No FMU is run.",
    .examples = "costab import plant.fmu\n"
                "costab import system.ssp -o model.yaml --set H=0.01",
    .options = {&opt_output_model, &opt_force, &opt_set, &opt_no_fmu, CLI_COMMON},
    .with_model = cli_import,
    .time_varying = true,
    .reads = true};
