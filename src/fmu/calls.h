/* fmu/calls.h - an FMU's program in this (child) process: common calls for both versions of FMI.
 *
 * Each call first writes its name to the board, so the parent can report it after a crash, and then restores
 * the floating-point environment. */
#pragma once

#include "fmu/fmi.h"
#include "fmu/part.h"

#define FMU_CALL_MAX  64
#define FMU_WORDS_MAX 1024

/* Memory shared by parent and child. The FMU may write anything there: flags are bytes, any nonzero value is
 * true. */
typedef struct fmu_board {
    char call[FMU_CALL_MAX];  /* current or last call */
    unsigned char timed;      /* t is known */
    double t;                 /* time of the call, in seconds */
    int run;                  /* index of the current run within a request */
    char said[FMU_WORDS_MAX]; /* the FMU's last message */
} fmu_board;

typedef struct fmu_program {
    const fmu_part *part;
    fmu_board *board;
    void *library, *component;
    fmi2_callbacks callbacks;
    const char *resources; /* a URI (2.0) or a path (3.0) */
    double accuracy;       /* fmu_accuracy() of the parent */
    fmi f;
    size_t indicators; /* number of event indicators */
    size_t instances;  /* number of instances created in this process */
    const char *fault; /* fault beyond the status, such as "changed the rounding mode"; or NULL */
    double next;       /* model exchange: next time event; infinity: none */
    bool continuous;   /* model exchange: in continuous-time mode, with held inputs read-only */
} fmu_program;

/* Loads the program of an unpacked FMU and finds its functions. Returns NULL, or the error: `words`, or a
 * constant if memory is out. Faults during loading are in p->fault. */
const char *program_open(fmu_program *p, const char *folder, char words[FMU_WORDS_MAX]);

/* Each function returns a status of fmi.h, and FMI_ERROR with p->fault set if the call broke the rules. The
 * ports determine the number of values; flags are 0 or 1. program_set skips held values in continuous-time
 * mode. A failed program_instantiate leaves p->component NULL. */
fmi_status program_instantiate(fmu_program *p);
void program_free(fmu_program *p);
fmi_status program_setup_experiment(fmu_program *p, double start); /* FMI 2.0 only */
fmi_status program_enter_initialization(fmu_program *p, double start);
fmi_status program_exit_initialization(fmu_program *p);
fmi_status program_set_start(fmu_program *p, int i, double value); /* i-th start value of the part */
fmi_status program_get(fmu_program *p, const fmu_ports *ports, double *values);
fmi_status program_set(fmu_program *p, const fmu_ports *ports, const double *values);
/* FMI 2.0: sets the slopes of the inputs. */
fmi_status program_set_input_derivatives(fmu_program *p, const double *slopes);
/* Computes the derivatives of `unknown` along a variable's values: the Jacobian times `seed`. known: value
 * reference of the variable; seeds: number of its values. [out] result: unknown->count values. */
fmi_status program_derivative_along(fmu_program *p, const fmu_ports *unknown, uint32_t known,
                                    const double *seed, size_t seeds, double *result);
bool program_can_save_state(const fmu_program *p); /* the state can be saved and restored */
/* [in, out] *state: NULL, or a saved state to be replaced; free with program_free_state. */
fmi_status program_save_state(fmu_program *p, void **state);
fmi_status program_restore_state(fmu_program *p, void *state);
fmi_status program_free_state(fmu_program *p, void **state);
/* Makes a step from t of length `step`. [in, out] *last: the end of the step, changed if the FMU ended it
 * early. [out] *ended: FMI 3.0, the FMU requests the end of the simulation. */
fmi_status program_step(fmu_program *p, double t, double step, bool no_set_back, bool *ended, double *last);

/* Model exchange. program_iterate_events iterates until no event is left, then enters continuous-time mode.
 * [out] *ended: the FMU requests the end of the simulation. */
fmi_status program_iterate_events(fmu_program *p, bool *ended);
fmi_status program_enter_event_mode(fmu_program *p);
/* Signals the end of a solver step. [out] *event: the FMU requests an event; *ended. */
fmi_status program_completed_step(fmu_program *p, bool *event, bool *ended);
fmi_status program_set_time(fmu_program *p, double t);
fmi_status program_set_states(fmu_program *p, const double *x);
fmi_status program_get_states(fmu_program *p, double *x);
fmi_status program_get_nominals(fmu_program *p, double *x);
fmi_status program_get_derivatives(fmu_program *p, double *dx);
fmi_status program_get_indicators(fmu_program *p, double *z); /* p->indicators values */
