/* plot/pen.h - writing the blocks of a panel into the data file. */
#ifndef PLOT_PEN_H
#define PLOT_PEN_H

#include "plot/figure.h"

/* A panel being drawn. */
typedef struct pen {
    figure *f;
    figure_panel *panel;
    int number; /* from 1 */
} pen;

/* Each writes one block and says in panel and figure that it is there; nothing where there is nothing to
 * draw. */
void pen_fill(const pen *p, figure_key key, const outline *area);
costab_status pen_hatch(const pen *p, figure_key key, const outline *area, costab_error *error);
void pen_curve(const pen *p, figure_key key, const outline *curves);
void pen_points(const pen *p, figure_key key, const outline *points);

/* An open polyline of two points. */
costab_status pen_add_line(outline *result, double x0, double y0, double x1, double y1, costab_error *error);

/* A box as a polygon. */
costab_status pen_add_box(outline *result, const outline_box *box, costab_error *error);

#endif
