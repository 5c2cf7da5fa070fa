/* A network for a page: a model's instance, its classes, points, modes and histories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "costab/modes.h"
#include "network/batch.h"
#include "page/wasm/export.h"
#include "spec/model_lanes.h"

static costab_model_instance *instance;
static costab_network_work *work;
static costab_modes modes;

/* After page_read: makes the model's instance. Returns the number of its states; -1 with a message where it
 * has other programs in it or more than 40 states. */
EXPORT(network_begin) int page_network_begin(void) {
    const costab_spec *spec = page_spec();
    int states = 0;
    if (spec == NULL || spec->model == NULL) return -1;
    if (costab_model_instance_create(spec->model, &instance, page_error()) ||
        costab_network_work_create(&work, page_error()))
        return -1;
    const costab_network *network = costab_model_instance_network(instance);
    for (int s = 0; s < network->subsystem_count; s++) states += network->subsystems[s].states;
    return states;
}

/* Parameters by their numbers; a value counts from the next call on. */
EXPORT(network_find) int page_network_find(const char *name) {
    return costab_model_parameter(page_spec()->model, name);
}

EXPORT(network_set) void page_network_set(int parameter, double value) {
    costab_model_instance_set(instance, parameter, value);
}

/* Gives all parameters their defaults again. */
EXPORT(network_reset) void page_network_reset(void) {
    costab_model_instance_reset(instance);
}

EXPORT(network_value) double page_network_value(int parameter) {
    return costab_model_instance_value(instance, parameter);
}

/* ---- Classes of a grid */

/* One axis of a grid of points. */
typedef struct span {
    int parameter;
    double from, to;
    bool log;
    size_t count;
} span;

static double value_at(const span *s, size_t i) {
    if (!s->log) return number_linspace(s->from, s->to, s->count, i);
    return exp(number_linspace(log(s->from), log(s->to), s->count, i));
}

static void take_class(void *context, size_t tag, const costab_network_point *point) {
    ((uint8_t *)context)[tag] = point != NULL ? point->class_code : COSTAB_NOT_COMPUTED;
}

/* A point into the lanes, or at once by the scalar code. */
static void classify(int coupling, size_t tag, const network_results *results, uint8_t *classes) {
    const costab_network *network = costab_model_instance_network(instance);
    const costab_coupling *choices = costab_model_instance_coupling(instance, coupling);
    classes[tag] = COSTAB_NOT_COMPUTED;
    if (network_batch_add(work, network, choices, model_instance_version(instance), tag, results)) return;
    if (costab_network_classify(work, network, choices, &classes[tag], page_error()))
        classes[tag] = COSTAB_CLASS_FAILED;
}

static bool move_to(const span *x, const span *y, size_t number) {
    costab_model_instance_set(instance, x->parameter, value_at(x, number / y->count));
    costab_model_instance_set(instance, y->parameter, value_at(y, number % y->count));
    return costab_model_instance_update(instance, page_error()) == COSTAB_OK;
}

/* Two axes: for each the parameter's number, from, to, 1 for equal ratios, points; x is the slower one. */
static void take_spans(const double *spans, span axes[2]) {
    for (int k = 0; k < 2; k++) {
        const double *s = spans + 5 * k;
        axes[k] = (span){(int)s[0], s[1], s[2], s[3] != 0, (size_t)s[4]};
    }
}

/* Points of a grid on their way through the lanes. */
typedef struct class_run {
    int coupling;
    span axes[2];
    network_results results;
    uint8_t *classes;
    model_lanes *lanes; /* NULL: the axes move more than numbers */
    size_t tags[LANES];
    int count;
} class_run;

static void classify_alone(const class_run *run, size_t number) {
    if (!move_to(&run->axes[0], &run->axes[1], number) ||
        costab_network_classify(work, costab_model_instance_network(instance),
                                costab_model_instance_coupling(instance, run->coupling),
                                &run->classes[number], page_error()))
        run->classes[number] = COSTAB_CLASS_FAILED;
}

static void put_in_lane(const class_run *run, int lane, size_t number) {
    double *values = model_lanes_values(run->lanes) + lane;
    values[0] = value_at(&run->axes[0], number / run->axes[1].count);
    values[LANES] = value_at(&run->axes[1], number % run->axes[1].count);
}

/* All points of the group at once, or one by one where they are not for that. */
static void finish_group(class_run *run) {
    if (run->count == 0) return;
    for (int l = 0; l < LANES && run->lanes != NULL; l++)
        put_in_lane(run, l, run->tags[l < run->count ? l : run->count - 1]);
    bool together = run->lanes != NULL && model_lanes_update(run->lanes) &&
                    network_batch_group(work, costab_model_instance_network(instance),
                                        costab_model_instance_coupling(instance, run->coupling),
                                        model_lanes_numbers(run->lanes, run->coupling), run->count, run->tags,
                                        &run->results);
    for (int l = 0; l < run->count && !together; l++)
        if (move_to(&run->axes[0], &run->axes[1], run->tags[l]))
            classify(run->coupling, run->tags[l], &run->results, run->classes);
        else
            run->classes[run->tags[l]] = COSTAB_CLASS_FAILED;
    run->count = 0;
}

/* The classes of the points of a grid that `which` numbers, `count` of them. [out] classes: of the whole
 * grid, of which these places are filled. */
EXPORT(network_classes)
void page_network_classes(int coupling, const double *spans, const uint32_t *which, size_t count,
                          uint8_t *classes) {
    class_run run = {
        .coupling = coupling, .results = {.context = classes, .take = take_class}, .classes = classes};
    take_spans(spans, run.axes);
    const int moving[2] = {run.axes[0].parameter, run.axes[1].parameter};
    if (count > 0 && move_to(&run.axes[0], &run.axes[1], which[0]))
        (void)model_lanes_create(instance, moving, 2, &run.lanes, page_error());
    for (size_t i = 0; i < count; i++) {
        classes[which[i]] = COSTAB_NOT_COMPUTED;
        run.tags[run.count++] = which[i];
        if (run.count == LANES) finish_group(&run);
    }
    finish_group(&run);
    network_batch_finish(work, &run.results);
    for (size_t i = 0; i < count; i++)
        if (classes[which[i]] == COSTAB_NOT_COMPUTED) classify_alone(&run, which[i]);
    model_lanes_destroy(&run.lanes);
}

/* The spectral radii of the same points; NaN where that fails. */
EXPORT(network_radii)
void page_network_radii(int coupling, const double *spans, const uint32_t *which, size_t count,
                        double *radii) {
    span axes[2];
    take_spans(spans, axes);
    for (size_t i = 0; i < count; i++) {
        costab_network_point point = {.spectral_radius = (double)NAN};
        if (!move_to(&axes[0], &axes[1], which[i]) ||
            costab_network_analyse(work, costab_model_instance_network(instance),
                                   costab_model_instance_coupling(instance, coupling), &point, page_error()))
            point.spectral_radius = (double)NAN;
        radii[which[i]] = point.spectral_radius;
    }
}

/* ---- One point */

/* At the parameters that are set. [out] numbers: class, spectral radius, iteration radius, spectral abscissa,
 * decay, growth, macro step, size of the map, equilibria set aside, number of modes; then for each of up to
 * `most` modes re, im, frequency, damping, growth, and the subsystems' shares, then the connections'. False
 * with a message where the point fails. */
EXPORT(network_point) bool page_network_point(int coupling, int most, double *numbers) {
    costab_network_point point;
    costab_modes_free(&modes);
    if (costab_model_instance_update(instance, page_error())) return false;
    const costab_coupling *choices = costab_model_instance_coupling(instance, coupling);
    const costab_network *network = costab_model_instance_network(instance);
    if (costab_coupling_check(network, choices, page_error()) ||
        costab_network_analyse_modes(work, network, choices, most, &point, &modes, page_error()))
        return false;
    const double head[] = {point.class_code,
                           point.spectral_radius,
                           point.iteration_radius,
                           point.spectral_abscissa,
                           point.decay,
                           point.growth,
                           choices->macro_step,
                           point.size,
                           point.neutral,
                           modes.count};
    memcpy(numbers, head, sizeof head);
    double *to = numbers + sizeof head / sizeof *head;
    for (int m = 0; m < modes.count; m++) {
        const costab_mode *mode = &modes.modes[m];
        const double row[] = {mode->re, mode->im, mode->frequency, mode->damping, mode->growth};
        memcpy(to, row, sizeof row);
        to += sizeof row / sizeof *row;
        for (int s = 0; s < modes.subsystems; s++) *to++ = modes.shares[m * modes.subsystems + s];
        for (int c = 0; c < modes.connections; c++) *to++ = modes.links[m * modes.connections + c];
    }
    return true;
}

/* The class alone at the parameters that are set. */
EXPORT(network_class) int page_network_class(int coupling) {
    uint8_t code;
    if (costab_model_instance_update(instance, page_error()) ||
        costab_network_classify(work, costab_model_instance_network(instance),
                                costab_model_instance_coupling(instance, coupling), &code, page_error()))
        return COSTAB_CLASS_FAILED;
    return code;
}

/* The eigenvalues of the last point: `size` of them, largest modulus first, real and imaginary part each. */
EXPORT(network_eigenvalues) void page_network_eigenvalues(double *values) {
    costab_network_spectrum(work, (costab_complex *)values, NULL);
}

/* ---- Histories */

typedef struct kept_rows {
    double *to;
    size_t count, most;
    int subsystem, index;
    costab_signal_kind kind;
} kept_rows;

static bool keep_row(void *context, const costab_row *row) {
    kept_rows *kept = context;
    if (row->subsystem != kept->subsystem || row->kind != kept->kind || row->index != kept->index)
        return true;
    if (kept->count + 3 > kept->most) return false;
    kept->to[kept->count++] = row->t;
    kept->to[kept->count++] = row->value;
    kept->to[kept->count++] = row->monolithic;
    return true;
}

/* A run at the parameters that are set: t, value and monolithic value of a signal (kind: 0 state, 1 input, 2
 * output). Returns how many numbers; -1 with a message. */
EXPORT(network_history)
int page_network_history(int coupling, double until, int subsystem, int kind, int index, double *out,
                         size_t most) {
    kept_rows kept = {.to = out, .most = most, .subsystem = subsystem, .index = index};
    kept.kind = (costab_signal_kind)kind;
    costab_simulate_options options = {.until = until, .monolithic = true, .blow_up = 1e6};
    costab_simulate_outcome outcome;
    if (costab_model_instance_update(instance, page_error())) return -1;
    costab_status status = costab_network_simulate(costab_model_instance_network(instance),
                                                   costab_model_instance_coupling(instance, coupling),
                                                   &options, keep_row, &kept, &outcome, page_error());
    return status && status != COSTAB_CANCELLED ? -1 : (int)kept.count;
}
