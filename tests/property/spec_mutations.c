/* Broken specs of both systems: whatever is done to the bytes of good ones, reading them ends in a spec that
 * keeps its promises or in messages with places. Run it with the address sanitizer too. */
#include "support/promises.h"

static const char *const planar[] = {
    "title: Zigzag\nsystem: planar\nschemes: [zigzag, cross]\nmethod: rk4\nsubsteps: [2, 1]\naxes:\n  a: "
    "-0.5\n"
    "  gamma: {from: -6, to: 2, points: 9}\n  delta: [-2, 0.5, 1e1]\nfields: [class, cause]\n"
    "figure: {kind: regions, size: [8.9cm, 6.4cm], columns: 2, gamma: [-3, 1]}\n",
    "system: planar\nschemes: all\nmethod: {A: [[0, 0], [2/3, 0]], b: [1/4, 3/4], c: [0, 2/3]}\naxes:\n  a: "
    "[0]\n"
    "  gamma:\n  - -1\n  - 1\n  delta: {from: 0, to: 4, points: 5}\nfigure:\n  kind: comparison\n",
    "system: planar\nschemes: [cross]\naxes: {a: [1, 2]}\nfields: areas\nfigure: {kind: areas}\n",
    "system: planar\nschemes: [cross]\nhistory: {matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], "
    "until: 0.05}\n"
    "figure: {kind: time}\n",
    "{system: planar, schemes: simulation, axes: {gamma: [-1, 1], delta: [0, 1]}, figure: {kind: regions}}",
};

static const char *const planar_pieces[] = {"points", "schemes: "};

static const char *const networks[] = {
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

/* Pieces that mean something to expressions or to us. */
/* clang-format off */
static const char *const network_pieces[] = {
    ")", "*", "+", "k", "x", "m: ", "H", "t", "sin(", "max(1,", "plant.", "ball", "push", "a: 1, ", "-1",
    "1e-300", "1e300", "0.5", "[[1]]", "linear", "order: ", "name: a, ", "D: [[1]], ",
    "substeps: 1000000", "delay: 10000, ", "{file: x.mat, name: A}", "model: "
};
/* clang-format on */

static bool read_text(const char *text, size_t size) {
    return promise_spec_text("m.yaml", text, size);
}

/* Seeds pass unchanged now and then, and most changes matter: both ways must have been walked. */
TEST(mutations) {
    mutation_source source = {planar, planar_pieces, sizeof planar / sizeof *planar,
                              sizeof planar_pieces / sizeof *planar_pieces, .changes = 6};
    size_t total = effort(3000), fine = mutate("spec mutations", &source, total, read_text);
    assert_in_range(fine, total / 20 + 1, total - total / 4 - 1);
}

TEST(mutations_of_networks) {
    mutation_source source = {networks, network_pieces, sizeof networks / sizeof *networks,
                              sizeof network_pieces / sizeof *network_pieces, .changes = 4};
    size_t total = effort(1500), fine = mutate("model mutations", &source, total, read_text);
    assert_in_range(fine, total / 10 + 1, total - total / 4 - 1);
}
