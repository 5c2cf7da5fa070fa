/* model/instance.h - the parts of an instance, shared by the files that create and update it. */
#pragma once

#include "costab/model.h"
#include "model/body.h"

/* Functions of a nonlinear subsystem in the states, the inputs and t. */
typedef struct instance_functions {
    const model_subsystem *subsystem;
    const costab_model_instance *instance;
    double *local;              /* states, inputs, t: the point of evaluation */
    costab_foreign_found found; /* of an FMU */
    costab_dynamics dynamics;
    void *foreign; /* of an FMU; NULL: none */
    costab_stepper stepper;
} instance_functions;

typedef struct instance_source {
    const costab_model_instance *instance;
    const formula_tape *tape;
} instance_source;

/* Owner of a slot outside subsystems. Other slots, such as start values, have no version. */
typedef enum slot_owner { OF_NOTHING = -3, OF_STRUCTURE, OF_GAINS } slot_owner;

struct costab_model_instance {
    const costab_model *model;
    double *values; /* of the parameters */
    bool *fixed;    /* derived parameters that were set explicitly */
    costab_status
        failure;       /* of the current update: COSTAB_INVALID, COSTAB_UNSUPPORTED, or an FMU's failure */
    bool fresh;        /* not computed yet */
    bool time_varying; /* coefficients may depend on t */
    bool brief;        /* measured maps are checked by short runs */
    uint64_t version;  /* counts updates of more than macro steps */
    uint64_t last_version;         /* last version given to the network and its subsystems */
    int *owners;                   /* per slot: a subsystem's index, or a slot_owner */
    model_set changed;             /* parameters set since the last update */
    struct model_rest *rest;       /* operating point of the network; NULL: all values are given */
    double *slots;                 /* like the model's slots, with this instance's numbers */
    instance_functions *functions; /* one per subsystem; `local` is NULL for a linear subsystem */
    instance_source *sources;
    double *gradient, *scratch; /* workspace: three of the longest rows; the longest tape */
    costab_subsystem *subsystems;
    costab_connection *connections;
    costab_source *source_list;
    costab_coupling *couplings;
    costab_structure *structures; /* of the network, then of each single subsystem */
    bool structure_outdated;      /* unknown, or a derived parameter was set explicitly */
    costab_network network;
};

/* One update: receiver of its errors, and its progress. */
typedef struct model_update {
    costab_model_instance *instance;
    model_complaint complain;
    void *context;
    bool succeeded, stopped; /* no error yet; the receiver wants no more errors */
    bool beyond_steps;       /* changes more than macro steps */
} model_update;

/* Updates the numbers of the network, without its structural modes. */
costab_status model_instance_update(costab_model_instance *instance, costab_error *error);

/* Finds the structural modes at the present parameters and sets network.structure. Leaves the instance at
 * other parameters; the next update restores the numbers. May return COSTAB_MEMORY. */
costab_status model_structure_find(costab_model_instance *instance, costab_error *error);

/* Sets a slot and, if its bits change, the version of its owner. */
void model_put(costab_model_instance *instance, int slot, double value);

/* A model_complaint that ignores the error. */
bool model_ignore(void *context, const model_set *uses, const model_place *place, const char *what,
                  const char *reason);

/* Returns true if the slot is a coupling's macro step. */
bool model_is_macro_step(const costab_model *model, int slot);

/* Reports an error. `uses`: the parameters it depends on. */
void model_tell(model_update *u, const model_set *uses, const model_place *place, const char *what,
                const char *reason);

/* FMU subsystems: their part of an instance and their numbers. */
/* Returns true if an FMU is run for its numbers. */
bool model_is_run(const costab_model *model, int s);
costab_status model_open_foreign(costab_model_instance *instance, int s, costab_error *error);
void model_close_foreign(costab_model_instance *instance, int s);
void model_update_foreign(model_update *u, int s);
/* Computes x' and outputs of an FMU for model exchange at a point (states, inputs); NaN entries get the FMU's
 * own values. `slopes`: also computes A, B, C and D. Returns false on failure. */
bool model_foreign_values(const costab_model_instance *instance, int s, double *point, bool slopes,
                          double *values);
/* Unfed inputs keep the FMU's start values, as extra sources after the model's own. The source list has space
 * for one per input of FMUs. */
int model_foreign_inputs(const model_body *body);
void model_feed_foreign(costab_model_instance *instance);

/* Returns true if the parameters affect only numbers in spared slots, and neither equations nor FMUs. */
typedef bool model_spared(const costab_model *model, int slot);
bool model_moves_only(const costab_model *model, const model_set *moving, model_spared *spared);

/* Computes A, B, C and D of a nonlinear subsystem at its operating point. */
void model_linearise(model_update *u, int s);

/* ---- For other modules ---- */

/* Returns true if the measured map of an FMU for co-simulation depends on the parameter. */
bool costab_model_instance_measures(const costab_model_instance *instance, int parameter);

/* true: later updates check maps of FMUs for co-simulation by short runs after an agreeing long run. false:
 * by long runs. */
void costab_model_instance_measure_briefly(costab_model_instance *instance, bool brief);

/* Returns true if the network itself, hence its monolithic solution, depends on the parameter; false if it
 * affects only macro steps, micro steps and other numbers of couplings and solvers. */
bool costab_model_instance_shapes(const costab_model_instance *instance, int parameter);

/* Returns true if a count depends on the parameter (micro steps per macro step, strides, iterations, delays
 * in macro steps). The model is then defined at isolated values only. */
bool costab_model_instance_counts(const costab_model_instance *instance, int parameter);

/* Returns true if counts depend on the parameter and none is the parameter itself: the model may then be
 * defined at values that are no whole numbers. */
bool costab_model_instance_rounds(const costab_model_instance *instance, int parameter);

/* Returns COSTAB_INVALID if at an end of a parameter's range a number is not positive that must be: a macro
 * step, a micro step, a sample time or a relaxation. Evaluates formulas only, and restores the parameter. */
costab_status model_instance_check_range(costab_model_instance *instance, int parameter,
                                         const double range[2], costab_error *error);

/* [out] *linear: the subsystem is given by matrices, or by formulas linear in states and inputs. Its matrices
 * then describe it completely. May return COSTAB_MEMORY. */
costab_status costab_model_instance_linear(const costab_model_instance *instance, int subsystem, bool *linear,
                                           costab_error *error);

/* Sets the extrapolation of the c-th connection of the instance's network immediately; updates keep it. NULL:
 * the coupling's extrapolation. */
void costab_model_instance_extrapolate(costab_model_instance *instance, int c,
                                       const costab_extrapolation *by);

/* A value of the operating point of the network: a state or an input. */
typedef struct costab_rest_value {
    char name[200]; /* subsystem.state or subsystem.input */
    double value;
    bool unknown; /* solved for; otherwise given */
    bool held;    /* a state that the equilibrium does not determine: it keeps its given value */
    double speed; /* or moves from there at this speed per second */
} costab_rest_value;

/* Returns the i-th value of a subsystem, states before inputs, in the operating point of the last update.
 * Returns false if there is none, or if the model gives all values. */
bool costab_model_instance_point(const costab_model_instance *instance, int subsystem, int i,
                                 costab_rest_value *value);

/* Checks the operating point that the model gives against the network at the last update: one step of
 * Newton's method towards an equilibrium must not change any eigenvalue of the monolithic system by more than
 * a thousandth. [out] words: the value that fits least, "" if all fit. Update the instance before it is used
 * again. COSTAB_MEMORY. */
#define COSTAB_MISFIT_MAX 700
costab_status costab_model_instance_misfit(costab_model_instance *instance, char words[COSTAB_MISFIT_MAX],
                                           costab_error *error);

/* Returns true if the model gives values of operating points, for formulas or FMUs. */
bool costab_model_instance_gives_points(const costab_model_instance *instance);

/* Returns the reason if the last update found no operating point; otherwise NULL. */
const char *costab_model_instance_unsolved(const costab_model_instance *instance);

/* Returns true if the parameter affects a solved operating point. */
bool costab_model_instance_solves(const costab_model_instance *instance, int parameter);

/* Makes the last operating point the start of all later continuations, for models without an operating point
 * at their default parameters. */
void costab_model_instance_anchor(costab_model_instance *instance);

/* Call directly after analysing this network in `work` with these options. Returns COSTAB_INVALID if there is
 * nothing to analyse (costab_network_vacuous) at any values of the model's parameters. [out] *moved: the
 * instance and the workspace were changed; repeat the analysis of the point. */
costab_status costab_model_instance_check_modes(costab_model_instance *instance, costab_network_work *work,
                                                const costab_coupling *choices, bool *moved,
                                                costab_error *error);

/* Returns a network of one subsystem without its connections, borrowed from the instance. */
costab_network costab_model_instance_alone(const costab_model_instance *instance, int subsystem);

/* Returns the number of checks in the last measurement of a subsystem, such as an FMU. [out] *checks:
 * borrowed. */
int costab_model_instance_checks(const costab_model_instance *instance, int subsystem,
                                 const costab_check **checks);
