/* costab map -o: axes coupling and eigenvalue, the real and imaginary parts over both, the class and the
 * radius of each coupling. Smaller maps are filled up with NaN. */
#include "cli/map_file.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"

enum { REAL, IMAGINARY, RADIUS, CLASS, FIELDS };

/* Over the couplings, and the eigenvalues. */
enum { EACH = 1, BOTH = 3 };

static const study_field fields[FIELDS] = {
    [REAL] = {0, BOTH, "eigenvalue_real", "real part of the macro-step map's eigenvalues", NULL},
    [IMAGINARY] = {0, BOTH, "eigenvalue_imaginary", "imaginary part of the macro-step map's eigenvalues",
                   NULL},
    [RADIUS] = {0, EACH, "spectral_radius", "spectral radius of the macro step's map", NULL},
    [CLASS] = {0, EACH, "class", "stability class: continuous system, then co-simulation",
               &arrays_file_classes}};

static const costab_axis axes[] = {{.name = "coupling", .long_name = "coupling of the subsystems"},
                                   {.name = "eigenvalue", .long_name = "number of the eigenvalue"}};

/* What is known of one coupling: the eigenvalues' real parts, then their imaginary parts. */
typedef struct map_row {
    costab_network_point point;
    double *values;
} map_row;

static costab_status analyse(cli_network *network, int c, map_row *row, costab_error *error) {
    costab_coupling coupling;
    costab_status status = cli_network_analyse(network, c, &coupling, &row->point, error);
    if (status) return status;
    size_t size = (size_t)row->point.size;
    row->values = memory_alloc(2 * size + 1, sizeof *row->values);
    if (row->values == NULL) return error_memory(error);
    memcpy(row->values, costab_network_eigenvalues_real(network->work), size * sizeof *row->values);
    memcpy(row->values + size, costab_network_eigenvalues_imaginary(network->work),
           size * sizeof *row->values);
    return COSTAB_OK;
}

static void put(arrays_file *m, size_t c, const map_row *row) {
    size_t size = (size_t)row->point.size, at = c * m->plan.axes[1].count;
    memcpy(m->numbers[REAL] + at, row->values, size * sizeof *row->values);
    memcpy(m->numbers[IMAGINARY] + at, row->values + size, size * sizeof *row->values);
    m->numbers[RADIUS][c] = row->point.spectral_radius;
    m->codes[CLASS][c] = row->point.class_code;
}

costab_status map_file_write(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    size_t count = (size_t)network->coupling_count;
    arrays_file m;
    costab_status status = arrays_file_begin(&m, axes, 2, network, error);
    map_row *rows = memory_alloc(count, sizeof *rows);
    if (!status && rows == NULL) status = error_memory(error);
    for (size_t c = 0; c < count && !status; c++) {
        status = analyse(network, (int)c, &rows[c], error);
        if ((size_t)rows[c].point.size > m.plan.axes[1].count)
            m.plan.axes[1].count = (size_t)rows[c].point.size;
    }
    if (!status) status = arrays_file_make(&m, fields, FIELDS, error);
    for (size_t c = 0; c < count && !status; c++) put(&m, c, &rows[c]);
    if (!status) status = arrays_file_write(&m, network, arguments, error);
    arrays_file_free(&m);
    for (size_t c = 0; c < count && rows != NULL; c++) memory_free(rows[c].values);
    memory_free(rows);
    return status;
}
