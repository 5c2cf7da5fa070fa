/* model/body.h - the parts of a model, and the reader that builds it.
 *
 * Every number of a model has a slot, with a constant or the value of a formula in the parameters. An
 * instance has its own copy of the slots, and costab's structures point into it. */
#pragma once

#include "costab/model.h"
#include "costab/sweep.h"
#include "formula/formula.h"
#include "model/yaml_values.h"
#include "network/words.h"

#define MODEL_PORTS_MAX  2000 /* states, inputs or outputs of a subsystem */
#define MODEL_STATES_MAX 5000 /* of all subsystems */
#define MODEL_WHAT_MAX   240

/* A set of parameters. */
typedef struct model_set {
    uint64_t words[COSTAB_PARAMETERS_MAX / 64];
} model_set;

void model_set_add(model_set *set, int parameter);
void model_set_join(model_set *set, const model_set *other);
/* Inline: this test runs for every formula at every point. */
static inline bool model_set_meets(const model_set *a, const model_set *b) {
    uint64_t common = 0;
    for (size_t i = 0; i < sizeof a->words / sizeof *a->words; i++) common |= a->words[i] & b->words[i];
    return common != 0;
}

/* Range of a slot's values. */
typedef enum model_range {
    MODEL_ANY,
    MODEL_POSITIVE,
    MODEL_NOT_NEGATIVE,
    /* Integers: */
    MODEL_SUBSTEPS,
    MODEL_DELAY,
    MODEL_ITERATIONS,
    MODEL_STRIDE,
} model_range;

/* model_is_count returns true if the range has integer values only. model_in_range returns true if the value
 * is finite and in the range; an integer may be off by rounding. [out] reason: the violated condition. */
bool model_is_count(model_range range);
bool model_in_range(model_range range, double value, char *reason, size_t reason_size);
int model_whole(double value);

/* Position in a file, for messages after the reading as well. */
typedef struct model_place {
    const char *path; /* borrowed from the model */
    uint32_t line, column;
} model_place;

/* An expression for a slot, a derived parameter, a source or an equation. */
typedef struct model_formula {
    formula_tape tape;
    char *what; /* name of the quantity, for messages */
    model_place place;
    model_set uses;
    model_range range;
    int slot;
} model_formula;

typedef struct model_subsystem {
    char *name;
    int states, inputs, outputs;
    char **state_names, **input_names, **output_names; /* state_names: NULL if the file has none */
    /* First slot of each, row-major; -1 if absent. rise: like B for the slopes of the inputs within a step,
     * for a subsystem with its own stepper. */
    int A, B, C, D, x0, rise;
    costab_method method;
    bool discrete;                      /* a discrete-time system: `step` is its sample time */
    int delay;                          /* its computation delay, 0 or 1 */
    int own;                            /* its states in the file; outputs follow them (costab_subsystem) */
    int substeps, step;                 /* slots; at least one of them is -1 */
    int stride;                         /* slot */
    model_place step_place;             /* position of the key `step`, or of the subsystem */
    int pairs, *positions, *velocities; /* state indices */
    model_formula
        *equations;          /* f, then g, in parameters, states, inputs and t; NULL for a linear subsystem */
    int point;               /* first slot of the operating point: states, then inputs */
    model_place point_place; /* its position in the file, or the subsystem's */
    bool solve;              /* its point is the start of a search for the network's operating point */
    bool solve_given;        /* `solve` comes from the subsystem's own key */
    bool inputs_given;       /* inputs keep their values in that search */
    bool *typed;             /* states and inputs with a value in the file; NULL: none */
    bool *hold;              /* states to be held if they are free; NULL: none */
    model_set uses;          /* parameters of the equations and the point */
    const char **local_names; /* names of the states, the inputs and t */
    /* For an FMU: `found` is its description (costab_foreign; NULL for a stored text), `start` the first slot
     * of the start values given to it. */
    bool foreign;         /* an FMU */
    bool feedthrough;     /* an output may depend on an input at the same instant */
    bool inputs_can_rise; /* inputs may vary within a step */
    bool sampled;         /* co-simulation: `states` is 0, `states_max` the largest state count of its map */
    int states_max;
    bool own_start; /* x0 comes from the FMU */
    bool *idle;     /* sampled: inputs and outputs outside all loops of connections */
    void *found;
    void (*free_found)(void *found);
    char *mark;            /* identifies the contents of its file; NULL: unknown */
    int start, starts;     /* number of start values */
    const spec_node *node; /* valid while the file is read */
    bool ports_unknown;    /* already reported */
    bool nameless;         /* its name is invalid */
} model_subsystem;

typedef struct model_connection {
    int from, output, to, input, gain, delay; /* gain, delay: slots */
    int delay_time;                           /* slot; -1: the delay is in macro steps */
    int dead_time;                            /* slot; -1: none */
    bool extrapolates;                        /* has its own extrapolation: */
    costab_hold hold;
    int weights;           /* as in model_coupling */
    const spec_node *node; /* while reading */
} model_connection;

typedef struct model_source {
    int subsystem, input;
    model_formula formula;
} model_source;

typedef struct model_coupling {
    costab_coupling choices;         /* without the numbers below */
    int slots, slots_end;            /* range of its numbers' slots */
    int macro_step;                  /* slot */
    int slot[COUPLING_CHOICE_COUNT]; /* slots of iterations, relaxation and similar; -1: as in choices */
    int weights;                     /* first of MODEL_WEIGHTS slots: a0, a1, b0, b1; -1: none */
    int *order;                      /* order of the subsystems; NULL: as in the file */
    model_place place;
} model_coupling;

/* Copies the numbers of the slots into a coupling with the options of `from`. */
void model_coupling_bind(const model_coupling *from, const double *slots, costab_coupling *to);

typedef struct model_body {
    double *slots; /* constants; 0 in slots of formulas */
    int slot_count, formula_count;
    size_t slot_capacity, formula_capacity;
    model_formula *formulas;          /* formulas of slots */
    size_t longest_tape, longest_row; /* doubles per evaluation; local variables of an equation */
    const char **parameter_names;     /* borrowed from the model */
    model_formula *derived;           /* one per parameter; without a tape for a plain number */
    int *derived_order;               /* derived parameters, each after the parameters it uses */
    int derived_count;
    model_subsystem *subsystems;
    int subsystem_count;
    model_connection *connections;
    int connection_count;
    costab_bond *bonds;
    int bond_count;
    model_place connections_place; /* position of the key `connections`, or of the file */
    model_source *sources;
    int source_count;
    model_coupling *couplings;    /* coupling_count of them, as in the model */
    costab_structure *structures; /* of the network, then of each single subsystem; NULL while reading, or if
                                     no tried values give numbers */
    bool solves;                  /* a subsystem's operating point is unknown */
    model_set rest_uses;          /* parameters with an effect on the operating point */
    model_place rest_place;       /* position of its key in the file */
} model_body;

#define MODEL_MATRICES 4 /* A, B, C, D; Ad, Bd, Cd, Dd */
#define MODEL_WEIGHTS  4 /* a0, a1, b0, b1 of costab_extrapolation */

/* Values of a subsystem's keys; NULL if a key is absent. */
typedef struct model_nodes {
    const spec_node *node; /* the subsystem itself */
    const spec_node *name, *matrices[MODEL_MATRICES], *discrete[MODEL_MATRICES], *states, *f, *g,
        *operating_point, *x0, *inputs, *outputs;
    const spec_node *fmu, *kind, *start, *tolerance;  /* of an FMU */
    const spec_node *sample_time, *computation_delay; /* of a discrete-time system */
    const spec_node *method, *step, *substeps, *stride, *positions, *velocities;
} model_nodes;

/* Writes a suggestion after the name of an unknown parameter, starting with "; ": the similar name, or all
 * names. Returns `words`. */
#define MODEL_MEANT_MAX 840
const char *model_meant(const costab_model *model, const char *name, char words[MODEL_MEANT_MAX]);

/* Returns the scope of the parameters. */
formula_scope model_scope(const costab_model *model);
/* Returns the scope of a source, whose local variable is t. */
formula_scope model_time_scope(const costab_model *model);

/* ---- Reading ---- */

/* Tables of keys, for the reference. */
extern const spec_keys spec_file_keys, spec_parameter_keys, spec_signal_keys, spec_subsystem_keys,
    spec_connection_keys, spec_coupling_keys, spec_extrapolation_keys, spec_tableau_keys, spec_newmark_keys,
    spec_alpha_keys, spec_nystrom_keys, spec_rest_keys;

/* Reads a method from a name or a tableau {A, b, c}. */
bool spec_read_method(spec_file *file, const spec_node *node, costab_method *method);
/* Reads a subsystem's method, including methods with structure or memory, by name or with numbers. */
bool spec_read_solver(spec_file *file, const spec_node *node, costab_method *method);

typedef struct model_reader {
    costab_model *model;
    model_body *body;
    spec_file *file;     /* file being read */
    const char *path;    /* its path; borrowed from the model */
    spec_file *first;    /* file of the spec; its key `model` may name a second file */
    spec_file *set;      /* explicitly set parameters */
    spec_file *attached; /* matrices and ports from other files, attached to the spec */
    spec_file used;      /* the attached entries in use, built by `use` */
    spec_builder use;
    int axis_count; /* axes of the sweep, if any: */
    const int *axis_parameters;
    const costab_axis *axes;
    bool steps_used; /* a field of the sweep uses the parameters H1 and H2 */
    bool memory_failed;
} model_reader;

/* Switches to another file. */
void model_turn_to(model_reader *r, spec_file *file);
/* Allocate memory; a failure is noted in the reader. */
void *model_alloc(model_reader *r, size_t count, size_t size);
char *model_copy(model_reader *r, const char *string);
/* Resolves a path relative to the folder of the file `base`. */
bool model_path(model_reader *r, const char *base, const char *name, text *path);

/* Makes `count` new slots of value 0. Returns the first, or -1 without memory. */
int model_slots(model_reader *r, int count);
/* Reads a number, constant or formula, into a slot. */
bool model_number(model_reader *r, const spec_node *node, const char *what, model_range range, int slot);
/* Reads an expression in the scope's names. Sets all of *formula except its range and slot. */
bool model_expression(model_reader *r, const spec_node *node, const char *what, const formula_scope *scope,
                      model_formula *formula);
void model_formula_free(model_formula *formula);

/* Permitted names. MODEL_LABEL: without blanks, points, commas and colons. MODEL_VARIABLE: a name in
 * expressions, except t. MODEL_FOREIGN, for FMUs: any line of text. */
typedef enum model_name_kind { MODEL_LABEL, MODEL_VARIABLE, MODEL_FOREIGN } model_name_kind;

/* Reads a name; free it with memory_free. */
bool model_name(model_reader *r, const spec_node *node, const char *what, model_name_kind kind, char **name);
/* Label, unit and displayed unit of a parameter or a signal, labels.c; NULL if absent. */
typedef struct model_words {
    char *label, *unit, *display;
} model_words;
#define MODEL_DISPLAY_HELP                                                                                   \
    "the unit with an SI prefix, in which axes of figures show it; tables, pages, ranges and files keep the unit"
/* Reports a `display` that is not the mapping's unit with an SI prefix. */
bool model_check_display(spec_file *file, const spec_node *node, const char *what, const char *unit,
                         const char *display);
/* Returns the value of the first key of a mapping such as {value: 400, label: mass, unit: kg}, or the node
 * itself if it is not a mapping; NULL after an error. [out] *words: label, unit and displayed unit, for
 * model_keep_words. */
const spec_node *model_worded(model_reader *r, const spec_node *node, const spec_keys *keys, const char *what,
                              model_words *words);
/* Assigns label, unit and displayed unit to a name of a subsystem ("": none), only missing ones unless
 * `replace`, and frees the others. `name` NULL frees all. */
void model_keep_words(model_reader *r, const char *subsystem, const char *name, model_words *words,
                      bool replace);
/* Returns true if two units are the same, perhaps written otherwise: N m, N*m and Nm; m/s^2 and m/s2. */
bool model_same_unit(const char *unit, const char *other);
/* Returns true if the parameter itself is the macro step of a coupling. */
bool model_parameter_is_step(const costab_model *model, int parameter);
/* Stores the units of a subsystem's signals from an FMU if the file gives none. `units`: one per name, or
 * NULL; NULL: no units. */
void model_keep_units(model_reader *r, const char *subsystem, const char *const *names,
                      const char *const *units, int count);

/* Reads a list of distinct names; does nothing if `node` is NULL or the list is empty. `subsystem`: owner of
 * the signals, for labels and units; NULL: none. */
bool model_names(model_reader *r, const spec_node *node, const char *what, model_name_kind kind,
                 const char *subsystem, char ***names, int *count);
void model_free_names(char **names, int count);

/* A matrix is measured first, then its numbers go into slots. Free with model_matrix_free. */
typedef struct model_matrix {
    const spec_node *node;
    int rows, columns;
    double *values; /* read from an HDF5 file; NULL if the node has the numbers */
} model_matrix;
bool model_matrix_measure(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix);
/* Like model_matrix_measure() for a dataset of the HDF5 file at `path`. node: position for messages. */
bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, const char *path,
                       const char *name, model_matrix *matrix);
/* slot: of the first number; stride: slots from row to row. */
bool model_matrix_fill(model_reader *r, const model_matrix *matrix, const char *what, int slot, int stride);
void model_matrix_free(model_matrix *matrix);
/* Start and end an entry of the matrices and ports in use. Between both, the rows are added to r->use. */
void model_begin_attached(model_reader *r, const char *file, const char *name);
void model_end_attached(model_reader *r);
/* Returns the rows of an attached entry; NULL if it is missing. */
const spec_node *model_attached_rows(const model_reader *r, const char *file, const char *name);

/* Each function reads one section of the file and reports all errors in it. */
/* `overrides`: values of the spec itself, if the model is in another file. */
void model_read_parameters(model_reader *r, const spec_node *node, const spec_node *overrides);
void model_read_subsystems(model_reader *r, const spec_node *node);
/* Reads numbers for some states and inputs into the slots from `point` on, and the key that requests a search
 * of the network's operating point. `node` may be NULL. */
bool model_read_point(model_reader *r, model_subsystem *s, const spec_node *node);
/* Read the model's key `operating_point` (may be NULL) after the subsystems and, after the couplings,
 * determine the parameters with an effect on it. */
void model_read_rest(model_reader *r, const spec_node *node);
void model_link_rest(model_reader *r);
/* Reads an FMU subsystem. Returns false after an error. */
bool model_read_foreign(model_reader *r, model_subsystem *subsystem, const model_nodes *nodes);
void model_free_foreign(model_subsystem *subsystem);
/* Adds the dependence of measured maps on the macro steps of all couplings, which must be equal. Call after
 * the couplings. */
void model_link_foreign(model_reader *r);
/* Reads the key `extrapolation` of a connection or a coupling. [out] *weights: first of MODEL_WEIGHTS slots,
 * if given. */
void model_read_extrapolation(model_reader *r, const spec_node *node, const char *of, costab_hold *hold,
                              int *weights);
void model_read_connections(model_reader *r, const spec_node *node);
void model_read_bonds(model_reader *r, const spec_node *node);
void model_read_sources(model_reader *r, const spec_node *node);
/* own: the couplings in the model's file `base`, if `node` is the list of a spec that may name them; else
 * NULL. */
void model_read_couplings(model_reader *r, const spec_node *node, spec_file *base, const spec_node *own);

/* Sets the choices that a name stands for in every model, except for macro step and micro steps; an order in
 * the name is one of the subsystems of `body`, and goes to `order`. COSTAB_INVALID for another name. */
costab_status model_standard_coupling(const model_body *body, const char *name, int *order,
                                      costab_coupling *choices, costab_error *error);

/* Returns the index of the subsystem `name`; -1 after an error. An invalid subsystem is reported only
 * once. */
int model_find_subsystem(model_reader *r, const spec_node *node, const char *what, const char *name);
/* Splits `subsystem.name` in `word`. Returns the index of the subsystem; -1 after the error "expected
 * `expected`". */
#define MODEL_PORT_SIZE (2 * SPEC_WORD_MAX)
int model_split_port(model_reader *r, const spec_node *node, const char *what, const char *expected,
                     char **name, char word[MODEL_PORT_SIZE]);
/* Returns the index of a state by its name, or by x1, x2, ... for nameless states; -1 if there is none. */
int model_find_state(const model_subsystem *s, const char *name);
/* Returns the name of a state, or x1, x2, ... for nameless states. */
const char *model_state_name(const model_subsystem *s, int state, char usual[24]);
/* Returns the index of a name; -1 if the list lacks it. */
int model_index_of(char *const *names, int count, const char *name);

/* Checks the relations between sections at the defaults and the axes' first values, and warns. `main_node`:
 * default position of errors. */
void model_check(model_reader *r, const spec_node *main_node);

/* ---- Instances ---- */

/* Receives one error that depends on the parameters of `uses`. Returns false to stop. */
typedef bool (*model_complaint)(void *context, const model_set *uses, const model_place *place,
                                const char *what, const char *reason);

/* Returns true if all subsystems have numbers. FMUs have none in a stored text, or if they are not run
 * (costab_foreign). */
bool model_has_numbers(const costab_model *model);

/* Creates an instance; its first update computes the numbers. */
costab_status model_instance_make(const costab_model *model, costab_model_instance **instance,
                                  costab_error *error);
/* Returns the model of an instance. */
const costab_model *model_instance_model(const costab_model_instance *instance);
/* Returns a number, never 0, that changes if an update changes more than macro steps. */
uint64_t model_instance_version(const costab_model_instance *instance);
/* Returns true if a parameter affects macro steps only, so the version stays. */
bool model_instance_is_step(const costab_model_instance *instance, int parameter);
/* Returns true if a parameter affects macro steps, and other numbers too. */
bool model_instance_step_moves_more(const costab_model_instance *instance, int parameter);
/* Returns true if a derived parameter was set explicitly. */
bool model_instance_is_set(const costab_model_instance *instance, int parameter);
/* Returns some parameters together with all parameters derived from them. */
model_set model_moving(const costab_model_instance *instance, const int *parameters, int count);
/* Returns true if a slot belongs to a coupling or a solver. */
bool model_is_of_solution(const costab_model *model, int slot);
/* Updates an instance. Returns false after an error. */
bool model_instance_evaluate(costab_model_instance *instance, model_complaint complain, void *context);
/* Returns the first error at the present parameters that is independent of the `moved` parameters; COSTAB_OK
 * if there is none. */
costab_status model_instance_check_fixed(costab_model_instance *instance, const int *moved, int count,
                                         costab_error *error);
/* Checks a coupling against the instance's present numbers: its options and clocks, and the solvability of
 * feedthrough loops. Returns COSTAB_INVALID with the position in the file otherwise. name: of the coupling;
 * own: its index in the model, -1 for a built-in coupling. */
costab_status model_check_coupling(const costab_model_instance *instance, const char *name, int own,
                                   const costab_coupling *coupling, costab_error *error);

void model_free(costab_model *model);
