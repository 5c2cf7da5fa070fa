/* Figures: from the spec stored in a results file to script, data and the drawn figure. */
#include "costab/plot.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "plot/figure.h"
#include "plot/gnuplot.h"
#include "plot/network.h"

static costab_status write_beside(const costab_plot_options *options, const char *ending, const text *content,
                                  costab_error *error) {
    text path = {0};
    text_printf(&path, "%s/%s%s", options->folder, options->name, ending);
    costab_status status = path.failed ? error_memory(error)
                                       : file_write(path.data, &(file_terms){.force = true}, content->data,
                                                    content->size, error);
    text_free(&path);
    return status;
}

static costab_status make_files(figure *f, const costab_plot_options *options, costab_error *error) {
    text script = {0};
    costab_status status = figure_arrange(f, error);
    /* What is there to be explained decides the legend's size, and that the panels'. */
    if (!status) status = figure_lay_out(f, error);
    if (!status) status = figure_draw(f, error);
    if (!status) status = figure_lay_out(f, error);
    if (!status) status = figure_draw(f, error);
    if (!status) status = figure_script(f, &script, error);
    if (!status) status = write_beside(options, ".dat", &f->data, error);
    if (!status) status = write_beside(options, ".gp", &script, error);
    text_free(&script);
    return status;
}

static costab_status draw_formats(const costab_plot_options *options, costab_plot_outcome *outcome,
                                  costab_error *error) {
    static const struct {
        unsigned flag;
        const char *name;
    } formats[] = {{COSTAB_FORMAT_PDF, "pdf"},
                   {COSTAB_FORMAT_PNG, "png"},
                   {COSTAB_FORMAT_SVG, "svg"},
                   {COSTAB_FORMAT_TEX, "tex"}};
    char *program = NULL;
    costab_status status = gnuplot_find(&program, error);
    outcome->gnuplot_missing = !status && !program;
    for (size_t k = 0; k < sizeof formats / sizeof formats[0] && program && !status; k++)
        if (options->formats & formats[k].flag)
            status = gnuplot_draw(program, options->folder, options->name, formats[k].name, error);
    memory_free(program);
    return status;
}

static costab_status make_planar(const costab_results *results, const costab_spec *spec,
                                 const costab_plot_options *options, costab_error *error) {
    figure f = {
        .spec = spec, .results = results, .name = options->name, .source = costab_results_source(results)};
    costab_status status =
        figure_request_make(&spec->figure, costab_results_plan(results), spec->path, &f.wanted, error);
    if (!status) status = make_files(&f, options, error);
    figure_free(&f);
    return status;
}

static costab_status make_network(const costab_results *results, const costab_spec *spec,
                                  const costab_plot_options *options, costab_error *error) {
    text script = {0}, data = {0};
    costab_status status = network_figure_make(results, spec, options->name, &script, &data, error);
    if (!status) status = write_beside(options, ".dat", &data, error);
    if (!status) status = write_beside(options, ".gp", &script, error);
    text_free(&script);
    text_free(&data);
    return status;
}

costab_status costab_plot(const costab_results *results, const costab_plot_options *options,
                          costab_plot_outcome *outcome, costab_error *error) {
    const char *bytes = costab_results_spec_text(results);
    costab_spec *spec = NULL;
    *outcome = (costab_plot_outcome){0};
    costab_status status =
        costab_spec_parse(costab_results_spec_path(results), bytes, strlen(bytes), &spec, error);
    if (!status && options->figure) status = costab_figure_overlay(&spec->figure, options->figure, error);
    if (!status)
        status = spec->system == COSTAB_SYSTEM_NETWORK ? make_network(results, spec, options, error)
                                                       : make_planar(results, spec, options, error);
    costab_spec_destroy(&spec);
    if (!status && !options->script_only) status = draw_formats(options, outcome, error);
    return status;
}
