/* network_sweep.h - sweeps of networks into memory, for tests. */
#pragma once

#include "costab/study.h"
#include "model_file.h"

typedef struct sweep {
    costab_spec *spec;
    costab_study *study;
    const costab_plan *plan;
    void *values[COSTAB_FIELDS_MAX]; /* the whole grid of each field */
    size_t written[COSTAB_FIELDS_MAX];
} sweep;

/* Model files without their axes, and the fields that most tests ask for. An oscillator beside a subsystem
 * with feedthrough, of rate `d`; three couplings; stable and unstable systems; a stability limit that jumps
 * where n does. */
#define TEXT_OSCILLATOR(d)                                                                                   \
    "system: network\n"                                                                                      \
    "parameters: {H: 0.2, k: 1, d: " d ", n: 2}\n"                                                           \
    "subsystems:\n"                                                                                          \
    "  - {name: a, A: [[0, 1], [-k, -0.3]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y],\n"        \
    "     method: rk4, substeps: n}\n"                                                                       \
    "  - {name: b, A: [[-d]], B: [[1]], C: [[-1]], D: [[-0.5]], inputs: [u], outputs: [y], method: heun,\n"  \
    "     substeps: 1}\n"                                                                                    \
    "connections: [{from: a.y, to: b.u, gain: k}, {from: b.y, to: a.u}]\n"                                   \
    "coupling:\n"                                                                                            \
    "  - {name: jacobi, macro_step: H}\n"                                                                    \
    "  - {name: zigzag, scheme: gauss-seidel, interpolation: linear, macro_step: H}\n"                       \
    "  - {name: settled, scheme: iterated, macro_step: H}\n"

/* Euler with micro steps of 0.1: the macro step has to be a whole multiple. */
#define TEXT_FIXED                                                                                           \
    "system: network\n"                                                                                      \
    "parameters: {H: 0.1, a: 1}\n"                                                                           \
    "subsystems: [{name: s, A: [[-a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: " \
    "0.1}]\n"                                                                                                \
    "coupling: {macro_step: H}\n"

#define TEXT_ALL "fields: [class, spectral_radius, spectral_abscissa, iteration_radius]\n"

/* Equal, or both NaN. */
void check_same(double a, double b, const char *what, size_t number);

/* Makes the study of a model file's text, and room for its fields. */
void sweep_start(sweep *s, const char *text);
/* A tile's block of a field to its place. */
void sweep_place(sweep *s, const costab_tile *tile, int field, const void *block);
/* Runs the sweep of a model file's text; a mistake in it fails the test. */
void sweep_run(sweep *s, const char *text, int threads);
void sweep_end(sweep *s);

/* The number of a field, -1 if there is none; its points; the values of one of numbers, and of the classes.
 */
int sweep_find(const sweep *s, const char *name);
size_t sweep_points(const costab_plan *plan, int field);
const double *sweep_numbers(const sweep *s, const char *name);
const uint8_t *sweep_codes(const sweep *s);
