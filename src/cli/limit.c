/* costab limit: intervals of one parameter in which couplings are stable.
 *   1. For each coupling and each parameter of --over: the limit (analysis_limit_find), or with --alone the
 * limit of each subsystem; and the causes at its ends.
 *   2. Prints a row per interval, or writes the rows into a results file (-o). Notes on stderr state what the
 *      answer does not cover, and where limits of couplings end at stand-alone limits.
 *   3. Prints a sentence on the coupling that is stable furthest, or with --alone on the smallest limit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "costab/margin.h"
#include "model/instance.h"

static const cli_takes a_spacing = {.kind = CLI_WORD, .words = "log linear"};
static CLI_OPTION(opt_over_each, "over", 0, "NAME=LO:HI", NULL,
                  "the parameter that varies, and its range; may be given several times: one table each",
                  .repeats = true);
static CLI_OPTION(
    opt_alone, "alone", 0, NULL, NULL,
    "instead of couplings every subsystem with a stable matrix of its own, its inputs 0: where its solver "
    "alone is stable");
static CLI_OPTION(
    opt_spacing, "spacing", 0, "log|linear", &a_spacing,
    "how the search begins: with cells of one factor, for ranges over many decades, or of one width "
    "(default); the answer is the same");

/* Steps of the progress bar per coupling and range. */
enum { STEPS = 1000 };

typedef struct range {
    int parameter;
    double ends[2];
} range;

/* The rows. ends[i][k]: the lower (0) or upper (1) end of row i is a limit of the co-simulation, found by a
 * search. */
typedef struct limit_rows {
    size_t count, capacity, end_capacity;
    costab_limit_row *of;
    bool (*ends)[2];
} limit_rows;

typedef struct scan {
    cli_network *network;
    int coupling, count;           /* the current coupling; number of ranges */
    range ranges[CLI_REPEATS_MAX]; /* of --over */
    const range *over;             /* the current range */
    char unit[COSTAB_CELL_MAX];    /* the unit of its parameter after a blank; "": none */
    costab_spacing spacing;
    bool file; /* -o: the intervals are not printed */
    costab_names names;
    const char *parameters[CLI_REPEATS_MAX]; /* names of the ranges' parameters */
    limit_rows rows;
    size_t tried_count, tried_capacity;
    double **tried; /* with -o: the tried values of each search, to which the rows point */
    text values;    /* the note on tried values that was printed last */
    progress bar;
    int worked;                    /* largest number of threads that worked */
    size_t evaluations;            /* of all couplings and ranges */
    bool alone;                    /* --alone: subsystems instead of couplings */
    int *subsystems;               /* with --alone: number of the subsystem in place of each coupling */
    analysis_named_coupling *lone; /* with --alone: the names in place of the couplings */
} scan;

/* Progress of the current search. Returns true if the search must end. */
static bool show_progress(void *context, double share, size_t evaluations) {
    scan *s = context;
    size_t couplings = (size_t)s->network->coupling_count, table = (size_t)(s->over - s->ranges);
    size_t done = (table * couplings + (size_t)s->coupling) * STEPS + (size_t)(share * STEPS);
    if (done > 0) s->bar.per_step = (double)(s->evaluations + evaluations) / (double)done;
    return progress_follow(&s->bar, done, (size_t)s->count * couplings * STEPS);
}

static const char *coupling_of(const scan *s);
static const char *parameter_of(const scan *s);

/* Prints on stderr the first result from measured maps; the rows follow once their ends are known. */
static void tell_coarse(void *context, const costab_limit *found, size_t values) {
    const scan *s = context;
    if (s->network->arguments->quiet) return;
    for (size_t i = 0; i < found->count; i++)
        cli_print(stderr, "costab limit: %s: of %zu values of %s first: %s from %.6g to %.6g%s\n",
                  coupling_of(s), values, parameter_of(s), costab_class_name(found->pieces[i].class_code),
                  found->pieces[i].from, found->pieces[i].to, s->unit);
}

/* Reads NAME=LO:HI. */
static costab_status read_over(scan *s, const char *given, range *over, costab_error *error) {
    TRY(cli_network_range(s->network, &opt_over_each, given, &over->parameter, over->ends, error));
    if (s->spacing == COSTAB_SPACING_LOG && !(over->ends[0] > 0))
        return error_invalid(error,
                             "--spacing log needs ranges above 0: '%s' begins at %g; begin above 0, or leave "
                             "--spacing out",
                             given, over->ends[0]);
    return model_instance_check_range(s->network->instance, over->parameter, over->ends, error);
}

static costab_status read_ranges(scan *s, const cli_arguments *arguments, costab_error *error) {
    const char *spacing = cli_value(arguments, &opt_spacing);
    if (cli_value(arguments, &opt_over_each) == NULL)
        return error_invalid(error, "--over is missing: NAME=LO:HI");
    s->spacing = COSTAB_SPACING_LINEAR;
    if (spacing != NULL && strcmp(spacing, costab_spacing_name(COSTAB_SPACING_LOG)) == 0)
        s->spacing = COSTAB_SPACING_LOG;
    else if (spacing != NULL && strcmp(spacing, costab_spacing_name(COSTAB_SPACING_LINEAR)) != 0)
        return error_invalid(error, "--spacing: '%s' is not log or linear", spacing);
    for (s->count = 0; cli_value_at(arguments, &opt_over_each, s->count) != NULL; s->count++)
        TRY(read_over(s, cli_value_at(arguments, &opt_over_each, s->count), &s->ranges[s->count], error));
    return COSTAB_OK;
}

/* Returns the unit of the parameter of a range; NULL: none. */
static const char *unit_of(const scan *s, const range *over) {
    return costab_model_parameter_unit(s->network->model, over->parameter);
}

/* Makes range i the current range. */
static void choose_range(scan *s, int i) {
    s->over = &s->ranges[i];
    const char *unit = unit_of(s, s->over);
    (void)snprintf(s->unit, sizeof s->unit, "%s%.300s", unit != NULL ? " " : "", unit != NULL ? unit : "");
}

static const char *coupling_of(const scan *s) {
    return s->network->couplings[s->coupling].name;
}

static const char *parameter_of(const scan *s) {
    return s->network->model->parameters[s->over->parameter].name;
}

/* Prints on stderr what is undecided, and what the completeness of the answer does not cover. */
static void tell_notes(const scan *s, const costab_analysis_limit *limit) {
    char notes[COSTAB_LIMIT_NOTES_MAX];
    costab_limit_notes(limit, parameter_of(s), unit_of(s, s->over), notes);
    for (const char *line = notes; *line != '\0'; line += strspn(line, "\n")) {
        const int length = (int)strcspn(line, "\n");
        cli_print(stderr, "costab limit: %s: %.*s\n", coupling_of(s), length, line);
        line += length;
    }
}

/* Describes the continuous system if it has one class in all of the range. */
static const char *continuous_words(const costab_limit *limit) {
    switch (limit->continuous_class) {
    case COSTAB_OUTCOME_STABLE:
        return "; the continuous system is stable";
    case COSTAB_OUTCOME_NEUTRAL:
        return "; the continuous system is neutral, a mode of it neither grows nor decays";
    case COSTAB_OUTCOME_UNSTABLE:
        return "; the continuous system is unstable itself";
    default:
        return "";
    }
}

/* Prints on stderr the reason for an empty result. `whole`: the parameter is a count. */
static void tell_empty(const scan *s, const costab_limit *limit, bool whole) {
    const char *name = parameter_of(s), *radius = limit->nearest_diverges ? "iteration" : "spectral";
    if (limit->nearest_radius < 1) return; /* tell_notes reports it */
    cli_print(stderr, "costab limit: %s: no interval: ", coupling_of(s));
    if (limit->evaluations == 0)
        cli_print(stderr, "no %s from %g to %g%s %s\n", name, s->over->ends[0], s->over->ends[1], s->unit,
                  whole
                      ? "is a whole number"
                      : "makes the macro step a whole number of micro steps, or of parts of the sample time");
    else if (isnan(limit->nearest))
        cli_print(stderr, "the model is ill-posed at every %s from %g to %g%s\n", name, s->over->ends[0],
                  s->over->ends[1], s->unit);
    else if (!isfinite(limit->nearest_radius))
        cli_print(stderr, "the co-simulation's numbers overflow at every %s from %g to %g%s\n", name,
                  s->over->ends[0], s->over->ends[1], s->unit);
    else
        cli_print(
            stderr,
            "the %s at every %s from %g to %g%s; the %s radius is nearest to stable at %s = %.6g%s, where it is "
            "1 + %.3g%s",
            limit->nearest_diverges ? "iteration diverges" : "co-simulation grows", name, s->over->ends[0],
            s->over->ends[1], s->unit, radius, name, limit->nearest, s->unit, limit->nearest_radius - 1,
            continuous_words(limit));
    if (limit->evaluations > 0 && isfinite(limit->nearest_radius)) {
        if (isfinite(limit->least_abscissa))
            cli_print(stderr, " (least spectral abscissa %.3g)", limit->least_abscissa);
        cli_print(stderr, "\n");
    }
}

/* Prints the tried values, if only single values are possible: once for all couplings with the same values.
 */
static void tell_values(scan *s, const costab_analysis_limit *limit) {
    if (!limit->single) return;
    char values[COSTAB_TRIED_MAX];
    costab_limit_tried(limit, parameter_of(s), values);
    if (s->values.data == NULL || strcmp(values, s->values.data) != 0) {
        cli_print(stderr, "costab limit: %s%s%s\n", s->coupling > 0 ? coupling_of(s) : "",
                  s->coupling > 0 ? ": " : "", values);
        text_free(&s->values);
        text_append(&s->values, values);
    }
}

/* ---- Own limits ---- */

/* For --alone: puts subsystems in the places of the couplings. */
static costab_status choose_alone(scan *s, costab_error *error) {
    cli_network *network = s->network;
    analysis_family family = analysis_variant_family(&network->variant, network->instance, network->work, 0);
    int all = costab_model_instance_network(network->instance)->subsystem_count;
    network->coupling_count = 0;
    TRY(memory_make(&s->subsystems, (size_t)all + 1, error));
    TRY(memory_make(&s->lone, (size_t)all + 1, error));
    network->couplings = s->lone;
    for (int i = 0; i < all; i++) {
        text name = {0};
        bool has_limit;
        TRY(costab_own_limits_asked(&family, i, &has_limit, error));
        if (!has_limit) continue;
        text_printf(&name, "alone:%s", costab_model_instance_network(network->instance)->subsystems[i].name);
        s->subsystems[network->coupling_count] = i;
        s->lone[network->coupling_count++].name = name.data;
        if (name.failed) return error_memory(error);
    }
    if (network->coupling_count > 0) return COSTAB_OK;
    return error_invalid(error, "--alone: no subsystem has a stable matrix of its own");
}

/* Prints a line for a stand-alone limit at which, or (not `equal`) near which, limits of couplings end. The
 * line names the first of these couplings. */
static costab_status tell_end(const scan *s, const analysis_family *family, const costab_own_limits *own,
                              const costab_own_end *end, bool equal, costab_error *error) {
    enum { NAMED = 3 };
    char sentence[COSTAB_OWN_SENTENCE_MAX];
    text_local names = {0};
    int last = -1, count = 0;
    for (size_t i = 0; i < 2 * s->rows.count; i++) {
        const costab_limit_row *row = &s->rows.of[i / 2];
        const bool upper = i % 2 == 1;
        const double at = upper ? row->piece.to : row->piece.from;
        if (!s->rows.ends[i / 2][upper] || row->parameter != (int)(s->over - s->ranges) ||
            costab_own_limit_at(own, at, upper) != end || costab_own_limit_equal(end, at) != equal)
            continue;
        if (row->coupling != last && ++count <= NAMED)
            text_printf(&names, "%s%s", count > 1 ? ", " : "", s->network->couplings[row->coupling].name);
        last = row->coupling;
    }
    if (count == 0) return COSTAB_OK;
    if (count > NAMED) text_printf(&names, " and %d more", count - NAMED);
    TRY(costab_own_sentence(family, unit_of(s, s->over), end, equal, sentence, error));
    cli_print(stderr, "costab limit: %s: %s\n", names.failed ? "" : names.data, sentence);
    return COSTAB_OK;
}

/* Prints on stderr the limits of couplings that end at a stand-alone limit. */
static costab_status tell_own(scan *s, costab_error *error) {
    cli_network *network = s->network;
    ends_by(costab_own_limits_free) costab_own_limits own = {.count = 0};
    bool ends = false;
    for (size_t i = 0; i < s->rows.count && !ends; i++)
        ends = s->rows.of[i].parameter == (int)(s->over - s->ranges) &&
               (s->rows.ends[i][0] || s->rows.ends[i][1]);
    if (s->alone || !ends) return COSTAB_OK;
    TRY(cli_network_reset(network, error));
    analysis_family family = analysis_variant_family(&network->variant, network->instance, network->work, 0);
    costab_analysis_limit_options options = {.lower = s->over->ends[0],
                                             .upper = s->over->ends[1],
                                             .progress = show_progress,
                                             .progress_context = s,
                                             .spacing = s->spacing,
                                             .threads = s->network->arguments->threads};
    family.parameter = s->over->parameter;
    s->coupling = network->coupling_count - 1; /* for the progress */
    TRY(costab_own_limits_find(&family, &options, &own, error));
    progress_end(&s->bar);
    for (size_t i = 0; i < 2 * own.count; i++)
        TRY(tell_end(s, &family, &own, &own.ends[i / 2], i % 2 == 0, error));
    return COSTAB_OK;
}

/* ---- The table ---- */

/* Returns a number as text shows it: not below the value (side 1), or not above it (side -1). */
static double printed(double value, int side) {
    char shown[NUMBER_SHOWN_MAX];
    double number = value;
    (void)number_rounded(value, NUMBER_LIMIT_DIGITS, side, shown);
    (void)number_parse_double(shown, strlen(shown), &number);
    return number;
}

/* Returns true if at most one printed number lies in an interval of more than one value. */
static bool is_sliver(double from, double to) {
    return from < to && printed(from, 1) >= printed(to, -1);
}

/* Returns true if two neighbouring intervals are undecided and a sliver apart. */
static bool are_one(const costab_piece *left, const costab_piece *right) {
    return left->class_code == COSTAB_CLASS_UNDECIDED && right->class_code == COSTAB_CLASS_UNDECIDED &&
           is_sliver(left->to, right->from);
}

/* Prints the intervals from row `first` on. In text, undecided intervals that are slivers apart are one row.
 */
static void print_rows(const scan *s, size_t first) {
    const bool joins = s->network->arguments->format == CLI_TEXT;
    for (size_t i = first; i < s->rows.count; i++) {
        costab_limit_row row = s->rows.of[i];
        while (joins && i + 1 < s->rows.count && are_one(&row.piece, &s->rows.of[i + 1].piece)) {
            const costab_limit_row *next = &s->rows.of[++i];
            row.piece.to = next->piece.to;
            row.piece.to_is = next->piece.to_is;
            row.causes[1] = next->causes[1];
        }
        table_row(&costab_limit_record, &row, &s->names);
    }
}

static costab_status add_row(scan *s, const costab_limit_row *row, const bool ends[2], costab_error *error) {
    limit_rows *rows = &s->rows;
    TRY(memory_reserve(&rows->of, &rows->capacity, rows->count + 1, error));
    TRY(memory_reserve(&rows->ends, &rows->end_capacity, rows->count + 1, error));
    memcpy(rows->ends[rows->count], ends, 2 * sizeof *ends);
    rows->of[rows->count++] = *row;
    return COSTAB_OK;
}

/* Adds the tried values to the first row of a search. */
static costab_status keep_tried(scan *s, costab_limit_row *row, const costab_cells *cells,
                                costab_error *error) {
    TRY(memory_reserve(&s->tried, &s->tried_capacity, s->tried_count + 1, error));
    double *tried = memory_alloc(cells->count + 1, sizeof *tried);
    if (tried == NULL) return error_memory(error);
    for (size_t i = 0; i < cells->count; i++) tried[i] = cells->items[i].from;
    s->tried[s->tried_count++] = tried;
    row->tried = tried;
    row->tried_count = cells->count;
    return COSTAB_OK;
}

/* Stores and prints the intervals, with the causes at their ends. */
static costab_status put_pieces(scan *s, const analysis_family *family, const costab_analysis_limit *limit,
                                costab_error *error) {
    memory_local_array(costab_limit_cause, causes, 2 * limit->found.count + 1, error);
    TRY(analysis_limit_causes(family, limit, causes, error));
    costab_limit_row row = {.coupling = s->coupling,
                            .parameter = (int)(s->over - s->ranges),
                            .range = {s->over->ends[0], s->over->ends[1]}};
    const size_t first = s->rows.count;
    if (limit->found.count == 0) TRY(add_row(s, &row, (bool[2]){false, false}, error));
    for (size_t i = 0; i < limit->found.count; i++) {
        row.piece = limit->found.pieces[i];
        row.interval = (int)i + 1;
        memcpy(row.causes, &causes[2 * i], sizeof row.causes);
        const bool decided = row.piece.class_code != COSTAB_CLASS_UNDECIDED && !limit->single;
        bool ends[2];
        for (int end = 0; end < 2; end++)
            ends[end] = decided && row.causes[end].cause != COSTAB_PASSES_CONTINUOUS &&
                        costab_limit_ends(&limit->found, i, end == 1);
        TRY(add_row(s, &row, ends, error));
    }
    if (s->file && limit->single) return keep_tried(s, &s->rows.of[first], &limit->found.discrete, error);
    if (!s->file && limit->found.count > 0) print_rows(s, first);
    return COSTAB_OK;
}

static costab_status coupling_rows(scan *s, costab_error *error) {
    analysis_family family = analysis_variant_family(&s->network->variant, s->network->instance,
                                                     s->network->work, s->alone ? 0 : s->coupling);
    if (s->alone) family.alone = s->subsystems[s->coupling] + 1;
    costab_analysis_limit_options options = {.lower = s->over->ends[0],
                                             .upper = s->over->ends[1],
                                             .progress = show_progress,
                                             .progress_context = s,
                                             .coarse = tell_coarse,
                                             .spacing = s->spacing,
                                             .threads = s->network->arguments->threads};
    costab_analysis_limit limit;
    family.parameter = s->over->parameter;
    costab_status status = analysis_limit_find(&family, &options, &limit, error);
    progress_end(&s->bar);
    if (!status) tell_values(s, &limit);
    if (!status) status = put_pieces(s, &family, &limit, error);
    if (!status) tell_notes(s, &limit);
    if (!status && limit.found.count == 0) tell_empty(s, &limit.found, limit.whole);
    s->evaluations += limit.found.evaluations;
    if (limit.threads > s->worked) s->worked = limit.threads;
    costab_limit_free(&limit.found);
    return status;
}

/* For --alone: prints the subsystem with the smallest stand-alone limit of the current range. */
static costab_status say_first(const scan *s, costab_error *error) {
    cli_network *network = s->network;
    const costab_limit_row *first = NULL;
    char sentence[COSTAB_OWN_SENTENCE_MAX];
    for (size_t i = 0; i < s->rows.count; i++) {
        const costab_limit_row *row = &s->rows.of[i];
        if (row->parameter == (int)(s->over - s->ranges) && s->rows.ends[i][1] &&
            (first == NULL || row->piece.to < first->piece.to))
            first = row;
    }
    if (first == NULL) {
        table_say("No solver ends between %s = %g and %g%s.", parameter_of(s), s->over->ends[0],
                  s->over->ends[1], s->unit);
        return COSTAB_OK;
    }
    TRY(cli_network_reset(network, error));
    analysis_family family = analysis_variant_family(&network->variant, network->instance, network->work, 0);
    family.parameter = s->over->parameter;
    const costab_own_end end = {s->subsystems[first->coupling], true, first->piece.to};
    TRY(costab_own_sentence(&family, unit_of(s, s->over), &end, true, sentence, error));
    table_say("The first to end: %s.", sentence);
    return COSTAB_OK;
}

/* ---- The sentence ---- */

/* Returns true if a row is an interval of the first range with a stable co-simulation; hidden: of an unstable
 * system (class US), otherwise of a system that is not unstable. */
static bool is_stable_row(const costab_limit_row *row, bool hidden) {
    const char *name = costab_class_name(row->piece.class_code);
    return row->interval > 0 && row->parameter == 0 && name[1] == 'S' && (name[0] == 'U') == hidden;
}

/* Returns true if an interval starts at the lower end of the range, or at the first tried value. */
static bool begins_range(const costab_limit_row *row) {
    const costab_piece *piece = &row->piece;
    return piece->from <= row->range[0] || (row->interval == 1 && piece->from_is == COSTAB_END_RANGE);
}

/* Returns the stable interval of the first range that starts at the lower end of the range and ends last;
 * NULL if there is none. *shared: another coupling is stable as far, up to rounding. */
static const costab_limit_row *find_furthest(const scan *s, bool *shared) {
    const costab_limit_row *best = NULL;
    *shared = false;
    for (size_t i = 0; i < s->rows.count; i++) {
        const costab_limit_row *row = &s->rows.of[i];
        const costab_piece *piece = &row->piece;
        if (!is_stable_row(row, false) || !begins_range(row)) continue;
        bool same = best != NULL && fabs(piece->to - best->piece.to) <= 1e-9 * fabs(piece->to);
        *shared = same || (*shared && piece->to < best->piece.to);
        if (!same && (best == NULL || piece->to > best->piece.to)) best = row;
    }
    return best;
}

/* Returns the longest stable interval of all couplings, `hidden` as in is_stable_row; NULL if there is none.
 */
static const costab_limit_row *find_longest(const scan *s, bool hidden) {
    const costab_limit_row *best = NULL;
    for (size_t i = 0; i < s->rows.count; i++) {
        const costab_limit_row *row = &s->rows.of[i];
        if (is_stable_row(row, hidden) &&
            (best == NULL || row->piece.to - row->piece.from > best->piece.to - best->piece.from))
            best = row;
    }
    return best;
}

/* Appends an interval: "from 46.2 to 1741 s". */
static void append_interval(const scan *s, const costab_piece *piece, text *said) {
    char from[NUMBER_SHOWN_MAX], to[NUMBER_SHOWN_MAX];
    if (piece->from == piece->to || is_sliver(piece->from, piece->to))
        text_printf(said, "%s %.6g", piece->from == piece->to ? "at" : "near", piece->from);
    else
        text_printf(said, "from %s to %s", number_rounded(piece->from, NUMBER_LIMIT_DIGITS, 1, from),
                    number_rounded(piece->to, NUMBER_LIMIT_DIGITS, -1, to));
    text_append(said, s->unit);
}

/* Appends `opening` and the stable intervals of a coupling other than `than`, a few of them, without slivers;
 * nothing if there are none. `hidden`: as in is_stable_row. */
static void append_intervals(const scan *s, int coupling, bool hidden, const costab_limit_row *than,
                             const char *opening, text *said) {
    enum { FEW = 3 };
    int count = 0;
    for (size_t i = 0; i < s->rows.count; i++) {
        const costab_limit_row *row = &s->rows.of[i];
        if (row == than || row->coupling != coupling || !is_stable_row(row, hidden) ||
            is_sliver(row->piece.from, row->piece.to) || count++ >= FEW)
            continue;
        text_append(said, count == 1 ? opening : ", ");
        append_interval(s, &row->piece, said);
    }
    if (count > FEW) text_printf(said, " and in %d more interval%s", count - FEW, count - FEW > 1 ? "s" : "");
}

/* Appends the stable intervals of a row's coupling other than the row, and those of an unstable system. */
static void append_others(const scan *s, const costab_limit_row *row, text *said) {
    append_intervals(s, row->coupling, false, row, ", and again ", said);
    append_intervals(s, row->coupling, true, NULL, "; it hides an instability of the system ", said);
}

/* Appends the sentence for a range at whose lower end nothing is stable. */
static void say_later(const scan *s, const char *parameter, const char *model, text *said) {
    const costab_limit_row *longest = find_longest(s, false), *hidden = find_longest(s, true);
    if (longest != NULL) {
        text_printf(said, "Nothing was found stable at %s = %g%s; %s is stable ", parameter,
                    s->ranges[0].ends[0], s->unit, s->network->couplings[longest->coupling].name);
        append_interval(s, &longest->piece, said);
        append_others(s, longest, said);
    } else {
        text_printf(said, "Nothing was found stable for %s from %g to %g%s", parameter, s->ranges[0].ends[0],
                    s->ranges[0].ends[1], s->unit);
        if (hidden != NULL) {
            text_local opening = {0};
            text_printf(&opening, "; %s hides an instability of the system ",
                        s->network->couplings[hidden->coupling].name);
            append_intervals(s, hidden->coupling, true, NULL, opening.failed ? "" : opening.data, said);
        }
    }
    text_printf(said, ". What passes its limit, and the subsystem that contributes most: costab margin %s",
                model);
}

/* Prints the sentence on the coupling that is stable furthest, its further intervals and the next command. */
static void say_furthest(const scan *s, const char *model) {
    bool shared;
    const costab_limit_row *best = find_furthest(s, &shared);
    const double *ends = s->ranges[0].ends;
    const char *parameter = s->network->model->parameters[s->ranges[0].parameter].name;
    text_local said = {0};
    char to[NUMBER_SHOWN_MAX];
    const char *name = best != NULL ? s->network->couplings[best->coupling].name : "";
    if (best == NULL) {
        say_later(s, parameter, model, &said);
    } else if (best->piece.to >= ends[1]) {
        text_printf(&said,
                    "%s is stable for %s from %g to %.6g%s, all of the range. Nearest margins: costab "
                    "margin %s",
                    name, parameter, fmax(ends[0], best->piece.from), ends[1], s->unit, model);
    } else {
        text_printf(&said, "%s is stable %s %s from %g to %s%s%s", name,
                    best->piece.to_is == COSTAB_END_WHOLE || best->piece.to_is == COSTAB_END_RANGE
                        ? "at the tried"
                        : "for",
                    parameter, fmax(ends[0], best->piece.from),
                    number_rounded(best->piece.to, NUMBER_LIMIT_DIGITS, -1, to), s->unit,
                    shared                           ? ", as far as any"
                    : s->network->coupling_count > 1 ? ", the longest such range of these couplings"
                                                     : "");
        append_others(s, best, &said);
        text_printf(&said, ". Margins there: costab margin %s --parameters %s", model, parameter);
    }
    if (!said.failed) table_say("%s", said.data);
}

/* Returns the unit common to all parameters, or NULL. */
static const char *common_unit(const scan *s) {
    const char *common = NULL;
    for (int i = 0; i < s->count; i++) {
        const char *unit = unit_of(s, &s->ranges[i]);
        if (unit == NULL || (i > 0 && strcmp(unit, common) != 0)) return NULL;
        common = unit;
    }
    return common;
}

static costab_status find_names(scan *s, costab_error *error) {
    TRY(cli_row_names(s->network, &s->names, error));
    for (int i = 0; i < s->count; i++)
        s->parameters[i] = s->network->model->parameters[s->ranges[i].parameter].name;
    s->names.of[COSTAB_LIST_PARAMETERS] = s->parameters;
    s->names.counts[COSTAB_LIST_PARAMETERS] = s->count;
    s->names.unit = common_unit(s);
    return COSTAB_OK;
}

static costab_status write_file(const scan *s, costab_error *error) {
    return cli_write_rows(s->network, &costab_limit_record, s->rows.of, s->rows.count, &s->names, error);
}

static void end_scan(scan *s) {
    progress_end(&s->bar);
    for (int c = 0; s->lone != NULL && c < s->network->coupling_count; c++) memory_free(s->lone[c].name);
    for (size_t i = 0; i < s->tried_count; i++) memory_free(s->tried[i]);
    cli_row_names_free(&s->names);
    text_free(&s->values);
    memory_free_all(s->lone, s->subsystems, s->rows.of, s->rows.ends, s->tried);
}

static costab_status search_ranges(scan *s, costab_error *error) {
    for (int i = 0; i < s->count; i++) {
        choose_range(s, i);
        if (i > 0) TRY(cli_network_reset(s->network, error));
        if (i > 0 && !s->file) table_again_rows(&costab_limit_record, unit_of(s, s->over));
        for (s->coupling = 0; s->coupling < s->network->coupling_count; s->coupling++)
            TRY(coupling_rows(s, error));
        TRY(tell_own(s, error));
    }
    return COSTAB_OK;
}

static costab_status cli_limit(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    ends_by(end_scan) scan s = {.network = network,
                                .file = cli_value(arguments, &opt_output_history) != NULL,
                                .alone = cli_value(arguments, &opt_alone) != NULL};
    const char *couplings = cli_value(arguments, &opt_coupling);
    TRY(read_ranges(&s, arguments, error));
    if (s.alone && couplings != NULL)
        return error_invalid(error, "--alone: subsystems alone have no --coupling");
    if (s.alone) TRY(choose_alone(&s, error));
    if (!s.alone) TRY(cli_network_check_modes(network, error));
    TRY(find_names(&s, error));
    progress_start_file(&s.bar, arguments, "evaluations");
    if (!s.file) table_begin_rows(arguments, &costab_limit_record, unit_of(&s, &s.ranges[0]));
    if (s.file) signals_orderly(NULL);
    costab_status status = search_ranges(&s, error);
    if (status == COSTAB_CANCELLED && s.file && s.rows.count > 0) {
        signals_set_unfinished();
        return write_file(&s, error);
    }
    TRY(status);
    choose_range(&s, 0);
    if (!s.file && s.alone) TRY(say_first(&s, error));
    text_local model = {0};
    cli_network_words(arguments, true, &model);
    if (!s.file && !s.alone && !model.failed) say_furthest(&s, model.data);
    TRY(s.file ? write_file(&s, error) : table_end(error));
    if (arguments->verbose) {
        char seconds[PROGRESS_SHOWN_MAX];
        fprintf(stderr, "costab limit: %zu evaluations for %d coupling%s in %s, on %d thread%s\n",
                s.evaluations, network->coupling_count, network->coupling_count == 1 ? "" : "s",
                progress_duration(progress_elapsed(&s.bar), seconds), s.worked, s.worked == 1 ? "" : "s");
    }
    return COSTAB_OK;
}

const cli_command cli_limit_command = {
    .name = "limit",
    .operands = &cli_a_model,
    .summary = "in which intervals of one parameter a network is stable",
    .details =
        "Prints the intervals of one parameter in which the co-simulation does not grow, what ends "
        "each of them (lower_kind, upper_kind) and what passes its limit there: the cause, the frequency in "
        "Hz and the subsystem that it belongs to. Where a coupling has none, a line on stderr says "
        "why. The search covers the whole range, not only samples: between samples, costab bounds the "
        "model's formulas and interpolates the eigenvalues, with an estimated error.",
    .examples = "costab limit model.yaml --over H=0.001:2 --coupling all\n"
                "costab limit model.yaml --over H=1e-6:1 --spacing log --over k=10:1000",
    .options = {&opt_over_each, &opt_alone, &opt_spacing, CLI_MODEL, CLI_TABLE_OR_FILE, CLI_COMMON},
    .with_model = cli_limit};
