/* costab/claims.h - compares published numbers and statements with the same numbers computed now. For the
 * models of [LIM], [PRE], [SKSP] and [KYL], it also compares with numbers of an independent program.
 *
 * Every number is computed on request. The sources are the folders of sweeps/ with a file claims.csv;
 * costab.h lists their papers. */
#ifndef COSTAB_CLAIMS_H
#define COSTAB_CLAIMS_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_verdict {
    COSTAB_AGREES,      /* equal to the printed digits; for a statement: true */
    COSTAB_DIFFERS,     /* for the reason in `reason` */
    COSTAB_NOT_PRINTED, /* no published number, and none of an independent program */
    COSTAB_CHECKED      /* no published number; equal to the digits of an independent program */
} costab_verdict;

/* One claim. Its texts are valid only during the call of costab_claim_taker. */
typedef struct costab_claim {
    const char *source;   /* the name of the source, such as "kns2014" */
    const char *quantity; /* the computed quantity */
    const char *printed;  /* the number or word as published; "": none */
    const char *checked;  /* the number of an independent program; "": none */
    double computed; /* the number computed now; for a statement: the number that decides it. Never NaN */
    costab_verdict verdict;
    const char *reason; /* the reason for a difference, or a remark; "": none */
} costab_claim;

/* Receives one claim. A status other than COSTAB_OK ends the run. */
typedef costab_status costab_claim_taker(void *context, const costab_claim *claim, costab_error *error);

/* The name of the i-th source, a static string; NULL outside the range. */
COSTAB_API const char *costab_claims_source(int i);

/* "agrees", "differs", "not printed" or "checked", "unknown" outside the range: a static string. */
COSTAB_API const char *costab_verdict_name(costab_verdict verdict);

/* Computes all claims of a source, in the order of the paper, and calls `take` for each. COSTAB_INVALID for
 * an unknown source; COSTAB_NUMERIC if a number cannot be computed. */
COSTAB_API costab_status costab_claims(const char *source, costab_claim_taker *take, void *context,
                                       costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
