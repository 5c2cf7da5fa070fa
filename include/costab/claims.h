/* costab/claims.h - numbers and statements that published papers print, and numbers of second programs about
 * published models ([LIM], [PRE], [SKSP], [KYL]), compared with the same numbers computed now.
 *
 * Nothing is stored: every number is computed on request. The sources are the folders of sweeps/
 * that have a file claims.csv; costab.h lists their papers. */
#ifndef COSTAB_CLAIMS_H
#define COSTAB_CLAIMS_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_verdict {
    COSTAB_AGREES,      /* equal to the printed digits; a statement: true */
    COSTAB_DIFFERS,     /* `reason` says why */
    COSTAB_NOT_PRINTED, /* the source prints no number, and no second program has checked it */
    COSTAB_CHECKED      /* the source prints no number; equal to the digits of a second program */
} costab_verdict;

/* One claim. All texts are valid during the call that hands it over. */
typedef struct costab_claim {
    const char *source;   /* the name of the source, such as "kns2014" */
    const char *quantity; /* what is computed */
    const char *printed;  /* the number or the word as the source prints it; "" where it prints none */
    const char *checked;  /* the number that a second program, written on its own, found; "" where none did */
    double computed;      /* the number computed; of a statement: the number that it rests on. Never NaN */
    costab_verdict verdict;
    const char *reason; /* why it differs, or a remark; "" if none */
} costab_claim;

/* Receives one claim. A status other than COSTAB_OK ends the run. */
typedef costab_status costab_claim_taker(void *context, const costab_claim *claim, costab_error *error);

/* The name of the i-th source, a static string; NULL outside the range. */
COSTAB_API const char *costab_claims_source(int i);

/* "agrees", "differs", "not printed" or "checked", "unknown" outside the range: a static string. */
COSTAB_API const char *costab_verdict_name(costab_verdict verdict);

/* Computes all claims of a source and hands them over one after the other, in the order of the paper.
 * COSTAB_INVALID for an unknown source; COSTAB_NUMERIC where a number cannot be computed. */
COSTAB_API costab_status costab_claims(const char *source, costab_claim_taker *take, void *context,
                                       costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
