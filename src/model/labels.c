/* The keys `label` and `unit` of parameters and signals, used in figures: {value: 400, label: .., unit: N/m},
 * {name: speed, label: .., unit: m/s}; and `display` of parameters, the unit at axes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/body.h"

typedef struct worded {
    const spec_node *value;
    char *label, *unit, *display;
} worded;

#define LABEL_AND_UNIT                                                                                                               \
    {"label", false, "label: mass of the chassis", "its name in figures; k_C gets an index",                                         \
     SPEC_VALUE(SPEC_LINE, worded, label)},                                                                                          \
    {                                                                                                                                \
        "unit", false, "unit: kg",                                                                                                   \
            "its unit, shown with it at axes of figures and in files; a connection between ports of different units gets a warning", \
            SPEC_VALUE(SPEC_LINE, worded, unit)                                                                                      \
    }

static const spec_key parameter_keys[] = {
    {"value", true, "value: 400", "a number, or an expression in the other parameters",
     SPEC_VALUE(SPEC_NODE, worded, value)},
    LABEL_AND_UNIT,
    {"display", false, "display: ms", MODEL_DISPLAY_HELP, SPEC_VALUE(SPEC_LINE, worded, display)},
};
const spec_keys spec_parameter_keys = {SPEC_TABLE(parameter_keys)};

static const spec_key signal_keys[] = {
    {"name", true, "name: speed", "of the state, input or output", SPEC_VALUE(SPEC_NODE, worded, value)},
    LABEL_AND_UNIT,
};
const spec_keys spec_signal_keys = {SPEC_TABLE(signal_keys)};

bool model_check_display(spec_file *file, const spec_node *node, const char *what, const char *unit,
                         const char *display) {
    int power;
    if (display == NULL || (unit != NULL && number_si_unit(display, unit, &power))) return true;
    const spec_node *at = spec_find(file, node, "display");
    return unit == NULL
               ? spec_complain(file, at, "%s: 'display' needs the key 'unit', of which it is a multiple",
                               what)
               : spec_complain(file, at,
                               "%s: display: expected '%s' with an SI prefix, such as 'm%s', found '%s'",
                               what, unit, unit, display);
}

const spec_node *model_worded(model_reader *r, const spec_node *node, const spec_keys *keys, const char *what,
                              model_words *words) {
    worded read = {.value = NULL};
    *words = (model_words){.label = NULL};
    if (node->kind != SPEC_MAPPING) return node;
    bool fine = spec_read_mapping(r->file, node, what, keys->rows, keys->count, &read);
    if (fine && read.value->kind == SPEC_MAPPING) {
        char example[80];
        (void)snprintf(example, sizeof example, "%s alone", keys->rows[0].example);
        fine = spec_expected(r->file, read.value, what, example);
    }
    fine = model_check_display(r->file, node, what, read.unit, read.display) && fine;
    *words = (model_words){read.label, read.unit, read.display};
    return fine ? read.value : NULL;
}

static bool keep(model_reader *r, const char *name, model_words *given, bool replace) {
    costab_model *model = r->model;
    int i = 0;
    while (i < model->words_count && strcmp(model->words[i].name, name) != 0) i++;
    if (i == model->words_count) {
        costab_model_words *words = memory_resize(model->words, (size_t)i + 1, sizeof *words);
        char *copy = words != NULL ? memory_copy(name) : NULL;
        if (words != NULL) model->words = words;
        if (copy == NULL) return false;
        model->words[model->words_count++] = (costab_model_words){.name = copy};
    }
    char **const kept[] = {&model->words[i].label, &model->words[i].unit, &model->words[i].display};
    char **const from[] = {&given->label, &given->unit, &given->display};
    for (int k = 0; k < 3; k++) {
        char *before = *kept[k];
        if (*from[k] == NULL || (before != NULL && !replace)) continue;
        *kept[k] = *from[k];
        *from[k] = before;
    }
    return true;
}

void model_keep_words(model_reader *r, const char *subsystem, const char *name, model_words *words,
                      bool replace) {
    text_local whole = {0};
    if (name != NULL && (words->label != NULL || words->unit != NULL)) {
        text_printf(&whole, "%s%s%s", subsystem, subsystem[0] != '\0' ? "." : "", name);
        if (whole.failed || !keep(r, whole.data, words, replace)) r->memory_failed = true;
    }
    memory_free_all(words->label, words->unit, words->display);
}

void model_keep_units(model_reader *r, const char *subsystem, const char *const *names,
                      const char *const *units, int count) {
    for (int i = 0; i < count && units != NULL; i++) {
        if (units[i] == NULL) continue;
        model_words words = {.unit = model_copy(r, units[i])};
        model_keep_words(r, subsystem, names[i], &words, false);
    }
}

/* Normalises a unit: all product signs become one, m/s^2 and m/s2 become equal, and so do Nm and N m. */
static void plain_unit(const char *unit, char *plain, size_t size) {
    static const char *const signs[][2] = {{" ", "."},        {"*", "."},        {"\xc2\xb7", "."}, {"^", ""},
                                           {"\xc2\xb2", "2"}, {"\xc2\xb3", "3"}, {"Nm", "N.m"}};
    size_t used = 0;
    while (*unit != '\0' && used + 1 < size) {
        const char *put = NULL;
        for (size_t k = 0; k < sizeof signs / sizeof *signs && put == NULL; k++)
            if (strncmp(unit, signs[k][0], strlen(signs[k][0])) == 0) {
                put = signs[k][1];
                unit += strlen(signs[k][0]);
            }
        if (put == NULL) plain[used++] = *unit++;
        for (; put != NULL && *put != '\0' && used + 1 < size; put++)
            if (!(*put == '.' && used > 0 && plain[used - 1] == '.')) plain[used++] = *put;
    }
    plain[used] = '\0';
}

bool model_same_unit(const char *unit, const char *other) {
    char plain[2][100];
    plain_unit(unit, plain[0], sizeof plain[0]);
    plain_unit(other, plain[1], sizeof plain[1]);
    return strcmp(plain[0], plain[1]) == 0;
}

bool model_parameter_is_step(const costab_model *model, int parameter) {
    const model_body *body = model->body;
    for (int k = 0; k < body->formula_count; k++) {
        const model_formula *of = &body->formulas[k];
        if (of->tape.count != 1 || !formula_uses(&of->tape, FORMULA_PARAMETER, parameter)) continue;
        for (int c = 0; c < model->coupling_count; c++)
            if (body->couplings[c].macro_step == of->slot) return true;
    }
    return false;
}

const char *costab_model_parameter_unit(const costab_model *model, int parameter) {
    const costab_model_words *words = costab_model_find_words(model, model->parameters[parameter].name);
    if (words != NULL && words->unit != NULL) return words->unit;
    return model_parameter_is_step(model, parameter) ? "s" : NULL;
}

const costab_model_words *costab_model_find_words(const costab_model *model, const char *name) {
    for (int i = 0; model != NULL && i < model->words_count; i++)
        if (strcmp(model->words[i].name, name) == 0) return &model->words[i];
    return NULL;
}
