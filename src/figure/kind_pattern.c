/* Kind `pattern`: macro steps over their number as a staircase, a panel for each coupling.
 *   1. The cycle of steps that grows most (pattern/pattern.c), once as a thick line, and repeated as a thin
 *      one until SHOWN steps or one cycle are drawn.
 *   2. Behind it the range of steps of which all sequences are stable, as a band; the shortest and the
 *      longest step that were allowed, as lines with their numbers.
 *   3. The vertical axis is logarithmic where these differ by a factor of LOG_FROM; the caption says between
 *      which bounds the growth per step lies. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define ROOM       1.12 /* of the axis over the longest step; a power of it each way if it is logarithmic */
#define LOG_FROM   8.0  /* ratio of the longest to the shortest step from which the axis is logarithmic */
#define LOG_EDGES  2.0
#define NARROWEST  7 /* cm: what is said of the cycle has room beside it */
#define WORDS_SIZE 0.8
#define WORDS_UP   0.04 /* of the panel's height: from a line to the words above it */
enum { SHOWN = 8 };     /* steps, or one cycle */

/* What the file has of a coupling: bounds of the growth per step; the range of steps of which all sequences
 * are stable; the shortest and the longest step allowed. */
enum { LOWER, UPPER, SAFE_FROM, SAFE_TO, FROM, TO, NUMBERS };
typedef struct cycle {
    double numbers[NUMBERS]; /* by the names above */
    const double *steps;     /* of the cycle that grows most */
    size_t count;            /* of them; 0: there is none */
} cycle;

/* The shortest and the longest step, each named above its line. */
static void draw_asked(scene_panel *p, const cycle *c) {
    const double *x = p->x.range, up = WORDS_UP * (p->y.range[1] - p->y.range[0]);
    outline lines = {0};
    for (int k = 0; k < 2; k++) {
        double step = c->numbers[k == 0 ? FROM : TO], at = scene_place(&p->y, step);
        char number[NAMES_NUMBER_MAX], words[NAMES_NUMBER_MAX + 32];
        (void)text_format(words, sizeof words, "%s step: %s", k == 0 ? "shortest" : "longest",
                          names_number(step, number));
        scene_line(&lines, x[0], at, x[1], at);
        scene_put_words(p, x[1] - 0.015 * (x[1] - x[0]), at + up, -1, WORDS_SIZE, words);
    }
    scene_put(p, SCENE_CURVE, "asked", &lines);
}

/* The steps k, each held until the next: of the first cycle, or of those behind it. */
static void draw_steps(scene_panel *p, const cycle *c, bool first) {
    size_t begin = first ? 0 : c->count, end = first ? c->count : (size_t)p->x.range[1];
    outline line = {0};
    for (size_t k = begin; k < end; k++) {
        double at = scene_place(&p->y, c->steps[k % c->count]);
        outline_add_point(&line, (double)k, at, OUTLINE_CUT);
        outline_add_point(&line, (double)(k + 1), at, OUTLINE_CUT);
    }
    outline_add_loop(&line, 0, OUTLINE_CUT, false);
    scene_put(p, SCENE_CURVE, first ? "cycle" : "repeated", &line);
}

/* Below the steps: how far one cycle reaches. */
static void draw_reach(scene_panel *p, const cycle *c) {
    const double height = p->y.range[1] - p->y.range[0], at = p->y.range[0] + 0.07 * height,
                 tick = 0.02 * height;
    const double end = (double)c->count;
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
    draw_asked(p, c);
    if (c->count == 0) return;
    draw_steps(p, c, false);
    draw_steps(p, c, true);
    draw_reach(p, c);
}

/* The name of the coupling, and between which bounds it grows. */
static const char *say_growth(scene_panel *p, const cycle *c) {
    text caption = {0};
    char shown[2][NAMES_NUMBER_MAX];
    text_append(&caption, p->caption);
    if (caption.size > 0) text_append(&caption, ": ");
    for (int k = 0; k < 2; k++) {
        double growth = c->numbers[k == 0 ? LOWER : UPPER];
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
    size_t shown = c->count > 0 ? c->count * ((SHOWN + c->count - 1) / c->count) : SHOWN;
    double low = c->numbers[FROM], high = c->numbers[TO];
    if (isnan(low)) low = high = 1;
    p->caption = say_growth(p, c);
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
        p->y.range[k] = scene_place(&p->y, steps[k]);
    }
    p->x.label = "number of the macro step";
    p->y.label = "macro step";
    p->proportion = 0.6;
    p->narrowest = NARROWEST;
}

static costab_status fill_panel(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    static const char *const names[NUMBERS] = {"lower", "upper", "safe_from", "safe_to", "from", "to"};
    int axis = costab_plan_axis(r->plan, "step");
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
                                  .fields = {"pattern", "safe_to"},
                                  .without = "draws what 'costab pattern -o' writes",
                                  .caption = "patterns",
                                  .panel = fill_panel,
                                  .alone = true,
                                  .window = true};
