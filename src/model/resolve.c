/* Divides a parameter range into the first cells of a search. A search interpolates functions of the model's
 * numbers and would miss a change between two nodes, so each number is bounded beforehand.
 * 1. Entries: formulas of slots, and derivatives of equations with respect to states and inputs at a given
 *    operating point. The scale of an entry is its largest magnitude at 65 values of the range.
 * 2. A cell is resolved if every entry is undefined on it, or is analytic on the Bernstein ellipse of
 * parameter 4 around it and the polynomial through 17 Chebyshev points is accurate to 1e-8 of the scale. The
 * error is at most 4 V 4^-16/3 with the bound V of the entry's modulus on the ellipse (L. N. Trefethen,
 * Approximation Theory and Approximation Practice, theorem 8.2). V is computed on a box around the ellipse in
 * ball arithmetic (formula/ball). Kinks take their side on the real cell.
 * 3. Other cells are halved. A cell narrower than 1e-14 is a cut: a kink, a jump or a pole.
 * 4. Intervals between cuts are divided once more with the sides of one inner value, constant between cuts.
 * 5. After 65,536 evaluations the rest of the range stays open.
 * 6. Numbers without a formula are compared with interpolants (resolve_sampled.c).
 * Cost: one ball evaluation for a smooth entry, and two per halving for a bump. */
#include "model/resolve.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "formula/ball.h"

#define RESOLUTION 1e-8
#define NARROW     1e-14
/* Smallest reference of relative widths, as a share of the range. */
#define NEAR_ZERO 1e-3
enum { EVALUATIONS = 65536, SCALE_VALUES = 65, PRECISION = 53, RHO = 4, DEGREE = 16 };

typedef struct entry {
    const model_formula *formula;
    int subsystem, by; /* local variable of the derivative of an equation; -1: a slot */
    double scale;
} entry;

typedef struct resolver {
    costab_model_instance *instance;
    int parameter;
    const double *range;
    model_set moving;
    entry *entries;
    size_t count, capacity, evaluations;
    double *numbers, *local;     /* parameters, and the variables of a subsystem, at one value */
    acb_ptr values, real;        /* parameters on a box, and on a real cell */
    acb_ptr points, real_points; /* variables of the subsystem `pointed`: */
    int pointed;
    first_cells *cells;
} resolver;

static const model_body *body_of(const resolver *r) {
    return model_instance_model(r->instance)->body;
}

/* ---- Entries ---- */

static costab_status add_entry(resolver *r, entry e, costab_error *error) {
    TRY(memory_reserve(&r->entries, &r->capacity, r->count + 1, error));
    r->entries[r->count++] = e;
    return COSTAB_OK;
}

/* Returns true for an initial value, without effect on eigenvalues. */
static bool is_start(const model_body *body, int slot) {
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        if (from->x0 >= 0 && slot >= from->x0 && slot < from->x0 + from->states) return true;
    }
    return false;
}

static costab_status list_entries(resolver *r, costab_error *error) {
    const model_body *body = body_of(r);
    for (int i = 0; i < body->formula_count; i++) {
        const model_formula *formula = &body->formulas[i];
        if (model_set_meets(&formula->uses, &r->moving) && !is_start(body, formula->slot))
            TRY(add_entry(r, (entry){formula, -1, -1, 0}, error));
    }
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        bool pointed = from->equations != NULL && !from->solve && model_set_meets(&from->uses, &r->moving);
        for (int i = 0; pointed && i < from->states + from->outputs; i++)
            for (int j = 0; j < from->states + from->inputs; j++)
                if (formula_uses(&from->equations[i].tape, FORMULA_LOCAL, j))
                    TRY(add_entry(r, (entry){&from->equations[i], s, j, 0}, error));
    }
    return COSTAB_OK;
}

/* Returns the formula of a slot; NULL for a constant. */
static const model_formula *formula_of(const model_body *body, int slot) {
    for (int i = 0; i < body->formula_count; i++)
        if (body->formulas[i].slot == slot) return &body->formulas[i];
    return NULL;
}

/* ---- Values ---- */

/* Sets all parameters in r->numbers. */
static void set_numbers(const resolver *r, double value) {
    costab_model_instance *instance = r->instance;
    const model_body *body = body_of(r);
    for (int i = 0; i < model_instance_model(instance)->parameter_count; i++)
        r->numbers[i] = costab_model_instance_value(instance, i);
    r->numbers[r->parameter] = value;
    for (int k = 0; k < body->derived_count; k++) {
        int i = body->derived_order[k];
        if (i != r->parameter && !model_instance_is_set(instance, i))
            r->numbers[i] = formula_value(&body->derived[i].tape, r->numbers, NULL, instance->scratch);
    }
}

/* Returns an entry at the parameters in r->numbers. */
static double value_of(const resolver *r, const entry *e) {
    costab_model_instance *instance = r->instance;
    const formula_tape *tape = &e->formula->tape;
    if (e->subsystem < 0) return formula_value(tape, r->numbers, NULL, instance->scratch);
    const model_subsystem *from = &body_of(r)->subsystems[e->subsystem];
    int variables = from->states + from->inputs;
    for (int j = 0; j < variables; j++) {
        const model_formula *by = formula_of(body_of(r), from->point + j);
        r->local[j] = by != NULL ? formula_value(&by->tape, r->numbers, NULL, instance->scratch)
                                 : instance->slots[from->point + j];
    }
    r->local[variables] = 0;
    (void)formula_gradient(tape, r->numbers, r->local, variables + 1, instance->gradient, instance->scratch);
    return instance->gradient[e->by];
}

/* Updates the scales of entries from `first` on by their values at a parameter. */
static void widen_scales(const resolver *r, size_t first, double value) {
    set_numbers(r, value);
    for (size_t k = first; k < r->count; k++) {
        double size = fabs(value_of(r, &r->entries[k]));
        if (isfinite(size)) r->entries[k].scale = fmax(r->entries[k].scale, size);
    }
}

/* ---- Bounds ---- */

/* Sets [middle - half, middle + half]. */
static void set_interval(arb_t to, double middle, double half) {
    arb_set_d(to, middle);
    mag_set_d(arb_radref(to), half);
}

/* Sets the parameters on the box around the ellipse of [from, to], and on a real cell inside. */
static costab_status set_boxes(resolver *r, double from, double to, const double real[2],
                               costab_error *error) {
    const double wide = (RHO + 1.0 / RHO) / 2, high = (RHO - 1.0 / RHO) / 2;
    const model_body *body = body_of(r);
    double middle = from + (to - from) / 2, half = (to - from) / 2;
    for (int i = 0; i < model_instance_model(r->instance)->parameter_count; i++) {
        acb_set_d(r->values + i, costab_model_instance_value(r->instance, i));
        acb_set(r->real + i, r->values + i);
    }
    acb_ptr box = r->values + r->parameter;
    set_interval(acb_realref(box), middle, wide * half);
    set_interval(acb_imagref(box), 0, high * half);
    set_interval(acb_realref(r->real + r->parameter), real[0] + (real[1] - real[0]) / 2,
                 (real[1] - real[0]) / 2);
    for (int k = 0; k < body->derived_count; k++) {
        int i = body->derived_order[k];
        if (i == r->parameter || model_instance_is_set(r->instance, i)) continue;
        formula_cell cell = {r->real, NULL, r->real + i, false};
        if (!formula_ball(&body->derived[i].tape, r->values, NULL, &cell, -1, PRECISION, r->values + i, NULL))
            return error_memory(error);
    }
    r->pointed = -1;
    return COSTAB_OK;
}

/* Sets the variables of a subsystem at its operating point. */
static costab_status set_points(resolver *r, int s, costab_error *error) {
    const model_subsystem *from = &body_of(r)->subsystems[s];
    int variables = from->states + from->inputs;
    for (int j = 0; j < variables && r->pointed != s; j++) {
        const model_formula *by = formula_of(body_of(r), from->point + j);
        formula_cell cell = {r->real, NULL, r->real_points + j, false};
        if (by == NULL) {
            acb_set_d(r->points + j, r->instance->slots[from->point + j]);
            acb_set(r->real_points + j, r->points + j);
        } else if (!formula_ball(&by->tape, r->values, NULL, &cell, -1, PRECISION, r->points + j, NULL)) {
            return error_memory(error);
        }
    }
    acb_zero(r->points + variables);
    acb_zero(r->real_points + variables);
    r->pointed = s;
    return COSTAB_OK;
}

/* Determines if an entry is resolved on the boxes. */
static costab_status is_resolved(resolver *r, const entry *e, bool *resolved, costab_error *error) {
    flint_local(acb, value, slope, on_cell);
    flint_local(mag, size);
    formula_cell cell = {r->real, r->real_points, on_cell, false};
    r->evaluations++;
    if (e->subsystem >= 0) TRY(set_points(r, e->subsystem, error));
    if (!formula_ball(&e->formula->tape, r->values, r->points, &cell, e->by, PRECISION, value,
                      e->subsystem >= 0 ? slope : NULL))
        return error_memory(error);
    const acb_struct *bounded = e->subsystem >= 0 ? slope : value;
    acb_get_mag(size, bounded);
    double least = 4 * mag_get_d(size) * pow(RHO, -DEGREE) / (RHO - 1);
    *resolved = cell.undefined || (acb_is_finite(bounded) && least <= RESOLUTION * e->scale);
    return COSTAB_OK;
}

/* ---- Division ---- */

/* An unfinished cell; entries before `first` are resolved on it. */
typedef struct open_cell {
    double from, to;
    size_t first;
} open_cell;

costab_status model_add_cell(first_cells *cells, first_cell cell, costab_error *error) {
    if (!(cell.from < cell.to)) return COSTAB_OK;
    TRY(memory_reserve(&cells->of, &cells->capacity, cells->count + 1, error));
    cells->of[cells->count++] = cell;
    return COSTAB_OK;
}

/* Resolves the entries of a cell in turn; cell->first becomes the first unresolved one. */
static costab_status resolve_cell(resolver *r, open_cell *cell, const double *side, costab_error *error) {
    const double real[2] = {side != NULL ? *side : cell->from, side != NULL ? *side : cell->to};
    TRY(set_boxes(r, cell->from, cell->to, real, error));
    widen_scales(r, cell->first, cell->from + (cell->to - cell->from) / 2);
    for (bool resolved = true; cell->first < r->count; cell->first++) {
        TRY(is_resolved(r, &r->entries[cell->first], &resolved, error));
        if (!resolved) break;
    }
    return COSTAB_OK;
}

/* Divides [from, to] into ascending cells and cuts. side: a value with the sides of the whole interval; NULL:
 * each cell has its own sides. */
static costab_status divide(resolver *r, double from, double to, const double *side, first_cells *cells,
                            first_cells *cuts, costab_error *error) {
    enum { DEEPEST = 2200 }; /* largest number of halvings of doubles */
    memory_local_array(open_cell, open, DEEPEST, error);
    size_t count = 1;
    open[0] = (open_cell){from, to, 0};
    while (count > 0) {
        open_cell cell = open[--count];
        double middle = cell.from + (cell.to - cell.from) / 2;
        double scale = fmax(fmax(fabs(cell.from), fabs(cell.to)), NEAR_ZERO * (r->range[1] - r->range[0]));
        bool over = r->evaluations >= EVALUATIONS;
        if (!over) TRY(resolve_cell(r, &cell, side, error));
        if (over || cell.first == r->count) {
            TRY(model_add_cell(cells, (first_cell){cell.from, cell.to, over}, error));
            if (over) r->cells->open_entry = r->entries[cell.first].formula->what;
        } else if (cell.to - cell.from <= NARROW * scale || !(middle > cell.from && middle < cell.to)) {
            first_cell *last = cuts->count > 0 ? &cuts->of[cuts->count - 1] : NULL;
            if (last != NULL && last->to == cell.from)
                last->to = cell.to;
            else
                TRY(model_add_cell(cuts, (first_cell){cell.from, cell.to, false}, error));
        } else {
            open[count++] = (open_cell){middle, cell.to, cell.first};
            open[count++] = (open_cell){cell.from, middle, cell.first};
        }
    }
    return COSTAB_OK;
}

/* Merges cells and cuts in ascending order. */
static costab_status add_sorted(resolver *r, const first_cells *cells, const first_cells *cuts,
                                costab_error *error) {
    for (size_t i = 0, k = 0; i < cells->count || k < cuts->count;) {
        bool cut = i == cells->count || (k < cuts->count && cuts->of[k].from < cells->of[i].from);
        TRY(model_add_cell(r->cells, cut ? cuts->of[k] : cells->of[i], error));
        *(cut ? &k : &i) += 1;
    }
    return COSTAB_OK;
}

/* Divides the interval between two cuts with the sides of its middle. Remaining cuts, as at a branch point,
 * become cells. */
static costab_status divide_between(resolver *r, double from, double to, costab_error *error) {
    ends_by(first_cells_free) first_cells cells = {.count = 0}, cuts = {.count = 0};
    double side = from + (to - from) / 2;
    if (!(from < to)) return COSTAB_OK;
    TRY(divide(r, from, to, &side, &cells, &cuts, error));
    return add_sorted(r, &cells, &cuts, error);
}

static costab_status divide_range(resolver *r, costab_error *error) {
    ends_by(first_cells_free) first_cells cells = {.count = 0}, cuts = {.count = 0};
    TRY(divide(r, r->range[0], r->range[1], NULL, &cells, &cuts, error));
    if (cuts.count == 0 || r->cells->open_entry != NULL) return add_sorted(r, &cells, &cuts, error);
    double at = r->range[0];
    for (size_t k = 0; k < cuts.count; k++) {
        TRY(divide_between(r, at, cuts.of[k].from, error));
        TRY(model_add_cell(r->cells, cuts.of[k], error));
        at = cuts.of[k].to;
    }
    return divide_between(r, at, r->range[1], error);
}

static costab_status resolve_formulas(resolver *r, costab_error *error) {
    const model_body *body = body_of(r);
    slong parameters = model_instance_model(r->instance)->parameter_count, row = (slong)body->longest_row + 1;
    flint_local_vector(acb, values, parameters + 1);
    flint_local_vector(acb, real, parameters + 1);
    flint_local_vector(acb, points, row);
    flint_local_vector(acb, real_points, row);
    memory_local_array(double, numbers, (size_t)parameters + 1, error);
    memory_local_array(double, local, (size_t)row, error);
    r->values = values;
    r->real = real;
    r->points = points;
    r->real_points = real_points;
    r->numbers = numbers;
    r->local = local;
    for (int i = 0; i < SCALE_VALUES; i++) {
        double share = (double)i / (SCALE_VALUES - 1);
        widen_scales(r, 0, r->range[0] + (r->range[1] - r->range[0]) * share);
    }
    return divide_range(r, error);
}

costab_status model_resolve(costab_model_instance *instance, int parameter, const double range[2],
                            size_t samples, first_cells *cells, costab_error *error) {
    resolver r = {.instance = instance, .parameter = parameter, .range = range, .cells = cells};
    *cells = (first_cells){.count = 0};
    r.moving = model_moving(instance, &parameter, 1);
    costab_status status = list_entries(&r, error);
    if (!status && r.count > 0) status = resolve_formulas(&r, error);
    memory_free(r.entries);
    if (!status && r.count == 0)
        status = model_add_cell(cells, (first_cell){range[0], range[1], false}, error);
    if (!status && samples > 0)
        status = model_resolve_samples(instance, parameter, &r.moving, samples, cells, error);
    return status;
}
