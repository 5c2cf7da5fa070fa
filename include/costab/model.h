/* costab/model.h - the network of a spec (costab/spec.h): a checked model, and its numbers at any parameters.
 *
 * A model is what a file says of a network: names, sizes, connections, choices, and for each number either a
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
 * Everything read here has passed costab_network_check, and each coupling costab_coupling_check, at the
 * parameters' defaults (an axis' parameter at the axis' first value). At other values only what may change is
 * looked at again: costab_model_instance_update says what is not finite or not whole, costab_network_analyse
 * and costab_network_simulate what does not fit. */
#ifndef COSTAB_MODEL_H
#define COSTAB_MODEL_H

#include "costab/network.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_PARAMETERS_MAX 256

/* A time history asked for by the key `history: {until: 20, signals: [plant.speed], local: true}`. */
typedef struct costab_network_history {
    double until;     /* 0: the file has none; with axes the end of every run that a field asks for */
    bool local;       /* values at micro steps too */
    int signal_count; /* 0: all */
    struct costab_network_signal {
        costab_signal_kind kind; /* state, input or output */
        int subsystem, index;
    } * signals;
} costab_network_history;

typedef struct costab_parameter {
    char *name;
    double value; /* the default: the value written, or that of its expression in other parameters */
    bool derived; /* an expression: follows the others until it is set itself */
} costab_parameter;

/* A model: the body of a network's spec, which owns it. Do not change it. */
typedef struct costab_model {
    const char *path; /* of the spec, for messages; borrowed from it */
    char *base_path;  /* of the file that the key `model` names; NULL if absent */
    char *base_text;
    size_t base_text_size;
    char *matrices; /* that came from HDF5 files, as text; NULL if there are none */
    int parameter_count;
    costab_parameter *parameters;
    /* At least one. The name of a single one may be absent in the file: it is then the name under which
     * costab_coupling_find knows such choices, or that of the scheme. */
    int coupling_count;
    char **coupling_names;
    costab_network_history history;
    struct model_body *body; /* private */
} costab_model;

/* The number of a parameter or coupling of this name; -1 if there is none. */
COSTAB_API int costab_model_parameter(const costab_model *model, const char *name);
COSTAB_API int costab_model_coupling(const costab_model *model, const char *name);

/* The same, with a message that names what there is, or what may have been meant. */
COSTAB_API costab_status costab_model_find_parameter(const costab_model *model, const char *name, int *index,
                                                     costab_error *error);

/* ---- The numbers at given parameters */

typedef struct costab_model_instance costab_model_instance;

/* Makes an instance with all parameters at their defaults, already updated. The model is borrowed and must
 * outlive it. */
COSTAB_API costab_status costab_model_instance_create(const costab_model *model,
                                                      costab_model_instance **instance, costab_error *error);
COSTAB_API void costab_model_instance_destroy(costab_model_instance **instance);

/* Sets a parameter by its index; a derived parameter no longer follows its expression then. The value takes
 * effect with the next update. False where the model has no such parameter. */
COSTAB_API bool costab_model_instance_set(costab_model_instance *instance, int parameter, double value);

/* All parameters as they are by default again, with the next update. */
COSTAB_API void costab_model_instance_reset(costab_model_instance *instance);

/* The value of a parameter at the last update; NaN where the model has no such parameter. */
COSTAB_API double costab_model_instance_value(const costab_model_instance *instance, int parameter);

/* Computes what depends on the parameters set since the last update, linearisations included; no allocation,
 * no parsing. COSTAB_INVALID where a number is not finite, or is none that can stand there (a delay of 0.5);
 * the numbers are then those of no point, until an update succeeds. */
COSTAB_API costab_status costab_model_instance_update(costab_model_instance *instance, costab_error *error);

/* The network and its c-th coupling (NULL where there is none) at the last update: the pointers stay the same
 * for the life of the instance, what they point to changes with every update. A nonlinear subsystem has its
 * dynamics, and in A, B, C, D its linearisation at the operating point. The functions of dynamics and sources
 * belong to the instance: one thread at a time. */
COSTAB_API const costab_network *costab_model_instance_network(const costab_model_instance *instance);
COSTAB_API const costab_coupling *costab_model_instance_coupling(const costab_model_instance *instance,
                                                                 int c);

#ifdef __cplusplus
}
#endif
#endif
