/* analysis/advise.h - parts of the comparison of couplings. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/variant.h"
#include "base/text.h"
#include "costab/advise.h"

/* Cost ratio to the cheapest coupling up to which a coupling may win. */
#define ADVISE_WINS 1.05

/* ---- Names ---- */

typedef struct advise_names {
    size_t count, capacity;
    char **names;
} advise_names;

/* Lists the model's own couplings, then all other applicable ones, including orders of gauss-seidel. Call
 * advise_names_free even after a failure. */
costab_status advise_names_make(const costab_model *model, const costab_network *network, advise_names *all,
                                costab_error *error);
void advise_names_free(advise_names *all);
costab_status advise_names_add(advise_names *all, const char *name, costab_error *error);

/* Returns true if the outputs of a subsystem depend on its inputs directly (D). */
bool advise_feeds_through(const costab_network *network);

/* The basic couplings in the order of comparison. */
enum { ADVISE_BASIC = 8 };
extern const char *const advise_basic_names[ADVISE_BASIC];

/* Returns true if two couplings are equal, ignoring macro step and micro steps. */
bool advise_same_coupling(const costab_coupling *a, const costab_coupling *b, int subsystems);

/* ---- Candidates and the comparison ---- */

/* A compared coupling. */
typedef struct advise_candidate {
    costab_advice_row row;   /* row.listed: index in the variant */
    analysis_values values;  /* values of a model with discrete macro steps */
    costab_coupling choices; /* at the nominal macro step */
    int memory;              /* rows of the map there; INT_MAX: it has no map */
    double *maps[2];         /* at the nominal macro step and at the range's end; NULL: none */
    int sizes[2];            /* their numbers of rows */
    double least_cost;       /* lower bound of its cost, finally the cost; infinity: unusable */
    bool limited;            /* its stable interval is known */
    double longest_kept;     /* longest macro step known to meet the error limits; 0: none yet */
    double shortest_refused; /* shortest known to violate them; infinity: none yet */
    bool settled;            /* its row is complete */
    bool verified;           /* smaller macro steps meet the error limits as well */
} advise_candidate;

/* Error limits of all signals: states and outputs of all subsystems. Signals of kind k (0: states, 1:
 * outputs) of subsystem s start at index first[2 s + k]. */
typedef struct advise_errors {
    int *first;
    double *allowed;              /* of each signal; infinity: unlimited */
    double *largest;              /* of each signal: largest value of the monolithic solution */
    costab_subsystem *subsystems; /* copies for runs; linear ones without functions */
    bool *linear;                 /* of each subsystem */
    bool linear_alone;            /* linear without sources: runs without micro steps are cheap */
    bool known;                   /* the limits of all signals are known */
} advise_errors;

/* State of a comparison. */
typedef struct adviser {
    analysis_variant variant;
    const costab_advise_options *options;
    costab_model_instance *instance;
    costab_network_work *work;
    costab_network_simulator *simulator;
    int parameter;  /* index of the macro step */
    double nominal; /* its value in the instance */
    bool moved; /* at its own value the model is undefined, or no coupling fits it; `nominal` is in the range
                 * instead */
    costab_own_limits own; /* stand-alone limits of the subsystems */
    advise_errors errors;
    advise_candidate *candidates;
    size_t count, capacity;
    size_t named;   /* couplings considered, with or without becoming candidates */
    text notes;     /* lines: tried macro steps, and why couplings do not fit */
    bool lists_all; /* the caller named no couplings: the model's own coupling gets a complete row */
} adviser;

analysis_family advise_family(const adviser *a, const advise_candidate *c);

/* Returns the network and the coupling at a macro step. */
costab_status advise_network_at(const adviser *a, const advise_candidate *c, double H,
                                const costab_network **network, costab_coupling *coupling,
                                costab_error *error);

/* Return the largest defined macro step up to H (0: none), and the smallest from H on (infinity: none). */
double advise_largest_step(const advise_candidate *c, double H);
double advise_smallest_step(const advise_candidate *c, double H);

/* Returns true if the variant's coupling i is in advise_basic_names or the model's own. */
bool advise_is_basic(const adviser *a, int i);

/* Returns the options of a complete limit, which options->progress may cancel. */
costab_analysis_limit_options advise_limit_options(adviser *a);

/* Finds the stable interval of the coupling, unless it is known, and a lower bound of its cost. */
costab_status advise_find_stable(adviser *a, advise_candidate *c, costab_error *error);

/* Returns the largest macro step that may be stable: the range's end until the limit is known; NaN: none. */
double advise_longest_stable(const adviser *a, const advise_candidate *c);

/* Reports the cheapest coupling so far, with a macro step and its cost, to options->better. */
void advise_report_better(const adviser *a, const advise_candidate *best, double step, double cost);

/* Calls options->progress; returns COSTAB_CANCELLED if it ends the comparison. */
costab_status advise_ask_progress(const adviser *a, costab_error *error);

/* ---- Cost ---- */

/* Computes the least cost of macro steps up to `most`: usually at the largest step, unless an iteration needs
 * more sweeps there. [out] *step: its macro step; *cost: infinite if there is none. */
costab_status advise_cost(adviser *a, const advise_candidate *c, double most, double *step, double *cost,
                          costab_error *error);

/* Computes the cost of a macro step; infinite if an iteration diverges. */
costab_status advise_cost_at(adviser *a, const advise_candidate *c, double H, double *cost,
                             costab_error *error);

/* Finds the smallest macro step, up to advise_longest_stable, with a cost that may be at most `cost`; 0:
 * none. All smaller ones cost more. */
costab_status advise_step_for(adviser *a, const advise_candidate *c, double cost, double *step,
                              costab_error *error);

/* ---- Errors ---- */

/* Reads options->errors. Leaves a->errors.known false if limits are relative to largest values and no
 * candidate is stable so far. */
costab_status advise_errors_make(adviser *a, costab_error *error);
void advise_errors_free(advise_errors *errors);

/* Runs the coupling at a macro step until an error limit is exceeded. `quick`: if runs without micro steps
 * are cheap, compares communication points only, which is much faster. */
costab_status advise_keeps_errors(adviser *a, const advise_candidate *c, double H, bool quick, bool *kept,
                                  costab_error *error);

/* Settles all candidates that can win, or all. `verify`: also checks smaller macro steps of the best one. */
costab_status advise_search(adviser *a, bool verify, costab_error *error);

/* ---- Ranking ---- */

/* Compares the simplicity of two couplings, by the memory of the master and their options: below 0 for the
 * first, above 0 for the second. */
int advise_compare_simplicity(const costab_coupling *a, int memory_a, const costab_coupling *b, int memory_b);

/* Returns the recommended candidate among the settled ones; NULL: none. */
advise_candidate *advise_best(const adviser *a);

/* Sorts the candidates: the recommended one, then by cost, then the others in the order of the list. */
void advise_sort(adviser *a);

/* Takes the rows of the sorted candidates, and writes the recommendation with its reason. `ended`: the
 * comparison is incomplete. */
costab_status advise_rank(adviser *a, bool ended, costab_advice *advice, costab_error *error);

/* Returns the end of the stable interval that starts at the first macro step; NaN if that is unstable. */
double advise_stable_to(const costab_limit *limit, double lowest);
