/* costab/model.h - networks from files: YAML in, a checked model out, and its numbers at any parameters.
 *
 * A model is what a file says: names, sizes, connections, choices, and for each number either a value or an
 * expression in the parameters. It does not change after reading and may be shared by threads. An instance is
 * one thread's view of it at one set of parameter values: it owns the numbers and the costab_network that
 * points to them.
 *
 *     costab_model *model;
 *     costab_model_read("plant.yaml", &model, &error);
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
#include "costab/style.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Between a file and the file that its key `model` names, where both stand in one text. */
#define COSTAB_MODEL_JOINT "\n--- # model\n"
/* Before the matrices that came from HDF5 files, as text. */
#define COSTAB_MODEL_MATRICES "\n--- # matrices\n"

#define COSTAB_PARAMETERS_MAX   256
#define COSTAB_REFINE_CELL      16 /* where a file says `refine: true` */
#define COSTAB_REFINE_CELL_MAX  128
#define COSTAB_NETWORK_AXES_MAX (COSTAB_AXES_MAX - 1) /* the coupling is an axis too */

/* Fields a network sweep can store: flags. The last three are of a run up to history.until. */
enum {
    COSTAB_NETWORK_CLASS = 1,
    COSTAB_NETWORK_SPECTRAL_RADIUS = 2,
    COSTAB_NETWORK_SPECTRAL_ABSCISSA = 4,
    COSTAB_NETWORK_ITERATION_RADIUS = 8,
    COSTAB_NETWORK_ERROR = 16,          /* `error` of costab_measures */
    COSTAB_NETWORK_ERROR_BOUND = 32,    /* factor of costab_bound times the macro step, [MS] eq. 30 */
    COSTAB_NETWORK_ENERGY_RESIDUAL = 64 /* `energy_residual` of costab_measures */
};
#define COSTAB_NETWORK_FIELD_COUNT 7

/* The name of the field with the flag 1 << i: "class", "spectral_radius", ...; NULL outside the range. */
COSTAB_API const char *costab_network_field_name(int i);

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

/* A model. Owns all it points to; do not change it. */
typedef struct costab_model {
    char *path; /* as given, for messages */
    char *text; /* the whole file, NUL-terminated */
    size_t text_size;
    char *base_path; /* of the file that the key `model` names; NULL if absent */
    char *base_text;
    size_t base_text_size;
    char *matrices; /* that came from HDF5 files, as text; NULL if there are none */
    char *title;    /* "" if absent */
    int parameter_count;
    costab_parameter *parameters;
    /* At least one. The name of a single one may be absent in the file: it is then the name under which
     * costab_coupling_find knows such choices, or that of the scheme. */
    int coupling_count;
    char **coupling_names;
    /* A sweep; axis_count is 0 where the file asks for none. Each axis has the name of a parameter. */
    int axis_count;
    costab_axis axes[COSTAB_NETWORK_AXES_MAX];
    int axis_parameters[COSTAB_NETWORK_AXES_MAX];
    unsigned fields; /* COSTAB_NETWORK_ flags, at least one */
    /* 0: every point is analysed. Else (the key `refine`) so many points are the side of a coarse cell: a
     * cell whose corners agree and are far from a boundary is filled with their class, others are halved. */
    size_t refine_cell;
    costab_network_history history;
    costab_figure figure;
    /* What is allowed and probably not meant, one `FILE:LINE:COLUMN: warning: ...` a line; "" if nothing. */
    char *warnings;
    struct model_parts *parts; /* private */
} costab_model;

/* Reads a model file, or a sweep spec of `system: network`. [out] *model: free with costab_model_destroy.
 * COSTAB_INVALID with all mistakes found, COSTAB_IO where the file cannot be read. Files that it names are
 * looked for beside it. Not for several threads at once where it names matrices in HDF5 files. */
COSTAB_API costab_status costab_model_read(const char *path, costab_model **model, costab_error *error);

/* The same from memory; `path` is used in messages and to find the files that the text names. What stands
 * behind COSTAB_MODEL_JOINT is taken for the file that the key `model` names, what stands behind
 * COSTAB_MODEL_MATRICES for the matrices of HDF5 files; they are then not looked for. costab_model_whole
 * makes such a text. */
COSTAB_API costab_status costab_model_parse(const char *path, const char *text, size_t size,
                                            costab_model **model, costab_error *error);

/* A text that costab_model_parse makes the same model of without any other file. [out] *text: free with
 * costab_model_free_text. */
COSTAB_API costab_status costab_model_whole(const costab_model *model, char **text, costab_error *error);
COSTAB_API void costab_model_free_text(char **text);

/* Frees a model and sets the pointer to NULL; NULL is allowed. Its instances must be gone. */
COSTAB_API void costab_model_destroy(costab_model **model);

/* Does the text say `system: network`? No for text that cannot be read at all. COSTAB_MEMORY. */
COSTAB_API costab_status costab_model_is_network(const char *text, size_t size, bool *network,
                                                 costab_error *error);

/* The number of a parameter or coupling of this name; -1 if there is none. */
COSTAB_API int costab_model_parameter(const costab_model *model, const char *name);
COSTAB_API int costab_model_coupling(const costab_model *model, const char *name);

/* The same, with a message that names what there is, or what may have been meant. */
COSTAB_API costab_status costab_model_find_parameter(const costab_model *model, const char *name, int *index,
                                                     costab_error *error);

/* ---- The numbers at given parameters
 * ------------------------------------------------------------------------ */

typedef struct costab_model_instance costab_model_instance;

/* Makes an instance with all parameters at their defaults, already updated. The model is borrowed and must
 * outlive it. */
COSTAB_API costab_status costab_model_instance_create(const costab_model *model,
                                                      costab_model_instance **instance, costab_error *error);
COSTAB_API void costab_model_instance_destroy(costab_model_instance **instance);

/* Sets a parameter (0 <= parameter < parameter_count; a derived one follows its expression no longer). It
 * takes effect with the next update. */
COSTAB_API void costab_model_instance_set(costab_model_instance *instance, int parameter, double value);

/* All parameters as they are by default again, with the next update. */
COSTAB_API void costab_model_instance_reset(costab_model_instance *instance);

/* The value of a parameter as of the last update. */
COSTAB_API double costab_model_instance_value(const costab_model_instance *instance, int parameter);

/* Computes what depends on the parameters set since the last update, linearisations included; no allocation,
 * no parsing. COSTAB_INVALID where a number is not finite, or is none that can stand there (a delay of 0.5);
 * the numbers are then those of no point, until an update succeeds. */
COSTAB_API costab_status costab_model_instance_update(costab_model_instance *instance, costab_error *error);

/* The network and its c-th coupling at the last update: the pointers stay the same for the life of the
 * instance, what they point to changes with every update. A nonlinear subsystem has its dynamics, and in A,
 * B, C, D its linearisation at the operating point. The functions of dynamics and sources belong to the
 * instance: one thread at a time. */
COSTAB_API const costab_network *costab_model_instance_network(const costab_model_instance *instance);
COSTAB_API const costab_coupling *costab_model_instance_coupling(const costab_model_instance *instance,
                                                                 int c);

#ifdef __cplusplus
}
#endif
#endif
