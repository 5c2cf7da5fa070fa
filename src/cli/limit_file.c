/* costab limit -o: axes coupling, parameter and interval; the table's columns over all three, the parameters'
 * ranges over the first two. Couplings with fewer intervals are filled up with NaN and codes that say
 * not_computed. */
#include "cli/limit_file.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"

enum {
    FROM,
    TO,
    RANGE_FROM,
    RANGE_TO,
    FREQUENCY, /* of the begin, then of the end; so are BLAME and CAUSE */
    BLAME = FREQUENCY + 2,
    CLASS = BLAME + 2,
    FROM_IS,
    TO_IS,
    CAUSE,
    FIELDS = CAUSE + 2
};

static const study_codes end_codes = {.kind = COSTAB_CODES_VALUES,
                                      .count = COSTAB_END_COUNT + 1,
                                      .values = {0, 1, 2, 3, 4, 5, ARRAYS_FILE_FILL},
                                      .meanings = "limit range ill_posed undecided whole lost not_computed",
                                      .fill = ARRAYS_FILE_FILL};

/* Over couplings and parameters; and intervals. */
enum { SEARCH = 3, EACH = 7 };

static const study_field fields[FIELDS] = {
    [FROM] = {0, EACH, "from", "where the interval begins", NULL, NULL},
    [TO] = {0, EACH, "to", "where the interval ends", NULL, NULL},
    [RANGE_FROM] = {0, SEARCH, "range_from", "least value searched; NaN: not searched", NULL, NULL},
    [RANGE_TO] = {0, SEARCH, "range_to", "largest value searched; NaN: not searched", NULL, NULL},
    [CLASS] = {0, EACH, "class", "stability class: continuous system, then co-simulation",
               &arrays_file_classes, NULL},
    [FROM_IS] = {0, EACH, "from_is", "what its begin is", &end_codes, NULL},
    [TO_IS] = {0, EACH, "to_is", "what its end is", &end_codes, NULL},
    [CAUSE] = {0, EACH, "from_cause", "what passes its limit at its begin", &arrays_file_causes, NULL},
    [CAUSE + 1] = {0, EACH, "to_cause", "what passes its limit at its end", &arrays_file_causes, NULL},
    [FREQUENCY] = {0, EACH, "from_frequency", "frequency of the mode that passes at its begin, in Hz", NULL,
                   "Hz"},
    [FREQUENCY + 1] = {0, EACH, "to_frequency", "frequency of the mode that passes at its end, in Hz", NULL,
                       "Hz"},
    [BLAME] = {0, EACH, "from_blame", "number, from 0, of the subsystem with its largest share", NULL, NULL},
    [BLAME + 1] = {0, EACH, "to_blame", "number, from 0, of the subsystem with its largest share", NULL,
                   NULL}};

static const costab_axis axes[] = {{.name = "coupling", .long_name = "coupling of the subsystems"},
                                   {.name = "parameter", .long_name = "parameter that varies"},
                                   {.name = "interval", .long_name = "number of the interval"}};

costab_status limit_rows_add(limit_rows *rows, const limit_row *row, costab_error *error) {
    TRY(memory_room(&rows->of, &rows->capacity, rows->count + 1, error));
    rows->of[rows->count++] = *row;
    return COSTAB_OK;
}

/* Row by row to the next interval of its coupling and range. `filled`: how many each has. Returns the most.
 */
static size_t fill(arrays_file *f, const limit_rows *rows, size_t *filled) {
    size_t most = 1, intervals = f->plan.axes[2].count;
    for (size_t i = 0; i < rows->count; i++) {
        const limit_row *row = &rows->of[i];
        size_t place = (size_t)row->coupling * f->plan.axes[1].count + (size_t)row->over;
        size_t at = place * intervals + filled[place]++;
        if (filled[place] > most) most = filled[place];
        if (intervals == 0) continue;
        f->numbers[FROM][at] = row->piece.from;
        f->numbers[TO][at] = row->piece.to;
        f->codes[CLASS][at] = row->piece.class_code;
        f->codes[FROM_IS][at] = (uint8_t)row->piece.from_is;
        f->codes[TO_IS][at] = (uint8_t)row->piece.to_is;
        for (int side = 0; side < 2; side++) {
            const costab_limit_cause *cause = &row->causes[side];
            f->codes[CAUSE + side][at] = (uint8_t)cause->cause;
            f->numbers[FREQUENCY + side][at] = cause->frequency;
            f->numbers[BLAME + side][at] = cause->blame >= 0 ? cause->blame : (double)NAN;
        }
    }
    return most;
}

/* The unit that all parameters have; NULL: none. */
static const char *common_unit(const costab_model *model, const limit_over *overs, int count) {
    const char *common = NULL;
    for (int i = 0; i < count; i++) {
        int parameter;
        if (costab_model_find_parameter(model, overs[i].parameter, &parameter, NULL) != COSTAB_OK)
            return NULL;
        const char *unit = costab_model_parameter_unit(model, parameter);
        if (unit == NULL || (i > 0 && strcmp(unit, common) != 0)) return NULL;
        common = unit;
    }
    return common;
}

costab_status limit_file_write(const cli_network *network, const limit_rows *rows, const limit_over *overs,
                               int over_count, const cli_arguments *arguments, costab_error *error) {
    ends_by(arrays_file_free) arrays_file f = {.plan = {.swept = 0}};
    size_t places = (size_t)network->coupling_count * (size_t)over_count;
    memory_local_array(size_t, filled, 2 * places, error);
    TRY(arrays_file_begin(&f, axes, 3, network, error));
    for (int i = 0; i < over_count; i++) TRY(arrays_file_label(&f, 1, overs[i].parameter, error));
    f.plan.axes[2].count = fill(&f, rows, filled);
    TRY(arrays_file_make(&f, fields, FIELDS, error));
    const char *unit = common_unit(network->model, overs, over_count);
    for (int k = FROM; k <= RANGE_TO; k++) f.plan.fields[k].unit = unit;
    (void)fill(&f, rows, filled + places);
    for (size_t place = 0; place < places; place++) {
        const size_t over = place % (size_t)over_count, coupling = place / (size_t)over_count;
        if (over * (size_t)network->coupling_count + coupling >= rows->searched) continue;
        f.numbers[RANGE_FROM][place] = overs[over].from;
        f.numbers[RANGE_TO][place] = overs[over].to;
    }
    return arrays_file_write(&f, network, arguments, error);
}
