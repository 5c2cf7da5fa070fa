/* Figures of network sweeps: what the panels are, and the legend. */
#include "plot/network.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/markup.h"
#include "plot/network_time.h"

/* ---- Panels */

static costab_status add_panel(network_figure *f, network_kind kind, int coupling, costab_error *error) {
    if (f->panel_count == NETWORK_PANELS_MAX)
        return error_set(error, COSTAB_INVALID,
                         "%s: the figure would have more than %d panels; give fewer couplings or kinds",
                         f->spec->path, NETWORK_PANELS_MAX);
    network_panel *panel = &f->panels[f->panel_count++];
    panel->kind = kind;
    panel->coupling = coupling;
    return COSTAB_OK;
}

static void write_caption(const network_figure *f, int i, bool tex, text *caption) {
    const network_panel *p = &f->panels[i];
    bool many = p->coupling >= 0 && f->coupling_count > 1, kinds = f->kind_count > 1;
    text_append(caption, "");
    if (f->panel_count > 1) text_printf(caption, i < 26 ? "(%c) " : "(a%c) ", 'a' + i % 26);
    if (many) (tex ? markup_tex : markup_enhanced)(caption, f->couplings[p->coupling]);
    if (kinds)
        text_printf(caption, "%s%s", many ? ", " : "",
                    p->kind == NETWORK_CLASSES ? "classes"
                    : tex                      ? network_drawn(f)->symbol_tex
                                               : network_drawn(f)->symbol);
}

int network_caption_length(const network_figure *f, int i) {
    const network_panel *p = &f->panels[i];
    size_t length = f->panel_count > 1 ? 4 : 0;
    if (p->coupling >= 0 && f->coupling_count > 1) length += strlen(f->couplings[p->coupling]);
    if (f->kind_count > 1) length += p->kind == NETWORK_CLASSES ? 9 : 3;
    return (int)length;
}

static costab_status arrange(network_figure *f, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int k = 0; k < f->kind_count && !status; k++) {
        bool curve = f->kinds[k] == NETWORK_CURVE;
        for (int c = 0; c < (curve ? 1 : f->coupling_count) && !status; c++)
            if (curve || network_has_values(f, c, f->kinds[k]))
                status = add_panel(f, f->kinds[k], curve ? -1 : c, error);
    }
    for (int i = 0; i < f->panel_count && !status; i++) {
        network_panel *p = &f->panels[i];
        write_caption(f, i, false, &p->caption);
        write_caption(f, i, true, &p->caption_tex);
        if (p->caption.failed || p->caption_tex.failed) status = error_memory(error);
    }
    return status;
}

/* ---- Legend */

static costab_status add_entry(network_figure *f, const char *key, network_sample sample, const char *plain,
                               costab_error *error) {
    network_entry *entries = memory_resize(f->entries, (size_t)f->entry_count + 1, sizeof *entries);
    if (!entries) return error_memory(error);
    f->entries = entries;
    network_entry *e = &entries[f->entry_count++];
    text shown = {0}, tex = {0};
    *e = (network_entry){.sample = sample};
    snprintf(e->key, sizeof e->key, "%s", key);
    text_append(&shown, "");
    text_append(&tex, "");
    markup_enhanced(&shown, plain);
    markup_tex(&tex, plain);
    e->shown = shown.data;
    e->shown_tex = tex.data;
    return shown.failed || tex.failed ? error_memory(error) : COSTAB_OK;
}

static void free_entries(network_figure *f) {
    for (int i = 0; i < f->entry_count; i++) {
        memory_free(f->entries[i].shown);
        memory_free(f->entries[i].shown_tex);
    }
    memory_free(f->entries);
    f->entries = NULL;
    f->entry_count = 0;
}

static bool is_drawn(const network_figure *f, network_kind kind) {
    for (int k = 0; k < f->kind_count; k++)
        if (f->kinds[k] == kind) return true;
    return false;
}

static costab_status explain(network_figure *f, costab_error *error) {
    static const struct {
        int code;
        const char *key, *words;
    } classes[] = {{3, "ss", "SS: both stable"},
                   {1, "us", "US: simulation only"},
                   {2, "su", "SU: system only"},
                   {0, "uu", "UU: neither"}};
    costab_status status = COSTAB_OK;
    bool failed = false;
    free_entries(f);
    for (int c = 0; c < f->coupling_count && is_drawn(f, NETWORK_CURVE) && !status; c++) {
        char key[16];
        if (!network_has_values(f, c, NETWORK_CURVE)) continue;
        snprintf(key, sizeof key, "c%d", c + 1);
        status = add_entry(f, key, NETWORK_LINE, f->couplings[c], error);
    }
    bool bound = f->grids && f->grids[0].bound;
    if (bound && !status) status = add_entry(f, "bound", NETWORK_LINE, "bound, [MS] (30)", error);
    for (int k = 0; k < 4 && !status; k++)
        if (f->classes_used[classes[k].code])
            status = add_entry(f, classes[k].key, NETWORK_AREA, classes[k].words, error);
    for (int i = 0; i < f->panel_count; i++)
        if (f->panels[i].fills.size > 0 && strstr(f->panels[i].fills.data, "failed")) failed = true;
    if (!status && failed) status = add_entry(f, "failed", NETWORK_AREA, "no result", error);
    return status;
}

/* ---- The figure */

static void figure_end(network_figure *f) {
    for (int c = 0; c < f->coupling_count && f->grids; c++) {
        network_grid *g = &f->grids[c];
        memory_free(g->codes);
        double *owned[] = {
            g->abscissa,        g->radius.values,   g->radius.one_x, g->radius.one_y, g->iteration.values,
            g->iteration.one_x, g->iteration.one_y, g->drawn,        g->bound};
        for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) memory_free(owned[k]);
    }
    memory_free(f->grids);
    for (int c = 0; c < f->coupling_count && f->labels; c++) text_free(&f->labels[c]);
    memory_free(f->labels);
    memory_free(f->label_words);
    memory_free(f->x.places);
    memory_free(f->y.places);
    for (int i = 0; i <= NETWORK_PANELS_MAX; i++) {
        network_panel *p = &f->panels[i];
        text *texts[] = {&p->caption, &p->caption_tex, &p->fills, &p->hatches,
                         &p->curves,  &p->points,      &p->labels};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) text_free(texts[k]);
    }
    free_entries(f);
    for (int k = 0; k < 2; k++) text_free(&f->ticks[k]);
    text_free(&f->data);
}

/* The request's kinds and field. */
static costab_status take_request(network_figure *f, const figure_request *request, costab_error *error) {
    if (request->kind_count == 0)
        return error_set(error, COSTAB_INVALID,
                         "%s: the sweep asks for no figure; add a `figure` key to the model and run it again",
                         f->spec->path);
    static const char *const names[] = {"classes", "contour", "curve"};
    f->kind_count = request->kind_count;
    for (int k = 0; k < f->kind_count; k++)
        while (strcmp(names[f->kinds[k]], request->kinds[k]->name) != 0) f->kinds[k]++;
    while (strcmp(costab_network_field_name(f->of), request->of) != 0) f->of++;
    return COSTAB_OK;
}

static costab_status make(network_figure *f, const figure_request *request, text *script, text *data,
                          costab_error *error) {
    costab_status status = take_request(f, request, error);
    if (!status) status = network_read(f, error);
    if (!status && is_drawn(f, NETWORK_CONTOUR)) status = network_choose_levels(f, error);
    if (!status) status = arrange(f, error);
    /* What is there to be explained decides the legend's size, and that the panels'. */
    if (!status) status = explain(f, error);
    if (!status) status = network_lay_out(f, error);
    if (!status) status = network_draw(f, error);
    if (!status) status = explain(f, error);
    if (!status) status = network_lay_out(f, error);
    if (!status) status = network_draw(f, error);
    if (status) return status;
    network_script(f, script);
    *data = f->data;
    f->data = (text){0};
    return script->failed ? error_memory(error) : COSTAB_OK;
}

costab_status network_figure_make(const costab_results *results, const costab_spec *spec, const char *name,
                                  text *script, text *data, costab_error *error) {
    figure_request request;
    costab_status status =
        figure_request_make(&spec->figure, costab_results_plan(results), spec->path, &request, error);
    if (status) return status;
    if (figure_request_has(&request, "time"))
        return network_time_make(results, spec, name, script, data, error);
    network_figure *f = memory_alloc(1, sizeof *f);
    if (!f) return error_memory(error);
    f->results = results;
    f->spec = spec;
    f->name = name;
    status = make(f, &request, script, data, error);
    figure_end(f);
    memory_free(f);
    return status;
}
