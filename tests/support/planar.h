/* planar.h - planar systems and their points, for tests. */
#pragma once

#include "costab/area.h"
#include "support.h"

/* A mistake in them fails the test. */
costab_planar planar_of(costab_scheme scheme, const costab_method *method, int na, int nd);
costab_planar planar_named(costab_scheme scheme, const char *method, int na, int nd);

/* One point, by the kernel for many. */
costab_planar_point point_at(const costab_planar *planar, double a, double gamma, double delta);

/* Areas in a window of doubles. */
costab_status window_areas(const costab_planar *planar, double a, const double gamma[2],
                           const double delta[2], costab_window_areas *areas, costab_error *error);
