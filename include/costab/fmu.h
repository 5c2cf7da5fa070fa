/* costab/fmu.h - functional mock-up units (FMI 2.0 and 3.0) and systems of them (SSP 1.0 and 2.0).
 *
 * An FMU is a zip archive with a description and programs of its maker. Reading an FMU runs no program of it.
 */
#ifndef COSTAB_FMU_H
#define COSTAB_FMU_H

#include "costab/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_fmu_kind {
    COSTAB_FMU_MODEL_EXCHANGE, /* provides derivatives and outputs; costab has the solver */
    COSTAB_FMU_CO_SIMULATION,  /* makes steps with a solver of its own */
    COSTAB_FMU_KIND_COUNT
} costab_fmu_kind;

/* "model-exchange", "co-simulation"; NULL outside the range. */
COSTAB_API const char *costab_fmu_kind_name(costab_fmu_kind kind);

typedef struct costab_fmu costab_fmu;

/* Reads the description of an FMU. Returns COSTAB_UNREADABLE if the file cannot be read. Returns
 * COSTAB_INVALID if it is not a zip archive, has too many entries, or has an entry that is a symbolic link,
 * leads out of the archive, or occurs twice with different contents. Also returns COSTAB_INVALID if
 * modelDescription.xml is missing, too large, wrong, or of a version other than 2.0 and 3.x. [out] *fmu: free
 * with costab_fmu_free. */
COSTAB_API costab_status costab_fmu_read(const char *path, costab_fmu **fmu, costab_error *error);
COSTAB_API void costab_fmu_free(costab_fmu **fmu);

/* The description of an FMU. */
typedef struct costab_fmu_info {
    const char *name, *version; /* of the model; of FMI */
    bool offers[COSTAB_FMU_KIND_COUNT];
    bool runs[COSTAB_FMU_KIND_COUNT]; /* offered, and the archive has a binary for this machine */
    bool keeps_state[COSTAB_FMU_KIND_COUNT], derivatives[COSTAB_FMU_KIND_COUNT]; /* get and set of the state;
                                                                                  directional derivatives */
    const char *platforms;        /* folders of binaries, "linux64, win64" */
    double start_time, step_size; /* of its default experiment, in seconds; 0 if not given */
    int variables, states;        /* number of variables, arrays once; of continuous states, all values */
} costab_fmu_info;

/* Fills *info. Its texts are borrowed from the FMU. */
COSTAB_API void costab_fmu_get_info(const costab_fmu *fmu, costab_fmu_info *info);

/* A variable of an FMU. Texts are borrowed from it. */
typedef struct costab_fmu_variable {
    const char *name, *causality; /* "parameter", "input", "output", "local", ... */
    bool continuous;              /* Real or Float64, of continuous variability */
    bool state;                   /* a continuous state */
    bool has_start;
    double start; /* 0 without has_start */
    size_t size;  /* number of values; more than 1 in an array */
} costab_fmu_variable;

/* Fills *variable with variable i, 0 <= i < costab_fmu_info.variables. Returns false outside this range. */
COSTAB_API bool costab_fmu_get_variable(const costab_fmu *fmu, int i, costab_fmu_variable *variable);

/* ---- FMUs as subsystems ---- */

/* Returns the functions that compute the subsystems `fmu:` of a model, for costab_spec_read_with. The
 * programs of an FMU run in separate processes, one per instance of a model and FMU. An FMU is unpacked once
 * into a folder below TMPDIR (or /tmp), which is removed with its last user. Crashes of an FMU do not affect
 * the caller, but this is not a sandbox: an FMU is a program with the user's rights. If the environment
 * variable COSTAB_NO_FMU is set, and neither empty nor 0, no program of an FMU is run: models with FMUs are
 * refused (COSTAB_INVALID). */
COSTAB_API const costab_foreign *costab_fmu_foreign(void);

/* Like costab_fmu_foreign, for models that are only simulated: maps of FMUs that step by themselves are not
 * measured. */
COSTAB_API const costab_foreign *costab_fmu_foreign_for_runs(void);

/* Sets whether FMUs of models that are read later run, for all threads; initially true. With false, models
 * and specs can be read even if COSTAB_NO_FMU is set, but their FMUs have no numbers. */
COSTAB_API void costab_fmu_set_running(bool running);

/* Sets the seconds that an FMU may take for one request, such as a linearisation, or for one run of the many
 * that measure a map; initially 10. It applies to all FMUs of the process: call it before any is used.
 * COSTAB_INVALID for a number that is not positive, or above 1e6. */
COSTAB_API costab_status costab_fmu_set_timeout(double seconds, costab_error *error);

/* Sets the bytes of address space that an FMU's process may take in addition to its initial size; initially 4
 * GiB. It applies to all FMUs of the process. COSTAB_INVALID for less than 1 MiB. */
COSTAB_API costab_status costab_fmu_set_memory(size_t bytes, costab_error *error);

/* Sets a function that is called about twice a second during waits for FMUs, with words such as "wheel.fmu, H
 * = 0.01: run 3 of 26, t = 0.31 of 0.48", borrowed for the call. Each waiting thread calls it with `context`.
 * It must not use FMUs. NULL: no function. */
COSTAB_API void costab_fmu_set_listener(void (*hear)(void *context, const char *words), void *context);

/* Sets the allowed relative difference between an FMU and its measured map (initially 1e-4) or derivatives
 * (1e-6). The measured difference widens rounding and undecided parts. It applies to all FMUs of the process.
 * COSTAB_INVALID outside of 1e-12 .. 0.01. */
COSTAB_API costab_status costab_fmu_set_accuracy(double accuracy, costab_error *error);

/* ---- Systems of FMUs ---- */

/* Returns true if a path ends in .ssp, .ssd, .xml or .fmu; an FMU alone is a system of one component.
 * costab_spec_read_with reads such a file as a model with subsystems `fmu:`. The model has the parameter H,
 * the macro step: the step of the system, otherwise the smallest that its FMUs propose, otherwise 0.01 s.
 * Numeric parameters of the FMUs become parameters COMPONENT_VARIABLE. */
COSTAB_API bool costab_ssp_is(const char *path);

#ifdef __cplusplus
}
#endif
#endif
