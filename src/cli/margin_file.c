/* costab margin -o: axes coupling, margin and side, and the table's columns over them; over the subsystems
 * too their shares. Rows that a coupling does not have are NaN, and class not_computed. */
#include "cli/margin_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"
#include "study/study.h"

enum { FACTOR, VALUE, NOMINAL, FREQUENCY, SHARE, NUMBERS, CLASS = NUMBERS, CAUSE, SHARES, FIELDS };

static const study_codes class_codes = {
    .kind = COSTAB_CODES_VALUES,
    .count = 11,
    .values = {0, 1, 2, 3, 16, 17, 32, 34, 48, COSTAB_CLASS_FAILED, COSTAB_NOT_COMPUTED},
    .meanings = "UU US SU SS NU NS UN SN NN failed not_computed",
    .fill = COSTAB_NOT_COMPUTED};
static const study_codes cause_codes = {
    .kind = COSTAB_CODES_VALUES,
    .count = COSTAB_PASSES_COUNT,
    .values = {0, 1, 2, 3, 4, 5, 6, 7},
    .meanings = "nothing fold flip oscillation iteration continuous own ill_posed"};

/* Over the couplings, the margins and their sides; and the subsystems. */
enum { OVER = 7, OVER_ALL = 15 };

static const study_field fields[FIELDS] = {
    [FACTOR] = {0, OVER, "factor", "value over nominal value at which the class changes", NULL},
    [VALUE] = {0, OVER, "value", "nearest value at which the class changes", NULL},
    [NOMINAL] = {0, OVER, "nominal", "nominal value", NULL},
    [FREQUENCY] = {0, OVER, "frequency", "frequency of the mode that passes its limit, in Hz", NULL},
    [SHARE] = {0, OVER, "share", "largest share of a subsystem in that mode", NULL},
    [CLASS] = {0, OVER, "class", "stability class beyond: continuous system, then co-simulation",
               &class_codes},
    [CAUSE] = {0, OVER, "cause", "what passes its limit", &cause_codes},
    [SHARES] = {0, OVER_ALL, "participation", "shares of the subsystems in the mode that passes its limit",
                NULL}};

typedef struct margin_file {
    costab_plan plan;
    char **names; /* of the axis margin */
    size_t count, couplings;
    double *numbers[NUMBERS], *shares;
    uint8_t *codes[2];
    char **subsystems;
    size_t subsystem_count;
} margin_file;

/* What stands at the axis: a radius and a disk margin of one connection have its name alone. */
static costab_status label_of(const costab_margin *row, char *label, size_t size, costab_error *error) {
    bool plain = row->kind == COSTAB_MARGIN_RADIUS || row->kind == COSTAB_MARGIN_DISK;
    text words = {0};
    text_printf(&words, "%s%s%s", plain ? costab_margin_kind_name(row->kind) : "", plain ? " " : "",
                row->name);
    if (words.failed) return error_memory(error);
    (void)text_format(label, size, "%s", words.data);
    text_free(&words);
    return COSTAB_OK;
}

/* The place of a row along the axis; a new one where there is none yet. */
static costab_status find_name(margin_file *m, const char *label, size_t *at, costab_error *error) {
    for (*at = 0; *at < m->count; ++*at)
        if (strcmp(m->names[*at], label) == 0) return COSTAB_OK;
    m->names[m->count] = memory_copy(label);
    return m->names[m->count++] == NULL ? error_memory(error) : COSTAB_OK;
}

static costab_status make_room(margin_file *m, const costab_margins *margins, costab_error *error) {
    size_t cells = 2 * m->couplings * (margins->count + 1);
    bool all = true;
    for (int f = 0; f < NUMBERS; f++) {
        m->numbers[f] = memory_alloc(cells, sizeof *m->numbers[f]);
        all = all && m->numbers[f] != NULL;
        for (size_t e = 0; e < cells && all; e++) m->numbers[f][e] = (double)NAN;
    }
    for (int f = 0; f < 2; f++) {
        m->codes[f] = memory_alloc(cells, sizeof *m->codes[f]);
        all = all && m->codes[f] != NULL;
    }
    for (size_t e = 0; e < cells && all; e++) m->codes[0][e] = COSTAB_NOT_COMPUTED;
    m->shares = memory_alloc(cells * m->subsystem_count + 1, sizeof *m->shares);
    all = all && m->shares != NULL;
    for (size_t e = 0; e < cells * m->subsystem_count && all; e++) m->shares[e] = (double)NAN;
    m->names = memory_alloc(margins->count + 1, sizeof *m->names);
    return all && m->names != NULL ? COSTAB_OK : error_memory(error);
}

/* A number without a side stands on both. */
static void put(margin_file *m, const costab_margin *row, size_t name) {
    const double values[NUMBERS] = {row->factor, row->value, row->nominal, row->frequency, row->share};
    for (int side = 0; side < 2; side++) {
        if (row->side != 0 && row->side != 2 * side - 1) continue;
        size_t at = ((size_t)row->coupling * m->count + name) * 2 + (size_t)side;
        for (int f = 0; f < NUMBERS; f++) m->numbers[f][at] = values[f];
        m->codes[0][at] = row->class_code;
        m->codes[1][at] = (uint8_t)row->cause;
        if (row->shares != NULL)
            memcpy(m->shares + at * m->subsystem_count, row->shares,
                   m->subsystem_count * sizeof *row->shares);
    }
}

static costab_status name_subsystems(margin_file *m, const costab_network *network, costab_error *error) {
    m->subsystems = memory_alloc(m->subsystem_count + 1, sizeof *m->subsystems);
    if (m->subsystems == NULL) return error_memory(error);
    for (size_t s = 0; s < m->subsystem_count; s++) {
        m->subsystems[s] = memory_copy(network->subsystems[s].name);
        if (m->subsystems[s] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

static void set_axes(margin_file *m, char **labels) {
    static char lower[] = "lower", upper[] = "upper";
    static char *sides[] = {lower, upper};
    const costab_axis axes[] = {
        {.name = "coupling",
         .count = m->couplings,
         .labels = labels,
         .long_name = "coupling of the subsystems"},
        {.name = "margin", .count = m->count, .labels = m->names, .long_name = "what is varied"},
        {.name = "side", .count = 2, .labels = sides, .long_name = "below or above the nominal value"},
        {.name = "subsystem",
         .count = m->subsystem_count,
         .labels = m->subsystems,
         .long_name = "subsystem"}};
    memcpy(m->plan.axes, axes, sizeof axes);
    for (int f = 0; f < FIELDS; f++) study_plan_field(&m->plan, &fields[f], NULL);
    costab_plan_choose_tiles(&m->plan, 1 << 16);
}

static costab_status fill(margin_file *m, const costab_margins *margins, costab_error *error) {
    char label[COSTAB_MARGIN_NAME_MAX + 16];
    size_t at;
    costab_status status = make_room(m, margins, error);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < margins->count && !status; i++) {
            status = label_of(&margins->rows[i], label, sizeof label, error);
            if (!status) status = find_name(m, label, &at, error);
            if (!status && pass == 1) put(m, &margins->rows[i], at);
        }
    return status;
}

costab_status margin_file_write(const cli_network *network, const costab_margins *margins,
                                const cli_arguments *arguments, costab_error *error) {
    const costab_network *model = costab_model_instance_network(network->instance);
    margin_file m = {.plan = {.axis_count = 4, .swept = 1},
                     .couplings = (size_t)network->coupling_count,
                     .subsystem_count = (size_t)model->subsystem_count};
    char **labels = arrays_file_couplings(network);
    costab_status status = labels != NULL ? fill(&m, margins, error) : error_memory(error);
    if (!status) status = name_subsystems(&m, model, error);
    if (!status) set_axes(&m, labels);
    const void *all[FIELDS] = {[CLASS] = m.codes[0], [CAUSE] = m.codes[1], [SHARES] = m.shares};
    for (int f = 0; f < NUMBERS; f++) all[f] = m.numbers[f];
    if (!status) status = arrays_file_write(&m.plan, all, network, arguments, error);
    arrays_file_free_labels(labels, m.couplings);
    arrays_file_free_labels(m.names, m.count);
    arrays_file_free_labels(m.subsystems, m.subsystem_count);
    memory_free(m.shares);
    for (int f = 0; f < NUMBERS; f++) memory_free(m.numbers[f]);
    for (int f = 0; f < 2; f++) memory_free(m.codes[f]);
    return status;
}
