/* Sweep specs: the top-level keys as a table, then what ties them together. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/spec.h"
#include "spec/parts.h"

/* What the readers fill: the spec, and the places of the parts that were read without a mistake. */
typedef struct sweep {
    costab_sweep_spec *spec;
    const spec_node *schemes, *substeps, *axes, *fields, *figure;
} sweep;

static bool read_title(spec_file *file, const spec_node *value, void *target) {
    return spec_line(file, value, "title", &((sweep *)target)->spec->title);
}

static bool read_system(spec_file *file, const spec_node *value, void *target) {
    static const char *const names[] = {"planar"};
    size_t index;
    (void)target;
    return spec_choice(file, value, "system", names, 1, &index);
}

/* One scheme, added unless it is there already. */
static bool read_scheme(spec_file *file, const spec_node *node, costab_sweep_spec *spec) {
    char name[SPEC_WORD_MAX];
    costab_scheme scheme;
    costab_error error;
    if (!spec_word(file, node, "schemes", name)) return false;
    if (strcmp(name, "all") == 0) {
        spec_complain(file, node, "schemes: 'all' stands alone, not in a list; write 'schemes: all'");
        return false;
    }
    if (costab_scheme_find(name, &scheme, &error) != COSTAB_OK) {
        spec_complain(file, node, "%s", error.message);
        return false;
    }
    for (int i = 0; i < spec->scheme_count; i++) {
        if (spec->schemes[i] != scheme) continue;
        spec_complain(file, node, "schemes: the scheme %s stands here twice", costab_scheme_name(scheme));
        return false;
    }
    spec->schemes[spec->scheme_count++] = scheme;
    return true;
}

static bool read_schemes(spec_file *file, const spec_node *value, void *target) {
    sweep *s = target;
    bool fine = true;
    if (spec_is(file, value, "all")) {
        for (int i = 0; i < COSTAB_SCHEME_COUNT; i++)
            s->spec->schemes[s->spec->scheme_count++] = (costab_scheme)i;
    } else if (value->kind == SPEC_LIST) {
        fine = spec_list(file, value, "schemes", 0);
        for (const spec_node *item = spec_first(file, value); item != NULL; item = spec_next(file, item))
            if (!read_scheme(file, item, s->spec)) fine = false;
    } else {
        fine = read_scheme(file, value, s->spec);
    }
    if (fine) s->schemes = value;
    return fine;
}

static bool read_method(spec_file *file, const spec_node *value, void *target) {
    return spec_read_method(file, value, &((sweep *)target)->spec->method);
}

static bool read_substeps(spec_file *file, const spec_node *value, void *target) {
    sweep *s = target;
    bool list = value->kind == SPEC_LIST;
    if (list && !spec_list(file, value, "substeps", 2)) return false;
    const spec_node *first = list ? spec_first(file, value) : value;
    const spec_node *second = list ? spec_next(file, first) : value;
    size_t n = 0, m = 0;
    bool fine = spec_whole(file, first, "substeps", 1, COSTAB_SUBSTEPS_MAX, &n);
    m = n;
    if (list) fine = spec_whole(file, second, "substeps", 1, COSTAB_SUBSTEPS_MAX, &m) && fine;
    if (!fine) return false;
    s->spec->substeps[0] = (int)n;
    s->spec->substeps[1] = (int)m;
    s->substeps = value;
    return true;
}

/* Axes */

static bool read_a(spec_file *file, const spec_node *value, void *target) {
    return spec_read_axis(file, value, "a", &((sweep *)target)->spec->a);
}

static bool read_gamma(spec_file *file, const spec_node *value, void *target) {
    return spec_read_axis(file, value, "gamma", &((sweep *)target)->spec->gamma);
}

static bool read_delta(spec_file *file, const spec_node *value, void *target) {
    return spec_read_axis(file, value, "delta", &((sweep *)target)->spec->delta);
}

static const spec_key axes_keys[] = {
    {"a", false, "a: [-0.5, 0, 0.5]", read_a},
    {"gamma", false, "gamma: {from: -6, to: 2, points: 801}", read_gamma},
    {"delta", false, "delta: {from: -2, to: 14, points: 801}", read_delta},
};

static bool read_axes(spec_file *file, const spec_node *value, void *target) {
    sweep *s = target;
    bool fine =
        spec_read_mapping(file, value, "axes", axes_keys, sizeof axes_keys / sizeof axes_keys[0], target);
    if (fine) s->axes = value;
    return fine;
}

/* Fields and figure */

static bool read_fields(spec_file *file, const spec_node *value, void *target) {
    static const char *const names[] = {"class", "trace",         "determinant", "spectral_radius",
                                        "cause", "row_intervals", "areas"};
    enum { COUNT = sizeof names / sizeof names[0] };
    size_t indices[COUNT], count;
    if (!spec_choices(file, value, "fields", names, COUNT, indices, &count)) return false;
    unsigned fields = 0;
    for (size_t i = 0; i < count; i++) fields |= 1U << indices[i];
    sweep *s = target;
    s->spec->fields = fields;
    s->fields = value;
    return true;
}

static bool read_refine(spec_file *file, const spec_node *value, void *target) {
    (void)target;
    spec_complain(file, value,
                  "refine: a planar sweep needs none, its rows are filled in closed form; leave the key out "
                  "(it is for 'system: network')");
    return false;
}

static bool read_history(spec_file *file, const spec_node *value, void *target) {
    return spec_read_history(file, value, ((sweep *)target)->spec);
}

static bool read_figure(spec_file *file, const spec_node *value, void *target) {
    return spec_read_figure(file, value, &((sweep *)target)->spec->figure);
}

static const spec_key sweep_keys[] = {
    {"title", false, "title: Zigzag coupling", read_title},
    {"system", true, "system: planar", read_system},
    {"schemes", true, "schemes: [zigzag]", read_schemes},
    {"method", false, "method: rk4", read_method},
    {"substeps", false, "substeps: 1", read_substeps},
    {"axes", false, "axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}", read_axes},
    {"history", false, "history: {matrix: [0, 1, -1, -0.1], h: 0.1, x0: [1, 0], until: 20}", read_history},
    {"fields", false, "fields: [class]", read_fields},
    {"refine", false, "refine: true", read_refine},
    {"figure", false, "figure: {kind: regions}", read_figure},
};

/* What ties the parts together; looked at only where the parts themselves are fine. */

static void check_substeps(spec_file *file, const sweep *s) {
    const costab_sweep_spec *spec = s->spec;
    if (s->schemes == NULL || s->substeps == NULL || spec->substeps[0] == spec->substeps[1]) return;
    for (int i = 0; i < spec->scheme_count; i++)
        if (spec->schemes[i] == COSTAB_SIMULATION)
            spec_complain(
                file, s->substeps,
                "substeps: the simulation has one solver; give one number of micro steps, not %d and %d",
                spec->substeps[0], spec->substeps[1]);
}

/* The simulation alone does not depend on a; then a missing axis is the one value 0. */
static bool complete_a(spec_file *file, sweep *s) {
    costab_sweep_spec *spec = s->spec;
    if (s->axes == NULL || s->schemes == NULL) return false;
    if (spec->a.count > 0) return true;
    if (spec->scheme_count > 1 || spec->schemes[0] != COSTAB_SIMULATION) {
        spec_complain(file, s->axes,
                      "axes: the key 'a' is missing; every scheme but the simulation needs it; write for "
                      "instance '%s'",
                      axes_keys[0].example);
        return false;
    }
    spec->a.values = memory_alloc(1, sizeof *spec->a.values);
    if (spec->a.values == NULL) {
        file->memory_failed = true;
        return false;
    }
    spec->a.count = 1;
    return true;
}

/* A grid has gamma and delta; areas alone may do without both. */
static bool check_grid(spec_file *file, const spec_node *axes, const costab_sweep_spec *spec) {
    enum { GAMMA = 1, DELTA = 2 }; /* places in the table of keys */
    const spec_node *gamma = spec_find(file, axes, axes_keys[GAMMA].name);
    const spec_node *delta = spec_find(file, axes, axes_keys[DELTA].name);
    if (spec->fields == COSTAB_FIELD_AREAS && gamma == NULL && delta == NULL) return true;
    const spec_node *found[] = {[GAMMA] = gamma, [DELTA] = delta};
    for (int k = GAMMA; k <= DELTA; k++)
        if (found[k] == NULL)
            spec_complain(file, axes, "axes: the key '%s' is missing; write for instance '%s'",
                          axes_keys[k].name, axes_keys[k].example);
    return gamma != NULL && delta != NULL;
}

/* A spec has axes or a history; a history has no fields. */
static void check_subject(spec_file *file, const spec_node *root, const sweep *s) {
    const spec_node *axes = spec_find(file, root, "axes"), *history = spec_find(file, root, "history");
    if (root->kind != SPEC_MAPPING) return;
    if (axes == NULL && history == NULL)
        spec_complain(file, root, "spec: the key 'axes' is missing; write for instance '%s'",
                      "axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}");
    if (axes != NULL && history != NULL)
        spec_complain(file, history, "history: a time history has no axes; give one of the two");
    if (history != NULL && s->fields != NULL)
        spec_complain(file, s->fields, "fields: a time history has no fields; leave the key out");
}

static void read_tree(spec_file *file, const spec_node *root, costab_sweep_spec *spec) {
    sweep s = {.spec = spec};
    const spec_node *system = spec_find(file, root, "system");
    if (system != NULL && spec_is(file, system, "network")) {
        spec_complain(file, system,
                      "system: this version sweeps planar systems only; write 'system: planar'");
        return;
    }
    spec_read_mapping(file, root, "spec", sweep_keys, sizeof sweep_keys / sizeof sweep_keys[0], &s);
    check_subject(file, root, &s);
    check_substeps(file, &s);
    bool complete = spec->case_count > 0;
    const spec_node *axes = spec_find(file, root, "axes");
    if (!complete && axes != NULL) {
        bool grid = check_grid(file, axes, spec);
        complete = complete_a(file, &s) && grid;
    }
    if (spec->case_count > 0) spec->fields = 0;
}

/* Making and freeing */

static void name_axis(costab_axis *axis, const char *name, const char *long_name) {
    memcpy(axis->name, name, strlen(name) + 1);
    axis->long_name = long_name;
}

static costab_status create(const char *path, const char *bytes, size_t size, costab_sweep_spec **created,
                            costab_error *error) {
    costab_sweep_spec *spec = *created = memory_alloc(1, sizeof *spec);
    if (spec == NULL) return error_memory(error);
    spec->path = memory_copy(path);
    spec->text = memory_copy_n(bytes, size);
    if (spec->path == NULL || spec->text == NULL) return error_memory(error);
    spec->text_size = size;
    spec->substeps[0] = spec->substeps[1] = 1;
    spec->fields = COSTAB_FIELD_CLASS;
    name_axis(&spec->a, "a", "partition parameter a, scaled by the macro step");
    name_axis(&spec->gamma, "gamma", "trace of the scaled system matrix");
    name_axis(&spec->delta, "delta", "determinant of the scaled system matrix");
    return costab_method_find("rk4", &spec->method, error);
}

static costab_status read_into(costab_sweep_spec *spec, costab_error *error) {
    spec_file file = {.path = spec->path};
    const spec_node *root = spec_load(&file, spec->path, spec->text, spec->text_size);
    if (root != NULL && !file.memory_failed) read_tree(&file, root, spec);
    if (spec->title == NULL && !file.memory_failed) {
        spec->title = memory_copy("");
        file.memory_failed = spec->title == NULL;
    }
    costab_status status = spec_finish(&file, error);
    spec_file_free(&file);
    return status;
}

costab_status costab_sweep_spec_parse(const char *path, const char *bytes, size_t size,
                                      costab_sweep_spec **spec, costab_error *error) {
    *spec = NULL;
    if (size > SPEC_SIZE_MAX)
        return error_set(error, COSTAB_INVALID, "%s:1:1: error: the file is longer than %zu bytes", path,
                         SPEC_SIZE_MAX);
    costab_status status = create(path, bytes, size, spec, error);
    if (status == COSTAB_OK) status = read_into(*spec, error);
    if (status != COSTAB_OK) costab_sweep_spec_destroy(spec);
    return status;
}

costab_status costab_sweep_spec_read(const char *path, costab_sweep_spec **spec, costab_error *error) {
    text content = {0};
    *spec = NULL;
    costab_status status = text_read_file(path, SPEC_SIZE_MAX, &content, error);
    if (status == COSTAB_OK) status = costab_sweep_spec_parse(path, content.data, content.size, spec, error);
    text_free(&content);
    return status;
}

void costab_sweep_spec_destroy(costab_sweep_spec **spec) {
    if (spec == NULL || *spec == NULL) return;
    costab_sweep_spec *s = *spec;
    memory_free(s->path);
    memory_free(s->text);
    memory_free(s->title);
    costab_figure_clear(&s->figure);
    memory_free(s->a.values);
    memory_free(s->gamma.values);
    memory_free(s->delta.values);
    memory_free(s);
    *spec = NULL;
}

costab_status costab_sweep_spec_planar(const costab_sweep_spec *spec, int scheme_index, costab_planar *planar,
                                       costab_error *error) {
    if (scheme_index < 0 || scheme_index >= spec->scheme_count)
        return error_set(error, COSTAB_INVALID, "the spec has %d schemes; there is none of number %d",
                         spec->scheme_count, scheme_index);
    return costab_planar_init(planar, spec->schemes[scheme_index], &spec->method, spec->substeps[0],
                              spec->substeps[1], error);
}
