/* Kind `pattern`: macro steps over their number, as a staircase: the cycle that grows most, once and taken
 * again, between the shortest and the longest step that were allowed; behind it the range of steps that are
 * stable in any order. A panel for each coupling. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define ROOM      1.12 /* of the axis over the longest step; a power of it each way if it is logarithmic */
#define LOG_FROM  8.0  /* ratio of the longest to the shortest step from which the axis is logarithmic */
#define LOG_EDGES 2.0
#define NARROWEST 7    /* cm: what is said of the cycle has room beside it */
#define WORDS_UP  0.04 /* of the panel's height: from a line to the words above it */
enum { SHOWN = 8 };    /* steps, or one cycle */

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

static void put_words(scene *s, scene_panel *p, double x, double y, int side, bool bare, const char *words) {
    const scene_text item = {.x = x, .y = y, .side = side, .bare = bare, .size = 0.8, .shown = words};
    scene_put_text(s, p, &item);
}

/* The shortest and the longest step, each named above its line. */
static costab_status draw_asked(scene *s, scene_panel *p, const cycle *c, costab_error *error) {
    const double *x = p->x.range, up = WORDS_UP * (p->y.range[1] - p->y.range[0]);
    outline lines = {0};
    costab_status status = COSTAB_OK;
    for (int k = 0; k < 2 && !status; k++) {
        double step = c->of[k == 0 ? FROM : TO], at = place_of(p, step);
        char number[RICH_NUMBER_MAX], words[RICH_NUMBER_MAX + 32];
        (void)text_format(words, sizeof words, "%s step: %s", k == 0 ? "shortest" : "longest",
                          rich_number(step, number));
        status = scene_line(&lines, x[0], at, x[1], at, error);
        put_words(s, p, x[1] - 0.015 * (x[1] - x[0]), at + up, -1, true, words);
    }
    scene_put(s, p, SCENE_CURVE, "asked", &lines);
    return status;
}

/* The steps k, each held until the next: of the first cycle, or of those behind it. */
static costab_status draw_steps(scene *s, scene_panel *p, const cycle *c, bool first, costab_error *error) {
    size_t begin = first ? 0 : c->count, end = first ? c->count : (size_t)p->x.range[1];
    outline line = {0};
    size_t start = line.point_count;
    costab_status status = COSTAB_OK;
    for (size_t k = begin; k < end && !status; k++) {
        double at = place_of(p, c->steps[k % c->count]);
        status = outline_add_point(&line, (double)k, at, OUTLINE_CUT, error);
        if (!status) status = outline_add_point(&line, (double)(k + 1), at, OUTLINE_CUT, error);
    }
    if (!status && end > begin) status = outline_add_loop(&line, start, OUTLINE_CUT, false, error);
    scene_put(s, p, SCENE_CURVE, first ? "cycle" : "repeated", &line);
    return status;
}

/* Below the steps: how far one cycle reaches. */
static costab_status draw_reach(scene *s, scene_panel *p, const cycle *c, costab_error *error) {
    const double height = p->y.range[1] - p->y.range[0], at = p->y.range[0] + 0.07 * height,
                 tick = 0.02 * height;
    const double end = (double)c->count;
    outline line = {0};
    char words[48];
    costab_status status = scene_line(&line, 0, at, end, at, error);
    if (!status) status = scene_line(&line, 0, at - tick, 0, at + tick, error);
    if (!status) status = scene_line(&line, end, at - tick, end, at + tick, error);
    (void)text_format(words, sizeof words, "one cycle: %zu step%s", c->count, c->count > 1 ? "s" : "");
    put_words(s, p, end + 0.015 * (p->x.range[1] - p->x.range[0]), at, 1, true, words);
    scene_put(s, p, SCENE_CURVE, "edge", &line);
    return status;
}

static costab_status draw_cycle(scene *s, scene_panel *p, const cycle *c, costab_error *error) {
    outline safe = {0};
    costab_status status = COSTAB_OK;
    if (c->of[SAFE_TO] > c->of[SAFE_FROM])
        status = scene_box(&safe, p->x.range[0], place_of(p, c->of[SAFE_FROM]), p->x.range[1],
                           place_of(p, c->of[SAFE_TO]), error);
    scene_put(s, p, SCENE_FILL, "all_sequences", &safe);
    if (!status) status = draw_asked(s, p, c, error);
    if (c->count == 0 || status) return status;
    status = draw_steps(s, p, c, false, error);
    if (!status) status = draw_steps(s, p, c, true, error);
    return status ? status : draw_reach(s, p, c, error);
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
    if (p->y.log) {
        steps[0] = low / LOG_EDGES;
        steps[1] = high * pow(high / low, ROOM - 1);
    }
    figure_ask_range(&r->figure->x, numbers);
    figure_ask_range(&r->figure->y, steps);
    if (p->y.log && !(steps[0] > 0)) p->y.log = false;
    for (int k = 0; k < 2; k++) {
        p->x.range[k] = numbers[k];
        p->y.range[k] = p->y.log ? log10(steps[k]) : steps[k];
    }
    p->x.label = "number of the macro step";
    p->y.label = "macro step";
    p->proportion = 0.6;
    p->narrowest = NARROWEST;
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
