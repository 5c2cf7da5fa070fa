/* Kind `pattern`: macro steps over their number as a staircase, a panel for each coupling.
 *   1. The cycle of steps with the fastest growth is a thick line. Further whole cycles, up to SHOWN steps or
 *      more in total, are a thin line.
 *   2. A band shows the steps of which all sequences are stable; lines show the shortest and the longest step
 *      allowed. The vertical axis is logarithmic if these differ by a factor of LOG_FROM.
 *   3. The caption gives bounds of the growth per step. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define ROOM       1.12 /* the axis' end over the longest step */
#define LOG_FROM   8.0
#define LOG_EDGES  2.0 /* factor from a logarithmic axis' start to the shortest step */
#define NARROWEST  7   /* cm: the words beside the cycle have space */
#define WORDS_SIZE 0.8
#define WORDS_UP   0.04 /* of the panel's height: from a line to the words above it */

enum { SHOWN = 8 };

/* The fields of a coupling: bounds of the growth per step; the steps of which all sequences are stable; the
 * steps allowed; the cycle that grows most. */
enum { LOWER, UPPER, SAFE_FROM, SAFE_TO, FROM, TO, NUMBERS };
typedef struct cycle {
    double numbers[NUMBERS];
    const double *steps;
    size_t count; /* 0: there is no cycle */
} cycle;

static void draw_allowed(scene_panel *p, const cycle *c) {
    const double *x = p->x.range, up = WORDS_UP * (p->y.range[1] - p->y.range[0]);
    outline lines = {0};
    for (int k = 0; k < 2; k++) {
        const double step = c->numbers[k == 0 ? FROM : TO], at = scene_place(&p->y, step);
        char number[NAMES_NUMBER_MAX], words[NAMES_NUMBER_MAX + 32];
        (void)text_format(words, sizeof words, "%s step: %s", k == 0 ? "shortest" : "longest",
                          names_number(step, number));
        scene_line(&lines, x[0], at, x[1], at);
        scene_put_words(p, x[1] - 0.015 * (x[1] - x[0]), at + up, -1, WORDS_SIZE, words);
    }
    scene_put(p, SCENE_CURVE, "asked", &lines);
}

/* Draws the steps of the first cycle, or all later steps, each held until the next. */
static void draw_steps(scene_panel *p, const cycle *c, bool first) {
    const size_t begin = first ? 0 : c->count, end = first ? c->count : (size_t)p->x.range[1];
    outline line = {0};
    for (size_t k = begin; k < end; k++) {
        const double at = scene_place(&p->y, c->steps[k % c->count]);
        outline_add_point(&line, (double)k, at, OUTLINE_CUT);
        outline_add_point(&line, (double)(k + 1), at, OUTLINE_CUT);
    }
    outline_add_loop(&line, 0, OUTLINE_CUT, false);
    scene_put(p, SCENE_CURVE, first ? "cycle" : "repeated", &line);
}

/* Draws the length of one cycle, below the steps. */
static void draw_length(scene_panel *p, const cycle *c) {
    const double height = p->y.range[1] - p->y.range[0], at = p->y.range[0] + 0.07 * height,
                 tick = 0.02 * height, end = (double)c->count;
    outline line = {0};
    char words[48];
    scene_line(&line, 0, at, end, at);
    scene_line(&line, 0, at - tick, 0, at + tick);
    scene_line(&line, end, at - tick, end, at + tick);
    (void)text_format(words, sizeof words, "one cycle: %zu step%s", c->count, c->count > 1 ? "s" : "");
    scene_put_words(p, end + 0.015 * (p->x.range[1] - p->x.range[0]), at, 1, WORDS_SIZE, words);
    scene_put(p, SCENE_CURVE, "edge", &line);
}

static void draw_cycle(scene_panel *p, const cycle *c) {
    outline safe = {0};
    if (c->numbers[SAFE_TO] > c->numbers[SAFE_FROM])
        scene_box(&safe, p->x.range[0], scene_place(&p->y, c->numbers[SAFE_FROM]), p->x.range[1],
                  scene_place(&p->y, c->numbers[SAFE_TO]));
    scene_put(p, SCENE_FILL, "all_sequences", &safe);
    draw_allowed(p, c);
    if (c->count == 0) return;
    draw_steps(p, c, false);
    draw_steps(p, c, true);
    draw_length(p, c);
}

/* Returns the caption: the coupling's name and the bounds of its growth. */
static const char *say_growth(scene_panel *p, const cycle *c) {
    text caption = {0};
    char shown[2][NAMES_NUMBER_MAX];
    text_append(&caption, p->caption);
    if (caption.size > 0) text_append(&caption, ": ");
    for (int k = 0; k < 2; k++) {
        const double growth = c->numbers[k == 0 ? LOWER : UPPER];
        (void)text_format(shown[k], sizeof shown[k], "%.5f", growth);
        if (!isfinite(growth)) (void)text_format(shown[k], sizeof shown[k], "∞");
    }
    if (isnan(c->numbers[LOWER]))
        text_append(&caption, "left out");
    else if (strcmp(shown[0], shown[1]) == 0)
        text_printf(&caption, "grows by %s per step", shown[0]);
    else
        text_printf(&caption, "grows by %s to %s per step", shown[0], shown[1]);
    return scene_keep_text(p->scene, &caption);
}

static void set_axes(const figure_request *r, scene_panel *p, const cycle *c) {
    const size_t shown = c->count > 0 ? c->count * ((SHOWN + c->count - 1) / c->count) : SHOWN;
    const bool known = !isnan(c->numbers[FROM]);
    const double low = known ? c->numbers[FROM] : 1, high = known ? c->numbers[TO] : 1;
    double steps[2] = {0, ROOM * high};
    p->y.log = high > LOG_FROM * low;
    if (p->y.log) {
        steps[0] = low / LOG_EDGES;
        steps[1] = high * pow(high / low, ROOM - 1);
    }
    p->x.range[1] = (double)shown;
    figure_apply_range(&r->figure->x, p->x.range);
    figure_apply_range(&r->figure->y, steps);
    if (!(steps[0] > 0)) p->y.log = false;
    for (int k = 0; k < 2; k++) p->y.range[k] = scene_place(&p->y, steps[k]);
    p->caption = say_growth(p, c);
    p->x.label = "number of the macro step";
    p->y.label = "macro step";
    p->proportion = 0.6;
    p->narrowest = NARROWEST;
}

static costab_status fill_panel(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    static const char *const names[NUMBERS] = {"lower", "upper", "safe_from", "safe_to", "from", "to"};
    const int axis = costab_plan_axis(r->plan, "step");
    memory_local double *steps = NULL;
    cycle c = {.count = 0};
    if (axis < 0) return read_missing(r->results, "pattern", error);
    for (int f = 0; f < NUMBERS; f++) {
        memory_local double *number = NULL;
        TRY(read_numbers(r->results, names[f], at, NULL, 0, &number, error));
        c.numbers[f] = number[0];
    }
    TRY(read_numbers(r->results, "pattern", at, &axis, 1, &steps, error));
    c.steps = steps;
    while (c.count < r->plan->axes[axis].count && c.steps[c.count] > 0) c.count++;
    set_axes(r, p, &c);
    if (!isnan(c.numbers[FROM])) draw_cycle(p, &c);
    return COSTAB_OK;
}

const figure_kind kind_pattern = {.name = "pattern",
                                  .systems = FIGURE_NETWORK,
                                  .fields = {"pattern", "safe_to"},
                                  .without = "draws what 'costab pattern -o' writes",
                                  .caption = "patterns",
                                  .panel = fill_panel,
                                  .alone = true,
                                  .window = true};
