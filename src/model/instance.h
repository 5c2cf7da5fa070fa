/* model/instance.h - what an instance is made of, between the files that make and update it. */
#pragma once

#include "costab/model.h"
#include "model/body.h"

/* The functions of a nonlinear subsystem; their variables are the states, the inputs and t. */
typedef struct instance_functions {
    const model_subsystem *subsystem;
    const costab_model_instance *instance;
    double *local;              /* states, inputs, t: where equations are evaluated */
    costab_foreign_found found; /* of another program */
    costab_dynamics dynamics;
    void *foreign; /* of another program; NULL: none */
    costab_stepper stepper;
} instance_functions;

typedef struct instance_source {
    const costab_model_instance *instance;
    const formula_tape *tape;
} instance_source;

/* Numbers that do not belong to a subsystem: the rest is of no version, such as start values. */
typedef enum slot_owner { OF_NOTHING = -3, OF_STRUCTURE, OF_GAINS } slot_owner;

struct costab_model_instance {
    const costab_model *model;
    double *values; /* of the parameters */
    bool *fixed;    /* whether a derived parameter was set itself */
    costab_status
        failure;       /* of the update under way: COSTAB_INVALID, COSTAB_UNSUPPORTED, or another program's */
    bool fresh;        /* nothing has been computed yet */
    bool time_varying; /* coefficients may depend on t */
    bool brief;        /* measured maps are checked by short runs */
    uint64_t version;  /* counts updates that changed more than macro steps */
    uint64_t last_version;   /* the last of those that the network and its subsystems have been given */
    int *owners;             /* per slot: which version is of it: a subsystem's index, or a slot_owner */
    model_set changed;       /* parameters that were set since the last update */
    struct model_rest *rest; /* the operating point of the network; NULL: all values are given */
    double *slots;           /* as those of the model's body, with this instance's numbers */
    instance_functions *functions; /* one per subsystem; `local` is NULL for a linear one */
    instance_source *sources;
    double *gradient, *scratch; /* room for three of the longest rows; for the longest tape */
    costab_subsystem *subsystems;
    costab_connection *connections;
    costab_source *source_list;
    costab_coupling *couplings;
    costab_structure *structures; /* of the network, then of each subsystem alone */
    bool
        structure_outdated; /* not known yet, or a derived parameter was set, which followed its expression */
    costab_network network;
};

/* One update: where its mistakes go, and whether it continues after one. */
typedef struct model_update {
    costab_model_instance *instance;
    model_complaint complain;
    void *context;
    bool succeeded, stopped; /* no mistake so far; no more mistakes are wanted */
    bool beyond_steps;       /* it changes more than macro steps */
} model_update;

/* Updates the numbers of the network, not its structural modes. */
costab_status model_instance_update(costab_model_instance *instance, costab_error *error);

/* Finds the structural modes at the present values of the parameters, and points network.structure to them.
 * The numbers are afterwards those of no point; the next update makes them anew. COSTAB_MEMORY. */
costab_status model_structure_find(costab_model_instance *instance, costab_error *error);

/* Sets a slot; if its bits change, what it belongs to has a new version. */
void model_put(costab_model_instance *instance, int slot, double value);

/* A model_complaint that says nothing. */
bool model_ignore(void *context, const model_set *uses, const model_place *place, const char *what,
                  const char *reason);

/* Is the slot a coupling's macro step? */
bool model_is_macro_step(const costab_model *model, int slot);

/* Notes a mistake. `uses`: the parameters that it depends on. */
void model_tell(model_update *u, const model_set *uses, const model_place *place, const char *what,
                const char *reason);

/* Subsystems of other programs: what belongs to an instance of one, and its numbers. */
/* Whether a subsystem of another program is run for its numbers. */
bool model_is_run(const costab_model *model, int s);
costab_status model_open_foreign(costab_model_instance *instance, int s, costab_error *error);
void model_close_foreign(costab_model_instance *instance, int s);
void model_update_foreign(model_update *u, int s);
/* x' and outputs of an FMU for model exchange at a point (states, inputs), where the program's own values
 * take the place of those that are not numbers. `slopes`: A, B, C and D are computed there, too. False if it
 * fails. */
bool model_foreign_values(const costab_model_instance *instance, int s, double *point, bool slopes,
                          double *values);
/* Inputs that nothing feeds keep the values that the program starts with: behind the sources of the model, in
 * whose list there is room for one per input of such subsystems. */
int model_foreign_inputs(const model_body *body);
void model_feed_foreign(costab_model_instance *instance);

/* Whether parameters move nothing but numbers, in slots that are spared: no equations, no other programs. */
typedef bool model_spared(const costab_model *model, int slot);
bool model_moves_only(const costab_model *model, const model_set *moving, model_spared *spared);

/* Computes A, B, C and D of a nonlinear subsystem at its operating point. */
void model_linearise(model_update *u, int s);

/* ---- For other modules ---- */

/* Returns true if a measured map of an FMU that steps by itself depends on the parameter. */
bool costab_model_instance_measures(const costab_model_instance *instance, int parameter);

/* With true, later updates check maps of FMUs that step by themselves by short runs if a long run has agreed
 * before; with false, by long runs. */
void costab_model_instance_measure_briefly(costab_model_instance *instance, bool brief);

/* Returns true if the network itself, and so its monolithic solution, depends on the parameter; false if only
 * macro steps, micro steps and other numbers of couplings and solvers use it. */
bool costab_model_instance_shapes(const costab_model_instance *instance, int parameter);

/* Returns true if a count depends on the parameter (micro steps per macro step, strides, iterations, delays
 * in macro steps), so that the model is defined at isolated values only. */
bool costab_model_instance_counts(const costab_model_instance *instance, int parameter);

/* [out] *linear: whether a subsystem is linear, by its matrices or by formulas that are sums of states and
 * inputs times numbers; its matrices then describe it completely. COSTAB_MEMORY. */
costab_status costab_model_instance_linear(const costab_model_instance *instance, int subsystem, bool *linear,
                                           costab_error *error);

/* Sets the extrapolation of the c-th connection of the instance's network; NULL: that of the coupling. It
 * takes effect at once and is kept through updates. */
void costab_model_instance_extrapolate(costab_model_instance *instance, int c,
                                       const costab_extrapolation *by);

/* The i-th value of a subsystem, states before inputs, in the operating point of the last update. Returns
 * false if there is none, or if the model gives all values. */
bool costab_model_instance_point(const costab_model_instance *instance, int subsystem, int i,
                                 costab_rest_value *value);

costab_status costab_model_instance_misfit(costab_model_instance *instance, char words[COSTAB_MISFIT_MAX],
                                           costab_error *error);

/* Returns true if the model gives values of operating points, for formulas or FMUs. */
bool costab_model_instance_gives_points(const costab_model_instance *instance);

/* Why the last update found no operating point; NULL if it found one, or none was requested. */
const char *costab_model_instance_unsolved(const costab_model_instance *instance);

/* Returns true if the parameter moves an operating point that is solved for. */
bool costab_model_instance_solves(const costab_model_instance *instance, int parameter);

/* Makes the operating point of the last update the start from which all later points are followed, for models
 * whose default parameters have no operating point. */
void costab_model_instance_anchor(costab_model_instance *instance);

/* To be called right after this network was analysed in `work` with these choices. COSTAB_INVALID if there is
 * nothing to analyse (costab_network_vacuous) at any values of the model's parameters. [out] *moved: the
 * instance and the workspace were set to other values in between; analyse the point again. */
costab_status costab_model_instance_check_modes(costab_model_instance *instance, costab_network_work *work,
                                                const costab_coupling *choices, bool *moved,
                                                costab_error *error);

/* Returns a network of one subsystem without its connections, borrowed from the instance. */
costab_network costab_model_instance_alone(const costab_model_instance *instance, int subsystem);

/* Returns the number of checks of the last update's measurement of a subsystem, such as an FMU. [out]
 * *checks: borrowed. */
int costab_model_instance_checks(const costab_model_instance *instance, int subsystem,
                                 const costab_check **checks);
