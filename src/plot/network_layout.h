/* plot/network_layout.h - the legend of a network figure, in cm. */
#ifndef PLOT_NETWORK_LAYOUT_H
#define PLOT_NETWORK_LAYOUT_H

#include "plot/network.h"

#define NETWORK_SWATCH_WIDTH  0.75
#define NETWORK_SWATCH_HEIGHT 0.28

/* Where the bar of colours begins, and the width of a colour. */
void network_bar_place(const network_figure *f, double *left, double *step);

#endif
