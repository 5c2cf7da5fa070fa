/* Reads the couplings of a model: one mapping or name, or a list of them.
 * 1. Names of options go into costab_coupling by the table of keys. Numbers, possibly formulas, get slots.
 * 2. Options that the scheme does not use are errors. Stored specs of earlier versions may have them.
 * 3. The name comes from the list, or is the built-in name of the same options, or `model`.
 * 4. A name alone is a coupling of the model's file, or a built-in one. The macro step of a built-in coupling
 *    is that of the first mapping in the list, else that of the model's file, else the parameter H.
 * Conflicts with the network are found when a coupling is used (network/choices.c). */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "network/network.h"
#include "network/words.h"

/* ---- Extrapolation: a name, or weights of differences ---- */

typedef struct weight_nodes {
    const spec_node *phi, *theta, *a, *b;
} weight_nodes;

static const spec_key weight_keys[] = {
    {"phi", false, "phi: 0.5", "the input starts at y + phi (y - y1) with the last values y and y1 (0)",
     SPEC_VALUE(SPEC_NODE, weight_nodes, phi)},
    {"theta", false, "theta: 0", "the input changes by theta (y - y1) over the step (0)",
     SPEC_VALUE(SPEC_NODE, weight_nodes, theta)},
    {"a", false, "a: [0, 1]", "the same two in a list, [phi, theta]", SPEC_VALUE(SPEC_NODE, weight_nodes, a)},
    {"b", false, "b: [-1, 7/6]", "with a: the weights of the second difference y - 2 y1 + y2",
     SPEC_VALUE(SPEC_NODE, weight_nodes, b)},
};
const spec_keys spec_extrapolation_keys = {SPEC_TABLE(weight_keys)};

static bool read_pair(model_reader *r, const spec_node *node, const char *what, int slot) {
    if (!spec_list(r->file, node, what, 2)) return false;
    bool fine = true;
    SPEC_EACH(item, r->file, node) fine = model_number(r, item, what, MODEL_ANY, slot++) && fine;
    return fine;
}

void model_read_extrapolation(model_reader *r, const spec_node *node, const char *of, costab_hold *hold,
                              int *weights) {
    char what[MODEL_WHAT_MAX];
    size_t word = 0;
    weight_nodes nodes = {.phi = NULL};
    snprintf(what, sizeof what, "%s, extrapolation", of);
    if (node->kind != SPEC_MAPPING) {
        if (spec_choice(r->file, node, what, network_hold_words, COSTAB_TUNED, &word))
            *hold = (costab_hold)word;
        return;
    }
    if (!spec_read_mapping(r->file, node, what, SPEC_TABLE(weight_keys), &nodes)) return;
    bool line = nodes.phi != NULL || nodes.theta != NULL;
    if (line == (nodes.a != NULL) || (line && nodes.b != NULL)) {
        spec_complain(r->file, node, "%s: expected phi and theta, or the lists a and b", what);
        return;
    }
    *hold = nodes.b != NULL ? COSTAB_TUNED_2 : COSTAB_TUNED;
    *weights = model_slots(r, MODEL_WEIGHTS);
    if (nodes.phi != NULL) (void)model_number(r, nodes.phi, what, MODEL_ANY, *weights);
    if (nodes.theta != NULL) (void)model_number(r, nodes.theta, what, MODEL_ANY, *weights + 1);
    if (nodes.a != NULL) (void)read_pair(r, nodes.a, what, *weights);
    if (nodes.b != NULL) (void)read_pair(r, nodes.b, what, *weights + 2);
}

/* Values of a coupling's keys; NULL if a key is absent. */
typedef struct coupling_values {
    const spec_node *name, *macro_step, *extrapolation, *order, *number[COUPLING_CHOICE_COUNT];
    costab_coupling choices;
} coupling_values;

#define CHOICE(member, count, words)                                                                         \
    SPEC_VALUE(SPEC_CHOICE, coupling_values, choices.member), .most = count, .names = words

static const spec_key coupling_keys[] = {
    {"name", false, "name: fast",
     "needed in a list of couplings; figures show T_d=0.1 as a quantity and its value",
     SPEC_VALUE(SPEC_NODE, coupling_values, name)},
    {"scheme", false, "scheme: jacobi",
     "jacobi (all at once), gauss-seidel (one after the other), iterated (until nothing changes); cross, zigzag and strong of the planar system are jacobi, and gauss-seidel and iterated with linear interpolation",
     CHOICE(scheme, 2 * COSTAB_COUPLING_SCHEME_COUNT, network_scheme_words)},
    {"macro_step", true, "macro_step: 0.1", "the time between exchanges",
     SPEC_VALUE(SPEC_NODE, coupling_values, macro_step)},
    {"interpolation", false, "interpolation: constant",
     "for inputs with a known new value: constant, linear, quadratic, cubic (polynomials through 1 to 4 values) or hermite (through values and slopes)",
     CHOICE(interpolation, COSTAB_SPECTRAL, network_hold_words)},
    {"extrapolation", false, "extrapolation: constant",
     "for inputs without a known new value: the same names, spectral (phi 5/2, theta -4), or weights such as {phi: 0.5, theta: 0}",
     SPEC_VALUE(SPEC_NODE, coupling_values, extrapolation)},
    {"feedthrough", false, "feedthrough: delayed",
     "delayed: outputs use the inputs from before the exchange, as in FMI; solved: a linear system gives all inputs and outputs together",
     CHOICE(feedthrough, COSTAB_FEEDTHROUGH_COUNT, network_feedthrough_words)},
    {"order", false, "order: [plant, regulator]",
     "for gauss-seidel: a list of all subsystems (default: their order in the model)",
     SPEC_VALUE(SPEC_NODE, coupling_values, order)},
    {"iterations", false, "iterations: converged",
     "for iterated: converged, a number of sweeps, or newton, which solves for the new values even if sweeps diverge",
     SPEC_VALUE(SPEC_NODE, coupling_values, number[COUPLING_OF_iterations])},
    {"micro_steps", false, "micro_steps: whole",
     "if a micro step does not divide the macro step: whole (an error), clocks ([SP]'s Algorithm 1, exactly), real-power ([SP]'s complex powers)",
     CHOICE(micro_steps, COSTAB_MICRO_STEPS_COUNT, network_micro_step_words)},
    {"smoothed", false, "smoothed: true", "true: each extrapolation starts at the end of the previous one",
     SPEC_VALUE(SPEC_FLAG, coupling_values, choices.smoothed)},
    {"predictor", false, "predictor: linear",
     "for a number of sweeps: extrapolation for the first guess, constant to cubic",
     CHOICE(predictor, COSTAB_HERMITE, network_hold_words)},
    {"relaxation", false, "relaxation: 0.5",
     "for iterated: weight of a sweep's values in the next guess, between 0 and 2 (1)",
     SPEC_VALUE(SPEC_NODE, coupling_values, number[COUPLING_OF_relaxation])},
    {"area_correction", false, "area_correction: 0.5",
     "for jacobi with constant extrapolation, without delays and strides: corrected fraction of the last step's error of the input's integral (0)",
     SPEC_VALUE(SPEC_NODE, coupling_values, number[COUPLING_OF_area_correction])},
};
const spec_keys spec_coupling_keys = {SPEC_TABLE(coupling_keys)};

static void complain_missing(model_reader *r, const spec_node *node, const bool *seen) {
    text_local missing = {0};
    for (int s = 0; s < r->body->subsystem_count; s++)
        if (!seen[s])
            text_printf(&missing, "%s'%s'", missing.size > 0 ? ", " : "", r->body->subsystems[s].name);
    if (missing.size > 0)
        spec_complain(r->file, node, "coupling, order: it lacks %.400s; every subsystem must be in it once",
                      missing.data);
}

static void read_order(model_reader *r, const spec_node *node, model_coupling *coupling) {
    int count = r->body->subsystem_count, known = 0;
    if (!spec_list(r->file, node, "coupling, order", 0) || count == 0) return;
    bool *seen = model_alloc(r, (size_t)count, sizeof *seen), fine = true;
    coupling->order = model_alloc(r, (size_t)count, sizeof *coupling->order);
    SPEC_EACH(item, r->file, node) {
        if (r->memory_failed) break;
        char name[SPEC_WORD_MAX];
        int s = spec_word(r->file, item, "coupling, order", name)
                    ? model_find_subsystem(r, item, "coupling, order", name)
                    : -1;
        if (s >= 0 && seen[s]) {
            spec_complain(r->file, item, "coupling, order: '%s' is repeated", name);
            continue;
        }
        if (s < 0) {
            fine = false;
            continue;
        }
        seen[s] = true;
        coupling->order[known++] = s;
    }
    if (fine && !r->memory_failed) complain_missing(r, node, seen);
    memory_free(seen);
}

static double number_of(const model_coupling *coupling, const double *slots, int choice) {
    return coupling->slot[choice] >= 0 ? slots[coupling->slot[choice]] : 0;
}

void model_coupling_bind(const model_coupling *from, const double *slots, costab_coupling *to) {
    if (from->slot[COUPLING_OF_iterations] >= 0)
        to->iterations = model_whole(number_of(from, slots, COUPLING_OF_iterations));
    to->relaxation = number_of(from, slots, COUPLING_OF_relaxation);
    to->area_correction = number_of(from, slots, COUPLING_OF_area_correction);
}

static void read_number(model_reader *r, const coupling_values *nodes, model_coupling *coupling, int choice,
                        const char *what, model_range range) {
    if (nodes->number[choice] != NULL)
        model_number(r, nodes->number[choice], what, range, coupling->slot[choice] = model_slots(r, 1));
}

static void read_numbers(model_reader *r, const coupling_values *nodes, model_coupling *coupling) {
    const spec_node *step = nodes->macro_step, *iterations = nodes->number[COUPLING_OF_iterations];
    coupling->macro_step = model_slots(r, 1);
    if (step != NULL) model_number(r, step, "coupling, macro_step", MODEL_POSITIVE, coupling->macro_step);
    read_number(r, nodes, coupling, COUPLING_OF_relaxation, "coupling, relaxation", MODEL_POSITIVE);
    read_number(r, nodes, coupling, COUPLING_OF_area_correction, "coupling, area_correction", MODEL_ANY);
    if (iterations == NULL || spec_is(r->file, iterations, "converged")) return;
    if (spec_is(r->file, iterations, "newton"))
        coupling->choices.iterations = COSTAB_NEWTON;
    else
        read_number(r, nodes, coupling, COUPLING_OF_iterations,
                    "coupling, iterations (a whole number, 'converged' or 'newton')", MODEL_ITERATIONS);
}

/* Returns true if the order is that of the file. */
static bool is_listed_order(const model_coupling *coupling, int subsystems) {
    for (int i = 0; i < subsystems && coupling->order != NULL; i++)
        if (coupling->order[i] != i) return false;
    return true;
}

/* Returns the options of a coupling without those its scheme ignores. */
static costab_coupling used_choices(const model_coupling *coupling, int subsystems) {
    costab_coupling c = coupling->choices;
    /* Names are independent of these numbers. */
    if (coupling->slot[COUPLING_OF_iterations] >= 0) c.iterations = 1;
    if (coupling->slot[COUPLING_OF_relaxation] >= 0) c.relaxation = 1;
    if (coupling->slot[COUPLING_OF_area_correction] >= 0) c.area_correction = 1;
    /* Ignored by the scheme. */
    if (c.scheme == COSTAB_JACOBI) c.interpolation = COSTAB_CONSTANT;
    if (c.scheme != COSTAB_ITERATED)
        c.iterations = 0;
    else if (c.iterations <= 0)
        c.predictor = COSTAB_CONSTANT;
    if (c.scheme == COSTAB_GAUSS_SEIDEL && !is_listed_order(coupling, subsystems)) c.order = coupling->order;
    return c;
}

/* Returns true for the name of a built-in coupling. [out] *known: its options, with the macro step and the
 * clocks of `c`. */
static bool is_known(const char *name, const costab_coupling *c, costab_coupling *known) {
    *known = *c;
    return costab_coupling_find(name, known, NULL) == COSTAB_OK;
}

/* Returns the built-in name of these options, or `model`. */
static const char *usual_name(const costab_coupling *c) {
    costab_coupling known;
    for (int i = 0; i < costab_coupling_count(); i++)
        if (is_known(costab_coupling_name(i), c, &known) && coupling_same(&known, c))
            return costab_coupling_name(i);
    return "model";
}

/* Writes the options that differ from the defaults as keys of a file, numbers as in the file. */
static void put_definition(const model_reader *r, const costab_coupling *c, const coupling_values *own,
                           text *t) {
    const bool newton = c->iterations == COSTAB_NEWTON; /* costab_coupling_put_keys writes it */
    costab_coupling_put_keys(c, t);
#define WORD(member, words, count)
#define NUMBER(member)                                                                                       \
    if (own->number[COUPLING_OF_##member] != NULL &&                                                         \
        !(newton && COUPLING_OF_##member == COUPLING_OF_iterations))                                         \
        text_printf(t, ", " #member ": %.*s", (int)own->number[COUPLING_OF_##member]->size,                  \
                    spec_text(r->file, own->number[COUPLING_OF_##member]));
#define LIST(member)                                                                                         \
    if (c->member != NULL) {                                                                                 \
        text_append(t, ", " #member ": [");                                                                  \
        for (int s = 0; s < r->body->subsystem_count; s++)                                                   \
            text_printf(t, "%s%s", s > 0 ? ", " : "", r->body->subsystems[c->member[s]].name);               \
        text_append(t, "]");                                                                                 \
    }
    COUPLING_CHOICES(WORD, NUMBER, LIST)
#undef WORD
#undef NUMBER
#undef LIST
}

/* Reports a built-in name used for other options. */
static void check_meaning(model_reader *r, const spec_node *value, const char *name, const costab_coupling *c,
                          const coupling_values *own) {
    costab_coupling known;
    text_local theirs = {0}, ours = {0};
    if (r->file->stored || !is_known(name, c, &known) || coupling_same(&known, c)) return;
    costab_coupling_put_keys(&known, &theirs);
    put_definition(r, c, own, &ours);
    if (theirs.failed || ours.failed) {
        r->memory_failed = true;
        return;
    }
    const char *usual = usual_name(c);
    spec_complain(r->file, value,
                  "coupling, name: '%s' is {%s} in every model, but {%s} here; take another name, such as %s",
                  name, theirs.data, ours.data, strcmp(usual, "model") != 0 ? usual : "mine");
}

/* Complains if a coupling before the c-th has the name. */
static void check_different(model_reader *r, const spec_node *node, const char *name, int c) {
    for (int i = 0; i < c; i++)
        if (r->model->coupling_names[i] != NULL && strcmp(r->model->coupling_names[i], name) == 0)
            spec_complain(r->file, node, "coupling, name: two couplings have the name '%s'", name);
}

costab_status model_standard_coupling(const model_body *body, const char *name, int *order,
                                      costab_coupling *choices, costab_error *error) {
    memory_local costab_subsystem *subsystems = NULL;
    TRY(memory_make(&subsystems, (size_t)body->subsystem_count, error));
    for (int s = 0; s < body->subsystem_count; s++) subsystems[s].name = body->subsystems[s].name;
    const costab_network network = {.subsystems = subsystems, .subsystem_count = body->subsystem_count};
    return costab_coupling_find_ordered(name, &network, order, choices, error);
}

static costab_status set_standard(model_reader *r, const char *name, model_coupling *coupling,
                                  costab_error *error) {
    memory_local int *order = model_alloc(r, (size_t)r->body->subsystem_count, sizeof *order);
    if (order == NULL) return COSTAB_MEMORY;
    TRY(model_standard_coupling(r->body, name, order, &coupling->choices, error));
    if (coupling->choices.order != NULL) coupling->order = order, order = NULL;
    coupling->choices.order = NULL;
    return COSTAB_OK;
}

/* Stores the present form of a built-in name (costab_coupling_plain_name), which results print. */
static void keep_standard_name(model_reader *r, const spec_node *node, const char *name, int c) {
    if (costab_coupling_plain_name(name, &r->model->coupling_names[c], NULL)) r->memory_failed = true;
    if (!r->memory_failed) check_different(r, node, r->model->coupling_names[c], c);
}

/* Returns true for a mapping such as {name: jacobi-linear, macro_step: H}: a built-in name, which stands for
 * all other choices, and at most macro_step and micro_steps. The choices are then set. */
static bool is_standard(model_reader *r, const spec_node *node, const coupling_values *values,
                        model_coupling *coupling, char name[SPEC_WORD_MAX]) {
    const size_t others =
        (values->macro_step != NULL) + (size_t)(spec_find(r->file, node, "micro_steps") != NULL);
    return values->name != NULL && node->size == 1 + others &&
           spec_word(r->file, values->name, "coupling, name", name) &&
           set_standard(r, name, coupling, NULL) == COSTAB_OK;
}

static void read_name(model_reader *r, const spec_node *node, const coupling_values *values, int c,
                      bool listed) {
    char name[SPEC_WORD_MAX];
    const spec_node *value = values->name;
    const costab_coupling choices = used_choices(&r->body->couplings[c], r->body->subsystem_count);
    if (value == NULL && listed)
        spec_complain(r->file, node, "coupling: the key 'name' is missing; in a list every coupling has one");
    if (value != NULL && !spec_word(r->file, value, "coupling, name", name)) value = NULL;
    if (value != NULL && strpbrk(name, " ,") != NULL) {
        spec_complain(r->file, value, "coupling, name: '%s' cannot be a name: leave out blanks and commas",
                      name);
    } else if (value != NULL && (strcmp(name, "all") == 0)) {
        spec_complain(r->file, value, "coupling, name: 'all' stands for all couplings; take another name");
    } else if (value != NULL)
        check_meaning(r, value, name, &choices, values);
    if (value != NULL) check_different(r, value, name, c);
    r->model->coupling_names[c] = model_copy(r, value != NULL ? name : usual_name(&choices));
}

/* Sets a scheme of the planar system, which fixes the polynomials. */
static void set_planar(model_reader *r, const spec_node *node, coupling_values *nodes) {
    static const char *const fixed[] = {"interpolation", "extrapolation"};
    for (int k = 0; k < 2; k++) {
        const spec_node *value = spec_find(r->file, node, fixed[k]);
        if (value != NULL)
            spec_complain(r->file, value, "coupling, %s: the scheme '%s' fixes it; write scheme: %s",
                          fixed[k], network_scheme_words[nodes->choices.scheme],
                          network_scheme_words[(int)nodes->choices.scheme - COSTAB_COUPLING_SCHEME_COUNT]);
    }
    nodes->extrapolation = NULL;
    coupling_set_planar(&nodes->choices, (int)nodes->choices.scheme);
}

/* Complains of options that the scheme does not use. */
static void refuse_unused(model_reader *r, const spec_node *node, costab_coupling_scheme scheme) {
    static const struct {
        const char *key, *users;
        bool gauss_seidel, iterated;
    } options[] = {{"interpolation", "gauss-seidel and iterated", true, true},
                   {"order", "gauss-seidel", true, false},
                   {"iterations", "iterated", false, true},
                   {"predictor", "iterated", false, true},
                   {"relaxation", "iterated", false, true}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const spec_node *value = spec_find(r->file, node, options[k].key);
        if (value == NULL || (scheme == COSTAB_GAUSS_SEIDEL && options[k].gauss_seidel) ||
            (scheme == COSTAB_ITERATED && options[k].iterated))
            continue;
        spec_complain(r->file, value, "coupling, %s: %s has no such option, only %s; leave it out",
                      options[k].key, network_scheme_words[scheme], options[k].users);
    }
}

/* Makes the c-th coupling, without choices and numbers. */
static model_coupling *begin(model_reader *r, const spec_node *node, int c) {
    model_coupling *coupling = &r->body->couplings[c];
    *coupling =
        (model_coupling){.macro_step = -1, .weights = -1, .place = {r->path, node->line, node->column}};
    for (int k = 0; k < COUPLING_CHOICE_COUNT; k++) coupling->slot[k] = -1;
    return coupling;
}

static void read_coupling(model_reader *r, const spec_node *node, int c, bool listed) {
    model_coupling *coupling = begin(r, node, c);
    coupling_values nodes = {.name = NULL};
    char name[SPEC_WORD_MAX];
    spec_read_mapping(r->file, node, "coupling", SPEC_TABLE(coupling_keys), &nodes);
    if ((int)nodes.choices.scheme >= COSTAB_COUPLING_SCHEME_COUNT) set_planar(r, node, &nodes);
    coupling->choices = nodes.choices;
    if (is_standard(r, node, &nodes, coupling, name)) {
        coupling->slots = r->body->slot_count;
        read_numbers(r, &nodes, coupling);
        coupling->slots_end = r->body->slot_count;
        keep_standard_name(r, nodes.name, name, c);
        return;
    }
    if (!r->file->stored) refuse_unused(r, node, nodes.choices.scheme);
    if (nodes.order != NULL) read_order(r, nodes.order, coupling);
    coupling->slots = r->body->slot_count;
    if (nodes.extrapolation != NULL)
        model_read_extrapolation(r, nodes.extrapolation, "coupling", &coupling->choices.extrapolation,
                                 &coupling->weights);
    read_numbers(r, &nodes, coupling);
    coupling->slots_end = r->body->slot_count;
    read_name(r, node, &nodes, c, listed);
}

/* ---- Names alone ---- */

/* Returns the first mapping of a coupling or list of couplings that has the key, with this value unless it is
 * NULL; NULL if there is none. */
static const spec_node *find_with(const spec_file *file, const spec_node *node, const char *key,
                                  const char *value) {
    if (node == NULL) return NULL;
    SPEC_EACH_OF(item, file, node) {
        const spec_node *found = spec_find(file, item, key);
        if (found != NULL && (value == NULL || spec_is(file, found, value))) return item;
    }
    return NULL;
}

/* Reads the parameter H as the macro step of a coupling that is named at `node`. */
static void read_default_step(model_reader *r, const spec_node *node, int slot) {
    ends_by(spec_file_free) spec_file step = {.path = r->file->path};
    spec_file *here = r->file;
    spec_builder to = {.file = &step, .line = node->line, .column = node->column};
    if (costab_model_parameter(r->model, "H") < 0) {
        spec_complain(r->file, node,
                      "coupling: a name needs a macro step, which is the parameter H or that of a mapping "
                      "such as {scheme: jacobi, macro_step: 0.1}; neither is there");
        return;
    }
    spec_add_word(&to, "H");
    r->memory_failed = r->memory_failed || step.memory_failed;
    if (r->memory_failed) return;
    r->file = &step;
    (void)model_number(r, spec_root(&step), "coupling, macro_step", MODEL_POSITIVE, slot);
    r->file = here;
}

/* Reads macro step and micro steps of a coupling that is named at `node` from the mapping `as` of a file. as
 * NULL: the macro step is the parameter H. */
static void read_steps(model_reader *r, const spec_node *node, spec_file *file, const spec_node *as,
                       model_coupling *coupling) {
    spec_file *here = r->file;
    coupling->macro_step = model_slots(r, 1);
    if (as == NULL) {
        read_default_step(r, node, coupling->macro_step);
        return;
    }
    const spec_node *micro_steps = spec_find(file, as, "micro_steps");
    for (int w = 0; w < COSTAB_MICRO_STEPS_COUNT && micro_steps != NULL; w++)
        if (spec_is(file, micro_steps, network_micro_step_words[w]))
            coupling->choices.micro_steps = (costab_micro_steps)w;
    model_turn_to(r, file);
    (void)model_number(r, spec_find(file, as, "macro_step"), "coupling, macro_step", MODEL_POSITIVE,
                       coupling->macro_step);
    model_turn_to(r, here);
}

/* Reads a built-in name. `list`: the couplings of the spec; `own`: those in the model's file `base`, or NULL.
 * The first mapping in either gives the steps. */
static void read_standard(model_reader *r, const spec_node *node, const char *name, int c,
                          const spec_node *list, spec_file *base, const spec_node *own) {
    model_coupling *coupling = begin(r, node, c);
    const spec_node *as = find_with(r->file, list, "macro_step", NULL);
    costab_error error;
    coupling->slots = r->body->slot_count;
    if (set_standard(r, name, coupling, &error) == COSTAB_INVALID)
        spec_complain(r->file, node, "coupling: %s", error.message);
    read_steps(r, node, as != NULL ? r->file : base,
               as != NULL ? as : find_with(base, own, "macro_step", NULL), coupling);
    coupling->slots_end = r->body->slot_count;
    keep_standard_name(r, node, name, c);
}

#define COUPLINGS_MAX 100

void model_read_couplings(model_reader *r, const spec_node *node, spec_file *base, const spec_node *own) {
    spec_file *here = r->file;
    bool listed = node->kind == SPEC_LIST;
    size_t count = listed ? node->size : 1;
    if (!spec_some(r->file, node, "coupling")) return;
    if (count > COUPLINGS_MAX) {
        spec_complain(r->file, node, "coupling: %zu; at most %d are possible", count, COUPLINGS_MAX);
        return;
    }
    r->body->couplings = model_alloc(r, count, sizeof *r->body->couplings);
    r->model->coupling_names = model_alloc(r, count, sizeof *r->model->coupling_names);
    SPEC_EACH_OF(item, here, node) {
        char name[SPEC_WORD_MAX];
        if (r->memory_failed) return;
        const int c = r->model->coupling_count++;
        if (item->kind != SPEC_SCALAR) {
            read_coupling(r, item, c, listed);
        } else if (spec_word(here, item, "coupling", name)) {
            const spec_node *named = find_with(base, own, "name", name);
            if (named == NULL) {
                read_standard(r, item, name, c, node, base, own);
                continue;
            }
            model_turn_to(r, base);
            read_coupling(r, named, c, true);
            model_turn_to(r, here);
        }
    }
}
