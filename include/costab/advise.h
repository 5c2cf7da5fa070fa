/* costab/advise.h - comparison of the couplings of a model, with a recommended coupling and macro step.
 *
 *     costab_advice advice;
 *     costab_advise_options options = {.parameter = "H", .lower = 1e-4, .upper = 0.1};
 *     costab_advise(&variant, &options, &advice, &error);
 *     ... advice.rows[0].name, advice.sentence ...
 *     costab_advice_free(&advice); */
#ifndef COSTAB_ADVISE_H
#define COSTAB_ADVISE_H

#include "costab/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_limited_by {
    COSTAB_LIMITED_UNKNOWN, /* `lower` is unstable, or the coupling was not analysed */
    COSTAB_LIMITED_COUPLING,
    COSTAB_LIMITED_OWN, /* a subsystem's own solver */
    COSTAB_LIMITED_ACCURACY,
    COSTAB_LIMITED_RANGE
} costab_limited_by;

/* One coupling. Missing numbers are NaN. */
typedef struct costab_advice_row {
    char *name;
    double stable_to; /* every macro step from `lower` up to this is stable; NaN: `lower` is unstable, or the
                         coupling cannot win and is beyond options->shown */
    double accurate_to; /* the largest macro step found to be stable and within the allowed errors; NaN: none,
                           no errors were requested, or the coupling cannot win */
    double step;        /* macro step of least cost up to accurate_to, or stable_to without errors */
    double cost;        /* subsystem steps per simulated second at `step`, every sweep counted */
    /* stable_to over the nominal macro step (below 1 that is not stable), and costab_network_point.growth
     * there in 1/s. NaN if the model is undefined at its nominal macro step, or no coupling fits it there. */
    double margin, growth;
    costab_limited_by limited_by; /* the limit that larger macro steps exceed */
    int own;                      /* index of the subsystem, for COSTAB_LIMITED_OWN */
    costab_piece *intervals;      /* all intervals in which the co-simulation does not grow */
    size_t interval_count;
    int listed;       /* index in the list of couplings, before sorting */
    bool recommended; /* true for the first row if it has a cost */
} costab_advice_row;

/* An allowed error. Of several for a signal, or for all, the smallest counts. */
typedef struct costab_advise_error {
    const char *signal; /* "vehicle.v", a state or else an output; NULL: every state without an entry of its
                           own, and, if relative, every connected output */
    double error;       /* in the unit of the signal, or relative */
    bool relative; /* `error` is a fraction of the largest value of the signal in the monolithic solution; if
                      the signal stays 0, of the largest value of all signals */
} costab_advise_error;

typedef struct costab_advise_options {
    const char *parameter; /* name of the macro step's parameter */
    double lower, upper;   /* range of macro steps in seconds, 0 < lower < upper */
    const costab_advise_error *errors;
    int error_count; /* 0: compares without errors */
    double until;    /* end of the time over which errors are measured, in seconds */
    bool tune;    /* if no couplings are named: also compares jacobi with tuned weights, if tuning improves it
                     (costab/tune.h: order 2, numbers 10 % off, feedthrough solved) */
    bool all;     /* finds accurate_to of all couplings, otherwise only of those that can win */
    size_t shown; /* number of first rows that get their limits even if they cannot win; 0: all rows */
    /* Called often with the progress, which counts each coupling twice: when it is read and when it is done.
     * Returning true ends the comparison with COSTAB_CANCELLED; the rows have the results so far. During
     * tuning it is called as in costab_tune_options. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    /* Called with the cheapest coupling so far. May be NULL. */
    void (*better)(void *context, const costab_advice_row *best);
    void *progress_context;
} costab_advise_options;

/* The unchanged model: its first own coupling at the nominal macro step. */
typedef struct costab_advice_today {
    char *name;        /* NULL: the coupling does not fit the model, or the model cannot be analysed there */
    double step, cost; /* in seconds; as in costab_advice_row, infinite if an iteration does not converge */
    uint8_t class_code;
} costab_advice_today;

typedef struct costab_advice {
    size_t count, capacity;
    costab_advice_row *rows; /* the recommended row, then by cost; rows without a cost last, as listed */
    char *sentence;          /* the recommendation and its reason */
    char *notes;             /* the kind of tried macro steps, if only single ones are tried, and the reasons
                                for which couplings are left out: one line each; NULL: none */
    costab_advice_today today;
} costab_advice;

/* Compares the couplings that a variant names. If it names none (couplings NULL), compares the model's own
 * couplings and all of costab_coupling_name, gauss-seidel in every order of up to 4 subsystems (of more: as
 * listed and reversed). Equivalent couplings are listed once, under the first name: couplings with equal
 * choices, or with equally many sweeps and maps that agree to 1e-12 at the nominal macro step and at `upper`.
 * Couplings that do not fit the model are left out, with the reason in `notes`.
 *
 * The basic couplings come first: the model's own, jacobi and gauss-seidel (constant, linear),
 * jacobi-hermite, iterated-linear, newton and newton-hermite.
 *
 * stable_to is found by costab_model_limit. If that tries single macro steps, stable_to is the largest one up
 * to which all are stable.
 *
 * The error is the largest difference between a signal and its monolithic solution at all micro steps up to
 * `until`, from the model's initial values and sources, like a sweep's `error`. To save runs, the couplings
 * are first run at macro steps of equal cost, which grows fourfold until a coupling keeps the errors. Any
 * other coupling is dropped if it exceeds an error at the macro step at which it would cost 1.05 times the
 * cheapest. accurate_to keeps the errors, and a step 0.1 % larger does not, unless accurate_to is the end of
 * the stable range. For the recommended coupling eight smaller macro steps, down to a sixth, are checked as
 * well (linear models without sources: at communication points). Limitation: larger errors at other smaller
 * macro steps are missed.
 *
 * The cost counts micro steps times sweeps. newton counts as 2 sweeps. An iteration to convergence counts one
 * sweep more than its radius needs to reduce an iteration variable to 1e-6; the radius is the largest one at
 * smaller macro steps, and the cost is the least of 301 macro steps. Among couplings within 5 % of the least
 * cost the simplest is recommended: fewest sweeps, then without solved algebraic loop, with the fewest
 * numbers that the master stores (the size of the map), not smoothed, in the listed order, of the lowest
 * degree.
 *
 * [out] advice: free with costab_advice_free, also after an error. COSTAB_INVALID if the parameter is not the
 * macro step, the range is not positive, no coupling fits the model, an error
 * names no signal, or errors are requested and nothing moves in the continuous system, or an FMU for
 * co-simulation hides it. */
COSTAB_API costab_status costab_advise(const costab_variant *variant, const costab_advise_options *options,
                                       costab_advice *advice, costab_error *error);
COSTAB_API void costab_advice_free(costab_advice *advice);

#ifdef __cplusplus
}
#endif
#endif
