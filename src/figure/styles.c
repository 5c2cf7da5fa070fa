/* The styles that figures share. Colours are Okabe and Ito's; dashes, points, hatches and greys tell the same
 * things apart without colours. Those of the classes, which pages and Python share, are told apart by
 * colour-blind eyes; in grey their lightness orders them: UU, SU, SS, US. Entries of the legend come in
 * this order. */
#include "figure/names.h"
#include "figure/scene.h"

#define DET "Det " NAMES_BOLD("D")
#define TR  "Tr " NAMES_BOLD("D")

#define AREA(key, what, colour, entry) .name = key, .words = what, .tint = colour, .legend = entry
#define LINE(key, what, colour, points, dashes, entry)                                                       \
    .name = key, .words = what, .line = colour, .width = points, .dash = dashes, .legend = entry
#define DOTS(key, what, colour, type, wide, entry)                                                           \
    .name = key, .words = what, .line = colour, .point = type, .size = wide, .legend = entry
#define ONE_WAY(colour, angle, apart) .hatch = colour, .pattern_count = 1, .patterns = {{angle, apart}}

const scene_style scene_styles[] = {
    {AREA("ss", "class SS, both stable", "#b5d6ee", "SS: both stable"), ONE_WAY("#0072b2", 45, 0.17)},
    {AREA("us", "class US, continuous system unstable, simulation stable", "#e08f60", "US: simulation only"),
     .hatch = "#a33f00", .pattern_count = 2, .patterns = {{45, 0.11}, {-45, 0.11}}},
    {AREA("su", "class SU, and what is drawn over it", "#f9e9ad", "SU: system only")},
    {AREA("uu", "class UU, and what is drawn over it", "#ffffff", "UU: neither")},
    {AREA("nu", "class NU, continuous system on its limit", "#e0e0e0", "NU: system neutral")},
    {AREA("ns", "class NS, continuous system on its limit, simulation stable", "#b5d6ee",
          "NS: neutral, stable"),
     ONE_WAY("#0072b2", 90, 0.17)},
    {AREA("sn", "class SN, simulation on its limit", "#b0b0b0", "SN: simulation on its limit")},
    {AREA("un", "class UN, simulation on its limit, system unstable", "#b0b0b0",
          "UN: simulation on its limit")},
    {AREA("nn", "class NN, both on their limit", "#b0b0b0", "NN: both on their limit")},
    {AREA("xu", "class XU, continuous system not known", "#ffffff", "XU: unstable")},
    {AREA("xs", "class XS, continuous system not known, simulation stable", "#b5d6ee", "XS: stable"),
     ONE_WAY("#0072b2", 90, 0.17)},
    {AREA("xn", "class XN, continuous system not known, simulation on its limit", "#b0b0b0",
          "XN: simulation on its limit")},
    {AREA("undecided", "undecided", "#a8a8a8", "undecided"), .hatch = "#404040", .pattern_count = 2,
     .patterns = {{45, 0.09}, {-45, 0.09}}},
    {AREA("failed", "no result", "#808080", "no result")},
    {AREA("none_stable", "where no coupling is stable at the first macro step", "#808080", "none stable")},
    {LINE("tie", "where another coupling is within 1 % of the best", "#404040", 0.4, "1", "tie, within 1 %"),
     ONE_WAY("#404040", 45, 0.15)},
    {LINE("best_border", "where another coupling becomes the best", "#000000", 0.8, "1", NULL)},
    {AREA("quadrant", "continuous system stable", "#f0f0f0", "system stable")},
    {AREA("ground", "what is not stable, and what is drawn over it", "#ffffff", NULL)},
    {AREA("stable", "stable", "#b5d6ee", NULL), ONE_WAY("#0072b2", 45, 0.17)},
    {LINE("det", "boundary Det D = 1", "#000000", 1.2, "1", "γ" NAMES_INDEX("1") ": " DET " = 1")},
    {LINE("fold", "boundary Det D = Tr D - 1", "#0072b2", 1.4, "'-'",
          "γ" NAMES_INDEX("2") ": " DET " = " TR " − 1")},
    {LINE("flip", "boundary Det D = -Tr D - 1", "#d55e00", 1.4, "'-.'",
          "γ" NAMES_INDEX("3") ": " DET " = −" TR " − 1")},
    {LINE("iteration", "boundary where the coupling iteration begins to diverge", "#009e73", 1.6, "'.'",
          "iteration radius 1")},
    {LINE("det_beyond", "Det D = 1 beyond the stable set", "#000000", 0.5, "1", NULL)},
    {LINE("fold_beyond", "Det D = Tr D - 1 beyond the stable set", "#0072b2", 0.5, "'-'", NULL)},
    {LINE("flip_beyond", "Det D = -Tr D - 1 beyond the stable set", "#d55e00", 0.5, "'-.'", NULL)},
    {LINE("iteration_beyond", "iteration radius = 1 beyond the stable set", "#009e73", 0.6, "'.'", NULL)},
    {DOTS("isolated", "points of the zero sets that belong to no curve of theirs", "#000000", 7, 0.5,
          "isolated point of γ" NAMES_INDEX("2") ", γ" NAMES_INDEX("3"))},
    {LINE("simulation", "stable set of the simulation", "#0072b2", 1.2, "1", "simulation"),
     ONE_WAY("#0072b2", 0, 0.19)},
    {LINE("cross", "stable set of cross coupling", "#000000", 1.2, "'-'", "cross"),
     ONE_WAY("#000000", 90, 0.19)},
    {LINE("zigzag", "stable set of zigzag coupling", "#009e73", 1.4, "'-.'", "zigzag"),
     ONE_WAY("#009e73", -45, 0.19)},
    {LINE("strong", "stable set of strong coupling", "#d55e00", 1.6, "'.'", "strong"),
     ONE_WAY("#d55e00", 45, 0.19)},
    {AREA("disc", "inside of the unit circle", "#eef4f9", NULL)},
    {AREA("half_plane", "left of the imaginary axis", "#eef4f9", NULL)},
    {DOTS("inside", "eigenvalues inside the unit circle", "#0072b2", 7, 0.6, "inside the unit circle")},
    {DOTS("outside", "eigenvalues outside the unit circle", "#d55e00", 9, 0.8, "outside")},
    {DOTS("neutral", "eigenvalues on the unit circle, to what can be told", "#000000", 4, 0.8,
          "on it: neutral")},
    {LINE("locus", "eigenvalues along the parameter", "#0072b2", 1.1, "1", "eigenvalues")},
    {DOTS("locus_start", "where the range begins", "#0072b2", 6, 0.6, "at the range's begin")},
    {DOTS("passes", "where stability begins or ends", "#d55e00", 7, 0.8, "stability begins or ends")},
    {DOTS("passes_unstable", "where another eigenvalue passes the limit of stability", "#d55e00", 6, 0.9,
          "another one passes")},
    {AREA("lower_side", "from the nominal value down to where the class changes", "#b5d6ee",
          "down to a change of class"),
     ONE_WAY("#0072b2", 45, 0.17)},
    {AREA("upper_side", "from the nominal value up to where the class changes", "#f9e9ad",
          "up to a change of class"),
     ONE_WAY("#a33f00", -45, 0.17)},
    {AREA("all_sequences", "steps all sequences of which are stable", "#d3ece2", "stable in any order")},
    {LINE("cycle", "steps of the cycle that grows most", "#d55e00", 2.0, "1", "the cycle that grows most")},
    {LINE("repeated", "the cycle taken again", "#d55e00", 1.0, "'-'", "taken again and again")},
    {LINE("asked", "shortest and longest step of the sequences", "#404040", 0.8, "'-'", NULL)},
    {AREA("rim", "arrows: the change lies beyond the panel", "#000000", NULL)},
    {AREA("no_change", "as far as was searched, without a change of class", "#ededed", "no change found")},
    {LINE("own_lines", "lines of a file", "#000000", 1.0, "'-..'", NULL), .order = 1001},
    {DOTS("own_points", "points of a file", "#000000", 2, 0.6, NULL), .order = 2000},
    {LINE("exact", "solution of the continuous system", "#808080", 0.8, "1", "continuous system")},
    {LINE("bound", "bound of the error, [MS] eq. 30", "#404040", 0.6, "'_  '", "bound, [MS] (30)"),
     .order = 1000},
    {LINE("stable_side", "ticks on the stable side of a boundary", "#404040", 0.6, "1", "ticks: stable side"),
     .order = 999},
    {LINE("axes", "axes through the origin", "#404040", 0.5, "1", NULL)},
    {LINE("edge", "boundary of stability", "#000000", 1.1, "1", NULL)},
    {LINE("continuous", "boundary of the continuous system's stability", "#707070", 0.7, "'-'", NULL)},
    {LINE("unit", "the value at which stability ends", "#404040", 0.5, "1", NULL)},
    {LINE("level", "a level", "#606060", 0.4, "1", NULL)},
    {LINE("one", "level 1", "#000000", 1.6, "1", NULL)},
    {LINE("jump", "where an area jumps, or grows without bound", "#707070", 0.5, "'.'", NULL)},
    {LINE("frame", "frames of bars", "#404040", 0.5, "1", NULL)},
};
const int scene_styles_count = sizeof scene_styles / sizeof *scene_styles;

/* Lines with the dashes of an earlier line are thinner; dots look thinner than they are. */
void scene_tell_apart(scene_style *style, int k, double width, bool dashed) {
    static const char *const dashes[] = {"1", "'-'", "'_.'", "'. '"};
    int first = dashed, count = 4 - first, which = first + k % count;
    bool thin = k / count % 2 == 1;
    style->dash = dashes[which];
    style->width = width * (which == 3 ? 1.2 : 1) * (thin ? 0.5 : 1);
}
