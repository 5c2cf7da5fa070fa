/* Where along one parameter a model is stable: limit MODEL.yaml NAME LOW HIGH. Prints the intervals of the
 * model's first coupling as CSV. Exit status: 0 done, 1 failed.
 *
 *     cc limit.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    costab_error error;
    costab_spec *spec = NULL;
    if (argc != 5) {
        fprintf(stderr, "usage: limit MODEL.yaml NAME LOW HIGH\n");
        return 1;
    }
    costab_analysis_limit limit = {.values = 0};
    costab_analysis_limit_options options = {.lower = atof(argv[3]), .upper = atof(argv[4])};
    costab_status status = costab_spec_read(argv[1], &spec, &error);
    if (!status) {
        costab_variant variant = {.model = spec->model};
        status = costab_model_limit(&variant, 0, argv[2], &options, &limit, &error);
    }
    for (size_t i = 0; i < limit.found.count && !status; i++) {
        const costab_piece *piece = &limit.found.pieces[i];
        printf("%.17g,%.17g,%s,%s,%s\n", piece->from, piece->to, costab_class_name(piece->class_code),
               costab_end_name(piece->from_is), costab_end_name(piece->to_is));
    }
    if (status) fprintf(stderr, "%s\n", error.message);
    costab_limit_free(&limit.found);
    costab_spec_destroy(&spec);
    return status ? 1 : 0;
}
