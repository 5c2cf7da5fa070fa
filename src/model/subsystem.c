/* Reads the subsystems of a model: matrices, functions f and g, or an FMU.
 * 1. The entry's keys become nodes (model_nodes). Keys that the kind of subsystem excludes are errors.
 * 2. Matrices are measured and compared with each other and with the names of states and ports before their
 *    numbers go into slots. f and g: names of states, inputs, parameters and t, all distinct; an expression
 *    for each derivative and output, as a formula's tape; the operating point (point.c). The subsystem has a
 *    matrix D if an output's expression contains an input. FMU: foreign.c.
 * 3. The start; method, micro steps and stride; positions and velocities as pairs of states.
 * 4. Discrete-time system (Ad, Bd, Cd, Dd): the matrices of costab_subsystem, whose states are followed by
 *    outputs; the sample time.
 * If states and ports of a subsystem are unknown after an error, its keys that depend on them are not
 * checked. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "method/method.h"
#include "model/body.h"

/* ---- Nonlinear subsystems ---- */

/* Returns the scope of a nonlinear subsystem's equations; the last local variable is t. */
static formula_scope local_scope(const costab_model *model, const model_subsystem *s) {
    return (formula_scope){model->body->parameter_names, s->local_names, model->parameter_count,
                           s->states + s->inputs + 1};
}

/* Collects the names in f and g and reports ambiguous ones. */
static bool gather_names(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    int count = 0;
    bool fine = true;
    size_t variables = (size_t)s->states + (size_t)s->inputs + 1;
    if (variables > r->body->longest_row) r->body->longest_row = variables;
    s->local_names = model_alloc(r, variables, sizeof *s->local_names);
    if (s->local_names == NULL) return false;
    for (int i = 0; i < s->states; i++) s->local_names[count++] = s->state_names[i];
    for (int i = 0; i < s->inputs; i++) s->local_names[count++] = s->input_names[i];
    for (int i = 0; i < count; i++) {
        const char *name = s->local_names[i], *twin = NULL;
        for (int k = s->states; i < s->states && k < count && twin == NULL; k++)
            if (strcmp(name, s->local_names[k]) == 0) twin = "an input";
        for (int k = 0; k < r->model->parameter_count && twin == NULL; k++)
            if (strcmp(name, r->model->parameters[k].name) == 0) twin = "a parameter";
        if (twin == NULL) continue;
        spec_complain(r->file, i < s->states ? nodes->states : nodes->inputs,
                      "subsystem '%s': '%s' is %s and %s; names in f and g must differ", s->name, name,
                      i < s->states ? "a state" : "an input", twin);
        fine = false;
    }
    s->local_names[count] = "t";
    return fine;
}

static bool read_function(model_reader *r, model_subsystem *s, const spec_node *node, const char *key,
                          int count, model_formula *equations) {
    char what[MODEL_WHAT_MAX];
    snprintf(what, sizeof what, "subsystem '%s', %s", s->name, key);
    if (node == NULL)
        return count == 0 ||
               spec_complain(r->file, s->node,
                             "subsystem '%s': the key '%s' is missing; it needs %d expression%s", s->name,
                             key, count, count == 1 ? "" : "s");
    if (node->kind == SPEC_LIST && node->size != (uint32_t)count)
        return spec_complain(r->file, node, "%s: expected %d expression%s, one per %s, found %u%s", what,
                             count, count == 1 ? "" : "s", key[0] == 'f' ? "state" : "output",
                             (unsigned)node->size, spec_divided(r->file, node));
    if (node->kind == SPEC_LIST && count == 0) return true;
    if (!spec_list(r->file, node, what, 0)) return false;
    formula_scope scope = local_scope(r->model, s);
    bool fine = true;
    int i = 0;
    SPEC_EACH(item, r->file, node) {
        model_formula *equation = &equations[i++];
        snprintf(what, sizeof what, "subsystem '%s', %s(%d)", s->name, key, i);
        if (!model_expression(r, item, what, &scope, equation)) fine = false;
        model_set_join(&s->uses, &equation->uses);
    }
    return fine;
}

static void refuse_matrices(model_reader *r, const model_subsystem *s, const model_nodes *nodes) {
    for (int k = 0; k < MODEL_MATRICES; k++)
        if (nodes->matrices[k] != NULL)
            spec_complain(
                r->file, nodes->matrices[k],
                "subsystem '%s': it has functions f and g; the matrix %c cannot be combined with them",
                s->name, "ABCD"[k]);
}

/* Returns true if an output depends directly on an input. */
static bool has_feedthrough(const model_subsystem *s) {
    for (int i = 0; i < s->outputs; i++)
        for (int k = 0; k < s->inputs; k++)
            if (formula_uses(&s->equations[s->states + i].tape, FORMULA_LOCAL, s->states + k)) return true;
    return false;
}

static void read_equations(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    const spec_node *point = nodes->operating_point, *place = point != NULL ? point : nodes->node;
    s->point_place = (model_place){r->path, place->line, place->column};
    refuse_matrices(r, s, nodes);
    if (s->ports_unknown) return;
    s->ports_unknown = true;
    s->equations = model_alloc(r, (size_t)s->states + (size_t)s->outputs, sizeof *s->equations);
    if (s->equations == NULL || !gather_names(r, s, nodes)) return;
    s->point = model_slots(r, s->states + s->inputs);
    if (s->point < 0) return;
    bool fine = read_function(r, s, nodes->f, "f", s->states, s->equations);
    fine = read_function(r, s, nodes->g, "g", s->outputs, s->equations + s->states) && fine;
    fine = model_read_point(r, s, point) && fine;
    s->ports_unknown = false; /* the ports are known */
    if (!fine) return;
    s->A = model_slots(r, s->states * s->states);
    s->B = model_slots(r, s->states * s->inputs);
    s->C = model_slots(r, s->outputs * s->states);
    if (has_feedthrough(s)) s->D = model_slots(r, s->outputs * s->inputs);
}

/* ---- All subsystems ---- */

static const spec_key subsystem_keys[] = {
    {"name", true, "name: plant",
     "without blanks and the signs . , :", SPEC_VALUE(SPEC_NODE, model_nodes, name)},
    {"fmu", false, "fmu: plant.fmu",
     "instead of matrices: a functional mock-up unit of FMI 2.0 or 3.0, relative to this file; its ports are all continuous inputs and outputs, unless `inputs` and `outputs` name them; see docs/how-to/fmu.md",
     SPEC_VALUE(SPEC_NODE, model_nodes, fmu)},
    {"kind", false, "kind: model-exchange",
     "with fmu. model-exchange: the states and equations of the FMU, linearised at the operating point (default: its start values); simulations call the FMU itself, up to its first event (with method: exact they use its linearisation around 0). co-simulation: the FMU has its own solver, without the keys method, step and substeps, and its map is measured; all couplings then need the same macro step",
     SPEC_VALUE(SPEC_NODE, model_nodes, kind)},
    {"start", false, "start: {k: 10}",
     "with fmu: parameters and start values, set before its initialisation; expressions in the model's parameters",
     SPEC_VALUE(SPEC_NODE, model_nodes, start)},
    {"tolerance", false, "tolerance: 1e-9",
     "with fmu: relative tolerance of its own solver, instead of the default in its description",
     SPEC_VALUE(SPEC_NODE, model_nodes, tolerance)},
    {"A", false, "A: [[0, 1], [-k/m, -b/m]]",
     "x' = A x + B u, y = C x + D u: rows of numbers, or a mapping of a file and a name; missing matrices are zero",
     SPEC_VALUE(SPEC_NODE, model_nodes, matrices[0])},
    {"B", false, "B: [[0], [1/m]]", "see A", SPEC_VALUE(SPEC_NODE, model_nodes, matrices[1])},
    {"C", false, "C: [[0, 1]]", "see A", SPEC_VALUE(SPEC_NODE, model_nodes, matrices[2])},
    {"D", false, "D: [[0]]", "see A", SPEC_VALUE(SPEC_NODE, model_nodes, matrices[3])},
    {"Ad", false, "Ad: [[1]]",
     "instead of A, B, C and D: a discrete-time system, such as a digital controller. At each multiple k of sample_time x(k+1) = Ad x(k) + Bd u(k), y(k) = Cd x(k) + Dd u(k); the output is held in between. u(k) are the values just before the sample. It has no method, step or substeps. [Digital controllers](../how-to/own-model.md#digital-controllers) tells more",
     SPEC_VALUE(SPEC_NODE, model_nodes, discrete[0])},
    {"Bd", false, "Bd: [[Ki*Ts]]", "see Ad", SPEC_VALUE(SPEC_NODE, model_nodes, discrete[1])},
    {"Cd", false, "Cd: [[1]]", "see Ad", SPEC_VALUE(SPEC_NODE, model_nodes, discrete[2])},
    {"Dd", false, "Dd: [[Kp]]", "see Ad", SPEC_VALUE(SPEC_NODE, model_nodes, discrete[3])},
    {"sample_time", false, "sample_time: 0.001",
     "with Ad, Bd, Cd, Dd: the time from sample to sample. The ratio of macro step and sample time has to be a fraction of small whole numbers, such as 1/10 or 2",
     SPEC_VALUE(SPEC_NODE, model_nodes, sample_time)},
    {"computation_delay", false, "computation_delay: 1",
     "with Ad, Bd, Cd, Dd: 0, the output of a sample appears at once, or 1, it appears at the next sample (0)",
     SPEC_VALUE(SPEC_NODE, model_nodes, computation_delay)},
    {"states", false, "states: [x, v]", "names of the states: with f and g, or with matrices",
     SPEC_VALUE(SPEC_NODE, model_nodes, states)},
    {"f", false, "f: [v, (F - b*v - k*x^3)/m]",
     "instead of matrices: x', expressions in states, inputs, parameters and t. If a derivative depends on t, as in cos(t)*x, only simulate runs the model, and commands about stability refuse it. An added function of t is allowed",
     SPEC_VALUE(SPEC_NODE, model_nodes, f)},
    {"g", false, "g: [v]", "instead of matrices: y, expressions likewise",
     SPEC_VALUE(SPEC_NODE, model_nodes, g)},
    {"operating_point", false, "operating_point: {x: 1, v: 0}",
     "for the analysis of f, g and FMUs; missing values are 0, of an FMU its own start values. A warning reports the misfit if it does not fit the connections. solve: true: an equilibrium of the whole network is searched from these values, separately for every set of parameters; subsystems without this key keep their values. inputs: given: the inputs keep their values as well. If f or g has no derivatives there, at a corner of abs, min, max, sign or rint, this is an error",
     SPEC_VALUE(SPEC_NODE, model_nodes, operating_point)},
    {"x0", false, "x0: [5, 0]", "the start of a simulation", SPEC_VALUE(SPEC_NODE, model_nodes, x0)},
    {"inputs", false, "inputs: [force]", "names of the inputs", SPEC_VALUE(SPEC_NODE, model_nodes, inputs)},
    {"outputs", false, "outputs: [speed]", "names of the outputs",
     SPEC_VALUE(SPEC_NODE, model_nodes, outputs)},
    {"method", false, "method: rk4", "a method, below", SPEC_VALUE(SPEC_NODE, model_nodes, method)},
    {"step", false, "step: 0.01",
     "length of the micro step; for an FMU for co-simulation the step of its own solver, whose multiples are the only macro steps",
     SPEC_VALUE(SPEC_NODE, model_nodes, step)},
    {"substeps", false, "substeps: 10",
     "instead of step: the number of micro steps per step of the subsystem",
     SPEC_VALUE(SPEC_NODE, model_nodes, substeps)},
    {"stride", false, "stride: 2",
     "number of macro steps between its exchanges of signals; it is advanced over all of them at once (1); with jacobi and gauss-seidel ([who sees which value](../how-to/own-model.md#strides-subsystems-that-exchange-signals-less-often))",
     SPEC_VALUE(SPEC_NODE, model_nodes, stride)},
    {"positions", false, "positions: [x]",
     "states q with q' = v, by name (x1, x2, ... without the key states); with f the derivative of each must be its velocity",
     SPEC_VALUE(SPEC_NODE, model_nodes, positions)},
    {"velocities", false, "velocities: [v]", "states v, as many as positions",
     SPEC_VALUE(SPEC_NODE, model_nodes, velocities)},
};
const spec_keys spec_subsystem_keys = {SPEC_TABLE(subsystem_keys)};

static void words(const model_subsystem *s, const char *key, char what[MODEL_WHAT_MAX]) {
    snprintf(what, MODEL_WHAT_MAX, "subsystem '%s', %s", s->name, key);
}

static bool read_names(model_reader *r, const model_subsystem *s, const spec_node *node, const char *key,
                       model_name_kind kind, char ***names, int *count) {
    char what[MODEL_WHAT_MAX];
    words(s, key, what);
    return model_names(r, node, what, kind, s->name, names, count);
}

static bool read_name(model_reader *r, model_subsystem *s, const spec_node *node) {
    char number[24];
    bool fine = node != NULL && model_name(r, node, "subsystem, name", MODEL_LABEL, &s->name);
    for (int i = 0; fine && i < r->body->subsystem_count; i++)
        if (strcmp(r->body->subsystems[i].name, s->name) == 0)
            fine =
                spec_complain(r->file, node, "subsystem, name: two subsystems have the name '%s'", s->name);
    snprintf(number, sizeof number, "number %d", r->body->subsystem_count + 1);
    if (s->name == NULL) s->name = model_copy(r, number);
    s->nameless = !fine;
    return fine;
}

/* ---- Matrices ---- */

enum { A, B, C, D, MATRICES };
static const char *const letters[2][MATRICES] = {{"A", "B", "C", "D"}, {"Ad", "Bd", "Cd", "Dd"}};

static const char *letter(const model_subsystem *s, int which) {
    return letters[s->discrete][which];
}

typedef struct matrices {
    model_matrix m[MATRICES];
    bool there[MATRICES], fine[MATRICES];
} matrices;

/* Returns the number of states, from their names or from the first of A, B and C. */
static int count_states(const model_subsystem *s, const matrices *all) {
    if (s->states > 0) return s->states;
    if (all->fine[A]) return all->m[A].rows;
    if (all->fine[B]) return all->m[B].rows;
    return all->fine[C] ? all->m[C].columns : 0;
}

static bool fits(model_reader *r, const model_subsystem *s, const model_matrix *m, int which, int rows,
                 int columns) {
    static const char *const by[MATRICES][2] = {
        {"states", "states"}, {"states", "inputs"}, {"outputs", "states"}, {"outputs", "inputs"}};
    const char *key = columns == 0 ? by[which][1] : rows == 0 ? by[which][0] : "states";
    bool absent = key[0] != 's' && spec_find(r->file, s->node, key) == NULL;
    return (m->rows == rows && m->columns == columns) ||
           spec_complain(r->file, m->node,
                         "subsystem '%s', %s: expected %d x %d numbers (%s x %s), found %d x %d%s%s%s",
                         s->name, letter(s, which), rows, columns, by[which][0], by[which][1], m->rows,
                         m->columns, absent ? "; the key '" : "", absent ? key : "",
                         absent ? "' is missing" : "");
}

static bool missing(model_reader *r, const model_subsystem *s, int which, int rows, int columns) {
    return which == D || rows == 0 || columns == 0 ||
           spec_complain(r->file, s->node, "subsystem '%s': the key '%s' is missing: a matrix of %d x %d",
                         s->name, letter(s, which), rows, columns);
}

/* First slots of matrices, and the slots from row to row of each. */
typedef struct matrix_places {
    int slot[MATRICES], stride[MATRICES];
} matrix_places;

/* Makes the matrices of a discrete-time system as costab_subsystem describes them. [out] places: slots for
 * the numbers of the file. */
static void place_discrete(model_reader *r, model_subsystem *s, matrix_places *places) {
    int n = s->own, m = s->inputs, q = s->outputs, all = s->states = n + (1 + s->delay) * q;
    int computed = n + s->delay * q; /* the first state that takes the outputs of a sample */
    s->A = model_slots(r, all * all);
    s->B = model_slots(r, all * m);
    s->C = model_slots(r, q * all);
    if (s->A < 0 || s->B < 0 || s->C < 0) return;
    *places = (matrix_places){.slot = {s->A, s->B, s->A + computed * all, s->B + computed * m},
                              .stride = {all, m, all, m}};
    for (int i = 0; i < q; i++) {
        r->body->slots[s->C + i * all + n + i] = 1;
        if (s->delay > 0) r->body->slots[s->A + (n + i) * all + computed + i] = 1;
    }
}

static bool place_matrices(model_reader *r, model_subsystem *s, matrices *all) {
    int n = s->own = s->states = count_states(s, all);
    int rows[MATRICES] = {n, n, s->outputs, s->outputs}, columns[MATRICES] = {n, s->inputs, n, s->inputs};
    int *slots[MATRICES] = {&s->A, &s->B, &s->C, &s->D};
    bool fine = true;
    matrix_places places = {.slot = {-1, -1, -1, -1}};
    if (s->discrete) place_discrete(r, s, &places);
    for (int k = 0; k < MATRICES; k++) {
        char what[MODEL_WHAT_MAX];
        words(s, letter(s, k), what);
        bool there = all->there[k];
        if (!there)
            fine = missing(r, s, k, rows[k], columns[k]) && fine;
        else if (!all->fine[k] || !fits(r, s, &all->m[k], k, rows[k], columns[k]))
            fine = false;
        else if (s->discrete)
            fine = model_matrix_fill(r, &all->m[k], what, places.slot[k], places.stride[k]) && fine;
        else
            fine = model_matrix_fill(r, &all->m[k], what, *slots[k] = model_slots(r, rows[k] * columns[k]),
                                     columns[k]) &&
                   fine;
    }
    if (n > 0 || s->ports_unknown || all->there[D] || s->outputs == 0) return fine;
    return spec_complain(
        r->file, s->node,
        "subsystem '%s': it has neither states nor D; give A, B and C, or D, or states, f and g", s->name);
}

static bool read_matrices(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    matrices all = {.there = {false}};
    for (int k = 0; k < MATRICES; k++) {
        char what[MODEL_WHAT_MAX];
        const spec_node *node = s->discrete ? nodes->discrete[k] : nodes->matrices[k];
        words(s, letter(s, k), what);
        all.there[k] = node != NULL;
        all.fine[k] = node != NULL && model_matrix_measure(r, node, what, &all.m[k]);
    }
    bool fine = !s->ports_unknown;
    for (int k = 0; k < MATRICES; k++) fine = fine && (all.fine[k] || !all.there[k]);
    /* Unreadable ports would only cause misleading errors of the matrices. */
    if (!s->ports_unknown) fine = place_matrices(r, s, &all) && fine;
    for (int k = 0; k < MATRICES; k++) model_matrix_free(&all.m[k]);
    return fine;
}

/* ---- Further keys ---- */

static void read_start(model_reader *r, model_subsystem *s, const spec_node *node) {
    char what[MODEL_WHAT_MAX];
    if (node == NULL || s->ports_unknown) return;
    words(s, "x0", what);
    const int states = s->discrete ? s->own : s->states;
    if (node->kind == SPEC_LIST && node->size != (uint32_t)states) {
        spec_complain(r->file, node, "%s: expected %d numbers, one per state, found %u", what, states,
                      (unsigned)node->size);
        return;
    }
    if (!spec_list(r->file, node, what, 0)) return;
    s->x0 = model_slots(r, s->states);
    int i = 0;
    SPEC_EACH(item, r->file, node) {
        snprintf(what, sizeof what, "subsystem '%s', x0(%d)", s->name, ++i);
        if (s->x0 >= 0) model_number(r, item, what, MODEL_ANY, s->x0 + i - 1);
    }
}

/* Reads a list of states. Returns their indices; NULL if the key is absent or invalid. */
static int *read_states(model_reader *r, const model_subsystem *s, const spec_node *node, const char *key,
                        int *count) {
    char what[MODEL_WHAT_MAX], **names = NULL;
    int *numbers = NULL, found = 0;
    words(s, key, what);
    if (node == NULL || s->ports_unknown) return NULL;
    bool fine = model_names(r, node, what, MODEL_LABEL, NULL, &names, &found);
    if (fine) numbers = model_alloc(r, (size_t)found + 1, sizeof *numbers);
    for (int i = 0; i < found && numbers != NULL; i++) {
        numbers[i] = model_find_state(s, names[i]);
        if (numbers[i] >= 0) continue;
        spec_complain(r->file, node, "%s: subsystem '%s' has no state '%s'", what, s->name, names[i]);
        numbers[i] = 0;
    }
    model_free_names(names, found);
    *count = found;
    return numbers;
}

/* Reads positions and velocities, equally many. */
static void read_pairs(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    int positions = 0, velocities = 0;
    s->positions = read_states(r, s, nodes->positions, "positions", &positions);
    s->velocities = read_states(r, s, nodes->velocities, "velocities", &velocities);
    const spec_node *node = nodes->velocities != NULL ? nodes->velocities : nodes->positions;
    if (node != NULL && !s->ports_unknown && positions != velocities)
        spec_complain(r->file, node,
                      "subsystem '%s': %d positions and %d velocities; as many of each are needed", s->name,
                      positions, velocities);
    else if (s->positions != NULL && s->velocities != NULL)
        s->pairs = positions;
    if (costab_method_paired(&s->method) && node == NULL)
        spec_complain(r->file, nodes->method,
                      "subsystem '%s': %s needs positions and velocities: positions: [x], velocities: [v]",
                      s->name, s->method.name);
}

static void read_steps(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    char what[MODEL_WHAT_MAX];
    const spec_node *step = nodes->step, *substeps = nodes->substeps, *method = nodes->method;
    const spec_node *place = step != NULL ? step : nodes->node;
    costab_error error;
    s->step_place = (model_place){r->path, place->line, place->column};
    if (method != NULL)
        spec_read_solver(r->file, method, &s->method);
    else if (!s->sampled && costab_method_find("rk4", &s->method, &error) == COSTAB_MEMORY)
        r->memory_failed = true;
    if (s->equations != NULL && method != NULL && s->method.kind == COSTAB_EXACT)
        spec_complain(r->file, method,
                      "subsystem '%s': a nonlinear subsystem has no exact solver; take rk4 or another method",
                      s->name);
    if (step != NULL && substeps != NULL)
        spec_complain(r->file, substeps,
                      "subsystem '%s': step and substeps say the same thing; give one of them", s->name);
    if (nodes->stride != NULL) {
        words(s, "stride", what);
        model_number(r, nodes->stride, what, MODEL_STRIDE, s->stride = model_slots(r, 1));
    }
    if (s->sampled) {
        if (nodes->stride == NULL) r->body->slots[s->stride = model_slots(r, 1)] = 1;
        words(s, "step", what);
        if (step != NULL) model_number(r, step, what, MODEL_POSITIVE, s->step = model_slots(r, 1));
        return;
    }
    int slot = model_slots(r, 1);
    if (slot < 0) return;
    words(s, step != NULL ? "step" : "substeps", what);
    if (step != NULL)
        model_number(r, step, what, MODEL_POSITIVE, s->step = slot);
    else if (substeps != NULL)
        model_number(r, substeps, what, MODEL_SUBSTEPS, s->substeps = slot);
    else
        r->body->slots[s->substeps = slot] = 1;
}

/* ---- Discrete-time systems ---- */

/* Names all states: those of the file, or x1, x2, ...; then the held value of each output; then, with
 * computation delay, the next value of each output. */
static void name_states(model_reader *r, model_subsystem *s) {
    char **names = model_alloc(r, (size_t)s->states + 1, sizeof *names), usual[24];
    for (int i = 0; i < s->states && names != NULL; i++) {
        text_local name = {0};
        int output = (i - s->own) % (s->outputs > 0 ? s->outputs : 1);
        if (i < s->own)
            text_append(&name, model_state_name(s, i, usual));
        else
            text_printf(&name, "%s_%s", s->output_names[output], i - s->own < s->outputs ? "held" : "next");
        names[i] = name.failed ? NULL : model_copy(r, name.data);
        if (names[i] == NULL) r->memory_failed = true;
    }
    model_free_names(s->state_names, s->state_names != NULL ? s->own : 0);
    s->state_names = names;
}

/* Reports keys that a discrete-time system excludes. */
static bool refuse_continuous(model_reader *r, const model_subsystem *s, const model_nodes *nodes) {
    const struct {
        const char *key;
        const spec_node *node;
    } keys[] = {{"A", nodes->matrices[A]},
                {"B", nodes->matrices[B]},
                {"C", nodes->matrices[C]},
                {"D", nodes->matrices[D]},
                {"f", nodes->f},
                {"g", nodes->g},
                {"fmu", nodes->fmu},
                {"method", nodes->method},
                {"step", nodes->step},
                {"substeps", nodes->substeps},
                {"positions", nodes->positions},
                {"velocities", nodes->velocities},
                {"operating_point", nodes->operating_point}};
    bool fine = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].node != NULL)
            fine = spec_complain(
                r->file, keys[i].node,
                "subsystem '%s': a discrete-time system (Ad, Bd, Cd, Dd, sample_time) has no key "
                "'%s'; remove it",
                s->name, keys[i].key);
    return fine;
}

static bool is_discrete(const model_nodes *nodes) {
    bool found = nodes->sample_time != NULL || nodes->computation_delay != NULL;
    for (int k = 0; k < MATRICES; k++) found = found || nodes->discrete[k] != NULL;
    return found;
}

static void read_sampling(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    char what[MODEL_WHAT_MAX];
    const spec_node *given = nodes->computation_delay;
    size_t delay = 0;
    double part;
    const spec_node *place = nodes->sample_time != NULL ? nodes->sample_time : nodes->node;
    s->step_place = (model_place){r->path, place->line, place->column};
    s->method = (costab_method){.name = "discrete", .kind = COSTAB_DISCRETE};
    words(s, "computation_delay", what);
    if (given != NULL && given->kind == SPEC_SCALAR &&
        number_parse_double(spec_text(r->file, given), given->size, &part) && part > 0 && part < 1)
        (void)spec_complain(r->file, given,
                            "%s: expected 0 or 1 samples, found %g; a part of a sample is a second "
                            "discrete-time subsystem (docs/how-to/own-model.md, Digital controllers)",
                            what, part);
    else if (given != NULL)
        (void)spec_whole(r->file, given, what, 0, 1, &delay);
    s->delay = (int)delay;
    words(s, "sample_time", what);
    if (nodes->sample_time != NULL)
        model_number(r, nodes->sample_time, what, MODEL_POSITIVE, s->step = model_slots(r, 1));
    else
        spec_complain(r->file, nodes->node,
                      "subsystem '%s': the key 'sample_time' is missing: sample_time: 0.001", s->name);
    words(s, "stride", what);
    if (nodes->stride != NULL)
        model_number(r, nodes->stride, what, MODEL_STRIDE, s->stride = model_slots(r, 1));
}

/* Reports keys reserved for FMUs. */
static void refuse_foreign(model_reader *r, const model_subsystem *s, const model_nodes *nodes) {
    const spec_node *wrong = nodes->kind != NULL ? nodes->kind : nodes->start;
    if (wrong == NULL) wrong = nodes->tolerance;
    if (wrong != NULL)
        spec_complain(
            r->file, wrong,
            "subsystem '%s': 'kind', 'start' and 'tolerance' are for an FMU; the key 'fmu' is missing",
            s->name);
}

static void read_subsystem(model_reader *r, const spec_node *node, model_subsystem *s) {
    *s = (model_subsystem){.A = -1,
                           .B = -1,
                           .rise = -1,
                           .C = -1,
                           .D = -1,
                           .x0 = -1,
                           .substeps = -1,
                           .step = -1,
                           .stride = -1,
                           .point = -1,
                           .start = -1,
                           .node = node};
    model_nodes nodes = {.node = node};
    if (!spec_read_mapping(r->file, node, "subsystem", SPEC_TABLE(subsystem_keys), &nodes))
        s->ports_unknown = true;
    if (!read_name(r, s, nodes.name)) s->ports_unknown = true;
    if (s->name == NULL || node->kind != SPEC_MAPPING) return;
    bool functions = nodes.f != NULL || nodes.g != NULL;
    s->discrete = is_discrete(&nodes);
    if (s->discrete && !refuse_continuous(r, s, &nodes)) {
        s->ports_unknown = true;
        return;
    }
    if (nodes.fmu != NULL) {
        if (s->ports_unknown || !model_read_foreign(r, s, &nodes)) s->ports_unknown = true;
        if (!s->sampled) read_start(r, s, nodes.x0);
        read_steps(r, s, &nodes);
        if (!s->sampled) read_pairs(r, s, &nodes);
        return;
    }
    refuse_foreign(r, s, &nodes);
    model_name_kind kind = functions ? MODEL_VARIABLE : MODEL_LABEL;
    bool fine = read_names(r, s, nodes.states, "states", kind, &s->state_names, &s->states);
    fine = read_names(r, s, nodes.inputs, "inputs", kind, &s->input_names, &s->inputs) && fine;
    fine = read_names(r, s, nodes.outputs, "outputs", MODEL_LABEL, &s->output_names, &s->outputs) && fine;
    if (!fine) s->ports_unknown = true;
    if (s->discrete) read_sampling(r, s, &nodes);
    if (functions)
        read_equations(r, s, &nodes);
    else if (!read_matrices(r, s, &nodes))
        s->ports_unknown = s->ports_unknown || s->states == 0;
    if (!functions && nodes.operating_point != NULL)
        spec_complain(r->file, nodes.operating_point,
                      "subsystem '%s': an operating point is for functions f and g; matrices have none",
                      s->name);
    if (s->states > s->own && s->discrete) name_states(r, s);
    read_start(r, s, nodes.x0);
    if (s->discrete) return;
    read_steps(r, s, &nodes);
    read_pairs(r, s, &nodes);
}

void model_read_subsystems(model_reader *r, const spec_node *node) {
    model_body *body = r->body;
    if (!spec_list(r->file, node, "subsystems", 0)) return;
    body->subsystems = model_alloc(r, node->size, sizeof *body->subsystems);
    if (body->subsystems == NULL) return;
    long states = 0;
    SPEC_EACH(item, r->file, node) {
        model_subsystem *s = &body->subsystems[body->subsystem_count];
        read_subsystem(r, item, s);
        body->subsystem_count++;
        if (r->memory_failed || s->name == NULL) return;
        states += s->states;
    }
    if (states > MODEL_STATES_MAX)
        spec_complain(r->file, node, "subsystems: %ld states in all; at most %d are possible", states,
                      MODEL_STATES_MAX);
}
