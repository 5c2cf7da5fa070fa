/* Stores the description of a figure in a results file, and draws it with the caller's options.
 *   1. A results file stores the key `figure` of its spec, the labels and units of parameters, signals and
 *      axes, and facts about histories (store/request.h).
 *   2. costab_plot reads them and applies the caller's keys. The module figure draws the result. The spec in
 *      the file is not read. */
#include "base/error.h"
#include "base/style.h"
#include "costab/figure.h"
#include "figure/figure.h"
#include "model/body.h"
#include "store/request.h"
#include "store/store.h"
#include "study/study.h"

#define TEXT_MOST ((size_t)1 << 20) /* largest attribute that store/hdf5.c reads (TEXT_MAX) */

static void free_words(store_request *request) {
    request->figure = (costab_figure){.kind_count = 0}; /* it is borrowed from the spec */
    store_request_free(request);
}

/* Adds the states and outputs of discrete-time subsystems. Returns false after an allocation failure. */
static bool add_held(store_request *request, const costab_model *model) {
    bool added = true;
    for (int k = 0; k < model->body->subsystem_count; k++) {
        const model_subsystem *s = &model->body->subsystems[k];
        for (int i = 0; i < s->states + s->outputs && s->discrete && added; i++) {
            text_local name = {0};
            text_printf(&name, "%s.%s", s->name,
                        i < s->states ? s->state_names[i] : s->output_names[i - s->states]);
            added = !name.failed && store_request_add_held(request, name.data);
        }
    }
    return added;
}

costab_status study_figure_text(const costab_spec *spec, text *written, costab_error *error) {
    ends_by(free_words) store_request request = {.figure = spec->figure};
    bool added = true;
    for (int k = 0; spec->model != NULL && k < spec->model->words_count; k++) {
        const costab_model_words *words = &spec->model->words[k];
        added = added && store_request_add_word(
                             &request, false,
                             (const char *const[]){words->name, words->label, words->unit, words->display});
    }
    for (int k = 0; k < spec->axis_count; k++)
        if (spec->words[k].label != NULL || spec->words[k].unit != NULL)
            added = added && store_request_add_word(
                                 &request, true,
                                 (const char *const[]){spec->axes[k].name, spec->words[k].label,
                                                       spec->words[k].unit, spec->words[k].display});
    if (spec->model != NULL) {
        request.until = spec->model->history.until;
        request.signals_named = spec->model->history.signal_count > 0;
        added = added && add_held(&request, spec->model);
    }
    store_request_write(&request, written);
    if (!added || written->failed) return error_memory(error);
    return written->size <= TEXT_MOST
               ? COSTAB_OK
               : error_invalid(
                     error,
                     "%s: figure: its points and lines, and the labels and units, may have 1 MiB together",
                     spec->path);
}

costab_status costab_plot(const costab_results *results, const costab_plot_options *options,
                          costab_plot_outcome *outcome, costab_error *error) {
    ends_by(store_request_free) store_request request = {.until = 0};
    const char *written = costab_results_figure(results);
    *outcome = (costab_plot_outcome){0};
    if (written[0] != '\0')
        TRY(store_request_read(written, costab_results_spec_path(results), &request, error));
    TRY(costab_figure_choose(&request.figure, options->choices, options->choice_count, error));
    return figure_plot(results, &request, options, outcome, error);
}
