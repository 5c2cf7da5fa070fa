/* costab map -o: axes coupling and eigenvalue, the real and imaginary parts over both, the class and the
 * radius of each coupling. Smaller maps are filled up with NaN. */
#include "cli/map_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"
#include "study/study.h"

enum { REAL, IMAGINARY, RADIUS, CLASS, FIELDS };

typedef struct map_file {
    costab_plan plan;
    size_t size; /* of the largest map */
    double *values[2], *radii;
    uint8_t *classes;
} map_file;

static const study_codes class_codes = {.kind = COSTAB_CODES_VALUES,
                                        .count = 4,
                                        .values = {0, 1, 2, 3},
                                        .meanings = "UU US SU SS",
                                        .fill = COSTAB_NOT_COMPUTED};

/* Over the couplings, and the eigenvalues. */
enum { EACH = 1, BOTH = 3 };

static const study_field fields[FIELDS] = {
    [REAL] = {0, BOTH, "eigenvalue_real", "real part of the macro-step map's eigenvalues", NULL},
    [IMAGINARY] = {0, BOTH, "eigenvalue_imaginary", "imaginary part of the macro-step map's eigenvalues",
                   NULL},
    [RADIUS] = {0, EACH, "spectral_radius", "spectral radius of the macro step's map", NULL},
    [CLASS] = {0, EACH, "class",
               "stability class: continuous system, then co-simulation (S stable, U unstable)",
               &class_codes}};

/* Analyses one coupling; the arrays grow with the largest map. */
static costab_status analyse(map_file *m, cli_network *network, int c, costab_error *error) {
    costab_coupling coupling;
    costab_network_point point;
    costab_status status = cli_network_analyse(network, c, &coupling, &point, error);
    if (status) return status;
    size_t size = (size_t)point.size, before = m->size, most = size > before ? size : before;
    const double *all[2] = {costab_network_eigenvalues_real(network->work),
                            costab_network_eigenvalues_imaginary(network->work)};
    for (int k = 0; k < 2; k++) {
        double *wider = memory_alloc((size_t)network->coupling_count * most, sizeof *wider);
        if (!wider) return error_memory(error);
        for (size_t i = 0; i < (size_t)network->coupling_count * most; i++) wider[i] = (double)NAN;
        for (int done = 0; done < c && before > 0; done++)
            memcpy(wider + (size_t)done * most, m->values[k] + (size_t)done * before, before * sizeof *wider);
        memcpy(wider + (size_t)c * most, all[k], size * sizeof *wider);
        memory_free(m->values[k]);
        m->values[k] = wider;
    }
    m->size = most;
    m->radii[c] = point.spectral_radius;
    m->classes[c] = point.class_code;
    return COSTAB_OK;
}

costab_status map_file_write(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    size_t count = (size_t)network->coupling_count;
    map_file m = {.plan = {.axis_count = 2, .swept = 1}};
    char **labels = arrays_file_couplings(network);
    double *numbers = NULL;
    m.radii = memory_alloc(count, sizeof *m.radii);
    m.classes = memory_alloc(count, sizeof *m.classes);
    costab_status status = labels && m.radii && m.classes ? COSTAB_OK : error_memory(error);
    for (size_t c = 0; c < count && !status; c++) status = analyse(&m, network, (int)c, error);
    numbers = memory_alloc(m.size + 1, sizeof *numbers);
    if (!status && !numbers) status = error_memory(error);
    for (size_t i = 0; i < m.size && numbers; i++) numbers[i] = (double)i + 1;
    m.plan.axes[0] = (costab_axis){
        .name = "coupling", .count = count, .labels = labels, .long_name = "coupling of the subsystems"};
    m.plan.axes[1] = (costab_axis){
        .name = "eigenvalue", .count = m.size, .values = numbers, .long_name = "number of the eigenvalue"};
    for (int f = 0; f < FIELDS; f++) study_plan_field(&m.plan, &fields[f], NULL);
    costab_plan_choose_tiles(&m.plan, 1 << 16);
    const void *const all[FIELDS] = {m.values[0], m.values[1], m.radii, m.classes};
    if (!status) status = arrays_file_write(&m.plan, all, network, arguments, error);
    arrays_file_free_labels(labels, count);
    memory_free_all(numbers, m.radii, m.classes, m.values[0], m.values[1]);
    return status;
}
