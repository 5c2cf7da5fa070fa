/* Kind `map`: the eigenvalues of the map of one macro step in the unit circle, a panel for each coupling. */
#include <math.h>

#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"

#define CORNERS 180  /* of the circle: its chords are off by 1.5e-4 */
#define ROOM    1.08 /* of the window over the largest eigenvalue */
#define ROOM    1.08 /* of the window over the largest eigenvalue */
#define FAR_OUT 5.0  /* the layout may widen a range */
#define NEUTRAL 1e-6 /* from the unit circle: closer ones are told from it by no rounding */
#define MOST    1e3  /* times the middle eigenvalue: larger ones leave the window */

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "eigenvalue_real") ? NULL : "'map' draws what 'costab map -o' writes";
}

void figure_plane(const figure_request *r, scene *s, scene_panel *p, const size_t *at, double most) {
    text caption = {0};
    figure_caption(r, figure_sliced(r, r->kinds[0]), at, "eigenvalues", &caption);
    p->caption = scene_keep_text(s, &caption);
    for (int k = 0; k < 2; k++) {
        double *range = k == 0 ? p->x.range : p->y.range;
        range[0] = -ROOM * most;
        range[1] = ROOM * most;
        figure_ask_range(k == 0 ? &r->figure->x : &r->figure->y, range);
    }
    p->equal = true;
    p->x.label = "real part";
    p->y.label = "imaginary part";
}

costab_status figure_circle(scene *s, scene_panel *p, costab_error *error) {
    double corners[CORNERS][2];
    outline disc = {0}, circle = {0}, lines = {0};
    double most = FAR_OUT * fmax(1, fmax(p->x.range[1], p->y.range[1]));
    for (int i = 0; i < CORNERS; i++) {
        corners[i][0] = cos(2 * acos(-1.0) * i / CORNERS);
        corners[i][1] = sin(2 * acos(-1.0) * i / CORNERS);
    }
    costab_status status = outline_polygon(&disc, (const double(*)[2])corners, CORNERS, OUTLINE_CUT, error);
    if (!status) status = outline_append(&circle, &disc, error);
    scene_put(s, p, SCENE_FILL, "disc", &disc);
    scene_put(s, p, SCENE_CURVE, "edge", &circle);
    if (!status) status = scene_line(&lines, -most, 0, most, 0, error);
    if (!status) status = scene_line(&lines, 0, -most, 0, most, error);
    scene_put(s, p, SCENE_CURVE, "axes", &lines);
    return status;
}

/* Those inside, those outside and those on the circle are drawn unlike. */
static int side_of(double size) {
    return fabs(size - 1) <= NEUTRAL ? 2 : size > 1;
}

static costab_status draw_values(scene *s, scene_panel *p, const double *re, const double *im, size_t count,
                                 costab_error *error) {
    static const char *const styles[] = {"inside", "outside", "neutral"};
    outline dots[3] = {{0}, {0}, {0}};
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < count && !status; i++) {
        bool shown = re[i] >= p->x.range[0] && re[i] <= p->x.range[1] && im[i] >= p->y.range[0] &&
                     im[i] <= p->y.range[1];
        outline *into = &dots[side_of(hypot(re[i], im[i]))];
        if (shown) status = outline_add_point(into, re[i], im[i], OUTLINE_CUT, error);
    }
    for (int k = 0; k < 3; k++) {
        if (!status) status = outline_add_loop(&dots[k], 0, OUTLINE_CUT, false, error);
        scene_put(s, p, SCENE_POINTS, styles[k], &dots[k]);
    }
    return status;
}

static costab_status add_panel(const figure_request *r, scene *s, const size_t *at, costab_error *error) {
    int axis = costab_plan_axis(r->plan, "eigenvalue");
    double *values[2] = {NULL, NULL}, most = 1;
    size_t count = axis >= 0 ? r->plan->axes[axis].count : 0;
    scene_panel *p = scene_add_panel(s);
    if (!p) return scene_status(s, r->path, error);
    costab_status status = axis < 0 ? read_missing(r->results, "eigenvalue_real", error) : COSTAB_OK;
    for (int k = 0; k < 2 && !status; k++) {
        const char *field = k == 0 ? "eigenvalue_real" : "eigenvalue_imaginary";
        status = read_numbers(r->results, field, at, &axis, 1, &values[k], error);
    }
    for (size_t i = 0; i < count && !status; i++) {
        double size = fmax(fabs(values[0][i]), fabs(values[1][i]));
        if (size <= MOST) most = fmax(most, size);
        if (size > MOST) scene_note(s, "Eigenvalues beyond 1000 are not shown.");
    }
    figure_plane(r, s, p, at, most);
    if (!status) status = figure_circle(s, p, error);
    if (!status) status = draw_values(s, p, values[0], values[1], count, error);
    for (int k = 0; k < 2; k++) memory_free(values[k]);
    return status;
}

const figure_kind kind_map = {.name = "map",
                              .over = "coupling",
                              .alone = true,
                              .window = true,
                              .slices = figure_over_slices,
                              .fault = fault,
                              .panel = add_panel};
