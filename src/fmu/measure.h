/* fmu/measure.h - the map z+ = F z + E u, y = K z of an FMU's own macro steps, including its hidden solver; y
 * is read after the step. It is identified from impulse responses of the inputs, the Markov parameters G_k =
 * K F^k E (Ho and Kalman 1966; docs/explanation/algorithms.md, FMU measurement). */
#pragma once

#include "fmu/run.h"

/* A cache of measured maps, for searches with repeated values. */
typedef struct fmu_map_cache fmu_map_cache;

/* Checks that depend on the FMU more than on the step length, made with the first map only, and the last long
 * run. Numbers are output differences relative to the largest output; NaN: not checked. */
typedef struct fmu_first_checks {
    bool known;
    double long_run;
    double rollback;                    /* after restoring a state, relative to a new instance */
    double flag;                        /* noSetFMUStatePriorToCurrentPoint false, relative to true */
    double nonlinearity, time_variance; /* of one-sided measurements (measure.c, Central differences) */
} fmu_first_checks;

/* An FMU in one instance of a model. */
typedef struct fmu_subsystem {
    const fmu_part *part;
    fmu_run *run;
    double start_time;                /* in seconds */
    double *asked, *answer;           /* numbers of any request; of any answer except FMU_RESPONSE */
    double *nominals;                 /* of states */
    double *own;                      /* the FMU's own values: states, then inputs */
    fmu_map_cache *cache;             /* NULL: no map was measured yet */
    fmu_first_checks first_checks[2]; /* at all ports; at ports in loops of connections only */
    bool runs_only;                   /* for simulations only, without a map */
    int stride, order;                /* of the last realisation: index of the stride; order, -1: none */
    bool hides_states;                /* the map of its own states disagreed with it */
    bool loops_only;                  /* ports of the last map */
    double last_step_t;               /* start of the last simulation step; NaN: none */
} fmu_subsystem;

/* Copies the start values of an update, if any. */
void measure_copy_starts(const fmu_part *part, const costab_foreign_numbers *numbers, double *to);

/* Returns the largest number of states of a part's map. */
int measure_states_most(const fmu_part *part);

/* Measures the map of steps of numbers->length (s) around the inputs of numbers->point. Returns
 * COSTAB_INVALID with the number of the failed check if the model is nonlinear, its map varies between steps,
 * or no map of few states has these outputs; with numbers->time_varying, stores the zero map instead. Other
 * errors as fmu_run_ask. */
costab_status measure_update(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error);

/* Adds a check and its number to an update. */
void measure_note(costab_foreign_numbers *numbers, const char *name, double value);

/* Adds a sentence to the warning of an update. */
void measure_warn(costab_foreign_numbers *numbers, const char *format, ...) COSTAB_PRINTF(2, 3);

/* State of a measurement. */
typedef struct measure {
    fmu_subsystem *s;
    costab_foreign_numbers *numbers;
    int output_count;
    int columns;          /* of the map: the inputs' values, then, if supported, their rises in a step */
    int blocks;           /* blocks of output_count x columns per side of the Hankel matrices */
    double length, below; /* H of the map, measured at H (1 - below) */
    double amplitude;     /* of impulses, in nominal values of the inputs */
    int strides;          /* number of strides to try */
    double *outputs;      /* of all runs of a request, up to two per column, step by step */
    double *compared;     /* of the run with which `outputs` are compared */
    double *G, *G_other;  /* Markov parameters, output_count x columns per step; others for comparison */
    double *change;       /* of each column, in a run */
    size_t capacity;      /* of outputs, compared, G and G_other, in steps */
    double nonlinearity, time_variance, drift, long_run; /* relative results of the checks */
    double *rest_outputs; /* output_count: outputs without changes at the start of a run */
    double *by_states;    /* map of the FMU's own states (by_states.c) */
    bool later_known;     /* one-sided impulses: later ones agree */
    bool uses_states;     /* Markov parameters come from by_states */
    bool one_sided;       /* impulses in one direction and a run without: half the runs */
    int long_run_steps;
    bool starts_later; /* the FMU can be started at another time */
    bool loops_only;   /* only ports in loops, with inputs held if all couplings hold them */
} measure;

/* ---- markov.c ---- */

/* Returns the difference of two outputs; 0 if rounding of `steps` steps may explain it. */
double measure_output_difference(double one, double other, int steps);
/* Allocates space for `steps` steps. */
bool measure_grow(measure *m, size_t steps);
/* Returns the nominal value of a column, an input or its slope; 0 if it is excluded. */
double measure_nominal(const measure *m, int column);
/* Makes the runs of a request and returns their outputs, 0 for held ones. `change`: one value per column. */
costab_status measure_run(const measure *m, const fmu_request *request, const double *change, double *outputs,
                          costab_error *error);

/* Measures the Markov parameters 0 .. steps-1 with impulses of this amplitude during step `at`, one-sided or
 * between opposite ones. [out] G: steps matrices output_count x columns. */
costab_status measure_markov(measure *m, int steps, int at, double amplitude, double *G, costab_error *error);
/* Returns the largest difference of two sets of Markov parameters, relative to the largest of the same output
 * and column. */
double measure_markov_difference(const measure *m, int steps, const double *one, const double *two);
/* Stores the best amplitude, its G and its two checks in m. */
costab_status measure_choose_amplitude(measure *m, int steps, costab_error *error);
/* Delay, in steps, of the later impulse in the check for time dependence. */
#define MEASURE_LATER 7
/* Compute m->drift, the largest relative motion of outputs in a run without changes: from the first run in
 * m->outputs, or from a separate run. */
void measure_find_drift(measure *m, int steps);
costab_status measure_check_drift(measure *m, int steps, costab_error *error);

/* ---- by_states.c ---- */

/* Measures m->by_states; an error if the FMU's states cannot be set. */
costab_status measure_by_states(measure *m, costab_error *error);
/* Computes the Markov parameters of that map. */
costab_status measure_markov_by_states(const measure *m, int steps, double *G, costab_error *error);

/* ---- checks.c ---- */

/* Simulates the FMU for m->long_run_steps steps with pseudo-random changes of all inputs, from a later start
 * time, and compares its outputs with the map F, E, K. This reveals a solver step that nearly divides that of
 * the map, and time dependence. Returns COSTAB_INVALID beyond a limit. */
costab_status measure_check_long_run(measure *m, int order, const double *F, const double *E, const double *K,
                                     costab_error *error);

/* Steps of a long run and of a brief check. */
enum { MEASURE_LONG_RUN = 256, MEASURE_BRIEF_RUN = 16 };

/* Computes rollback and flag of s->first_checks from runs of `steps` steps. Sets its nonlinearity and
 * time_variance to NaN unless the measurement is one-sided. */
costab_status measure_first_checks(measure *m, int steps, costab_error *error);

/* ---- powers.c ---- */

/* Replaces the map of one step in m->numbers by the map of `steps` steps with held or linear inputs, and
 * compares it with the FMU. [out] *right: they agree; otherwise the map must be measured differently. */
costab_status measure_power(measure *m, int steps, bool *right, costab_error *error);

/* ---- map_cache.c ---- */

/* Copies the map measured with the same numbers; returns false if there is none. */
bool map_cache_find(fmu_subsystem *s, costab_foreign_numbers *numbers);
/* Stores a map if the cache has space; otherwise it will be measured again. */
void map_cache_store(fmu_subsystem *s, const costab_foreign_numbers *numbers);
void map_cache_free(fmu_map_cache **known);

/* ---- realise.c ---- */

/* Markov parameters: `steps` matrices q x m, row-major. */
typedef struct fmu_markov {
    int q, m, steps;
    const double *values;
} fmu_markov;

/* Quality of a realisation. */
typedef struct fmu_realisation {
    int order;
    double least;    /* smallest significant singular value, relative to the largest */
    double next;     /* largest insignificant one */
    double residual; /* largest |K F^k E - G_k| of all steps, relative to the scales of output and input */
} fmu_realisation;

/* Realises G with Hankel blocks G_{stride (a + b)}, a, b < blocks, which requires stride (2 blocks - 2) + 2
 * steps. The order is the number of singular values above `tolerance` (relative). F: order x order, E: order
 * x m, K: q x order, with space for `most` states; a larger order leaves them unset. Returns COSTAB_NUMERIC
 * if LAPACK fails. */
costab_status realise(const fmu_markov *g, int blocks, int stride, double tolerance, int most, double *F,
                      double *E, double *K, fmu_realisation *found, costab_error *error);
