/* Limits of a model's parameter, for all kinds of models and parameters.
 *   1. Where micro steps or counts leave single values (single_values.c), each is classified.
 *   2. With FMUs for co-simulation values are sampled and ends bisected (limit_sampled.c).
 *   3. Else the complete search of the module limit (docs/explanation/algorithms.md, Complete limits), where
 * the network has an operating point (limit_rest.c). An answer of step 2 is not complete; one of step 3 is,
 * within rounding. The answer says which it is. */
#include <stdio.h>

#include "analysis/analysis.h"
#include "analysis/crew.h"
#include "analysis/limit_rest.h"
#include "analysis/limit_sampled.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "limit/limit.h"
#include "model/instance.h"

/* The family for each worker; [out] *own: what these read, to be freed. */
static costab_status crew_for(const costab_study_family *family, int threads, study_crew *crew,
                              costab_study_family **own, costab_error *error) {
    TRY(study_crew_make(family->instance, threads, crew, error));
    TRY(memory_make(own, (size_t)crew->of.size + 1, error));
    for (int w = 0; w < crew->of.size; w++) {
        (*own)[w] = *family;
        (*own)[w].instance = crew->workers[w].instance;
        (*own)[w].work = crew->workers[w].work;
        crew->families[w] = costab_study_family_of(&(*own)[w]);
    }
    return COSTAB_OK;
}

/* Single values at which the model is not defined, and why the first of them is not. */
static costab_status tell_undefined(const costab_study_family *family, costab_study_limit *limit,
                                    costab_error *error) {
    const costab_cells *cells = &limit->found.discrete;
    costab_network_point point;
    bool defined;
    for (size_t i = 0; i < cells->count; i++)
        if (cells->items[i].verdict == COSTAB_OUTCOME_ILL_POSED && limit->refused++ == 0)
            TRY(study_limit_analyse(family, cells->items[i].from, limit, &point, &defined, error));
    return COSTAB_OK;
}

costab_status costab_study_limit_find(const costab_study_family *family,
                                      const costab_study_limit_options *options, costab_study_limit *limit,
                                      costab_error *error) {
    costab_study_family copy = *family;
    costab_family maps = costab_study_family_of(&copy);
    costab_limit_options asked = {.lower = options->lower,
                                  .upper = options->upper,
                                  .evaluations = options->evaluations,
                                  .progress = options->progress,
                                  .progress_context = options->progress_context,
                                  .spacing = options->spacing};
    ends_by(costab_study_values_free) costab_study_values values = {.at = NULL};
    double range[2] = {options->lower, options->upper};
    ends_by(study_crew_free) study_crew crew = {.workers = NULL};
    memory_local costab_study_family *own = NULL;
    *limit = (costab_study_limit){.denominator = 1, .threads = 1};
    costab_network network = costab_study_family_network(family);
    if (study_is_sampled(&network)) return study_limit_sampled(family, options, limit, error);
    TRY(costab_study_values_find(family, range, &values, error));
    if (values.at == NULL) TRY(study_limit_rest(family, limit, range, error));
    asked.lower = range[0];
    asked.upper = range[1];
    if (values.at == NULL) TRY(crew_for(family, options->threads, &crew, &own, error));
    asked.places = values.at;
    asked.place_count = limit->values = values.count;
    limit->single = values.at != NULL;
    limit->whole = values.whole;
    limit->denominator = values.denominator;
    asked.crew = &crew.of;
    asked.first = options->first && values.at == NULL;
    asked.stable = values.at == NULL ? options->stable : 0;
    asked.still = !costab_model_instance_shapes(family->instance, family->parameter);
    if (crew.of.size > 1) limit->threads = crew.of.size;
    TRY(costab_limit_find(&maps, &asked, &limit->found, error));
    study_limit_mark_lost(limit, range);
    if (limit->single) TRY(tell_undefined(family, limit, error));
    for (size_t i = 0; limit->whole && i < limit->found.count; i++)
        limit->found.pieces[i].from_is = limit->found.pieces[i].to_is = COSTAB_END_WHOLE;
    return COSTAB_OK;
}

costab_status costab_model_limit(const costab_variant *asked, int c, const char *parameter,
                                 const costab_study_limit_options *options, costab_study_limit *limit,
                                 costab_error *error) {
    const double range[] = {options->lower, options->upper};
    ends_by(study_owned_family_free) study_owned_family owned = {.family = {.instance = NULL}};
    *limit = (costab_study_limit){.denominator = 1};
    TRY(study_owned_family_make(&owned, asked, c, parameter, range, error));
    return costab_study_limit_find(&owned.family, options, limit, error);
}
