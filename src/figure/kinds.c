/* The table of kinds, and the names of the kinds for the command line and for messages. */
#include "figure/kinds.h"

#include <string.h>

#include "costab/figure.h"

#define ROW(name) &kind_##name,
static const figure_kind *const kinds[] = {FIGURE_KINDS(ROW)};
enum { KINDS = sizeof kinds / sizeof *kinds };

const figure_kind *figure_kind_over(const char *axis, int number) {
    const unsigned system = strcmp(axis, "scheme") == 0     ? FIGURE_PLANAR
                            : strcmp(axis, "coupling") == 0 ? FIGURE_NETWORK
                                                            : 0;
    for (int k = 0; k < KINDS; k++)
        if ((kinds[k]->systems & system) != 0 && number-- == 0) return kinds[k];
    return NULL;
}

const char *costab_figure_kind_name(int number) {
    for (int k = 0; k < KINDS; k++) {
        int before = 0;
        while (strcmp(kinds[before]->name, kinds[k]->name) != 0) before++;
        if (before == k && number-- == 0) return kinds[k]->name;
    }
    return NULL;
}
