/* model/instance.h - what an instance is made of, between the files that make and update it. */
#pragma once

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
