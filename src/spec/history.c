/* Time histories: one case, or a list of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/parts.h"

#define STEPS_MAX 10000000.0

typedef struct history {
    costab_case *target;
    const spec_node *h, *until;
} history;

static bool read_numbers(spec_file *file, const spec_node *value, const char *what, double *numbers,
                         size_t count) {
    if (!spec_list(file, value, what, count)) return false;
    bool fine = true;
    for (const spec_node *item = spec_first(file, value); item != NULL; item = spec_next(file, item))
        fine = spec_number(file, item, what, numbers++) && fine;
    return fine;
}

static bool read_title(spec_file *file, const spec_node *value, void *target) {
    costab_case *c = ((history *)target)->target;
    char *line = NULL;
    if (!spec_line(file, value, "history, title", &line)) return false;
    bool fits = strlen(line) < sizeof c->title;
    if (fits) memcpy(c->title, line, strlen(line) + 1);
    if (!fits) spec_complain(file, value, "history, title: longer than %zu bytes", sizeof c->title - 1);
    memory_free(line);
    return fits;
}

static bool read_matrix(spec_file *file, const spec_node *value, void *target) {
    return read_numbers(file, value, "history, matrix", ((history *)target)->target->matrix, 4);
}

static bool read_start(spec_file *file, const spec_node *value, void *target) {
    return read_numbers(file, value, "history, x0", ((history *)target)->target->start, 2);
}

static bool read_positive(spec_file *file, const spec_node *value, const char *what, double *number) {
    if (!spec_number(file, value, what, number)) return false;
    if (*number > 0) return true;
    spec_complain(file, value, "%s: expected a positive number", what);
    return false;
}

static bool read_h(spec_file *file, const spec_node *value, void *target) {
    ((history *)target)->h = value;
    return read_positive(file, value, "history, h", &((history *)target)->target->h);
}

static bool read_until(spec_file *file, const spec_node *value, void *target) {
    ((history *)target)->until = value;
    return read_positive(file, value, "history, until", &((history *)target)->target->until);
}

static const spec_key case_keys[] = {
    {"title", false, "title: stable system", read_title},
    {"matrix", true, "matrix: [0, 1, -1, -0.1]", read_matrix},
    {"h", true, "h: 0.1", read_h},
    {"x0", true, "x0: [1, 0]", read_start},
    {"until", true, "until: 20", read_until},
};

static bool read_case(spec_file *file, const spec_node *node, costab_case *target) {
    history r = {.target = target};
    *target = (costab_case){.title = ""};
    if (!spec_read_mapping(file, node, "history", case_keys, sizeof case_keys / sizeof case_keys[0], &r))
        return false;
    double steps = target->until / target->h;
    if (steps >= 1 && steps <= STEPS_MAX) return true;
    spec_complain(file, r.until, "history, until: expected 1 to %.0f steps of h, found %g", STEPS_MAX, steps);
    return false;
}

bool spec_read_history(spec_file *file, const spec_node *node, costab_sweep_spec *spec) {
    bool fine = true;
    int count = 0;
    if (node->kind != SPEC_LIST) {
        fine = read_case(file, node, &spec->cases[count++]);
    } else {
        if (!spec_list(file, node, "history", 0)) return false;
        if (node->size > COSTAB_CASES_MAX) {
            spec_complain(file, node, "history: at most %d cases", COSTAB_CASES_MAX);
            return false;
        }
        for (const spec_node *item = spec_first(file, node); item != NULL; item = spec_next(file, item))
            fine = read_case(file, item, &spec->cases[count++]) && fine;
    }
    if (fine) spec->case_count = count;
    return fine;
}
