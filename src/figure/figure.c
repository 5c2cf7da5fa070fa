/* Figures from a results file:
 *   1. The stored request, with the caller's choices, is compared with the fields and axes of the file
 * (request.c).
 *   2. Each kind of figure builds its panels as a scene (scene.h). The user's own points and lines are added
 * to all panels (own.h).
 *   3. The scene gets sizes on paper (paper.c) and is written as a gnuplot script and its data (script.c,
 * blocks.c).
 *   4. gnuplot draws them (gnuplot.c). Without gnuplot, script and data are written all the same.
 *
 * Files that a user wrote or edited are not replaced, unless the caller allows it (files.c). This is checked
 * before anything is drawn. */
#include "costab/figure.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "figure/figure.h"
#include "figure/files.h"
#include "figure/gnuplot.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/own.h"
#include "figure/script.h"
#include "store/store.h"

#define PANELS_DEFAULT 16 /* most panels of a figure without a stored request */

static bool has_label(const costab_axis *axis, const char *word) {
    for (size_t i = 0; axis->labels && i < axis->count; i++)
        if (strcmp(axis->labels[i], word) == 0) return true;
    return false;
}

/* ---- The stored request. Choices of the sweep have a place (line > 0); the caller's have none and are kept. */

/* Drops selections of axes and couplings that these results do not have. */
static void drop_selection(costab_figure *figure, const costab_plan *plan) {
    int picks = 0, couplings = 0;
    for (int k = 0; k < figure->pick_count; k++)
        if (figure->picks[k].axis.place.line == 0 || costab_plan_axis(plan, figure->picks[k].axis.word) >= 0)
            figure->picks[picks++] = figure->picks[k];
    for (int k = 0; k < figure->coupling_count; k++)
        if (figure->couplings[k].place.line == 0 ||
            (plan->axis_count > 0 && has_label(&plan->axes[0], figure->couplings[k].word)))
            figure->couplings[couplings++] = figure->couplings[k];
    figure->pick_count = picks;
    figure->coupling_count = couplings;
}

/* Drops choices of the spec's figure that do not suit the kind that the caller requested, or these results,
 * such as those of `simulate -o` with the spec of a sweep. */
static void drop_choices(costab_figure *figure, const costab_plan *plan) {
    costab_figure_word *words[] = {&figure->of, &figure->panels, &figure->x_axis, &figure->y_axis};
    costab_figure_range *ranges[] = {&figure->x, &figure->y};
    bool from_spec = figure->kind_count > 0 && figure->kinds[0].place.line > 0;
    drop_selection(figure, plan);
    if (from_spec ? figure_kinds_fit(figure, plan) : figure->kind_count == 0) return;
    if (from_spec) figure->kind_count = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k]->place.line > 0) words[k]->word[0] = '\0';
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (ranges[k]->place.line > 0) ranges[k]->from = ranges[k]->to = 0;
}

/* ---- The scene */

/* Adds a note if the numbers of an axis are in a displayed unit such as ms, which stands in parentheses at
 * the end of the usual label, and the user's label does not contain this unit. */
static void remark_on_unit(scene *s, const scene_axis *axis, const char *side, const char *own) {
    text_local usual = {0}, words = {0};
    if (!(axis->scale > 0 && axis->scale != 1) || axis->label == NULL) return;
    names_strip(&usual, axis->label);
    char *unit = usual.failed ? NULL : strrchr(usual.data, '(');
    if (unit == NULL || unit[strcspn(unit, ")")] == '\0') return;
    *strchr(unit++, ')') = '\0';
    if (strstr(own, unit) != NULL) return;
    text_printf(&words, "The %s axis is in %s, which its label '%s' does not say.", side, unit, own);
    if (!words.failed) scene_note(s, words.data);
}

/* Replaces the labels of the axes by the user's. */
static void put_labels(const costab_figure *figure, scene *s) {
    for (int i = 0; i < s->panel_count; i++)
        for (int k = 0; k < 2; k++) {
            const char *label = k == 0 ? figure->x_label : figure->y_label;
            text plain = {0};
            if (!label) continue;
            names_words(&plain, label);
            remark_on_unit(s, k == 0 ? &s->panels[i]->x : &s->panels[i]->y,
                           k == 0 ? "horizontal" : "vertical", label);
            *(k == 0 ? &s->panels[i]->x.label : &s->panels[i]->y.label) = scene_keep_text(s, &plain);
        }
}

/* Replaces legends that are names of schemes by the figure's words for them. */
static void name_legends(const figure_request *request, scene *s) {
    for (int k = 0; k < s->style_count; k++) {
        text shown = {0};
        if (!s->styles[k].legend) continue;
        for (int i = 0; i < request->figure->name_count; i++)
            if (strcmp(s->styles[k].legend, request->figure->names[i].name) == 0 && shown.size == 0)
                figure_name(request, request->figure->names[i].name, &shown);
        if (shown.size > 0) s->styles[k].legend = scene_keep_text(s, &shown);
    }
}

static costab_status build_kind(const figure_request *r, scene *s, const figure_kind *kind,
                                costab_error *error) {
    size_t at[COSTAB_AXES_MAX];
    if (kind->build) return kind->build(r, s, error);
    figure_first_panel(r, at);
    do TRY(kind->panel(r, figure_panel(r, s, kind, at), at, error));
    while (figure_next_panel(r, figure_panel_axes(r, kind), at));
    return COSTAB_OK;
}

/* Reduces the panels of a figure that nobody requested: only the first value of the longest axes is drawn. */
static void choose_few(figure_request *r, scene *s) {
    for (;;) {
        const unsigned panel_axes = figure_panel_axes(r, r->kinds[0]);
        size_t panels = 1, values = 1; /* values: of the longest axis */
        int longest = 0;
        char words[200];
        for (int i = 0; i < r->plan->swept; i++) {
            if ((panel_axes >> i & 1U) == 0) continue;
            panels *= figure_drawn(r, i);
            if (figure_drawn(r, i) > values) longest = i;
            if (figure_drawn(r, i) > values) values = figure_drawn(r, i);
        }
        if (panels <= PANELS_DEFAULT || values == 1) return;
        r->picked_count[longest] = 1;
        r->picked[longest][0] = 0;
        (void)text_format(words, sizeof words,
                          "Of %s the first of %zu values is drawn; --select %s=VALUE draws another.",
                          r->plan->axes[longest].name, values, r->plan->axes[longest].name);
        scene_note(s, words);
    }
}

static costab_status build_scene(const costab_results *results, const store_request *stored, scene *s,
                                 costab_error *error) {
    const char *path = costab_results_spec_path(results);
    const costab_figure *figure = &stored->figure;
    figure_request request;
    text title = {0};
    TRY(figure_request_make(figure, costab_results_plan(results), path, &request, error));
    if (request.kind_count == 0)
        return error_invalid(
            error,
            "%s: no kind of figure suits the results and what is selected of them: over one axis a curve "
            "needs a field with numbers, such as spectral_radius; over two axes classes are drawn",
            path);
    request.results = results;
    request.stored = stored;
    text kinds = {0};
    for (int k = 0; k < request.kind_count; k++)
        text_printf(&kinds, "%s%s", k > 0 ? ", " : "", request.kinds[k]->name);
    s->kinds = scene_keep_text(s, &kinds);
    const bool without_request = costab_results_figure(results)[0] == '\0';
    if (without_request) choose_few(&request, s);
    if (without_request)
        scene_note(s, "The file does not say what its figure shows, as those of costab 0.1.0: kind and names "
                      "are the default ones. Sweep again for those of the spec.");
    for (int k = 0; k < request.kind_count; k++) {
        TRY(build_kind(&request, s, request.kinds[k], error));
        if ((request.kinds[k] == &kind_classes || request.kinds[k] == &kind_comparison) &&
            figure_is_planar(&request))
            scene_note(s, "The boundaries are as exact as the grid: the file has no outlines of the stable "
                          "sets. Sweeps store them for up to 64 pairs of scheme and a, unless gamma "
                          "and delta span too wide a range.");
    }
    name_legends(&request, s);
    TRY(own_draw(figure, s, error));
    scene_put_remarks(s);
    put_labels(figure, s);
    scene_rescale(s);
    names_words(&title, figure->style.title ? figure->style.title : costab_results_title(results));
    s->title = scene_keep_text(s, &title);
    TRY(scene_status(s, path, error));
    if (figure->style.notes && s->notes.size > 0) {
        text caption = {0};
        names_plain(&caption, s->notes.data);
        s->caption = scene_keep_text(s, &caption);
    }
    return s->panel_count == 0 ? error_invalid(error, "%s: the results have nothing to draw", path)
                               : COSTAB_OK;
}

costab_status figure_make(const costab_results *results, store_request *request, const char *name,
                          text *script, text *data, char notes[FIGURE_NOTES_MAX], costab_error *error) {
    const figure_names names = {name, costab_results_source(results)};
    const costab_style *style = &request->figure.style;
    ends_by(scene_free) scene s = {0};
    ends_by(paper_free) paper p = {0};
    notes[0] = '\0';
    drop_choices(&request->figure, costab_results_plan(results));
    TRY(build_scene(results, request, &s, error));
    TRY(paper_make(&s, style, costab_results_spec_path(results), &p, error));
    TRY(script_write(&s, &p, style, &names, script, data, error));
    if (s.notes.data) (void)text_format(notes, FIGURE_NOTES_MAX, "%s", s.notes.data);
    return COSTAB_OK;
}

/* ---- Files */

static costab_status check_formats(const char *list, costab_error *error) {
    while (list) {
        const char *name = list;
        if (gnuplot_next_format(&list) >= 0) continue;
        const char *names[16];
        char all[200];
        size_t count = 0;
        for (; count < 16 && costab_format_name((int)count); count++)
            names[count] = costab_format_name((int)count);
        return error_invalid(error, "the format '%.*s' is not %s", (int)strcspn(name, ","), name,
                             spelling_list(names, count, sizeof *names, " or ", all, sizeof all));
    }
    return COSTAB_OK;
}

static costab_status draw_formats(const char *program, const costab_plot_options *options, const char *list,
                                  costab_error *error) {
    while (list) TRY(gnuplot_draw(program, options, gnuplot_next_format(&list), error));
    return COSTAB_OK;
}

costab_status figure_plot(const costab_results *results, store_request *request,
                          const costab_plot_options *options, costab_plot_outcome *outcome,
                          costab_error *error) {
    const char *formats = options->script_only ? NULL : options->formats ? options->formats : "pdf";
    text_local script = {0}, data = {0};
    memory_local char *program = NULL;
    *outcome = (costab_plot_outcome){0};
    TRY(check_formats(options->formats, error));
    if (formats) TRY(gnuplot_find(&program, error));
    outcome->gnuplot_missing = formats && !program;
    if (!program) formats = NULL;
    TRY(files_check(options, formats, error));
    TRY(figure_make(results, request, options->name, &script, &data, outcome->notes, error));
    TRY(files_replaced(options, &script, outcome->replaced, error));
    TRY(files_write(options, formats, &script, &data, error));
    return draw_formats(program, options, formats, error);
}
