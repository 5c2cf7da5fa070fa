/* cli/claims.h - numbers that the sources publish, beside the same numbers computed. */
#ifndef CLI_CLAIMS_H
#define CLI_CLAIMS_H

#include "costab/base.h"

/* One published number. Exactly one of `computed` being comparable to `printed` or `statement` holds: a
 * statement is judged by the claim itself. */
typedef struct claim {
    const char *quantity;
    const char *printed; /* as in the source; "" where it gives no number */
    double computed;
    bool statement; /* `printed` is words: `holds` tells whether they are true */
    bool holds;
    const char *reason; /* why it differs, or a remark; "" if none */
} claim;

/* Takes the claims of a source one after the other. */
typedef costab_status claim_taker(void *context, const claim *claim, costab_error *error);

/* Where the claims of a source go, and the first failure: after it no claim is handed over. */
typedef struct claim_rows {
    claim_taker *take;
    void *context;
    costab_error *error;
    costab_status status;
} claim_rows;

/* A number to compare with the printed one. */
void claim_number(claim_rows *rows, const char *quantity, const char *printed, double computed,
                  const char *reason);
/* A statement that the caller has judged; `computed` is the number that it rests on. */
void claim_statement(claim_rows *rows, const char *quantity, const char *printed, double computed, bool holds,
                     const char *reason);

/* All claims of a source: [KNS], [SP], [GTL], [MS]. */
costab_status claims_kns2014(claim_taker *take, void *context, costab_error *error);
costab_status claims_skjong2019(claim_taker *take, void *context, costab_error *error);
costab_status claims_gomes2018(claim_taker *take, void *context, costab_error *error);
costab_status claims_ma2015(claim_taker *take, void *context, costab_error *error);

#endif
