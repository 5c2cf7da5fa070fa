/* The panel over one axis: the spectral radius of every coupling, through the places where it passes 1. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/clip.h"
#include "plot/network.h"

/* The crossing behind sample i, as a place; NaN where there is none. */
static double crossing(const network_figure *f, const network_grid *g, size_t i) {
    if (!g->level_x || i + 1 >= g->nx) return (double)NAN;
    double value = g->level_x[i], place = f->x.log ? log10(value) : value;
    return place >= f->x.places[i] && place <= f->x.places[i + 1] ? place : (double)NAN;
}

/* The samples with the crossings between them; these in `dots` too. */
static costab_status gather(const network_figure *f, const network_grid *g, double *x, double *y,
                            size_t *count, outline *dots, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < g->nx && !status; i++) {
        x[*count] = f->x.places[i];
        y[(*count)++] = g->radius[i];
        double one = crossing(f, g, i);
        if (isnan(one)) continue;
        x[*count] = one;
        y[(*count)++] = 1;
        status = outline_add_point(dots, one, 1, OUTLINE_CUT, error);
    }
    if (!status && dots->point_count > 0) status = outline_add_loop(dots, 0, OUTLINE_CUT, false, error);
    return status;
}

static costab_status draw_curve(network_figure *f, int number, int coupling, costab_error *error) {
    const network_grid *g = &f->grids[coupling];
    network_panel *panel = &f->panels[number - 1];
    double *x = memory_alloc(2 * g->nx, sizeof *x), *y = memory_alloc(2 * g->nx, sizeof *y);
    outline line = {0}, dots = {0};
    size_t count = 0;
    char word[16];
    costab_status status = x && y ? gather(f, g, x, y, &count, &dots, error) : error_memory(error);
    if (!status) status = clip_polyline(x, y, count, &f->frame.box, &line, error);
    snprintf(word, sizeof word, "c%d", coupling + 1);
    if (!status) network_put_runs(f, &line, "curve", number, &panel->curves, word, f->couplings[coupling]);
    if (!status)
        network_put_runs(f, &dots, "point", number, &panel->points, word,
                         "where the spectral radius passes 1");
    outline_free(&line);
    outline_free(&dots);
    memory_free(x);
    memory_free(y);
    return status;
}

costab_status network_draw_curve(network_figure *f, int number, costab_error *error) {
    network_panel *panel = &f->panels[number - 1];
    network_block(f, number, "curve", &panel->curves, "unit", "spectral radius 1");
    network_put_point(f, f->frame.box.gamma[0], 1);
    network_put_point(f, f->frame.box.gamma[1], 1);
    network_end_block(f);
    costab_status status = COSTAB_OK;
    for (int c = 0; c < f->coupling_count && !status; c++) status = draw_curve(f, number, c, error);
    return status;
}
