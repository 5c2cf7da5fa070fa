/* fmu/description.h - what modelDescription.xml says of an FMU, of FMI 2.0 and 3.0 alike. */
#pragma once

#include <stdint.h>

#include "costab/fmu.h"

#define FMU_VARIABLES_MAX  200000
#define FMU_STATES_MAX     5000
#define FMU_INDICATORS_MAX 20000
#define FMU_ELEMENTS_MAX   ((size_t)1000000) /* of all arrays of an FMU */

typedef enum fmu_type {
    FMU_REAL, /* Real, Float64 */
    FMU_FLOAT32,
    FMU_INTEGER, /* Integer, Enumeration, and Int32 */
    FMU_INT64,   /* also Enumeration of FMI 3.0 */
    FMU_UINT64,
    FMU_OTHER_INTEGER, /* 8, 16 bits and unsigned 32 bits */
    FMU_BOOLEAN,
    FMU_OTHER /* texts, binaries, clocks */
} fmu_type;

typedef enum fmu_causality {
    FMU_PARAMETER,
    FMU_CALCULATED_PARAMETER,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_LOCAL,
    FMU_INDEPENDENT,
    FMU_STRUCTURAL_PARAMETER
} fmu_causality;

typedef enum fmu_variability {
    FMU_CONSTANT,
    FMU_FIXED,
    FMU_TUNABLE,
    FMU_DISCRETE,
    FMU_CONTINUOUS
} fmu_variability;

typedef enum fmu_initial { FMU_EXACT, FMU_APPROX, FMU_CALCULATED, FMU_INITIAL_NONE } fmu_initial;

typedef struct fmu_variable {
    char *name;
    char *unit; /* NULL: none is given */
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    fmu_variability variability;
    fmu_initial initial; /* FMU_INITIAL_NONE: as is usual for its causality */
    bool has_start;
    double start;        /* the first one of an array */
    double nominal;      /* positive */
    bool no_feedthrough; /* an output that depends on no input of the same instant */
    bool has_state;
    uint32_t state; /* it is the derivative of this: a number from 1 (2.0), a value reference (3.0) */
    bool is_state;  /* it is a continuous state of the model */
    size_t size;    /* values: 1, or as many as an array has */
    size_t line;
} fmu_variable;

/* What the FMU offers of a kind. */
typedef struct fmu_interface {
    char *identifier;     /* of its binary; NULL: the kind is not offered */
    char *library;        /* its entry in the archive, for this machine; NULL: there is none */
    bool needs_tool;      /* it needs a program that is not in the archive */
    bool keeps_state;     /* its state can be saved and restored */
    bool derivatives;     /* it gives directional derivatives */
    bool variable_step;   /* of co-simulation: its steps may have any length */
    bool single_instance; /* it can be instantiated only once in a process */
    bool inputs_can_rise; /* of FMI 2.0: its inputs can be linear functions of time within a step */
    double own_step;      /* of its solver; 0: not known */
} fmu_interface;

/* A continuous state: its variable and that of its derivative. */
typedef struct fmu_state {
    int variable, derivative;
} fmu_state;

struct costab_fmu {
    char *path;
    int version; /* 2 or 3 */
    char *version_text, *name, *token;
    fmu_interface interfaces[COSTAB_FMU_KIND_COUNT];
    uint32_t indicators;                                /* event indicators, of FMI 2.0 */
    bool scheduled;                                     /* it offers scheduled execution */
    bool clocks;                                        /* it has variables that are clocks */
    double start_time, stop_time, tolerance, step_size; /* 0: not given */
    int variable_count, state_count;
    fmu_variable *variables;
    const fmu_variable **by_name, **by_reference; /* sorted; as many as variables */
    fmu_state *states;
    char contents_mark[20]; /* a word that stands for the archive's contents */
    char *platforms;        /* the folders of binaries, "linux64, win64"; "" where there are none */
    bool sources;           /* it has a folder of sources */
    uint64_t unpacked_size; /* bytes of what is unpacked of it, as the archive says */
};

/* Reads modelDescription.xml; `fmu` is zero but its path, and to be freed even where this fails. `path` names
 * the document in messages. */
costab_status description_parse(costab_fmu *fmu, const char *path, const char *bytes, size_t size,
                                costab_error *error);
void description_clear(costab_fmu *fmu);

/* The number of the variable of that name; -1 where there is none. */
int description_find(const costab_fmu *fmu, const char *name);

/* The name of the variable that a misspelt one may mean; NULL where none is near. */
const char *description_nearest(const costab_fmu *fmu, const char *name);

/* Whether the variable may be given a value before the FMU is initialised. */
bool description_may_start(const fmu_variable *v);

/* The folder of binaries for this machine in an archive of that version: "binaries/linux64/"; NULL where
 * costab runs no FMUs on this machine. */
const char *description_folder(int version);

/* The folder of resources in an archive. */
#define FMU_RESOURCES "resources/"
