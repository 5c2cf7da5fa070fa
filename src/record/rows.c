/* Describes the results of limit, margin, map, locus, pattern, tune and advise: a table of columns for each.
 * The enums before the tables are masks of a record's axes, for costab_column.over: bit k for axis k. */
#include <stdio.h>

#include "record/column.h"

#define AXIS(name, meaning, place, list, row, member)                                                        \
    { name, meaning, place, list, offsetof(row, member), NULL, false }
#define COUPLING_AXIS                                                                                        \
    AXIS("coupling", "coupling of the subsystems", COSTAB_PLACE_LIST, COSTAB_LIST_COUPLINGS, ROW, coupling)

static const char *passes_word(int code) {
    return costab_passes_name((costab_passes)code);
}

static const char *end_word(int code) {
    return costab_end_name((costab_end)code);
}

static const char *kind_word(int code) {
    return costab_margin_kind_name((costab_margin_kind)code);
}

static const costab_code_words passes_codes = {passes_word, COSTAB_PASSES_COUNT, NULL, UINT8_MAX},
                               end_codes = {end_word, COSTAB_END_COUNT, NULL, UINT8_MAX},
                               kind_codes = {kind_word, COSTAB_MARGIN_KIND_COUNT, NULL, UINT8_MAX};

/* ---- limit ---- */

/* Returns the cause of an end or, without a cause, its kind: "oscillation 1.84 Hz, motor", "range". */
static const char *end_words(const costab_limit_row *row, int end, const costab_names *names, char *space) {
    const costab_limit_cause *cause = &row->causes[end];
    char hertz[40] = "";
    if (cause->cause == COSTAB_PASSES_NOTHING)
        return costab_end_name(end == 0 ? row->piece.from_is : row->piece.to_is);
    if (cause->frequency > 0) (void)snprintf(hertz, sizeof hertz, " %.4g Hz", cause->frequency);
    (void)snprintf(space, COSTAB_CELL_MAX, "%s%s%s%.300s", costab_passes_name(cause->cause), hertz,
                   cause->blame >= 0 ? ", " : "",
                   cause->blame >= 0 ? names->of[COSTAB_LIST_SUBSYSTEMS][cause->blame] : "");
    return space;
}

static const char *lower_words(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]) {
    return end_words(row, 0, names, space);
}

static const char *upper_words(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]) {
    return end_words(row, 1, names, space);
}

static bool is_undecided(const void *row) {
    return ((const costab_limit_row *)row)->piece.class_code == COSTAB_CLASS_UNDECIDED;
}

/* SEARCH: coupling and parameter. INTERVALS: also interval. TRIALS: coupling, parameter and trial. */
enum { SEARCH = 3, INTERVALS = 7, TRIALS = 11 };

#define ROW costab_limit_row
static const costab_column limit_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    INDEX(ROW, parameter, COSTAB_LIST_PARAMETERS, "parameter"),
    REAL(ROW, piece.from, "lower", .unit = COSTAB_UNIT_OF_PARAMETER, .over = INTERVALS, .range = true,
         .meaning = "lower end of the interval"),
    REAL(ROW, piece.to, "upper", .unit = COSTAB_UNIT_OF_PARAMETER, .over = INTERVALS,
         .meaning = "upper end of the interval"),
    CODE(ROW, piece.class_code, costab_class_codes, "class", .over = INTERVALS,
         .meaning = "stability class: continuous system, then co-simulation"),
    CODE(ROW, piece.from_is, end_codes, "lower_kind", .over = INTERVALS, .words = lower_words,
         .meaning = "kind of the lower end"),
    CODE(ROW, piece.to_is, end_codes, "upper_kind", .over = INTERVALS, .words = upper_words,
         .meaning = "kind of the upper end"),
    CODE(ROW, causes[0].cause, passes_codes, "lower_cause", .over = INTERVALS, .hidden = COSTAB_HIDDEN_TEXT,
         .meaning = "what passes its limit at the lower end"),
    REAL(ROW, causes[0].frequency, "lower_frequency", .unit = "Hz", .over = INTERVALS,
         .hidden = COSTAB_HIDDEN_TEXT, .meaning = "frequency of the mode that passes at the lower end"),
    INDEX(ROW, causes[0].blame, COSTAB_LIST_SUBSYSTEMS, "lower_subsystem", .over = INTERVALS,
          .hidden = COSTAB_HIDDEN_TEXT,
          .meaning = "number, from 0, of the subsystem with the largest participation in that mode"),
    CODE(ROW, causes[1].cause, passes_codes, "upper_cause", .over = INTERVALS, .hidden = COSTAB_HIDDEN_TEXT,
         .meaning = "what passes its limit at the upper end"),
    REAL(ROW, causes[1].frequency, "upper_frequency", .unit = "Hz", .over = INTERVALS,
         .hidden = COSTAB_HIDDEN_TEXT, .meaning = "frequency of the mode that passes at the upper end"),
    INDEX(ROW, causes[1].blame, COSTAB_LIST_SUBSYSTEMS, "upper_subsystem", .over = INTERVALS,
          .hidden = COSTAB_HIDDEN_TEXT,
          .meaning = "number, from 0, of the subsystem with the largest participation in that mode"),
    REAL(ROW, range[0], "range_lower", .unit = COSTAB_UNIT_OF_PARAMETER, .over = SEARCH,
         .hidden = COSTAB_HIDDEN_ROWS, .meaning = "least value searched; NaN: not searched"),
    REAL(ROW, range[1], "range_upper", .unit = COSTAB_UNIT_OF_PARAMETER, .over = SEARCH,
         .hidden = COSTAB_HIDDEN_ROWS, .meaning = "largest value searched; NaN: not searched"),
    ARRAY(REAL, ROW, tried, "tried", .unit = COSTAB_UNIT_OF_PARAMETER, .over = TRIALS,
          .hidden = COSTAB_HIDDEN_ROWS, .meaning = "values that were tried; no others were"),
};

const costab_record costab_limit_record = {
    .name = "limit",
    .meaning = "An interval of a parameter in which the co-simulation does not grow.",
    ROWS_OF(ROW, limit_columns),
    .axes = {COUPLING_AXIS,
             AXIS("parameter", "parameter that varies", COSTAB_PLACE_LIST, COSTAB_LIST_PARAMETERS, ROW,
                  parameter),
             AXIS("interval", "number of the interval", COSTAB_PLACE_NUMBER, COSTAB_LIST_COUNT, ROW,
                  interval),
             {"trial", "number of the tried value", COSTAB_PLACE_ARRAY, COSTAB_LIST_COUNT,
              offsetof(ROW, tried_count), NULL, .optional = true}},
    .axis_count = 4,
    .outward = is_undecided};
#undef ROW

/* ---- margin ---- */

static const char *side_words(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]) {
    const int side = ((const costab_margin *)row)->side;
    (void)names, (void)space;
    return side < 0 ? "lower" : side > 0 ? "upper" : "";
}

/* costab_column.side that rounds towards the nominal value, and down for radii and disk margins. */
static int round_inward(const void *row) {
    const costab_margin *of = row;
    return of->kind == COSTAB_MARGIN_RADIUS || of->kind == COSTAB_MARGIN_DISK ? -1 : -of->side;
}

/* Radius and disk margin have the bare name of their connection; the kind makes their labels distinct. */
static const char *margin_label(const void *row, char space[COSTAB_CELL_MAX]) {
    const costab_margin *of = row;
    if (of->kind != COSTAB_MARGIN_RADIUS && of->kind != COSTAB_MARGIN_DISK) return of->name;
    (void)snprintf(space, COSTAB_CELL_MAX, "%s %s", costab_margin_kind_name(of->kind), of->name);
    return space;
}

/* MARGINS: coupling, margin and side. PARTICIPANTS: also subsystem. */
enum { MARGINS = 7, PARTICIPANTS = 15 };

#define ROW costab_margin
static const costab_column margin_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    CODE(ROW, kind, kind_codes, "kind"),
    CHARS(ROW, name, "name"),
    REAL(ROW, nominal, "nominal", .over = MARGINS, .meaning = "nominal value"),
    WORDS(side_words, "side"),
    REAL(ROW, value, "value", .over = MARGINS, .side = round_inward,
         .meaning = "nearest value at which the class changes"),
    REAL(ROW, factor, "factor", .over = MARGINS,
         .meaning = "value over nominal value at which the class changes"),
    CODE(ROW, class_code, costab_class_codes, "class", .over = MARGINS,
         .meaning = "stability class beyond: continuous system, then co-simulation"),
    CODE(ROW, cause, passes_codes, "cause", .over = MARGINS, .meaning = "what passes its limit"),
    REAL(ROW, frequency, "frequency", .unit = "Hz", .over = MARGINS,
         .meaning = "frequency of the mode that passes its limit"),
    INDEX(ROW, blame, COSTAB_LIST_SUBSYSTEMS, "subsystem"),
    REAL(ROW, share, "participation"),
    ARRAY(REAL, ROW, shares, "shares", .dataset = "participation", .over = PARTICIPANTS,
          .hidden = COSTAB_HIDDEN_ROWS,
          .meaning = "participation factors of the subsystems in the mode that passes its limit"),
};

const costab_record costab_margin_record = {
    .name = "margin",
    .meaning = "The nearest change of class on one side of one quantity.",
    ROWS_OF(ROW, margin_columns),
    .axes = {COUPLING_AXIS,
             {"margin", "what is varied", COSTAB_PLACE_LABEL, COSTAB_LIST_COUNT, 0, margin_label, false},
             AXIS("side", "below or above the nominal value", COSTAB_PLACE_SIDE, COSTAB_LIST_COUNT, ROW,
                  side),
             {"subsystem", "subsystem", COSTAB_PLACE_LISTED, COSTAB_LIST_SUBSYSTEMS, 0, NULL, false}},
    .axis_count = 4};
#undef ROW

/* ---- map ---- */

/* Returns the number of removed modes as text; "" for 0. */
static const char *removed_words(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]) {
    const int removed = ((const costab_map_row *)row)->point.neutral;
    (void)names;
    (void)snprintf(space, COSTAB_CELL_MAX, "%d", removed);
    return removed > 0 ? space : "";
}

/* POINT: coupling. EIGENVALUES: also eigenvalue. */
enum { POINT = 1, EIGENVALUES = 3 };

#define ROW costab_map_row
static const costab_column map_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    CODE(ROW, point.class_code, costab_class_codes, "class", .over = POINT,
         .meaning = "stability class: continuous system, then co-simulation"),
    REAL(ROW, point.spectral_radius, "spectral_radius", .over = POINT,
         .meaning = "spectral radius of the macro step's map"),
    REAL(ROW, point.rounding, "rounding", .hidden = COSTAB_HIDDEN_TEXT),
    REAL(ROW, point.iteration_radius, "iteration_radius"),
    REAL(ROW, point.spectral_abscissa, "spectral_abscissa", .unit = "1/s"),
    REAL(ROW, point.decay, "decay", .unit = "1/s"),
    REAL(ROW, point.growth, "growth", .unit = "1/s"),
    WHOLE(ROW, point.size, "size"),
    WHOLE(ROW, point.period, "period", .hidden = COSTAB_HIDDEN_TEXT),
    WHOLE(ROW, point.neutral, "removed_modes", .words = removed_words),
    WHOLE(ROW, point.motions, "motions", .hidden = COSTAB_HIDDEN_TEXT),
    WHOLE(ROW, point.kept, "kept", .hidden = COSTAB_HIDDEN_TEXT),
    ENTRIES(REAL, ROW, eigenvalues, costab_complex, re, "eigenvalue_real", .over = EIGENVALUES,
            .hidden = COSTAB_HIDDEN_ROWS, .meaning = "real part of the macro-step map's eigenvalues"),
    ENTRIES(REAL, ROW, eigenvalues, costab_complex, im, "eigenvalue_imaginary", .over = EIGENVALUES,
            .hidden = COSTAB_HIDDEN_ROWS, .meaning = "imaginary part of the macro-step map's eigenvalues"),
};

const costab_record costab_map_record = {
    .name = "map",
    .meaning = "What a macro step does.",
    ROWS_OF(ROW, map_columns),
    .axes = {COUPLING_AXIS, AXIS("eigenvalue", "number of the eigenvalue", COSTAB_PLACE_ARRAY,
                                 COSTAB_LIST_COUNT, ROW, eigenvalue_count)},
    .axis_count = 2};
#undef ROW

/* ---- locus ---- */

static const char *locus_word(int code) {
    return code == 0 ? "map" : "continuous";
}

static const char *stability_word(int code) {
    static const char *const words[COSTAB_LOCUS_STABILITY_COUNT] = {
        [COSTAB_LOCUS_UNSTABLE] = "none", [COSTAB_LOCUS_ENDS] = "ends", [COSTAB_LOCUS_BEGINS] = "begins"};
    return words[code];
}

static const costab_code_words locus_codes = {locus_word, 2, NULL, UINT8_MAX},
                               stability_codes = {stability_word, COSTAB_LOCUS_STABILITY_COUNT, NULL,
                                                  UINT8_MAX};

/* LOCUS: coupling. SAMPLES: coupling, parameter and sample. CURVES: also curve. CROSSINGS: coupling,
 * parameter and crossing. */
enum { LOCUS = 1, SAMPLES = 11, CURVES = 15, CROSSINGS = 19, CROSSING_AXIS = 4 };

#define ROW costab_locus_row
static const costab_column locus_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    INDEX(ROW, parameter, COSTAB_LIST_PARAMETERS, "parameter"),
    ENTRIES(REAL, ROW, locus.crossings, costab_locus_crossing, value, "value", .dataset = "crossing_value",
            .over = CROSSINGS, .unit = COSTAB_UNIT_OF_PARAMETER,
            .meaning = "value at which an eigenvalue passes"),
    ENTRIES(REAL, ROW, locus.crossings, costab_locus_crossing, re, "real", .dataset = "crossing_real",
            .over = CROSSINGS, .meaning = "real part of the eigenvalue that passes there"),
    ENTRIES(REAL, ROW, locus.crossings, costab_locus_crossing, im, "imaginary",
            .dataset = "crossing_imaginary", .over = CROSSINGS, .meaning = "its imaginary part, at least 0"),
    ENTRIES(REAL, ROW, locus.crossings, costab_locus_crossing, frequency, "frequency",
            .dataset = "crossing_frequency", .over = CROSSINGS, .unit = "Hz", .meaning = "its frequency"),
    ENTRIES(CODE, ROW, locus.crossings, costab_locus_crossing, stability, "stability",
            .dataset = "crossing_stability", .over = CROSSINGS, .codes = &stability_codes,
            .meaning = "whether stability ends or begins there"),
    ARRAY(REAL, ROW, locus.at, "locus_value", .over = SAMPLES, .hidden = COSTAB_HIDDEN_ROWS,
          .unit = COSTAB_UNIT_OF_PARAMETER, .meaning = "value of the parameter"),
    ARRAY(REAL, ROW, locus.re, "locus_real", .over = CURVES, .hidden = COSTAB_HIDDEN_ROWS,
          .meaning = "real part of the eigenvalue"),
    ARRAY(REAL, ROW, locus.im, "locus_imaginary", .over = CURVES, .hidden = COSTAB_HIDDEN_ROWS,
          .meaning = "imaginary part of the eigenvalue"),
    ARRAY(YES, ROW, locus.joined, "locus_joined", .over = CURVES, .hidden = COSTAB_HIDDEN_ROWS,
          .meaning = "whether it continues the curve from the sample before"),
    CODE(ROW, continuous, locus_codes, "locus_of", .over = LOCUS, .hidden = COSTAB_HIDDEN_ROWS,
         .meaning = "what the eigenvalues are of"),
};

const costab_record costab_locus_record = {
    .name = "locus",
    .meaning = "Eigenvalues along a parameter, and where they pass the limit of stability.",
    ROWS_OF(ROW, locus_columns),
    .axes = {COUPLING_AXIS,
             AXIS("parameter", "parameter that varies", COSTAB_PLACE_LIST, COSTAB_LIST_PARAMETERS, ROW,
                  parameter),
             AXIS("curve", "number of the curve", COSTAB_PLACE_ARRAY, COSTAB_LIST_COUNT, ROW, locus.curves),
             AXIS("sample", "number of the parameter's value", COSTAB_PLACE_ARRAY, COSTAB_LIST_COUNT, ROW,
                  locus.count),
             AXIS("crossing", "number of the crossing", COSTAB_PLACE_ARRAY, COSTAB_LIST_COUNT, ROW,
                  locus.crossing_count)},
    .axis_count = 5,
    .rows_axis = CROSSING_AXIS};
#undef ROW

/* ---- pattern ---- */

/* BOUNDS: coupling. STEPS: also step. */
enum { BOUNDS = 1, STEPS = 3 };

#define ROW costab_pattern_row
static const costab_column pattern_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    REAL(ROW, pattern.lower, "lower", .over = BOUNDS, .side = record_round_down,
         .meaning = "growth per step that the pattern attains"),
    REAL(ROW, pattern.upper, "upper", .over = BOUNDS, .side = record_round_up,
         .meaning = "bound of the growth per step of all sequences"),
    REAL(ROW, pattern.rate_lower, "rate_lower", .unit = "1/s", .over = BOUNDS, .side = record_round_down,
         .meaning = "growth per second that a cycle attains"),
    REAL(ROW, pattern.rate_upper, "rate_upper", .unit = "1/s", .over = BOUNDS, .side = record_round_up,
         .meaning = "bound of the growth per second of all sequences"),
    ARRAY(REAL, ROW, pattern.steps, "pattern", .unit = "s", .over = STEPS,
          .meaning = "steps of the cycle that grows most, the first to be taken first"),
    REAL(ROW, pattern.safe_from, "safe_from", .unit = "s", .over = BOUNDS, .side = record_round_up,
         .meaning = "all sequences of steps are stable from here"),
    REAL(ROW, pattern.safe_to, "safe_to", .unit = "s", .over = BOUNDS, .side = record_round_down,
         .meaning = "all sequences of steps are stable up to here"),
    YES(ROW, pattern.proved, "proved", .over = BOUNDS,
        .meaning = "whether the upper bounds hold up to rounding"),
    REAL(ROW, range[0], "from", .unit = "s", .over = BOUNDS, .hidden = COSTAB_HIDDEN_ROWS,
         .meaning = "shortest step of the sequences"),
    REAL(ROW, range[1], "to", .unit = "s", .over = BOUNDS, .hidden = COSTAB_HIDDEN_ROWS,
         .meaning = "longest step of the sequences"),
};

const costab_record costab_pattern_record = {
    .name = "pattern",
    .meaning = "Bounds of the growth of all sequences of macro steps.",
    ROWS_OF(ROW, pattern_columns),
    .axes = {COUPLING_AXIS, AXIS("step", "number of the step in its cycle", COSTAB_PLACE_ARRAY,
                                 COSTAB_LIST_COUNT, ROW, pattern.length)},
    .axis_count = 2};
#undef ROW

/* ---- tune ---- */

static const char *group_label(const void *row, char space[COSTAB_CELL_MAX]) {
    (void)space;
    return ((const costab_tune_result *)row)->group.name;
}

static const char *fixed_label(const void *row, char space[COSTAB_CELL_MAX]) {
    (void)space;
    return ((const costab_tune_result *)row)->tuned.fixed;
}

/* TUNED: coupling. FIXED: coupling and fixed. GROUPS: coupling and group. */
enum { TUNED = 1, FIXED = 3, GROUPS = 5 };

#define ROW costab_tune_result
static const costab_column tune_columns[] = {
    INDEX(ROW, coupling, COSTAB_LIST_COUPLINGS, "coupling"),
    WHOLE(ROW, order, "order", .over = TUNED, .meaning = "order of the extrapolation"),
    NAME(ROW, group.name, "group"),
    REAL(ROW, group.by.a0, "a0", .over = GROUPS, .meaning = "weight of the first difference"),
    REAL(ROW, group.by.a1, "a1", .over = GROUPS, .meaning = "weight of the first difference, times s"),
    REAL(ROW, group.by.b0, "b0", .over = GROUPS, .meaning = "weight of the second difference"),
    REAL(ROW, group.by.b1, "b1", .over = GROUPS, .meaning = "weight of the second difference, times s"),
    REAL(ROW, tuned.stable_to, "max_stable_step", .unit = "s", .over = TUNED, .side = record_round_down,
         .meaning = "largest macro step up to which all are stable"),
    REAL(ROW, tuned.robust_to, "robust_to", .unit = "s", .over = TUNED, .side = record_round_down,
         .meaning = "the same of the worst of the varied models"),
    NAME(ROW, tuned.fixed, "fixed"),
    REAL(ROW, tuned.fixed_to, "fixed_to", .unit = "s", .over = FIXED, .side = record_round_down,
         .meaning = "largest macro step up to which all are stable with the best fixed coupling"),
    REAL(ROW, tuned.gain, "gain", .over = FIXED, .meaning = "max_stable_step over fixed_to"),
    REAL(ROW, tuned.robust_gain, "robust_gain", .over = FIXED,
         .meaning = "robust_to over that of the best fixed coupling"),
    REAL(ROW, tuned.error, "error", .over = TUNED, .meaning = "largest error of a state at half of fixed_to"),
    REAL(ROW, tuned.fixed_error, "fixed_error", .over = FIXED,
         .meaning = "largest error of a state at half of fixed_to with the fixed coupling"),
};

const costab_record costab_tune_record = {
    .name = "tune",
    .meaning = "Weights that a group of connections shares, tuned to a model.",
    ROWS_OF(ROW, tune_columns),
    .axes = {COUPLING_AXIS,
             {"fixed", "best fixed coupling", COSTAB_PLACE_LABEL, COSTAB_LIST_COUNT, 0, fixed_label, false},
             {"group", "group of connections", COSTAB_PLACE_LABEL, COSTAB_LIST_COUNT, 0, group_label, false}},
    .axis_count = 3};
#undef ROW

/* ---- advise ---- */

static const char *limited_words(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]) {
    static const char *const words[] = {[COSTAB_LIMITED_UNKNOWN] = "",
                                        [COSTAB_LIMITED_COUPLING] = "coupling",
                                        [COSTAB_LIMITED_OWN] = "own:",
                                        [COSTAB_LIMITED_ACCURACY] = "accuracy",
                                        [COSTAB_LIMITED_RANGE] = "range"};
    const costab_advice_row *of = row;
    (void)snprintf(space, COSTAB_CELL_MAX, "%s%.80s", words[of->limited_by],
                   of->limited_by == COSTAB_LIMITED_OWN ? names->of[COSTAB_LIST_SUBSYSTEMS][of->own] : "");
    return space;
}

#define ROW costab_advice_row
static const costab_column advice_columns[] = {
    NAME(ROW, name, "coupling"),
    REAL(ROW, stable_to, "max_stable_step", .unit = "s", .side = record_round_down),
    REAL(ROW, accurate_to, "max_accurate_step", .unit = "s", .side = record_round_down),
    REAL(ROW, step, "step", .unit = "s", .hidden = COSTAB_HIDDEN_ROWS),
    REAL(ROW, cost, "cost", .unit = "1/s"),
    REAL(ROW, margin, "margin"),
    REAL(ROW, growth, "growth", .unit = "1/s"),
    WORDS(limited_words, "limited_by"),
    YES(ROW, recommended, "recommended"),
};

const costab_record costab_advice_record = {
    .name = "advise", .meaning = "A coupling, compared with others.", ROWS_OF(ROW, advice_columns)};
