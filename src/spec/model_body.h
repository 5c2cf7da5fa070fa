/* spec/model_body.h - what a model is made of, and the reader that makes it.
 *
 * Every number of a model has a slot. A slot holds a constant, or a formula in the parameters fills it; an
 * instance has its own copy of the slots, and costab's structures point into it. */
#ifndef SPEC_MODEL_BODY_H
#define SPEC_MODEL_BODY_H

#include "formula/formula.h"
#include "spec/sections.h"

#define MODEL_PORTS_MAX  2000 /* states, inputs or outputs of a subsystem */
#define MODEL_STATES_MAX 5000 /* of all subsystems */
#define MODEL_WHAT_MAX   240

/* A set of parameters. */
typedef struct model_set {
    uint64_t words[COSTAB_PARAMETERS_MAX / 64];
} model_set;

void model_set_add(model_set *set, int parameter);
void model_set_join(model_set *set, const model_set *other);
bool model_set_meets(const model_set *a, const model_set *b);

/* What values may stand in a slot. */
typedef enum model_range {
    MODEL_ANY,
    MODEL_POSITIVE,
    MODEL_SUBSTEPS,
    MODEL_DELAY,
    MODEL_ITERATIONS,
    MODEL_STRIDE,
} model_range;

/* Finite and in the range? A whole number may be off by rounding. Else why not, in words. */
bool model_in_range(model_range range, double value, char *reason, size_t reason_size);
int model_whole(double value);

/* Where something stands, for messages after the reading too. */
typedef struct model_place {
    const char *path; /* the model's */
    uint32_t line, column;
} model_place;

/* An expression: for a slot, for a derived parameter, for a source. */
typedef struct model_formula {
    formula_tape tape;
    char *what; /* what it is of, for messages */
    model_place place;
    model_set uses;
    model_range range;
    int slot;
} model_formula;

typedef struct model_subsystem {
    char *name;
    int states, inputs, outputs;
    char **state_names, **input_names, **output_names; /* of the states: NULL where there are none */
    int A, B, C, D, x0;                                /* first slots; -1: absent */
    costab_method method;
    int substeps, step;                 /* slots; one of them is -1 */
    int stride;                         /* slot */
    int pairs, *positions, *velocities; /* numbers of states */
    model_formula *equations;           /* f, then g, in parameters, states, inputs and t; NULL: linear */
    int point;                          /* first slot of the operating point: states, then inputs */
    model_place point_place;            /* where it stands; the subsystem, if it is not given */
    bool solve;                         /* it is where an equilibrium is looked for from */
    model_set uses;                     /* by the equations and the point */
    const char **local_names;           /* states, inputs, t */
    const spec_node *node;              /* while reading */
    bool broken;                        /* complained of: say no more about its ports */
    bool nameless;                      /* nobody can refer to it */
} model_subsystem;

typedef struct model_connection {
    int from, output, to, input, gain, delay; /* gain, delay: slots */
    int delay_time;                           /* slot; -1: the delay is in macro steps */
    const spec_node *node;                    /* while reading */
} model_connection;

typedef struct model_source {
    int subsystem, input;
    model_formula formula;
} model_source;

typedef struct model_coupling {
    costab_coupling choices;         /* without the numbers below */
    int macro_step;                  /* slot */
    int iterations;                  /* slot; -1: as in choices */
    int relaxation, area_correction; /* slots; -1: none */
    int *order;                      /* NULL: as listed */
    const spec_node *node;           /* while reading */
} model_coupling;

typedef struct model_body {
    double *slots;
    int slot_count, formula_count;
    size_t slot_capacity, formula_capacity;
    model_formula *formulas;
    const char **parameter_names; /* the model's own strings */
    model_formula *derived;       /* one per parameter; without a tape: a plain number */
    int *derived_order;           /* derived parameters, each after those it uses */
    int derived_count;
    model_subsystem *subsystems;
    int subsystem_count;
    model_connection *connections;
    int connection_count;
    costab_bond *bonds;
    int bond_count;
    model_source *sources;
    int source_count;
    model_coupling *couplings; /* as many as the model's coupling_count */
} model_body;

#define MODEL_MATRICES 4 /* A, B, C, D */

/* The values of a subsystem's keys; NULL where a key is absent. */
typedef struct model_nodes {
    const spec_node *node; /* the subsystem itself */
    const spec_node *name, *matrices[MODEL_MATRICES], *states, *f, *g, *operating_point, *x0, *inputs,
        *outputs;
    const spec_node *method, *step, *substeps, *stride, *positions, *velocities;
} model_nodes;

/* The scope of the parameters, and of a nonlinear subsystem's equations; t is the last local variable. */
formula_scope model_scope(const costab_model *model);
formula_scope model_local_scope(const costab_model *model, const model_subsystem *subsystem);
/* t alone, of a source. */
formula_scope model_time_scope(const costab_model *model);

/* ---- Reading */

typedef struct model_reader {
    costab_spec *spec;
    costab_model *model;
    model_body *body;
    spec_file *file;          /* the one at hand */
    const char *path;         /* its path, the model's own string */
    spec_file *first;         /* the file given: the same, but where `model` names another */
    spec_file *coupling_file; /* where the couplings stand */
    spec_file set;            /* parameters that were given other values */
    const spec_node *set_root;
    spec_file attached; /* matrices that the text brings with it */
    const spec_node *attached_root;
    text matrices; /* those that came from files, as text */
    bool memory_failed;
} model_reader;

/* Goes on in a file: that of the spec or that of `model`. */
void model_turn_to(model_reader *r, spec_file *file);
/* memory_alloc that notes a failure. */
void *model_alloc(model_reader *r, size_t count, size_t size);
char *model_copy(model_reader *r, const char *string);
/* The path of a file that another one names: from the folder of that one. */
bool model_path(model_reader *r, const char *beside, const char *name, text *path);

/* `count` new slots of value 0; -1 where memory is out. */
int model_slots(model_reader *r, int count);
/* A number into a slot: constant or formula. */
bool model_number(model_reader *r, const spec_node *node, const char *what, model_range range, int slot);
/* An expression in the parameters and local names: all of *formula but its range and slot. */
bool model_expression(model_reader *r, const spec_node *node, const char *what, const formula_scope *scope,
                      model_formula *formula);
void model_formula_free(model_formula *formula);

/* A list of different names of ports; `variables`: fit for expressions. */
bool model_names(model_reader *r, const spec_node *node, const char *what, bool variables, char ***names,
                 int *count);

/* A matrix: how large it is, then its numbers into slots. Ends with model_matrix_free. */
typedef struct model_matrix {
    const spec_node *node;
    int rows, columns;
    double *values; /* from a file; NULL: in the node */
} model_matrix;
bool model_matrix_measure(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix);
bool model_matrix_fill(model_reader *r, const model_matrix *matrix, const char *what, int slot);
void model_matrix_free(model_matrix *matrix);
/* Reads {file: plant.mat, name: A}. */
bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix);
/* Notes a matrix that came from a file; takes one that the text brings with it, false if it does not. */
void model_attach(model_reader *r, const char *file, const char *name, const model_matrix *matrix);
bool model_attached(model_reader *r, const char *file, const char *name, const char *what,
                    model_matrix *matrix);

/* Each reads one section of the file and complains of all mistakes in it. */
/* `overrides`: those of the spec itself, where the model stands in another file. */
void model_read_parameters(model_reader *r, const spec_node *node, const spec_node *overrides);
void model_read_subsystems(model_reader *r, const spec_node *node);
void model_read_subsystem(model_reader *r, const spec_node *node, model_subsystem *subsystem);
void model_read_equations(model_reader *r, model_subsystem *subsystem, const model_nodes *nodes);
void model_read_connections(model_reader *r, const spec_node *node);
void model_read_bonds(model_reader *r, const spec_node *node);
void model_read_sources(model_reader *r, const spec_node *node);
void model_read_couplings(model_reader *r, const spec_node *node);
void model_read_axes(model_reader *r, const spec_node *node);
/* After the history: what the fields need. */
void model_check_fields(model_reader *r, const spec_node *node, const spec_node *history);
void model_read_history(model_reader *r, const spec_node *node);

/* The number of a subsystem named by a node's text; of a port `subsystem.port`. -1, false after complaining
 * (but not where the subsystem itself was complained of). */
int model_find_subsystem(model_reader *r, const spec_node *node, const char *what, const char *name);
/* Splits `subsystem.name` in `word`. The number of the subsystem; -1 after complaining, that `expected` was.
 */
#define MODEL_PORT_SIZE (2 * SPEC_WORD_MAX)
int model_split_port(model_reader *r, const spec_node *node, const char *what, const char *expected,
                     char **name, char word[MODEL_PORT_SIZE]);
/* The index of a name; -1 if it is not there. */
int model_index_of(char *const *names, int count, const char *name);
bool model_find_port(model_reader *r, const spec_node *node, const char *what, bool input, int *subsystem,
                     int *port);

/* What ties the sections together, at the defaults and the axes' first values; the warnings. `main_node` is
 * where mistakes without a better place go. */
void model_check(model_reader *r, const spec_node *main_node);

/* ---- Instances */

/* Takes one mistake; false: look no further. */
typedef bool (*model_complaint)(void *context, const model_place *place, const char *what,
                                const char *reason);

/* An instance that is not updated yet. */
costab_status model_instance_make(const costab_model *model, costab_model_instance **instance,
                                  costab_error *error);
/* x' at a subsystem's operating point: the largest that is more than rounding, and whose state it is; 0 at an
 * equilibrium. */
double model_instance_drift(const costab_model_instance *instance, int subsystem, int *state);
/* The update; false if there was a mistake. */
bool model_instance_evaluate(costab_model_instance *instance, model_complaint complain, void *context);

#endif
