/* plot/curves.h - the kinds of figures that are curves over an axis: areas against a, time histories. */
#ifndef PLOT_CURVES_H
#define PLOT_CURVES_H

#include "plot/pen.h"

/* Reads the areas from the results and finds where they change. Sets figure->areas. */
costab_status area_figure_gather(figure *f, costab_error *error);

/* Whether some areas are so much smaller than the largest that they need a panel of their own. */
bool area_figure_has_small(const figure *f);

/* The window of a panel whose height on paper is set. */
void area_figure_window(const figure *f, const figure_panel *panel, outline_box *box);

/* Where the numbers of its vertical axis end; the rest up to the top is for infinity. */
double area_figure_shelf(const figure *f, const figure_panel *panel);

costab_status area_figure_draw(const pen *p, costab_error *error);
void area_figure_free(struct area_figure **areas);

/* Reads the time histories from the results. Sets figure->history. */
costab_status time_figure_gather(figure *f, costab_error *error);
void time_figure_window(const figure *f, const figure_panel *panel, outline_box *box);
costab_status time_figure_draw(const pen *p, costab_error *error);
void time_figure_free(struct time_figure **history);

/* Where a curve lies in a field of `rank` axes: an index for every axis, and whether the axis along it is the
 * last or, with `components`, that before the last. */
typedef struct curve_place {
    int rank;
    bool components;
    size_t at[COSTAB_AXES_MAX];
} curve_place;

/* The values of a field along one of its axes. [out] values: to be freed. COSTAB_INVALID where the results
 * have no such field. */
costab_status curve_read(const costab_results *results, const char *field, const curve_place *place,
                         double **values, size_t *count, costab_error *error);

#endif
