/* fmu/part.h - an FMU as a subsystem: its states, inputs and outputs, and the variables with values set
 * before initialisation. */
#pragma once

#include "fmu/description.h"

/* An ordered list of variables; arrays contribute all their values. */
typedef struct fmu_ports {
    int variable_count, count; /* number of variables; number of values */
    int *variables;            /* their indices in the description */
    uint32_t *references;
    char **names;       /* one per value: "u", or "u[1]", "u[2]", ... */
    const char **units; /* one per value, borrowed; NULL if not given */
    bool *held;         /* one per value: not usual (fmu_part_is_usual), held at its start by analyses */
} fmu_ports;

typedef struct fmu_part {
    costab_fmu *fmu;
    costab_fmu_kind kind;
    char *name;       /* of the file, for messages: "plant.fmu" */
    double tolerance; /* of its own solver; 0: not given */
    fmu_ports states, derivatives, inputs, outputs, starts;
    fmu_ports own_states; /* co-simulation: the states, if all can be set before initialisation */
    /* The outputs that are not held and (model exchange) not states, and the output index of each value. FMUs
     * provide directional derivatives of these only. */
    fmu_ports computed_outputs;
    int *computed_rows;
    struct unpacked *unpacked; /* its files; to be left (unpacked.h) before fmu_part_free; NULL: it is not
                                * run */
} fmu_part;

/* fmu_part_is_usual returns true for default ports: Real or Float64, continuous or (co-simulation) discrete.
 * fmu_part_is_possible returns true for ports selectable by name, including integers and Booleans. */
bool fmu_part_is_usual(costab_fmu_kind kind, const fmu_variable *v);
bool fmu_part_is_possible(const fmu_variable *v);

/* Reads the FMU and finds its ports; without names all usual ones, and without a kind the only one offered.
 * Returns COSTAB_INVALID for a kind unavailable in the FMU or on this machine, and for unknown or unsuitable
 * names. [out] *part: free with fmu_part_free. */
costab_status fmu_part_make(const costab_foreign_wish *wish, fmu_part **part, costab_error *error);
void fmu_part_free(fmu_part **part);

/* Return true if inputs may be linear within a step, and the number of columns of the map: values, then
 * slopes. */
bool fmu_part_inputs_can_rise(const fmu_part *part);
int fmu_part_columns(const fmu_part *part);

/* Returns true if an output may depend on an input at the same instant, according to the description. */
bool fmu_part_feeds_through(const fmu_part *part);

/* Returns the permitted relative error of derivatives, or of a linear, time-invariant map
 * (costab_fmu_set_accuracy); callers allow ten times as much after a long run. The default of maps is
 * larger, because solvers inside FMUs have their own tolerances. */
double fmu_accuracy(const fmu_part *part);
#define FMU_ACCURACY_OF_DERIVATIVES 1e-6
#define FMU_ACCURACY_OF_STEPS       1e-4
