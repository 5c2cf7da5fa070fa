/* The panel over one axis: a field of every coupling. The spectral radius goes through the places where it
 * passes 1, an error has its bound beside it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/clip.h"
#include "plot/network.h"

const network_quantity *network_drawn(const network_figure *f) {
    static const network_quantity quantities[COSTAB_NETWORK_FIELD_COUNT] = {
        {.shown = ""}, /* the class is no number */
        {.shown = "spectral radius {/:Italic ρ}",
         .tex = "spectral radius $\\rho$",
         .symbol = "{/:Italic ρ}",
         .symbol_tex = "$\\rho$",
         .reference = "spectral radius 1",
         .at = 1},
        {.shown = "spectral abscissa", .tex = "spectral abscissa", .reference = "abscissa 0"},
        {.shown = "iteration radius {/:Italic ρ}_{it}",
         .tex = "iteration radius $\\rho_{\\mathrm{it}}$",
         .symbol = "{/:Italic ρ}_{it}",
         .symbol_tex = "$\\rho_{\\mathrm{it}}$",
         .reference = "iteration radius 1",
         .at = 1},
        {.shown = "largest error of a state", .tex = "largest error of a state", .decades = true},
        {.shown = "bound of the error", .tex = "bound of the error", .decades = true},
        {.shown = "residual energy", .tex = "residual energy", .reference = "no energy", .decades = true}};
    return &quantities[f->of];
}

/* ---- What the vertical axis shows */

/* The finite values of all curves, the bounds too: their least and largest. */
static void extent(const network_figure *f, double *low, double *high) {
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int c = 0; c < f->coupling_count; c++) {
        const double *both[2] = {f->grids[c].drawn, f->grids[c].bound};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; both[k] && i < f->x.count; i++) {
                if (!isfinite(both[k][i])) continue;
                *low = fmin(*low, both[k][i]);
                *high = fmax(*high, both[k][i]);
            }
    }
}

#define DECADES 30.0 /* values farther apart than this factor */

bool network_curve_log(const network_figure *f) {
    double low, high;
    extent(f, &low, &high);
    return network_drawn(f)->decades && low > 0 && high > DECADES * low;
}

#define CURVE_WHOLE 3.0 /* a radius up to this is shown whole */
#define CURVE_CUT   2.0 /* else what is above this leaves the panel */

static void radius_range(double least, double most, double *range) {
    double low = fmin(1, least), high = fmax(1, most), top = CURVE_CUT;
    if (isfinite(least) && least > 1) top = CURVE_CUT * least;
    if (high > CURVE_WHOLE * top / CURVE_CUT) high = top;
    double margin = 0.06 * (high - low);
    if (!(margin > 0)) margin = 0.1;
    range[0] = low < 0.3 * high ? 0 : low - margin;
    range[1] = high + margin;
}

void network_curve_range(const network_figure *f, double *range) {
    double low, high;
    const network_quantity *drawn = network_drawn(f);
    extent(f, &low, &high);
    if (drawn->reference && drawn->at > 0) {
        radius_range(low, high, range);
        return;
    }
    if (!(low <= high)) low = high = f->y.log;
    if (f->y.log) {
        low = log10(low);
        high = log10(high);
    } else {
        low = fmin(0, low);
        high = fmax(0, high);
    }
    double margin = high > low ? 0.06 * (high - low) : 0.1;
    range[0] = low == 0 && !f->y.log ? 0 : low - margin;
    range[1] = high == 0 && !f->y.log && low < 0 ? 0 : high + margin;
}

/* ---- Curves */

static double place_of(const network_figure *f, double value) {
    return f->y.log ? log10(value) : value;
}

/* The crossing behind sample i, as a place; NaN where there is none. */
static double crossing(const network_figure *f, const network_grid *g, size_t i) {
    if (!g->radius.one_x || i + 1 >= g->nx) return (double)NAN;
    double value = g->radius.one_x[i], place = f->x.log ? log10(value) : value;
    return place >= f->x.places[i] && place <= f->x.places[i + 1] ? place : (double)NAN;
}

/* The samples with the crossings between them; these in `dots` too. */
static costab_status gather(const network_figure *f, const network_grid *g, double *x, double *y,
                            size_t *count, outline *dots, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < g->nx && !status; i++) {
        x[*count] = f->x.places[i];
        y[(*count)++] = place_of(f, g->drawn[i]);
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
    if (!status) network_put_runs(f, &dots, "point", number, &panel->points, word, "where it passes 1");
    outline_free(&line);
    outline_free(&dots);
    memory_free(x);
    memory_free(y);
    return status;
}

/* The bounds, which do not depend on the coupling but by its macro step. */
static costab_status draw_bounds(network_figure *f, int number, costab_error *error) {
    network_panel *panel = &f->panels[number - 1];
    double *y = memory_alloc(f->x.count, sizeof *y);
    outline line = {0};
    costab_status status = y ? COSTAB_OK : error_memory(error);
    for (int c = 0; c < f->coupling_count && !status; c++) {
        const double *bound = f->grids[c].bound, *before = c > 0 ? f->grids[c - 1].bound : NULL;
        if (!bound || (before && memcmp(bound, before, f->x.count * sizeof *bound) == 0)) continue;
        for (size_t i = 0; i < f->x.count; i++) y[i] = place_of(f, bound[i]);
        status = clip_polyline(f->x.places, y, f->x.count, &f->frame.box, &line, error);
    }
    if (!status)
        network_put_runs(f, &line, "curve", number, &panel->curves, "bound",
                         "bound of the error, [MS] eq. 30");
    outline_free(&line);
    memory_free(y);
    return status;
}

costab_status network_draw_curve(network_figure *f, int number, costab_error *error) {
    network_panel *panel = &f->panels[number - 1];
    const network_quantity *drawn = network_drawn(f);
    if (drawn->reference && !f->y.log) {
        network_block(f, number, "curve", &panel->curves, "unit", drawn->reference);
        network_put_point(f, f->frame.box.gamma[0], drawn->at);
        network_put_point(f, f->frame.box.gamma[1], drawn->at);
        network_end_block(f);
    }
    costab_status status = draw_bounds(f, number, error);
    for (int c = 0; c < f->coupling_count && !status; c++) status = draw_curve(f, number, c, error);
    return status;
}
