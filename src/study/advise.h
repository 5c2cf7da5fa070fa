/* study/advise.h - which couplings are compared. */
#ifndef STUDY_ADVISE_H
#define STUDY_ADVISE_H

#include "study/variant.h"

typedef struct advise_names {
    size_t count, capacity;
    char **names;
} advise_names;

/* The model's own couplings, then all others that a model has, with orders of gauss-seidel. To be freed with
 * advise_names_free even where this fails. */
costab_status advise_names_make(const costab_model *model, const costab_network *network, advise_names *all,
                                costab_error *error);
void advise_names_free(advise_names *all);

/* Whether two couplings are the same, macro step and micro steps aside. */
bool advise_same(const costab_coupling *a, const costab_coupling *b, int subsystems);

#endif
