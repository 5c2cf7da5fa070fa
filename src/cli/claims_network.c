#include "cli/claims_network.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

void network_claims_begin(network_claims *n, claim_taker *take, void *context, costab_error *error) {
    *n = (network_claims){.rows = {take, context, error, COSTAB_OK}};
    n->rows.status = costab_network_work_create(&n->work, error);
}

costab_status network_claims_end(network_claims *n) {
    costab_model_instance_destroy(&n->instance);
    costab_model_destroy(&n->model);
    costab_network_work_destroy(&n->work);
    return n->rows.status;
}

void network_claims_model(network_claims *n, const char *text) {
    costab_model_instance_destroy(&n->instance);
    costab_model_destroy(&n->model);
    if (n->rows.status == COSTAB_OK)
        n->rows.status =
            costab_model_parse("(model of a claim)", text, strlen(text), &n->model, n->rows.error);
    if (n->rows.status == COSTAB_OK)
        n->rows.status = costab_model_instance_create(n->model, &n->instance, n->rows.error);
}

void network_claims_set(network_claims *n, const char *parameter, double value) {
    int index;
    if (n->rows.status == COSTAB_OK)
        n->rows.status = costab_model_find_parameter(n->model, parameter, &index, n->rows.error);
    if (n->rows.status == COSTAB_OK) costab_model_instance_set(n->instance, index, value);
}

const costab_network *network_claims_network(network_claims *n) {
    if (n->rows.status == COSTAB_OK)
        n->rows.status = costab_model_instance_update(n->instance, n->rows.error);
    return n->rows.status == COSTAB_OK ? costab_model_instance_network(n->instance) : NULL;
}

const costab_coupling *network_claims_coupling(network_claims *n, const char *name) {
    if (n->rows.status != COSTAB_OK) return NULL;
    int c = costab_model_coupling(n->model, name);
    if (c >= 0) return costab_model_instance_coupling(n->instance, c);
    n->rows.status = error_set(n->rows.error, COSTAB_INVALID, "there is no coupling '%s'", name);
    return NULL;
}

double network_claims_radius(network_claims *n, const char *name) {
    const costab_network *network = network_claims_network(n);
    const costab_coupling *coupling = network_claims_coupling(n, name);
    if (n->rows.status == COSTAB_OK)
        n->rows.status = costab_network_analyse(n->work, network, coupling, &n->point, n->rows.error);
    return n->rows.status == COSTAB_OK ? n->point.spectral_radius : (double)NAN;
}

double network_claims_modulus(network_claims *n, int i) {
    if (n->rows.status != COSTAB_OK) return (double)NAN;
    const double *re = costab_network_eigenvalues_real(n->work);
    const double *im = costab_network_eigenvalues_imaginary(n->work);
    for (int k = 0; k < n->point.size; k++) {
        double value = hypot(re[k], im[k]);
        int above = 0;
        for (int other = 0; other < n->point.size; other++) {
            double there = hypot(re[other], im[other]);
            above += there > value || (there == value && other < k);
        }
        if (above == i) return value;
    }
    return (double)NAN;
}

double network_claims_second_eigenvalue(network_claims *n) {
    int states = 0;
    const double *A = n->rows.status == COSTAB_OK ? costab_network_monolithic(n->work, &states) : NULL;
    return states == 2 ? A[0] + A[3] - n->point.spectral_abscissa : (double)NAN;
}

typedef struct limit_claim {
    network_claims *n;
    const char *coupling, *parameter;
} limit_claim;

static costab_status at_value(void *context, double value, costab_network_point *point, costab_error *error) {
    limit_claim *l = context;
    (void)error;
    network_claims_set(l->n, l->parameter, value);
    network_claims_radius(l->n, l->coupling);
    *point = l->n->point;
    return l->n->rows.status;
}

double network_claims_limit(network_claims *n, const char *name, const char *parameter, double low,
                            double high, double unit) {
    const costab_coupling *coupling = network_claims_coupling(n, name);
    if (coupling == NULL) return (double)NAN;
    costab_limit_options options = {.lower = low, .upper = high, .unit = unit};
    options.converged = coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0;
    costab_stable_interval first = {0};
    size_t count = 0;
    limit_claim context = {n, name, parameter};
    if (n->rows.status == COSTAB_OK)
        n->rows.status = costab_network_limit(&options, at_value, &context, &first, 1, &count, n->rows.error);
    bool begins = count > 0 && (unit > 0 ? first.from < low + unit : first.from == low);
    return n->rows.status == COSTAB_OK && begins ? first.to : (double)NAN;
}
