/* Time histories of the planar system: one case, or a list of them. */
#include <string.h>

#include "base/memory.h"
#include "spec/sections.h"

#define STEPS_MAX 10000000.0

static bool read_title(spec_file *file, const spec_node *value, void *target) {
    costab_case *c = target;
    memory_local char *line = NULL;
    if (!spec_line(file, value, "history, title", &line)) return false;
    bool fits = strlen(line) < sizeof c->title;
    if (fits) memcpy(c->title, line, strlen(line) + 1);
    if (!fits) spec_complain(file, value, "history, title: longer than %zu bytes", sizeof c->title - 1);
    return fits;
}

static const spec_key case_keys[] = {
    {"title", false, "title: stable system", "of this case", .read = read_title},
    {"matrix", true, "matrix: [0, 1, -1, -0.1]", "a, b, c, d: the entries of the unscaled system matrix",
     SPEC_VALUE(SPEC_NUMBERS, costab_case, matrix), .most = 4},
    {"h", true, "h: 0.1", "the macro step", SPEC_VALUE(SPEC_POSITIVE, costab_case, h)},
    {"x0", true, "x0: [1, 0]", "the start", SPEC_VALUE(SPEC_NUMBERS, costab_case, start), .most = 2},
    {"until", true, "until: 20", "the end", SPEC_VALUE(SPEC_POSITIVE, costab_case, until)},
};
const spec_keys spec_case_keys = {SPEC_TABLE(case_keys)};

static bool read_case(spec_file *file, const spec_node *node, costab_case *target) {
    if (!spec_read_mapping(file, node, "history", SPEC_TABLE(case_keys), target)) return false;
    double steps = target->until / target->h;
    return (steps >= 1 && steps <= STEPS_MAX) ||
           spec_complain(file, spec_find(file, node, "until"),
                         "history, until: expected 1 to %.0f steps of h, found %g", STEPS_MAX, steps);
}

bool spec_read_cases(spec_file *file, const spec_node *node, costab_planar_body *body) {
    bool fine = true;
    int count = 0;
    if (!spec_some(file, node, "history")) return false;
    if (node->kind == SPEC_LIST && node->size > COSTAB_CASES_MAX)
        return spec_complain(file, node, "history: at most %d cases", COSTAB_CASES_MAX);
    SPEC_EACH_OF(item, file, node) fine = read_case(file, item, &body->cases[count++]) && fine;
    if (fine) body->case_count = count;
    return fine;
}
