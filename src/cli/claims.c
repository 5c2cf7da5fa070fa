#include "cli/claims.h"

static void put(claim_rows *rows, claim c) {
    if (rows->status == COSTAB_OK) rows->status = rows->take(rows->context, &c, rows->error);
}

void claim_number(claim_rows *rows, const char *quantity, const char *printed, double computed,
                  const char *reason) {
    put(rows, (claim){.quantity = quantity, .printed = printed, .computed = computed, .reason = reason});
}

void claim_statement(claim_rows *rows, const char *quantity, const char *printed, double computed, bool holds,
                     const char *reason) {
    put(rows, (claim){.quantity = quantity,
                      .printed = printed,
                      .computed = computed,
                      .statement = true,
                      .holds = holds,
                      .reason = reason});
}
