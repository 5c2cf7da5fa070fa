/* Numbers of a model, each with its slot.
 * 1. A plain number is checked against its range and stored in the slot.
 * 2. An expression becomes a formula with the set of its parameters, for evaluation by instances.
 * Sets of parameters are bit sets; integer ranges tolerate WHOLE_TOLERANCE of rounding. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/body.h"

/* ---- Sets of parameters ---- */

void model_set_add(model_set *set, int parameter) {
    set->words[parameter / 64] |= (uint64_t)1 << (parameter % 64);
}

void model_set_join(model_set *set, const model_set *other) {
    for (size_t i = 0; i < sizeof set->words / sizeof *set->words; i++) set->words[i] |= other->words[i];
}

/* ---- Ranges ---- */

#define WHOLE_TOLERANCE 1e-9

static const struct {
    double min, max;
} wholes[] = {
    [MODEL_SUBSTEPS] = {1, COSTAB_SUBSTEPS_MAX},
    [MODEL_DELAY] = {0, COSTAB_DELAY_MAX},
    [MODEL_ITERATIONS] = {1, COSTAB_ITERATIONS_MAX},
    [MODEL_STRIDE] = {1, COSTAB_STRIDE_MAX},
};

bool model_is_count(model_range range) {
    return range > MODEL_NOT_NEGATIVE;
}

int model_whole(double value) {
    int cut = fabs(value) < INT_MAX ? (int)value : 0;
    return cut == value ? cut
                        : (int)round(value); /* usually an integer already, which saves a call of round */
}

bool model_in_range(model_range range, double value, char *reason, size_t reason_size) {
    if (!isfinite(value)) {
        snprintf(reason, reason_size, "its value is not finite");
        return false;
    }
    if (range == MODEL_ANY) return true;
    if (!model_is_count(range)) {
        if (value > 0 || (value == 0 && range == MODEL_NOT_NEGATIVE)) return true;
        snprintf(reason, reason_size, "expected a positive number%s, found %.15g",
                 range == MODEL_NOT_NEGATIVE ? " or 0" : "", value);
        return false;
    }
    bool whole = fabs(value - round(value)) <= WHOLE_TOLERANCE * fmax(1, fabs(value));
    if (whole && round(value) >= wholes[range].min && round(value) <= wholes[range].max) return true;
    snprintf(reason, reason_size, "expected a whole number from %.0f to %.0f, found %.15g", wholes[range].min,
             wholes[range].max, value);
    return false;
}

int model_slots(model_reader *r, int count) {
    model_body *body = r->body;
    int first = body->slot_count;
    r->memory_failed |= !memory_grows(&body->slots, &body->slot_capacity, (size_t)(first + count));
    if (r->memory_failed) return -1;
    while (body->slot_count < first + count) body->slots[body->slot_count++] = 0;
    return first;
}

/* ---- Reading ---- */

/* Returns true for text meant as a plain number; the reader of numbers then has the better message. */
static bool is_numeral(const char *bytes, size_t size) {
    size_t i = size > 0 && (bytes[0] == '-' || bytes[0] == '+');
    if (i == size || !((bytes[i] >= '0' && bytes[i] <= '9') || bytes[i] == '.'))
        return spec_is_not_finite(bytes, size);
    for (; i < size; i++) {
        bool exponent = i > 0 && (bytes[i - 1] | 0x20) == 'e';
        if (strchr("*/^()", bytes[i]) != NULL || (strchr("+-", bytes[i]) != NULL && !exponent)) return false;
    }
    return true;
}

bool model_expression(model_reader *r, const spec_node *node, const char *what, const formula_scope *scope,
                      model_formula *formula) {
    const char *bytes = spec_text(r->file, node);
    char reason[400], shown[SPEC_SHOW_MAX];
    double value;
    bool whole_number = !node->quoted && number_parse_double(bytes, node->size, &value);
    bool no_expression =
        node->kind != SPEC_SCALAR || node->size == 0 || (!whole_number && is_numeral(bytes, node->size));
    if (no_expression) return spec_number(r->file, node, what, &value);
    costab_status status = formula_read(bytes, node->size, scope, &formula->tape, reason, sizeof reason);
    if (status == COSTAB_INVALID)
        spec_complain(r->file, node, "%s: expected a number or an expression, found %s: %s", what,
                      spec_show(r->file, node, shown), reason);
    if (status == COSTAB_MEMORY) r->memory_failed = true;
    size_t work = formula_work(&formula->tape);
    if (work > r->body->longest_tape) r->body->longest_tape = work;
    for (int i = 0; i < formula->tape.count; i++)
        if (formula->tape.steps[i].operation == FORMULA_PARAMETER)
            model_set_add(&formula->uses, formula->tape.steps[i].index);
    formula->place = (model_place){r->path, node->line, node->column};
    return !status && (formula->what = model_copy(r, what)) != NULL;
}

void model_formula_free(model_formula *formula) {
    formula_free(&formula->tape);
    memory_free(formula->what);
}

static bool add_formula(model_reader *r, const spec_node *node, const char *what, model_range range,
                        int slot) {
    model_body *body = r->body;
    formula_scope scope = model_scope(r->model);
    model_formula formula = {.range = range, .slot = slot};
    size_t needed = (size_t)body->formula_count + 1;
    r->memory_failed |= !memory_grows(&body->formulas, &body->formula_capacity, needed);
    if (r->memory_failed) return false;
    bool fine = model_expression(r, node, what, &scope, &formula);
    if (fine)
        body->formulas[body->formula_count++] = formula;
    else
        model_formula_free(&formula);
    return fine;
}

bool model_number(model_reader *r, const spec_node *node, const char *what, model_range range, int slot) {
    double value;
    if (slot < 0) return false;
    bool plain = node->kind == SPEC_SCALAR && !node->quoted &&
                 number_parse_double(spec_text(r->file, node), node->size, &value);
    if (!plain) return node->kind != SPEC_SKIPPED && add_formula(r, node, what, range, slot);
    char reason[200];
    r->body->slots[slot] = value;
    return model_in_range(range, value, reason, sizeof reason) ||
           spec_complain(r->file, node, "%s: %s", what, reason);
}
