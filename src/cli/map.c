/* costab map: the map of a macro step of a network, its eigenvalues and modes.
 *   1. For each coupling the analysis: spectral and iteration radius, abscissa, class, and all eigenvalues,
 *      the largest modulus first.
 *   2. For the leading modes: frequency, growth and participation of subsystems and connections
 *      (costab/modes.h); with --matrix also the matrix. As text, JSON or a results file.
 *   3. With --over: the eigenvalues along a parameter (cli_locus), optionally followed by those of the
 * continuous system. Prints where they pass the unit circle or the imaginary axis, or writes a results file
 * for costab plot. Couplings with fewer curves, samples or crossings are padded with NaN. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "costab/locus.h"
#include "costab/modes.h"
#include "model/instance.h"

/* ---- Along a parameter ---- */

typedef struct loci {
    cli_network *network;
    progress bar;
    const char *parameter;
    int done, count; /* number of finished rows; number of rows: couplings, then the continuous system */
    costab_names names;
    costab_locus_row *of;
} loci;

static bool show_progress(void *context, double share) {
    enum { STEPS = 1000 };
    loci *l = context;
    return progress_follow(&l->bar, (size_t)l->done * STEPS + (size_t)(share * STEPS),
                           (size_t)l->count * STEPS);
}

/* Prints on stderr that ends of stability on a locus are undecided. */
static void print_undecided(const loci *l, int c) {
    if (l->of[c].locus.undecided)
        cli_print(
            stderr,
            "costab map: %s: some ends of stability are undecided and may not be marked; costab limit lists "
            "them\n",
            l->names.of[COSTAB_LIST_COUPLINGS][c]);
}

/* Computes the curves of row c. */
static costab_status trace_row(loci *l, int c, costab_locus_options *options, costab_error *error) {
    const bool continuous = options->continuous = c >= l->network->coupling_count;
    l->of[c] = (costab_locus_row){.coupling = c, .continuous = continuous};
    costab_status status = costab_model_locus(&l->network->asked, continuous ? 0 : c, l->parameter, options,
                                              &l->of[c].locus, error);
    progress_end(&l->bar);
    l->done++;
    return status;
}

/* The continuous system is the last row, but computed first: its curves take little time, and a system
 * without them, as one with dead time, is refused before the search. */
static costab_status cli_locus(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    loci l = {.network = network};
    int parameter;
    double range[2];
    costab_status status = cli_network_range(
        network, &opt_over_curves, cli_value(arguments, &opt_over_curves), &parameter, range, error);
    if (status) return status;
    costab_locus_options options = {
        .lower = range[0], .upper = range[1], .progress = show_progress, .progress_context = &l};
    const bool file = cli_value(arguments, &opt_output_history) != NULL;
    l.parameter = network->model->parameters[parameter].name;
    l.count = network->coupling_count + (cli_value(arguments, &opt_continuous) != NULL);
    status = cli_row_names(network, &l.names, error);
    if (!status) status = memory_make(&l.of, (size_t)l.count, error);
    l.names.counts[COSTAB_LIST_COUPLINGS] = l.count;
    l.names.of[COSTAB_LIST_PARAMETERS] = &l.parameter;
    l.names.counts[COSTAB_LIST_PARAMETERS] = 1;
    l.names.unit = costab_model_parameter_unit(network->model, parameter);
    progress_start_file(&l.bar, arguments, "values");
    if (!status && l.count > network->coupling_count) status = trace_row(&l, l.count - 1, &options, error);
    for (int c = 0; c < l.count && !status; c++) {
        if (c < network->coupling_count) status = trace_row(&l, c, &options, error);
        if (status) break;
        if (!file && c == 0) table_begin_rows(arguments, &costab_locus_record, l.names.unit);
        if (!file) table_row(&costab_locus_record, &l.of[c], &l.names);
        print_undecided(&l, c);
    }
    size_t crossings = 0;
    for (int c = 0; c < l.count && !status; c++) crossings += l.of[c].locus.crossing_count;
    if (!status && !file && crossings == 0)
        table_say("No eigenvalue passes its limit for %s from %g to %g.", l.parameter, range[0], range[1]);
    if (!status)
        status = file ? cli_write_rows(network, &costab_locus_record, l.of, (size_t)l.count, &l.names, error)
                      : table_end(error);
    for (int c = 0; c < l.count && l.of != NULL; c++) costab_locus_free(&l.of[c].locus);
    cli_row_names_free(&l.names);
    memory_free(l.of);
    return status;
}

/* ---- One point ---- */

static CLI_OPTION(opt_map_matrix, "matrix", 0, NULL, NULL, "print the map itself as well");

enum { LABEL_MAX = 300, MODES_MAX = 6 };

/* Connections with a smaller share of a mode are not printed. */
#define SHARE_SHOWN 0.005

/* Results of one coupling. */
typedef struct answer {
    const char *coupling;
    costab_map_row row;
    costab_complex *eigenvalues; /* of the row */
    bool *neutral;               /* for each eigenvalue: removed as structural */
    const double *matrix[2];     /* the map, row-major: real and imaginary parts; NULL: not printed */
    const costab_network_work *work;
    const costab_network *network;
    const costab_model_instance *instance;
    costab_modes modes;
} answer;

/* ---- As an object ---- */

static void put_shares(json *out, const char *key, const costab_network *network, const double *shares) {
    json_object(out, key);
    for (int s = 0; s < network->subsystem_count; s++)
        json_number(out, network->subsystems[s].name, shares[s]);
    json_end_object(out);
}

static void put_modes(json *out, const answer *a) {
    const costab_modes *modes = &a->modes;
    json_array(out, "modes");
    for (int m = 0; m < modes->count; m++) {
        const costab_mode *mode = &modes->modes[m];
        json_object(out, NULL);
        json_number(out, "frequency", mode->frequency);
        json_number(out, "damping", mode->damping);
        json_number(out, "growth", mode->growth);
        json_number(out, "condition", mode->condition);
        json_numbers(out, "eigenvalue", (const double[]){mode->re, mode->im}, 2);
        put_shares(out, "participation", a->network, modes->shares + m * modes->subsystems);
        put_shares(out, "participation_of_sums", a->network, modes->sums + m * modes->subsystems);
        json_object(out, "connections");
        for (int c = 0; c < modes->connections; c++) {
            char label[LABEL_MAX];
            costab_connection_label(a->network, c, label, sizeof label);
            json_number(out, label, modes->links[m * modes->connections + c]);
        }
        json_end_object(out);
        json_end_object(out);
    }
    json_end_array(out);
}

static void put_checks(json *out, const answer *a) {
    json_object(out, "checks");
    for (int s = 0; s < a->network->subsystem_count; s++) {
        const costab_check *checks;
        int count = costab_model_instance_checks(a->instance, s, &checks);
        if (count == 0) continue;
        json_object(out, a->network->subsystems[s].name);
        for (int i = 0; i < count; i++) json_number(out, checks[i].name, checks[i].value);
        json_end_object(out);
    }
    json_end_object(out);
}

/* [out] *value: the i-th value of the operating point, counted over all subsystems. Returns false after the
 * last. */
static bool find_value(const answer *a, int i, costab_rest_value *value) {
    for (int s = 0; s < a->network->subsystem_count; s++) {
        int k = 0;
        while (costab_model_instance_point(a->instance, s, k, value))
            if (k++ == i) return true;
        i -= k;
    }
    return false;
}

static void put_operating_point(json *out, const answer *a) {
    costab_rest_value value;
    if (!find_value(a, 0, &value)) return;
    json_array(out, "operating_point");
    for (int i = 0; find_value(a, i, &value); i++) {
        json_object(out, NULL);
        json_text(out, "name", value.name);
        json_number(out, "value", value.value);
        json_bool(out, "given", !value.unknown);
        json_bool(out, "held", value.held);
        json_number(out, "speed", value.speed);
        json_end_object(out);
    }
    json_end_array(out);
}

static void put_matrix(json *out, const char *key, const double *matrix, size_t size) {
    if (matrix == NULL) return;
    json_array(out, key);
    for (size_t i = 0; i < size; i++) json_numbers(out, NULL, matrix + i * size, size);
    json_end_array(out);
}

static void put_object(json *out, const answer *a, const costab_names *names) {
    size_t size = (size_t)a->row.point.size;
    json_object(out, NULL);
    table_row_members(out, &costab_map_record, &a->row, names);
    json_array(out, "eigenvalues");
    for (size_t i = 0; i < size; i++)
        json_numbers(out, NULL, (const double[]){a->eigenvalues[i].re, a->eigenvalues[i].im}, 2);
    json_end_array(out);
    json_array(out, "set_aside");
    for (size_t i = 0; i < size; i++) json_bool(out, NULL, a->neutral[i]);
    json_end_array(out);
    put_modes(out, a);
    put_checks(out, a);
    put_operating_point(out, a);
    if (a->matrix[0] != NULL) {
        json_array(out, "state");
        for (size_t i = 0; i < size; i++) {
            char label[LABEL_MAX];
            costab_network_label(a->work, (int)i, label, sizeof label);
            json_text(out, NULL, label);
        }
        json_end_array(out);
    }
    put_matrix(out, "matrix", a->matrix[0], size);
    put_matrix(out, "matrix_imaginary", a->matrix[1], size);
    json_end_object(out);
}

/* ---- As rows ---- */

static void put_name(const answer *a, const char *name) {
    table_text(a->coupling);
    table_text(name);
}

/* Prints a row of numbers, separated by blanks. */
static void put_row(const answer *a, const char *name, const double *values, size_t count) {
    put_name(a, name);
    table_series(values, count);
}

/* Prints the indices, from 1, of the eigenvalues removed as structural. */
static void put_set_aside(const answer *a) {
    text joined = {0};
    for (int i = 0; i < a->row.point.size; i++)
        if (a->neutral[i]) text_printf(&joined, "%s%d", joined.size > 0 ? " " : "", i + 1);
    if (joined.size == 0) return;
    put_name(a, "set_aside");
    table_joined(&joined);
}

/* Prints frequency, damping and growth of a mode, the subsystems' shares, and the larger shares of
 * connections. */
static void put_mode(const answer *a, int m) {
    const costab_modes *modes = &a->modes;
    const costab_mode *mode = &modes->modes[m];
    text joined = {0};
    text_append_number(&joined, "", mode->frequency);
    text_append_number(&joined, " ", mode->damping);
    text_append_number(&joined, " ", mode->growth);
    for (int s = 0; s < modes->subsystems; s++) {
        text_printf(&joined, " %s", a->network->subsystems[s].name);
        text_append_number(&joined, ":", modes->shares[m * modes->subsystems + s]);
    }
    for (int c = 0; c < modes->connections; c++) {
        char label[LABEL_MAX];
        double share = modes->links[m * modes->connections + c];
        if (!(share >= SHARE_SHOWN)) continue;
        costab_connection_label(a->network, c, label, sizeof label);
        text_printf(&joined, " %s", label);
        text_append_number(&joined, ":", share);
    }
    put_name(a, "mode");
    table_joined(&joined);
}

/* Prints the checks of the measured subsystems. */
static void put_check_rows(const answer *a) {
    for (int s = 0; s < a->network->subsystem_count; s++) {
        const costab_check *checks;
        int count = costab_model_instance_checks(a->instance, s, &checks);
        for (int i = 0; i < count; i++) {
            char name[LABEL_MAX];
            (void)snprintf(name, sizeof name, "check %.200s %s", a->network->subsystems[s].name,
                           checks[i].name);
            put_name(a, name);
            table_number(checks[i].value);
        }
    }
}

/* Prints point NAME for every value, held NAME for states that the equilibrium leaves free, and speed NAME if
 * they move. */
static void put_point_rows(const answer *a) {
    costab_rest_value value;
    for (int i = 0; find_value(a, i, &value); i++) {
        const struct {
            const char *is;
            bool shown;
            double value;
        } rows[] = {{"point", true, value.value},
                    {"held", value.held, value.value},
                    {"speed", value.held && value.speed != 0, value.speed}};
        for (int k = 0; k < 3; k++) {
            char name[LABEL_MAX];
            if (!rows[k].shown) continue;
            (void)snprintf(name, sizeof name, "%s %.200s", rows[k].is, value.name);
            put_name(a, name);
            table_number(rows[k].value);
        }
    }
}

static void put_rows(const answer *a, const costab_names *names) {
    size_t size = (size_t)a->row.point.size;
    table_row_list(&costab_map_record, &a->row, names);
    for (size_t i = 0; i < size; i++)
        put_row(a, "eigenvalue", (const double[]){a->eigenvalues[i].re, a->eigenvalues[i].im}, 2);
    put_set_aside(a);
    for (int m = 0; m < a->modes.count; m++) put_mode(a, m);
    put_check_rows(a);
    put_point_rows(a);
    /* The name of a matrix row is the name of the state entry that it computes. */
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < size && a->matrix[k] != NULL; i++) {
            char label[LABEL_MAX], name[LABEL_MAX + 20];
            costab_network_label(a->work, (int)i, label, sizeof label);
            snprintf(name, sizeof name, "%s %s", k == 0 ? "row" : "imaginary", label);
            put_row(a, name, a->matrix[k] + i * size, size);
        }
}

/* ---- As tables for people ---- */

enum { SHARES_MAX = 3 }; /* printed shares of a mode */

/* Returns the index of the largest share after `previous` (-1: none), of equal shares the first; -1 if the
 * remaining shares are too small to print. */
static int next_largest(const double *shares, int count, int previous) {
    int next = -1;
    for (int i = 0; i < count; i++) {
        const bool before = previous >= 0 && (shares[i] > shares[previous] ||
                                              (shares[i] == shares[previous] && i <= previous));
        if (!before && shares[i] >= SHARE_SHOWN && (next < 0 || shares[i] > shares[next])) next = i;
    }
    return next;
}

/* Prints the largest participation factors with their names: "wall 49 %, heatpump 2 %". */
static void put_subsystems(const answer *a, const double *shares) {
    text joined = {0};
    for (int k = 0, s = -1; k < SHARES_MAX; k++) {
        s = next_largest(shares, a->modes.subsystems, s);
        if (s < 0) break;
        text_printf(&joined, "%s%s %.3g %%", k > 0 ? ", " : "", a->network->subsystems[s].name,
                    100 * shares[s]);
    }
    table_joined(&joined);
}

static void put_modes_table(const answer *a) {
    const costab_modes *modes = &a->modes;
    for (int m = 0; m < modes->count; m++) {
        const costab_mode *mode = &modes->modes[m];
        table_text(a->coupling);
        table_number(m + 1);
        table_numbers(mode->frequency, mode->damping, mode->growth);
        put_subsystems(a, modes->shares + m * modes->subsystems);
    }
}

static void put_connections_table(const answer *a) {
    const costab_modes *modes = &a->modes;
    for (int m = 0; m < modes->count; m++) {
        const double *shares = modes->links + m * modes->connections;
        for (int k = 0, c = -1; k < SHARES_MAX; k++) {
            c = next_largest(shares, modes->connections, c);
            if (c < 0) break;
            char label[LABEL_MAX];
            costab_connection_label(a->network, c, label, sizeof label);
            table_text(a->coupling);
            table_number(m + 1);
            table_text(label);
            table_number(shares[c]);
        }
    }
}

/* Prints the operating point, which is common to all couplings. */
static void put_point_table(const answer *a) {
    costab_rest_value value;
    if (!find_value(a, 0, &value)) return;
    table_again("operating_point,value,is,speed");
    for (int i = 0; find_value(a, i, &value); i++) {
        table_text(value.name);
        table_number(value.value);
        table_text(value.held ? "held" : value.unknown ? "" : "given");
        table_maybe(value.held ? value.speed : (double)NAN);
    }
}

static void say(const answer *answers, int count, const cli_network *network) {
    int stable = 0;
    text_local words = {0};
    cli_network_words(network->arguments, count == 1, &words);
    if (words.failed) return;
    for (int c = 0; c < count; c++) stable += costab_class_name(answers[c].row.point.class_code)[1] == 'S';
    if (count == 1)
        table_say("%s has the spectral radius %.6g (stable: below 1). Its margins: costab "
                  "margin %s",
                  answers[0].coupling, answers[0].row.point.spectral_radius, words.data);
    else
        table_say("%d of %d couplings are stable. Up to which macro step: costab limit %s --over "
                  "%s=LO:HI --coupling all",
                  stable, count, words.data, cli_step_name(network));
    table_say("All numbers and eigenvalues: --format csv");
}

/* ---- One coupling ---- */

/* Prints on stderr the reason why a coupling has no modes. */
static void tell_no_modes(const answer *a, const costab_coupling *coupling) {
    const costab_network_point *point = &a->row.point;
    char words[300];
    if (a->modes.count > 0 || point->size == 0 || isnan(point->spectral_radius)) return;
    if (coupling->micro_steps == COSTAB_REAL_POWER)
        (void)snprintf(words, sizeof words, "with micro_steps: real-power the map is complex");
    else if (point->period > 1 && point->spectral_radius > 0)
        (void)snprintf(
            words, sizeof words,
            "over its period of %ld macro steps all eigenvalues of the map are below rounding, or leave the range of double precision; they may print as 0 or inf",
            point->period);
    else if (point->neutral + point->kept >= point->size)
        (void)snprintf(words, sizeof words, "all eigenvalues are structural and set aside");
    else
        (void)snprintf(words, sizeof words, "all eigenvalues of the map are 0, or they overflow");
    cli_print(stderr, "costab map: %s: no modes: %s\n", a->coupling, words);
}

/* Analyses one coupling, optionally with its modes. */
static costab_status analyse(answer *a, const cli_network *network, int c, bool modes, costab_error *error) {
    const costab_network *model = costab_model_instance_network(network->instance);
    *a = (answer){.coupling = network->couplings[c].name,
                  .row = {.coupling = c},
                  .work = network->work,
                  .network = model,
                  .instance = network->instance};
    costab_coupling coupling;
    TRY(cli_network_fitting(network, c, &coupling, error));
    if (!modes) return costab_network_analyse(network->work, model, &coupling, &a->row.point, error);
    TRY(costab_network_analyse_modes(network->work, model, &coupling, MODES_MAX, &a->row.point, &a->modes,
                                     error));
    tell_no_modes(a, &coupling);
    return COSTAB_OK;
}

static costab_status take_spectrum(answer *a, costab_error *error) {
    TRY(memory_make(&a->eigenvalues, (size_t)a->row.point.size, error));
    TRY(memory_make(&a->neutral, (size_t)a->row.point.size, error));
    costab_network_spectrum(a->work, a->eigenvalues, a->neutral);
    a->row.eigenvalues = a->eigenvalues;
    a->row.eigenvalue_count = (size_t)a->row.point.size;
    return COSTAB_OK;
}

static void answer_free(answer *a) {
    memory_free_all(a->eigenvalues, a->neutral);
    costab_modes_free(&a->modes);
}

/* Prints tables: the points of all couplings, their modes, the connections of these modes, the operating
 * point. */
static costab_status put_tables(cli_network *network, const costab_names *names, costab_error *error) {
    int count = network->coupling_count, done = 0;
    memory_local answer *answers = memory_alloc((size_t)count, sizeof *answers);
    costab_status status = answers == NULL ? error_memory(error) : COSTAB_OK;
    for (; done < count && !status; done++) {
        status = analyse(&answers[done], network, done, true, error);
        if (!status) table_row(&costab_map_record, &answers[done].row, names);
    }
    if (!status) table_again("coupling,mode,frequency [Hz],damping,decay [1/s],subsystems");
    for (int c = 0; c < count && !status; c++) put_modes_table(&answers[c]);
    if (!status) table_again("coupling,mode,connection,participation");
    for (int c = 0; c < count && !status; c++) put_connections_table(&answers[c]);
    if (!status) put_point_table(&answers[0]);
    if (!status) say(answers, count, network);
    for (int c = 0; c < done; c++) answer_free(&answers[c]);
    return status;
}

static costab_status put_coupling(cli_network *network, int c, bool matrix, const costab_names *names,
                                  costab_error *error) {
    ends_by(answer_free) answer a;
    TRY(analyse(&a, network, c, true, error));
    TRY(take_spectrum(&a, error));
    if (matrix) costab_network_matrix(a.work, &a.matrix[0], &a.matrix[1]);
    if (table_json() != NULL) {
        table_hold();
        put_object(table_json(), &a, names);
        table_release();
    } else {
        put_rows(&a, names);
    }
    return COSTAB_OK;
}

static costab_status write_file(cli_network *network, const costab_names *names, costab_error *error) {
    const int count = network->coupling_count;
    memory_local_array(answer, answers, (size_t)count, error);
    memory_local_array(costab_map_row, rows, (size_t)count, error);
    costab_status status = COSTAB_OK;
    for (int c = 0; c < count && !status; c++) {
        status = analyse(&answers[c], network, c, false, error);
        if (!status) status = take_spectrum(&answers[c], error);
        rows[c] = answers[c].row;
    }
    if (!status) status = cli_write_rows(network, &costab_map_record, rows, (size_t)count, names, error);
    for (int c = 0; c < count; c++) answer_free(&answers[c]);
    return status;
}

static costab_status cli_map(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    ends_by(cli_row_names_free) costab_names names = {.unit = NULL};
    bool matrix = cli_value(arguments, &opt_map_matrix) != NULL;
    bool people = arguments->format == CLI_TEXT && !matrix;
    const bool over = cli_value(arguments, &opt_over_curves) != NULL;
    if (matrix && (over || cli_value(arguments, &opt_output_history) != NULL))
        return error_invalid(error,
                             "--matrix prints the map of one point: not with --over or a results file");
    if (over) return cli_locus(network, arguments, error);
    if (cli_value(arguments, &opt_continuous) != NULL)
        return error_invalid(error, "--continuous goes with --over NAME=LO:HI");
    TRY(cli_network_check_modes(network, error));
    TRY(cli_row_names(network, &names, error));
    if (cli_value(arguments, &opt_output_history) != NULL) return write_file(network, &names, error);
    if (people)
        table_begin_rows(arguments, &costab_map_record, NULL);
    else
        table_begin(arguments, "coupling,name,value");
    if (people) TRY(put_tables(network, &names, error));
    for (int c = 0; c < network->coupling_count && !people; c++)
        TRY(put_coupling(network, c, matrix, &names, error));
    return table_end(error);
}

const cli_command cli_map_command = {
    .name = "map",
    .operands = &cli_a_model,
    .summary = "the macro-step map of a network at one point",
    .details = "Prints, for every coupling at one point, the class, the spectral radius of the macro step's "
               "map, how fast it decays, its eigenvalues, and the leading modes: frequency, damping, and "
               "participation of subsystems and connections. For FMUs also the quality of the measured maps.",
    .examples = "costab map model.yaml\n"
                "costab map model.yaml --set H=0.05 --coupling all\n"
                "costab map model.yaml -o map.h5\n"
                "costab map model.yaml --over H=0.001:0.1 -o locus.h5 && costab plot locus.h5",
    .options = {&opt_over_curves, &opt_continuous, CLI_MODEL, &opt_map_matrix, CLI_TABLE_OR_FILE, CLI_COMMON},
    .with_model = cli_map};
