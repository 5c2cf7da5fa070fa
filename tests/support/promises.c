#include "support/promises.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/spec.h"
#include "support/oracle.h"

/* ---- Messages */

/* From ":LINE:COLUMN: error: " on, or NULL. A text that is a spec and its model in one has errors of the
 * model's file, too, whatever its name. */
static const char *after_path(const char *line, const char *path, bool joint) {
    size_t length = strlen(path);
    if (strncmp(line, path, length) == 0 && line[length] == ':') return line + length;
    for (const char *p = joint ? strchr(line, ':') : NULL; p != NULL; p = strchr(p + 1, ':')) {
        int n = 0;
        (void)sscanf(p, ":%*u:%*u: error: %n", &n);
        if (n > 0) return p;
    }
    return NULL;
}

static void check_places(const char *message, const char *path, bool joint) {
    unsigned line_before = 0, column_before = 0;
    const char *file = path;
    size_t length = strlen(path);
    for (const char *m = message; m != NULL; m = strchr(m, '\n') != NULL ? strchr(m, '\n') + 1 : NULL) {
        unsigned line = 0, column = 0;
        int n = 0;
        if (strcmp(m, "(more errors follow)") == 0) return;
        const char *place = after_path(m, path, joint);
        check_true(place != NULL && sscanf(place, ":%u:%u: error: %n", &line, &column, &n) == 2 && n > 0,
                   "place in %s", m);
        check_true(place[n] != '\n' && place[n] != '\0', "words in %s", m);
        check_true(line >= 1 && column >= 1, "places from 1 in %s", m);
        bool same = (size_t)(place - m) == length && strncmp(m, file, length) == 0;
        check_true(!same || line > line_before || (line == line_before && column >= column_before),
                   "order in %s", message);
        file = m;
        length = (size_t)(place - m);
        line_before = line;
        column_before = column;
    }
}

/* ---- Specs */

static void check_axis(const costab_axis *axis) {
    assert_true(axis->count >= 1);
    for (size_t i = 0; i < axis->count; i++) {
        assert_true(isfinite(axis->values[i]));
        assert_true(i == 0 || axis->values[i] > axis->values[i - 1]);
    }
}

static void check_case(const costab_case *c) {
    for (int i = 0; i < 4; i++) assert_true(isfinite(c->matrix[i]));
    assert_true(isfinite(c->start[0]) && isfinite(c->start[1]));
    assert_true(isfinite(c->h) && c->h > 0 && isfinite(c->until) && c->until >= c->h);
}

static void promise_planar(const costab_spec *spec) {
    bool plane = spec->axes[COSTAB_AXIS_GAMMA].count + spec->axes[COSTAB_AXIS_DELTA].count > 0 ||
                 spec->fields != COSTAB_FIELD_AREAS;
    assert_in_range(spec->planar.case_count, 0, COSTAB_CASES_MAX);
    for (int i = 0; i < spec->planar.case_count; i++) check_case(&spec->planar.cases[i]);
    if (spec->planar.case_count == 0) check_axis(&spec->axes[COSTAB_AXIS_A]);
    if (spec->planar.case_count == 0 && plane) {
        check_axis(&spec->axes[COSTAB_AXIS_GAMMA]);
        check_axis(&spec->axes[COSTAB_AXIS_DELTA]);
    }
    assert_in_range(spec->planar.scheme_count, 1, COSTAB_SCHEME_COUNT);
    assert_true((spec->fields != 0) == (spec->planar.case_count == 0));
    assert_non_null(spec->title);
    const costab_figure *figure = &spec->figure;
    for (int i = 0; i < figure->kind_count; i++) assert_true(figure->kinds[i].word[0] != '\0');
    for (int i = 0; i < spec->planar.scheme_count; i++) {
        costab_planar planar;
        costab_error error;
        check_true(costab_spec_planar(spec, i, &planar, &error) == COSTAB_OK, "%s\n%s", error.message,
                   spec->text);
    }
}

/* ---- Models */

static void promise_network(const costab_spec *spec) {
    costab_model_instance *instance;
    costab_error error = {0};
    assert_true(spec->model->coupling_count >= 1 && spec->fields != 0 && spec->title != NULL);
    assert_non_null(spec->warnings);
    for (int i = 0; i < spec->model->parameter_count; i++)
        assert_true(spec->model->parameters[i].derived || isfinite(spec->model->parameters[i].value));
    costab_status made = costab_model_instance_create(spec->model, &instance, &error);
    /* Axes and options may give the parameters other values than those with which the model has no
     * numbers, or none that are constant in time. */
    if ((made == COSTAB_INVALID || made == COSTAB_UNSUPPORTED) && strstr(error.message, ": error: ") != NULL)
        return;
    check_true(made == COSTAB_OK, "%s\n%s", error.message, spec->text);
    for (int i = 0; i < spec->axis_count; i++) {
        assert_true(spec->axes[i].count >= 1);
        assert_in_range(spec->axis_parameters[i], 0, spec->model->parameter_count - 1);
        costab_model_instance_set(instance, spec->axis_parameters[i], spec->axes[i].values[0]);
    }
    made = costab_model_instance_update(instance, &error);
    check_true(made == COSTAB_OK || made == COSTAB_INVALID, "%s", error.message);
    if (made) costab_model_instance_destroy(&instance);
    if (made) return;
    const costab_network *network = costab_model_instance_network(instance);
    /* Where a gain of a power bond is 0 the model has classes, but histories are refused: no power flows. */
    check_true(costab_network_check(network, &error) == COSTAB_OK ||
                   strstr(error.message, "each with a gain other than 0") != NULL,
               "%s\n%s", error.message, spec->text);
    for (int c = 0; c < spec->model->coupling_count; c++) {
        assert_non_null(costab_model_instance_coupling(instance, c));
        assert_int_equal(costab_model_coupling(spec->model, spec->model->coupling_names[c]), c);
    }
    for (int s = 0; s < network->source_count; s++)
        (void)network->sources[s].value(network->sources[s].context, 1);
    for (int i = 0; i < spec->model->history.signal_count; i++)
        assert_in_range(spec->model->history.signals[i].subsystem, 0, network->subsystem_count - 1);
    costab_model_instance_destroy(&instance);
}

/* The text that needs no other file makes a model again, with the same text. */
static void promise_whole(const char *path, const costab_spec *spec) {
    costab_spec *again;
    costab_error error = {0};
    char *whole = NULL, *twice = NULL;
    check_true(costab_spec_whole(spec, &whole, &error) == COSTAB_OK, "%s", error.message);
    check_true(costab_spec_parse(path, whole, strlen(whole), &again, &error) == COSTAB_OK, "%s\n%s",
               error.message, whole);
    check_true(costab_spec_whole(again, &twice, &error) == COSTAB_OK, "%s", error.message);
    assert_string_equal(whole, twice);
    costab_spec_free_text(&whole);
    costab_spec_free_text(&twice);
    costab_spec_destroy(&again);
}

static bool is_joint(const char *text, size_t size) {
    size_t length = strlen(COSTAB_JOINT_MODEL);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(text + i, COSTAB_JOINT_MODEL, length) == 0) return true;
    return false;
}

bool promise_spec_text(const char *path, const char *text, size_t size) {
    costab_spec *spec;
    costab_error error = {0};
    costab_status status = costab_spec_parse(path, text, size, &spec, &error);
    bool fine = !status;
    if (fine) {
        assert_true((spec->model != NULL) == (spec->system == COSTAB_SYSTEM_NETWORK));
        (spec->model != NULL ? promise_network : promise_planar)(spec);
        promise_whole(path, spec);
    } else {
        check_true(status == COSTAB_INVALID, "status %d of\n%.*s", (int)status, (int)size, text);
        assert_null(spec);
        check_places(error.message, path, is_joint(text, size));
    }
    costab_spec_destroy(&spec);
    return fine;
}

/* ---- Formulas */

bool promise_formula(const char *text, size_t size, const formula_scope *scope, double *values,
                     double *local) {
    enum { LOCALS_MAX = 4 };
    static double scratch[2 * (FORMULA_SIZE_MAX + 1)];
    char reason[300] = "";
    double gradient[LOCALS_MAX], other;
    formula_tape tape;
    assert_in_range(scope->local_count, 0, LOCALS_MAX);
    costab_status status = formula_read(text, size, scope, &tape, reason, sizeof reason);
    if (status) {
        check_true(status == COSTAB_INVALID && reason[0] != '\0', "a reason for '%.*s'", (int)size, text);
        char copy[FORMULA_SIZE_MAX + 1];
        /* What names are known, how long and how deep an expression may be is not muParser's to say. */
        static const char *const own[] = {"it is ",    "expressions are made", "unknown ",
                                          "the name ", "the function ",        "'"};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strncmp(reason, own[i], strlen(own[i])) == 0) return false;
        memcpy(copy, text, size);
        copy[size] = '\0';
        check_true(!oracle_value(copy, scope, values, local, &other), "muParser reads '%s': %s", copy,
                   reason);
        return false;
    }
    assert_true(formula_work(&tape) <= sizeof scratch / sizeof *scratch);
    double value = formula_gradient(&tape, values, local, scope->local_count, gradient, scratch);
    check_true(oracle_value(tape.text, scope, values, local, &other), "muParser refuses '%s'", tape.text);
    check_true((isnan(value) && isnan(other)) || value == other ||
                   fabs(value - other) <= 1e-13 * fmax(1, fabs(value)),
               "%.17g and %.17g: '%s'", value, other, tape.text);
    formula_free(&tape);
    return true;
}

/* ---- Changes */

enum { MUTATED_MAX = 3000 };

typedef struct mutated {
    char text[MUTATED_MAX + 1];
    size_t size;
} mutated;

/* clang-format off */
static const char *const yaml_pieces[] = {
    "\n", " ", "\t", "  ", ":", ": ", "- ", "[", "]", "{", "}", ",", "#", "&a ", "*a", "!!x ", "|\n",
    ">\n", "'", "\"", "%", "---\n", "...\n", "\r\n", "? ", "nan", ".inf", "e", "1e999", "-", ".", "0",
    "7", "/", "(", "^", "<<: ", "all", "a: ", "\\x00", "\xc3\xa9", "\xff", "\xef\xbb\xbf"
};
/* clang-format on */

static void insert(mutated *m, size_t at, const char *bytes, size_t n) {
    if (m->size + n > MUTATED_MAX) return;
    memmove(m->text + at + n, m->text + at, m->size - at);
    memcpy(m->text + at, bytes, n);
    m->size += n;
}

static void insert_piece(rng *r, mutated *m, size_t at, const mutation_source *source) {
    size_t common = sizeof yaml_pieces / sizeof *yaml_pieces;
    size_t k = (size_t)rng_int(r, 0, (int)(common + source->piece_count) - 1);
    const char *piece = k < common ? yaml_pieces[k] : source->pieces[k - common];
    insert(m, at, piece, strlen(piece));
}

static void change(rng *r, mutated *m, const mutation_source *source) {
    enum { BLOCK = 12 };
    size_t at = (size_t)rng_int(r, 0, (int)m->size);
    size_t left = m->size - at, n = left > 0 ? (size_t)rng_int(r, 0, left < BLOCK ? (int)left : BLOCK) : 0;
    char block[BLOCK];
    switch (rng_int(r, 0, 4)) {
    case 0:
        insert_piece(r, m, at, source);
        break;
    case 1: /* leave some out */
        memmove(m->text + at, m->text + at + n, left - n);
        m->size -= n;
        break;
    case 2: /* repeat some elsewhere */
        memcpy(block, m->text + at, n);
        insert(m, (size_t)rng_int(r, 0, (int)m->size), block, n);
        break;
    case 3:
        if (left > 0) m->text[at] = (char)rng_int(r, 0, 255);
        break;
    default:
        if (rng_int(r, 0, 9) == 0) m->size = at;
    }
}

size_t mutate(const char *name, const mutation_source *source, size_t total,
              bool (*read)(const char *text, size_t size)) {
    rng r = rng_start(name);
    size_t accepted = 0;
    for (size_t i = 0; i < total; i++) {
        const char *seed = source->seeds[i % source->seed_count];
        mutated m = {.size = strlen(seed)};
        assert_true(m.size <= MUTATED_MAX);
        memcpy(m.text, seed, m.size);
        for (int k = rng_int(&r, 0, source->changes); k > 0; k--) change(&r, &m, source);
        accepted += read(m.text, m.size);
    }
    return accepted;
}
