/* costab pattern: sequences of macro steps, of a list or of a range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/arrays_file.h"
#include "cli/network.h"
#include "cli/table.h"
#include "costab/pattern.h"

/* What is asked for. */
typedef struct request {
    cli_network *network;
    double *steps; /* NULL: all of the range */
    size_t count;
    double range[2]; /* the shortest step and the longest */
    costab_pattern_options options;
} request;

/* Whether the parameter is the macro step of all couplings. */
static costab_status check_parameter(request *r, int parameter, const char *given, costab_error *error) {
    double nominal = costab_model_instance_value(r->network->instance, parameter);
    for (int c = 0; c < r->network->coupling_count; c++)
        for (int k = 0; k < 2; k++) {
            costab_coupling coupling;
            costab_model_instance_set(r->network->instance, parameter, r->range[k]);
            TRY(costab_model_instance_update(r->network->instance, error));
            TRY(cli_network_coupling(r->network, c, &coupling, error));
            if (coupling.macro_step != r->range[k])
                return error_invalid(error,
                                     "--over: '%s': the macro step of coupling '%s' is not this parameter",
                                     given, r->network->couplings[c].name);
        }
    costab_model_instance_set(r->network->instance, parameter, nominal);
    return costab_model_instance_update(r->network->instance, error);
}

static costab_status read_steps(request *r, cli_option option, const char *given, costab_error *error) {
    TRY(cli_list_read(option, given, &r->steps, &r->count, error));
    for (size_t k = 0; k < r->count; k++) {
        r->range[0] = k == 0 ? r->steps[k] : fmin(r->range[0], r->steps[k]);
        r->range[1] = k == 0 ? r->steps[k] : fmax(r->range[1], r->steps[k]);
    }
    if (r->count <= UINT8_MAX) return COSTAB_OK;
    return error_invalid(error, "--%s: at most %d steps", cli_option_name(option), UINT8_MAX);
}

static costab_status read_request(request *r, const cli_arguments *arguments, costab_error *error) {
    const char *given = arguments->values[OPTION_OVER_STEP_RANGE], *numbers;
    memory_local char *name = NULL;
    int parameter;
    if ((given == NULL) == (arguments->values[OPTION_STEPS] == NULL))
        return error_invalid(error, "give either --steps LIST or --over NAME=LO:HI");
    if (given == NULL) return read_steps(r, OPTION_STEPS, arguments->values[OPTION_STEPS], error);
    bool points = cli_divide(given, &name, &numbers) && cli_lists_points(numbers);
    if (points) {
        TRY(name != NULL ? costab_model_find_parameter(r->network->model, name, &parameter, error)
                         : error_memory(error));
        cli_print(stderr,
                  "costab pattern: warning: --over is a range NAME=LO:HI; write --steps %s. The list after "
                  "--over is accepted until the next version\n",
                  numbers);
        TRY(read_steps(r, OPTION_OVER_STEP_RANGE, numbers, error));
    } else {
        TRY(cli_network_range(r->network, OPTION_OVER_STEP_RANGE, given, &parameter, r->range, error));
        if (!(r->range[0] > 0))
            return error_invalid(error, "--over: '%s' is not NAME=LO:HI with 0 < LO < HI", given);
    }
    return check_parameter(r, parameter, given, error);
}

/* ---- The table ---- */

enum { LOWER, UPPER, RATE_LOWER, RATE_UPPER, SAFE_FROM, SAFE_TO, ASKED_FROM, ASKED_TO, NUMBERS };
enum { STEPS = NUMBERS, PROVED, FIELDS };

/* Of the file: over the couplings; and the steps. */
enum { EACH = 1, BOTH = 3 };

static const study_field fields[FIELDS] = {
    [LOWER] = {0, EACH, "lower", "growth per step that the pattern attains", NULL, NULL},
    [UPPER] = {0, EACH, "upper", "bound of the growth per step of all sequences", NULL, NULL},
    [RATE_LOWER] = {0, EACH, "rate_lower", "growth per second that a cycle attains, in 1/s", NULL, "1/s"},
    [RATE_UPPER] = {0, EACH, "rate_upper", "bound of the growth per second of all sequences, in 1/s", NULL,
                    "1/s"},
    [SAFE_FROM] = {0, EACH, "safe_from", "all sequences of steps are stable from here", NULL, "s"},
    [SAFE_TO] = {0, EACH, "safe_to", "all sequences of steps are stable up to here", NULL, "s"},
    [ASKED_FROM] = {0, EACH, "from", "shortest step of the sequences", NULL, "s"},
    [ASKED_TO] = {0, EACH, "to", "longest step of the sequences", NULL, "s"},
    [STEPS] = {0, BOTH, "pattern", "steps of the cycle that grows most, the first to be taken first", NULL,
               "s"},
    [PROVED] = {0, EACH, "proved", "whether the upper bounds hold but for rounding", &arrays_file_yes, NULL}};

/* The first of the fields: NaN where the pattern was left out. */
static void numbers_of(const request *r, const costab_pattern *p, double numbers[NUMBERS]) {
    bool left_out = isnan(p->lower);
    const double all[NUMBERS] = {p->lower,
                                 p->upper,
                                 p->rate_lower,
                                 p->rate_upper,
                                 p->safe_from,
                                 p->safe_to,
                                 left_out ? p->lower : r->range[0],
                                 left_out ? p->lower : r->range[1]};
    memcpy(numbers, all, sizeof all);
}

/* Lower bounds and the longest safe step are rounded down, upper bounds and the shortest one up. */
static void put_row(const char *coupling, int k, double value) {
    table_text(coupling);
    table_text(fields[k].name);
    table_rounded(value, k == UPPER || k == RATE_UPPER || k == SAFE_FROM ? 1 : -1);
}

static void put_pattern(const request *r, const char *coupling, const costab_pattern *pattern) {
    text steps = {0};
    double numbers[NUMBERS];
    numbers_of(r, pattern, numbers);
    for (int k = LOWER; k <= RATE_UPPER; k++) put_row(coupling, k, numbers[k]);
    for (size_t k = 0; k < pattern->length; k++)
        text_append_number(&steps, k > 0 ? " " : "", pattern->steps[k]);
    table_text(coupling);
    table_text("pattern");
    table_joined(&steps);
    for (int k = SAFE_FROM; k <= SAFE_TO && r->steps == NULL; k++) put_row(coupling, k, numbers[k]);
    table_text(coupling);
    table_text("proved");
    table_yes(pattern->proved);
    if (pattern->neutral > 0)
        fprintf(stderr, "costab pattern: %s: %d neutral direction%s of all steps set aside\n", coupling,
                pattern->neutral, pattern->neutral == 1 ? "" : "s");
}

/* ---- The file ---- */

static const costab_axis axes[] = {{.name = "coupling", .long_name = "coupling of the subsystems"},
                                   {.name = "step", .long_name = "number of the step in its cycle"}};

/* Shorter cycles are filled up with NaN. */
static void fill(arrays_file *f, const request *r, const costab_pattern *patterns) {
    size_t longest = f->plan.axes[1].count;
    for (size_t c = 0; c < f->plan.axes[0].count; c++) {
        const costab_pattern *p = &patterns[c];
        double numbers[NUMBERS];
        numbers_of(r, p, numbers);
        for (int k = 0; k < NUMBERS; k++) f->numbers[k][c] = numbers[k];
        if (p->length > 0) memcpy(f->numbers[STEPS] + c * longest, p->steps, p->length * sizeof *p->steps);
        if (!isnan(p->lower)) f->codes[PROVED][c] = p->proved;
    }
}

static costab_status write_file(const request *r, const costab_pattern *patterns,
                                const cli_arguments *arguments, costab_error *error) {
    ends_by(arrays_file_free) arrays_file f = {.plan = {.swept = 0}};
    TRY(arrays_file_begin(&f, axes, 2, r->network, error));
    size_t *longest = &f.plan.axes[1].count;
    *longest = 1;
    for (size_t c = 0; c < f.plan.axes[0].count; c++)
        if (patterns[c].length > *longest) *longest = patterns[c].length;
    TRY(arrays_file_make(&f, fields, FIELDS, error));
    fill(&f, r, patterns);
    return arrays_file_write(&f, r->network, arguments, error);
}

/* ---- The command ---- */

/* Finds the pattern of a coupling; one that was left out has no steps, and NaN. */
static costab_status find_pattern(request *r, int c, costab_pattern *pattern, costab_error *error) {
    const costab_network *model = costab_model_instance_network(r->network->instance);
    costab_coupling coupling;
    costab_status status = cli_network_coupling(r->network, c, &coupling, error);
    if (!status && r->steps != NULL)
        status = costab_pattern_steps(model, &coupling, r->steps, (int)r->count, &r->options, pattern, error);
    else if (!status)
        status = costab_pattern_over(model, &coupling, r->range, &r->options, pattern, error);
    /* Of several couplings those are named that sequences of steps have no meaning for. */
    if (status != COSTAB_INVALID || r->network->coupling_count == 1) return status;
    cli_print(stderr, "costab pattern: %s: left out: %s\n", r->network->couplings[c].name, error->message);
    *error = (costab_error){.status = COSTAB_OK};
    const double none = (double)NAN;
    costab_pattern_free(pattern);
    *pattern = (costab_pattern){.lower = none,
                                .upper = none,
                                .rate_lower = none,
                                .rate_upper = none,
                                .safe_from = none,
                                .safe_to = none};
    return COSTAB_OK;
}

costab_status cli_pattern(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    request r = {.network = network};
    memory_local costab_pattern *patterns = NULL;
    bool rows = arguments->values[OPTION_OUTPUT_HISTORY] == NULL;
    int count = network->coupling_count;
    costab_status status = read_request(&r, arguments, error);
    if (!status) status = memory_make(&patterns, (size_t)count, error);
    if (!status && rows) table_begin(arguments, "coupling,name,value");
    for (int c = 0; c < count && !status; c++) {
        status = find_pattern(&r, c, &patterns[c], error);
        if (!status && rows && !isnan(patterns[c].lower))
            put_pattern(&r, network->couplings[c].name, &patterns[c]);
    }
    const char *path = cli_word(arguments->operands[0]);
    if (!status && rows)
        table_say("All sequences are stable where upper is below 1. To play a pattern: costab simulate %s "
                  "--until T --steps LIST. Each step alone: costab limit %s --over H=LO:HI",
                  path, path);
    if (!status) status = rows ? table_end(error) : write_file(&r, patterns, arguments, error);
    for (int c = 0; c < count && patterns != NULL; c++) costab_pattern_free(&patterns[c]);
    memory_free(r.steps);
    return status;
}
