/* The kinds of figures as a table. */
#include "figure/kinds.h"

#include <string.h>

#include "costab/figure.h"

static const figure_kind *const kinds[] = {
    &kind_planar_time,    &kind_regions,      &kind_areas,   &kind_planar_classes, &kind_planar_comparison,
    &kind_planar_contour, &kind_planar_cause, &kind_jury,    &kind_time,           &kind_map,
    &kind_locus,          &kind_tornado,      &kind_pattern, &kind_limit,          &kind_best,
    &kind_classes,        &kind_contour,      &kind_curve,   &kind_comparison,     &kind_certificate,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const figure_kind *figure_kind_at(int k) {
    return (unsigned)k < KINDS ? kinds[k] : NULL;
}

/* Kinds of both systems that share a name stand once. */
const char *costab_figure_kind_name(int number) {
    for (int k = 0, found = 0; k < KINDS; k++) {
        int before = 0;
        while (strcmp(kinds[before]->name, kinds[k]->name) != 0) before++;
        if (before == k && found++ == number) return kinds[k]->name;
    }
    return NULL;
}
