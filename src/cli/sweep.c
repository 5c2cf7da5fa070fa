/* costab sweep: spec to results file; a planar system's or a network's. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/model.h"
#include "costab/spec.h"
#include "spec/yaml.h"

#define PLANAR_REFERENCE                                                                                     \
    "T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, Applied Mathematics and "    \
    "Computation, 2014"

/* Bytes of all fields before compression. */
static double raw_bytes(const costab_plan *plan) {
    double sum = 0;
    for (int f = 0; f < plan->field_count; f++) {
        double bytes = (double)costab_type_size(plan->fields[f].type);
        for (int r = 0; r < plan->fields[f].rank; r++)
            bytes *= (double)plan->axes[plan->fields[f].axes[r]].count;
        sum += bytes;
    }
    return sum;
}

static costab_status describe(const char *output, const costab_plan *plan, size_t tiles, size_t points,
                              costab_error *error) {
    printf("output  %s\npoints  %zu (", output, points);
    for (int k = 0; k < plan->swept; k++)
        printf("%s%zu %s", k > 0 ? " x " : "", plan->axes[k].count, plan->axes[k].name);
    printf(")\nfields ");
    for (int f = 0; f < plan->field_count; f++) printf(" %s", plan->fields[f].name);
    printf("\nbytes   %.0f before compression\ntiles   %zu\n", raw_bytes(plan), tiles);
    return cli_flush(error);
}

/* What was read: a spec of the planar system or a model, and its study. */
typedef struct sweep_input {
    costab_sweep_spec *spec;
    costab_model *model;
    costab_study *study;
    text text;   /* of the file */
    char *whole; /* of a model, with all files that it names */
} sweep_input;

static costab_status run_into_file(const sweep_input *input, const char *path, const char *output,
                                   int threads, bool quiet, costab_error *error) {
    costab_store_info info = {.title = input->model != NULL ? input->model->title : input->spec->title,
                              .references = input->model != NULL ? NULL : PLANAR_REFERENCE,
                              .spec_path = path_name(path),
                              .spec_text = input->whole != NULL ? input->whole : input->text.data};
    return cli_write_results(input->study, &info, output, threads, quiet, error);
}

/* A model's warnings are said once. What is stored needs no other file. */
static costab_status read_network(const char *path, sweep_input *input, costab_error *error) {
    costab_status status = costab_model_parse(path, input->text.data, input->text.size, &input->model, error);
    if (status == COSTAB_OK && input->model->warnings[0] != '\0')
        fprintf(stderr, "%s\n", input->model->warnings);
    if (status == COSTAB_OK) status = costab_model_whole(input->model, &input->whole, error);
    return status == COSTAB_OK ? costab_study_create_network(input->model, &input->study, error) : status;
}

static costab_status read_input(const char *path, sweep_input *input, costab_error *error) {
    costab_status status = text_read_file(path, SPEC_SIZE_MAX, &input->text, error);
    if (status == COSTAB_IO)
        return COSTAB_INVALID; /* an input file that is not there is the caller's mistake */
    if (status != COSTAB_OK) return status;
    const text *content = &input->text;
    bool network;
    status = costab_model_is_network(content->data, content->size, &network, error);
    if (status != COSTAB_OK) return status;
    if (network) return read_network(path, input, error);
    status = costab_sweep_spec_parse(path, content->data, content->size, &input->spec, error);
    return status == COSTAB_OK ? costab_study_create(input->spec, &input->study, error) : status;
}

static void free_input(sweep_input *input) {
    costab_study_destroy(&input->study);
    costab_sweep_spec_destroy(&input->spec);
    costab_model_destroy(&input->model);
    costab_model_free_text(&input->whole);
    text_free(&input->text);
}

/* Points that could not be analysed are no failure of the run, but nobody should overlook them. */
static void tell_failures(const char *path, const costab_study *study, size_t points) {
    costab_error first;
    size_t failures = costab_study_failures(study, &first);
    if (failures > 0)
        fprintf(stderr,
                "%s: warning: %zu of %zu points cannot be analysed (class failed); the first one: %s\n", path,
                failures, points, first.message);
}

static costab_status sweep_one(const char *path, const char *output, int threads, bool dry, bool quiet,
                               costab_error *error) {
    sweep_input input = {.spec = NULL};
    size_t tiles = 0, points = 0;
    if (path_same(path, output))
        return error_set(error, COSTAB_INVALID, "--output: '%s' is the spec itself", output);
    costab_status status = read_input(path, &input, error);
    if (status == COSTAB_OK)
        status = costab_plan_size(costab_study_plan(input.study), &tiles, &points, error);
    if (status == COSTAB_OK && dry) {
        status = describe(output, costab_study_plan(input.study), tiles, points, error);
    } else if (status == COSTAB_OK) {
        status = run_into_file(&input, path, output, threads, quiet, error);
        if (status == COSTAB_OK) tell_failures(path, input.study, points);
    }
    free_input(&input);
    return status;
}

costab_status cli_sweep(const cli_arguments *arguments, costab_error *error) {
    long threads;
    const char *output = arguments->values[OPTION_OUTPUT];
    bool many = arguments->operand_count > 1;
    costab_status status = cli_whole(arguments, OPTION_THREADS, 1, 4096, 0, &threads, error);
    if (status == COSTAB_OK && many && output != NULL && !path_is_folder(output))
        status = error_set(error, COSTAB_INVALID,
                           "--output: several specs need a folder that exists, not '%s'", output);
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    if (status == COSTAB_OK && clash != NULL)
        status = error_set(error, COSTAB_INVALID,
                           "%s: an earlier spec has the same name; its results would be replaced", clash);
    for (int k = 0; k < arguments->operand_count && status == COSTAB_OK; k++) {
        text target = {0};
        path_output(&target, output, arguments->operands[k], ".h5");
        status = target.failed ? error_memory(error)
                               : sweep_one(arguments->operands[k], target.data, (int)threads,
                                           arguments->values[OPTION_DRY_RUN] != NULL,
                                           arguments->values[OPTION_QUIET] != NULL, error);
        text_free(&target);
    }
    return status;
}
