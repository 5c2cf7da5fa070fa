/* fmu/part.h - an FMU as a subsystem: which of its variables are states, inputs and outputs, and which get
 * values before it is initialised. */
#pragma once

#include "fmu/description.h"

/* Some variables in an order; an array counts with all its values. */
typedef struct fmu_ports {
    int variable_count, count; /* of variables; of values */
    int *variables;            /* their numbers in the description */
    uint32_t *references;
    char **names;       /* one per value: "u", or "u[1]", "u[2]", ... */
    const char **units; /* one per value, borrowed; NULL where none is given */
    bool *held;         /* one per value: no continuous real number, which analyses hold at its start value */
} fmu_ports;

typedef struct fmu_part {
    costab_fmu *fmu;
    costab_fmu_kind kind;
    char *name;       /* of the file, for messages: "plant.fmu" */
    double tolerance; /* of its own solver; 0: none is given */
    fmu_ports states, derivatives, inputs, outputs, starts;
    fmu_ports own_states; /* co-simulation: the states, if all of them can be set before it is initialised */
    /* The outputs that are no states, and for each of their values its number among the outputs. FMUs give
     * directional derivatives of these only. */
    fmu_ports computed_outputs;
    int *computed_rows;
    struct unpacked *unpacked; /* its files (unpacked.h); NULL: it is not run */
} fmu_part;

/* Whether a variable is a port unless the wish names ports: a real number, continuous or (co-simulation)
 * discrete; whether it can be one by its name: also a whole number or a flag. */
bool fmu_part_is_usual(costab_fmu_kind kind, const fmu_variable *v);
bool fmu_part_is_possible(const fmu_variable *v);

/* Reads the FMU and finds the ports: all usual ones where the wish names none; the kind is the
 * one that the FMU offers where it names none. COSTAB_INVALID for a kind that it does not offer, or not on
 * this machine, and for names that are not there or of the wrong sort. [out] *part: free with fmu_part_free.
 */
costab_status fmu_part_make(const costab_foreign_wish *wish, fmu_part **part, costab_error *error);
void fmu_part_free(fmu_part **part);

/* Whether its inputs can rise within a step of its own; how many columns its map has for that: those of the
 * values, then those of the rises. */
bool fmu_part_inputs_can_rise(const fmu_part *part);
int fmu_part_columns(const fmu_part *part);

/* Whether an output may depend on an input of the same instant: the description tells. */
bool fmu_part_feeds_through(const fmu_part *part);

/* What derivatives, or a linear, time-invariant map, may be missed by (costab_fmu_set_accuracy); after a long
 * run ten times as much. Solvers inside FMUs keep tolerances of their own, so that a map is given more. */
double fmu_accuracy(const fmu_part *part);
#define FMU_ACCURACY_OF_DERIVATIVES 1e-6
#define FMU_ACCURACY_OF_STEPS       1e-4
