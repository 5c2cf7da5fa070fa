/* cli/claims_network.h - what the claims about networks have in common: a model at some parameters, its map,
 * and the rows that come of it. After a failure everything answers NaN and no row is handed over. */
#ifndef CLI_CLAIMS_NETWORK_H
#define CLI_CLAIMS_NETWORK_H

#include "cli/claims.h"
#include "costab/model.h"

typedef struct network_claims {
    claim_rows rows;
    costab_model *model;
    costab_model_instance *instance;
    costab_network_work *work;
    costab_network_point point; /* the last one analysed */
} network_claims;

void network_claims_begin(network_claims *n, claim_taker *take, void *context, costab_error *error);
/* Frees all; returns the first failure. */
costab_status network_claims_end(network_claims *n);

/* Takes another model, from its text, in place of the one before. */
void network_claims_model(network_claims *n, const char *text);
/* Sets a parameter of it. */
void network_claims_set(network_claims *n, const char *parameter, double value);

/* The network at the parameters set; NULL after a failure. */
const costab_network *network_claims_network(network_claims *n);
const costab_coupling *network_claims_coupling(network_claims *n, const char *name);

/* The point of a coupling goes to n->point; its spectral radius. */
double network_claims_radius(network_claims *n, const char *name);
/* The i-th largest modulus (from 0) of the eigenvalues of the last map. */
double network_claims_modulus(network_claims *n, int i);
/* The other real eigenvalue of the last point's monolithic 2 x 2 matrix, beside the abscissa. */
double network_claims_second_eigenvalue(network_claims *n);
/* The end of the stable interval that begins the range, of one parameter; NaN if it does not begin stable.
 * With a unit, of its whole multiples only. */
double network_claims_limit(network_claims *n, const char *name, const char *parameter, double low,
                            double high, double unit);

#endif
