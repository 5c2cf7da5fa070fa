/* plot/markup.h - plain text for those who interpret it. */
#ifndef PLOT_MARKUP_H
#define PLOT_MARKUP_H

#include "base/text.h"

/* Appends text that LaTeX shows as it is. */
void markup_tex(text *target, const char *plain);

/* Appends text that gnuplot's enhanced mode shows as it is. */
void markup_enhanced(text *target, const char *plain);

#endif
