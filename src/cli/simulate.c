/* costab simulate: a time history with the monolithic solution, as rows or as a results file; or the largest
 * errors of its signals (--error). */
#include <stdio.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"
#include "record/about.h"
#include "record/column.h"
#include "study/create.h"
#include "study/study.h"

static CLI_OPTION(opt_turns_file, "steps-file", 0, "FILE", NULL,
                  "the same from the first column of a CSV file, such as the steps that a master has taken");
static CLI_OPTION(opt_signals, "signals", 0, "LIST", NULL,
                  "these signals only, such as motor.angle,load.torque (default: all)");
static CLI_OPTION(
    opt_row_points, "points", 0, "N", NULL,
    "N communication points only, spread evenly from the first to the last; what lies between is left out, "
    "peaks too");
static CLI_OPTION(
    opt_error_made, "error", 0, NULL, NULL,
    "instead of the rows: how far every state and output is from the monolithic one, at most, over all "
    "micro steps");

#define STEPS_BYTES_MAX ((size_t)1 << 28) /* a larger file of --steps-file is refused */

enum { KINDS = COSTAB_SIGNAL_OUTPUT + 1 }; /* states, inputs and outputs of subsystems */

/* A subsystem's signal. */
typedef struct shown_signal {
    const char *name; /* NULL before its first row */
    char made[COSTAB_SIGNAL_NAME_MAX];
    double begun; /* its first value */
} shown_signal;

typedef struct printer {
    const costab_network *network;
    const costab_signal *wanted; /* signals to print */
    int wanted_count;            /* 0: all signals are printed */
    int *first;                  /* signals of a kind are numbered from first[KINDS subsystem + kind] on */
    shown_signal *shown;         /* by these numbers */
    bool changes;                /* a signal has left its first value */
} printer;

static costab_status number_signals(printer *p, costab_error *error) {
    const costab_network *network = p->network;
    int count = 0;
    TRY(memory_make(&p->first, (size_t)network->subsystem_count * KINDS, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        const int counts[KINDS] = {of->states, of->inputs, of->outputs};
        for (int kind = 0; kind < KINDS; count += counts[kind++]) p->first[s * KINDS + kind] = count;
    }
    return memory_make(&p->shown, (size_t)count + 1, error);
}

/* Returns true if --signals names the signal, or is not given. */
static bool is_wanted(const printer *p, int subsystem, costab_signal_kind kind, int index) {
    for (int i = 0; i < p->wanted_count; i++) {
        const costab_signal *one = &p->wanted[i];
        if (one->subsystem == subsystem && one->kind == kind && one->index == index) return true;
    }
    return p->wanted_count == 0;
}

/* ---- Described rows ---- */

static const char *point_word(int code) {
    return code != 0 ? "communication" : "local";
}

static const costab_code_words point_codes = {point_word, 2, NULL, 0};

typedef struct history_row {
    costab_row of;
    const char *subsystem, *signal;
} history_row;

static const costab_column history_columns[] = {
    REAL(history_row, of.t, "t", .unit = "s"), NAME(history_row, subsystem, "subsystem"),
    NAME(history_row, signal, "signal"),       CODE(history_row, of.communication, point_codes, "point"),
    REAL(history_row, of.value, "value"),      REAL(history_row, of.monolithic, "monolithic"),
};

static const costab_record history_record = {
    .name = "simulate", .meaning = "A signal's value at a time.", ROWS_OF(history_row, history_columns)};

typedef struct error_row {
    costab_signal_error of;
    const char *subsystem, *signal;
    bool worst;
} error_row;

static const costab_column error_columns[] = {
    NAME(error_row, subsystem, "subsystem"), NAME(error_row, signal, "signal"),
    REAL(error_row, of.error, "error"),      REAL(error_row, of.t, "t", .unit = "s"),
    REAL(error_row, of.largest, "largest"),  YES(error_row, worst, "worst"),
};

static const costab_record error_record = {
    .name = "error", .meaning = "The largest error of a signal.", ROWS_OF(error_row, error_columns)};

/* Prints a row if its signal is wanted. Returns false, which ends the simulation, if stdout fails. */
static bool print_row(void *context, const costab_row *row) {
    printer *p = (printer *)context;
    shown_signal of_bond = {.name = NULL}, *of = &of_bond;
    if (row->subsystem >= 0) of = &p->shown[p->first[row->subsystem * KINDS + (int)row->kind] + row->index];
    if (of->name == NULL) {
        of->name = costab_signal_name(p->network, row->subsystem, row->kind, row->index, of->made);
        of->begun = row->value;
    }
    p->changes = p->changes || (row->subsystem >= 0 && row->value != of->begun);
    if (!is_wanted(p, row->subsystem, row->kind, row->index)) return true;
    const history_row shown = {*row, row->subsystem >= 0 ? p->network->subsystems[row->subsystem].name : NULL,
                               of->name};
    table_row(&history_record, &shown, NULL);
    return ferror(stdout) == 0;
}

static costab_status run_into_file(const cli_network *network, const cli_arguments *arguments,
                                   const costab_simulate_options *options, double *steps,
                                   costab_error *error) {
    text_local notes = {0}, target = {0};
    ends_by(record_about_free) record_about about = {.info = {.title = NULL}};
    ends_by(costab_study_destroy) costab_study *study = NULL;
    const char *name = network->couplings[0].name, *path = arguments->operands[0];
    costab_history_steps turns = {.steps = steps, .count = (size_t)options->step_count};
    costab_network_history wanted = {
        .until = options->until, .local = true, .turn_count = steps != NULL, .turns = &turns};
    costab_study_history history = {.variant = {.model = network->model,
                                                .setting_count = network->settings.count,
                                                .settings = network->settings.list,
                                                .coupling_count = 1,
                                                .couplings = &name},
                                    .wanted = &wanted};
    path_output(&target, cli_value(arguments, &opt_output_history), path, ".h5");
    TRY(target.failed ? error_memory(error) : cli_network_notes(arguments, &notes, error));
    TRY(record_about_find(network->spec, notes.data, &about, error));
    TRY(costab_study_create_history(&history, &study, error));
    costab_study_run_options run = {.info = &about.info, .force = arguments->force};
    TRY(cli_write_results(study, target.data, &run, arguments->quiet, NULL, error));
    cli_tell_failures(path, study);
    cli_tell_drawable(target.data, arguments);
    return COSTAB_OK;
}

/* ---- Rows ---- */

static costab_status diverged(const costab_simulate_outcome *outcome, const char *what, costab_error *error) {
    if (!outcome->diverged) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC,
                     "the simulation %s after %ld macro steps: %s; the %s up to there are printed",
                     outcome->no_value ? "ended" : "diverged", outcome->macro_steps, outcome->reason, what);
}

/* Prints the commands that draw the same history. */
static void say_drawn(const cli_arguments *arguments) {
    const cli_option *const kept[] = {&opt_until, &opt_turns, &opt_turns_file};
    text_local words = {0};
    cli_network_words(arguments, true, &words);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        if (cli_value(arguments, kept[k]) == NULL) continue;
        text_printf(&words, " --%s ", kept[k]->name);
        escape(&words, ESCAPE_SHELL, cli_value(arguments, kept[k]));
    }
    if (!words.failed)
        table_say("To draw it: costab simulate %s -o history.h5 && costab plot history.h5", words.data);
}

static costab_status print_rows(printer *p, const cli_arguments *arguments, const costab_coupling *coupling,
                                const costab_simulate_options *options, costab_error *error) {
    costab_simulate_outcome outcome;
    table_begin_rows(arguments, &history_record, NULL);
    costab_status status = number_signals(p, error);
    if (!status)
        status = costab_network_simulate(p->network, coupling, options, print_row, p, &outcome, error);
    memory_free_all(p->first, p->shown);
    if (status == COSTAB_CANCELLED) return error_set(error, COSTAB_IO, "the rows could not be written");
    TRY(status);
    if (!p->changes && options->until > 0)
        cli_print(stderr,
                  "costab simulate: nothing moves: every value stays as it begins; set start values of "
                  "the FMUs, or give the model sources\n");
    say_drawn(arguments);
    TRY(table_end(error));
    return diverged(&outcome, "rows", error);
}

/* ---- --error ---- */

static void put_error(printer *p, const costab_signal_error *row, bool worst) {
    char made[COSTAB_SIGNAL_NAME_MAX];
    const costab_signal *of = &row->signal;
    const error_row shown = {*row, p->network->subsystems[of->subsystem].name,
                             costab_signal_name(p->network, of->subsystem, of->kind, of->index, made), worst};
    table_row(&error_record, &shown, NULL);
}

static void say_worst(const printer *p, const costab_signal_errors *errors) {
    char made[COSTAB_SIGNAL_NAME_MAX];
    if (errors->worst < 0) return;
    const costab_signal_error *row = &errors->rows[errors->worst];
    const costab_signal *of = &row->signal;
    table_say("The error is %.4g, of %s.%s at t = %.6g, whose largest value is %.4g", row->error,
              p->network->subsystems[of->subsystem].name,
              costab_signal_name(p->network, of->subsystem, of->kind, of->index, made), row->t, row->largest);
}

static costab_status print_errors(printer *p, const cli_arguments *arguments, const costab_coupling *coupling,
                                  const costab_simulate_options *options, costab_error *error) {
    ends_by(costab_signal_errors_free) costab_signal_errors errors = {.worst = -1};
    if (options->points > 0)
        return error_invalid(error, "--error looks at all micro steps, --points at some points");
    TRY(costab_network_signal_errors(p->network, coupling, options, &errors, error));
    table_begin_rows(arguments, &error_record, NULL);
    for (size_t i = 0; i < errors.count; i++) {
        const costab_signal *of = &errors.rows[i].signal;
        if (is_wanted(p, of->subsystem, of->kind, of->index))
            put_error(p, &errors.rows[i], (long)i == errors.worst);
    }
    say_worst(p, &errors);
    TRY(table_end(error));
    return diverged(&errors.outcome, "errors", error);
}

/* ---- The command ---- */

/* Returns the number of cells of a line. [out] *first, *second: its first two cells, empty if it has fewer.
 */
static size_t split_line(csv *line, csv_cell *first, csv_cell *second) {
    csv_cell cell;
    size_t cells = 0;
    *first = *second = (csv_cell){"", 0};
    for (; csv_next(line, &cell); cells++) {
        if (cells == 0) *first = cell;
        if (cells == 1) *second = cell;
    }
    return cells;
}

static bool starts_with(csv_cell cell, const char *characters) {
    return cell.size > 0 && strchr(characters, *cell.start) != NULL;
}

/* Reads the first cells of the lines of a CSV file. A first line that does not start like a number names
 * columns. A comma before a digit may be a decimal comma; it separates cells only if the first line names as
 * many columns. */
static costab_status read_steps_file(const char *path, const text *content, double **steps, size_t *count,
                                     costab_error *error) {
    csv lines = csv_begin(content->data, content->size);
    csv_cell cell, next;
    size_t lines_max = 1, columns = 1;
    for (size_t i = 0; i < content->size; i++) lines_max += content->data[i] == '\n';
    TRY(memory_make(steps, lines_max, error));
    while (csv_line(&lines)) {
        if (csv_blank(&lines)) continue;
        size_t cells = split_line(&lines, &cell, &next);
        double *step = &(*steps)[*count];
        if (lines.line == 1 && !starts_with(cell, "+-.0123456789")) {
            columns = cells;
            continue;
        }
        bool number = number_parse(cell.start, cell.size, step);
        int shown = (int)(cell.size < 40 ? cell.size : 40);
        if (number && cells > columns && starts_with(next, "0123456789"))
            return error_invalid(error,
                                 "%s:%zu: error: unexpected ',' after '%.*s': write a decimal point, or name "
                                 "all columns in the first line",
                                 path, lines.line, shown, cell.start);
        if (cell.size == 0)
            return error_invalid(error, "%s:%zu: error: expected a macro step above 0, found an empty cell",
                                 path, lines.line);
        if (!number || !(*step > 0))
            return error_invalid(error, "%s:%zu: error: expected a macro step above 0, found '%.*s'", path,
                                 lines.line, shown, cell.start);
        ++*count;
    }
    if (*count > 0) return COSTAB_OK;
    return error_invalid(error, "%s: error: expected macro steps, one per line", path);
}

/* Reads --steps or --steps-file. [out] *steps: unchanged without these options; free with memory_free. */
static costab_status read_steps(const cli_arguments *arguments, double **steps, size_t *count,
                                costab_error *error) {
    const char *given = cli_value(arguments, &opt_turns), *path = cli_value(arguments, &opt_turns_file);
    text_local content = {0};
    *count = 0;
    if (given != NULL && path != NULL) return error_invalid(error, "give either --steps or --steps-file");
    if (given != NULL) return cli_list_read(&opt_turns, given, steps, count, error);
    if (path == NULL) return COSTAB_OK;
    TRY(text_read_file(path, STEPS_BYTES_MAX, &content, error));
    return read_steps_file(path, &content, steps, count, error);
}

static costab_status read_options(const cli_arguments *arguments, costab_simulate_options *options,
                                  costab_error *error) {
    bool chosen = cli_value(arguments, &opt_signals) != NULL ||
                  cli_value(arguments, &opt_row_points) != NULL ||
                  cli_value(arguments, &opt_error_made) != NULL;
    TRY(cli_number(arguments, &opt_until, &options->until, error));
    if (options->until < 0)
        return error_invalid(error, "--until: %s is negative", cli_value(arguments, &opt_until));
    TRY(cli_whole(arguments, &opt_row_points, 2, 1000000000, 0, &options->points, error));
    if (chosen && cli_value(arguments, &opt_output_history) != NULL)
        return error_invalid(
            error, "--signals, --points and --error choose what a table has; a results file holds all");
    return COSTAB_OK;
}

static costab_status find_signals(printer *p, const cli_names *names, costab_signal **found,
                                  costab_error *error) {
    TRY(memory_make(found, (size_t)names->count + 1, error));
    for (int i = 0; i < names->count; i++)
        TRY(costab_signal_find(p->network, names->of[i], &(*found)[i], error));
    p->wanted = *found;
    p->wanted_count = names->count;
    return COSTAB_OK;
}

static costab_status cli_simulate(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    printer p = {.network = costab_model_instance_network(network->instance)};
    costab_simulate_options options = {.local = true, .monolithic = true, .energy_made = true};
    costab_coupling coupling;
    ends_by(cli_names_free) cli_names names = {.count = 0};
    memory_local costab_signal *signals = NULL;
    memory_local double *steps = NULL;
    size_t step_count = 0;
    if (network->coupling_count > 1 && cli_value(arguments, &opt_coupling) != NULL)
        return error_invalid(error, "--coupling: a simulation has one coupling, not %d",
                             network->coupling_count);
    TRY(read_options(arguments, &options, error));
    TRY(read_steps(arguments, &steps, &step_count, error));
    options.steps = steps;
    options.step_count = (long)step_count;
    /* A list of macro steps replaces the model's macro step, and is checked step by step. */
    TRY(step_count > 0 ? cli_network_coupling(network, 0, &coupling, error)
                       : cli_network_fitting(network, 0, &coupling, error));
    TRY(analysis_check_moves(network->instance, error));
    if (step_count > 0) TRY(analysis_check_steps(network->instance, error));
    TRY(cli_names_read(cli_value(arguments, &opt_signals), ',', &names, error));
    TRY(find_signals(&p, &names, &signals, error));
    if (cli_value(arguments, &opt_output_history) != NULL)
        return run_into_file(network, arguments, &options, steps, error);
    return cli_value(arguments, &opt_error_made) != NULL
               ? print_errors(&p, arguments, &coupling, &options, error)
               : print_rows(&p, arguments, &coupling, &options, error);
}

const cli_command cli_simulate_command = {
    .name = "simulate",
    .operands = &cli_a_model,
    .summary = "time history of a network and of its monolithic solution",
    .details =
        "Prints states, inputs and outputs at communication points and at the ends of micro steps, "
        "each with the monolithic solution, and the residual energy of power bonds. It simulates "
        "the model's first coupling, or the coupling of --coupling. A simulation in which a "
        "state passes 1e100, or an equation has no finite value, ends with exit status 1 after its rows so "
        "far; the message names the state or the equation, the time and the arguments. With -o it is a warning.",
    .examples = "costab simulate model.yaml --until 20 --set H=0.5 > history.csv\n"
                "costab simulate model.yaml --until 20 -o history.h5\n"
                "costab simulate model.yaml --until 20 --signals motor.angle --points 200 -f json\n"
                "costab simulate model.yaml --until 20 --steps 0.001,0.025 -o uneven.h5\n"
                "costab simulate model.yaml --until 20 --error",
    .options = {&opt_until, &opt_turns, &opt_turns_file, &opt_signals, &opt_row_points, &opt_error_made,
                CLI_MODEL, CLI_TABLE_OR_FILE, CLI_COMMON},
    .with_model = cli_simulate,
    .time_varying = true};
