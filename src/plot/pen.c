/* Blocks of the data file.
 *
 * A block is headed by a comment `# PANEL.LAYER.KEY: what it is`, by which the script finds it, and ends with
 * two empty lines; polygons and curves of one block are apart by one empty line. */
#include "plot/pen.h"

#include <math.h>

#include "base/error.h"

/* Coordinates: nothing but zero within rounding of the window shows as zero. */
static double clean(double value, const double *range) {
    return fabs(value) < 1e-11 * (range[1] - range[0]) ? 0 : value;
}

static void put_points(const pen *p, const outline *runs, bool curves) {
    const outline_box *box = &p->panel->frame.box;
    for (size_t l = 0; l < runs->loop_count; l++) {
        if (l > 0) text_append(&p->f->data, "\n");
        const outline_run *run = &runs->loops[l];
        for (size_t i = 0; i < run->count + (curves && run->closed); i++) {
            const outline_point *q = &runs->points[run->first + i % run->count];
            text_printf(&p->f->data, "%.10g %.10g\n", clean(q->gamma, box->gamma),
                        clean(q->delta, box->delta));
        }
    }
    text_append(&p->f->data, "\n\n");
}

void pen_fill(const pen *p, figure_key key, const outline *area) {
    if (area->loop_count == 0) return;
    text_printf(&p->f->data, "# %d.fill.%s: %s, corners of polygons\n", p->number, figure_keys[key].name,
                figure_keys[key].words);
    put_points(p, area, false);
    p->panel->fills[key] = true;
    /* Where hatching belongs to it, an area too thin for that is not seen either: no place in the legend. */
    if (figure_keys[key].hatches == 0) p->f->used[key] = true;
}

costab_status pen_hatch(const pen *p, figure_key key, const outline *area, costab_error *error) {
    if (area->loop_count == 0) return COSTAB_OK;
    text rows = {0};
    costab_status status = COSTAB_OK;
    size_t total = 0;
    for (int i = 0; i < figure_keys[key].hatches && !status; i++) {
        size_t count = 0;
        status = hatch_lines(area, &p->panel->frame, &figure_keys[key].hatch[i], &rows, &count, error);
        total += count;
    }
    if (!status && total > 0) {
        text_printf(&p->f->data, "# %d.hatch.%s: %s, hatch lines: from gamma, delta, by dgamma, ddelta\n",
                    p->number, figure_keys[key].name, figure_keys[key].words);
        text_append_n(&p->f->data, rows.data, rows.size);
        text_append(&p->f->data, "\n\n");
        p->panel->hatches[key] = true;
        p->f->used[key] = true;
    }
    text_free(&rows);
    return status;
}

void pen_curve(const pen *p, figure_key key, const outline *curves) {
    if (curves->loop_count == 0) return;
    text_printf(&p->f->data, "# %d.curve.%s: %s, polylines\n", p->number, figure_keys[key].name,
                figure_keys[key].words);
    put_points(p, curves, true);
    p->panel->curves[key] = true;
    p->f->used[key] = true;
}

void pen_points(const pen *p, figure_key key, const outline *points) {
    if (points->point_count == 0) return;
    text_printf(&p->f->data, "# %d.point.%s: %s\n", p->number, figure_keys[key].name, figure_keys[key].words);
    put_points(p, points, false);
    p->panel->points[key] = true;
    p->f->used[key] = true;
}

costab_status pen_add_line(outline *result, double x0, double y0, double x1, double y1, costab_error *error) {
    size_t first = result->point_count;
    costab_status status = outline_add_point(result, x0, y0, OUTLINE_CUT, error);
    if (!status) status = outline_add_point(result, x1, y1, OUTLINE_CUT, error);
    return status ? status : outline_add_loop(result, first, OUTLINE_CUT, false, error);
}

costab_status pen_add_box(outline *result, const outline_box *box, costab_error *error) {
    const double corners[4][2] = {{box->gamma[0], box->delta[0]},
                                  {box->gamma[1], box->delta[0]},
                                  {box->gamma[1], box->delta[1]},
                                  {box->gamma[0], box->delta[1]}};
    return outline_polygon(result, corners, 4, OUTLINE_CUT, error);
}
