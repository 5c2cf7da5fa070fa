/* Scenes, their layout on paper, ticks and texts: contracts that hold whatever is drawn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "figure/layout.h"
#include "figure/place.h"
#include "figure/rich.h"
#include "figure/script.h"
#include "support/support.h"

/* ---- Ticks */

/* Half a number is to either side of its tick. */
static double reach(const ticks *t, int i) {
    return 0.5 * rich_width(t->of[i].number);
}

static double place_of(const scene_axis *axis, double value) {
    return axis->log ? log10(value) : value;
}

/* Numbers side by side do not touch; what sticks out at the ends is what is said; ticks lie in the range. */
TEST(numbers_do_not_touch) {
    rng r = rng_start("numbers_do_not_touch");
    for (size_t round = 0; round < effort(2000); round++) {
        scene_axis axis = {.log = rng_int(&r, 0, 3) == 0};
        double size = axis.log ? rng_uniform(&r, 0.3, 8) : pow(10, rng_uniform(&r, -9, 9));
        axis.range[0] = (axis.log ? 6 : size) * rng_uniform(&r, -1, 1);
        axis.range[1] = axis.range[0] + size;
        double length = rng_uniform(&r, 2, 16), scale = length / size, end = -HUGE_VAL;
        ticks t;
        ticks_choose(&axis, axis.range, length, true, &t);
        check_true(t.count > 0, "round %zu: no ticks from %g to %g", round, axis.range[0], axis.range[1]);
        for (int i = 0; i < t.count; i++) {
            double at = scale * (place_of(&axis, t.of[i].value) - axis.range[0]);
            check_true(at > -1e-6 * length && at < (1 + 1e-6) * length, "round %zu: a tick outside", round);
            if (t.of[i].number[0] == '\0') continue;
            check_true(at - reach(&t, i) > end, "round %zu: '%s' touches the number before it", round,
                       t.of[i].number);
            end = at + reach(&t, i);
            check_true(reach(&t, i) - at <= t.first + 1e-9 && end - length <= t.last + 1e-9,
                       "round %zu: '%s' sticks out farther than is said", round, t.of[i].number);
            check_true(2 * reach(&t, i) <= t.widest + 1e-9, "round %zu: '%s' is wider", round,
                       t.of[i].number);
        }
    }
}

/* A scale is read from two numbers: each axis upwards has them, and they do not touch (8 pt type is 0.28 cm
 * high); an axis of equal steps has them at multiples of the step. */
TEST(an_axis_has_two_numbers) {
    rng r = rng_start("an_axis_has_two_numbers");
    for (size_t round = 0; round < effort(2000); round++) {
        double size = pow(10, rng_uniform(&r, -9, 9)), length = rng_uniform(&r, 1, 6);
        scene_axis axis = {.range = {size * rng_uniform(&r, -1, 0.5)}};
        axis.range[1] = axis.range[0] + size;
        ticks t;
        ticks_choose(&axis, axis.range, length, false, &t);
        check_true(t.count >= 2, "round %zu: %d numbers from %g to %g on %g cm", round, t.count,
                   axis.range[0], axis.range[1], length);
        for (int i = 1; i < t.count; i++) {
            double gap = (t.of[i].value - t.of[i - 1].value) / size * length;
            check_true(gap > 0.32, "round %zu: '%s' and '%s' touch", round, t.of[i - 1].number,
                       t.of[i].number);
            check_near(gap, (real)((t.of[1].value - t.of[0].value) / size * length), 1e-9, "round %zu: steps",
                       round);
        }
    }
}

/* No number of a linear axis has an exponent: its power of ten stands at the axis, and number times power is
 * the tick. */
TEST(powers_stand_at_the_axis) {
    for (int power = -12; power <= 12; power++) {
        scene_axis axis = {.range = {-0.3 * pow(10, power), 2.1 * pow(10, power)}};
        ticks t;
        ticks_choose(&axis, axis.range, 6, false, &t);
        for (int i = 0; i < t.count; i++) {
            char shown[RICH_NUMBER_MAX];
            assert_null(strstr(t.of[i].number, "10\004"));
            assert_true(strlen(t.of[i].number) <= 8);
            assert_string_equal(rich_number(t.of[i].value / pow(10, t.power), shown), t.of[i].number);
        }
    }
}

/* Numbers that many digits would not tell apart leave out what they share, which stands at the axis: what is
 * shown gives the tick again to a thousandth of a step, and no two are alike. */
TEST(numbers_are_told_apart) {
    rng r = rng_start("numbers_are_told_apart");
    for (size_t round = 0; round < effort(2000); round++) {
        double middle = pow(10, rng_uniform(&r, -3, 4)) * (rng_int(&r, 0, 1) ? 1 : -1);
        double size = fabs(middle) * pow(10, rng_uniform(&r, -9, 0));
        scene_axis axis = {.range = {middle - 0.5 * size, middle + 0.5 * size}, .plain = round % 2 == 0};
        ticks t;
        ticks_choose(&axis, axis.range, rng_uniform(&r, 2, 9), false, &t);
        for (int i = 0; i < t.count; i++) {
            const char *number = t.of[i].number;
            bool minus = strncmp(number, "−", strlen("−")) == 0;
            double shown = strtod(number + (minus ? strlen("−") : 0), NULL) * (minus ? -1 : 1);
            double step = i > 0 ? t.of[i].value - t.of[i - 1].value : t.of[1].value - t.of[0].value;
            check_true(i == 0 || strcmp(number, t.of[i - 1].number) != 0, "round %zu: '%s' twice", round,
                       number);
            double off = fabs(t.offset + shown * pow(10, t.power) - t.of[i].value);
            check_true(off <= 1e-3 * step + 1e-15 * fabs(middle), "round %zu: '%s' of %.17g", round, number,
                       t.of[i].value);
        }
        text name = {0};
        ticks_name(&t, &name);
        assert_int_equal(name.size > 0, t.offset != 0 || t.power != 0);
        text_free(&name);
    }
}

/* However many decades a logarithmic axis spans: a number that is a power of 10 stands at it, and the last
 * number lies within as many decades of the end as lie between two numbers. */
TEST(decades_are_named_where_they_are) {
    for (int span = 5; span <= 300; span++) {
        scene_axis axis = {.log = true, .range = {-span + 0.4, 0.3}};
        ticks t;
        int last = 0, before = 0, named = 0;
        ticks_choose(&axis, axis.range, 6, false, &t);
        for (int i = 0; i < t.count; i++) {
            const char *number = t.of[i].number, *power = strstr(number, "10\004");
            if (power == NULL) continue;
            const char *digits = power + 3;
            bool negative = strncmp(digits, "−", strlen("−")) == 0;
            int value = (int)strtol(digits + (negative ? strlen("−") : 0), NULL, 10);
            check_true(fabs(log10(t.of[i].value) - (negative ? -value : value)) < 1e-9,
                       "%d decades: '%s' at %g", span, number, t.of[i].value);
            before = last;
            last = negative ? -value : value;
            named++;
        }
        check_true(named >= 2 && -last <= last - before, "%d decades: the last number is 10^%d", span, last);
    }
}

/* ---- Layout */

static void put_curve(scene_panel *p, const char *style) {
    outline line = {0};
    scene_line(&line, p->x.range[0], p->y.range[0], p->x.range[1], p->y.range[1]);
    scene_put(p, SCENE_CURVE, style, &line);
}

/* So many panels; apart: each has an axis of its own, with minus signs. */
static void make_scene(scene *s, int panels, bool apart, int styles) {
    static const char *const names[] = {"det", "fold", "flip", "iteration", "exact", "bound"};
    *s = (scene){0};
    s->title = scene_keep(s, "A title that is as long as the titles of papers are, for it says it all");
    for (int i = 0; i < panels; i++) {
        scene_panel *p = scene_add_panel(s);
        p->x = (scene_axis){.range = {-1.5, 1.5}, .label = "x"};
        p->y = (scene_axis){.range = {-1.5 - (apart ? 0.1 * i : 0), 1.5}, .label = "an output"};
        p->caption = "a caption";
        for (int k = 0; k < styles; k++) put_curve(p, names[k]);
    }
    assert_false(s->failed);
}

static void lay_out(scene *s, int panels, bool apart, int styles, const costab_style *style,
                    figure_layout *l) {
    make_scene(s, panels, apart, styles);
    assert_int_equal(layout_make(s, style, "test", l, NULL), COSTAB_OK);
}

/* Three curves to the panel's right side, at these heights, in a figure of 8.9 cm x 4 cm. */
static void lay_out_ends(const double *heights, figure_layout *l) {
    static const char *const names[] = {"jacobi", "linear", "cubic"};
    const costab_style style = {.width_cm = 8.9, .height_cm = 4};
    scene s = {0};
    s.title = "";
    scene_panel *p = scene_add_panel(&s);
    p->x = (scene_axis){.range = {0, 1}, .label = "x"};
    p->y = (scene_axis){.range = {0, 1}, .label = "y"};
    for (int k = 0; k < 3; k++) {
        const scene_style defined = {
            .name = names[k], .line = "#000000", .width = 1, .dash = "1", .legend = names[k]};
        outline line = {0};
        scene_define(&s, &defined);
        scene_line(&line, 0, 0.5, 1, heights[k]);
        scene_put(p, SCENE_CURVE, names[k], &line);
    }
    check_ok(layout_make(&s, &style, "test", l, &why));
    scene_free(&s);
}

/* Names stand at the ends of curves that are apart, close ones a little moved, and no name stands on another;
 * a legend where ends meet. */
TEST(curves_are_named_at_their_ends) {
    static const double heights[][3] = {{0.1, 0.5, 0.9}, {0.9, 0.1, 0.5}, {0.4, 0.5, 0.95}, {0, 1, 0.5}};
    static const double close[3] = {0.5, 0.51, 0.9};
    figure_layout l;
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        lay_out_ends(heights[i], &l);
        check_true(l.at_ends && l.beside, "figure %zu: names at the ends", i);
        for (int k = 0; k < l.entry_count; k++) {
            double y = l.entries[k].y + LAYOUT_SWATCH_HEIGHT / 2, nearest = HUGE_VAL;
            check_true(l.entries[k].x > l.width - l.right && l.entries[k].x + l.entries[k].width < l.width,
                       "figure %zu: name %d is right of the panel", i, k);
            for (int e = 0; e < 3; e++)
                nearest = fmin(nearest, fabs(y - l.bottom - heights[i][e] * l.panel_height));
            check_true(nearest < 0.17, "figure %zu: name %d is %g cm from its curve", i, k, nearest);
            for (int other = 0; other < k; other++)
                check_true(fabs(l.entries[other].y - l.entries[k].y) > 0.35, "names %d and %d", other, k);
        }
        layout_free(&l, 1);
    }
    lay_out_ends(close, &l);
    check_true(!l.at_ends, "ends that meet have a legend");
    layout_free(&l, 1);
}

/* The panels, their numbers and names, the legend and the title are inside the figure, and apart from each
 * other. */
TEST(everything_has_its_room) {
    for (int panels = 1; panels <= 9; panels++)
        for (int columns = 0; columns <= 4; columns++)
            for (int apart = 0; apart < 2; apart++) {
                const costab_style style = {.columns = columns};
                scene s;
                figure_layout l;
                lay_out(&s, panels, apart == 1, 6, &style, &l);
                double across = l.left + l.right + (l.columns - 1) * l.gap_x + l.columns * l.panel_width;
                double up = l.top + l.bottom + (l.rows - 1) * l.gap_y + l.rows * l.panel_height;
                check_near(across, (real)l.width, 1e-9, "%d panels: widths", panels);
                check_near(up, (real)l.height, 1e-9, "%d panels: heights", panels);
                for (int i = 0; i < panels; i++) {
                    const layout_panel *p = &l.panels[i];
                    double room = i % l.columns == 0 ? l.left : l.gap_x;
                    check_true(!p->y_shown || room > p->y.widest + 0.15, "%d panels: numbers of panel %d",
                               panels, i);
                    check_true(p->y_shown || apart == 0, "every panel with an axis of its own shows it");
                }
                for (int i = 0; i < l.entry_count; i++) {
                    const layout_entry *e = &l.entries[i];
                    check_true(e->x >= 0 && e->x + e->width <= l.width + 1e-9 && e->y >= 0, "entry %d", i);
                    check_true(l.beside || e->y + LAYOUT_SWATCH_HEIGHT < l.bottom, "entry %d lies in a panel",
                               i);
                    for (int k = 0; k < i; k++)
                        check_true(fabs(l.entries[k].y - e->y) > LAYOUT_SWATCH_HEIGHT ||
                                       l.entries[k].x + l.entries[k].width < e->x - 0.2 ||
                                       e->x + e->width < l.entries[k].x - 0.2,
                                   "entries %d and %d", k, i);
                }
                for (const char *line = l.title; line; line = strchr(line, '\n'), line += line != NULL) {
                    char copy[200];
                    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
                    check_true(rich_width(copy) < l.width, "the title's line '%s'", copy);
                }
                layout_free(&l, panels);
                scene_free(&s);
            }
}

/* Of one curve there is no legend unless it is asked for; it goes where it is asked to. */
TEST(legends_go_where_they_are_asked_to) {
    for (int place = 0; place < COSTAB_LEGEND_COUNT; place++)
        for (int curves = 1; curves <= 3; curves += 2) {
            const costab_style style = {.width_cm = 12, .legend = (costab_legend)place};
            scene s;
            figure_layout l;
            lay_out(&s, 1, false, curves, &style, &l);
            bool none = place == COSTAB_LEGEND_NONE || (place == COSTAB_LEGEND_CHOSEN && curves == 1);
            assert_int_equal(l.entry_count, none ? 0 : curves);
            const double left = l.left, right = l.left + l.panel_width;
            for (int i = 0; i < l.entry_count; i++) {
                const layout_entry *e = &l.entries[i];
                double end = e->x + e->width, foot = e->y - l.bottom;
                if (place == COSTAB_LEGEND_RIGHT) assert_true(e->x > right && end < l.width);
                if (place == COSTAB_LEGEND_BELOW) assert_true(foot < -LAYOUT_SWATCH_HEIGHT);
                if (place == COSTAB_LEGEND_INSIDE)
                    assert_true(e->x > left && end < right && foot > 0 && foot < l.panel_height - 0.28);
            }
            layout_free(&l, 1);
            scene_free(&s);
        }
}

/* A size that is given is kept, in all units of type; too small a one is refused. */
TEST(sizes_are_kept) {
    const double points[] = {0, 6, 8, 12};
    for (size_t k = 0; k < 4; k++) {
        const costab_style style = {.width_cm = 17, .height_cm = 12, .font_size = points[k]};
        scene s;
        figure_layout l;
        lay_out(&s, 2, false, 2, &style, &l);
        check_near(l.width * l.unit, 17, 1e-12, "width");
        check_near(l.height * l.unit, 12, 1e-12, "height");
        layout_free(&l, 2);
        const costab_style small = {.width_cm = 2, .height_cm = 2, .font_size = points[k]};
        costab_error error;
        assert_int_equal(layout_make(&s, &small, "test.yaml", &l, &error), COSTAB_INVALID);
        assert_non_null(strstr(error.message, "for a panel"));
        layout_free(&l, 2);
        scene_free(&s);
    }
}

/* A unit is as long to the right as up where a panel asks for that. */
TEST(a_circle_is_round) {
    for (int k = 1; k <= 4; k++) {
        const costab_style style = {.width_cm = 4.0 * k, .height_cm = 9};
        scene s;
        figure_layout l;
        make_scene(&s, 1, false, 1);
        s.panels[0]->equal = true;
        check_ok(layout_make(&s, &style, "test", &l, &why));
        const hatch_frame *f = &l.panels[0].frame;
        double x = f->width_cm / (f->box.x[1] - f->box.x[0]), y = f->height_cm / (f->box.y[1] - f->box.y[0]);
        check_near(x, (real)y, 1e-12, "%d cm", 4 * k);
        assert_true(f->box.x[0] <= -1.5 && f->box.x[1] >= 1.5 && f->box.y[0] <= -1.5 && f->box.y[1] >= 1.5);
        layout_free(&l, 1);
        scene_free(&s);
    }
}

/* ---- Texts */

static void check_written(const char *rich, const char *shown, const char *tex) {
    text both[2] = {{0}, {0}};
    rich_write(&both[0], rich, false);
    rich_write(&both[1], rich, true);
    assert_string_equal(both[0].data, shown);
    assert_string_equal(both[1].data, tex);
    text_free(&both[0]);
    text_free(&both[1]);
}

/* What is made of a plain text. */
static void check_made(void (*make)(text *target, const char *plain), const char *plain, const char *wanted) {
    text made = {0};
    make(&made, plain);
    assert_string_equal(made.data, wanted);
    text_free(&made);
}

TEST(texts_are_written_for_both) {
    check_written(RICH_ITALIC("A") RICH_INDEX("US"), "{/:Italic A}_{US}",
                  "\\ensuremath{A}\\ensuremath{_{\\mathrm{US}}}");
    check_written("50 % of a_b {c}", "50 % of a\\_b \\{c\\}", "50 \\% of a\\_b \\{c\\}");
    check_written("−∞ γ", "−∞ γ", "\\ensuremath{-}\\ensuremath{\\infty} \\ensuremath{\\gamma}");
    /* A font need not have small figures: they are set as an index or a power. */
    check_written("λ₁H²", "λ_{1}H^{2}", "\\ensuremath{\\lambda}\\ensuremath{_1}H\\ensuremath{^2}");
    check_written("x₀₉ y⁰⁹", "x_{0}_{9} y^{0}^{9}",
                  "x\\ensuremath{_0}\\ensuremath{_9} y\\ensuremath{^0}\\ensuremath{^9}");
    check_written("[1]", "[1]", "\\relax [1]");
    check_made(rich_plain, "\001x\005\n", " x  ");
    check_made(rich_unit, "m^3/(s^-2 Pa^x)", "m" RICH_POWER("3") "/(s" RICH_POWER("−2") " Pa^x)");
    check_made(rich_words, "m", RICH_ITALIC("m"));
    check_made(rich_words, " of a k_1", " of a " RICH_ITALIC("k") RICH_INDEX("1"));
}

/* Broken lines hold the same words, none is wider than asked unless it is one word, and they are as few as
 * they can be. */
TEST(lines_are_even) {
    char line[] = "a system that is coupled to another one by the macro step of a master algorithm";
    double whole = rich_width(line), width = whole / 2.5;
    assert_int_equal(rich_wrap(line, width), 3);
    double longest = 0, shortest = HUGE_VAL;
    for (char *at = strtok(line, "\n"); at; at = strtok(NULL, "\n")) {
        longest = fmax(longest, rich_width(at));
        shortest = fmin(shortest, rich_width(at));
    }
    assert_true(longest <= width && shortest > 0.6 * longest);
    char word[] = "indivisible";
    assert_int_equal(rich_wrap(word, 0.1), 1);
    assert_string_equal(word, "indivisible");
}

/* A word inside an area stands inside it, away from all obstacles; where there is no room it is left out. */
TEST(words_stand_where_there_is_room) {
    const hatch_frame frame = {{{0, 10}, {0, 10}}, 5, 5};
    for (int small = 0; small < 2; small++) {
        scene s = {0};
        scene_panel *p = scene_add_panel(&s);
        scene_text item = {.anchor = SCENE_INSIDE, .shown = "SS"};
        placed_text placed[1];
        double side = small == 1 ? 0.5 : 4;
        scene_box(&item.where, 1, 2, 1 + side, 2 + side);
        scene_box(&p->obstacles, 1, 2, 1 + side, 2 + side);
        scene_put_text(p, &item);
        assert_int_equal(place_texts(p, &frame, placed), small == 1 ? 0 : 1);
        /* The middle of the square, to a step of the lattice. */
        if (small == 0)
            check_true(fabs(placed[0].x - 3) < 0.11 && fabs(placed[0].y - 4) < 0.11, "%g, %g", placed[0].x,
                       placed[0].y);
        scene_free(&s);
    }
}

/* A text that would leave the frame stands to the other side of its place, clear of it, with a box or
 * higher; one that does not is left alone. */
TEST(texts_stay_within_the_frame) {
    const hatch_frame frame = {{{0, 10}, {0, 10}}, 5, 5};
    double width = rich_width("0.0450") * 2; /* two places a cm */
    for (int k = 0; k < 8; k++) {
        scene s = {0};
        scene_panel *p = scene_add_panel(&s);
        int side = k % 2 == 0 ? -1 : 1;
        bool leaves = k % 4 < 2;
        double raise = k < 4 ? 0 : 0.5;
        double edge = side < 0 ? 0 : 10, at = edge - side * (leaves ? 0.5 : 1.5) * width;
        scene_text item = {
            .x = at, .y = 5, .side = side, .bare = true, .turn = 0.4, .raise = raise, .shown = "0.0450"};
        placed_text placed[1];
        scene_put_text(p, &item);
        assert_int_equal(place_texts(p, &frame, placed), 1);
        double end = placed[0].x + side * width;
        check_true(end >= 0 && end <= 10, "side %d ends at %g", side, end);
        assert_int_equal(placed[0].boxed, leaves && raise == 0);
        assert_true(placed[0].y == 5 + (leaves ? raise : 0));
        if (!leaves) assert_true(placed[0].x == at);
        if (leaves) check_true(fabs(end - (at - side * 0.4)) < 1e-12, "it ends at %g beside %g", end, at);
        scene_free(&s);
    }
}

/* Texts along a line, and beside one, stay in the frame and off each other's boxes and other lines. */
TEST(texts_do_not_overlap) {
    const hatch_frame frame = {{{0, 10}, {0, 10}}, 5, 5};
    rng r = rng_start("texts_do_not_overlap");
    for (size_t round = 0; round < effort(200); round++) {
        scene s = {0};
        scene_panel *p = scene_add_panel(&s);
        double low[4][2], high[4][2]; /* corners of the boxes */
        for (int k = 0; k < 4; k++) {
            double x = rng_uniform(&r, 0, 10), y = rng_uniform(&r, 0, 10);
            scene_text item = {.anchor = SCENE_ALONG, .side = rng_int(&r, -1, 1), .shown = "a = −2.785"};
            for (int i = 0; i <= 40; i++) outline_add_point(&item.where, x, y + (10 - y) * i / 40, 0);
            outline_add_loop(&item.where, 0, 0, false);
            scene_put_text(p, &item);
        }
        placed_text placed[4];
        int count = place_texts(p, &frame, placed);
        assert_true(count >= 1);
        for (int k = 0; k < count; k++) {
            double width = 2 * rich_width(placed[k].shown), side = placed[k].side;
            low[k][0] = placed[k].x + (side > 0 ? 0 : side < 0 ? -width : -width / 2);
            high[k][0] = low[k][0] + width;
            low[k][1] = placed[k].y - 0.28;
            high[k][1] = placed[k].y + 0.28;
            assert_true(low[k][0] >= 0 && high[k][0] <= 10 && low[k][1] >= 0 && high[k][1] <= 10);
            for (int i = 0; i < k; i++)
                check_true(low[k][0] > high[i][0] || low[i][0] > high[k][0] || low[k][1] > high[i][1] ||
                               low[i][1] > high[k][1],
                           "round %zu: texts %d and %d", round, i, k);
        }
        scene_free(&s);
    }
}

/* Ticks begin on the boundary and end inside, and there are none along the frame. */
TEST(ticks_stand_inside) {
    const hatch_frame frame = {{{0, 10}, {0, 20}}, 5, 5};
    outline area = {0}, lines = {0};
    const double corners[3][2] = {{0, 0}, {10, 0}, {0, 20}};
    outline_polygon(&area, corners, 3, OUTLINE_CUT);
    hatch_ticks(&area, &frame, &lines);
    /* The slanted side is 7.07 cm long. */
    assert_true(lines.loop_count >= 14 && lines.loop_count <= 16);
    int whole = 0;
    for (size_t l = 0; l < lines.loop_count; l++) {
        const outline_point *from = &lines.points[lines.loops[l].first], *to = from + 1;
        check_near(from->x / 10 + from->y / 20, 1, 1e-9, "tick %zu begins on the boundary", l);
        assert_true(to->x / 10 + to->y / 20 < 1);
        /* The frame cuts those at its corners. */
        double length = hypot((from->x - to->x) / 2, (from->y - to->y) / 4);
        assert_true(length < HATCH_TICK_CM + 1e-9);
        whole += length > HATCH_TICK_CM - 1e-9;
    }
    assert_true(whole >= 13);
    outline_free(&area);
    outline_free(&lines);
}

/* Names of couplings that give a quantity its value are set as such; others as they are. */
TEST(values_in_names_are_mathematics) {
    static const char *const names[][2] = {
        {"T_d=0.1", RICH_ITALIC("T") RICH_INDEX("d") " = 0.1"},
        {"T=-2", RICH_ITALIC("T") " = −2"},
        {"dt=1e-3", "dt = 1e-3"},
        {"gauss-seidel", "gauss-seidel"},
        {"a=b", "a=b"},
        {"x=", "x="},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_made(rich_choice, names[i][0], names[i][1]);
}

/* Greek letters may be written as words where names are names, and stay words where an author wrote them. */
TEST(greek_letters_by_their_names) {
    static const char *const names[][3] = {
        {"zeta", RICH_ITALIC("ζ"), "zeta"},
        {"plant.omega_1", "plant." RICH_ITALIC("ω") RICH_INDEX("1"), "plant.omega_1"},
        {"sigma2", RICH_ITALIC("σ") RICH_INDEX("2"), "sigma2"},
        {"epsilon", RICH_ITALIC("ε"), "epsilon"},
        {"Omega", RICH_ITALIC("Ω"), "Omega"},
        {"Alpha", "Alpha", "Alpha"},
        {"phase", "phase", "phase"},
        {"mass", "mass", "mass"},
        {"beta", RICH_ITALIC("β"), "beta"},
        {"ζ", RICH_ITALIC("ζ"), RICH_ITALIC("ζ")},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_made(rich_name, names[i][0], names[i][1]);
        check_made(rich_words, names[i][0], names[i][2]);
    }
}

/* ---- The script */

/* Whatever is drawn has its colours in the script, and its blocks in the data. */
TEST(scripts_define_what_they_draw) {
    const costab_style style = {.dpi = 90};
    const figure_names names = {"a name's", "costab"};
    scene s;
    figure_layout l;
    text script = {0}, data = {0};
    lay_out(&s, 2, true, 3, &style, &l);
    check_ok(script_write(&s, &l, &style, &names, &script, &data, &why));
    for (const char *at = data.data; (at = strstr(at, "\n# ")) != NULL; at++) {
        int panel;
        char layer[16], name[32], wanted[64];
        if (sscanf(at, "\n# %d.%15[a-z].%31[a-z_0-9]:", &panel, layer, name) != 3) continue;
        snprintf(wanted, sizeof wanted, "LINE_%s = '#", name);
        check_true(strstr(script.data, wanted) != NULL, "no %s", wanted);
    }
    assert_non_null(strstr(script.data, "NAME = 'a name''s'"));
    assert_non_null(strstr(script.data, "DPI = 90"));
    text_free(&script);
    text_free(&data);
    layout_free(&l, 2);
    scene_free(&s);
}
