/* costab/model.h - the network of a spec (costab/spec.h): a checked model, and its numbers at any parameters.
 *
 * A model holds the contents of a file: names, sizes, connections, choices, and for each number either a
 * value or an expression in the parameters. It does not change after reading and may be shared by threads. An
 * instance is one thread's view of it at one set of parameter values: it owns the numbers and the
 * costab_network that points to them.
 *
 *     costab_spec *spec;
 *     costab_spec_read("plant.yaml", &spec, &error);
 *     const costab_model *model = spec->model; (NULL for a planar spec)
 *     costab_model_instance *instance;
 *     costab_model_instance_create(model, &instance, &error);
 *     costab_model_instance_set(instance, costab_model_parameter(model, "H"), 0.5);
 *     costab_model_instance_update(instance, &error);
 *     costab_network_analyse(work, costab_model_instance_network(instance),
 *                            costab_model_instance_coupling(instance, 0), &point, &error);
 *
 * Reading refuses mistakes that no values of parameters can correct. Values are checked when they are used:
 * costab_model_instance_update reports numbers that are not finite or not whole, with their position in the
 * file; costab_setup_coupling, costab_network_analyse and costab_network_simulate report numbers that do not
 * fit together. An instance that was updated has passed costab_network_check, except for power bonds over a
 * gain of 0. */
#ifndef COSTAB_MODEL_H
#define COSTAB_MODEL_H

#include "costab/network.h"
#include "costab/style.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_PARAMETERS_MAX 256

struct spec_file; /* a document, in the library alone */

/* ---- Subsystems of other programs ---- */

/* The description, in a file, of a subsystem that another program computes, such as an FMU. Lists are NULL if
 * the file does not give them. */
typedef struct costab_foreign_wish {
    const char *path, *kind; /* kind: NULL if it is not given */
    const char *const *inputs, *const *outputs, *const *starts;
    int input_count, output_count, start_count;
    double tolerance; /* relative tolerance of the program's own solver; 0: its default */
} costab_foreign_wish;

/* The ports of such a subsystem, borrowed from `found`. */
typedef struct costab_foreign_ports {
    int states, inputs, outputs;
    const char *const *state_names, *const *input_names, *const *output_names;
    /* One per name, NULL if no unit is given. */
    const char *const *state_units, *const *input_units, *const *output_units;
    const char *mark; /* a name that identifies the contents of its file */
    bool feedthrough; /* an output may depend on an input of the same instant */
    /* The program steps by itself: A and B are the measured map of one step, C its outputs. The number of
     * states of that map is determined at every update; `states` is the largest possible. */
    bool sampled;
    bool lines;      /* sampled: its inputs can rise within a step */
    double own_step; /* sampled: step of the internal solver; 0: unknown */
} costab_foreign_ports;

#define COSTAB_CHECKS_MAX 9

/* A check of measured numbers: 0 is the best value. */
typedef struct costab_check {
    const char *name; /* "derivative_error", "nonlinearity", ...; static */
    double value;
} costab_check;

/* Results of an update of a subsystem. */
typedef struct costab_foreign_found {
    bool held;    /* sampled: [in] no coupling lets inputs rise; [out] nor does the map */
    int states;   /* [in, out] sampled: the largest possible number; the number that the map has, at least as
                     many as outputs */
    double doubt; /* relative error of the matrices, in addition to rounding */
    char warning[600]; /* may be "" */
    int check_count;
    costab_check checks[COSTAB_CHECKS_MAX];
} costab_foreign_found;

/* One update of an instance. */
typedef struct costab_foreign_numbers {
    const double *starts;  /* as many as the wish has */
    double *point;         /* states, inputs: NaN is replaced by the program's own value */
    bool linear;           /* [in] only the matrices are needed */
    bool time_varying;     /* [in] coefficients may vary in time; COSTAB_UNSUPPORTED otherwise */
    bool brief;            /* [in] sampled: a short run is sufficient as a check */
    double *A, *B, *C, *D; /* [out] the derivatives at the point, row-major; D: NULL without feedthrough */
    double *rise;          /* [out] of costab_subsystem; NULL: inputs are held */
    double *x0;            /* [out] the states at the start; NULL if the file gives them */
    double length;         /* sampled: length of the measured step in seconds */
    double own_step;       /* sampled: step of the internal solver in seconds; 0: unknown */
    const bool *idle;      /* sampled: inputs, outputs outside every loop of connections; NULL: none */
    costab_foreign_found found; /* [out] */
} costab_foreign_numbers;

/* Functions that compute such subsystems; costab/fmu.h has a set for FMUs. `found` belongs to the model,
 * `instance` to one instance of the model. If `open` is NULL such subsystems are described but have no
 * numbers: their matrices are 0. */
typedef struct costab_foreign {
    costab_status (*find)(const costab_foreign_wish *wish, void **found, costab_foreign_ports *ports,
                          costab_error *error);
    void (*leave)(void *found);
    costab_status (*open)(void *found, void **instance, costab_error *error);
    void (*close)(void *instance);
    costab_status (*update)(void *instance, costab_foreign_numbers *numbers, costab_error *error);
    /* As in costab_dynamics. */
    costab_status (*f)(void *instance, double t, const double *x, const double *u, double *dx,
                       costab_error *error);
    costab_status (*g)(void *instance, double t, const double *x, const double *u, double *y,
                       costab_error *error);
    costab_status (*accept)(void *instance, double t, double *x, const double *u, bool *event,
                            costab_error *error);
    /* As in costab_stepper. */
    costab_status (*step)(void *instance, double t, double length, const double *u, const double *rise,
                          double *y, costab_error *error);
    /* Whether a file is a system of such programs; makes the document of its model. Where macro_step is
     * positive it is the value of the parameter H. */
    bool (*is_system)(const char *path);
    costab_status (*read_system)(const char *path, double macro_step, struct spec_file *document,
                                 costab_error *error);
} costab_foreign;

/* The sequence of macro steps of a coupling in a time history, as in costab_simulate_options. */
typedef struct costab_history_steps {
    char *coupling; /* its name; NULL: for all couplings */
    double *steps;
    size_t count;
} costab_history_steps;

/* A time history requested by the key `history: {until: 20, signals: [plant.speed], local: true, steps:
 * {uneven: [0.001, 0.025]}}`. */
typedef struct costab_network_history {
    double until;     /* end of the run; 0 if the file has no history. With axes: of the run at every point */
    bool local;       /* also values at the ends of micro steps */
    int signal_count; /* 0: all signals */
    struct costab_network_signal {
        costab_signal_kind kind; /* state, input or output */
        int subsystem, index;
    } * signals;
    int turn_count; /* couplings with a sequence of unequal macro steps */
    costab_history_steps *turns;
} costab_network_history;

typedef struct costab_parameter {
    char *name;
    double value; /* the default: the number in the file, or the value of its expression */
    bool derived; /* it has an expression in other parameters, and follows them until it is set itself */
} costab_parameter;

/* The name of a parameter ("mC") or a signal ("chassis.speed") in figures: the keys `label`, `unit` and
 * `display`, the unit with an SI prefix at axes. */
typedef struct costab_model_words {
    char *name, *label, *unit, *display; /* all but the name: NULL if the file does not give them */
} costab_model_words;

/* A model is the body of a network's spec, which owns it. Do not change it. */
typedef struct costab_model {
    const char *path;              /* the spec's, for messages; borrowed */
    const costab_foreign *foreign; /* computes subsystems of other programs; borrowed; may be NULL */
    char *base_path; /* the file that the key `model` names, and its text; NULL without that key */
    char *base_text;
    int parameter_count;
    costab_parameter *parameters;
    int words_count;
    costab_model_words *words;
    /* The couplings, at least one. A single coupling without a name in the file gets the name that
     * costab_coupling_name lists for its choices, or `model` if it lists none. */
    int coupling_count;
    char **coupling_names;
    costab_network_history history;
    struct model_body *body; /* private */
} costab_model;

/* Return the index of a parameter, or of a coupling, by its name; -1 if there is none. */
COSTAB_API int costab_model_parameter(const costab_model *model, const char *name);
COSTAB_API int costab_model_coupling(const costab_model *model, const char *name);

/* Returns the unit of a parameter: the unit in the file, otherwise "s" if the parameter itself is a macro
 * step, otherwise NULL. Borrowed from the model. */
COSTAB_API const char *costab_model_parameter_unit(const costab_model *model, int parameter);
/* Returns the label and unit of a parameter or a signal; NULL if the file gives none. */
COSTAB_API const costab_model_words *costab_model_find_words(const costab_model *model, const char *name);

/* Finds a parameter by its name. COSTAB_INVALID if there is none; the message names the existing parameters,
 * or the parameter that was probably meant. */
COSTAB_API costab_status costab_model_find_parameter(const costab_model *model, const char *name, int *index,
                                                     costab_error *error);

/* ---- The numbers at given parameters ---- */

typedef struct costab_model_instance costab_model_instance;

/* Makes an instance with all parameters at their defaults, already updated. The model is borrowed and must
 * outlive it. */
COSTAB_API costab_status costab_model_instance_create(const costab_model *model,
                                                      costab_model_instance **instance, costab_error *error);
COSTAB_API void costab_model_instance_destroy(costab_model_instance **instance);

/* Sets a parameter by its index; a derived parameter then ignores its expression. The value takes effect with
 * the next update. Returns false if the model has no such parameter. */
COSTAB_API bool costab_model_instance_set(costab_model_instance *instance, int parameter, double value);

/* Resets all parameters to their defaults, with the next update. */
COSTAB_API void costab_model_instance_reset(costab_model_instance *instance);

/* The value of a parameter at the last update; NaN if the model has no such parameter. */
COSTAB_API double costab_model_instance_value(const costab_model_instance *instance, int parameter);

/* Allows coefficients that vary in time, such as cos(t)*x, from the next update on; A, B, C and D are then
 * those at t = 0. Simulations of such a model are correct, but its matrices do not determine stability.
 * Without this call an update refuses the model. */
COSTAB_API void costab_model_instance_allow_time_varying(costab_model_instance *instance);

/* Computes all numbers that depend on parameters set since the last update, including linearisations. It
 * parses nothing and allocates only LAPACK's workspace for an operating point. COSTAB_INVALID if a number is
 * not finite or not allowed, such as a delay of 0.5, if a subsystem cannot be linearised, and if the network
 * has no operating point. COSTAB_UNSUPPORTED if coefficients vary in time without
 * costab_model_instance_allow_time_varying. COSTAB_NUMERIC if another program fails that computes a
 * subsystem. After an error
 * the numbers are undefined until an update succeeds. */
COSTAB_API costab_status costab_model_instance_update(costab_model_instance *instance, costab_error *error);

/* Return the network, and its c-th coupling (NULL if there is none), with the numbers of the last update. The
 * pointers are valid as long as the instance; the numbers change with every update. A
 * nonlinear subsystem has its functions in `dynamics` and its linearisation in A, B, C and D. Those
 * functions, and those of sources, may be called by one thread at a time. */
COSTAB_API const costab_network *costab_model_instance_network(const costab_model_instance *instance);
COSTAB_API const costab_coupling *costab_model_instance_coupling(const costab_model_instance *instance,
                                                                 int c);

#ifdef __cplusplus
}
#endif
#endif
