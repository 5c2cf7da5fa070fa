/* The kinds of figures as two tables: of the planar system, and of networks. Of rows with one name the first
 * that suits the results is drawn: charts of the planar system go by the outlines that the sweep stored,
 * where it did, else by the grid, as those of networks do. */
#include "figure/kinds.h"

#include <string.h>

#include "costab/figure.h"

static const figure_kind *const planar[] = {&kind_planar_time,    &kind_regions,           &kind_areas,
                                            &kind_planar_classes, &kind_planar_comparison, &kind_classes,
                                            &kind_comparison,     &kind_contour,           &kind_jury};
static const figure_kind *const network[] = {&kind_time,    &kind_map,   &kind_locus,     &kind_tornado,
                                             &kind_pattern, &kind_limit, &kind_best,      &kind_classes,
                                             &kind_contour, &kind_curve, &kind_comparison};
enum { PLANAR = sizeof planar / sizeof *planar, NETWORK = sizeof network / sizeof *network };

const figure_kind *figure_kind_over(const char *axis, int k) {
    if (strcmp(axis, "scheme") == 0) return (unsigned)k < PLANAR ? planar[k] : NULL;
    return strcmp(axis, "coupling") == 0 && (unsigned)k < NETWORK ? network[k] : NULL;
}

static const char *name_at(int k) {
    return k < PLANAR ? planar[k]->name : network[k - PLANAR]->name;
}

/* Kinds of both systems that share a name stand once. */
const char *costab_figure_kind_name(int number) {
    for (int k = 0, found = 0; k < PLANAR + NETWORK; k++) {
        int before = 0;
        while (strcmp(name_at(before), name_at(k)) != 0) before++;
        if (before == k && found++ == number) return name_at(k);
    }
    return NULL;
}
