/* A candidate: a coupling compared by `advise`, at a macro step. Provides the network and coupling there, the
 * allowed macro steps, and the end of the first stable interval. */
#include <math.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "base/error.h"

analysis_family advise_family(const adviser *a, const advise_candidate *c) {
    analysis_family family = analysis_variant_family(&a->variant, a->instance, a->work, c->row.listed);
    family.parameter = a->parameter;
    return family;
}

costab_status advise_network_at(const adviser *a, const advise_candidate *c, double H,
                                const costab_network **network, costab_coupling *coupling,
                                costab_error *error) {
    analysis_family family = advise_family(a, c);
    *network = costab_model_instance_network(a->instance);
    return analysis_family_set(&family, H, coupling, error);
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

bool advise_is_basic(const adviser *a, int i) {
    const costab_model *model = a->variant.model;
    const char *name = a->variant.couplings[i].name;
    bool basic = false;
    for (int k = 0; k < ADVISE_BASIC; k++) basic = basic || strcmp(name, advise_basic_names[k]) == 0;
    for (int k = 0; k < model->coupling_count; k++)
        basic = basic || strcmp(name, model->coupling_names[k]) == 0;
    return basic;
}

/* Counts two steps per coupling: it is named, and it is settled or too expensive. */
static size_t count_done(const adviser *a) {
    const advise_candidate *best = a->options->error_count > 0 ? advise_best(a) : NULL;
    size_t done = 2 * a->named - a->count;
    for (size_t i = 0; i < a->count; i++) {
        const advise_candidate *c = &a->candidates[i];
        done += c->settled || (best != NULL && c->least_cost > ADVISE_WINS * best->least_cost);
    }
    return done;
}

costab_status advise_ask_progress(const adviser *a, costab_error *error) {
    const costab_advise_options *o = a->options;
    const size_t total = 2 * (size_t)a->variant.coupling_count;
    if (o->progress == NULL || !o->progress(o->progress_context, count_done(a), total)) return COSTAB_OK;
    return error_set(error, COSTAB_CANCELLED, "the comparison of couplings was cancelled");
}

double advise_longest_stable(const adviser *a, const advise_candidate *c) {
    return c->limited ? c->row.stable_to : a->options->upper;
}

void advise_report_better(const adviser *a, const advise_candidate *best, double step, double cost) {
    if (a->options->better == NULL) return;
    costab_advice_row row = best->row;
    row.step = step;
    row.cost = cost;
    a->options->better(a->options->progress_context, &row);
}

double advise_stable_to(const costab_limit *limit, double lowest) {
    double end = (double)NAN;
    for (size_t i = 0; i < limit->count; i++) {
        const costab_piece *piece = &limit->pieces[i];
        bool stable =
            piece->class_code != COSTAB_CLASS_UNDECIDED && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
        bool begins = i == 0 ? piece->from <= lowest : piece->from <= end;
        /* A change of the continuous system alone divides an interval. */
        if (!stable || !begins || (i > 0 && piece->from_is == COSTAB_END_ILL_POSED)) break;
        end = piece->to;
    }
    return end;
}
