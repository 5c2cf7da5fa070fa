/* fmu/measure.h - the map z+ = F z + E u, y = K z of an FMU's own macro steps, its hidden solver included;
 * y is read after the step. It is identified from responses to impulses of the inputs, the Markov
 * parameters G_k = K F^k E (Ho and Kalman 1966; docs/explanation/algorithms.md, FMU measurement). */
#pragma once

#include "fmu/run.h"

/* A cache of measured maps, for searches that come back to the same values. */
typedef struct fmu_map_cache fmu_map_cache;

/* Checks that depend on the FMU more than on the length of the step: made with the first map only, and
 * the last long run. Numbers are differences of outputs relative to the largest; NaN: not checked. */
typedef struct fmu_first_checks {
    bool known;
    double long_run;
    double rollback;                    /* after a state was restored, from the outputs of a new instance */
    double flag;                        /* with noSetFMUStatePriorToCurrentPoint false, from true */
    double nonlinearity, time_variance; /* of one-sided measurements (measure.c, step 4) */
} fmu_first_checks;

/* An FMU in one instance of a model. */
typedef struct fmu_subsystem {
    const fmu_part *part;
    fmu_run *run;
    double start_time;
    double *asked, *answer; /* numbers of a request and of its answer: the largest but FMU_RESPONSE */
    double *nominals;       /* of states */
    double *own;            /* the FMU's own values: states, then inputs */
    fmu_map_cache *cache;   /* NULL: no map has been measured yet */
    fmu_first_checks first_checks[2]; /* at all ports; at those in loops of connections alone */
    bool runs_only;                   /* no map is wanted: simulations step it */
    int stride, order;                /* of the last realisation: which of the strides; its order, -1: none */
    bool hides_states;                /* the map of its own states did not agree with it */
    bool loops_only;                  /* which of them the last map was measured at */
    double last_step_t;               /* when the last step of a simulation began; NaN: none has been taken */
} fmu_subsystem;

/* Writes the start values of an update, of which there may be none. */
void measure_copy_starts(const fmu_part *part, const costab_foreign_numbers *numbers, double *to);

/* The most states that the map of a part may have. */
int measure_states_most(const fmu_part *part);

/* Measures the map of steps of numbers->length around the inputs of numbers->point. COSTAB_INVALID where a
 * check fails, with its number: the model is nonlinear, its map changes from step to step, or no map of
 * few states has these outputs. */
costab_status measure_update(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error);

/* Adds a check and its number to those of an update. */
void measure_note(costab_foreign_numbers *numbers, const char *name, double value);

/* Adds a sentence to the warning of an update. */
void measure_warn(costab_foreign_numbers *numbers, const char *format, ...) COSTAB_PRINTF(2, 3);

/* A measurement under way. */
typedef struct measure {
    fmu_subsystem *s;
    costab_foreign_numbers *numbers;
    int output_count;
    int columns;          /* of the map: the inputs' values, then, where they can rise, their rises */
    int blocks;           /* rows and columns of the Hankel matrices, in blocks output_count x columns */
    double length, below; /* H that the map is wanted for; it is measured at H (1 - below) */
    double amplitude;     /* of impulses, in nominal values of the inputs */
    int strides;          /* how many of the strides are tried */
    double *outputs;      /* of a request's runs, up to two per column, one behind the other: step by step */
    double *opposite;     /* of one run: with the opposite changes, or to compare with */
    double *G, *G_other;  /* Markov parameters, step by step output_count x columns; those to compare with */
    double *change;       /* of each column, in a run */
    size_t room;          /* steps that outputs, opposite, G and G_other hold */
    double nonlinearity, time_variance, drift, long_run; /* what the checks found, relative */
    double *rest_outputs; /* output_count: outputs without changes, where a run starts */
    double *by_states;    /* the map of the FMU's own states (by_states.c) */
    bool later_known;     /* of one-sided impulses: later ones agree */
    bool uses_states;     /* Markov parameters are those of by_states */
    bool one_sided;       /* impulses up only, beside a run without any: half the runs */
    int long_run_steps;
    bool starts_later; /* the FMU can be started at another time */
    bool loops_only;   /* at ports in loops of connections alone, inputs held where all couplings hold them */
} measure;

/* ---- markov.c ---- */

/* The difference of two outputs; 0 where it may be rounding of `steps` steps. */
double measure_output_difference(double one, double other, int steps);
/* Makes room for so many steps. */
bool measure_grow(measure *m, size_t steps);
/* The nominal value of a column, an input's or its rise's; 0 of one that the measurement leaves out. */
double measure_nominal(const measure *m, int column);
/* The outputs of a run, 0 of held ones; the request says how: `change` has a value per column. */
costab_status measure_run(const measure *m, const fmu_request *request, const double *change, double *outputs,
                          costab_error *error);

/* Markov parameters 0 .. steps-1 of impulses of this amplitude during step `at`, one-sided or between
 * opposite ones. [out] G: steps matrices output_count x columns. */
costab_status measure_markov(measure *m, int steps, int at, double amplitude, double *G, costab_error *error);
/* The largest difference of two sets of them, relative to the largest of the same output and column. */
double measure_markov_difference(const measure *m, int steps, const double *one, const double *two);
/* Leaves G of the best amplitude in m->G, that amplitude and its two checks in m. */
costab_status measure_choose_amplitude(measure *m, int steps, costab_error *error);
/* By how many steps the impulse of the check of time comes later. */
#define MEASURE_LATER 7
/* m->drift: how far outputs move in a run without changes, relative to their start: in the first run of
 * m->outputs; in a run of its own. */
void measure_find_drift(measure *m, int steps);
costab_status measure_check_drift(measure *m, int steps, costab_error *error);

/* ---- by_states.c ---- */

/* Measures m->by_states; an error where the FMU cannot be set. */
costab_status measure_by_states(measure *m, costab_error *error);
/* The Markov parameters of that map. */
costab_status measure_markov_by_states(const measure *m, int steps, double *G, costab_error *error);

/* ---- checks.c ---- */

/* Simulates the FMU for m->long_run_steps steps with pseudo-random changes of all inputs, from a later
 * start time, and compares its outputs with those of the map F, E, K. So a solver whose own step nearly
 * divides that of the map shows, and a dependence on time. COSTAB_INVALID beyond a limit. */
costab_status measure_check_long_run(measure *m, int order, const double *F, const double *E, const double *K,
                                     costab_error *error);

/* Steps of a long run, and of one that checks a map briefly. */
enum { MEASURE_LONG_RUN = 256, MEASURE_BRIEF_RUN = 16 };

/* Fills rollback and flag of s->first_checks from runs of `steps` steps. */
costab_status measure_check_rollback(measure *m, int steps, costab_error *error);

/* ---- powers.c ---- */

/* Replaces the map of one step in m->numbers by that of `steps` steps, over which inputs are held or rise,
 * and compares it with the FMU. [out] *right: whether they agree; else the map is to be measured
 * otherwise. */
costab_status measure_power(measure *m, int steps, bool *right, costab_error *error);

/* ---- map_cache.c ---- */

/* Copies the map that was measured with the same numbers; false where there is none. */
bool map_cache_find(fmu_subsystem *s, costab_foreign_numbers *numbers);
/* Keeps a map as long as there is room; one that is not kept is measured again. */
void map_cache_store(fmu_subsystem *s, const costab_foreign_numbers *numbers);
void map_cache_free(fmu_map_cache **known);

/* ---- realise.c ---- */

/* Markov parameters: `steps` matrices q x m, row-major, one after the other. */
typedef struct fmu_markov {
    int q, m, steps;
    const double *values;
} fmu_markov;

/* The quality of a realisation. */
typedef struct fmu_realisation {
    int order;
    double least;    /* the smallest singular value that counts, relative to the largest */
    double next;     /* the largest that does not */
    double residual; /* the largest |K F^k E - G_k| of all steps, relative to the largest |G| */
} fmu_realisation;

/* Realises G with Hankel blocks G_{stride (a + b)}, a, b < blocks, of which it needs stride (2 blocks - 2) +
 * 2 steps, taking singular values above `tolerance` (relative) as the order. F: order x order, E: order x m,
 * K: q x order, in room for `most` states; an order above that is an error. COSTAB_NUMERIC where LAPACK
 * fails. */
costab_status realise(const fmu_markov *g, int blocks, int stride, double tolerance, int most, double *F,
                      double *E, double *K, fmu_realisation *found, costab_error *error);
