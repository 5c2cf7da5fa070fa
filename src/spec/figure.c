/* The figure: what the file says, and what follows from the rest of the spec. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/look.h"
#include "spec/parts.h"

static const char *const kind_names[COSTAB_FIGURE_KIND_COUNT] = {
    [COSTAB_FIGURE_JURY] = "jury",       [COSTAB_FIGURE_REGIONS] = "regions",
    [COSTAB_FIGURE_CLASSES] = "classes", [COSTAB_FIGURE_COMPARISON] = "comparison",
    [COSTAB_FIGURE_AREAS] = "areas",     [COSTAB_FIGURE_TIME] = "time",
};

/* From COSTAB_PANELS_NONE on. */
static const char *const panel_names[] = {"none", "a", "scheme", "all"};

const char *costab_figure_kind_name(costab_figure_kind kind) {
    return (unsigned)kind < COSTAB_FIGURE_KIND_COUNT ? kind_names[kind] : NULL;
}

/* Reading */

static bool read_kind(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    size_t indices[COSTAB_FIGURE_KIND_COUNT], count;
    if (!spec_choices(file, value, "figure, kind", kind_names, COSTAB_FIGURE_KIND_COUNT, indices, &count))
        return false;
    if (count > COSTAB_KINDS_MAX) {
        spec_complain(file, value, "figure, kind: at most %d kinds go into one figure", COSTAB_KINDS_MAX);
        return false;
    }
    figure->kind_count = (int)count;
    for (size_t i = 0; i < count; i++) figure->kinds[i] = (costab_figure_kind)indices[i];
    return true;
}

static bool read_panels(spec_file *file, const spec_node *value, void *target) {
    size_t index;
    if (!spec_choice(file, value, "figure, panels", panel_names, sizeof panel_names / sizeof *panel_names,
                     &index))
        return false;
    ((costab_figure *)target)->panels = (costab_panels)(COSTAB_PANELS_NONE + (int)index);
    return true;
}

static bool read_fit(spec_file *file, const spec_node *value, void *target) {
    static const char *const answers[] = {"false", "true"};
    size_t index;
    if (!spec_choice(file, value, "figure, fit", answers, sizeof answers / sizeof *answers, &index))
        return false;
    ((costab_figure *)target)->fit = index == 1;
    return true;
}

static bool read_us(spec_file *file, const spec_node *value, void *target) {
    static const char *const answers[] = {"false", "true"};
    size_t index;
    if (!spec_choice(file, value, "figure, us", answers, sizeof answers / sizeof *answers, &index))
        return false;
    ((costab_figure *)target)->us = index == 1;
    return true;
}

static bool read_window(spec_file *file, const spec_node *node, const char *what, double *window) {
    if (!spec_list(file, node, what, 2)) return false;
    const spec_node *from = spec_first(file, node), *to = spec_next(file, from);
    double low = 0, high = 0;
    bool fine = spec_number(file, from, what, &low);
    fine = spec_number(file, to, what, &high) && fine;
    if (!fine) return false;
    if (low < high && isfinite(high - low)) {
        window[0] = low;
        window[1] = high;
        return true;
    }
    if (low < high)
        spec_complain(file, node, "%s: the window is too wide for double precision", what);
    else
        spec_complain(file, to, "%s: the window's end must be greater than its start", what);
    return false;
}

static bool read_gamma(spec_file *file, const spec_node *value, void *target) {
    return read_window(file, value, "figure, gamma", ((costab_figure *)target)->gamma);
}

static bool read_delta(spec_file *file, const spec_node *value, void *target) {
    return read_window(file, value, "figure, delta", ((costab_figure *)target)->delta);
}

#define DRAWING_KEYS                                                                                         \
    SPEC_LOOK_KEYS, {"panels", false, "panels: a", read_panels},                                             \
        {"gamma", false, "gamma: [-6, 2]", read_gamma}, {"delta", false, "delta: [-2, 14]", read_delta},     \
        {"fit", false, "fit: true", read_fit}, {                                                             \
        "us", false, "us: false", read_us                                                                    \
    }

static const spec_key figure_keys[] = {{"kind", true, "kind: regions", read_kind}, DRAWING_KEYS};
static const spec_key restyle_keys[] = {DRAWING_KEYS};

bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure) {
    return spec_read_mapping(file, node, "figure", figure_keys, sizeof figure_keys / sizeof figure_keys[0],
                             figure);
}

/* Completing */

static int count_kind(const costab_figure *figure, costab_figure_kind kind) {
    int count = 0;
    for (int i = 0; i < figure->kind_count; i++) count += figure->kinds[i] == kind;
    return count;
}

/* What decides on the panels: how many of a and of schemes there are, and whether a panel holds one scheme.
 */
typedef struct layout {
    bool several_a, several_schemes;
    bool overlaid; /* every kind draws all schemes into each panel */
    bool mixed;    /* some do, some do not */
} layout;

static costab_panels choose_panels(const layout *l) {
    bool one_scheme = l->several_schemes && !l->overlaid;
    if (l->several_a) return one_scheme ? COSTAB_PANELS_ALL : COSTAB_PANELS_A;
    return one_scheme ? COSTAB_PANELS_SCHEME : COSTAB_PANELS_NONE;
}

/* Why the panels cannot be drawn, NULL if they can. */
static const char *panels_fault(const layout *l, costab_panels panels) {
    bool one_scheme = l->several_schemes && !l->overlaid;
    if (l->mixed && l->several_schemes)
        return "a comparison has all schemes in one panel, the other kinds one scheme; make two specs of "
               "them";
    if (l->several_schemes && l->overlaid && (panels == COSTAB_PANELS_SCHEME || panels == COSTAB_PANELS_ALL))
        return l->several_a ? "a comparison has all schemes in one panel; write 'panels: a'"
                            : "a comparison has all schemes in one panel; write 'panels: none'";
    if (panels == COSTAB_PANELS_ALL) return NULL;
    if (l->several_a && one_scheme)
        return "there are several values of a and several schemes; write 'panels: all', or give one value of "
               "a "
               "or one scheme";
    if (l->several_a && panels != COSTAB_PANELS_A)
        return "there are several values of a; write 'panels: a' or give one value";
    if (one_scheme && panels != COSTAB_PANELS_SCHEME)
        return "there are several schemes; write 'panels: scheme' or give one scheme";
    return NULL;
}

/* The Jury triangle depends neither on a nor on the scheme, so that it goes with everything. */
static bool complete_panels(spec_file *file, const spec_node *node, costab_sweep_spec *spec) {
    costab_figure *figure = &spec->figure;
    int juries = count_kind(figure, COSTAB_FIGURE_JURY);
    int comparisons = count_kind(figure, COSTAB_FIGURE_COMPARISON);
    if (juries == figure->kind_count) {
        figure->panels = COSTAB_PANELS_NONE;
        return true;
    }

    layout l = {.several_a = spec->a.count > 1, .several_schemes = spec->scheme_count > 1};
    l.overlaid = comparisons + juries == figure->kind_count;
    l.mixed = comparisons > 0 && !l.overlaid;
    const spec_node *panels = spec_find(file, node, "panels");
    if (figure->panels == COSTAB_PANELS_CHOSEN) figure->panels = choose_panels(&l);
    const char *fault = panels_fault(&l, figure->panels);
    if (fault != NULL) spec_complain(file, panels != NULL ? panels : node, "figure, panels: %s", fault);
    return fault == NULL;
}

static bool complete_window(spec_file *file, const spec_node *node, const costab_axis *axis, bool needed,
                            double *window) {
    double first = axis->values[0], last = axis->values[axis->count - 1];
    bool given = window[0] < window[1];
    if (!given) {
        window[0] = first;
        window[1] = last;
    }
    if (!needed) return true;
    if (!given && axis->count == 1) {
        spec_complain(file, node,
                      "figure: the axis '%s' has a single value; give the figure a window such as "
                      "'%s: [-2, 2]', or the axis more values",
                      axis->name, axis->name);
        return false;
    }
    if (window[0] <= last && window[1] >= first) return true;
    spec_complain(file, spec_find(file, node, axis->name),
                  "figure, %s: the window lies outside the axis, which goes from %.15g to %.15g", axis->name,
                  first, last);
    return false;
}

/* Time histories and area curves have axes of their own, so that they stand alone. True if the figure is one
 * of them; [out] fine: whether it goes with the spec. */
static bool complete_curves(spec_file *file, const spec_node *node, costab_sweep_spec *spec, bool *fine) {
    costab_figure *figure = &spec->figure;
    int times = count_kind(figure, COSTAB_FIGURE_TIME), areas = count_kind(figure, COSTAB_FIGURE_AREAS);
    const spec_node *kind = spec_find(file, node, "kind");
    *fine = false;
    if (spec->case_count > 0 && times == 0)
        spec_complain(file, kind, "figure, kind: a time history is drawn as 'time'");
    else if (spec->case_count == 0 && times > 0)
        spec_complain(file, kind, "figure, kind: 'time' draws the key 'history', which is missing");
    else if (areas > 0 && (spec->fields & COSTAB_FIELD_AREAS) == 0)
        spec_complain(file, kind, "figure, kind: 'areas' draws the field 'areas'; write 'fields: [areas]'");
    else if (areas > 0 && spec->a.count < 2)
        spec_complain(file, kind, "figure, kind: 'areas' draws areas against a; give the axis a more values");
    else if (areas == 0 && spec->case_count == 0 && spec->gamma.count == 0)
        spec_complain(file, kind, "figure, kind: without the axes gamma and delta only 'areas' can be drawn");
    else if (times + areas > 0 && figure->kind_count > 1)
        spec_complain(file, kind, "figure, kind: 'areas' and 'time' stand alone");
    else
        *fine = true;
    return times + areas > 0 || !*fine;
}

static bool check_figure(spec_file *file, const spec_node *node, costab_sweep_spec *spec) {
    costab_figure *figure = &spec->figure;
    bool fine;
    if (complete_curves(file, node, spec, &fine)) return fine;
    bool needed = count_kind(figure, COSTAB_FIGURE_JURY) < figure->kind_count;
    fine = complete_panels(file, node, spec);
    fine = complete_window(file, node, &spec->gamma, needed, figure->gamma) && fine;
    return complete_window(file, node, &spec->delta, needed, figure->delta) && fine;
}

bool spec_complete_figure(spec_file *file, const spec_node *node, costab_sweep_spec *spec) {
    if (spec_find(file, node, "us") == NULL) spec->figure.us = spec->scheme_count == 1;
    return check_figure(file, node, spec);
}

/* What was chosen anew has to go with the rest again. */
static bool check_again(spec_file *file, const spec_node *root, void *spec) {
    return check_figure(file, root, spec);
}

costab_status costab_sweep_spec_restyle(costab_sweep_spec *spec, const char *figure, costab_error *error) {
    if (spec->figure.kind_count == 0) return COSTAB_OK;
    return spec_restyle(figure, restyle_keys, sizeof restyle_keys / sizeof restyle_keys[0], &spec->figure,
                        check_again, spec, error);
}
