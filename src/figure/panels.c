/* Panels and names for the kinds of figures: the axes with one panel for each value, panels with captions,
 * and the names of axes, parameters, signals and couplings. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "costab/figure.h"
#include "figure/kinds.h"
#include "figure/names.h"

size_t figure_value_count(const figure_request *r, const char *name) {
    int number = costab_plan_axis(r->plan, name);
    return number >= 0 ? r->plan->axes[number].count : 0;
}

bool figure_has_words(const figure_request *r, const char *name) {
    int number = costab_plan_axis(r->plan, name);
    return number >= 0 && r->plan->axes[number].labels != NULL;
}

bool figure_has_field(const figure_request *r, const char *name) {
    return costab_plan_field(r->plan, name) >= 0;
}

/* Returns true if the drawn field does not depend on an axis, as classes on the axes of stored areas. */
static bool is_independent_of(const figure_request *r, const figure_kind *kind, int axis) {
    int number = costab_plan_field(r->plan, kind->of ? r->of : "class");
    const costab_field *field = number >= 0 ? &r->plan->fields[number] : NULL;
    for (int k = 0; field && k < field->rank; k++)
        if (field->axes[k] == axis) return false;
    return field != NULL;
}

unsigned figure_panel_axes(const figure_request *r, const figure_kind *kind) {
    unsigned panel_axes = 0;
    int curves = -1; /* the axis with a curve for each value */
    /* Without swept axes in a panel: the kind's choice, otherwise the first axis if the kind fills panels one
     * by one. */
    if (kind->along == 0) return kind->panel_axes ? kind->panel_axes(r) : kind->panel ? 1U : 0;
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        bool drawn = (kind->overlaid && i == 0) || i == r->x || (kind->along == 2 && i == r->y);
        if (drawn || is_independent_of(r, kind, i)) continue;
        bool panels = strcmp(axis->name, r->figure->panels.word) == 0;
        size_t drawn_values = figure_drawn(r, i);
        if (kind->along == 1 && curves < 0 && !panels && axis->values && drawn_values > 1 &&
            drawn_values <= CURVES_PER_COUPLING)
            curves = i;
        else
            panel_axes |= 1U << i;
    }
    return panel_axes;
}

bool figure_leaves_out(const figure_request *r, int axis, size_t i) {
    int k = 0;
    while (k < r->picked_count[axis] && r->picked[axis][k] != i) k++;
    return r->picked_count[axis] > 0 && k == r->picked_count[axis];
}

size_t figure_drawn(const figure_request *r, int axis) {
    return r->picked_count[axis] > 0 ? (size_t)r->picked_count[axis] : r->plan->axes[axis].count;
}

void figure_apply_range(const costab_figure_range *chosen, double *range) {
    if (chosen->from < chosen->to)
        memcpy(range, (const double[]){chosen->from, chosen->to}, 2 * sizeof *range);
}

static size_t first_index(const figure_request *r, int axis) {
    size_t i = 0;
    while (i + 1 < r->plan->axes[axis].count && figure_leaves_out(r, axis, i)) i++;
    return i;
}

bool figure_is_planar(const figure_request *r) {
    return strcmp(r->plan->axes[0].name, "scheme") == 0;
}

void figure_first_panel(const figure_request *r, size_t *at) {
    for (int i = 0; i < r->plan->axis_count; i++) at[i] = first_index(r, i);
}

bool figure_next_panel(const figure_request *r, unsigned panel_axes, size_t *at) {
    for (int i = r->plan->swept - 1; i >= 0; i--) {
        if ((panel_axes >> i & 1U) == 0) continue;
        do at[i]++;
        while (at[i] < r->plan->axes[i].count && figure_leaves_out(r, i, at[i]));
        if (at[i] < r->plan->axes[i].count) return true;
        at[i] = first_index(r, i);
    }
    return false;
}

/* Returns true for the axis a of results of the simulation alone, which does not depend on a. */
static bool is_unused_a(const figure_request *r, const costab_axis *axis) {
    return axis->count == 1 && strcmp(axis->name, "a") == 0 && r->plan->axes[0].count == 1 &&
           strcmp(r->plan->axes[0].labels[0], "simulation") == 0;
}

/* Returns the label and units that the sweep stored of a parameter, signal or axis; NULL if there are none.
 */
static const store_word *stored_word(const store_word *words, size_t count, const char *name) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(words[k].name, name) == 0) return &words[k];
    return NULL;
}

static const store_word *word_of(const figure_request *r, const char *name) {
    return stored_word(r->stored->words, r->stored->word_count, name);
}

/* Returns the unit that is shown: `display` if there is one. */
static const char *shown_unit(const store_word *word) {
    return word->display[0] ? word->display : word->unit;
}

/* Returns the factor from stored to shown values. */
static double scale_of(const store_word *word) {
    int power = 0;
    if (word && word->display[0]) (void)number_si_unit(word->display, word->unit, &power);
    return pow(10, -power);
}

double figure_parameter_scale(const figure_request *r, const char *name) {
    return scale_of(word_of(r, name));
}

/* Returns the word with the unit of an axis of the plan: the axis' own, otherwise the parameter's; NULL if
 * there is none. */
static const store_word *unit_of(const figure_request *r, int number) {
    const char *name = r->plan->axes[number].name;
    const store_word *axis = stored_word(r->stored->axes, r->stored->axis_count, name);
    return axis && axis->unit[0] ? axis : word_of(r, name);
}

double figure_axis_scale(const figure_request *r, int number) {
    return scale_of(unit_of(r, number));
}

/* Appends the displayed unit, if there is one. */
static void put_display(const store_word *word, text *shown) {
    if (word == NULL || word->display[0] == '\0') return;
    text_append(shown, " ");
    names_unit(shown, word->display);
}

void figure_parameter_value(const figure_request *r, const char *name, double value, int digits,
                            text *shown) {
    char number[NAMES_NUMBER_MAX];
    text_append(shown, names_rounded(figure_parameter_scale(r, name) * value, digits, number));
    put_display(word_of(r, name), shown);
}

void figure_values_text(const figure_request *r, unsigned axes, const size_t *at, text *caption) {
    text_append(caption, "");
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        char number[NAMES_NUMBER_MAX];
        bool shown = axis->count > 1 || (strcmp(axis->name, "a") == 0 && !is_unused_a(r, axis));
        if ((axes >> i & 1U) == 0 || !shown) continue;
        if (caption->size > 0) text_append(caption, ", ");
        if (axis->labels) {
            figure_choice(r, axis->labels[at[i]], caption);
        } else {
            figure_name(r, axis->name, caption);
            text_append(caption, " = ");
            const double value = axis->values ? axis->values[at[i]] : (double)at[i];
            text_append(caption, names_number(figure_axis_scale(r, i) * value, number));
            put_display(unit_of(r, i), caption);
        }
    }
}

scene_panel *figure_panel(const figure_request *r, scene *s, const figure_kind *kind, const size_t *at) {
    scene_panel *panel = scene_add_panel(s);
    text caption = {0};
    figure_values_text(r, figure_panel_axes(r, kind), at, &caption);
    if (r->kind_count > 1 && kind->caption)
        text_printf(&caption, "%s%s", caption.size > 0 ? ", " : "", kind->caption);
    panel->caption = scene_keep_text(s, &caption);
    return panel;
}

void figure_rows(scene_panel *panel, size_t count, double row) {
    const double least = 1.2; /* cm on paper, of a panel with a single row */
    panel->y.range[0] = 0.95; /* rows from 1 to count + 1, with a margin */
    panel->y.range[1] = (double)count + 1.05;
    panel->tallest = fmax(row * (double)count + 0.2, least);
    panel->proportion = 100; /* the height is always `tallest` */
}

/* Returns the figure's words for a name; NULL if it has none. */
static const char *words_for(const figure_request *r, const char *name) {
    for (int i = 0; i < r->figure->name_count; i++)
        if (strcmp(r->figure->names[i].name, name) == 0) return r->figure->names[i].words;
    return NULL;
}

void figure_name(const figure_request *r, const char *name, text *shown) {
    const store_word *stored = word_of(r, name);
    const char *words = words_for(r, name);
    if (!words && stored && stored->label[0]) words = stored->label;
    (words ? names_words : names_name)(shown, words ? words : name);
}

void figure_choice(const figure_request *r, const char *name, text *shown) {
    const char *words = words_for(r, name);
    (words ? names_words : names_choice)(shown, words ? words : name);
}

bool figure_has_label_or_unit(const figure_request *r, const char *name) {
    const store_word *stored = word_of(r, name);
    return stored && (stored->label[0] || stored->unit[0]);
}

/* Joins label (NULL: none), symbol and unit (NULL: none). symbol: the name is short enough for a symbol. A
 * label such as k_C is the symbol itself. The figure's words for the name replace the symbol, and the label
 * as well if they are no symbol. */
static const char *join(const figure_request *r, scene *s, const char *label, const char *name, bool symbol,
                        const char *unit) {
    const char *words = words_for(r, name);
    text shown = {0};
    if (words && !(symbol && names_is_symbol(words))) label = NULL;
    symbol = !label || (symbol && !names_is_symbol(label));
    names_words(&shown, label ? label : "");
    if (label && symbol) text_append(&shown, " ");
    if (symbol) (words ? names_words : names_name)(&shown, words ? words : name);
    if (unit && unit[0]) {
        text_append(&shown, " (");
        names_unit(&shown, unit);
        text_append(&shown, ")");
    }
    return scene_keep_text(s, &shown);
}

/* Names of signals have a dot and are too long for symbols. */
const char *figure_label(const figure_request *r, scene *s, const char *name) {
    const store_word *stored = word_of(r, name);
    return join(r, s, stored && stored->label[0] ? stored->label : NULL, name, strchr(name, '.') == NULL,
                stored ? shown_unit(stored) : NULL);
}

const char *figure_axis_label(const figure_request *r, scene *s, int number) {
    const char *name = r->plan->axes[number].name;
    const store_word *axis = stored_word(r->stored->axes, r->stored->axis_count, name),
                     *parameter = word_of(r, name);
    const char *label = axis && axis->label[0]             ? axis->label
                        : parameter && parameter->label[0] ? parameter->label
                                                           : NULL;
    const store_word *unit = unit_of(r, number);
    if (figure_is_planar(r) && !label && !words_for(r, name)) {
        if (strcmp(name, "gamma") == 0) return "Γ";
        if (strcmp(name, "delta") == 0) return "Δ";
    }
    return join(r, s, label, name, true, unit ? shown_unit(unit) : NULL);
}
