/* costab/advise.h - which coupling, and how large a macro step: all couplings of a model compared.
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
    COSTAB_LIMITED_UNKNOWN, /* it is not stable at all, or was not looked at */
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
    double accurate_to; /* likewise the errors stay within those allowed, and all are stable; NaN also where
                           the coupling cannot win */
    double step;        /* the macro step of least cost among these, with respect to requested errors */
    double cost;        /* subsystem steps per simulated second there, every sweep counted */
    double margin;      /* stable_to over the nominal macro step: below 1 that is not stable */
    double growth;      /* costab_network_point.growth at the nominal macro step, 1/s */
    costab_limited_by limited_by; /* what ends the macro steps that may be taken */
    int own;                      /* of COSTAB_LIMITED_OWN: the subsystem */
    costab_piece *intervals;      /* all in which it does not grow */
    size_t interval_count;
    int listed;       /* its place before they were sorted */
    bool recommended; /* the first row, where it has a cost */
} costab_advice_row;

/* An error that is allowed. */
typedef struct costab_advise_error {
    const char *signal; /* "vehicle.v", a state or else an output; NULL: every state that has none of its own,
                           and if relative every output that a connection carries, too */
    double error;
    bool relative; /* a share of the largest value of the signal in the monolithic solution; of a signal that
                      stays 0, of the largest value of all */
} costab_advise_error;

typedef struct costab_advise_options {
    const char *parameter; /* the macro step's */
    double lower, upper;   /* 0 < lower < upper */
    const costab_advise_error *errors;
    int error_count; /* 0: errors do not count */
    double until;    /* up to this time they count */
    bool tune; /* jacobi with tuned weights, too, where they gain (costab/tune.h: order 2, numbers 10 % off,
                  feedthrough solved), if no couplings are named */
    bool all;  /* every coupling's own accurate_to, else of those alone that can win */
    size_t shown; /* the first rows, which have their limits although they cannot win; 0: all rows */
    /* Called often with the couplings that are done and all; true ends the comparison with COSTAB_CANCELLED,
     * what was found so far in the rows. NULL: not. */
    bool (*progress)(void *context, size_t done, size_t total);
    void (*better)(void *context, const costab_advice_row *best); /* the cheapest so far; NULL: not */
    void *progress_context;
} costab_advise_options;

/* The model as it stands: its first own coupling at the nominal macro step. */
typedef struct costab_advice_today {
    char *name;        /* NULL: that coupling does not fit the model */
    double step, cost; /* the cost as in costab_advice_row; infinite where an iteration does not converge */
    uint8_t class_code;
} costab_advice_today;

typedef struct costab_advice {
    size_t count, capacity;
    costab_advice_row *rows; /* the recommended one, then by cost; those without a cost last, as listed */
    char *sentence;          /* what is recommended, and why */
    char *notes;             /* which macro steps are tried, where only single ones are, and why couplings are
                                left out: one line each; NULL: nothing */
    costab_advice_today today;
} costab_advice;

/* Compares the couplings that a variant names, or, where it names none (couplings NULL), the model's own and
 * all of costab_coupling_name, gauss-seidel in every order of up to 4 subsystems (beyond: as listed and
 * reversed). Equivalent couplings are listed once, under the first name: couplings with equal choices, or
 * with as many sweeps and with maps that agree to 1e-12 at the nominal macro step and at `upper`. Couplings
 * that do not fit the model are left out; `notes` says why.
 *
 * The basic couplings come first: the model's own, jacobi and gauss-seidel (constant, linear),
 * jacobi-hermite, iterated-linear, newton and newton-hermite.
 *
 * stable_to is that of costab_model_limit: where that tries single macro steps, the largest of these up to
 * which all are stable. The error is the largest difference between a signal and the
 * monolithic one over all micro steps up to `until`, from the model's initial values and sources, as a
 * sweep's `error`. Errors are looked at where they matter: at a cost that grows fourfold until a coupling
 * keeps them; any other coupling is dropped as soon as it exceeds an error at the macro step at which it
 * would cost 1.05 times the cheapest, before its stable range is known. accurate_to keeps the errors, and a
 * step 0.1 % larger does not. For the recommended coupling eight smaller macro steps down to a sixth are
 * checked as well (for linear models without sources at communication points); a hump elsewhere may be
 * missed.
 *
 * The cost counts micro steps; a fixed number of sweeps counts as it is, an iteration to convergence as the
 * sweeps that take a guess to 1e-6 of itself by the largest iteration radius of all smaller macro steps, at
 * the best of 300 macro steps, newton as 2. Among couplings within 5 % of the least cost the simplest is
 * recommended: fewest sweeps, then fewest numbers that the master stores (the map's
 * size), not smoothed, in the order as listed, and of the lowest degree.
 *
 * [out] advice: free with costab_advice_free, also after an error. COSTAB_INVALID where the parameter is not
 * the macro step, the range is not positive, the nominal model cannot be analysed, or nothing moves in the
 * continuous system and errors are requested. */
COSTAB_API costab_status costab_advise(const costab_variant *variant, const costab_advise_options *options,
                                       costab_advice *advice, costab_error *error);
COSTAB_API void costab_advice_free(costab_advice *advice);

#ifdef __cplusplus
}
#endif
#endif
