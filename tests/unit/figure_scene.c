/* Scenes, their sizes on paper, texts, and the script: contracts that hold whatever is drawn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "figure/label.h"
#include "figure/names.h"
#include "figure/paper.h"
#include "figure/script.h"
#include "support/support.h"

/* ---- Sizes */

static void put_curve(scene_panel *p, const char *style) {
    outline line = {0};
    scene_line(&line, p->x.range[0], p->y.range[0], p->x.range[1], p->y.range[1]);
    scene_put(p, SCENE_CURVE, style, &line);
}

/* The number of panels; apart: each has an axis of its own, with minus signs. */
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

/* A size that is given is kept, in all units of type; too small a one is refused. */
TEST(sizes_are_kept) {
    const double points[] = {0, 6, 8, 12};
    for (size_t k = 0; k < 4; k++) {
        const costab_style style = {.width_cm = 17, .height_cm = 12, .font_size = points[k]};
        scene s;
        paper l;
        make_scene(&s, 2, false, 2);
        check_ok(paper_make(&s, &style, "test", &l, &why));
        check_near(l.width * l.unit, 17, 1e-12, "width");
        check_near(l.height * l.unit, 12, 1e-12, "height");
        paper_free(&l);
        const costab_style small = {.width_cm = 2, .height_cm = 2, .font_size = points[k]};
        costab_error error;
        assert_int_equal(paper_make(&s, &small, "test.yaml", &l, &error), COSTAB_INVALID);
        assert_non_null(strstr(error.message, "for a panel"));
        paper_free(&l);
        scene_free(&s);
    }
}

/* gnuplot has its own numbers where these do not meet, and fewer where they would, but two of them. */
TEST(numbers_do_not_meet) {
    rng r = rng_start("numbers_do_not_meet");
    for (size_t round = 0; round < effort(2000); round++) {
        const double size = pow(10, rng_uniform(&r, -6, 6)), from = size * rng_uniform(&r, -2, 2);
        const scene_axis axis = {.range = {from, from + size}};
        const double length = rng_uniform(&r, 3, 16), step = paper_step(&axis, length, true);
        char number[NAMES_NUMBER_MAX];
        if (step == 0) continue;
        const double at = step * ceil(from / step), width = names_width(names_number(at, number));
        const double next = paper_round(1.01 * step), second = next * (ceil(from / next) + 1);
        check_true(at + step < from + size && (step / size * length >= width || second > from + size),
                   "round %zu: step %g from %g to %g", round, step, axis.range[0], axis.range[1]);
    }
    /* A panel 1.2 cm high has space for two of these numbers. */
    const scene_axis low = {.range = {-0.1134, 0.0807}};
    assert_true(paper_step(&low, 1.2, false) == 0.1);
}

/* ---- Texts */

static void check_tex(const char *shown, const char *wanted) {
    text tex = {0};
    names_tex(&tex, shown);
    assert_string_equal(tex.data, wanted);
    text_free(&tex);
}

/* Markup of a plain text. */
static void check_made(void (*make)(text *target, const char *plain), const char *plain, const char *wanted) {
    text made = {0};
    make(&made, plain);
    assert_string_equal(made.data, wanted);
    text_free(&made);
}

TEST(texts_are_written_for_both) {
    check_tex(NAMES_ITALIC("A") NAMES_INDEX("US"), "$A_{\\mathrm{US}}$");
    check_tex("50 % of a\\_b \\{c\\}", "50 \\% of a\\_b \\{c\\}");
    check_tex("−∞ γ, " NAMES_BOLD("D") " = −1", "$-\\infty$ $\\gamma$, $\\mathbf{D}$ = $-$1");
    check_tex("10" NAMES_POWER("−3"), "10$^{-3}$");
    check_tex("a\nb", "\\shortstack{a\\\\b}");
    check_tex("[1]", "\\relax [1]");
    check_tex("[1]\n[2]", "\\shortstack{[1]\\\\\\relax [2]}");
    check_made(names_plain, "50 % of a_b {c}", "50 % of a\\_b \\{c\\}");
    /* A font need not have small figures: they are set as an index or a power. */
    check_made(names_plain, "λ₁H²", "λ_{1}H^{2}");
    check_made(names_plain, "\001x\005\n", " x  ");
    check_made(names_unit, "m^3/(s^-2 Pa^x)", "m" NAMES_POWER("3") "/(s" NAMES_POWER("−2") " Pa\\^x)");
    check_made(names_words, "m", NAMES_ITALIC("m"));
    check_made(names_words, " of a k_1", " of a " NAMES_ITALIC("k") NAMES_INDEX("1"));
    check_made(names_strip, "a\\_b " NAMES_ITALIC("k") NAMES_INDEX("1"), "a_b k_1");
}

/* Lines hold the same words, none is wider than asked unless it is one word, and none is broken in mark-up.
 */
TEST(lines_have_room) {
    char line[] =
        "a system that is coupled to another one, " NAMES_ITALIC("a b c d e f") ", by the macro step";
    const double width = names_width(line) / 2.5;
    names_wrap(line, width);
    for (char *at = strtok(line, "\n"); at; at = strtok(NULL, "\n")) assert_true(names_width(at) <= width);
    char marked[] = NAMES_ITALIC("a b");
    names_wrap(marked, 0.1);
    assert_string_equal(marked, NAMES_ITALIC("a b"));
}

/* A label of an area is inside it, away from all obstacles; without free space it is left out. */
TEST(words_stand_where_there_is_room) {
    const hatch_frame frame = {{{0, 10}, {0, 10}}, 5, 5};
    for (int small = 0; small < 2; small++) {
        scene s = {0};
        scene_panel *p = scene_add_panel(&s);
        scene_text item = {.anchor = SCENE_INSIDE, .shown = "SS"};
        double side = small == 1 ? 0.5 : 4;
        scene_box(&item.where, 1, 2, 1 + side, 2 + side);
        scene_box(&p->obstacles, 1, 2, 1 + side, 2 + side);
        scene_put_text(p, &item);
        labels_place(p, &frame);
        assert_string_equal(p->texts[0].shown, small == 1 ? "" : "SS");
        /* The middle of the square, to a step of the lattice. */
        if (small == 0)
            check_true(fabs(p->texts[0].x - 3) < 0.16 && fabs(p->texts[0].y - 4) < 0.16, "%g, %g",
                       p->texts[0].x, p->texts[0].y);
        scene_free(&s);
    }
}

/* Texts along a line, and next to a line, stay in the frame and off each other's boxes and other lines. */
TEST(texts_do_not_overlap) {
    const hatch_frame frame = {{{0, 10}, {0, 10}}, 5, 5};
    rng r = rng_start("texts_do_not_overlap");
    size_t placed = 0;
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
        labels_place(p, &frame);
        for (int k = 0; k < 4; k++) {
            const scene_text *item = &p->texts[k];
            const double width = 2 * names_width("a = −2.785");
            if (!item->shown[0]) continue;
            placed++;
            low[k][0] = item->x + (item->side > 0 ? 0 : item->side < 0 ? -width : -width / 2);
            high[k][0] = low[k][0] + width;
            low[k][1] = item->y - 0.28;
            high[k][1] = item->y + 0.28;
            assert_true(low[k][0] >= 0 && high[k][0] <= 10 && low[k][1] >= 0 && high[k][1] <= 10);
            for (int i = 0; i < k; i++)
                check_true(!p->texts[i].shown[0] || low[k][0] > high[i][0] || low[i][0] > high[k][0] ||
                               low[k][1] > high[i][1] || low[i][1] > high[k][1],
                           "round %zu: texts %d and %d", round, i, k);
        }
        scene_free(&s);
    }
    assert_true(placed >= effort(200));
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
    for (size_t l = 0; l < lines.loop_count; l++) {
        const outline_point *from = &lines.points[lines.loops[l].first], *to = from + 1;
        check_near(from->x / 10 + from->y / 20, 1, 1e-9, "tick %zu begins on the boundary", l);
        assert_true(to->x / 10 + to->y / 20 < 1);
        check_near(hypot((from->x - to->x) / 2, (from->y - to->y) / 4), HATCH_TICK_CM, 1e-9, "tick %zu", l);
    }
    outline_free(&area);
    outline_free(&lines);
}

/* Names of couplings that give a quantity its value are set as such; others as they are. */
TEST(values_in_names_are_mathematics) {
    static const char *const names[][2] = {
        {"T_d=0.1", NAMES_ITALIC("T") NAMES_INDEX("d") " = 0.1"},
        {"T=-2", NAMES_ITALIC("T") " = −2"},
        {"dt=1e-3", "dt = 1e-3"},
        {"gauss-seidel", "gauss-seidel"},
        {"a=b", "a=b"},
        {"x=", "x="},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_made(names_choice, names[i][0], names[i][1]);
}

/* Greek letters may be written as words where names are names, and stay words where an author wrote them. */
TEST(letters_of_panels_differ) {
    text all = {0};
    text_append(&all, "");
    for (int i = 0; i < SCENE_PANELS_MAX; i++) {
        text letter = {0};
        scene_panel_letter(i, &letter);
        check_true(strstr(all.data, letter.data) == NULL, "panel %d is a second %s", i, letter.data);
        text_append_text(&all, &letter);
        text_free(&letter);
    }
    text_free(&all);
}

TEST(greek_letters_by_their_names) {
    static const char *const names[][3] = {
        {"zeta", NAMES_ITALIC("ζ"), "zeta"},
        {"plant.omega_1", "plant." NAMES_ITALIC("ω") NAMES_INDEX("1"), "plant.omega\\_1"},
        {"sigma2", NAMES_ITALIC("σ") NAMES_INDEX("2"), "sigma2"},
        {"epsilon", NAMES_ITALIC("ε"), "epsilon"},
        {"Omega", NAMES_ITALIC("Ω"), "Omega"},
        {"Alpha", "Alpha", "Alpha"},
        {"phase", "phase", "phase"},
        {"mass", "mass", "mass"},
        {"beta", NAMES_ITALIC("β"), "beta"},
        {"ζ", NAMES_ITALIC("ζ"), NAMES_ITALIC("ζ")},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_made(names_name, names[i][0], names[i][1]);
        check_made(names_words, names[i][0], names[i][2]);
    }
}

/* ---- The script */

/* Whatever is drawn has its colours in the script, and its blocks in the data. */
TEST(scripts_define_what_they_draw) {
    const costab_style style = {.dpi = 90};
    const figure_names names = {"a name's", "costab"};
    scene s;
    paper l;
    text script = {0}, data = {0};
    make_scene(&s, 2, true, 3);
    check_ok(paper_make(&s, &style, "test", &l, &why));
    check_ok(script_write(&s, &l, &style, &names, &script, &data, &why));
    for (const char *at = data.data; (at = strstr(at, "\n# ")) != NULL; at++) {
        int panel;
        char layer[16], name[32], wanted[96];
        int style_line;
        if (sscanf(at, "\n# %d.%15[a-z].%31[a-z_0-9]:", &panel, layer, name) != 3) continue;
        snprintf(wanted, sizeof wanted, "DATA index '%d.%s.%s:' with lines ls ", panel, layer, name);
        const char *drawn = strstr(script.data, wanted);
        check_true(drawn && sscanf(drawn + strlen(wanted), "%d", &style_line) == 1, "no %s", wanted);
        snprintf(wanted, sizeof wanted, "set style line %d lc rgb line(0x", style_line);
        check_true(strstr(script.data, wanted) != NULL, "no %s", wanted);
    }
    assert_non_null(strstr(script.data, "NAME = 'a name''s'"));
    assert_non_null(strstr(script.data, "DPI = 90"));
    text_free(&script);
    text_free(&data);
    paper_free(&l);
    scene_free(&s);
}
