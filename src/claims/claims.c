/* Published claims and results of independent programs, compared with computed numbers. The claims of a
 * source are the rows of sweeps/SOURCE/claims.csv:
 *   1. `model`: a file of sweeps/ such as lim/springs; `planar`, the planar test system with rk4 and one
 *      micro step; or nothing. `coupling`: one of its couplings or schemes.
 *   2. `settings`: NAME=EXPRESSION or NAME=LOW:HIGH, separated by blanks, evaluated in turn. For a network
 *      they set parameters or quantities of measures (`until` a time, `allowed` an error), or `before`, a
 *      value to compare with; for the planar system a, gamma, delta, and auxiliary names.
 *   3. `rule`: an expression of measures (network.c, planar.c) and settings. `root of` it is the value in the
 *      range with a change of its sign, by Brent's method (method/root.h). `peak of` is the position and `top
 *      of` the value of its maximum, by golden section; the rule must have one maximum in the range.
 *   4. `< EXPRESSION`, `>` or `=` (within 1e-9) after the rule make a statement, true or false. Other numbers
 *      agree within half a unit of the last digit of `printed` or, if that is empty, of `checked`. With both
 *      empty nothing is compared.
 *   5. `note`: the reason of a difference, or a remark. */
#include "claims/claims.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formula/formula.h"
#include "method/golden.h"
#include "method/root.h"

enum { QUANTITY, MODEL, COUPLING, SETTINGS, PRINTED, CHECKED, RULE, NOTE, COLUMNS };
static const char *const columns[COLUMNS] = {"quantity", "model",   "coupling", "settings",
                                             "printed",  "checked", "rule",     "note"};

/* ---- Names and expressions ---- */

static void refuse(claims *c, const char *what, csv_cell cell) {
    CLAIMS_TRY(c, error_invalid(c->error, "%s '%.*s'", what, (int)cell.size, cell.start));
}

/* Evaluates an expression; its names are the measures and the settings with known values. */
static double value_of(claims *c, csv_cell expression) {
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX];
    char reason[200];
    double values[NAMES_MAX] = {0}, value = (double)NAN;
    formula_scope scope = {.names = names};
    formula_tape tape = {0};
    int measures = 0;
    for (; c->measures != NULL && c->measures[measures].name != NULL; measures++)
        names[measures] = c->measures[measures].name;
    for (int i = 0; i < c->known; i++) names[measures + i] = c->settings[i].name;
    scope.count = measures + c->known;
    if (c->status) return value;
    c->status = formula_read(expression.start, expression.size, &scope, &tape, reason, sizeof reason);
    if (c->status == COSTAB_MEMORY) error_memory(c->error);
    if (c->status == COSTAB_INVALID)
        error_set(c->error, c->status, "'%.*s': %s", (int)expression.size, expression.start, reason);
    if (c->status) return value;
    for (int i = 0; i < scope.count; i++)
        if (formula_uses(&tape, FORMULA_PARAMETER, i))
            values[i] =
                i < measures ? c->measures[i].of(c, c->measures[i].which) : c->settings[i - measures].value;
    memory_local double *scratch = memory_alloc(formula_work(&tape), sizeof *scratch);
    if (scratch == NULL) CLAIMS_TRY(c, error_memory(c->error));
    if (!c->status) value = formula_value(&tape, values, NULL, scratch);
    formula_free(&tape);
    return value;
}

/* ---- Settings ---- */

/* Takes the next word of a cell and moves the cell after it. */
static bool next_word(csv_cell *cell, csv_cell *word) {
    size_t blanks = 0, size = 0;
    while (blanks < cell->size && cell->start[blanks] == ' ') blanks++;
    while (blanks + size < cell->size && cell->start[blanks + size] != ' ') size++;
    *word = (csv_cell){cell->start + blanks, size};
    *cell = (csv_cell){cell->start + blanks + size, cell->size - blanks - size};
    return size > 0;
}

/* Divides a cell at the first mark. Returns false without a mark. */
static bool divide(csv_cell cell, const char *mark, csv_cell *left, csv_cell *right) {
    size_t size = strlen(mark);
    for (size_t at = 0; at + size <= cell.size; at++) {
        if (memcmp(cell.start + at, mark, size) != 0) continue;
        *left = (csv_cell){cell.start, at};
        *right = (csv_cell){cell.start + at + size, cell.size - at - size};
        return true;
    }
    return false;
}

static void read_settings(claims *c, csv_cell cell) {
    csv_cell word, name, value, low, high;
    c->count = c->known = 0;
    while (!c->status && next_word(&cell, &word)) {
        claims_setting *s = &c->settings[c->count++];
        *s = (claims_setting){0};
        if (!divide(word, "=", &name, &value) || value.size == 0 || c->count == CLAIMS_SETTINGS_MAX ||
            !csv_copy(name, s->name, sizeof s->name) || !formula_is_name(s->name))
            refuse(c, "expected NAME=VALUE or NAME=LOW:HIGH, found", word);
        else if (!divide(value, ":", &low, &high))
            s->text = value;
        else if (!number_parse_double(low.start, low.size, &s->low) ||
                 !number_parse_double(high.start, high.size, &s->high))
            refuse(c, "expected LOW:HIGH, found", value);
        s->value = s->low;
    }
}

/* Returns true for settings that are not parameters of a network. */
static bool is_quantity(const char *name) {
    return strcmp(name, "until") == 0 || strcmp(name, "allowed") == 0 || strcmp(name, "before") == 0;
}

/* Evaluates all settings in their order, and sets the parameters of a network. */
static void apply(claims *c) {
    for (c->known = 0; c->known < c->count && !c->status;) {
        claims_setting *s = &c->settings[c->known];
        int parameter;
        if (s->text.size > 0) s->value = value_of(c, s->text);
        c->known++;
        if (c->spec == NULL || is_quantity(s->name)) continue;
        CLAIMS_TRY(c, costab_model_find_parameter(c->spec->model, s->name, &parameter, c->error));
        if (!c->status) costab_model_instance_set(c->instance, parameter, s->value);
    }
}

static void read_model(claims *c, csv_cell cell) {
    const claims_text *m = claims_models;
    c->measures = csv_is(cell, "planar") ? claims_planar_measures : NULL;
    if (cell.size == 0 || c->measures != NULL) return;
    c->measures = claims_network_measures;
    while (m->name != NULL && !csv_is(cell, m->name)) m++;
    if (m->name == NULL) refuse(c, "there is no model", cell);
    CLAIMS_TRY(c, costab_spec_parse(m->name, m->text, strlen(m->text), &c->spec, c->error));
    CLAIMS_TRY(c, costab_model_instance_create(c->spec->model, &c->instance, c->error));
}

static void forget_model(claims *c) {
    costab_model_instance_destroy(&c->instance);
    costab_spec_destroy(&c->spec);
}

/* ---- Searches over the range ---- */

static double value_at(claims *c, csv_cell expression, double x) {
    claims_range(c)->value = x;
    apply(c);
    return value_of(c, expression);
}

static double root_of(claims *c, csv_cell expression, double low, double high) {
    const double ends[2] = {low, high},
                 values[2] = {value_at(c, expression, low), value_at(c, expression, high)};
    if (!(values[0] * values[1] < 0)) return (double)NAN;
    root r = root_start(ends, values);
    for (double at; !c->status && root_next(&r, &at);) root_set_value(&r, value_at(c, expression, at));
    return root_line_zero(&r);
}

static double peak_of(claims *c, csv_cell expression, double low, double high) {
    enum { SECTIONS = 42 }; /* reduce the range to 3e-9 of its width */
    golden section = golden_start(low, high);
    double at;
    for (int i = 0; i < SECTIONS && !c->status && golden_next(&section, &at); i++)
        golden_set_value(&section, value_at(c, expression, at));
    return 0.5 * (section.low + section.high);
}

static double compute(claims *c, csv_cell expression) {
    csv_cell nothing, inner;
    apply(c);
    bool crosses = divide(expression, "root of ", &nothing, &inner);
    bool peak = !crosses && divide(expression, "peak of ", &nothing, &inner);
    bool top = !crosses && !peak && divide(expression, "top of ", &nothing, &inner);
    if (!crosses && !peak && !top) return value_of(c, expression);
    const claims_setting *range = claims_range(c);
    if (c->status) return (double)NAN;
    double x = (crosses ? root_of : peak_of)(c, inner, range->low, range->high);
    return top ? value_at(c, inner, x) : x;
}

/* ---- One row ---- */

/* Returns true if a number agrees with the digits: within half a unit of the last digit, plus the rounding of
 * the decimal itself. */
static bool has_digits(double computed, const char *digits) {
    double value;
    const char *point = strchr(digits, '.');
    double places = point != NULL ? (double)strlen(point + 1) : 0;
    return number_parse_double(digits, strlen(digits), &value) &&
           fabs(computed - value) <= 0.5 * pow(10, -places) + 1e-15 * fabs(value);
}

/* Returns true if a statement about the value is true. */
static bool holds(claims *c, char sign, double value, csv_cell expression) {
    double limit = value_of(c, expression);
    return sign == '<' ? value < limit : sign == '>' ? value > limit : fabs(value - limit) < 1e-9;
}

static void take_row(claims *c, const csv_cell cells[COLUMNS]) {
    static const char *const marks[] = {" < ", " > ", " = "};
    char quantity[200], printed[COSTAB_WORD_MAX], checked[COSTAB_WORD_MAX], note[400];
    csv_cell left = cells[RULE], right = {0};
    char sign = '\0';
    if (!csv_copy(cells[QUANTITY], quantity, sizeof quantity) ||
        !csv_copy(cells[COUPLING], c->coupling, sizeof c->coupling) ||
        !csv_copy(cells[PRINTED], printed, sizeof printed) ||
        !csv_copy(cells[CHECKED], checked, sizeof checked) || !csv_copy(cells[NOTE], note, sizeof note))
        refuse(c, "a text is too long in", cells[QUANTITY]);
    for (int k = 0; k < 3 && sign == '\0'; k++)
        if (divide(cells[RULE], marks[k], &left, &right)) sign = marks[k][1];
    read_model(c, cells[MODEL]);
    read_settings(c, cells[SETTINGS]);
    double computed = compute(c, left);
    const char *given = printed[0] != '\0' ? printed : checked;
    bool good = sign != '\0' ? holds(c, sign, computed, right) : has_digits(computed, given);
    forget_model(c);
    if (isnan(computed)) refuse(c, "could not be computed:", cells[RULE]);
    costab_claim claim = {.source = c->source, .quantity = quantity, .printed = printed, .checked = checked};
    claim.computed = computed;
    claim.verdict = given[0] == '\0'   ? COSTAB_NOT_PRINTED
                    : !good            ? COSTAB_DIFFERS
                    : given == printed ? COSTAB_AGREES
                                       : COSTAB_CHECKED;
    claim.reason = note;
    CLAIMS_TRY(c, c->take(c->context, &claim, c->error));
}

/* ---- All of a source ---- */

static void read_cells(claims *c, csv *rows, csv_cell cells[COLUMNS]) {
    for (int k = 0; k < COLUMNS; k++)
        if (!csv_next(rows, &cells[k])) {
            CLAIMS_TRY(c, error_invalid(c->error, "expected %d cells, found %d", COLUMNS, k));
            return;
        }
    if (rows->at != NULL) CLAIMS_TRY(c, error_invalid(c->error, "expected %d cells, found more", COLUMNS));
}

static void create(claims *c) {
    costab_method method;
    CLAIMS_TRY(c, costab_network_work_create(&c->work, c->error));
    CLAIMS_TRY(c, costab_method_find("rk4", &method, c->error));
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) {
        CLAIMS_TRY(c, costab_planar_init(&c->scheme[s], (costab_scheme)s, &method, 1, 1, c->error));
        c->areas_at[s] = (double)NAN;
    }
}

costab_status claims_run(const claims_text *source, costab_claim_taker *take, void *context,
                         costab_error *error) {
    costab_error reason = {0};
    claims c = {.source = source->name, .take = take, .context = context, .error = &reason};
    csv rows = csv_begin(source->text, strlen(source->text));
    create(&c);
    while (!c.status && csv_line(&rows)) {
        csv_cell cells[COLUMNS];
        read_cells(&c, &rows, cells);
        for (int k = 0; k < COLUMNS && rows.line == 1 && !c.status; k++)
            if (!csv_is(cells[k], columns[k])) refuse(&c, "no column of this name here:", cells[k]);
        if (!c.status && rows.line > 1) take_row(&c, cells);
    }
    costab_network_work_destroy(&c.work);
    return !c.status ? COSTAB_OK
                     : error_set(error, c.status, "sweeps/%s/claims.csv:%zu: %s", source->name, rows.line,
                                 reason.message);
}

const char *costab_claims_source(int i) {
    for (int k = 0; k <= i && claims_sources[k].name != NULL; k++)
        if (k == i) return claims_sources[k].name;
    return NULL;
}

const char *costab_verdict_name(costab_verdict verdict) {
    static const char *const names[] = {"agrees", "differs", "not printed", "checked"};
    return (unsigned)verdict <= COSTAB_CHECKED ? names[verdict] : "unknown";
}

costab_status costab_claims(const char *source, costab_claim_taker *take, void *context,
                            costab_error *error) {
    for (const claims_text *s = claims_sources; s->name != NULL; s++)
        if (strcmp(s->name, source) == 0) return claims_run(s, take, context, error);
    return error_invalid(error, "there is no source '%s'", source);
}
