/* Published and computed numbers of a source: claims kns2014. Exit status: 0 if all could be
 * computed.
 *
 *     cc claims.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>

/* Called once per claim. */
static costab_status print(void *context, const costab_claim *claim, costab_error *error) {
    int *differ = context;
    (void)error;
    *differ += claim->verdict == COSTAB_DIFFERS;
    printf("%-12s %-10s %.10g  %s\n", costab_verdict_name(claim->verdict), claim->printed, claim->computed,
           claim->quantity);
    return COSTAB_OK;
}

int main(int argc, char **argv) {
    costab_error error;
    int differ = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: claims SOURCE, of:");
        for (int i = 0; costab_claims_source(i) != NULL; i++) fprintf(stderr, " %s", costab_claims_source(i));
        fprintf(stderr, "\n");
        return 2;
    }
    if (costab_claims(argv[1], print, &differ, &error) != COSTAB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%d differ\n", differ);
    return 0;
}
