/* analysis/advise.h - the parts of the comparison of couplings. */
#pragma once

#include "analysis/variant.h"
#include "costab/advise.h"

/* What costs this much more than the cheapest cannot win; what costs less can. */
#define ADVISE_WINS 1.05

/* ---- Names ---- */

typedef struct advise_names {
    size_t count, capacity;
    char **names;
} advise_names;

/* The model's own couplings, then all others that a model has, with orders of gauss-seidel. To be freed with
 * advise_names_free even where this fails. */
costab_status advise_names_make(const costab_model *model, const costab_network *network, advise_names *all,
                                costab_error *error);
void advise_names_free(advise_names *all);
costab_status advise_names_add(advise_names *all, const char *name, costab_error *error);

bool advise_feeds_through(const costab_network *network);

/* The basic couplings, in the order in which they are compared. */
enum { ADVISE_BASIC = 8 };
extern const char *const advise_basic_names[ADVISE_BASIC];

/* Whether two couplings are the same, macro step and micro steps aside. */
bool advise_same_coupling(const costab_coupling *a, const costab_coupling *b, int subsystems);

/* ---- Couplings and who compares them ---- */

/* A coupling that is compared. */
typedef struct advise_candidate {
    costab_advice_row row;      /* row.listed: the variant's number */
    costab_study_values values; /* at which the model is defined: macro steps that micro steps of fixed length
                                   allow */
    costab_coupling choices;    /* at the nominal macro step */
    int memory;                 /* the map's number of rows, there */
    double *maps[2];            /* at the nominal macro step and at the range's end; NULL: none */
    int sizes[2];               /* their numbers of rows */
    double least_cost;       /* a lower bound of its cost, in the end the cost; infinite: it cannot be used */
    bool limited;            /* it is known where it is stable */
    double longest_kept;     /* the longest macro step that is known to keep the errors; 0: none yet */
    double shortest_refused; /* the shortest that is known not to; infinite: none yet */
    bool settled;            /* its row is complete */
    bool verified;           /* the errors are kept at smaller macro steps, too */
} advise_candidate;

/* The errors allowed, signal by signal. The signals are states and outputs of all subsystems: those of kind k
 * (0: states, 1: outputs) of subsystem s from number first[2 s + k] on. */
typedef struct advise_errors {
    int *first;
    double *allowed;              /* of each signal; infinite: any */
    double *largest;              /* of each signal: the largest value of the monolithic solution */
    costab_subsystem *subsystems; /* for runs: copies, linear ones without functions */
    bool *linear;                 /* of each subsystem */
    bool linear_alone;            /* linear, without sources: runs without micro steps are cheap */
    bool known;                   /* what is allowed of each signal */
} advise_errors;

/* A comparison under way. */
typedef struct adviser {
    study_variant variant;
    const costab_advise_options *options;
    costab_model_instance *instance;
    costab_network_work *work;
    costab_network_simulator *simulator;
    int parameter;         /* the macro step */
    double nominal;        /* its value in the model */
    costab_own_limits own; /* of each subsystem alone */
    advise_errors errors;
    advise_candidate *candidates;
    size_t count, capacity;
    size_t named; /* couplings that were looked at, whether or not they became candidates */
} adviser;

costab_study_family advise_family(const adviser *a, const advise_candidate *c);

/* The network and the coupling at a macro step. */
costab_status advise_network_at(const adviser *a, const advise_candidate *c, double H,
                                const costab_network **network, costab_coupling *coupling,
                                costab_error *error);

/* The largest macro step up to H at which the model is defined; 0: none. And the smallest from H on, or
 * infinity. */
double advise_largest_step(const advise_candidate *c, double H);
double advise_smallest_step(const advise_candidate *c, double H);

/* Whether the variant's coupling i is a basic one: one of advise_basic_names, or the model's own. */
bool advise_is_basic(const adviser *a, int i);

/* The range of a complete limit, which options->progress may end. */
costab_study_limit_options advise_limit_options(adviser *a);

/* Finds where the coupling is stable, unless that is known, and by that a lower bound of its cost. */
costab_status advise_find_stable(adviser *a, advise_candidate *c, costab_error *error);

/* The largest macro step that may be stable: the range's end until the limit is known. NaN: none. */
double advise_longest_stable(const adviser *a, const advise_candidate *c);

/* Passes the cheapest coupling so far, with a macro step and its cost, to options->better. */
void advise_report_better(const adviser *a, const advise_candidate *best, double step, double cost);

/* Asks options->progress; COSTAB_CANCELLED where it ends the comparison. */
costab_status advise_ask_progress(const adviser *a, costab_error *error);

/* ---- Cost ---- */

/* The least cost among macro steps up to `most`: the largest one, but where an iteration takes more sweeps
 * there. [out] *step: where; *cost infinite: there is none. */
costab_status advise_cost(adviser *a, const advise_candidate *c, double most, double *step, double *cost,
                          costab_error *error);

/* The cost of a macro step; infinite where an iteration does not converge there. */
costab_status advise_cost_at(adviser *a, const advise_candidate *c, double H, double *cost,
                             costab_error *error);

/* The smallest macro step at which the coupling may cost no more than `cost`, up to advise_longest_stable; 0:
 * none. At every smaller one it costs more. */
costab_status advise_step_for(adviser *a, const advise_candidate *c, double cost, double *step,
                              costab_error *error);

/* ---- Errors ---- */

/* Reads options->errors. a->errors.known stays false if shares of largest values are allowed, and no
 * candidate so far is stable. */
costab_status advise_errors_make(adviser *a, costab_error *error);
void advise_errors_free(advise_errors *errors);

/* Runs the coupling at a macro step; the run ends as soon as an error is passed. `quick`: if runs
 * without micro steps are cheap, communication points alone are compared, a thousand times faster. */
costab_status advise_keeps_errors(adviser *a, const advise_candidate *c, double H, bool quick, bool *kept,
                                  costab_error *error);

/* Settles all candidates that can win, or all. `verify`: looks at smaller macro steps of the best one, too.
 */
costab_status advise_search(adviser *a, bool verify, costab_error *error);

/* ---- Which one ---- */

/* Which of two couplings is simpler, by how many numbers the master remembers and by its choices: below 0 the
 * first, above 0 the second. */
int advise_compare_simplicity(const costab_coupling *a, int memory_a, const costab_coupling *b, int memory_b);

/* The candidate to be recommended of those that are settled; NULL: none. */
advise_candidate *advise_best(const adviser *a);

/* Sorts the candidates: the recommended one, then by cost, then the others in the order of the list. */
void advise_sort(adviser *a);

/* Takes the rows of the sorted candidates, and says which one to take and why. `ended`: before all was done.
 */
costab_status advise_rank(adviser *a, bool ended, costab_advice *advice, costab_error *error);

/* The end of the stable interval that begins at the first macro step; NaN: that is not stable. */
double advise_stable_to(const costab_limit *limit, double lowest);
