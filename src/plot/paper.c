#include "plot/paper.h"

#include <math.h>

#include "base/error.h"

#define PANEL_LEAST 1.0 /* unit */

double paper_unit(const costab_style *style) {
    return style->font_size > 0 ? style->font_size / 8 : 1;
}

double paper_width(const costab_style *style, int columns) {
    double usual = columns == 1 ? 8.9 : columns == 2 ? 14.0 : 18.0;
    return (style->width_cm > 0 ? style->width_cm : usual) / paper_unit(style);
}

costab_status paper_check(const costab_style *style, const char *path, double width, double height,
                          double panel_width, double panel_height, costab_error *error) {
    if (panel_width >= PANEL_LEAST && panel_height >= PANEL_LEAST) return COSTAB_OK;
    double unit = paper_unit(style);
    return error_set(error, COSTAB_INVALID,
                     "%s: the figure's size of %g cm x %g cm leaves %.2f cm x %.2f cm for a panel; make it "
                     "larger or give other `columns`",
                     path, unit * width, unit * height, unit * fmax(panel_width, 0),
                     unit * fmax(panel_height, 0));
}

double paper_tick_step(const double *range, double length, double room) {
    double least = (range[1] - range[0]) / fmax(1, length / room);
    double decade = pow(10, floor(log10(least)));
    for (int i = 0; i < 3; i++) {
        double step = decade * (i == 0 ? 1 : i == 1 ? 2 : 5);
        if (step >= least * (1 - 1e-9)) return step;
    }
    return 10 * decade;
}
