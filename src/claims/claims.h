/* claims/claims.h - published numbers and statements (claims) compared with computed numbers, for costab
 * reproduce: common data of the engine that reads the claims of a source (claims.c), the measures in their
 * rules (network.c, planar.c), and the settings of these measures (row.c). After the first failure CLAIMS_TRY
 * skips every call, each rule evaluates to NaN, and no more claims are reported. So measures need not pass a
 * status; their results after a failure are ignored. */
#pragma once

#include "base/csv.h"
#include "costab/area.h"
#include "costab/claims.h"
#include "costab/spec.h"

/* Texts of sweeps/, which the makefile embeds. A row without a name ends each list. Model
 * "gomes2018/two-mass": sweeps/gomes2018/models/two-mass.yaml. Source "gomes2018":
 * sweeps/gomes2018/claims.csv. */
typedef struct claims_text {
    const char *name, *text;
} claims_text;
extern const claims_text claims_models[], claims_sources[];

/* A number in a rule, computed from the row's model, coupling and settings; `which` is passed to `of`. NaN if
 * it cannot be computed. */
typedef struct claims claims;
typedef struct claims_measure {
    const char *name;
    double (*of)(claims *c, int which);
    int which;
} claims_measure;
extern const claims_measure claims_network_measures[], claims_planar_measures[];

/* One of a row's settings: an expression, or a range. */
typedef struct claims_setting {
    char name[COSTAB_WORD_MAX];
    csv_cell text; /* the expression; of a range: empty */
    double value, low, high;
} claims_setting;

enum { CLAIMS_SETTINGS_MAX = 12 };

struct claims {
    const char *source;
    costab_claim_taker *take;
    void *context;
    costab_status status; /* the first failure; its message is in `error` */
    costab_error *error;
    costab_network_work *work;
    /* For the current row: */
    const claims_measure *measures;
    char coupling[COSTAB_WORD_MAX];
    claims_setting settings[CLAIMS_SETTINGS_MAX];
    int count, known;                /* number of settings; of settings with known values */
    costab_spec *spec;               /* of a network; otherwise NULL */
    costab_model_instance *instance; /* likewise */
    costab_network_point point;      /* the last point analysed */
    /* For the source: the schemes, and the last areas of each scheme with their a. */
    costab_planar scheme[COSTAB_SCHEME_COUNT];
    costab_areas areas[COSTAB_SCHEME_COUNT];
    double areas_at[COSTAB_SCHEME_COUNT];
};

/* Makes a call that may fail and stores its status. Skips the call after the first failure. */
#define CLAIMS_TRY(c, call) ((c)->status = (c)->status == COSTAB_OK ? (call) : (c)->status)

/* Returns the setting of this name; NULL if the row has none. */
const claims_setting *claims_find(const claims *c, const char *name);
/* Returns the value of a setting; `otherwise` if it is missing. */
double claims_value(const claims *c, const char *name, double otherwise);
/* Returns the first range among the settings. Returns NULL and sets an error without a range. */
claims_setting *claims_range(claims *c);

/* Checks all claims of a source and passes each to `take`. An error names the line of the source. */
costab_status claims_run(const claims_text *source, costab_claim_taker *take, void *context,
                         costab_error *error);
