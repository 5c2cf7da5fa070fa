/* fmu/calls.h - an FMU's program in this process (a child): one set of calls for both versions of FMI.
 *
 * Each call notes its name on the board before it is made, so that the parent can say where a child died, and
 * afterwards puts the floating-point environment right again. */
#pragma once

#include "fmu/fmi.h"
#include "fmu/part.h"

#define FMU_CALL_MAX  64
#define FMU_WORDS_MAX 1024

/* Memory that parent and child share. An FMU may have written anything there: flags are bytes, not 0 for
 * true. */
typedef struct fmu_board {
    char call[FMU_CALL_MAX]; /* that is under way, or was the last one */
    unsigned char timed;
    double t, step;           /* of the call: t where `timed`, step where positive */
    int run;                  /* of those that a request takes, from 0 */
    char said[FMU_WORDS_MAX]; /* the FMU's last message */
} fmu_board;

typedef struct fmu_program {
    const fmu_part *part;
    fmu_board *board;
    void *library, *component;
    fmi2_callbacks callbacks;
    const char *resources; /* a URI (2.0), or a path (3.0) */
    double accuracy;       /* fmu_accuracy() of the parent */
    fmi f;
    size_t indicators; /* event indicators */
    size_t instances;  /* made in this process so far */
    const char *fault; /* what is wrong beside a status: "changed the rounding mode"; NULL: nothing */
    double next;       /* model exchange: its next event in time; infinite: none */
    bool continuous;   /* model exchange: in continuous-time mode, where held inputs cannot be set */
} fmu_program;

/* Opens the program in an unpacked FMU and finds its functions. NULL, or what is wrong, in `words`; what it
 * did wrong while it was loaded is p->fault. */
const char *program_open(fmu_program *p, const char *folder, char words[FMU_WORDS_MAX]);

/* Each returns a status of fmi.h; FMI_ERROR with p->fault set where the call broke the rules. Values are as
 * many as the ports have, flags 0 or 1; program_set passes over held ones in continuous-time mode.
 * program_instantiate leaves p->component NULL where it fails. */
fmi_status program_instantiate(fmu_program *p);
void program_free(fmu_program *p);
fmi_status program_setup_experiment(fmu_program *p, double start);     /* 2.0: sets the experiment up */
fmi_status program_enter_initialization(fmu_program *p, double start); /* enters initialisation */
fmi_status program_exit_initialization(fmu_program *p);                /* leaves it */
fmi_status program_set_start(fmu_program *p, int i, double value);     /* of the part's starts */
fmi_status program_get(fmu_program *p, const fmu_ports *ports, double *values);
fmi_status program_set(fmu_program *p, const fmu_ports *ports, const double *values);
/* Of FMI 2.0: the inputs rise from now on. */
fmi_status program_set_input_derivatives(fmu_program *p, const double *slopes);
fmi_status program_derivative_along(fmu_program *p, const fmu_ports *unknown, uint32_t known,
                                    const double *seed, size_t seeds, double *result);
bool program_can_save_state(const fmu_program *p); /* its state can be kept and set back */
fmi_status program_save_state(fmu_program *p, void **state);
fmi_status program_restore_state(fmu_program *p, void *state);
fmi_status program_free_state(fmu_program *p, void **state);
/* [out] *last: where the step ended, if earlier than asked for. */
fmi_status program_step(fmu_program *p, double t, double step, bool no_set_back, bool *ended, double *last);

/* Model exchange. program_iterate_events iterates events until none is left; [out] *ended: it asks for the
 * end of the simulation; *values: it has changed its states. */
fmi_status program_iterate_events(fmu_program *p, bool *ended, bool *values);
fmi_status program_enter_event_mode(fmu_program *p);
/* The end of a solver's step: [out] *event where it asks for one, *ended. */
fmi_status program_completed_step(fmu_program *p, bool *event, bool *ended);
fmi_status program_set_time(fmu_program *p, double t);
fmi_status program_set_states(fmu_program *p, const double *x);
fmi_status program_get_states(fmu_program *p, double *x);
fmi_status program_get_nominals(fmu_program *p, double *x);
fmi_status program_get_derivatives(fmu_program *p, double *dx);
fmi_status program_get_indicators(fmu_program *p, double *z); /* p->indicators values */
