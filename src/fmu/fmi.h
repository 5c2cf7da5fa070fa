/* fmu/fmi.h - the functions of FMI 2.0 and 3.0 called by costab, as in the standards
 * (https://fmi-standard.org). A status is 0 (OK), 1 (warning), 2 (discard), 3 (error), 4 (fatal) or, in
 * 2.0, 5 (pending). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fmi_status { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL, FMI_PENDING } fmi_status;

typedef uint32_t fmi_reference;

/* ---- FMI 2.0: a Boolean is an int ---- */

typedef struct fmi2_callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *block);
    void (*step_finished)(void *environment, int status);
    void *environment;
} fmi2_callbacks;

typedef struct fmi2_events {
    int again, terminate, nominals_changed, values_changed, next_defined;
    double next;
} fmi2_events;

typedef struct fmi2 {
    void *(*instantiate)(const char *name, int type, const char *guid, const char *resources,
                         const fmi2_callbacks *callbacks, int visible, int logging);
    int (*setup_experiment)(void *, int tolerance_defined, double tolerance, double start, int stop_defined,
                            double stop);
    int (*enter_initialization)(void *);
    int (*get_real)(void *, const fmi_reference[], size_t, double[]);
    int (*set_real)(void *, const fmi_reference[], size_t, const double[]);
    int (*set_integer)(void *, const fmi_reference[], size_t, const int[]);
    int (*get_integer)(void *, const fmi_reference[], size_t, int[]);
    int (*set_boolean)(void *, const fmi_reference[], size_t, const int[]);
    int (*get_boolean)(void *, const fmi_reference[], size_t, int[]);
    int (*directional)(void *, const fmi_reference unknown[], size_t, const fmi_reference known[], size_t,
                       const double seed[], double result[]);
    int (*new_discrete_states)(void *, fmi2_events *);
    int (*completed)(void *, int no_set_state_before, int *event, int *terminate);
    int (*do_step)(void *, double t, double step, int no_set_state_before);
    int (*get_status)(void *, int kind, double *value);
    int (*set_input_derivatives)(void *, const fmi_reference *, size_t, const int *order, const double *);
} fmi2;

/* ---- FMI 3.0: a Boolean is one byte ---- */

/* A Boolean written by an FMU. It may be any byte, unlike a C bool; nonzero is true. */
typedef unsigned char fmi3_boolean;

typedef void (*fmi3_log)(void *environment, int status, const char *category, const char *message);

typedef struct fmi3 {
    void *(*instantiate_exchange)(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, void *environment, fmi3_log log);
    void *(*instantiate_simulation)(const char *name, const char *token, const char *resources, bool visible,
                                    bool logging, bool events, bool early, const fmi_reference[], size_t,
                                    void *environment, fmi3_log log, void *update);
    int (*enter_initialization)(void *, bool tolerance_defined, double tolerance, double start,
                                bool stop_defined, double stop);
    int (*get_real)(void *, const fmi_reference[], size_t, double[], size_t);
    int (*set_real)(void *, const fmi_reference[], size_t, const double[], size_t);
    int (*set_float)(void *, const fmi_reference[], size_t, const float[], size_t);
    int (*set_int)(void *, const fmi_reference[], size_t, const int32_t[], size_t);
    int (*get_int)(void *, const fmi_reference[], size_t, int32_t[], size_t);
    int (*set_int64)(void *, const fmi_reference[], size_t, const int64_t[], size_t);
    int (*get_int64)(void *, const fmi_reference[], size_t, int64_t[], size_t);
    int (*set_uint64)(void *, const fmi_reference[], size_t, const uint64_t[], size_t);
    int (*get_uint64)(void *, const fmi_reference[], size_t, uint64_t[], size_t);
    int (*set_boolean)(void *, const fmi_reference[], size_t, const fmi3_boolean[], size_t);
    int (*get_boolean)(void *, const fmi_reference[], size_t, fmi3_boolean[], size_t);
    int (*directional)(void *, const fmi_reference unknown[], size_t, const fmi_reference known[], size_t,
                       const double seed[], size_t, double result[], size_t);
    int (*update_discrete_states)(void *, fmi3_boolean *again, fmi3_boolean *terminate,
                                  fmi3_boolean *nominals, fmi3_boolean *values, fmi3_boolean *next_defined,
                                  double *next);
    int (*count_indicators)(void *, size_t *);
    int (*completed)(void *, bool no_set_state_before, fmi3_boolean *event, fmi3_boolean *terminate);
    int (*do_step)(void *, double t, double step, bool no_set_state_before, fmi3_boolean *event,
                   fmi3_boolean *terminate, fmi3_boolean *early, double *last);
} fmi3;

/* ---- Both versions; `two` or `three` is set according to the FMU ---- */

typedef struct fmi {
    void (*free_instance)(void *);
    int (*exit_initialization)(void *), (*terminate)(void *);
    int (*get_state)(void *, void **), (*set_state)(void *, void *), (*free_state)(void *, void **);
    int (*enter_event)(void *), (*enter_continuous)(void *), (*set_time)(void *, double);
    int (*set_states)(void *, const double[], size_t), (*get_states)(void *, double[], size_t);
    int (*get_nominals)(void *, double[], size_t), (*get_derivatives)(void *, double[], size_t);
    int (*get_indicators)(void *, double[], size_t);
    fmi2 two;
    fmi3 three;
} fmi;
