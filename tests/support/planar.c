#include "planar.h"

#include <string.h>

costab_planar planar_of(costab_scheme scheme, const costab_method *method, int na, int nd) {
    costab_planar planar;
    check_ok(costab_planar_init(&planar, scheme, method, na, nd, &why));
    return planar;
}

costab_planar planar_named(costab_scheme scheme, const char *method, int na, int nd) {
    costab_method found = method_named(method);
    return planar_of(scheme, &found, na, nd);
}

costab_planar_point point_at(const costab_planar *planar, double a, double gamma, double delta) {
    costab_planar_point point;
    memset(&point, 0xee, sizeof point); /* nothing may be left as it was */
    costab_planar_points(planar, 1, &a, &gamma, &delta, &point);
    return point;
}

costab_status window_areas(const costab_planar *planar, double a, const double gamma[2],
                           const double delta[2], costab_window_areas *areas, costab_error *error) {
    const costab_number g[2] = {{gamma[0], NULL}, {gamma[1], NULL}},
                        d[2] = {{delta[0], NULL}, {delta[1], NULL}}, at = {a, NULL};
    return costab_planar_window_areas(planar, at, g, d, areas, error);
}
