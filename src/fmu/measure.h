/* fmu/measure.h - the map of an FMU's own steps, its hidden solver included, from what its outputs answer to
 * impulses of its inputs: realised from the Markov parameters G_k = K F^k E as z+ = F z + E u, y = K z, with
 * y as it is read after the step (Ho and Kalman). */
#pragma once

#include "fmu/run.h"

/* Maps by what they were measured with, for searches that come back to the same values. */
typedef struct fmu_known fmu_known;

/* What depends on the FMU more than on the step that is measured: looked at once. Numbers are the difference
 * of answers relative to the largest; NaN: could not be looked at. */
typedef struct fmu_conduct {
    bool known;
    double rollback;            /* behind its state was set back, beside a new instance */
    double flag;                /* told that it may be set back, beside not */
    double nonlinear, changing; /* where a map was measured at once: of impulses, half and later ones */
} fmu_conduct;

/* An FMU in one instance of a model. */
typedef struct fmu_subsystem {
    const fmu_part *part;
    fmu_run *run;
    double start_time;
    double *asked, *answer; /* of the largest request but FMU_RESPONSE */
    double *nominals, *own; /* of states; the FMU's own states and inputs */
    double *A;              /* for Newton's method */
    int *pivots;
    fmu_known *known;       /* maps that were measured: see below; NULL: none yet */
    fmu_conduct conduct[2]; /* at all ports; at those of loops alone */
    bool narrow;            /* which of them the last map was measured at */
    double stepped;         /* when the last step of a simulation began; NaN: none has been taken */
} fmu_subsystem;

/* Writes the start values of an update, of which there may be none. */
void part_starts(const fmu_part *part, const costab_foreign_numbers *numbers, double *to);

/* The most states that the map of a part may have. */
int measure_room(const fmu_part *part);

/* Measures the map of steps of numbers->length, with the inputs of numbers->point held otherwise.
 * COSTAB_INVALID where a check fails, with its number: the model is nonlinear, its map changes from step to
 * step, no finite order explains what it answers. */
costab_status measure_update(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error);

/* Adds a check and its number to those of an update. */
void measure_note(costab_foreign_numbers *numbers, const char *name, double value);

/* Adds a sentence to the warning of an update. */
void measure_warn(costab_foreign_numbers *numbers, const char *format, ...) COSTAB_PRINTF(2, 3);

/* ---- checks.c ---- */

/* A measurement under way. */
typedef struct measure {
    fmu_subsystem *s;
    costab_foreign_numbers *numbers;
    int q, m, blocks;                  /* m: columns, of inputs' values and rises */
    double length, below;              /* that the map is wanted for; measured at this share less */
    double amplitude;                  /* of impulses, in nominal values of the inputs */
    int strides;                       /* that the model bears */
    double *up, *down;                 /* outputs of runs: of two per column, of one */
    double *G, *other;                 /* Markov parameters */
    double *change;                    /* one per column */
    size_t room;                       /* steps that these hold */
    double nonlinear, changing, drift; /* what the checks found, relative */
    double shaken;                     /* the same of measure_shake */
    double *rest;                      /* outputs without changes, where a run starts */
    bool at_once;                      /* with as few runs as there can be */
    int shaking;                       /* steps of the long run */
    bool starts_elsewhere;             /* it can be started at another time */
    bool narrow; /* at ports that loops of connections pass through, and with held inputs where they are */
} measure;

/* The difference of two answers; 0 where it is rounding of `steps` steps. */
double measure_difference(double one, double other, int steps);

/* measure_run.c: room for so many steps; the nominal value of an input, or of its rise: 0 of one that the
 * measurement leaves out. */
bool measure_room_for(measure *m, size_t steps);
double measure_nominal(const measure *m, int input);

/* The outputs of a run, 0 of held ones; the request says how: `change` has a value per column. */
costab_status measure_run(const measure *m, const fmu_request *request, const double *change, double *outputs,
                          costab_error *error);

/* Shakes all inputs for some hundred steps, from another start time, and compares with what the map answers:
 * a solver whose own step nearly divides that of the map, or a dependence on time, shows. COSTAB_INVALID
 * beyond a limit. `map`: F, E and K of the realisation, each with its own number of columns. */
costab_status measure_shake(measure *m, int order, const double *F, const double *E, const double *K,
                            costab_error *error);

#define MEASURE_SHAKING 256

/* Fills s->conduct, once in the life of a subsystem; m->G holds Markov parameters of `steps` steps. */
costab_status measure_conduct(measure *m, int steps, costab_error *error);

/* ---- powers.c ---- */

/* Makes the map of `steps` steps from that of one, with held inputs and with such as rise over all of them,
 * and compares it with a run of as many. [out] *right: whether it agrees; the numbers are spoilt where not.
 */
costab_status measure_power(measure *m, int steps, bool *right, costab_error *error);

/* ---- known.c ---- */

/* Takes a map that was measured with the same numbers; false where there is none. */
bool known_find(fmu_subsystem *s, costab_foreign_numbers *numbers);
/* Keeps a map, as long as there is room; where memory is out it is only measured again. */
void known_keep(fmu_subsystem *s, const costab_foreign_numbers *numbers);
void known_free(fmu_known **known);

/* ---- realise.c ---- */

/* Markov parameters: `steps` matrices q x m, row-major, one after the other. */
typedef struct fmu_markov {
    int q, m, steps;
    const double *values;
} fmu_markov;

/* What came of a realisation. */
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
