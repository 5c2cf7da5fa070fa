/* costab map --over: the eigenvalues along a parameter, those of the continuous system last where they are
 * asked for. A table of where they pass the unit circle (or the imaginary axis); as a file with axes
 * coupling, parameter, curve, sample and crossing, which `costab plot` draws as curves. Couplings with fewer
 * curves, samples or crossings are filled up with NaN. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "costab/locus.h"

enum { VALUE, REAL, IMAGINARY, AT, AT_REAL, AT_IMAGINARY, FREQUENCY, JOINED, OF, STABILITY, FIELDS };

/* The axes of fields. */
enum { ONCE = 0x1, SAMPLES = 0xB, EACH = 0xF, CROSSINGS = 0x13 };

static const study_codes eigenvalues_of = {.kind = COSTAB_CODES_VALUES,
                                           .count = 3,
                                           .values = {0, 1, ARRAYS_FILE_FILL},
                                           .meanings = "map continuous not_computed",
                                           .fill = ARRAYS_FILE_FILL};

static const char *const stability_words[] = {
    [COSTAB_LOCUS_UNSTABLE] = "none", [COSTAB_LOCUS_ENDS] = "ends", [COSTAB_LOCUS_BEGINS] = "begins"};

static const study_codes stabilities = {
    .kind = COSTAB_CODES_VALUES,
    .count = COSTAB_LOCUS_STABILITY_COUNT + 1,
    .values = {COSTAB_LOCUS_UNSTABLE, COSTAB_LOCUS_ENDS, COSTAB_LOCUS_BEGINS, ARRAYS_FILE_FILL},
    .meanings = "none ends begins not_computed",
    .fill = ARRAYS_FILE_FILL};

static const study_field fields[FIELDS] = {
    [VALUE] = {0, SAMPLES, "locus_value", "value of the parameter", NULL, NULL},
    [REAL] = {0, EACH, "locus_real", "real part of the eigenvalue", NULL, NULL},
    [IMAGINARY] = {0, EACH, "locus_imaginary", "imaginary part of the eigenvalue", NULL, NULL},
    [JOINED] = {0, EACH, "locus_joined", "whether it continues the curve from the sample before",
                &arrays_file_yes, NULL},
    [OF] = {0, ONCE, "locus_of", "what the eigenvalues are of", &eigenvalues_of, NULL},
    [AT] = {0, CROSSINGS, "crossing_value", "value at which an eigenvalue passes", NULL, NULL},
    [STABILITY] = {0, CROSSINGS, "crossing_stability", "whether stability ends or begins there", &stabilities,
                   NULL},
    [AT_REAL] = {0, CROSSINGS, "crossing_real", "real part of the eigenvalue that passes there", NULL, NULL},
    [AT_IMAGINARY] = {0, CROSSINGS, "crossing_imaginary", "its imaginary part, at least 0", NULL, NULL},
    [FREQUENCY] = {0, CROSSINGS, "crossing_frequency", "its frequency in Hz", NULL, "Hz"}};

static const costab_axis axes[] = {{.name = "coupling", .long_name = "coupling of the subsystems"},
                                   {.name = "parameter", .long_name = "parameter that varies"},
                                   {.name = "curve", .long_name = "number of the curve"},
                                   {.name = "sample", .long_name = "number of the parameter's value"},
                                   {.name = "crossing", .long_name = "number of the crossing"}};

typedef struct loci {
    cli_network *network;
    progress bar;
    const char *parameter;
    int done, count; /* the couplings, and the continuous system behind them */
    costab_locus *of;
} loci;

static const char *name_of(const loci *l, int c) {
    return c < l->network->coupling_count ? l->network->couplings[c].name : "continuous system";
}

static bool show_progress(void *context, double share) {
    enum { STEPS = 1000 };
    loci *l = context;
    return progress_follow(&l->bar, (size_t)l->done * STEPS + (size_t)(share * STEPS),
                           (size_t)l->count * STEPS);
}

static void put(arrays_file *f, size_t c, const costab_locus *l) {
    size_t curves = f->plan.axes[2].count, samples = f->plan.axes[3].count, most = f->plan.axes[4].count;
    for (size_t i = 0; i < l->count; i++) f->numbers[VALUE][c * samples + i] = l->at[i];
    for (size_t r = 0; r < l->curves; r++)
        for (size_t i = 0; i < l->count; i++) {
            size_t to = (c * curves + r) * samples + i, from = r * l->count + i;
            f->numbers[REAL][to] = l->re[from];
            f->numbers[IMAGINARY][to] = l->im[from];
            f->codes[JOINED][to] = l->joined[from];
        }
    for (size_t i = 0; i < l->crossing_count; i++) {
        f->numbers[AT][c * most + i] = l->crossings[i].value;
        f->numbers[AT_REAL][c * most + i] = l->crossings[i].re;
        f->numbers[AT_IMAGINARY][c * most + i] = l->crossings[i].im;
        f->numbers[FREQUENCY][c * most + i] = l->crossings[i].frequency;
        f->codes[STABILITY][c * most + i] = (uint8_t)l->crossings[i].stability;
    }
}

static void widen(size_t *count, size_t needed) {
    if (needed > *count) *count = needed;
}

static costab_status write_file(const loci *l, const cli_arguments *arguments, costab_error *error) {
    ends_by(arrays_file_free) arrays_file f = {.plan = {.swept = 0}};
    TRY(arrays_file_begin(&f, axes, 5, l->network, error));
    if (l->count > l->network->coupling_count) TRY(arrays_file_label(&f, 0, name_of(l, l->count - 1), error));
    TRY(arrays_file_label(&f, 1, l->parameter, error));
    for (int k = 2; k < 5; k++) f.plan.axes[k].count = 1;
    for (int c = 0; c < l->count; c++) {
        widen(&f.plan.axes[2].count, l->of[c].curves);
        widen(&f.plan.axes[3].count, l->of[c].count);
        widen(&f.plan.axes[4].count, l->of[c].crossing_count);
    }
    TRY(arrays_file_make(&f, fields, FIELDS, error));
    for (int c = 0; c < l->count; c++) {
        put(&f, (size_t)c, &l->of[c]);
        f.codes[OF][c] = c >= l->network->coupling_count;
    }
    return arrays_file_write(&f, l->network, arguments, error);
}

static void put_rows(const loci *l, int c) {
    for (size_t i = 0; i < l->of[c].crossing_count; i++) {
        const costab_locus_crossing *at = &l->of[c].crossings[i];
        table_text(name_of(l, c));
        table_text(l->parameter);
        table_numbers(at->value, at->re, at->im);
        table_maybe(at->frequency);
        table_text(stability_words[at->stability]);
    }
}

static void tell(const loci *l, int c) {
    if (l->of[c].undecided)
        cli_print(
            stderr,
            "costab map: %s: some ends of stability are undecided and may not be marked; costab limit tells "
            "which\n",
            name_of(l, c));
}

costab_status cli_locus(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    loci l = {.network = network};
    int parameter;
    double range[2];
    costab_status status = cli_network_range(network, OPTION_OVER_CURVES,
                                             arguments->values[OPTION_OVER_CURVES], &parameter, range, error);
    if (status) return status;
    costab_locus_options options = {
        .lower = range[0], .upper = range[1], .progress = show_progress, .progress_context = &l};
    const bool file = arguments->values[OPTION_OUTPUT_HISTORY] != NULL;
    l.parameter = network->model->parameters[parameter].name;
    l.count = network->coupling_count + (arguments->values[OPTION_CONTINUOUS] != NULL);
    TRY(memory_make(&l.of, (size_t)l.count, error));
    progress_begin(&l.bar, arguments, "values");
    for (; l.done < l.count && !status; l.done++) {
        options.continuous = l.done >= network->coupling_count;
        status = costab_model_locus(&network->asked, options.continuous ? 0 : l.done, l.parameter, &options,
                                    &l.of[l.done], error);
        progress_end(&l.bar);
        if (status) break;
        if (!file && l.done == 0)
            table_begin(arguments, "coupling,parameter,value,real,imaginary,frequency,stability");
        if (!file) put_rows(&l, l.done);
        tell(&l, l.done);
    }
    if (!status) status = file ? write_file(&l, arguments, error) : table_end(error);
    for (int c = 0; c < l.count; c++) costab_locus_free(&l.of[c]);
    memory_free(l.of);
    return status;
}
