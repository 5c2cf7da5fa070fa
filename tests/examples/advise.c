/* Which coupling, and how large a macro step: advise MODEL.yaml NAME LOW HIGH. Prints all couplings that a
 * model can have, the cheapest first, and one sentence. Exit status: 0 done, 1 failed.
 *
 *     cc advise.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void number(double value) {
    if (isnan(value))
        printf(",");
    else
        printf(",%.17g", value);
}

int main(int argc, char **argv) {
    costab_error error;
    costab_spec *spec = NULL;
    costab_advice advice = {.count = 0};
    if (argc != 5) {
        fprintf(stderr, "usage: advise MODEL.yaml NAME LOW HIGH\n");
        return 1;
    }
    costab_advise_options options = {.parameter = argv[2], .lower = atof(argv[3]), .upper = atof(argv[4])};
    costab_status status = costab_spec_read(argv[1], &spec, &error);
    if (!status) {
        costab_variant variant = {.model = spec->model};
        status = costab_advise(&variant, &options, &advice, &error);
    }
    for (size_t i = 0; i < advice.count && !status; i++) {
        const costab_advice_row *row = &advice.rows[i];
        printf("%s", row->name);
        number(row->stable_to);
        number(row->accurate_to);
        number(row->cost);
        number(row->margin);
        number(row->growth);
        printf(",%s\n", row->recommended ? "yes" : "no");
    }
    if (!status) printf("%s\n", advice.sentence);
    if (status) fprintf(stderr, "%s\n", error.message);
    costab_advice_free(&advice);
    costab_spec_destroy(&spec);
    return status ? 1 : 0;
}
