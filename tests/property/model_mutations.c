/* Broken models: whatever is done to the bytes of good ones, reading them ends in a model that keeps its
 * promises or in messages that stand at places. Run it with the address sanitizer too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/model.h"
#include "support/support.h"

static const char *const seeds[] = {
    "title: T\nsystem: network\nparameters: {m: 2, k: 10, w: 2*k/m, H: 0.1}\nsubsystems:\n- name: plant\n"
    "  A: [[0, 1], [-k/m, -1/m]]\n  B: [[0], [1/m]]\n  C: [[0, 1], [1, 0]]\n  D: [[0], [0]]\n  x0: [5, 0]\n"
    "  inputs: [force]\n  outputs: [speed, place]\n  method: rk4\n  step: 0.01\n- name: ball\n"
    "  states: [x, v]\n  inputs: [push]\n  outputs: [tip]\n  f: [v, push - w*x^3]\n  g: [x*v]\n"
    "  operating_point: {x: w}\n  substeps: 2\nconnections:\n  - {from: plant.speed, to: ball.push}\n"
    "  - {from: ball.tip, to: plant.force, gain: 2*w, delay: 1}\n"
    "power_bonds: [[plant.force, plant.speed, ball.push, ball.tip]]\nsources: {plant.force: sin(t)*w}\n"
    "coupling: {scheme: gauss-seidel, macro_step: H, order: [ball, plant]}\naxes: {k: [1, 2]}\n"
    "fields: [class, spectral_radius]\nhistory: {until: 3, signals: [ball.tip, plant.x2]}\n"
    "figure: {kind: curve, size: [9cm, 7cm], columns: 1}\n",
    "system: network\nparameters: {a: -1, b: 1, H: 0.5}\nsubsystems:\n"
    "- {name: p, A: [[a]], B: [[b]], C: [[1]], inputs: [u], outputs: [y], method: euler, substeps: 2}\n"
    "- {name: q, D: [[b]], inputs: [u], outputs: [y]}\n"
    "connections: [{from: p.y, to: q.u}, {from: q.y, to: p.u, gain: -a}]\n"
    "coupling:\n- {name: one, macro_step: H}\n- {name: two, scheme: iterated, macro_step: H/2, iterations: "
    "3,\n"
    "   interpolation: linear, feedthrough: solved}\naxes: {a: {from: -2, to: -1, points: 3}, b: [0, 1]}\n"
    "fields: [class]\nfigure: {kind: classes}\n",
    ("{system: network, subsystems: [{name: s, states: [x], f: ['sin(x) + t'], operating_point: {x: pi}}], "
     "coupling: {macro_step: 1, micro_steps: clocks}}"),
};

/* Pieces that mean something to YAML, to expressions or to us. */
static const char *const pieces[] = {
    "\n",
    " ",
    "\t",
    "  ",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    "&a ",
    "*a",
    "!!x ",
    "|\n",
    "'",
    "\"",
    "---\n",
    "? ",
    "nan",
    ".inf",
    "1e999",
    "-",
    ".",
    "0",
    "7",
    "/",
    "(",
    ")",
    "^",
    "*",
    "+",
    "k",
    "x",
    "m: ",
    "H",
    "t",
    "sin(",
    "max(1,",
    "plant.",
    "ball",
    "push",
    "\xc3\xa9",
    "\xff",
    "a: 1, ",
    "-1",
    "1e-300",
    "1e300",
    "0.5",
    "all",
    "[[1]]",
    "linear",
    "order: ",
    "name: a, ",
    "D: [[1]], ",
    "substeps: 1000000",
    "delay: 10000, ",
    "{file: x.mat, name: A}",
    "model: ",
};

#define SIZE_MAX_BYTES 3000

static void insert(char *text, size_t *size, size_t at, const char *bytes, size_t n) {
    if (*size + n > SIZE_MAX_BYTES) return;
    memmove(text + at + n, text + at, *size - at);
    memcpy(text + at, bytes, n);
    *size += n;
}

static void mutate(rng *r, char *text, size_t *size) {
    size_t at = (size_t)rng_int(r, 0, (int)*size);
    size_t left = *size - at, n = left > 0 ? (size_t)rng_int(r, 0, left < 12 ? (int)left : 12) : 0;
    char byte = (char)rng_int(r, 32, 255), block[12];
    const char *piece = pieces[rng_int(r, 0, (int)(sizeof pieces / sizeof pieces[0]) - 1)];
    switch (rng_int(r, 0, 4)) {
    case 0:
        insert(text, size, at, piece, strlen(piece));
        break;
    case 1: /* leave some out */
        memmove(text + at, text + at + n, left - n);
        *size -= n;
        break;
    case 2: /* repeat some elsewhere */
        memcpy(block, text + at, n);
        insert(text, size, (size_t)rng_int(r, 0, (int)*size), block, n);
        break;
    case 3:
        if (left > 0) text[at] = byte;
        break;
    default:
        if (rng_int(r, 0, 9) == 0) *size = at;
    }
}

/* What is promised of every model that was read, at its defaults or its axes' first values. */
static void check_model(const costab_model *model) {
    costab_model_instance *instance;
    costab_error error = {0};
    assert_true(model->coupling_count >= 1 && model->fields != 0 && model->title != NULL);
    assert_non_null(model->warnings);
    for (int i = 0; i < model->parameter_count; i++) assert_true(isfinite(model->parameters[i].value));
    check_true(costab_model_instance_create(model, &instance, &error) == COSTAB_OK, "%s\n%s", error.message,
               model->text);
    for (int i = 0; i < model->axis_count; i++) {
        assert_true(model->axes[i].count >= 1);
        assert_in_range(model->axis_parameters[i], 0, model->parameter_count - 1);
        costab_model_instance_set(instance, model->axis_parameters[i], model->axes[i].values[0]);
    }
    check_true(costab_model_instance_update(instance, &error) == COSTAB_OK, "%s", error.message);
    const costab_network *network = costab_model_instance_network(instance);
    check_true(costab_network_check(network, &error) == COSTAB_OK, "%s\n%s", error.message, model->text);
    for (int c = 0; c < model->coupling_count; c++) {
        const costab_coupling *coupling = costab_model_instance_coupling(instance, c);
        check_true(costab_coupling_check(network, coupling, &error) == COSTAB_OK, "%s\n%s", error.message,
                   model->text);
        assert_int_equal(costab_model_coupling(model, model->coupling_names[c]), c);
    }
    for (int s = 0; s < network->source_count; s++)
        (void)network->sources[s].value(network->sources[s].context, 1);
    for (int i = 0; i < model->history.signal_count; i++)
        assert_in_range(model->history.signals[i].subsystem, 0, network->subsystem_count - 1);
    costab_model_instance_destroy(&instance);
}

/* Each line is FILE:LINE:COLUMN: error: WORDS, lines and columns never descending. */
static void check_places(const char *message) {
    unsigned line_before = 0, column_before = 0;
    for (const char *m = message; m != NULL; m = strchr(m, '\n') != NULL ? strchr(m, '\n') + 1 : NULL) {
        unsigned line, column;
        int n = 0;
        if (strcmp(m, "(more errors follow)") == 0) return;
        check_true(sscanf(m, "m.yaml:%u:%u: error: %n", &line, &column, &n) == 2 && n > 0, "place in %s", m);
        check_true(m[n] != '\n' && m[n] != '\0', "words in %s", m);
        check_true(line >= 1 && column >= 1, "places from 1 in %s", m);
        check_true(line > line_before || (line == line_before && column >= column_before), "order in %s",
                   message);
        line_before = line;
        column_before = column;
    }
}

static void mutations(void **state) {
    (void)state;
    rng r = rng_start("model mutations");
    size_t total = effort(10000), fine = 0, refused = 0;
    for (size_t i = 0; i < total; i++) {
        char text[SIZE_MAX_BYTES + 1];
        const char *seed = seeds[i % (sizeof seeds / sizeof seeds[0])];
        size_t size = strlen(seed);
        memcpy(text, seed, size);
        for (int k = rng_int(&r, 0, 4); k > 0; k--) mutate(&r, text, &size);
        costab_model *model;
        costab_error error = {0};
        costab_status status = costab_model_parse("m.yaml", text, size, &model, &error);
        if (status == COSTAB_OK) {
            check_model(model);
            fine++;
        } else {
            check_true(status == COSTAB_INVALID, "status %d of\n%.*s", (int)status, (int)size, text);
            assert_null(model);
            check_places(error.message);
            refused++;
        }
        costab_model_destroy(&model);
    }
    /* Seeds pass unchanged now and then, and most changes matter: both ways must have been walked. */
    assert_true(fine > total / 10);
    assert_true(refused > total / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
