/* claims/claims.h - what the claims of all sources have in common: where they go, and a network at some
 * parameters. After the first failure every number is NaN and no claim is handed over, so that a source is
 * written down without checks. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include "costab/claims.h"
#include "costab/planar.h"
#include "costab/spec.h"

typedef struct claims {
    const char *source;
    costab_claim_taker *take;
    void *context;
    costab_status status; /* the first failure; its message is in `error` */
    costab_error *error;
    costab_spec *spec;
    costab_model_instance *instance;
    costab_network_work *work;
    costab_network_point point;                /* of the last claims_radius */
    costab_planar scheme[COSTAB_SCHEME_COUNT]; /* of kns2014 alone */
} claims;

/* Takes the status of a call that may fail; the call is left out after the first failure. */
#define CLAIMS_TRY(c, call) ((c)->status = (c)->status == COSTAB_OK ? (call) : (c)->status)

/* A number to compare with the printed digits, which may be "". */
void claim_number(claims *c, const char *quantity, const char *printed, double computed, const char *reason);
/* A statement that the caller has judged; `computed` is the number that it rests on. */
void claim_statement(claims *c, const char *quantity, const char *printed, double computed, bool holds,
                     const char *reason);

/* The models of sweeps/, up to a row without a name: "gomes2018/two-mass" is
 * sweeps/gomes2018/models/two-mass.yaml. Made by the Makefile. */
typedef struct claims_text {
    const char *name, *yaml;
} claims_text;
extern const claims_text claims_models[];

/* Takes another of these models in place of the one before, with its own parameters. */
void claims_model(claims *c, const char *name);
/* Sets a parameter of the model. */
void claims_set(claims *c, const char *parameter, double value);

/* The network at the parameters set, and one of the model's couplings; NULL after a failure. */
const costab_network *claims_network(claims *c);
const costab_coupling *claims_coupling(claims *c, const char *name);

/* Analyses a coupling: the point goes to c->point; its spectral radius is returned. */
double claims_radius(claims *c, const char *coupling);
/* The i-th largest modulus (from 0) of the eigenvalues of the last map. */
double claims_modulus(claims *c, int i);
/* The last point's monolithic matrix is 2 x 2: its other real eigenvalue, beside the abscissa. */
double claims_second_eigenvalue(claims *c);
/* The end of the stable interval with which the range of one parameter begins; NaN if it does not begin
 * stable. With a unit above 0, whole multiples of the unit are tried alone. */
double claims_limit(claims *c, const char *coupling, const char *parameter, double low, double high,
                    double unit);

/* All claims of a source. */
typedef void claims_source(claims *c);
claims_source claims_kns2014, claims_skjong2019, claims_gomes2018, claims_ma2015;

#endif
