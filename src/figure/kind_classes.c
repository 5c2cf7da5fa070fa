/* Kind `classes` from the grid of a sweep: the classes over two axes as regions.
 *   1. Each of five bits of a class (stable or neutral, map and continuous system; continuous system
 *      unknown) is a cut of the grid (plane.c), through the crossings that the sweep found.
 *   2. The cuts that a region lies inside of make its label, the label its class and style.
 *   3. A class that covers LEAST_SEEN of the panel has its name where there is room, and an entry in the
 *      legend.
 * Cost and limits: those of plane.c. */
#include <ctype.h>

#include "figure/plane.h"

#define LEAST_SEEN 0.0005 /* fraction of a panel that is seen as a region */

/* A label has a bit for each cut. Neutral is what is on the limit within rounding. */
static const int cuts[] = {PLANE_DISCRETE, PLANE_CONTINUOUS, PLANE_CONTINUOUS_NEUTRAL, PLANE_DISCRETE_NEUTRAL,
                           PLANE_UNKNOWN};
enum { CUTS = sizeof cuts / sizeof *cuts, LABELS = 1 << CUTS };

/* The class of a label, the continuous system's letter first. Where two boundaries pass through one cell
 * there are slivers of what no point can be: they are drawn as if nothing were neutral. */
static void class_of(int label, char name[3]) {
    int code = 0;
    for (int k = 0; k < CUTS; k++) code |= (label >> k & 1) != 0 ? cuts[k] : 0;
    const int system = code & (PLANE_CONTINUOUS | PLANE_CONTINUOUS_NEUTRAL | PLANE_UNKNOWN),
              map = code & (PLANE_DISCRETE | PLANE_DISCRETE_NEUTRAL);
    if ((system & (system - 1)) != 0 || (map & (map - 1)) != 0) code &= PLANE_CONTINUOUS | PLANE_DISCRETE;
    name[0] = code & PLANE_UNKNOWN              ? 'X'
              : code & PLANE_CONTINUOUS_NEUTRAL ? 'N'
              : code & PLANE_CONTINUOUS         ? 'S'
                                                : 'U';
    name[1] = code & PLANE_DISCRETE_NEUTRAL ? 'N' : code & PLANE_DISCRETE ? 'S' : 'U';
    name[2] = '\0';
}

/* The style of a label: the class's name in small letters. */
static void style_of(int label, char style[SCENE_WORD_MAX]) {
    class_of(label, style);
    for (char *c = style; *c; c++) *c = (char)tolower((unsigned char)*c);
}

/* Hatching, the name where there is room, and the entry of the legend: not where a little interpolation alone
 * parts two boundaries. */
static void finish_class(plane *w, int label) {
    char style[SCENE_WORD_MAX], shown[3];
    scene_text name = {.anchor = SCENE_INSIDE, .shown = shown};
    class_of(label, shown);
    ends_by(outline_free) outline area = {0};
    outline_choose(&w->regions, label, &area);
    const double *x = w->panel->x.range, *y = w->panel->y.range;
    double size = outline_area(&area), whole = (x[1] - x[0]) * (y[1] - y[0]);
    style_of(label, style);
    if (area.loop_count > 0) {
        outline_append(&name.where, &area);
        scene_put_text(w->panel, &name);
    }
    if (size > LEAST_SEEN * whole) scene_mention(w->s, style);
    if (label % 2 == 1) scene_put(w->panel, SCENE_HATCH, style, &area);
}

static void draw(plane *w) {
    for (int k = 0; k < CUTS; k++) plane_cut_class(w, cuts[k]);
    plane_trace(w);
    plane_paint(w, style_of);
    for (int label = 0; label < LABELS; label++) finish_class(w, label);
    plane_line(w, 1, "continuous", NULL, 0);
    plane_line(w, 0, "edge", NULL, 0);
    outline_append(&w->panel->obstacles, &w->regions);
}

const figure_kind kind_classes = {.name = "classes",
                                  .fields = {"class"},
                                  .without = "draws the field 'class'",
                                  .wide = 2,
                                  .caption = "classes",
                                  .along = 2,
                                  .plane = draw};
