/* claims/claims.h - what the claims of all sources share: the function that takes them, and a network at
 * chosen parameters. After the first failure every number is NaN and no more claims are handed over, so that
 * the sources need no checks of their own. */
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
    costab_planar scheme[COSTAB_SCHEME_COUNT]; /* of kns2014 alone, */
    double simulation_area;                    /* as is A_SS of the simulation, which does not depend on a */
} claims;

/* Makes a call that may fail and keeps its status. After the first failure it makes no call. */
#define CLAIMS_TRY(c, call) ((c)->status = (c)->status == COSTAB_OK ? (call) : (c)->status)

/* Hands over a number, which is compared with the printed digits; `printed` may be "". */
void claim_number(claims *c, const char *quantity, const char *printed, double computed, const char *reason);
/* Hands over a statement that the caller has judged; `computed` is the number that it rests on. */
void claim_statement(claims *c, const char *quantity, const char *printed, double computed, bool holds,
                     const char *reason);

/* The models of sweeps/ as the Makefile embeds them, up to a row without a name: "gomes2018/two-mass" is
 * sweeps/gomes2018/models/two-mass.yaml. */
typedef struct claims_text {
    const char *name, *yaml;
} claims_text;
extern const claims_text claims_models[];

/* Replaces the model by another one, with the parameters that its file gives. */
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
/* The other real eigenvalue of the last point's monolithic matrix, which is 2 x 2, beside the abscissa. */
double claims_second_eigenvalue(claims *c);
/* The end of the stable interval that begins at `low`; NaN if `low` is not stable. */
double claims_limit(claims *c, const char *coupling, const char *parameter, double low, double high);

/* All claims of a source. */
typedef void claims_source(claims *c);
claims_source claims_kns2014, claims_skjong2019, claims_gomes2018, claims_ma2015, claims_lim, claims_precice,
    claims_quarter_car, claims_kyllingstad;

#endif
