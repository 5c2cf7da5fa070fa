/* costab limit: where along one parameter a coupling is stable. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"

enum { SAMPLES = 1000, INTERVALS_MAX = 4096 };

typedef struct scan {
    cli_network *network;
    int coupling, parameter;
    progress bar;
    size_t looked, samples; /* points of this coupling; those at equal distances */
    size_t all;             /* points of all couplings */
} scan;

/* The search between samples comes on top of them and counts as nothing. */
static void count_point(scan *s) {
    s->looked++;
    s->all++;
    size_t done = (size_t)s->coupling * s->samples + (s->looked < s->samples ? s->looked : s->samples);
    progress_update(&s->bar, done, (size_t)s->network->coupling_count * s->samples);
}

static costab_status evaluate(void *context, double value, costab_network_point *point, costab_error *error) {
    scan *s = (scan *)context;
    costab_coupling coupling;
    count_point(s);
    costab_model_instance_set(s->network->instance, s->parameter, value);
    costab_status status = costab_model_instance_update(s->network->instance, error);
    if (status == COSTAB_OK) status = cli_network_coupling(s->network, s->coupling, &coupling, error);
    if (status == COSTAB_OK)
        status = costab_network_analyse(s->network->work, costab_model_instance_network(s->network->instance),
                                        &coupling, point, error);
    return status;
}

/* NAME=LO:HI */
static costab_status read_over(const cli_network *network, const cli_arguments *arguments, int *parameter,
                               double *lower, double *upper, costab_error *error) {
    const char *given = arguments->values[OPTION_OVER], *rest = NULL;
    if (given == NULL) return error_set(error, COSTAB_INVALID, "--over is missing: NAME=LO:HI");
    costab_status status = cli_network_parameter(network, OPTION_OVER, given, parameter, &rest, error);
    if (status != COSTAB_OK) return status;
    const char *colon = strchr(rest, ':');
    if (colon == NULL || !number_parse_double(rest, (size_t)(colon - rest), lower) ||
        !number_parse_double(colon + 1, strlen(colon + 1), upper) || !(*lower < *upper))
        return error_set(error, COSTAB_INVALID, "--over: '%s' is not NAME=LO:HI with LO < HI", given);
    return COSTAB_OK;
}

/* The numbers that matter for whole micro steps: the macro step, and the sum of all steps. */
static costab_status steps_at(scan *s, double value, double *macro_step, double *steps, costab_error *error) {
    costab_coupling coupling;
    costab_model_instance_set(s->network->instance, s->parameter, value);
    costab_status status = costab_model_instance_update(s->network->instance, error);
    if (status == COSTAB_OK) status = cli_network_coupling(s->network, s->coupling, &coupling, error);
    if (status != COSTAB_OK) return status;
    const costab_network *network = costab_model_instance_network(s->network->instance);
    *macro_step = coupling.macro_step;
    *steps = 0;
    for (int i = 0; i < network->subsystem_count; i++)
        *steps += network->subsystems[i].substeps > 0 ? 0 : network->subsystems[i].step;
    return COSTAB_OK;
}

/* The unit of the parameter: with micro steps of fixed length under `whole`, and the parameter the macro step
 * itself, only their common multiples make sense. */
static costab_status unit_of(scan *s, double lower, double upper, double *unit, costab_error *error) {
    double first, last, steps, later;
    costab_coupling coupling;
    *unit = 0;
    costab_status status = cli_network_coupling(s->network, s->coupling, &coupling, error);
    if (status != COSTAB_OK || coupling.micro_steps != COSTAB_WHOLE) return status;
    double low = lower > 0 ? lower : upper / 2;
    status = steps_at(s, low, &first, &steps, error);
    if (status == COSTAB_OK) status = steps_at(s, upper, &last, &later, error);
    if (status != COSTAB_OK || first != low || last != upper || steps != later || steps == 0) return status;
    return costab_network_macro_unit(costab_model_instance_network(s->network->instance), unit, error);
}

static void interval_row(cli_table *table, const scan *s, const costab_stable_interval *interval) {
    costab_network_point point = {.class_code = interval->class_code};
    cli_table_text(table, s->network->couplings[s->coupling].name);
    cli_table_text(table, s->network->model->parameters[s->parameter].name);
    cli_table_number(table, interval->from);
    cli_table_number(table, interval->to);
    cli_table_text(table, cli_network_class(&point));
}

/* What the answer rests on, on stderr; once for each distance. */
static void tell_distance(const costab_limit_options *options, double *told) {
    double distance =
        options->unit > 0 ? options->unit : (options->upper - options->lower) / (options->samples - 1);
    if (distance == *told) return;
    *told = distance;
    if (options->unit > 0)
        fprintf(stderr, "costab limit: whole multiples of %.10g, the common multiple of the micro steps\n",
                distance);
    else
        fprintf(stderr, "costab limit: sampling distance %.10g; intervals narrower than that may be missed\n",
                distance);
}

static costab_status coupling_rows(cli_table *table, scan *s, costab_limit_options options, double *told,
                                   costab_error *error) {
    costab_coupling coupling;
    size_t count = 0;
    costab_status status = cli_network_coupling(s->network, s->coupling, &coupling, error);
    if (status == COSTAB_OK) status = unit_of(s, options.lower, options.upper, &options.unit, error);
    if (status != COSTAB_OK) return status;
    /* A macro step of 0 is none: begin a little above it. */
    if (options.lower <= 0 && options.unit == 0) {
        double macro_step, steps;
        costab_error ignored = {.status = COSTAB_OK};
        if (steps_at(s, options.lower, &macro_step, &steps, &ignored) != COSTAB_OK || !(macro_step > 0))
            return error_set(
                error, COSTAB_INVALID,
                "--over: at %g the model has no positive macro step, or no finite numbers; begin above it",
                options.lower);
    }
    options.converged = coupling.scheme == COSTAB_ITERATED && coupling.iterations == 0;
    costab_stable_interval *found = memory_alloc(INTERVALS_MAX, sizeof *found);
    if (found == NULL) return error_memory(error);
    s->looked = 0;
    status = costab_network_limit(&options, evaluate, s, found, INTERVALS_MAX, &count, error);
    progress_end(&s->bar);
    if (status == COSTAB_OK) tell_distance(&options, told);
    for (size_t i = 0; i < count && i < INTERVALS_MAX && status == COSTAB_OK; i++)
        interval_row(table, s, &found[i]);
    if (count > INTERVALS_MAX)
        fprintf(stderr, "costab limit: only the first %d of %zu intervals are printed\n", INTERVALS_MAX,
                count);
    memory_free(found);
    return status;
}

costab_status cli_limit(const cli_arguments *arguments, costab_error *error) {
    cli_network network;
    cli_table table;
    costab_limit_options options = {.samples = SAMPLES};
    scan s = {.network = &network};
    long samples = 0;
    double told = 0;
    costab_status status = cli_network_open(&network, arguments, error);
    if (status == COSTAB_OK)
        status = read_over(&network, arguments, &s.parameter, &options.lower, &options.upper, error);
    if (status == COSTAB_OK)
        status = cli_whole(arguments, OPTION_SAMPLES, 2, 100000000, SAMPLES, &samples, error);
    options.samples = (int)samples;
    s.samples = (size_t)samples;
    progress_start(&s.bar, file_name(arguments->operands[0]), "points", 1,
                   arguments->values[OPTION_QUIET] != NULL);
    if (status == COSTAB_OK)
        status = cli_table_begin(&table, arguments, "coupling,parameter,from,to,class", error);
    for (s.coupling = 0; s.coupling < network.coupling_count && status == COSTAB_OK; s.coupling++)
        status = coupling_rows(&table, &s, options, &told, error);
    if (status == COSTAB_OK) status = cli_table_end(&table, error);
    if (status == COSTAB_OK && arguments->values[OPTION_VERBOSE] != NULL) {
        char seconds[PROGRESS_SHOWN_MAX];
        fprintf(stderr, "costab limit: %zu points of %d coupling%s in %s, on one thread\n", s.all,
                network.coupling_count, network.coupling_count == 1 ? "" : "s",
                progress_duration(progress_elapsed(&s.bar), seconds));
    }
    cli_network_close(&network);
    return status;
}
