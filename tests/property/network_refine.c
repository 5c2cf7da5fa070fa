/* Refined sweeps of random networks against full ones: the points that they miss form groups of points
 * no larger than a coarse cell, and so rare that none is in sight. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network_sweep.h"

enum { POINTS = 257, CELL = 16, TEXT = 4096 };

static const char *const methods[] = {"euler", "heun", "rk4", "trapezoidal", "exact", "radau2"};
static const char *const couplings[] = {
    "{scheme: jacobi, macro_step: H}",       "{scheme: jacobi, extrapolation: linear, macro_step: H}",
    "{scheme: gauss-seidel, macro_step: H}", "{scheme: gauss-seidel, interpolation: linear, macro_step: H}",
    "{scheme: iterated, macro_step: H}",     "{scheme: iterated, interpolation: linear, macro_step: H}"};

typedef struct writer {
    char text[TEXT];
    size_t size;
} writer;

static void put(writer *w, const char *format, ...) COSTAB_PRINTF(2, 3);
static void put(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(w->text + w->size, TEXT - w->size, format, arguments);
    va_end(arguments);
    assert_true(n > 0 && (size_t)n < TEXT - w->size);
    w->size += (size_t)n;
}

/* Random entries, less `shift` on the diagonal; `last` is added to the last one. */
static void put_matrix(writer *w, rng *r, int rows, int columns, double shift, const char *last) {
    put(w, "[");
    for (int i = 0; i < rows; i++) {
        put(w, "%s[", i > 0 ? ", " : "");
        for (int j = 0; j < columns; j++)
            put(w, "%s%.4f%s", j > 0 ? ", " : "", rng_uniform(r, -1.5, 1.5) - (i == j ? shift : 0),
                i + 1 == rows && j + 1 == columns ? last : "");
        put(w, "]");
    }
    put(w, "]");
}

static void put_subsystem(writer *w, rng *r, const char *name, const char *last) {
    int states = rng_int(r, 1, 3);
    put(w, "  - {name: %s, A: ", name);
    put_matrix(w, r, states, states, rng_uniform(r, 0, 2), last);
    put(w, ", B: ");
    put_matrix(w, r, states, 1, 0, "");
    put(w, ", C: ");
    put_matrix(w, r, 1, states, 0, "");
    put(w, ", inputs: [u], outputs: [y], method: %s, substeps: %d}\n",
        methods[rng_int(r, 0, (int)(sizeof methods / sizeof *methods) - 1)], rng_int(r, 1, 3));
}

static void random_sweep(writer *w, rng *r) {
    *w = (writer){.size = 0};
    put(w, "system: network\nparameters: {p: 1, q: 0, H: 0.3}\nsubsystems:\n");
    put_subsystem(w, r, "a", "");
    put_subsystem(w, r, "b", " + q/2");
    put(w, "connections: [{from: a.y, to: b.u, gain: p}, {from: b.y, to: a.u}]\ncoupling: %s\n",
        couplings[rng_int(r, 0, (int)(sizeof couplings / sizeof *couplings) - 1)]);
    put(w, "axes: {%s: {from: -3, to: 3, points: %d}, H: {from: 0.02, to: 4, points: %d}}\n",
        rng_int(r, 0, 1) ? "p" : "q", POINTS, POINTS);
}

/* The points that differ and touch the given point: their box, from its first to its last row and column. */
static void flood(bool *differs, size_t i, size_t j, size_t box[4]) {
    if (!differs[i * POINTS + j]) return;
    differs[i * POINTS + j] = false;
    box[0] = i < box[0] ? i : box[0];
    box[1] = i > box[1] ? i : box[1];
    box[2] = j < box[2] ? j : box[2];
    box[3] = j > box[3] ? j : box[3];
    for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < POINTS; k++)
        for (size_t l = j > 0 ? j - 1 : 0; l <= j + 1 && l < POINTS; l++) flood(differs, k, l, box);
}

static size_t compare(const sweep *refined, const sweep *full, const char *text) {
    static bool differs[POINTS * POINTS];
    size_t count = 0;
    for (size_t n = 0; n < POINTS * POINTS; n++) {
        differs[n] = sweep_codes(refined)[n] != sweep_codes(full)[n];
        count += differs[n];
    }
    for (size_t n = 0; n < POINTS * POINTS; n++) {
        size_t box[4] = {n / POINTS, n / POINTS, n % POINTS, n % POINTS};
        flood(differs, n / POINTS, n % POINTS, box);
        check_true(box[1] - box[0] < CELL && box[3] - box[2] < CELL,
                   "rows %zu to %zu, columns %zu to %zu were missed in\n%s", box[0], box[1], box[2], box[3],
                   text);
    }
    return count;
}

TEST(refined_equals_full) {
    rng r = rng_start("network_refine");
    size_t cases = effort(4), missed = 0, analysed = 0;
    for (size_t k = 0; k < cases; k++) {
        writer w;
        sweep full, refined;
        random_sweep(&w, &r);
        sweep_run(&full, w.text, 2);
        put(&w, "refine: {cell: %d}\n", CELL);
        sweep_run(&refined, w.text, 2);
        missed += compare(&refined, &full, w.text);
        analysed += costab_study_analysed(refined.study);
        sweep_end(&refined);
        sweep_end(&full);
    }
    print_message("# %zu sweeps of %d points: %.1f %% analysed, %zu classes differ\n", cases, POINTS * POINTS,
                  100 * (double)analysed / (double)(cases * POINTS * POINTS), missed);
    check_true(missed * 10000 <= cases * POINTS * POINTS, "%zu classes differ", missed);
}
