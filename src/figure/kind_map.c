/* Kind `map`: the eigenvalues of the map of one macro step in the complex plane, with the unit circle, a
 * panel for each coupling.
 *   1. The window holds the circle and all eigenvalues whose parts are at most MOST; or it is the one asked
 *      for.
 *   2. Eigenvalues inside, outside and within NEUTRAL of the circle have marks of their own. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"

#define CORNERS 180  /* of the circle: its chords are off by 1.5e-4 */
#define ROOM    1.08 /* of the window over the largest eigenvalue */
#define FAR_OUT 5.0  /* the layout may widen a range */
#define NEUTRAL 1e-6 /* from the unit circle: nearer ones are drawn as on it; not the slack of a verdict */
#define MOST    1e3  /* eigenvalues with a larger real or imaginary part leave the window */

void figure_plane(const figure_request *r, scene_panel *p, double most) {
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

void figure_circle(scene_panel *p) {
    double corners[CORNERS][2];
    outline disc = {0}, circle = {0}, lines = {0};
    double most =
        FAR_OUT * fmax(fmax(1, -fmin(p->x.range[0], p->y.range[0])), fmax(p->x.range[1], p->y.range[1]));
    for (int i = 0; i < CORNERS; i++) {
        corners[i][0] = cos(2 * acos(-1.0) * i / CORNERS);
        corners[i][1] = sin(2 * acos(-1.0) * i / CORNERS);
    }
    outline_polygon(&disc, (const double(*)[2])corners, CORNERS, OUTLINE_CUT);
    outline_append(&circle, &disc);
    scene_put(p, SCENE_FILL, "disc", &disc);
    scene_put(p, SCENE_CURVE, "edge", &circle);
    scene_line(&lines, -most, 0, most, 0);
    scene_line(&lines, 0, -most, 0, most);
    scene_put(p, SCENE_CURVE, "axes", &lines);
}

/* Those inside, those outside and those on the circle are drawn unlike. */
static int side_of(double size) {
    return fabs(size - 1) <= NEUTRAL ? 2 : size > 1;
}

static void draw_values(scene_panel *p, const double *re, const double *im, size_t count) {
    static const char *const styles[] = {"inside", "outside", "neutral"};
    outline dots[3] = {{0}, {0}, {0}};
    for (size_t i = 0; i < count; i++)
        if (scene_shows(p, re[i], im[i]))
            outline_add_point(&dots[side_of(hypot(re[i], im[i]))], re[i], im[i], OUTLINE_CUT);
    for (int k = 0; k < 3; k++) scene_put_points(p, styles[k], &dots[k]);
}

static costab_status fill_panel(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    int axis = costab_plan_axis(r->plan, "eigenvalue");
    memory_local double *re = NULL, *im = NULL;
    double most = 1;
    size_t count = axis >= 0 ? r->plan->axes[axis].count : 0;
    const read_item items[] = {{"eigenvalue_real", &axis, 1, .numbers = &re},
                               {"eigenvalue_imaginary", &axis, 1, .numbers = &im}};
    TRY(read_items(r->results, at, items, 2, error));
    for (size_t i = 0; i < count; i++) {
        double size = fmax(fabs(re[i]), fabs(im[i]));
        if (size <= MOST) most = fmax(most, size);
    }
    figure_plane(r, p, most);
    for (size_t i = 0; i < count; i++)
        if (fmax(fabs(re[i]), fabs(im[i])) > MOST && !scene_shows(p, re[i], im[i]))
            scene_note(p->scene, "Eigenvalues beyond 1000 are not shown; x_range and y_range show them.");
    figure_circle(p);
    draw_values(p, re, im, count);
    return COSTAB_OK;
}

const figure_kind kind_map = {.name = "map",
                              .fields = {"eigenvalue_real"},
                              .without = "draws what 'costab map -o' writes",
                              .caption = "eigenvalues",
                              .alone = true,
                              .window = true,
                              .panel = fill_panel};
