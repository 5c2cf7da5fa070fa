/* A candidate: one of the couplings that `advise` compares, at a macro step. The network and coupling
 * there, the macro steps that its micro steps allow, and where its first stable interval ends. */
#include <math.h>

#include "analysis/advise.h"
#include "base/error.h"

costab_study_family advise_family(const adviser *a, const advise_candidate *c) {
    costab_study_family family = study_variant_family(&a->variant, a->instance, a->work, c->row.listed);
    family.parameter = a->parameter;
    return family;
}

costab_status advise_network_at(const adviser *a, const advise_candidate *c, double H,
                                const costab_network **network, costab_coupling *coupling,
                                costab_error *error) {
    costab_study_family family = advise_family(a, c);
    *network = costab_model_instance_network(a->instance);
    return costab_study_family_set(&family, H, coupling, error);
}

double advise_largest_step(const advise_candidate *c, double H) {
    double found = c->values.at == NULL ? H : 0;
    for (size_t i = 0; i < c->values.count && c->values.at[i] <= H * (1 + 1e-12); i++)
        found = c->values.at[i];
    return found;
}

double advise_smallest_step(const advise_candidate *c, double H) {
    if (c->values.at == NULL) return H;
    for (size_t i = 0; i < c->values.count; i++)
        if (c->values.at[i] >= H * (1 - 1e-12)) return c->values.at[i];
    return (double)INFINITY;
}

costab_status advise_ask_progress(const adviser *a, costab_error *error) {
    const costab_advise_options *o = a->options;
    if (o->progress == NULL || !o->progress(o->progress_context, a->done, a->total)) return COSTAB_OK;
    return error_set(error, COSTAB_CANCELLED, "the comparison of couplings was cancelled");
}

double advise_stable_to(const costab_limit *limit, double lowest) {
    double end = (double)NAN;
    for (size_t i = 0; i < limit->count; i++) {
        const costab_piece *piece = &limit->pieces[i];
        bool stable =
            piece->class_code != COSTAB_CLASS_UNDECIDED && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
        bool begins = i == 0 ? piece->from <= lowest : piece->from <= end;
        /* A change of the continuous system alone divides a piece. */
        if (!stable || !begins || (i > 0 && piece->from_is == COSTAB_END_ILL_POSED)) break;
        end = piece->to;
    }
    return end;
}
