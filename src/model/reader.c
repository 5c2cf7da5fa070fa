/* Common functions of the readers of a model's sections:
 * 1. Memory with failures noted in the reader, so callers only return.
 * 2. The current file of a model, and paths of the files it names.
 * 3. Search of parameters, couplings and states by name; scopes of names for expressions.
 * 4. Names from YAML nodes, single or in lists, with errors at invalid nodes.
 * Cost: linear in the number of names per search, quadratic for a list of distinct names. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "model/body.h"

void *model_alloc(model_reader *r, size_t count, size_t size) {
    void *block = memory_alloc(count > 0 ? count : 1, size);
    if (block == NULL) r->memory_failed = true;
    return block;
}

char *model_copy(model_reader *r, const char *string) {
    char *copy = memory_copy(string);
    if (copy == NULL) r->memory_failed = true;
    return copy;
}

bool model_path(model_reader *r, const char *base, const char *name, text *path) {
    const char *slash = strrchr(base, '/');
    if (name[0] != '/' && slash != NULL) text_append_n(path, base, (size_t)(slash + 1 - base));
    if (strcmp(name, "-") == 0)
        text_append(path, "./"); /* a file of this name instead of the standard input */
    text_append(path, name);
    if (path->failed) r->memory_failed = true;
    return !path->failed;
}

void model_turn_to(model_reader *r, spec_file *file) {
    r->file = file;
    r->path = file == r->first || file == r->set ? r->model->path : r->model->base_path;
}

int costab_model_parameter(const costab_model *model, const char *name) {
    for (int i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, name) == 0) return i;
    return -1;
}

int costab_model_coupling(const costab_model *model, const char *name) {
    for (int i = 0; i < model->coupling_count; i++)
        if (strcmp(model->coupling_names[i], name) == 0) return i;
    return -1;
}

/* Finds the parameter for a dotted name without an exact match: `plant.k` finds plant_k. */
static int find_dotted(const costab_model *model, const char *name) {
    for (int i = 0; i < model->parameter_count; i++) {
        const char *a = model->parameters[i].name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '_' && *b == '.'))) a++, b++;
        if (*a == '\0' && *b == '\0') return i;
    }
    return -1;
}

const char *model_meant(const costab_model *model, const char *name, char words[MODEL_MEANT_MAX]) {
    const char *const *names = model->body->parameter_names;
    const char *near = spelling_nearest(name, names, (size_t)model->parameter_count, sizeof *names);
    char list[MODEL_MEANT_MAX - 40] = "none";
    if (model->parameter_count > 0)
        (void)spelling_few(names, (size_t)model->parameter_count, sizeof *names, list, sizeof list);
    return spelling_meant(near, "; its parameters are: ", list, words, MODEL_MEANT_MAX);
}

costab_status costab_model_find_parameter(const costab_model *model, const char *name, int *index,
                                          costab_error *error) {
    if (name == NULL) return error_missing(error, "the name of a parameter");
    *index = costab_model_parameter(model, name);
    if (*index < 0) *index = find_dotted(model, name);
    if (*index >= 0) return COSTAB_OK;
    char words[MODEL_MEANT_MAX];
    return error_invalid(error, "%s has no parameter '%s'%s", model->path, name,
                         model_meant(model, name, words));
}

formula_scope model_scope(const costab_model *model) {
    return (formula_scope){model->body->parameter_names, NULL, model->parameter_count, 0};
}

formula_scope model_time_scope(const costab_model *model) {
    static const char *const time[] = {"t"};
    return (formula_scope){model->body->parameter_names, time, model->parameter_count, 1};
}

int model_index_of(char *const *names, int count, const char *name) {
    for (int i = 0; names != NULL && i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

const char *model_state_name(const model_subsystem *s, int state, char usual[24]) {
    if (s->state_names != NULL) return s->state_names[state];
    (void)snprintf(usual, 24, "x%d", state + 1);
    return usual;
}

int model_find_state(const model_subsystem *s, const char *name) {
    char usual[24];
    for (int i = 0; i < s->states; i++)
        if (strcmp(model_state_name(s, i, usual), name) == 0) return i;
    return -1;
}

static bool name_fits(const char *name, bool variable) {
    if (variable) return formula_is_name(name) && strcmp(name, "t") != 0;
    return strpbrk(name, " .,:") == NULL;
}

bool model_name(model_reader *r, const spec_node *node, const char *what, model_name_kind kind, char **name) {
    char word[SPEC_WORD_MAX], shown[SPEC_SHOW_MAX];
    if (kind == MODEL_FOREIGN) return spec_line(r->file, node, what, name);
    if (!spec_word(r->file, node, what, word)) return false;
    if (!name_fits(word, kind == MODEL_VARIABLE))
        return spec_complain(
            r->file, node,
            kind == MODEL_VARIABLE
                ? "%s: %s cannot be a name in expressions: that is a letter, then letters, digits and "
                  "underscores, and none of pi, t and the functions"
                : "%s: %s cannot be a name: leave out blanks and the signs . , :",
            what, spec_show(r->file, node, shown));
    *name = model_copy(r, word);
    return *name != NULL;
}

bool model_names(model_reader *r, const spec_node *node, const char *what, model_name_kind kind,
                 const char *subsystem, char ***names, int *count) {
    bool fine = true;
    if (node == NULL || (node->kind == SPEC_LIST && node->size == 0)) return true;
    if (!spec_list(r->file, node, what, 0)) return false;
    if (node->size > MODEL_PORTS_MAX)
        return spec_complain(r->file, node, "%s: %u names; at most %d are possible", what,
                             (unsigned)node->size, MODEL_PORTS_MAX);
    *names = model_alloc(r, node->size, sizeof **names);
    if (*names == NULL) return false;
    SPEC_EACH(item, r->file, node) {
        char **name = &(*names)[*count];
        model_words words;
        const spec_node *word = model_worded(r, item, &spec_signal_keys, what, &words);
        bool read = word != NULL && model_name(r, word, what, kind, name);
        model_keep_words(r, subsystem, read && subsystem != NULL ? *name : NULL, &words, false);
        fine = fine && read;
        if (!read) continue;
        if (model_index_of(*names, *count, *name) >= 0)
            fine = spec_complain(r->file, item, "%s: the name '%.200s' is repeated", what, *name);
        ++*count;
    }
    return fine;
}

void model_free_names(char **names, int count) {
    for (int i = 0; names != NULL && i < count; i++) memory_free(names[i]);
    memory_free(names);
}
