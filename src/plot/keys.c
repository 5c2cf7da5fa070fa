/* What can be drawn: names, words, and what the legend says and shows. */
#include "plot/figure.h"

#define TEX_DET "\\mathrm{Det}\\,\\mathbf{D}"
#define TEX_TR  "\\mathrm{Tr}\\,\\mathbf{D}"

#define LINE(plain, tex)    .sample = SAMPLE_LINE, .legend = plain, .legend_tex = tex
#define SAME(text)          .legend = text, .legend_tex = text
#define AREA(which, scheme) LINE("{/:Italic A}_{" which "}, " scheme, "$A_{\\mathrm{" which "}}$, " scheme)

/* The keys that every scheme has. */
#define SCHEME_KEYS(KEY, scheme, is, angle)                                                                  \
    [KEY_##KEY] = {.name = scheme,                                                                           \
                   .words = "stable set of " is,                                                             \
                   .sample = SAMPLE_REGION,                                                                  \
                   SAME(scheme),                                                                             \
                   .hatches = 1,                                                                             \
                   .hatch = {{angle, 0.19}}},                                                                \
    [KEY_INFINITE_##KEY] = {.name = "infinite_" scheme, .words = "where an area of " is " is infinite"},     \
    [KEY_AREA_##KEY] = {.name = "area_" scheme, .words = "A_SS of " is, AREA("SS", scheme)},                 \
    [KEY_AREA_US_##KEY] = {.name = "area_us_" scheme, .words = "A_US of " is, AREA("US", scheme)},           \
    [KEY_STEPS_##                                                                                            \
        KEY] = {.name = "steps_" scheme, .words = "states of " is, .sample = SAMPLE_STEPS, SAME(scheme)}

const figure_key_info figure_keys[KEY_COUNT] = {
    [KEY_QUADRANT] = {.name = "quadrant",
                      .words = "continuous system stable",
                      .sample = SAMPLE_AREA,
                      SAME("system stable")},
    [KEY_UU] = {.name = "uu",
                .words = "class UU and all that is drawn over it",
                .sample = SAMPLE_AREA,
                SAME("UU: neither")},
    [KEY_SU] = {.name = "su",
                .words = "class SU and the SS that is drawn over it",
                .sample = SAMPLE_AREA,
                SAME("SU: system only")},
    [KEY_SS] = {.name = "ss",
                .words = "class SS, both stable",
                .sample = SAMPLE_AREA,
                SAME("SS: both stable"),
                .hatches = 1,
                .hatch = {{45, 0.17}}},
    [KEY_US] = {.name = "us",
                .words = "class US, continuous system unstable, simulation stable",
                .sample = SAMPLE_AREA,
                SAME("US: simulation only"),
                .hatches = 2,
                .hatch = {{45, 0.11}, {-45, 0.11}}},
    [KEY_AXES] = {.name = "axes", .words = "axes through the origin"},
    [KEY_FRAME] = {.name = "frame", .words = "frames of the samples"},
    [KEY_EDGE] = {.name = "edge", .words = "boundary of the stable set"},
    [KEY_DET_BEYOND] = {.name = "det_beyond", .words = "Det D = 1 beyond the stable set"},
    [KEY_FOLD_BEYOND] = {.name = "fold_beyond", .words = "Det D = Tr D - 1 beyond the stable set"},
    [KEY_FLIP_BEYOND] = {.name = "flip_beyond", .words = "Det D = -Tr D - 1 beyond the stable set"},
    [KEY_ITERATION_BEYOND] = {.name = "iteration_beyond",
                              .words = "iteration radius = 1 beyond the stable set"},
    [KEY_ISOLATED] = {.name = "isolated",
                      .words = "points of the zero sets that belong to no curve of theirs",
                      .sample = SAMPLE_POINT,
                      .legend = "isolated point of γ_2, γ_3",
                      .legend_tex = "isolated point of $\\gamma_2$, $\\gamma_3$"},
    [KEY_DET] = {.name = "det",
                 .words = "boundary Det D = 1",
                 LINE("γ_1: Det {/:Bold D} = 1", "$\\gamma_1$: $" TEX_DET " = 1$")},
    [KEY_FOLD] = {.name = "fold",
                  .words = "boundary Det D = Tr D - 1",
                  LINE("γ_2: Det {/:Bold D} = Tr {/:Bold D} − 1",
                       "$\\gamma_2$: $" TEX_DET " = " TEX_TR " - 1$")},
    [KEY_FLIP] = {.name = "flip",
                  .words = "boundary Det D = -Tr D - 1",
                  LINE("γ_3: Det {/:Bold D} = −Tr {/:Bold D} − 1",
                       "$\\gamma_3$: $" TEX_DET " = -" TEX_TR " - 1$")},
    [KEY_ITERATION] = {.name = "iteration",
                       .words = "boundary where the coupling iteration begins to diverge",
                       LINE("iteration radius 1", "iteration radius 1")},
    [KEY_SHELF] = {.name = "shelf", .words = "line above which areas are infinite"},
    [KEY_JUMP] = {.name = "jump", .words = "where an area jumps, or grows without bound"},
    [KEY_EXACT] = {.name = "exact",
                   .words = "continuous system",
                   LINE("continuous system", "continuous system")},
    SCHEME_KEYS(SIMULATION, "simulation", "the simulation", 0),
    SCHEME_KEYS(CROSS, "cross", "cross coupling", 90),
    SCHEME_KEYS(ZIGZAG, "zigzag", "zigzag coupling", -45),
    SCHEME_KEYS(STRONG, "strong", "strong coupling", 45),
};

const figure_key figure_legend_order[FIGURE_LEGEND_KEYS] = {KEY_SS,
                                                            KEY_US,
                                                            KEY_SU,
                                                            KEY_UU,
                                                            KEY_QUADRANT,
                                                            KEY_DET,
                                                            KEY_FOLD,
                                                            KEY_FLIP,
                                                            KEY_ITERATION,
                                                            KEY_ISOLATED,
                                                            KEY_SIMULATION,
                                                            KEY_CROSS,
                                                            KEY_ZIGZAG,
                                                            KEY_STRONG,
                                                            KEY_AREA_SIMULATION,
                                                            KEY_AREA_US_SIMULATION,
                                                            KEY_AREA_CROSS,
                                                            KEY_AREA_US_CROSS,
                                                            KEY_AREA_ZIGZAG,
                                                            KEY_AREA_US_ZIGZAG,
                                                            KEY_AREA_STRONG,
                                                            KEY_AREA_US_STRONG,
                                                            KEY_EXACT,
                                                            KEY_STEPS_SIMULATION,
                                                            KEY_STEPS_CROSS,
                                                            KEY_STEPS_ZIGZAG,
                                                            KEY_STEPS_STRONG};

const char *figure_legend(const figure *f, figure_key key, bool tex) {
    /* Where only A_SS is drawn, its name stands at the axis alone. */
    if (key >= KEY_AREA_SIMULATION && key <= KEY_AREA_STRONG && !f->wanted.us)
        key = (figure_key)(KEY_SIMULATION + (key - KEY_AREA_SIMULATION));
    return tex ? figure_keys[key].legend_tex : figure_keys[key].legend;
}
