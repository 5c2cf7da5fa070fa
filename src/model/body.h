/* model/body.h - what a model is made of, and the reader that makes it.
 *
 * Every number of a model has a slot. A slot holds a constant, or a formula in the parameters fills it; an
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
/* In place: it is asked of every formula at every point. */
static inline bool model_set_meets(const model_set *a, const model_set *b) {
    uint64_t common = 0;
    for (size_t i = 0; i < sizeof a->words / sizeof *a->words; i++) common |= a->words[i] & b->words[i];
    return common != 0;
}

/* What values may stand in a slot. */
typedef enum model_range {
    MODEL_ANY,
    MODEL_POSITIVE,
    MODEL_NOT_NEGATIVE,
    /* Whole numbers: */
    MODEL_SUBSTEPS,
    MODEL_DELAY,
    MODEL_ITERATIONS,
    MODEL_STRIDE,
} model_range;

/* model_is_count: are the range's values whole numbers?
 * model_in_range: whether the value is finite and in the range. A whole number may be off by rounding. [out]
 * reason: why not, in words. */
bool model_is_count(model_range range);
bool model_in_range(model_range range, double value, char *reason, size_t reason_size);
int model_whole(double value);

/* The place of something in its file, which messages name after the reading too. */
typedef struct model_place {
    const char *path; /* borrowed from the model */
    uint32_t line, column;
} model_place;

/* An expression that fills a slot, or gives a derived parameter, a source or an equation. */
typedef struct model_formula {
    formula_tape tape;
    char *what; /* names what it gives, in messages */
    model_place place;
    model_set uses;
    model_range range;
    int slot;
} model_formula;

typedef struct model_subsystem {
    char *name;
    int states, inputs, outputs;
    char **state_names, **input_names, **output_names; /* state_names: NULL where the file gives none */
    /* First slot of each, row-major; -1 where it is absent. rise: of what B is to inputs' values, to their
     * rises within a step of a subsystem that steps by itself. */
    int A, B, C, D, x0, rise;
    costab_method method;
    int substeps, step;                 /* slots; one of them is -1 */
    int stride;                         /* slot */
    model_place step_place;             /* of the key `step`; of the subsystem where it is not given */
    int pairs, *positions, *velocities; /* numbers of states */
    model_formula
        *equations;          /* f, then g, in parameters, states, inputs and t; NULL for a linear subsystem */
    int point;               /* first slot of the operating point: states, then inputs */
    model_place point_place; /* where it stands in the file; the subsystem's place where it is not given */
    bool solve;              /* it is where the search for the network's operating point begins */
    bool solve_given;        /* the subsystem says itself whether it is */
    bool inputs_given;       /* its inputs keep their values in that search */
    bool *typed;             /* states and inputs that have a value in the file; NULL: none */
    bool *hold;              /* states that are to be held if they are free; NULL: none */
    model_set uses;          /* parameters that occur in the equations and the point */
    const char **local_names; /* of the states, the inputs and t */
    /* Of another program: `found` is what it is there (costab_foreign; NULL in a stored text), `start` the
     * first slot of the numbers that it is given before it starts. */
    bool foreign;         /* it is one */
    bool feedthrough;     /* an output may depend on an input of the same instant */
    bool inputs_can_rise; /* within a step of its own */
    bool sampled; /* it steps by itself; `states` is 0 then, and `room` the most states that its map may have
                   */
    int room;
    bool own_start; /* x0 is the program's own */
    bool *idle;     /* of sampled ones: inputs, outputs that no loop of connections passes through */
    void *found;
    void (*free_found)(void *found);
    char *mark;            /* stands for the contents of its file; NULL: none is known */
    int start, starts;     /* how many: `starts` */
    const spec_node *node; /* set while the file is read */
    bool ports_unknown;    /* which has been complained of */
    bool nameless;         /* its name could not be read */
} model_subsystem;

typedef struct model_connection {
    int from, output, to, input, gain, delay; /* gain, delay: slots */
    int delay_time;                           /* slot; -1: the delay is in macro steps */
    bool extrapolates;                        /* in its own way: */
    costab_hold hold;
    int weights;           /* as of a coupling */
    const spec_node *node; /* while reading */
} model_connection;

typedef struct model_source {
    int subsystem, input;
    model_formula formula;
} model_source;

typedef struct model_coupling {
    costab_coupling choices;         /* without the numbers below */
    int slots, slots_end;            /* its numbers: slots from here to there */
    int macro_step;                  /* slot */
    int slot[COUPLING_CHOICE_COUNT]; /* of iterations, relaxation and the like; -1: as in choices */
    int weights;                     /* the first of MODEL_WEIGHTS slots: a0, a1, b0, b1; -1: none */
    int *order;                      /* of the subsystems; NULL: as the file lists them */
    model_place place;
} model_coupling;

/* The numbers of `slot` into a coupling with the choices of `from`. */
void model_coupling_bind(const model_coupling *from, const double *slots, costab_coupling *to);

typedef struct model_body {
    double *slots; /* the constants; 0 where a formula fills the slot */
    int slot_count, formula_count;
    size_t slot_capacity, formula_capacity;
    model_formula *formulas;          /* that fill slots */
    size_t longest_tape, longest_row; /* doubles of an evaluation; local variables of an equation */
    const char **parameter_names;     /* borrowed from the model */
    model_formula *derived; /* one per parameter; it has no tape where the parameter is a plain number */
    int *derived_order;     /* the derived parameters, each behind those that it uses */
    int derived_count;
    model_subsystem *subsystems;
    int subsystem_count;
    model_connection *connections;
    int connection_count;
    costab_bond *bonds;
    int bond_count;
    model_place connections_place; /* of the key `connections`; of the file where it is not given */
    model_source *sources;
    int source_count;
    model_coupling *couplings;    /* as many as the model's coupling_count */
    costab_structure *structures; /* of the network, then of each subsystem alone; NULL while it is read, and
                                     where the network has no numbers at any values that were tried */
    bool solves;                  /* a subsystem's operating point is unknown */
    model_set rest_uses;          /* parameters on which it depends */
    model_place rest_place;       /* where the file asks for it */
} model_body;

#define MODEL_MATRICES 4 /* A, B, C, D */
#define MODEL_WEIGHTS  4 /* a0, a1, b0, b1 of costab_extrapolation */

/* The values of a subsystem's keys; NULL where a key is absent. */
typedef struct model_nodes {
    const spec_node *node; /* the subsystem itself */
    const spec_node *name, *matrices[MODEL_MATRICES], *states, *f, *g, *operating_point, *x0, *inputs,
        *outputs;
    const spec_node *fmu, *kind, *start, *tolerance; /* of another program */
    const spec_node *method, *step, *substeps, *stride, *positions, *velocities;
} model_nodes;

/* What is said behind a name that is no parameter, from "; " on: the one that may have been meant, or all.
 * Returns `words`. */
#define MODEL_MEANT_MAX 840
const char *model_meant(const costab_model *model, const char *name, char words[MODEL_MEANT_MAX]);

/* Returns the scope of the parameters. */
formula_scope model_scope(const costab_model *model);
/* Returns the scope of a source, whose local variable is t. */
formula_scope model_time_scope(const costab_model *model);

/* ---- Reading */

/* The tables of keys, for the reference. */
extern const spec_keys spec_file_keys, spec_parameter_keys, spec_signal_keys, spec_subsystem_keys,
    spec_connection_keys, spec_coupling_keys, spec_extrapolation_keys, spec_tableau_keys, spec_newmark_keys,
    spec_alpha_keys, spec_nystrom_keys, spec_rest_keys;

/* Reads a method from a name or a tableau {A, b, c}. */
bool spec_read_method(spec_file *file, const spec_node *node, costab_method *method);
/* The method of a subsystem: also one with structure or memory, by name or with its numbers. */
bool spec_read_solver(spec_file *file, const spec_node *node, costab_method *method);

typedef struct model_reader {
    costab_model *model;
    model_body *body;
    spec_file *file;          /* the file that is being read */
    const char *path;         /* its path; borrowed from the model */
    spec_file *first;         /* the spec's own file; where `model` names another, that one is read as well */
    spec_file *coupling_file; /* the file of the two in which the couplings stand */
    spec_file *set;           /* the parameters that were set */
    spec_file *attached;      /* matrices and ports of other files that come with the spec */
    spec_file used;           /* collects those that the model uses, by this builder: */
    spec_builder use;
    int axis_count; /* of the sweep, if there is one: */
    const int *axis_parameters;
    const costab_axis *axes;
    bool steps_used; /* a field of the sweep uses the parameters H1 and H2 */
    bool memory_failed;
} model_reader;

/* Makes a file the one that is being read. */
void model_turn_to(model_reader *r, spec_file *file);
/* Allocate, and note a failure in the reader. */
void *model_alloc(model_reader *r, size_t count, size_t size);
char *model_copy(model_reader *r, const char *string);
/* Writes the path of a file that another one names, which is relative to that one's folder. */
bool model_path(model_reader *r, const char *beside, const char *name, text *path);

/* Makes `count` new slots of value 0 and returns the first; -1 where memory is out. */
int model_slots(model_reader *r, int count);
/* Reads a number, constant or formula, into a slot. */
bool model_number(model_reader *r, const spec_node *node, const char *what, model_range range, int slot);
/* Reads an expression in the scope's names: all of *formula but its range and slot. */
bool model_expression(model_reader *r, const spec_node *node, const char *what, const formula_scope *scope,
                      model_formula *formula);
void model_formula_free(model_formula *formula);

/* Which names are allowed. MODEL_LABEL: without blanks, points, commas and colons. MODEL_VARIABLE: what
 * expressions can use as a name, but for t. MODEL_FOREIGN, of another program: any line of text. */
typedef enum model_name_kind { MODEL_LABEL, MODEL_VARIABLE, MODEL_FOREIGN } model_name_kind;

/* Reads a name, to be freed. */
bool model_name(model_reader *r, const spec_node *node, const char *what, model_name_kind kind, char **name);
/* Label and unit of a parameter or a signal, labels.c; NULL where they are not given. */
typedef struct model_words {
    char *label, *unit;
} model_words;
/* Of a mapping such as {value: 400, label: mass, unit: kg} returns the first key's value; a node that is no
 * mapping is returned as it is; NULL after complaining. [out] *words: its label and unit, to be handed to
 * model_keep_words. */
const spec_node *model_worded(model_reader *r, const spec_node *node, const spec_keys *keys, const char *what,
                              model_words *words);
/* Gives a name of a subsystem ("": of none) those of the words that it has not yet; frees the rest. Where
 * `name` is NULL all are freed. */
void model_keep_words(model_reader *r, const char *subsystem, const char *name, model_words *words);
/* Keeps the units that another program gives signals of a subsystem, where the file gives none. `units`: one
 * per name, NULL where there is none; NULL: none at all. */
void model_keep_units(model_reader *r, const char *subsystem, const char *const *names,
                      const char *const *units, int count);

/* Reads a list of names that differ; nothing where `node` is NULL or the list is empty. `subsystem`: whose
 * signals they are, whose words are kept; NULL: nobody's. */
bool model_names(model_reader *r, const spec_node *node, const char *what, model_name_kind kind,
                 const char *subsystem, char ***names, int *count);
void model_free_names(char **names, int count);

/* A matrix is measured first, then its numbers go into slots. It ends with model_matrix_free. */
typedef struct model_matrix {
    const spec_node *node;
    int rows, columns;
    double *values; /* read from an HDF5 file; NULL where the numbers stand in the node */
} model_matrix;
bool model_matrix_measure(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix);
/* The same of a dataset of an HDF5 file at `path`; node: what names it, for messages. */
bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, const char *path,
                       const char *name, model_matrix *matrix);
bool model_matrix_fill(model_reader *r, const model_matrix *matrix, const char *what, int slot);
void model_matrix_free(model_matrix *matrix);
/* Begin and end an entry of the matrices and ports that are used; between, its rows are added to r->use. */
void model_begin_attached(model_reader *r, const char *file, const char *name);
void model_end_attached(model_reader *r);
/* The rows of an entry that comes with the spec; NULL if it is not there. */
const spec_node *model_attached_rows(const model_reader *r, const char *file, const char *name);

/* Each reads one section of the file and complains of all mistakes in it. */
/* `overrides`: those of the spec itself, where the model stands in another file. */
void model_read_parameters(model_reader *r, const spec_node *node, const spec_node *overrides);
void model_read_subsystems(model_reader *r, const spec_node *node);
/* Numbers for some of the states and inputs into the slots from `point` on, and whether the network's
 * operating point is to be found from there. `node` may be NULL. */
bool model_read_point(model_reader *r, model_subsystem *s, const spec_node *node);
/* The model's key `operating_point`, which may be NULL, after the subsystems; and after the couplings, on
 * which parameters the operating point depends. */
void model_read_rest(model_reader *r, const spec_node *node);
void model_link_rest(model_reader *r);
/* A subsystem of another program; false after complaining. */
bool model_read_foreign(model_reader *r, model_subsystem *subsystem, const model_nodes *nodes);
void model_free_foreign(model_subsystem *subsystem);
/* What the measured maps of subsystems depend on beside their own keys: the macro steps of all couplings,
 * which must be one; after the couplings. */
void model_link_foreign(model_reader *r);
/* The value of a key `extrapolation` of a connection or a coupling. [out] *weights: the first of
 * MODEL_WEIGHTS slots, where it gives them. */
void model_read_extrapolation(model_reader *r, const spec_node *node, const char *of, costab_hold *hold,
                              int *weights);
void model_read_connections(model_reader *r, const spec_node *node);
void model_read_bonds(model_reader *r, const spec_node *node);
void model_read_sources(model_reader *r, const spec_node *node);
void model_read_couplings(model_reader *r, const spec_node *node);

/* The number of a subsystem named by a node's text; of a port `subsystem.port`. -1, false after complaining
 * (but not where the subsystem itself was complained of). */
int model_find_subsystem(model_reader *r, const spec_node *node, const char *what, const char *name);
/* Splits `subsystem.name` in `word`. The number of the subsystem; -1 after complaining, that `expected` was.
 */
#define MODEL_PORT_SIZE (2 * SPEC_WORD_MAX)
int model_split_port(model_reader *r, const spec_node *node, const char *what, const char *expected,
                     char **name, char word[MODEL_PORT_SIZE]);
/* The number of a state, by its name or, where states have none, by x1, x2, ...; -1: there is none. */
int model_find_state(const model_subsystem *s, const char *name);
/* The name of a state; x1, x2, ... where states have none. */
const char *model_state_name(const model_subsystem *s, int state, char usual[24]);
/* Returns the index of a name; -1 if the list lacks it. */
int model_index_of(char *const *names, int count, const char *name);

/* What ties the sections together, at the defaults and the axes' first values; the warnings. `main_node` is
 * where mistakes without a better place go. */
void model_check(model_reader *r, const spec_node *main_node);

/* ---- Instances */

/* Takes one mistake, which depends on the parameters of `uses`. False where no more of them are wanted. */
typedef bool (*model_complaint)(void *context, const model_set *uses, const model_place *place,
                                const char *what, const char *reason);

/* Whether all subsystems have numbers. Those of other programs have none in a stored text, and where the
 * programs are not run (costab_foreign). */
bool model_has_numbers(const costab_model *model);

/* Makes an instance without numbers; they come with its first update. */
costab_status model_instance_make(const costab_model *model, costab_model_instance **instance,
                                  costab_error *error);
/* Its model; and whether a derived parameter was set itself, so that it does not follow its expression. */
const costab_model *model_instance_model(const costab_model_instance *instance);
/* Never 0, and the same as long as updates change nothing of the network and its couplings but macro steps.
 */
uint64_t model_instance_version(const costab_model_instance *instance);
/* Does a parameter move nothing of the network and its couplings but macro steps? The version stays then. */
bool model_instance_is_step(const costab_model_instance *instance, int parameter);
bool model_instance_is_set(const costab_model_instance *instance, int parameter);
/* Some parameters and those derived from them. */
model_set model_moving(const costab_model_instance *instance, const int *parameters, int count);
/* Is a slot one of a coupling's or of a solver's numbers? */
bool model_is_of_solution(const costab_model *model, int slot);
/* Updates an instance. False where there was a mistake. */
bool model_instance_evaluate(costab_model_instance *instance, model_complaint complain, void *context);
/* The first mistake at the present parameters that none of some others can mend; COSTAB_OK: there is none. */
costab_status model_instance_check_fixed(costab_model_instance *instance, const int *moved, int count,
                                         costab_error *error);
/* Whether a coupling fits the instance's present numbers: its choices and clocks, and that loops of
 * feedthrough can be solved; otherwise COSTAB_INVALID, with the place in the file. name: of the coupling;
 * own: its number in the model, -1: it is one of every model. */
costab_status model_check_coupling(const costab_model_instance *instance, const char *name, int own,
                                   const costab_coupling *coupling, costab_error *error);

void model_free(costab_model *model);
