/* What figures call parameters and signals: the keys `label` and `unit`. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "spec/model_body.h"

typedef struct worded {
    const spec_node *value;
    char *label, *unit;
} worded;

#define LABEL_AND_UNIT                                                                                       \
    {"label", false, "label: mass of the chassis", "what figures call it; k_C in it gets an index",          \
     SPEC_VALUE(SPEC_LINE, worded, label)},                                                                  \
    {                                                                                                        \
        "unit", false, "unit: kg", "its unit, beside it at axes of figures",                                 \
            SPEC_VALUE(SPEC_LINE, worded, unit)                                                              \
    }

static const spec_key parameter_keys[] = {
    {"value", true, "value: 400", "a number, or an expression in the other parameters",
     SPEC_VALUE(SPEC_NODE, worded, value)},
    LABEL_AND_UNIT,
};
const spec_keys spec_parameter_keys = {SPEC_TABLE(parameter_keys)};

static const spec_key signal_keys[] = {
    {"name", true, "name: speed", "of the state, input or output", SPEC_VALUE(SPEC_NODE, worded, value)},
    LABEL_AND_UNIT,
};
const spec_keys spec_signal_keys = {SPEC_TABLE(signal_keys)};

const spec_node *model_worded(model_reader *r, const spec_node *node, const spec_keys *keys,
                              const char *what) {
    worded read = {.value = NULL};
    if (node->kind != SPEC_MAPPING) return node;
    bool fine = spec_read_mapping(r->file, node, what, keys->rows, keys->count, &read);
    if (fine && read.value->kind == SPEC_MAPPING) {
        char example[80];
        (void)snprintf(example, sizeof example, "%s alone", keys->rows[0].example);
        fine = spec_expected(r->file, read.value, what, example);
    }
    memory_free_all(read.label, read.unit);
    return fine ? read.value : NULL;
}

static char *line_of(model_reader *r, const spec_node *node, const char *key) {
    const spec_node *value = spec_find(r->file, node, key);
    char *line = NULL;
    if (value != NULL && !spec_line(r->file, value, key, &line)) line = NULL;
    return line;
}

/* Takes over label and unit. What is given first stays. */
static void keep(model_reader *r, const char *name, char *label, char *unit) {
    costab_model *model = r->model;
    const costab_model_words *known = costab_model_find_words(model, name);
    costab_model_words *words =
        known != NULL ? model->words
                      : memory_resize(model->words, (size_t)model->words_count + 1, sizeof *model->words);
    if (words == NULL) {
        memory_free_all(label, unit);
        r->memory_failed = true;
        return;
    }
    model->words = words;
    costab_model_words *own = known != NULL ? &words[known - words] : &words[model->words_count++];
    if (known == NULL) *own = (costab_model_words){.name = model_copy(r, name)};
    char **const kept[] = {&own->label, &own->unit};
    char *const given[] = {label, unit};
    for (int k = 0; k < 2; k++)
        if (*kept[k] == NULL)
            *kept[k] = given[k];
        else
            memory_free(given[k]);
}

void model_keep_words(model_reader *r, const spec_node *node, const char *name) {
    if (node->kind == SPEC_MAPPING) keep(r, name, line_of(r, node, "label"), line_of(r, node, "unit"));
}

void model_keep_units(model_reader *r, const char *subsystem, const char *const *names,
                      const char *const *units, int count) {
    for (int i = 0; i < count && units != NULL; i++) {
        text whole = {0};
        if (units[i] == NULL) continue;
        text_printf(&whole, "%s.%s", subsystem, names[i]);
        if (whole.failed)
            r->memory_failed = true;
        else
            keep(r, whole.data, NULL, model_copy(r, units[i]));
        text_free(&whole);
    }
}

void model_keep_signals(model_reader *r, const spec_node *list, const char *subsystem) {
    if (list == NULL || list->kind != SPEC_LIST) return;
    SPEC_EACH(item, r->file, list) {
        char signal[SPEC_WORD_MAX];
        const spec_node *name = item->kind == SPEC_MAPPING ? spec_find(r->file, item, "name") : NULL;
        text whole = {0};
        if (name == NULL || !spec_word(r->file, name, "name", signal)) continue;
        text_printf(&whole, "%s.%s", subsystem, signal);
        if (whole.failed)
            r->memory_failed = true;
        else
            model_keep_words(r, item, whole.data);
        text_free(&whole);
    }
}

const costab_model_words *costab_model_find_words(const costab_model *model, const char *name) {
    for (int i = 0; model != NULL && i < model->words_count; i++)
        if (model->words[i].name != NULL && strcmp(model->words[i].name, name) == 0) return &model->words[i];
    return NULL;
}
