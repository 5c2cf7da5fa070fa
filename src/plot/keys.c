/* What can be drawn: names, words, and what the legend says and shows. */
#include "plot/figure.h"

#define TEX_DET "\\mathrm{Det}\\,\\mathbf{D}"
#define TEX_TR  "\\mathrm{Tr}\\,\\mathbf{D}"

#define SAME(words)                words, words
#define AREA_LEGEND(which, scheme) "{/:Italic A}_{" which "}, " scheme, "$A_{\\mathrm{" which "}}$, " scheme

/* The keys that every scheme has. */
#define SCHEME_KEYS(KEY, scheme, words, angle)                                                               \
    [KEY_##KEY] = {scheme, "stable set of " words, SAMPLE_REGION, SAME(scheme), 1, {{angle, 0.19}}},         \
    [KEY_INFINITE_##KEY] = {"infinite_" scheme, "where an area of " words " is infinite"},                   \
    [KEY_AREA_##KEY] = {"area_" scheme, "A_SS of " words, SAMPLE_LINE, AREA_LEGEND("SS", scheme)},           \
    [KEY_AREA_US_##KEY] = {"area_us_" scheme, "A_US of " words, SAMPLE_LINE, AREA_LEGEND("US", scheme)},     \
    [KEY_STEPS_##KEY] = {"steps_" scheme, "states of " words, SAMPLE_STEPS, SAME(scheme)}

const figure_key_info figure_keys[KEY_COUNT] = {
    [KEY_QUADRANT] = {"quadrant", "continuous system stable", SAMPLE_AREA, SAME("system stable")},
    [KEY_UU] = {"uu", "class UU and all that is drawn over it", SAMPLE_AREA, SAME("UU: neither")},
    [KEY_SU] = {"su", "class SU and the SS that is drawn over it", SAMPLE_AREA, SAME("SU: system only")},
    [KEY_SS] = {"ss", "class SS, both stable", SAMPLE_AREA, SAME("SS: both stable"), 1, {{45, 0.17}}},
    [KEY_US] = {"us",
                "class US, continuous system unstable, simulation stable",
                SAMPLE_AREA,
                SAME("US: simulation only"),
                2,
                {{45, 0.11}, {-45, 0.11}}},
    [KEY_AXES] = {"axes", "axes through the origin"},
    [KEY_FRAME] = {"frame", "frames of the samples"},
    [KEY_EDGE] = {"edge", "boundary of the stable set"},
    [KEY_DET_BEYOND] = {"det_beyond", "Det D = 1 beyond the stable set"},
    [KEY_FOLD_BEYOND] = {"fold_beyond", "Det D = Tr D - 1 beyond the stable set"},
    [KEY_FLIP_BEYOND] = {"flip_beyond", "Det D = -Tr D - 1 beyond the stable set"},
    [KEY_ITERATION_BEYOND] = {"iteration_beyond", "iteration radius = 1 beyond the stable set"},
    [KEY_ISOLATED] = {"isolated", "points of the zero sets that belong to no curve of theirs", SAMPLE_POINT,
                      "isolated point of γ_2, γ_3", "isolated point of $\\gamma_2$, $\\gamma_3$"},
    [KEY_DET] = {"det", "boundary Det D = 1", SAMPLE_LINE, "γ_1: Det {/:Bold D} = 1",
                 "$\\gamma_1$: $" TEX_DET " = 1$"},
    [KEY_FOLD] = {"fold", "boundary Det D = Tr D - 1", SAMPLE_LINE, "γ_2: Det {/:Bold D} = Tr {/:Bold D} − 1",
                  "$\\gamma_2$: $" TEX_DET " = " TEX_TR " - 1$"},
    [KEY_FLIP] = {"flip", "boundary Det D = -Tr D - 1", SAMPLE_LINE,
                  "γ_3: Det {/:Bold D} = −Tr {/:Bold D} − 1", "$\\gamma_3$: $" TEX_DET " = -" TEX_TR " - 1$"},
    [KEY_ITERATION] = {"iteration", "boundary where the coupling iteration begins to diverge", SAMPLE_LINE,
                       SAME("iteration radius 1")},
    [KEY_SHELF] = {"shelf", "line above which areas are infinite"},
    [KEY_JUMP] = {"jump", "where an area jumps, or grows without bound"},
    [KEY_EXACT] = {"exact", "continuous system", SAMPLE_LINE, SAME("continuous system")},
    SCHEME_KEYS(SIMULATION, "simulation", "the simulation", 0),
    SCHEME_KEYS(CROSS, "cross", "cross coupling", 90),
    SCHEME_KEYS(ZIGZAG, "zigzag", "zigzag coupling", 45),
    SCHEME_KEYS(STRONG, "strong", "strong coupling", -45),
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
    if (key >= KEY_AREA_SIMULATION && key <= KEY_AREA_STRONG && !f->spec->figure.us)
        key = (figure_key)(KEY_SIMULATION + (key - KEY_AREA_SIMULATION));
    return tex ? figure_keys[key].legend_tex : figure_keys[key].legend;
}
