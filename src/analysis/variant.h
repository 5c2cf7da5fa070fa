/* analysis/variant.h - a costab_variant with its names resolved, which owns what it says. */
#pragma once

#include "costab/analysis.h"

/* A coupling: the model's own of that number, or (own < 0) one that every model has. */
typedef struct study_named_coupling {
    char *name;
    int own;
    int *order;              /* that the name gives; NULL: none */
    costab_coupling choices; /* where own < 0, but its macro step and micro steps */
} study_named_coupling;

typedef struct study_parameter_value {
    int parameter;
    double value;
} study_parameter_value;

typedef struct study_variant {
    const costab_model *model; /* borrowed */
    int setting_count, coupling_count;
    bool time_varying;
    study_parameter_value *settings;
    study_named_coupling *couplings;
} study_variant;

/* Resolves a variant. To be freed with study_variant_free even where this fails. */
costab_status study_variant_make(study_variant *variant, const costab_variant *asked, costab_error *error);
void study_variant_free(study_variant *variant);

/* An instance of the model with the variant's parameters, updated. Where an update fails it is made all the
 * same. */
costab_status study_variant_instance(const study_variant *variant, costab_model_instance **instance,
                                     costab_error *error);

/* The same where one parameter is to take the values of a range: if the model has no numbers at its own value
 * (a division by 0, a step at which an FMU cannot be measured), the instance stands at one of the range.
 * [out] moved: whether it does; may be NULL. */
costab_status study_variant_instance_in(const study_variant *variant, int parameter, const double range[2],
                                        costab_model_instance **instance, bool *moved, costab_error *error);

/* The family of parameters under the variant's c-th coupling; which ones they are is left to be filled in. */
costab_study_family study_variant_family(const study_variant *variant, costab_model_instance *instance,
                                         costab_network_work *work, int c);

struct first_cells;

/* The division of a family (costab_family.divide) whose context is a costab_study_family, by formulas alone:
 * numbers without a formula are not looked at. */
costab_status study_family_divide_formulas(void *context, const double range[2], struct first_cells *cells,
                                           costab_error *error);

/* A variant's c-th coupling with one parameter free, which owns what its family borrows. */
typedef struct study_owned_family {
    study_variant variant;
    costab_study_family family;
} study_owned_family;

/* To be freed with study_owned_family_free even where this fails. COSTAB_INVALID where there is no such
 * coupling or parameter. `range`: that the parameter is to take. */
costab_status study_owned_family_make(study_owned_family *owned, const costab_variant *asked, int c,
                                      const char *parameter, const double range[2], costab_error *error);
void study_owned_family_free(study_owned_family *owned);

void study_limit_free(costab_study_limit *limit);

/* The variant's c-th coupling at the parameters of an instance; study_variant_fitting: checked, with the
 * place in the file in the message. */
costab_status study_variant_coupling(const study_variant *variant, const costab_model_instance *instance,
                                     int c, costab_coupling *coupling, costab_error *error);
costab_status study_variant_fitting(const study_variant *variant, const costab_model_instance *instance,
                                    int c, costab_coupling *coupling, costab_error *error);

/* The model's coupling of number `own`, or where that is -1 these choices with its macro step and micro
 * steps, at the parameters of an instance. */
costab_coupling study_coupling_at(const costab_model_instance *instance, int own,
                                  const costab_coupling *choices);

/* A family's coupling at the instance's present parameters. */
costab_coupling study_family_coupling(const costab_study_family *family);
