/* Broken specs: whatever is done to the bytes of good ones, reading them ends in a spec that keeps its
 * promises or in messages that stand at places. Run it with the address sanitizer too. */
#include "support/promises.h"

static const char *const seeds[] = {
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
    "{system: planar, schemes: simulation, axes: {gamma: [-1, 1], delta: [0, 1]}, figure: {kind: jury}}",
};

static const char *const pieces[] = {"points", "schemes: "};

static bool read_text(const char *text, size_t size) {
    return promise_spec_text("m.yaml", text, size);
}

TEST(mutations) {
    mutation_source source = {seeds, pieces, sizeof seeds / sizeof *seeds, sizeof pieces / sizeof *pieces,
                              .changes = 6};
    size_t total = effort(20000), fine = mutate("spec mutations", &source, total, read_text);
    /* Seeds pass unchanged now and then, and most changes matter: both ways must have been walked. */
    assert_in_range(fine, total / 20 + 1, total - total / 4 - 1);
}
