/* analysis/variant.h - a costab_variant with resolved names and its own memory. */
#pragma once

#include "analysis/analysis.h"

/* A coupling: the model's own coupling `own`, or a standard one (own < 0). */
typedef struct analysis_named_coupling {
    char *name;
    int own;
    int *order;              /* given by the name; NULL: none */
    costab_coupling choices; /* if own < 0, except macro step and micro steps */
} analysis_named_coupling;

typedef struct analysis_parameter_value {
    int parameter;
    double value;
} analysis_parameter_value;

typedef struct analysis_variant {
    const costab_model *model; /* borrowed */
    int setting_count, coupling_count;
    bool time_varying;
    analysis_parameter_value *settings;
    analysis_named_coupling *couplings;
} analysis_variant;

/* Resolves a variant. Call analysis_variant_free even after a failure. */
costab_status analysis_variant_make(analysis_variant *variant, const costab_variant *asked,
                                    costab_error *error);
void analysis_variant_free(analysis_variant *variant);

/* Returns COSTAB_INVALID unless the variant has a coupling with index `c`. */
costab_status analysis_variant_has(const analysis_variant *variant, int c, costab_error *error);

/* Creates an instance of the model with the variant's parameters and updates it. The instance exists even if
 * the update fails. */
costab_status analysis_variant_instance(const analysis_variant *variant, costab_model_instance **instance,
                                        costab_error *error);

/* As analysis_variant_instance, for a parameter with a range. If the model is undefined at its own value
 * (division by 0, unusable step of an FMU), moves the instance to a value in the range. [out] moved (may be
 * NULL): the instance was moved. */
costab_status analysis_variant_instance_in(const analysis_variant *variant, int parameter,
                                           const double range[2], costab_model_instance **instance,
                                           bool *moved, costab_error *error);

/* Returns the family of the variant's coupling `c`; the caller sets the parameter. */
analysis_family analysis_variant_family(const analysis_variant *variant, costab_model_instance *instance,
                                        costab_network_work *work, int c);

struct first_cells;

/* The division of a family (costab_family.divide) with an analysis_family as context. Uses formulas only
 * and ignores numbers without one. */
costab_status analysis_family_divide_formulas(void *context, const double range[2], struct first_cells *cells,
                                              costab_error *error);

/* A family of the variant's coupling `c` with one free parameter, and everything that it borrows. */
typedef struct analysis_owned_family {
    analysis_variant variant;
    analysis_family family;
} analysis_owned_family;

/* Call analysis_owned_family_free even after a failure. `range`: of the parameter. COSTAB_INVALID: unknown
 * coupling or parameter, or a macro step or another step is not positive at an end of the range. */
costab_status analysis_owned_family_make(analysis_owned_family *owned, const costab_variant *asked, int c,
                                         const char *parameter, const double range[2], costab_error *error);
void analysis_owned_family_free(analysis_owned_family *owned);

void analysis_limit_free(costab_analysis_limit *limit);

/* The variant's coupling `c` at the parameters of an instance. analysis_variant_fitting also checks it and
 * reports its position in the file. */
costab_status analysis_variant_coupling(const analysis_variant *variant,
                                        const costab_model_instance *instance, int c,
                                        costab_coupling *coupling, costab_error *error);
costab_status analysis_variant_fitting(const analysis_variant *variant, const costab_model_instance *instance,
                                       int c, costab_coupling *coupling, costab_error *error);

/* Returns an error if the model does not allow the coupling `c`, whatever the ratios of its steps. */
costab_status analysis_variant_takes(const analysis_variant *variant, const costab_model_instance *instance,
                                     int c, costab_error *error);

/* Returns COSTAB_INVALID if nothing of the map of coupling `c` can be analysed
 * (costab_model_instance_check_modes); COSTAB_OK if the map cannot be computed. Overwrites `work`. */
costab_status analysis_variant_check_modes(const analysis_variant *variant, costab_model_instance *instance,
                                           costab_network_work *work, int c, costab_error *error);

/* Returns the model's coupling `own` at the parameters of an instance; if own is -1, `choices` with the
 * model's macro step and micro steps. */
costab_coupling analysis_coupling_at(const costab_model_instance *instance, int own,
                                     const costab_coupling *choices);

/* Returns a family's coupling at the instance's present parameters. */
costab_coupling analysis_family_coupling(const analysis_family *family);
