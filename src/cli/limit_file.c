/* costab limit -o: axes coupling, range and interval; the table's columns over all three, the parameters'
 * ranges over the first two. Couplings with fewer intervals are filled up with NaN and class not_computed. */
#include "cli/limit_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"

enum { FROM, TO, RANGE_FROM, RANGE_TO, NUMBERS };
enum { CLASS = NUMBERS, FROM_IS, TO_IS, PROVED, FIELDS };

#define OVER(how_many) .rank = how_many, .axes = {0, 1, 2}
#define ENDS                                                                                                 \
    .codes = COSTAB_CODES_VALUES, .code_count = COSTAB_END_COUNT, .code_values = {0, 1, 2, 3},               \
    .code_meanings = "limit range ill_posed undecided", .fill = 0

static const costab_field fields[FIELDS] = {
    [FROM] = {.name = "from", .type = COSTAB_F64, OVER(3), .long_name = "where the interval begins"},
    [TO] = {.name = "to", .type = COSTAB_F64, OVER(3), .long_name = "where the interval ends"},
    [RANGE_FROM] = {.name = "range_from", .type = COSTAB_F64, OVER(2), .long_name = "least value searched"},
    [RANGE_TO] = {.name = "range_to", .type = COSTAB_F64, OVER(2), .long_name = "largest value searched"},
    [CLASS] = {.name = "class",
               .type = COSTAB_U8,
               OVER(3),
               .long_name = "stability class: continuous system, then co-simulation",
               .codes = COSTAB_CODES_VALUES,
               .code_count = 11,
               .code_values = {0, 1, 2, 3, 16, 17, 32, 34, 48, COSTAB_CLASS_UNDECIDED, COSTAB_NOT_COMPUTED},
               .code_meanings = "UU US SU SS NU NS UN SN NN undecided not_computed",
               .fill = COSTAB_NOT_COMPUTED},
    [FROM_IS] = {.name = "from_is", .type = COSTAB_U8, OVER(3), .long_name = "what its begin is", ENDS},
    [TO_IS] = {.name = "to_is", .type = COSTAB_U8, OVER(3), .long_name = "what its end is", ENDS},
    [PROVED] = {.name = "proved",
                .type = COSTAB_U8,
                OVER(3),
                .long_name = "whether it is proved in ball arithmetic",
                .codes = COSTAB_CODES_VALUES,
                .code_count = 2,
                .code_values = {0, 1},
                .code_meanings = "no yes",
                .fill = 0}};

typedef struct limit_file {
    costab_plan plan;
    size_t couplings, overs, most; /* most: intervals of one coupling and range */
    double *numbers[NUMBERS];
    uint8_t *codes[FIELDS - NUMBERS];
    size_t *filled; /* per coupling and range */
} limit_file;

costab_status limit_rows_add(limit_rows *rows, int coupling, int over, const costab_piece *piece,
                             costab_error *error) {
    limit_row *grown = memory_grow(rows->of, &rows->capacity, rows->count + 1, sizeof *rows->of);
    if (grown == NULL) return error_memory(error);
    rows->of = grown;
    rows->of[rows->count++] = (limit_row){coupling, over, *piece};
    return COSTAB_OK;
}

static size_t place_of(const limit_file *f, const limit_row *row) {
    return (size_t)row->coupling * f->overs + (size_t)row->over;
}

static costab_status make_room(limit_file *f, const limit_rows *rows, costab_error *error) {
    size_t places = f->couplings * f->overs;
    bool all = true;
    f->filled = memory_alloc(places, sizeof *f->filled);
    if (f->filled == NULL) return error_memory(error);
    f->most = 1;
    for (size_t i = 0; i < rows->count; i++)
        if (++f->filled[place_of(f, &rows->of[i])] > f->most) f->most++;
    for (size_t i = 0; i < places; i++) f->filled[i] = 0;
    for (int k = 0; k < NUMBERS; k++) {
        f->numbers[k] = memory_alloc(places * f->most, sizeof *f->numbers[k]);
        all = all && f->numbers[k] != NULL;
        for (size_t i = 0; i < places * f->most && all; i++) f->numbers[k][i] = (double)NAN;
    }
    for (int k = 0; k < FIELDS - NUMBERS; k++) {
        f->codes[k] = memory_alloc(places * f->most, sizeof *f->codes[k]);
        all = all && f->codes[k] != NULL;
    }
    for (size_t i = 0; i < places * f->most && all; i++) f->codes[0][i] = COSTAB_NOT_COMPUTED;
    return all ? COSTAB_OK : error_memory(error);
}

static void fill(limit_file *f, const limit_rows *rows, const limit_over *overs) {
    for (size_t i = 0; i < rows->count; i++) {
        const limit_row *row = &rows->of[i];
        size_t at = place_of(f, row) * f->most + f->filled[place_of(f, row)]++;
        f->numbers[FROM][at] = row->piece.from;
        f->numbers[TO][at] = row->piece.to;
        f->codes[CLASS - NUMBERS][at] = row->piece.class_code;
        f->codes[FROM_IS - NUMBERS][at] = (uint8_t)row->piece.from_is;
        f->codes[TO_IS - NUMBERS][at] = (uint8_t)row->piece.to_is;
        f->codes[PROVED - NUMBERS][at] = row->piece.proved;
    }
    for (size_t place = 0; place < f->couplings * f->overs; place++) {
        f->numbers[RANGE_FROM][place] = overs[place % f->overs].from;
        f->numbers[RANGE_TO][place] = overs[place % f->overs].to;
    }
}

costab_status limit_file_write(const cli_network *network, const limit_rows *rows, const limit_over *overs,
                               int over_count, const cli_arguments *arguments, costab_error *error) {
    limit_file f = {.plan = {.axis_count = 3, .swept = 1, .field_count = FIELDS},
                    .couplings = (size_t)network->coupling_count,
                    .overs = (size_t)over_count};
    char **labels = arrays_file_couplings(network), **names = memory_alloc(f.overs, sizeof *names);
    costab_status status = labels && names ? make_room(&f, rows, error) : error_memory(error);
    double *places = memory_alloc(f.most + 1, sizeof *places);
    if (!status && places == NULL) status = error_memory(error);
    for (size_t i = 0; i < f.overs && !status; i++) {
        names[i] = memory_copy(overs[i].parameter);
        if (names[i] == NULL) status = error_memory(error);
    }
    if (!status) fill(&f, rows, overs);
    for (size_t i = 0; i < f.most && !status; i++) places[i] = (double)i + 1;
    f.plan.axes[0] = (costab_axis){.name = "coupling",
                                   .count = f.couplings,
                                   .labels = labels,
                                   .long_name = "coupling of the subsystems"};
    f.plan.axes[1] = (costab_axis){
        .name = "parameter", .count = f.overs, .labels = names, .long_name = "parameter that varies"};
    f.plan.axes[2] = (costab_axis){
        .name = "interval", .count = f.most, .values = places, .long_name = "number of the interval"};
    memcpy(f.plan.fields, fields, sizeof fields);
    costab_plan_choose_tiles(&f.plan, 1 << 16);
    const void *all[FIELDS];
    for (int k = 0; k < NUMBERS; k++) all[k] = f.numbers[k];
    for (int k = 0; k < FIELDS - NUMBERS; k++) all[NUMBERS + k] = f.codes[k];
    if (!status) status = arrays_file_write(&f.plan, all, network, arguments, error);
    arrays_file_free_labels(labels, f.couplings);
    arrays_file_free_labels(names, f.overs);
    for (int k = 0; k < NUMBERS; k++) memory_free(f.numbers[k]);
    for (int k = 0; k < FIELDS - NUMBERS; k++) memory_free(f.codes[k]);
    memory_free(f.filled);
    memory_free(places);
    return status;
}
