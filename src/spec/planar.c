/* Reads the keys of a planar spec: schemes, method, micro steps, axes and history; and checks that they fit
 * each other and the fields.
 * 1. Each section is read separately.
 * 2. If all are valid, their combination is checked: a grid requires gamma and delta, areas alone only a, and
 *    the simulation a single number of micro steps. Axes and history exclude each other. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "spec/sections.h"
#include "spec/spec.h"

/* ---- Time histories: one case or a list */

/* Largest number of macro steps of a case, whose states take 16 bytes each. */
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

static bool read_cases(spec_file *file, const spec_node *node, costab_planar_body *body) {
    bool fine = true;
    int count = 0;
    if (!spec_some(file, node, "history")) return false;
    if (node->kind == SPEC_LIST && node->size > COSTAB_CASES_MAX)
        return spec_complain(file, node, "history: at most %d cases", COSTAB_CASES_MAX);
    SPEC_EACH_OF(item, file, node) fine = read_case(file, item, &body->cases[count++]) && fine;
    if (fine) body->case_count = count;
    return fine;
}

/* Adds a scheme unless it is repeated. */
static bool read_scheme(spec_file *file, const spec_node *node, costab_planar_body *body) {
    char name[SPEC_WORD_MAX];
    costab_scheme scheme;
    costab_error error;
    if (!spec_word(file, node, "schemes", name)) return false;
    if (strcmp(name, "all") == 0)
        return spec_complain(file, node, "schemes: 'all' stands alone, not in a list; write 'schemes: all'");
    costab_status status = costab_scheme_find(name, &scheme, &error);
    if (status && file->stored && strlen(name) + sizeof "-linear" <= sizeof name) {
        /* Version 0.1.0 had the aliases gauss-seidel and iterated. */
        strcat(name, "-linear");
        status = costab_scheme_find(name, &scheme, NULL);
    }
    if (status) return spec_complain(file, node, "%s", error.message);
    for (int i = 0; i < body->scheme_count; i++)
        if (body->schemes[i] == scheme)
            return spec_complain(file, node, "schemes: the scheme %s is repeated",
                                 costab_scheme_name(scheme));
    body->schemes[body->scheme_count++] = scheme;
    return true;
}

static bool read_schemes(spec_file *file, const spec_node *value, costab_planar_body *body) {
    bool fine = spec_some(file, value, "schemes");
    if (!spec_is(file, value, "all")) {
        SPEC_EACH_OF(item, file, value) fine = read_scheme(file, item, body) && fine;
        return fine;
    }
    for (int i = 0; i < COSTAB_SCHEME_COUNT; i++) body->schemes[body->scheme_count++] = (costab_scheme)i;
    return true;
}

static bool read_substeps(spec_file *file, const spec_node *value, costab_planar_body *body) {
    bool list = value->kind == SPEC_LIST;
    if (list && !spec_list(file, value, "substeps", 2)) return false;
    const spec_node *first = list ? spec_first(file, value) : value;
    size_t n = 0, m = 0;
    bool fine = spec_whole(file, first, "substeps", 1, COSTAB_SUBSTEPS_MAX, &n);
    m = n;
    if (list) fine = spec_whole(file, spec_next(file, first), "substeps", 1, COSTAB_SUBSTEPS_MAX, &m) && fine;
    if (!fine) return false;
    body->substeps[0] = (int)n;
    body->substeps[1] = (int)m;
    return true;
}

/* ---- Axes */

static const char *const long_names[COSTAB_PLANAR_AXES] = {
    [COSTAB_AXIS_A] = "partition parameter a, scaled by the macro step",
    [COSTAB_AXIS_GAMMA] = "trace of the scaled system matrix",
    [COSTAB_AXIS_DELTA] = "determinant of the scaled system matrix",
};

typedef struct axis_nodes {
    const spec_node *of[COSTAB_PLANAR_AXES];
} axis_nodes;

static const spec_key axes_keys[COSTAB_PLANAR_AXES] = {
    {"a", false, "a: [-0.5, 0, 0.5]",
     "the partition parameter: the matrix entry that divides the trace between both subsystems, scaled by the macro step",
     SPEC_VALUE(SPEC_NODE, axis_nodes, of[COSTAB_AXIS_A])},
    {"gamma", false, "gamma: {from: -6, to: 2, points: 801}", "the trace, scaled by the macro step",
     SPEC_VALUE(SPEC_NODE, axis_nodes, of[COSTAB_AXIS_GAMMA])},
    {"delta", false, "delta: {from: -2, to: 14, points: 801}",
     "the determinant, scaled by the square of the macro step",
     SPEC_VALUE(SPEC_NODE, axis_nodes, of[COSTAB_AXIS_DELTA])},
};
const spec_keys spec_axes_keys = {SPEC_TABLE(axes_keys)};

static bool read_axes(spec_file *file, const spec_node *value, axis_nodes *nodes, costab_spec *spec) {
    bool fine = spec_read_mapping(file, value, "axes", SPEC_TABLE(axes_keys), nodes);
    for (int k = 0; k < COSTAB_PLANAR_AXES; k++)
        if (nodes->of[k] != NULL &&
            !spec_read_axis(file, nodes->of[k], axes_keys[k].name, &spec->words[k], &spec->axes[k]))
            fine = false;
    return fine;
}

/* Completes a missing axis a by the value 0. Only the simulation is independent of a: other schemes require
 * the axis. */
static void complete_a(spec_file *file, const spec_node *node, costab_spec *spec) {
    const costab_planar_body *body = &spec->planar;
    costab_axis *a = &spec->axes[COSTAB_AXIS_A];
    if (a->count > 0) return;
    if (body->scheme_count > 1 || body->schemes[0] != COSTAB_SIMULATION) {
        spec_complain(file, node,
                      "axes: the key 'a' is missing; every scheme but the simulation needs it; write for "
                      "instance '%s'",
                      axes_keys[COSTAB_AXIS_A].example);
        return;
    }
    a->values = memory_alloc(1, sizeof *a->values);
    a->count = 1;
    if (a->values == NULL) file->memory_failed = true;
}

/* Checks that a grid has gamma and delta; areas alone, and fields that could not be read, may omit both. */
static void check_grid(spec_file *file, const spec_node *node, const axis_nodes *nodes,
                       const costab_axis *axes, unsigned fields) {
    bool neither = nodes->of[COSTAB_AXIS_GAMMA] == NULL && nodes->of[COSTAB_AXIS_DELTA] == NULL;
    if (neither && (fields == COSTAB_FIELD_AREAS || fields == 0)) return;
    for (int k = COSTAB_AXIS_GAMMA; k <= COSTAB_AXIS_DELTA; k++)
        if (nodes->of[k] == NULL)
            spec_missing(file, node, "axes", &axes_keys[k]);
        else if ((fields & COSTAB_FIELD_AREAS) != 0 && axes[k].count == 1)
            spec_complain(file, nodes->of[k],
                          "axes: 'areas' are those in the rectangle of gamma and delta, and %s has one value",
                          axes_keys[k].name);
}

/* ---- Checks across valid sections */

static void check_substeps(spec_file *file, const spec_node *node, const costab_planar_body *body) {
    for (int i = 0; i < body->scheme_count && body->substeps[0] != body->substeps[1]; i++)
        if (body->schemes[i] == COSTAB_SIMULATION)
            spec_complain(
                file, node,
                "substeps: the simulation has one solver; give one number of micro steps, not %d and %d",
                body->substeps[0], body->substeps[1]);
}

/* Checks that a spec has either axes or a history; a history has no fields. */
static void check_subject(spec_file *file, const spec_sections *s) {
    if (s->axes == NULL && s->history == NULL)
        spec_complain(file, s->root, "spec: the key 'axes' is missing; write for instance '%s'",
                      "axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}");
    if (s->axes != NULL && s->history != NULL)
        spec_complain(file, s->history, "history: a time history has no axes; give one of the two");
    if (s->history != NULL && s->fields != NULL)
        spec_complain(file, s->fields, "fields: a time history has no fields; leave the key out");
}

void spec_read_planar(spec_file *file, const spec_sections *s, costab_spec *spec) {
    costab_planar_body *body = &spec->planar;
    axis_nodes nodes = {{NULL}};
    costab_error error;
    spec->axis_count = COSTAB_PLANAR_AXES;
    for (int k = 0; k < COSTAB_PLANAR_AXES; k++) {
        memcpy(spec->axes[k].name, axes_keys[k].name, strlen(axes_keys[k].name) + 1);
        spec->axes[k].long_name = long_names[k];
    }
    body->substeps[0] = body->substeps[1] = 1;
    bool schemes = s->schemes != NULL && read_schemes(file, s->schemes, body);
    if (s->method != NULL)
        spec_read_method(file, s->method, &body->method);
    else if (costab_method_find("rk4", &body->method, &error) == COSTAB_MEMORY)
        file->memory_failed = true;
    if (s->substeps != NULL && read_substeps(file, s->substeps, body) && schemes)
        check_substeps(file, s->substeps, body);
    if (s->history != NULL && read_cases(file, s->history, body)) spec->fields = 0;
    spec_read_refine(file, s->refine, spec);
    check_subject(file, s);
    if (s->axes == NULL) return;
    bool axes = read_axes(file, s->axes, &nodes, spec);
    if (body->case_count > 0) return;
    check_grid(file, s->axes, &nodes, spec->axes, spec->fields);
    if (axes && schemes) complete_a(file, s->axes, spec);
}

costab_status costab_spec_planar(const costab_spec *spec, int scheme_index, costab_planar *planar,
                                 costab_error *error) {
    const costab_planar_body *body = &spec->planar;
    if (scheme_index < 0 || scheme_index >= body->scheme_count)
        return error_invalid(error, "the spec has %d schemes; scheme %d does not exist", body->scheme_count,
                             scheme_index);
    return costab_planar_init(planar, body->schemes[scheme_index], &body->method, body->substeps[0],
                              body->substeps[1], error);
}
