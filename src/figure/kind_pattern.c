/* Kind `pattern`: the cycle of macro steps that grows most, taken again and again, and the range of steps all
 * sequences of which are stable; a panel for each coupling. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define ROOM      1.12 /* of the axis over the longest step; a power of it each way if it is logarithmic */
#define LOG_FROM  8.0  /* ratio of the longest to the shortest step from which the axis is logarithmic */
#define LOG_EDGES 2.5
enum { SHOWN = 8 }; /* steps, or one cycle */

/* What the file has of a coupling. */
enum { LOWER, UPPER, SAFE_FROM, SAFE_TO, FROM, TO, NUMBERS };
typedef struct cycle {
    double of[NUMBERS];
    const double *steps;
    size_t count;
} cycle;

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "pattern") && figure_has_field(r, "safe_to")
               ? NULL
               : "'pattern' draws what 'costab pattern -o' writes";
}

static double place_of(const scene_panel *p, double step) {
    return p->y.log ? log10(step) : step;
}

/* A box from x0 to x1 and from step to step, filled and hatched in one style; framed if wanted. */
static costab_status put_steps(scene *s, scene_panel *p, const char *style, outline *boxes,
                               costab_error *error) {
    outline again = {0};
    costab_status status = outline_append(&again, boxes, error);
    scene_put(s, p, SCENE_FILL, style, boxes);
    scene_put(s, p, SCENE_HATCH, style, &again);
    return status;
}

static costab_status draw_cycle(scene *s, scene_panel *p, const cycle *c, costab_error *error) {
    outline safe = {0}, once = {0}, frames = {0}, ends = {0};
    double from = p->x.range[0], to = p->x.range[1];
    costab_status status = COSTAB_OK;
    if (c->of[SAFE_TO] > c->of[SAFE_FROM])
        status =
            scene_box(&safe, from, place_of(p, c->of[SAFE_FROM]), to, place_of(p, c->of[SAFE_TO]), error);
    for (size_t k = 0; c->count > 0 && (double)k < to && !status; k++) {
        double high = place_of(p, c->steps[k % c->count]), at = (double)k;
        if (k < c->count) status = scene_box(&once, at + 0.12, p->y.range[0], at + 0.88, high, error);
        if (!status) status = scene_box(&frames, at + 0.12, p->y.range[0], at + 0.88, high, error);
    }
    for (int k = 0; k < 2 && !status; k++) {
        double at = place_of(p, c->of[k == 0 ? FROM : TO]);
        status = scene_line(&ends, from, at, to, at, error);
    }
    if (!status) status = put_steps(s, p, "all_sequences", &safe, error);
    if (!status) status = put_steps(s, p, "cycle", &once, error);
    scene_put(s, p, SCENE_CURVE, "frame", &frames);
    scene_put(s, p, SCENE_CURVE, "asked", &ends);
    return status;
}

/* The name of the coupling, and between which bounds it grows. */
static const char *say_growth(const figure_request *r, scene *s, const cycle *c, const size_t *at) {
    text caption = {0};
    char digits[2][32], shown[2][RICH_NUMBER_MAX];
    figure_caption(r, 1U, at, "patterns", &caption);
    if (caption.size > 0) text_append(&caption, ": ");
    if (isnan(c->of[LOWER])) {
        text_append(&caption, "left out");
        return scene_keep_text(s, &caption);
    }
    for (int k = 0; k < 2; k++) {
        text_format(digits[k], sizeof digits[k], "%.5f", c->of[k == 0 ? LOWER : UPPER]);
        text_format(shown[k], sizeof shown[k], "%s",
                    isfinite(c->of[k == 0 ? LOWER : UPPER]) ? digits[k] : "∞");
    }
    text_printf(&caption, strcmp(shown[0], shown[1]) == 0 ? "grows by %s" : "grows by %s to %s", shown[0],
                shown[1]);
    text_append(&caption, " per step");
    return scene_keep_text(s, &caption);
}

static costab_status fill_panel(const figure_request *r, scene *s, scene_panel *p, const cycle *c,
                                const size_t *at, costab_error *error) {
    size_t shown = c->count > 0 ? c->count * ((SHOWN + c->count - 1) / c->count) : SHOWN;
    double low = c->of[FROM], high = c->of[TO];
    if (isnan(low)) low = high = 1;
    p->caption = say_growth(r, s, c, at);
    double steps[2] = {0, ROOM * high}, numbers[2] = {0, (double)shown};
    p->y.log = high > LOG_FROM * low;
    if (p->y.log) steps[0] = low / LOG_EDGES;
    figure_ask_range(&r->figure->x, numbers);
    figure_ask_range(&r->figure->y, steps);
    if (p->y.log && !(steps[0] > 0)) p->y.log = false;
    for (int k = 0; k < 2; k++) {
        p->x.range[k] = numbers[k];
        p->y.range[k] = p->y.log ? log10(steps[k]) : steps[k];
    }
    p->x.label = "steps taken";
    p->y.label = "macro step";
    p->proportion = 0.6;
    return isnan(c->of[FROM]) ? COSTAB_OK : draw_cycle(s, p, c, error);
}

static costab_status add_panel(const figure_request *r, scene *s, const size_t *at, costab_error *error) {
    static const char *const names[NUMBERS] = {"lower", "upper", "safe_from", "safe_to", "from", "to"};
    int axis = costab_plan_axis(r->plan, "step");
    double *values[NUMBERS + 1] = {NULL};
    cycle c = {.count = 0};
    scene_panel *p = scene_add_panel(s);
    if (!p) return scene_status(s, r->path, error);
    costab_status status = axis < 0 ? read_missing(r->results, "pattern", error) : COSTAB_OK;
    for (int f = 0; f <= NUMBERS && !status; f++) {
        const char *name = f < NUMBERS ? names[f] : "pattern";
        status = read_numbers(r->results, name, at, &axis, f < NUMBERS ? 0 : 1, &values[f], error);
        if (!status && f < NUMBERS) c.of[f] = values[f][0];
    }
    if (!status) {
        c.steps = values[NUMBERS];
        while (c.count < r->plan->axes[axis].count && c.steps[c.count] > 0) c.count++;
        status = fill_panel(r, s, p, &c, at, error);
    }
    for (int f = 0; f <= NUMBERS; f++) memory_free(values[f]);
    return status;
}

const figure_kind kind_pattern = {.name = "pattern",
                                  .over = "coupling",
                                  .panel = add_panel,
                                  .fault = fault,
                                  .slices = figure_over_slices,
                                  .alone = true,
                                  .window = true};
