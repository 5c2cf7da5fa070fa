/* study/study.h - what the kinds of studies have in common: each begins with a costab_study. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "costab/model.h"
#include "costab/study.h"

struct costab_study {
    const costab_sweep_spec *spec; /* borrowed; NULL for a network */
    costab_plan plan;
    costab_status (*evaluate)(const costab_study *study, const costab_tile *tile, void *const *blocks,
                              costab_error *error);
    void (*destroy)(costab_study *study); /* frees what the kind owns, but not the study itself */
    /* As costab_study_failures; NULL where no point can fail. */
    size_t (*failures)(const costab_study *study, costab_error *first);
    costab_notes (*notes)(costab_study *study); /* NULL likewise */
    /* As costab_study_analysed; NULL but for networks. */
    size_t (*analysed)(const costab_study *study);
    /* Of a study that was read; else NULL. */
    costab_sweep_spec *own_spec;
    costab_model *own_model;
    char *own_text; /* of the model, with all files that it names */
    costab_study_origin origin;
};

/* The discretisations of a planar spec, one a scheme, and their names as labels of an axis
 * (COSTAB_SCHEME_COUNT places each; free the labels with memory_free). */
costab_status study_schemes(const costab_sweep_spec *spec, costab_planar *schemes, char **labels,
                            costab_error *error);

/* Each makes a study of its kind; *created is set as soon as there is something to destroy. */
costab_status planar_study_create(const costab_sweep_spec *spec, costab_study **created, costab_error *error);
costab_status history_study_create(const costab_sweep_spec *spec, costab_study **created,
                                   costab_error *error);

/* Time histories of a network, and those that a model asks for. Nothing is borrowed beyond the call. */
costab_status network_history_create(const costab_study_history *history, costab_study **created,
                                     costab_error *error);
costab_status network_history_of_model(const costab_model *model, costab_study **created,
                                       costab_error *error);
costab_status network_study_create(const costab_model *model, costab_study **created, costab_error *error);

#endif
