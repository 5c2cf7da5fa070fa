/* fmu/description.h - contents of modelDescription.xml, for FMI 2.0 and 3.0. */
#pragma once

#include <stdint.h>

#include "costab/fmu.h"
#include "fmu/archive.h"

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
    FMU_OTHER /* strings, binaries, clocks */
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
    char *unit; /* NULL: not given */
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    fmu_variability variability;
    fmu_initial initial; /* FMU_INITIAL_NONE: the default of its causality */
    bool has_start;
    double start;        /* first value of an array */
    double nominal;      /* positive */
    bool no_feedthrough; /* an output independent of all inputs at the same instant */
    bool has_state;
    uint32_t state; /* the variable's state if it is a derivative: an index from 1 (2.0), a value reference
                       (3.0) */
    bool is_state;  /* a continuous state of the model */
    size_t size;    /* number of values: 1, or the size of an array */
} fmu_variable;

/* Capabilities of an FMU for one kind. */
typedef struct fmu_interface {
    char *identifier;     /* of its binary; NULL: the kind is not offered */
    char *library;        /* archive entry for this machine; NULL: none */
    bool keeps_state;     /* the state can be saved and restored */
    bool derivatives;     /* provides directional derivatives */
    bool single_instance; /* one instance per process */
    bool inputs_can_rise; /* FMI 2.0: inputs may be linear in time within a step */
    double own_step;      /* step of its solver in seconds; 0: unknown */
} fmu_interface;

/* A continuous state: its variable and the variable of its derivative. */
typedef struct fmu_state {
    int variable, derivative;
} fmu_state;

struct costab_fmu {
    char *path;
    int version; /* 2 or 3 */
    char *version_text, *name, *token;
    fmu_interface interfaces[COSTAB_FMU_KIND_COUNT];
    uint32_t indicators;                                /* event indicators, FMI 2.0 */
    bool scheduled;                                     /* offers scheduled execution */
    double start_time, stop_time, tolerance, step_size; /* times in seconds; 0: not given */
    int variable_count, state_count;
    fmu_variable *variables;
    const fmu_variable **by_name, **by_reference; /* sorted; one per variable */
    fmu_state *states;
    char contents_mark[ARCHIVE_MARK_SIZE];
    char *platforms;        /* folders of binaries, "linux64, win64"; "" without any */
    bool sources;           /* has a folder of sources */
    uint64_t unpacked_size; /* bytes of the resources and this machine's binaries, unpacked */
};

/* Reads modelDescription.xml. `fmu` is zero except for its path; free it even after a failure. `path` names
 * the document in messages. */
costab_status description_parse(costab_fmu *fmu, const char *path, const char *bytes, size_t size,
                                costab_error *error);
void description_clear(costab_fmu *fmu);

/* Returns the index of the variable with that name; -1 if there is none. */
int description_find(const costab_fmu *fmu, const char *name);

/* Returns the name closest to a misspelt one; NULL if none is close. */
const char *description_nearest(const costab_fmu *fmu, const char *name);

/* Returns true if the variable is a single number or Boolean that may get a value before initialisation. */
bool description_may_start(const fmu_variable *v);

/* Returns the folder of binaries for this machine in an archive of that version, such as "binaries/linux64/";
 * NULL if costab runs no FMUs on this machine. */
const char *description_folder(int version);

/* Folder of resources in an archive. */
#define FMU_RESOURCES "resources/"
