/* Lists removed names, and options that are written otherwise, with the hint for each. tests/cli/removed.py
 * tries each row. */
#include "base/removed.h"

#include <stddef.h>
#include <string.h>

static const struct {
    removed_kind kind;
    const char *name, *hint;
} removed[] = {
    {REMOVED_COMMAND, "prove",
     " (removed after 0.1.0: costab no longer proves charts; costab limit decides whole intervals)"},
    {REMOVED_OPTION, "prove", " (removed after 0.1.0: costab limit decides whole intervals without it)"},
    {REMOVED_OPTION, "order", ": an order is part of the coupling's name, --coupling 'gauss-seidel(b,a)'"},
    {REMOVED_KEY, "certified", " (removed after 0.1.0: write 'refine: true')"},
    {REMOVED_FIGURE, "certificate",
     " (removed after 0.1.0: charts carry no certificates; use the kind 'classes')"},
    {REMOVED_FORMAT, "mat",
     " (removed after 0.1.0: MATLAB's h5read reads results files; SciPy's savemat writes .mat files)"},
    {REMOVED_FIGURE, "cause", " (removed after 0.1.0: use the kind 'classes')"},
    {REMOVED_FIGURE, "jury",
     " (removed after 0.1.0: it drew two fixed polygons, whatever the results; use the kind 'regions')"},
    {REMOVED_FIELD, "worst",
     " (removed after 0.1.0: use 'probability', or 'worst_radius', the largest radius of the samples)"},
};

const char *removed_hint(removed_kind kind, const char *name) {
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (removed[i].kind == kind && strcmp(removed[i].name, name) == 0) return removed[i].hint;
    return NULL;
}
