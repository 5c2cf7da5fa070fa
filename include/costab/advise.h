/* costab/advise.h - which coupling, and how large a macro step: all couplings of a model compared.
 *
 *     costab_advice advice;
 *     costab_advise_options options = {.parameter = "H", .lower = 1e-4, .upper = 0.1};
 *     costab_advise(&variant, &options, &advice, &error);
 *     ... advice.rows[0].name, advice.sentence ...
 *     costab_advice_free(&advice); */
#ifndef COSTAB_ADVISE_H
#define COSTAB_ADVISE_H

#include "costab/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_advise_options {
    const char *parameter; /* the macro step's */
    double lower, upper;   /* 0 < lower < upper */
    double error, until;   /* the error allowed up to this time; error 0: none is asked for */
    /* Called before each coupling with the number of those before it and of all; true ends the search with
     * COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_advise_options;

/* One coupling. Numbers that there are not are NaN. */
typedef struct costab_advice_row {
    char *name;
    double stable_to;   /* every macro step from `lower` up to this one is stable; NaN: `lower` is not */
    double accurate_to; /* likewise the error made stays within the one allowed, and all are stable */
    double step;   /* the macro step of the least cost among these (the error counts where it is asked for) */
    double cost;   /* subsystem steps per simulated second there, every sweep counted */
    double margin; /* stable_to over the nominal macro step: below 1 that is not stable */
    double growth; /* costab_network_point.growth at the nominal macro step, 1/s */
    int listed;    /* its place before they were sorted */
    bool recommended; /* the first row, where it has a cost */
} costab_advice_row;

typedef struct costab_advice {
    size_t count, capacity;
    costab_advice_row *rows; /* by cost; those without one last */
    char *sentence;          /* what is recommended, and why */
} costab_advice;

/* Compares the couplings that a variant names, or, where it names none (couplings NULL), the model's own and
 * all of costab_coupling_name, gauss-seidel in every order of up to 4 subsystems (beyond: as listed and
 * reversed); two that are the same stand once, under the model's name, and one that does not fit the model
 * not at all.
 *
 * stable_to is that of costab_study_limit_find. The error is the largest difference between a state and the
 * monolithic one at communication points up to `until`, from the model's initial values and sources; it is
 * sampled at 300 macro steps on a geometric scale, its first crossing bisected: a hump narrower than two
 * samples may be missed. The cost counts micro steps; a fixed number of sweeps counts as it is, an iteration
 * to convergence as the sweeps that take a guess to 1e-6 of itself by the largest iteration radius of all
 * smaller macro steps, at the best of 300 macro steps, newton as 2. [out] advice: free with
 * costab_advice_free, also after an error. COSTAB_INVALID where the parameter is not the macro step, the
 * range is not positive, or the nominal model cannot be analysed. */
COSTAB_API costab_status costab_advise(const costab_variant *variant, const costab_advise_options *options,
                                       costab_advice *advice, costab_error *error);
COSTAB_API void costab_advice_free(costab_advice *advice);

#ifdef __cplusplus
}
#endif
#endif
